"""Evidence for the claims of the topic `head`.

`behaviour`, `exclusion`, `scores` and `row_exclusion` are about the table of contents and positions,
`limits` about what pure heads cannot do, `constructed` runs explicit weights in PyTorch. `rows` holds
what is drawn.
"""

from __future__ import annotations

from ropeproof.proofs_check.evidence.head import (
    behaviour,
    constructed,
    exclusion,
    limits,
    row_exclusion,
    scores,
)

__all__ = ["behaviour", "constructed", "exclusion", "limits", "row_exclusion", "scores"]
