"""Correct rounding of a real number to a number type, proved by a ball around it.

Rounding to nearest is monotone. So if both ends of a ball round to the same value, every number in
the ball does, and the true one among them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from flint import arb

from ropeproof.theory.errors import InvalidArgument, Unsupported

__all__ = ["TYPES", "NumberType", "number_type"]


@dataclass(frozen=True)
class NumberType:
    """A binary floating-point type: `bits` of significand, exponents `least` to `largest`.

    The smallest normal number is `2**least`, below which numbers are a multiple of
    `2**(least - bits + 1)`; the largest is less than `2**(largest + 1)`.
    """

    name: str
    bits: int
    least: int
    largest: int

    def nearest(self, numerator: int, denominator: int = 1) -> float:
        """The value of the type nearest to a rational number, ties to the even significand.

        `denominator > 0`. A negative number that is rounded to zero gives `-0.0`. Every value of
        these types is a double, so the result is exact. Raises `Unsupported` beyond the largest.
        """
        if numerator == 0:
            return 0.0
        top, bottom = abs(numerator), denominator
        lead = top.bit_length() - bottom.bit_length()
        if (top << max(-lead, 0)) < (bottom << max(lead, 0)):
            lead -= 1
        quantum = max(lead, self.least) - self.bits + 1
        top, bottom = top << max(-quantum, 0), bottom << max(quantum, 0)
        whole, rest = divmod(top, bottom)
        if 2 * rest > bottom or (2 * rest == bottom and whole % 2):
            whole += 1
        if whole.bit_length() + quantum > self.largest + 1:
            told = Fraction(numerator, denominator)
            raise Unsupported(f"a number of size {float(abs(told)):.3g} is no {self.name}")
        return math.copysign(math.ldexp(whole, quantum), numerator)

    def of_ball(self, ball: Any) -> float | None:
        """The correctly rounded value of the number in an `arb` ball; None if its ends differ."""
        if not ball.is_finite():
            return None
        low, high = self._of_point(ball.lower()), self._of_point(ball.upper())
        # 0.0 == -0.0, and which of the two it is would be open.
        same = low == high and math.copysign(1, low) == math.copysign(1, high)
        return low if same else None

    def _of_point(self, point: arb) -> float:
        mantissa, exponent = (int(part) for part in point.man_exp())
        if exponent >= 0:
            return self.nearest(mantissa << exponent)
        return self.nearest(mantissa, 1 << -exponent)


TYPES: Mapping[str, NumberType] = MappingProxyType(
    {
        t.name: t
        for t in (
            NumberType("float64", 53, -1022, 1023),
            NumberType("float32", 24, -126, 127),
            NumberType("bfloat16", 8, -126, 127),
            NumberType("float16", 11, -14, 15),
        )
    }
)
"""The types of models' numbers, by name."""


def number_type(name: str) -> NumberType:
    """The number type of that name; raises `InvalidArgument` for an unknown one."""
    if name not in TYPES:
        raise InvalidArgument("dtype", name, ", ".join(TYPES))
    return TYPES[name]
