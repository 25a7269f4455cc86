"""Constructed heads in models of the transformers library: written, built, exported and certified.

`slots` knows where each family keeps a head, `certify` reads the guarantee off a model, `write`
puts a slash head into one, `directions` into a trained one on residual vectors that are stated,
`shared_direction` into a trained one on rows whose components along one direction are in an interval, `build`
makes small models, `network` exports composed networks, `tables` keeps their rotation tables when a state
dict is loaded, `rewrite` multiplies a head by numbers that its attention does not see, `freeze` freezes what
a head depends on.
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
from ropeproof.constructions.export.freeze import freeze_head
from ropeproof.constructions.export.network import (
    certify_network,
    export_network,
    exported_bound,
    predict,
)
from ropeproof.constructions.export.rewrite import rewrite_head
from ropeproof.constructions.export.rewritten import RewrittenHead
from ropeproof.constructions.export.shared_direction import (
    DirectionCertificate,
    MeasuredComponents,
    SharedDirection,
    check_shared_direction,
    shared_direction,
    write_on_shared_direction,
)
from ropeproof.constructions.export.write import WrittenHead, write_head, write_sink_head

__all__ = [
    "ConditionalCertificate",
    "DirectionCertificate",
    "MeasuredComponents",
    "MeasuredDirections",
    "RewrittenHead",
    "SharedDirection",
    "WrittenHead",
    "build_model",
    "certify_head",
    "certify_network",
    "check_directions",
    "check_shared_direction",
    "export_network",
    "exported_bound",
    "freeze_head",
    "predict",
    "rewrite_head",
    "shared_direction",
    "write_head",
    "write_on_directions",
    "write_on_shared_direction",
    "write_sink_head",
]
