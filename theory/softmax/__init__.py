"""From margins to attention weights (theory notes, section 2)."""

from __future__ import annotations

from ropeproof.theory.softmax import (
    decoding,
    entropy,
    margin,
    masses,
    needed,
    odds,
    temperature,
    variation,
)

__all__ = ["CLAIMS"]

CLAIMS = (
    *margin.CLAIMS,
    *needed.CLAIMS,
    *odds.CLAIMS,
    *masses.CLAIMS,
    *variation.CLAIMS,
    *entropy.CLAIMS,
    *temperature.CLAIMS,
    *decoding.CLAIMS,
)
