r"""The slash score of a positional head over all rows of a prompt, enclosed in float64.

Row `j = i - Delta` of the `rows` rows that have the target sees the displacements from `-before` to
`j - 1`. With `d_e = g(Delta + e) - g(Delta)` its weight on the target is `S_j = 1/(1 + Z_j)`,
`Z_j = P + sum_{1 <= e < j} e^{d_e}`, `P = sum_{1 <= e <= before} e^{d_{-e}}`. The score is the mean
of `S_j`; by `slash.sandwich` with `eta = 0` it is that of the head on every prompt.

**Rounding.** Let `u = 2^-53`. A scanned logit is within `radius` of the true one, the target's
logit is rounded once from a ball, and so is the difference: with `D` the largest absolute value of
a computed `d_e`, they are off by at most `eta = radius + 2 u (A + D)`, where `A` bounds the target's
logit. `exponential` is off by a factor in `1 +- 2^-50`. Sums of `n` nonnegative terms in any order
are off by a factor in `(1 +- u)^n`. So every computed `Z_j` is `Z_j` times a factor in
`1 +- rho`, `rho = e^eta (1 + 2^-50)(1 + u)^(n + 1) - 1`, and since a relative change of `Z_j` changes
`S_j` relatively by less, the mean of the computed `S_j` is off relatively by at most
`rho/(1 - rho)` and the rounding `(1 + u)^(rows + 4)` of the mean itself. Arguments of `exponential`
are first moved into `[-600, 600]`. A true `e^{d_e}` below `e^-600` is so overestimated by less than
`e^-600`, and where one is above `e^600` the row's score is below `e^-600`; both are covered by the
`1e-250` added to the upper bound, and by a lower bound that takes such a row as 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

import numpy as np
from flint import arb

from ropeproof.numerics.bounds.slash.game.window import Window
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.lag_scan import logit_enclosure
from ropeproof.numerics.core.lag_scan.head import Floats
from ropeproof.theory.rotary.precision import precision

__all__ = [
    "EXPONENTIAL_ERROR",
    "UNIT",
    "RelativeLogits",
    "exponential",
    "exponential_of",
    "rows_of",
]

UNIT = 2.0**-53
EXPONENTIAL_ERROR = 2.0**-50
_MOST_EXPONENT = 600.0
_STEPS = 64


@lru_cache(maxsize=1)
def _constants() -> tuple[float, float, Floats]:
    """`ln 2 / 64` as a head of 33 bits and a tail, and the table of `2^(j/64)`, rounded."""
    with precision(192):
        step = arb(2).log() / _STEPS
        head = float((step * arb(2) ** 39).mid().floor()) / 2.0**39
        tail = float((step - arb(head)).mid())
        powers = [float((arb(2) ** (arb(j) / _STEPS)).mid()) for j in range(_STEPS)]
    return head, tail, np.array(powers)


def exponential(exponents: Floats) -> Floats:
    r"""`e^x` for `|x| <= 700`, off by a factor in `1 +- 2^-50`, same shape.

    The error is proved here, not taken from a library. `k` is the integer nearest to
    `x 64/ln 2`, `|k| < 2^17`; `ln 2/64 = h + t` with `h` a multiple of `2^-39`. `k h` is exact, and
    so is `x - k h`: both are multiples of `2^-60` unless `k = 0`, and the difference is below
    `2^-7`. `k t` is below `2^-22`, so the reduced argument `|r| < 0.0055` has an absolute error
    below `2^-59`. Taylor to degree 5 leaves out less than `r^6/719 < 2^-54`. In Horner's scheme all
    roundings but the last are multiplied by `|r|`, so it loses less than `1.1 u` relatively; the
    table entry and the product lose `u` each, the scaling by a power of two nothing. In all less
    than `2^-59 + 2^-54 + 3.2 u < 8 u = 2^-50`.
    """
    head, tail, powers = _constants()
    count = np.rint(exponents * (_STEPS / math.log(2)))
    rest = (exponents - count * head) - count * tail
    value = rest * (1 / 120) + 1 / 24
    for coefficient in (1 / 6, 1 / 2, 1.0, 1.0):
        value *= rest
        value += coefficient
    whole = count.astype(np.int64)
    value *= powers[whole & (_STEPS - 1)]
    scale: Floats = (((whole >> 6) + 1023) << 52).view(np.float64)
    return value * scale


def exponential_of(exponent: float) -> float:
    """`exponential` of one number, bit for bit: the same operations, without an array."""
    head, tail, powers = _constants()
    whole = round(exponent * (_STEPS / math.log(2)))
    rest = (exponent - whole * head) - whole * tail
    value = rest * (1 / 120) + 1 / 24
    for coefficient in (1 / 6, 1 / 2, 1.0, 1.0):
        value = value * rest + coefficient
    return math.ldexp(value * float(powers[whole & (_STEPS - 1)]), whole >> 6)


def growth(factors: int) -> float:
    """An upper bound of `(1 + u)^factors - 1` and of `1 - (1 - u)^factors`, `factors < 2^40`."""
    return factors * UNIT * (1 + 2.0**-10)


@dataclass(frozen=True, eq=False)
class RelativeLogits:
    """The logits of a head relative to its target, `d_e` in logits, each within `radius`.

    `before` is `(before,)` for `e = -1, -2, ...`, `after` is `(after,)` for `e = 1, 2, ...`;
    there are `after + 1` rows. `size` bounds the target's logit and enters the rounding.
    """

    before: Floats
    after: Floats
    radius: float
    size: float

    @property
    def count(self) -> int:
        """The number of rows that have the target."""
        return len(self.after) + 1

    @cached_property
    def largest(self) -> float:
        """The largest absolute value of a relative logit."""
        parts = [float(np.abs(part).max()) for part in (self.before, self.after) if len(part)]
        return max(parts, default=0.0)

    def eta(self, factor: float = 1.0) -> float:
        """A bound, in logits, of the error of a relative logit times `factor`, after rounding."""
        return (factor * self.radius + 2 * UNIT * factor * (self.size + 2 * self.largest)) * 1.01

    def odds(self, factor: float = 1.0) -> tuple[Floats, float]:
        """The odds `Z_j` with all amplitudes times `factor`, `(rows,)`, and their relative error.

        Infinite from the row on where a competitor wins by more than 600 logits.
        """
        total = np.empty(self.count)
        total[0] = np.sum(self._sizes(self.before, factor))
        total[1:] = self._sizes(self.after, factor)
        np.cumsum(total, out=total)
        eta = self.eta(factor)
        terms = len(self.before) + self.count + 2
        rho = eta * math.exp(min(eta, 1.0)) + EXPONENTIAL_ERROR + growth(terms)
        return total, rho * 1.01

    def average(self, factor: float = 1.0) -> Enclosure:
        """The mean score of the head with all amplitudes multiplied by `factor`, certified."""
        odds, rho = self.odds(factor)
        if not rho < 0.1:
            return Enclosure(lower=0.0, upper=1.0)
        odds += 1.0
        mean = float(np.sum(np.reciprocal(odds, out=odds))) / self.count
        slack = (rho / (1 - rho) + growth(self.count + 8)) * 1.01
        return Enclosure(
            lower=max(0.0, mean * (1 - slack) - 1e-250), upper=min(1.0, mean * (1 + slack) + 1e-250)
        )

    @staticmethod
    def _sizes(relative: Floats, factor: float) -> Floats:
        exponents = factor * relative
        lost = exponents > _MOST_EXPONENT
        np.clip(exponents, -_MOST_EXPONENT, _MOST_EXPONENT, out=exponents)
        sizes = exponential(exponents)
        sizes[lost] = np.inf
        return sizes


def rows_of(window: Window, amplitudes: Floats, phases: Floats) -> RelativeLogits:
    """The logits of a head relative to its target on a window, from arrays `(planes,)`.

    Only the window's planes count; the doubles are exact. Cost: a scan of the window, and memory for a few
    doubles per lag.
    """
    with precision(256):
        pairs = zip(amplitudes.tolist(), phases.tolist(), strict=True)
        target = float(sum((arb(a) * arb(p).cos() for a, p in pairs), arb(0)).mid())
    size = float(sum(map(Fraction, amplitudes.tolist()), Fraction(0))) * (1 + 2.0**-50)
    sides: list[Floats] = []
    radius = 0.0
    for angles, reach in ((-phases, window.before), (phases, window.after)):
        if not reach:
            sides.append(np.empty(0))
            continue
        logits = logit_enclosure(amplitudes, angles, window.frequencies(), lags=reach, first=1)
        sides.append(np.subtract(logits.mid, target))
        radius = max(radius, logits.radius)
    return RelativeLogits(sides[0], sides[1], radius, size)
