"""Symbols and terms that the claims of this topic share."""

from ropeproof.theory.language import *
from ropeproof.theory.notation import *
from ropeproof.theory.slash.descent.model import Vector, beta, psi_x, psi_y
from ropeproof.theory.slash.row import offset
from ropeproof.theory.slash.score import length

__all__ = ["KEY", "MOVE", "moved", "rope_feature", "z"]

KEY: Vector = (key_x(l), key_y(l))


MOVE: Vector = (real_function("v_x")(l), real_function("v_y")(l))


z = real("z")


def moved(key: Vector, move: Vector) -> Vector:
    """k + v."""
    return key[0] + move[0], key[1] + move[1]


def rope_feature(lag: Any) -> Vector:
    """psi(t) = s R_t qbar in its planes."""
    angle = theta(l) * lag
    return (
        s * (query_x(l) * sp.cos(angle) - query_y(l) * sp.sin(angle)),
        s * (query_x(l) * sp.sin(angle) + query_y(l) * sp.cos(angle)),
    )


def _two_lags() -> tuple[Any, ...]:
    return (
        eq(m, 1),
        eq(i, 2),
        eq(length, 2),
        eq(offset, 1),
        eq(beta, 1),
        eq(psi_x(0, 0), 1),
        eq(psi_x(1, 0), -1),
        eq(psi_y(0, 0), 0),
        eq(psi_y(1, 0), 0),
        eq(key_x(0), 0),
        eq(key_y(0), 0),
        eq(real_function("v_x")(0), 1),
        eq(real_function("v_y")(0), 0),
    )
