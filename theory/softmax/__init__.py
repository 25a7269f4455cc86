"""From margins to attention weights (theory notes, section 2)."""

from __future__ import annotations

from theory.softmax import entropy, margin, perturbation, temperature

__all__ = ["CLAIMS"]

CLAIMS = (
    *margin.CLAIMS,
    *perturbation.CLAIMS,
    *entropy.CLAIMS,
    *temperature.CLAIMS,
)
