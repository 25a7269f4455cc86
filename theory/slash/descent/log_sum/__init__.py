"""The logarithm of a sum of exponentials between its tangent and a parabola (Hoeffding's lemma)."""

from __future__ import annotations

from ropeproof.theory.slash.descent.log_sum import chord, log_sum, log_sum_positive
from ropeproof.theory.slash.descent.log_sum.common import bound, share, shift, start, x, y

__all__ = ["CLAIMS", "bound", "share", "shift", "start", "x", "y"]

CLAIMS = (*chord.CLAIMS, *log_sum_positive.CLAIMS, *log_sum.CLAIMS)
