r"""The inverse temperature at which the index construction decodes every integer query.

The head adds `2 w` times the letters' one-hot vectors to the residual stream, `w` its weights, and
the query's own integer stands there with 1. So it decodes the integer `i` on every input of the
length iff the target has more than half of the weight:

    S_i(beta) = sum over t in [-i, n - 1 - i], t != 0, of e^{-beta E_t} < 1 (claim `index.temperature`).

The condition is needed: on the input with one other letter at all other positions, that letter gets their
whole weight. A letter's own query decodes with three times as large a sum, so it never decides.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ropeproof.numerics.bounds.planes.aligned import Aligned, Angles, read_aligned
from ropeproof.numerics.bounds.planes.sums import (
    Bounds,
    decays,
    least_temperature,
    logarithm_above,
    running,
)
from ropeproof.numerics.core.compiled import Stated
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.lag_scan import logit_enclosure
from ropeproof.numerics.core.lag_scan.head import Floats
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.exact import read_integer, read_rational

__all__ = [
    "Gaps",
    "PartialSums",
    "index_odds",
    "index_temperature",
    "integer_reach",
    "temperature_enough",
    "temperature_floor",
    "temperature_needed",
]

_MOST_LENGTH = 1 << 24
_ENOUGH = Stated("index.temperature", "3.if.below", {"length": "n"})
_FEW = 4096
"""The largest number of lags whose gaps are kept for another question about the same head."""
_NEEDED = Stated("index.temperature", "4.then.below", {"length": "n"})
_EVERY_ANGLE = Stated("index.temperature", "5.then.below", {"length": "n"})


@dataclass(frozen=True, eq=False)
class Gaps:
    """The gaps `E_t` to the target's logit, `1 <= t <= len(mid)`: `mid[t - 1]` within `radius`."""

    mid: Floats
    radius: float

    @classmethod
    def of(cls, head: Aligned, reach: int) -> Gaps:
        """The gaps of a head by a lag scan. Raises `Unsupported` above `2^24` lags."""
        if reach > _MOST_LENGTH:
            raise Unsupported(f"sums over {reach} lags: at most 2^24")
        return _kept_gaps(head, reach) if reach <= _FEW else cls._scanned(head, reach)

    @classmethod
    def _scanned(cls, head: Aligned, reach: int) -> Gaps:
        if not len(head.amplitudes):
            return cls(np.zeros(reach), 0.0)
        flat = np.zeros_like(head.amplitudes)
        logits = logit_enclosure(head.amplitudes, flat, head.scanned, lags=reach + 1)
        peak = float(logits.mid[0])
        # The difference is rounded once.
        return cls(peak - logits.mid[1:], 2 * logits.radius + 2.0**-52 * abs(peak))

    def sums(self, beta: float) -> PartialSums:
        """Bounds of the running sums of `e^{-beta E_t}` from `t = 1` on."""
        return PartialSums(running(decays(self.mid, self.radius, beta)))


@lru_cache(maxsize=64)
def _kept_gaps(head: Aligned, reach: int) -> Gaps:
    """The gaps of a head that is asked at several inverse temperatures in turn."""
    return Gaps._scanned(head, reach)


class PartialSums(NamedTuple):
    """Lower and upper bounds of `sum_{1 <= t <= k} e^{-beta E_t}`, `(2, lags)`, for `k = 0, 1, ...`."""

    bounds: Floats

    def odds(self, length: int, integers: int | None) -> Bounds:
        """Bounds of the largest `S_i` over the integers `1 <= i <= min(integers, n - 1)`."""
        last = length - 1
        most = last if integers is None else min(integers, last)
        # S_i has i lags on one side and n - 1 - i on the other.
        one, other = slice(1, most + 1), slice(last - most, last)
        both = self.bounds[:, one] + self.bounds[:, other][:, ::-1]
        down, up = both.max(-1).tolist()
        return down * (1 - 2.0**-52), up * (1 + 2.0**-52)


