"""Evidence for the claims of the topic `slash`.

`cone`, `emergence` and `null` are about prompts, `ceiling`, `returns`, `spaced`, `game` and `soft` about the
frequencies and amplitudes that a slash needs, `descent` and `flow` about training, `constructed`,
`headline` and `rank_condition` run explicit weights in PyTorch. `heads` and `training` hold the drawn inputs.
"""

from __future__ import annotations

from ropeproof.proofs_check.evidence.slash import (
    ceiling,
    cone,
    constructed,
    descent,
    emergence,
    flow,
    game,
    headline,
    noise,
    null,
    rank_condition,
    returns,
    scaled,
    soft,
    spaced,
)

__all__ = [
    "ceiling",
    "cone",
    "constructed",
    "descent",
    "emergence",
    "flow",
    "game",
    "headline",
    "noise",
    "null",
    "rank_condition",
    "returns",
    "scaled",
    "soft",
    "spaced",
]
