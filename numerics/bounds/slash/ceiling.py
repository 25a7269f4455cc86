r"""Upper bounds of the slash weight whatever the phases, by the frequencies that a head uses.

With `E_t = sum_l A_l (1 - cos(theta_l t))` in logits, a target with `M` lags on each side has at
most the weight `1/(1 + 2 sum_{t=1}^M e^{-E_t})`. Amplitudes are in logits, frequencies in radians
per position, offsets and rows as in `S_{i, i - Delta}` with rows counted from 1. Claims
`slash.ceiling`, `slash.amplitude-needed`, `slash.low-only`, `slash.lipschitz-ceiling`.
"""

from __future__ import annotations

from functools import cache
from math import isqrt
from typing import Any

import numpy as np
from flint import arb
from numpy.typing import ArrayLike

from ropeproof.numerics.bounds.slash.balls import BITS, enclosed, rational
from ropeproof.numerics.core.compiled import Stated, sharp
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.lag_scan import Frequencies, logit_enclosure
from ropeproof.numerics.core.lag_scan.head import read_vector
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import ball, read_integer
from ropeproof.theory.rotary.precision import precision

__all__ = [
    "aligned_score",
    "amplitude_needed",
    "amplitude_per_log_odds",
    "lipschitz_ceiling",
    "lipschitz_limit",
    "lipschitz_two_sided",
    "low_only_ceiling",
    "slash_ceiling",
]

_NEEDED = Stated("slash.amplitude-needed", "below", {"score": "kappa"})
_PER_LOG_ODDS = Stated("slash.amplitude-needed", "below.own")
_SLOW = Stated("slash.low-only", "above", {"lags": "T"})
_LIMIT = Stated("slash.lipschitz-ceiling", "2.then.above", terms={"rate": "slope"})
_SHARE = Stated(
    "slash.lipschitz-ceiling", "2.then.below.own", {"offset": "Delta"}, {"rate": "slope"}
)


def slash_ceiling(amplitudes: ArrayLike, frequencies: Frequencies, *, reach: int) -> Enclosure:
    """`1/(1 + 2 sum_{t=1}^M e^{-E_t})`, the largest weight of a target for any phases, enclosed.

    The target has `M = reach` lags on each side in its row. `amplitudes` have
    shape `(planes,)`; `frequencies` are a `RopeSpec` or one number per plane.

    >>> f"{slash_ceiling([0.0], [1], reach=2).upper:.4f}"
    '0.2000'

    Claim `slash.ceiling`. Cost: a lag scan and one exponential per lag. Raises `InvalidArgument`
    as `ropeproof.numerics.core.lag_scan.logit_enclosure`, and unless `reach >= 0`.
    """
    reach = read_integer("reach", reach, least=0)
    return _window(amplitudes, frequencies, reach, reach)


def aligned_score(
    amplitudes: ArrayLike, frequencies: Frequencies, *, offset: int, row: int
) -> Enclosure:
    """The weight of the target in row `i` with the aligned phases `-theta_l Delta`, enclosed.

    `1/(1 + sum_{t=1}^{Delta} e^{-E_t} + sum_{t=1}^{i-1-Delta} e^{-E_t})`; it equals the ceiling if both
    sides have the same number of lags. Claim `slash.ceiling`.
    Arguments, cost and errors as `slash_ceiling`; `0 <= offset < row`.
    """
    offset, row = _place(offset, row)
    return _window(amplitudes, frequencies, offset, row - 1 - offset)


def amplitude_needed(score: object) -> Enclosure:
    """`ln(2 kappa/(1 - kappa))/(1 - cos 1)`, the amplitude in logits that a score needs at least.

    For targets with a lag on each side and frequencies of at most 1. At a score of 1/3 or less
    the bound is not positive and says nothing.

    >>> f"{amplitude_needed(0.9).lower:.2f}"
    '6.29'

    Claim `slash.amplitude-needed`. Raises `InvalidArgument` unless `0 < score < 1`.
    """
    return _NEEDED.enclose(score=rational("score", score, above=0, below=1))


@cache
def amplitude_per_log_odds() -> Enclosure:
    """`1/(1 - cos 1)`, the amplitude that each unit of `ln(2 kappa/(1 - kappa))` needs.

    >>> f"{amplitude_per_log_odds().lower:.4f}"
    '2.1753'

    Claim `slash.amplitude-needed`.
    """
    return _PER_LOG_ODDS.enclose()


