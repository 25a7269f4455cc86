"""Constructed heads in models of transformers: written in, built around, certified as they are.

`slots` knows where each family keeps a head, `certify` reads the guarantee off a model, `write`
puts a slash head into one, `build` makes small models, `network` exports composed networks.
Importing this package imports neither torch nor transformers.
"""

from __future__ import annotations

from ropeproof.constructions.export.build import build_model
from ropeproof.constructions.export.certify import certify_head
from ropeproof.constructions.export.network import (
    certify_network,
    export_network,
    exported_bound,
    predict,
)
from ropeproof.constructions.export.write import WrittenHead, write_head

__all__ = [
    "WrittenHead",
    "build_model",
    "certify_head",
    "certify_network",
    "export_network",
    "exported_bound",
    "predict",
    "write_head",
]
