"""Symbols and terms that the claims of this topic share."""

from ropeproof.theory.language import *
from ropeproof.theory.slash.descent.model import PLACE

__all__ = ["L0", "NO_ROW", "K", "M", "Q", "X", "Y", "z"]

z = real("z")


Q, M, X, Y, K, L0 = real("Q M X Y K L_0")


NO_ROW = Hypothesis(PLACE.name, PLACE.formula, unshown="otherwise there is no row")