def low_only_ceiling(amplitude: object, largest_frequency: object, *, reach: int) -> Enclosure:
    """`1/(1 + 2 e^{-1/2} T)`, an upper bound of the weight of heads with low frequencies only.

    `T = min(M, floor(1/(omega sqrt(A))))`, decided exactly. It holds for every head of amplitude `A` whose
    active frequencies are all at most `omega`, and a target with `M = reach` lags on each side. Enclosed.

    >>> f"{low_only_ceiling(16, 1 / 64, reach=1000).upper:.4f}"
    '0.0490'

    Claim `slash.low-only`. Raises `InvalidArgument` unless both numbers are >= 0 and
    `reach >= 0`.
    """
    total = rational("amplitude", amplitude, least=0)
    omega = rational("largest_frequency", largest_frequency, least=0)
    lags = read_integer("reach", reach, least=0)
    squared = total * omega * omega
    if squared > 0:
        # T is the largest integer with T^2 A omega^2 <= 1.
        lags = min(lags, isqrt(int(squared.q // squared.p)))
    return _SLOW.enclose(lags=lags)


def lipschitz_ceiling(rate: object, *, offset: int, row: int) -> Enclosure:
    """`1/sum_{0 <= t < i} e^{-lambda |t - Delta|}`, an upper bound of the target's weight.

    Enclosed. `rate` is `lambda = sum_l A_l theta_l` in logits per position, or anything above it
    (`ropeproof.numerics.bounds.rope.rope.step_bounds(...).frequencies.upper`); `row` is `i` and `offset`
    is `Delta`.

    >>> lipschitz_ceiling(0, offset=3, row=8)
    Enclosure(lower=0.125, upper=0.125)

    Claim `slash.lipschitz-ceiling`. Raises `InvalidArgument` unless `rate >= 0` and
    `0 <= offset < row`.
    """
    slope = rational("rate", rate, least=0)
    offset, row = _place(offset, row)
    if slope == 0:
        with precision(BITS):
            return enclosed(1 / arb(row))
    value = ball(slope, bits=BITS)
    with precision(BITS):
        decay = (-value).exp()
        sides = sum((_geometric(value, n) for n in (offset, row - 1 - offset)), arb(0))
        return enclosed(1 / (1 + decay * sides))


def lipschitz_two_sided(rate: object, *, offset: int) -> Enclosure:
    """The value of `lipschitz_ceiling` in row `2 Delta + 1`, in closed form, enclosed.

    `tanh(lambda/2)/(1 - 2 e^{-lambda (Delta + 1)}/(1 + e^{-lambda}))`.

    >>> f"{lipschitz_two_sided(2, offset=1).lower:.6f}"
    '0.786986'

    Claim `slash.lipschitz-ceiling`. Raises `InvalidArgument` unless `rate > 0`, `offset >= 0`.
    """
    slope = rational("rate", rate, above=0)
    lag = read_integer("offset", offset, least=0)
    return sharp(lambda: _LIMIT.ball(rate=slope) / _SHARE.ball(rate=slope, offset=lag))


def lipschitz_limit(rate: object) -> Enclosure:
    """`tanh(lambda/2)`, the limit of `lipschitz_ceiling` on long rows, target far from both ends.

    >>> f"{lipschitz_limit(2).lower:.4f}"
    '0.7616'

    Claim `slash.lipschitz-ceiling`. Raises `InvalidArgument` unless `rate >= 0`.
    """
    return _LIMIT.enclose(rate=rational("rate", rate, least=0))


def _geometric(slope: Any, terms: int) -> Any:
    """The geometric sum `sum_{0 <= t < n} e^{-lambda t}` for `lambda > 0`."""
    return (-slope * terms).expm1() / (-slope).expm1()


def _place(offset: int, row: int) -> tuple[int, int]:
    offset, row = read_integer("offset", offset, least=0), read_integer("row", row, least=1)
    if offset >= row:
        raise InvalidArgument("offset", offset, f"an integer from 0 to row - 1, {row - 1}")
    return offset, row


def _window(amplitudes: ArrayLike, frequencies: Frequencies, before: int, after: int) -> Enclosure:
    """The aligned weight of a target with the given numbers of lags on its two sides, enclosed."""
    reach = max(before, after)
    sizes = read_vector("amplitudes", amplitudes)
    logits = logit_enclosure(sizes, np.zeros_like(sizes), frequencies, lags=reach + 1)
    with precision(BITS):
        radius = 2 * arb(logits.radius)
        peak = arb(float(logits.mid[0]))
        rest = arb(0)
        for t, value in enumerate(logits.mid[1:].tolist(), start=1):
            sides = (t <= before) + (t <= after)
            rest += sides * (arb(value) - peak).exp()
        # Every exponent is off by at most two radii, so every term by this factor.
        return Enclosure.of(1 / (1 + rest * radius.exp()), 1 / (1 + rest * (-radius).exp()))
