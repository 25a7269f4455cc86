"""Decide a property on a whole range of angles, by balls that cover it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import arb, fmpq

from ropeproof.proofs_check.kernel.outcome import Outcome, fails, unknown

__all__ = ["BITS", "cover"]

BITS = 128
_MOST = 2**40
"""The number of equal parts of the range from which on balls of angles are not halved."""
_FIRST = 16


def cover(decide: Callable[[Any], bool | None], end: Any) -> tuple[Outcome | None, int]:
    """Decide a property on balls of angles that cover `[0, end]`; the outcome and their number.

    `decide` returns True where the property holds on a ball, False where it fails, and None where the
    ball must be halved. The outcome is None if the property holds everywhere, else says what fails or
    is unknown. The caller sets the precision.
    """
    count, unit = 0, arb(0, 1)
    # A ball of the range from k/size to (k + 1)/size, as k and size.
    stack = [(k, _FIRST) for k in range(_FIRST)]
    while stack:
        k, size = stack.pop()
        count += 1
        radius = end * arb(fmpq(1, 2 * size))
        middle = end * arb(fmpq(2 * k + 1, 2 * size))
        found = decide(middle + radius * unit)
        if found is True:
            continue
        if found is False or decide(middle) is False:
            return fails("at an angle", {"angle": str(middle)}), count
        if size > _MOST:
            return unknown(f"open near the angle {middle}"), count
        stack += [(2 * k, 2 * size), (2 * k + 1, 2 * size)]
    return None, count
