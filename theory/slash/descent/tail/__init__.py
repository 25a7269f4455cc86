"""The sharper rate of gradient descent, from the time on when every row is mostly right."""

from __future__ import annotations

from ropeproof.theory.slash.descent.tail import progress, sharp, tail
from ropeproof.theory.slash.descent.tail.common import RATE, TRAINING, start, trained

__all__ = ["CLAIMS", "RATE", "TRAINING", "start", "trained"]

CLAIMS = (*tail.CLAIMS, *progress.CLAIMS, *sharp.CLAIMS)
