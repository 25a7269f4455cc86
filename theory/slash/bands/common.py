"""Symbols and terms that the claims of this topic share."""

from ropeproof.theory.language import *

__all__ = ["c", "f", "h", "here", "moved", "plane", "slow"]

plane, h, c = integer("p h c")


f, moved = real_function("f"), real_function("a_moved")


slow, here = real_function("chi"), real_function("here")
