"""The loss is convex in the key vector, and no more curved than beta."""

from __future__ import annotations

from ropeproof.theory.slash.descent.convex import convex, row_convex
from ropeproof.theory.slash.descent.convex.common import KEY, MOVE, rope_feature

__all__ = ["CLAIMS", "KEY", "MOVE", "rope_feature"]

CLAIMS = (*row_convex.CLAIMS, *convex.CLAIMS)
