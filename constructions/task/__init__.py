"""Networks composed of constructed heads that solve the tasks of THEORY.md section 8.

`plan` says what each coordinate of the residual stream holds and what a layer moves, `compose`
chooses the weights, `certify` bounds what the network decodes on every input, `network` and
`module` run it. Importing this package imports neither torch nor transformers.
"""

from __future__ import annotations

from ropeproof.constructions.task.compose import compose
from ropeproof.constructions.task.network import AttentionNetwork
from ropeproof.constructions.task.walk import NetworkBound

__all__ = ["AttentionNetwork", "NetworkBound", "compose"]
