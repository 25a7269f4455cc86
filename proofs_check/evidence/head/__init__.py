"""Evidence for the claims of the topic `head`.

`behaviour`, `exclusion`, `scores` and `row_exclusion` are about the table of logits by content and
position, `limits` about what pure heads cannot do, `constructed` runs explicit weights in PyTorch,
`identified` reads heads off their logits and weights, `sink` solves and certifies what a query can
guarantee to one token. `rows` holds the drawn inputs.
"""

from __future__ import annotations

from ropeproof.proofs_check.evidence.head import (
    behaviour,
    constructed,
    exclusion,
    identified,
    limits,
    row_exclusion,
    scores,
    sink,
)

__all__ = [
    "behaviour",
    "constructed",
    "exclusion",
    "identified",
    "limits",
    "row_exclusion",
    "scores",
    "sink",
]
