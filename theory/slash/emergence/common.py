"""Symbols and terms that the claims of this topic share."""

from __future__ import annotations

from typing import Any

import sympy as sp

from ropeproof.theory.claim import Hypothesis
from ropeproof.theory.logic import Both, Every, If, le, lt, ne, real, real_function
from ropeproof.theory.notation import j, key_x, key_y, l, query_x, query_y
from ropeproof.theory.slash.row import offset
from ropeproof.theory.slash.sandwich import (
    eta,
)
from ropeproof.theory.slash.score import (
    kappa,
    length,
)

__all__ = [
    "MEAN_KEY",
    "MEAN_QUERY",
    "NEEDED",
    "SCORE_RANGE",
    "all_x",
    "all_y",
    "keys_x",
    "keys_y",
    "margin",
]

margin = real("Gamma")


all_x, all_y = real_function("X_q"), real_function("Y_q")


keys_x, keys_y = real_function("X_k"), real_function("Y_k")


MEAN_QUERY, MEAN_KEY = (query_x(l), query_y(l)), (key_x(l), key_y(l))


NEEDED = le(2 * eta + sp.log((length - 1) * kappa / (1 - kappa)), margin)


SCORE_RANGE = (
    Hypothesis(
        "the score is positive",
        lt(0, kappa),
        idle="a weight is never below such a score",
    ),
    Hypothesis("the score is below 1", lt(kappa, 1)),
)


def _wins(logits: Any, last: Any) -> Any:
    """The target keeps the margin over every other lag below `last`."""
    return Every(
        (j,),
        If(
            Both(le(0, j), le(j, last - 1), ne(j, offset)),
            le(logits(j) + margin, logits(offset)),
        ),
    )
