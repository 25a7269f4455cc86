"""Bounds compiled from the claims that state them, so that each formula has one source.

`Stated` names a term of a claim, such as the upper side of its conclusion, and its arguments. The
term is compiled when it is first asked for, to a function of float64 arrays or of balls. Read in
this order: `place` (which term of the claim), `code` (the term as Python over a kit of functions),
`floats` and `balls` (the two kits), `stated` (all together).
"""

from __future__ import annotations

from ropeproof.numerics.core.compiled.stated import Stated, sharp

__all__ = ["Stated", "sharp"]
