"""The frequency scalings of released models, as exact maps `theta -> theta'`.

Each scaling is a frozen record of its parameters. On `m` rotated planes with plain frequencies
`theta_l = base**(-l/m)` it multiplies plane `l` by an exact number, `multipliers(...)[l]`, and
it multiplies cosine and sine of the rotated planes by `attention_factor()`, so that it
multiplies their logits by the square of it. Where the map acts on each frequency alone
(`Linear`, `Llama3`) it is also there as a SymPy expression, `map(theta)`.

The maps are those of `ROPE_INIT_FUNCTIONS` in transformers 5, claims `rope.scaling.*`. That
library computes in float32 (and logarithms in float64), so its values agree to rounding only;
each class says whether rounding can take it into another branch. Every branch here compares an
algebraic number with a rational multiple of pi, or two rationals; the former are never equal
(axiom: Lindemann), so certified arithmetic decides it.
"""

from __future__ import annotations

from typing import TypeAlias

from ropeproof.theory.rotary.scaling.by_turns import Llama3, Yarn
from ropeproof.theory.rotary.scaling.long_rope import LongRope
from ropeproof.theory.rotary.scaling.plain import Exact, Plain
from ropeproof.theory.rotary.scaling.stretched import Dynamic, Linear, Proportional

__all__ = [
    "Dynamic",
    "Exact",
    "Linear",
    "Llama3",
    "LongRope",
    "Plain",
    "Proportional",
    "Scaling",
    "Yarn",
]

Scaling: TypeAlias = Linear | Dynamic | Yarn | LongRope | Llama3 | Proportional