def index_temperature(
    frequencies: Angles,
    amplitudes: ArrayLike | None = None,
    *,
    length: int,
    integers: int | None = None,
) -> Enclosure:
    """The inverse temperature from which on an index head decodes every integer query, enclosed.

    At lower ones it fails on some query. Arguments as `index_margin`. The logits are the inverse temperature
    times those of the amplitudes. Both ends are infinite if no inverse temperature is enough, because some
    position in a window has the target's logit.

    >>> import sympy
    >>> found = index_temperature(2 * sympy.pi / 17, length=17)
    >>> f"{found.lower:.6f} {found.upper:.6f}"
    '11.758424 11.758424'

    Claim `index.temperature`. Cost: a scan of `length` lags and some 60 sums over them. Raises
    `InvalidArgument`; `Unsupported` above `2^24` lags or if a margin is too small for float64.
    """
    head = read_aligned(frequencies, amplitudes)
    length = read_integer("length", length, least=2)
    if integers is not None:
        integers = read_integer("integers", integers, least=1)
    reach = integer_reach(length, integers)
    margin = head.margin(reach)
    if margin.upper == 0:
        return Enclosure(lower=math.inf, upper=math.inf)
    gaps = Gaps.of(head, length - 1)
    # With every gap at least the margin the sum is at most (n - 1)/n.
    enough = math.inf
    if margin.lower > 0:
        enough = logarithm_above(length) / margin.lower * (1 + 2.0**-40)
    return least_temperature(lambda beta: gaps.sums(beta).odds(length, integers), enough)


def integer_reach(length: int, integers: int | None) -> int:
    """The largest number of lags on one side of a target, `max(i, n - 1 - i)` over all integers."""
    last = length - 1
    most = last if integers is None else min(integers, last)
    return max(most, last - 1)


def index_odds(
    inverse_temperature: object,
    frequencies: Angles,
    amplitudes: ArrayLike | None = None,
    *,
    length: int,
    integers: int | None = None,
) -> Enclosure:
    """`max_i S_i`, the largest ratio of the other positions' weight to the target's, enclosed.

    The head decodes every integer query iff it is below 1. Arguments as `index_temperature`. Raises as
    that does, and `InvalidArgument` unless `inverse_temperature >= 0`.

    >>> import sympy
    >>> odds = index_odds(15, 2 * sympy.pi / 17, length=17)
    >>> f"{odds.lower:.6f} {odds.upper:.6f}"
    '0.766696 0.766696'
    """
    beta = float(read_rational("inverse_temperature", inverse_temperature))
    if beta < 0:
        raise InvalidArgument("inverse_temperature", inverse_temperature, "a number >= 0")
    head = read_aligned(frequencies, amplitudes)
    length = read_integer("length", length, least=2)
    if integers is not None:
        integers = read_integer("integers", integers, least=1)
    gaps = Gaps.of(head, length - 1)
    low, high = gaps.sums(beta).odds(length, integers)
    return Enclosure(lower=low, upper=high)


def temperature_enough(length: int) -> Enclosure:
    """`ln 3/8 n^2`, an inverse temperature from which the angle `2 pi/n` decodes every query.

    Claim `index.temperature`. Raises `InvalidArgument` unless `length >= 3`.

    >>> f"{temperature_enough(17).upper:.4f}"
    '39.6874'
    """
    return _ENOUGH.enclose(length=read_integer("length", length, least=3))


def temperature_needed(length: int) -> Enclosure:
    """`ln 2/(2 sin^2(pi/n))`, up to which the angle `2 pi/n` fails on some integer query.

    Claim `index.temperature`. Raises `InvalidArgument` unless `length >= 3`.

    >>> f"{temperature_needed(17).lower:.4f}"
    '10.2646'
    """
    return _NEEDED.enclose(length=read_integer("length", length, least=3))


def temperature_floor(length: int) -> Enclosure:
    """`0.0040 (n - 1)^2`, an inverse temperature up to which every angle fails on some query.

    Claim `index.temperature`, for a single plane. Raises `InvalidArgument` unless `length >= 3`.

    >>> f"{temperature_floor(17).lower:.3f}"
    '1.024'
    """
    return _EVERY_ANGLE.enclose(length=read_integer("length", length, least=3))
