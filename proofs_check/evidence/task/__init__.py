"""Evidence for the claims of the topic `task`.

`compose` follows chains by definition, `lookup` is about absolute indices and information retrieval,
`induction` about the last occurrence of a symbol, `answers` about softmax heads that answer every
input of both, `u_shape` about the weight by position; `networks` and `constructed` run explicit weights
in PyTorch.
"""

from __future__ import annotations

from ropeproof.proofs_check.evidence.task import (
    answers,
    compose,
    constructed,
    induction,
    lookup,
    networks,
    u_shape,
)

__all__ = ["answers", "compose", "constructed", "induction", "lookup", "networks", "u_shape"]
