r"""Near-returns of one angle, from the convergents of `theta/2 pi`, exactly.

For real `alpha` and its convergents `p_k/q_k`, the distance of `t alpha` to the nearest integer over
`1 <= t < q_{k+1}` is smallest at `t = q_k`: convergents are the best approximations of the second
kind (Khinchin, Continued Fractions, section 6). So the lags at which the worst margin of an angle
drops are the denominators, and no lag between two of them comes nearer.

The quotients of an irrational `alpha` are decided in balls at rising precision, as those that all
numbers of the ball have in common; those of a rational one by Euclid's algorithm.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from flint import arb

from ropeproof.numerics.core.lag_scan.head import fraction
from ropeproof.theory.errors import Unsupported
from ropeproof.theory.rotary.exact import ball
from ropeproof.theory.rotary.precision import precision

__all__ = ["denominators", "nearest_return"]

_FIRST_BITS = 128
_LAST_BITS = 1 << 14


def nearest_return(angle: Any, turns: Fraction | None, reach: int) -> int:
    """The smallest lag `1 <= t <= reach` at which `t angle` is nearest to a multiple of `2 pi`.

    `angle` is an exact SymPy number; `turns` is `angle/2 pi` if that is rational.
    Raises `Unsupported` if 16384 bits do not decide the quotients needed.
    """
    return denominators(angle, turns, reach)[-1]


def denominators(angle: Any, turns: Fraction | None, most: int) -> tuple[int, ...]:
    """The denominators `q_k <= most` of the convergents of `angle/2 pi`, increasing from 1."""
    if turns is not None:
        return _strictly(_convergents(_quotients(turns, turns), most), most)
    bits = _FIRST_BITS + 2 * most.bit_length()
    while bits <= _LAST_BITS:
        value = ball(angle, bits=bits)
        with precision(bits):
            alpha = value / (2 * arb.pi())
            low, high = fraction(alpha.lower()), fraction(alpha.upper())
        found = list(_convergents(_quotients(low, high), most))
        # The expansion must have passed `most`, or a larger convergent may be missing.
        if found and found[-1] > most:
            return _strictly(iter(found), most)
        bits *= 2
    raise Unsupported(
        f"the near-returns of {angle} up to {most} are not decided at {_LAST_BITS} bits"
    )


def _quotients(low: Fraction, high: Fraction) -> Iterator[int]:
    """The partial quotients that all numbers between `low` and `high` have in common."""
    while True:
        whole = low.numerator // low.denominator
        if whole != high.numerator // high.denominator:
            return
        yield whole
        low, high = low - whole, high - whole
        if low == 0 or high == 0:
            return
        low, high = 1 / high, 1 / low


def _convergents(quotients: Iterator[int], most: int) -> Iterator[int]:
    """The denominators of the convergents, up to and including the first above `most`."""
    before, now = 1, 0
    for quotient in quotients:
        before, now = now, quotient * now + before
        yield now
        if now > most:
            return


def _strictly(found: Iterator[int], most: int) -> tuple[int, ...]:
    return tuple(sorted({q for q in found if 1 <= q <= most}))
