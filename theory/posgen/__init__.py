"""Position generalisation: logits that are nearly additive in position and content."""

from __future__ import annotations

from ropeproof.theory.posgen import (
    additive,
    anova,
    capacity,
    gauge,
    length,
    null,
    pearson,
    plane,
    transposition,
)

__all__ = ["CLAIMS"]

CLAIMS = (
    *plane.CLAIMS,
    *additive.CLAIMS,
    *pearson.CLAIMS,
    *anova.CLAIMS,
    *null.CLAIMS,
    *gauge.CLAIMS,
    *transposition.CLAIMS,
    *length.CLAIMS,
    *capacity.CLAIMS,
)
