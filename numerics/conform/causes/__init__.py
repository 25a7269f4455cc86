"""The known ways to be wrong, each as a change of a `Guess`."""

from __future__ import annotations

from ropeproof.numerics.conform.causes import frequencies, pairing, positions, scaling, types
from ropeproof.numerics.conform.causes.way import Way

__all__ = ["WAYS", "Way"]

WAYS: tuple[Way, ...] = (
    *pairing.WAYS,
    *positions.WAYS,
    *frequencies.WAYS,
    *scaling.WAYS,
    *frequencies.FITTED,
    *types.WAYS,
)
"""In the order in which they are tried: of two that explain the same numbers the first is named."""
