"""Decide a property on a whole range of angles, by balls that cover it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from flint import arb, fmpq

from ropeproof.proofs_check.kernel.outcome import Outcome, fails, unknown

__all__ = ["BITS", "cover"]

BITS = 128
_SMALLEST = Fraction(1, 2**40)
"""The smallest share of the range to which balls of angles are halved."""
_FIRST = 16


def cover(decide: Callable[[Any], bool | None], end: Any) -> tuple[Outcome | None, int]:
    """Decide a property on balls of angles that cover `[0, end]`; the outcome and their number.

    `decide` returns True where the property holds on a ball, False where it fails, and None where the
    ball must be halved. The outcome is None if the property holds everywhere, else says what fails or
    is unknown. The caller sets the precision.
    """
    count = 0
    stack = [(Fraction(k, _FIRST), Fraction(1, _FIRST)) for k in range(_FIRST)]
    while stack:
        start, width = stack.pop()
        count += 1
        centre = start + width / 2
        middle, radius = (
            end * arb(fmpq(part.numerator, part.denominator)) for part in (centre, width / 2)
        )
        found = decide(middle + radius * arb(0, 1))
        if found is True:
            continue
        if found is False or decide(middle) is False:
            return fails("at an angle", {"angle": str(middle)}), count
        if width < _SMALLEST:
            return unknown(f"open near the angle {middle}"), count
        stack += [(start, width / 2), (centre, width / 2)]
    return None, count
