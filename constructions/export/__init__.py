"""Constructed heads in models of transformers: written in, built around, certified as they are.

`slots` knows where each family keeps a head, `certify` reads the guarantee off a model, `write`
puts a slash head into one, `directions` into a trained one on residual vectors that are stated, `build`
makes small models, `network` exports composed networks.
Importing this package imports neither torch nor transformers.
"""

from __future__ import annotations

from ropeproof.constructions.export.build import build_model
from ropeproof.constructions.export.certify import certify_head
from ropeproof.constructions.export.directions import (
    ConditionalCertificate,
    MeasuredDirections,
    check_directions,
    write_on_directions,
)
from ropeproof.constructions.export.network import (
    certify_network,
    export_network,
    exported_bound,
    predict,
)
from ropeproof.constructions.export.write import WrittenHead, write_head

__all__ = [
    "ConditionalCertificate",
    "MeasuredDirections",
    "WrittenHead",
    "build_model",
    "certify_head",
    "certify_network",
    "check_directions",
    "export_network",
    "exported_bound",
    "predict",
    "write_head",
    "write_on_directions",
]
