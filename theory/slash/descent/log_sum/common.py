"""Symbols and terms that the claims of this topic share."""

from ropeproof.theory.language import *
from ropeproof.theory.notation import j, n

__all__ = ["HALF", "b", "bound", "share", "shift", "start", "tilt", "u", "x", "y"]

x, y, share, u, b, bound = real("x y lambda u b B")


start, shift = real_function("g"), real_function("h")


HALF = sp.Rational(1, 2)


def tilt() -> Any:
    """sum e^{g+h} / sum e^g."""
    return sp.Sum(sp.exp(start(j) + shift(j)), (j, 0, n - 1)) / sp.Sum(
        sp.exp(start(j)), (j, 0, n - 1)
    )


def _mean() -> Any:
    return sp.Sum(sp.exp(start(j)) * shift(j), (j, 0, n - 1)) / sp.Sum(
        sp.exp(start(j)), (j, 0, n - 1)
    )
