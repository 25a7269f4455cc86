"""Networks composed of constructed heads that solve the number task, the letter task or induction.

`plan` says what each coordinate of the residual stream holds and what a layer moves, `compose`
and `induction` choose the weights, `certify` bounds what the network decodes on every input, `network` and
`module` run it. Importing this package imports neither torch nor transformers.
"""

from __future__ import annotations

from ropeproof.constructions.networks.compose import compose
from ropeproof.constructions.networks.induction import induction_network
from ropeproof.constructions.networks.network import AttentionNetwork
from ropeproof.constructions.networks.walk import NetworkBound

__all__ = ["AttentionNetwork", "NetworkBound", "compose", "induction_network"]
