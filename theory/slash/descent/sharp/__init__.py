"""A faster rate: once every row is mostly right, the loss falls like 1/tau without a logarithm."""

from __future__ import annotations

from ropeproof.theory.slash.descent.sharp import gradient_size, recursion, row_slope
from ropeproof.theory.slash.descent.sharp.common import (
    IN_ROW,
    SHARE,
    a,
    fall,
    gap_size,
    later,
    missing,
    row_missing,
    v_x,
    v_y,
)

__all__ = [
    "CLAIMS",
    "IN_ROW",
    "SHARE",
    "a",
    "fall",
    "gap_size",
    "later",
    "missing",
    "row_missing",
    "v_x",
    "v_y",
]

CLAIMS = (*row_slope.CLAIMS, *gradient_size.CLAIMS, *recursion.CLAIMS)
