"""Symbols and terms that the claims of this topic share."""

from ropeproof.theory.language import *
from ropeproof.theory.notation import l, m
from ropeproof.theory.slash.bands import plane
from ropeproof.theory.slash.descent.model import Vector, beta, psi_x, psi_y
from ropeproof.theory.slash.descent.shared import (
    BEST,
    gap_size,
    grown_x,
    grown_y,
    key_at,
    later,
    margin,
    missing,
    steps,
    v_x,
    v_y,
)
from ropeproof.theory.slash.row import offset
from ropeproof.theory.slash.score import length

__all__ = ["MOVE", "c", "mass", "place", "z"]

z = real("z")


c, place = real("c"), integer("h")


MOVE: Vector = (v_x(l), v_y(l))


def mass(time: Any) -> Any:
    """What was missing so far, over beta: sum_{s<tau} (1 - Slash_s) / beta."""
    return sp.Sum(missing(key_at(later)), (later, 0, time - 1)) / beta


def _untrained() -> tuple[Any, ...]:
    """The very start: no step was made."""
    return (
        eq(m, 1),
        eq(length, 2),
        eq(offset, 1),
        eq(steps, 0),
        eq(beta, 1),
        eq(gap_size, 0),
        eq(margin, 2),
        eq(grown_x(0, 0), 0),
        eq(grown_y(0, 0), 0),
        eq(v_x(0), 0),
        eq(v_y(0), 0),
        eq(psi_x(0, 0), -1),
        eq(psi_x(1, 0), 1),
        eq(psi_y(0, 0), 0),
        eq(psi_y(1, 0), 0),
        eq(BEST[0].func(0), 1),
        eq(BEST[1].func(0), 0),
        eq(plane, 0),
    )
