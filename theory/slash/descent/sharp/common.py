"""Symbols and terms that the claims of this topic share."""

from ropeproof.theory.language import *
from ropeproof.theory.notation import i, l
from ropeproof.theory.slash.descent.model import partition, scores
from ropeproof.theory.slash.row import offset
from ropeproof.theory.slash.score import length

__all__ = [
    "IN_ROW",
    "MOVE",
    "SHARE",
    "a",
    "fall",
    "gap_size",
    "later",
    "level",
    "missing",
    "row_missing",
    "v_x",
    "v_y",
]

v_x, v_y = real_function("v_x"), real_function("v_y")


MOVE = (v_x(l), v_y(l))


gap_size, a, level = real("c a u")


fall = real_function("L")


later = integer("h")


SHARE = 1 - sp.exp(-sp.Integer(1), evaluate=False)


IN_ROW = (le(offset + 1, i), le(i, length))


def row_missing(key: Any) -> Any:
    """1 - S_{i,i-Delta}."""
    return 1 - sp.exp(scores(key)(offset)) / partition(key)


def missing(key: Any) -> Any:
    """The mean of 1 - S_{i,i-Delta} over the rows: 1 minus the slash score."""
    return sp.Sum(row_missing(key), (i, offset + 1, length)) / (length - offset)
