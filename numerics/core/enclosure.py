"""Result records of certified computations: two doubles with the true value between them.

A record never hides uncertainty: `Enclosure` is an interval that contains the true real number,
`Extremum` adds the lags where a minimum or maximum over lags can be attained.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Self

from flint import arb

from ropeproof.theory.rotary.precision import precision

__all__ = ["Enclosure", "Extremum"]


@dataclass(frozen=True, kw_only=True)
class Enclosure:
    """Doubles `lower <= true value <= upper`, in the unit of the quantity enclosed.

    >>> from flint import arb
    >>> Enclosure.of(arb(1), arb(2))
    Enclosure(lower=1.0, upper=2.0)
    >>> 1.5 in Enclosure.of(arb(1), arb(2))
    True
    """

    lower: float
    upper: float

    @classmethod
    def of(cls, low: Any, high: Any, **fields: Any) -> Self:
        """The tightest such record for a real number in `[low.lower(), high.upper()]`.

        `low` and `high` are `arb` balls; a ball with an infinite or undefined bound gives an
        infinite one here. `fields` fill the further fields of a subclass.
        """
        # Every operation on a ball rounds to the precision in force, even a change of sign.
        with precision(4096):
            return cls(lower=_at_most(low.lower()), upper=-_at_most(-high.upper()), **fields)

    @property
    def width(self) -> float:
        """`upper - lower`, rounded to a double."""
        return self.upper - self.lower

    def __contains__(self, value: Any) -> bool:
        """Whether an exact number (float, int, Fraction) lies in `[lower, upper]`."""
        return bool(self.lower <= value <= self.upper)


@dataclass(frozen=True, kw_only=True)
class Extremum(Enclosure):
    """An enclosed minimum or maximum over lags, and where it is attained.

    `ties` are the lags that may attain it, increasing; at least one of them does unless `omitted`
    is positive, and no lag outside does. `certified` says that every one of them attains it: the
    minimiser is unique, or the tie is proved exact. When it is False the lags could not be told
    apart at the highest precision tried. `lag` is the smallest of `ties`. `omitted` bounds the
    number of further lags that were within the scan's radius of the extremum but too many to
    name; then `certified` is False and the enclosure is as wide as the scan's.
    """

    lag: int
    ties: tuple[int, ...]
    certified: bool
    omitted: int = 0


def _at_most(point: Any) -> float:
    """The largest double below an exact `arb`; minus infinity if there is none."""
    if not point.is_finite():
        return -math.inf
    value = float(point)
    while not arb(value) <= point:
        value = math.nextafter(value, -math.inf)
    return value
