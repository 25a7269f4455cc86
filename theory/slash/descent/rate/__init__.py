"""How fast gradient descent makes the slash."""

from __future__ import annotations

from ropeproof.theory.slash.descent.rate import comparator, rate, score, telescope
from ropeproof.theory.slash.descent.rate.common import (
    ALGORITHM,
    BEST,
    GRADIENTS,
    OTHER,
    PLANES,
    START,
    UNIT,
    WINS,
    grad_at,
    grown_x,
    grown_y,
    key_at,
    margin,
    one_plane,
    row_step,
    steps,
    tau,
    x,
    y,
)

__all__ = [
    "ALGORITHM",
    "BEST",
    "CLAIMS",
    "GRADIENTS",
    "OTHER",
    "PLANES",
    "START",
    "UNIT",
    "WINS",
    "grad_at",
    "grown_x",
    "grown_y",
    "key_at",
    "margin",
    "one_plane",
    "row_step",
    "steps",
    "tau",
    "x",
    "y",
]

CLAIMS = (*telescope.CLAIMS, *comparator.CLAIMS, *score.CLAIMS, *rate.CLAIMS)
