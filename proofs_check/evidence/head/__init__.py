"""Evidence for the claims of the topic `head`.

`behaviour`, `exclusion`, `scores` and `row_exclusion` are about the table of logits by content and
position, `limits` about what pure heads cannot do, `constructed` runs explicit weights in PyTorch,
`sink` solves and certifies what a query can guarantee to one token.
`rows` holds the drawn inputs.
"""

from __future__ import annotations

from ropeproof.proofs_check.evidence.head import (
    behaviour,
    constructed,
    exclusion,
    limits,
    row_exclusion,
    scores,
    sink,
)

__all__ = ["behaviour", "constructed", "exclusion", "limits", "row_exclusion", "scores", "sink"]
