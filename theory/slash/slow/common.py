"""Symbols and terms that the claims of this topic share."""

from ropeproof.theory.language import *

__all__ = ["rate"]

rate = real("lamda")
