"""Symbols and terms that the claims of this topic share."""

from __future__ import annotations

from ropeproof.theory.logic import real

__all__ = ["rate"]

rate = real("lamda")
