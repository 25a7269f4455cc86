"""Evidence for the claims of the topic `slash`.

`cone`, `emergence` and `null` are about prompts, `ceiling`, `returns`, `spaced` and `window` about the
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
    headline,
    noise,
    null,
    rank_condition,
    returns,
    scaled,
    spaced,
)
from ropeproof.proofs_check.evidence.slash.window import game, soft_ceiling, soft_optimum

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
    "soft_ceiling",
    "soft_optimum",
    "spaced",
]
