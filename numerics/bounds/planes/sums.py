r"""Sums of `e^{-beta E}` in float64 with a proved error, and the `beta` at which they are 1.

A gap is known as `mid +- radius`; `exponential` is off by a factor in `1 +- 2^-50`, and a running
sum of `n` non-negative numbers by one in `(1 +- u)^n`. An exponent `beta E` below 600 in size is
formed with an error of at most `beta (radius + 2^-51 |E|)`. Larger exponents are cut off at 600: from
above by the value there, from below by 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from flint import arb

from ropeproof.numerics.bounds.slash.budget.rows import (
    EXPONENTIAL_ERROR,
    exponential,
    exponential_of,
    growth,
)
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.lag_scan.head import Floats
from ropeproof.theory.errors import Unsupported
from ropeproof.theory.rotary.precision import precision

__all__ = [
    "Bounds",
    "decays",
    "decays_of_rows",
    "exponential_above",
    "least_cold",
    "least_temperature",
    "logarithm_above",
    "running",
]

Bounds = tuple[float, float]
"""A lower and an upper bound of one number."""

_CUT = 600.0
_GRID = (1.0, 1 + 1e-6, 1 + 1e-4, 1.01, *(1.1**step for step in range(1, 36)))


def decays(gaps: Floats, radius: float, beta: float) -> Floats:
    """Lower and upper bounds of `e^{-beta E}`, `(2, lags)` for gaps `(lags,)`, which may be negative."""
    found: Floats = decays_of_rows(gaps[np.newaxis], [radius], beta)[:, 0]
    return found


def decays_of_rows(gaps: Floats, radii: Sequence[float], beta: float) -> Floats:
    """As `decays`, `(2, rows, lags)` for rows `(rows, lags)` of gaps with a radius each."""
    largest = np.abs(gaps).max(-1, initial=0.0).tolist()
    wide = beta * max(largest) > _CUT - 2
    exponents = gaps * -beta
    inside = np.minimum(np.maximum(exponents, -_CUT), _CUT) if wide else exponents
    factors = np.empty((2, len(radii), 1))
    for row, (radius, size) in enumerate(zip(radii, largest, strict=True)):
        near = min(size, (_CUT + 1) / beta) if beta > 0 else size
        off = beta * (radius + 2.0**-51 * near) * (1 + 2.0**-40)
        # Beyond the cut nothing is known of the sizes.
        grown = exponential_above(off) if off <= _CUT else math.inf
        factors[0, row] = (1 - EXPONENTIAL_ERROR) / grown * (1 - 2.0**-50)
        factors[1, row] = (1 + EXPONENTIAL_ERROR) * grown * (1 + 2.0**-50)
    found: Floats = exponential(inside) * factors
    if wide:
        found[0, exponents < -_CUT + 1] = 0.0
        found[1, exponents > _CUT - 1] = math.inf
    return found


def exponential_above(exponent: float) -> float:
    """An upper bound of `e^x`, `0 <= x <= 700`, by the proved `exponential`."""
    return exponential_of(exponent) * (1 + 2 * EXPONENTIAL_ERROR)


def logarithm_above(count: int) -> float:
    """An upper bound of `ln n`, by Arb."""
    with precision(128):
        found = arb(count).log()
        return Enclosure.of(found, found).upper


def running(bounds: Floats) -> Floats:
    """Bounds `(2, ..., lags + 1)` of the running sums `0, x_1, x_1 + x_2, ...` along the last axis.

    `bounds`, `(2, ..., lags)`, are the lower and the upper bounds of the terms.
    """
    factor = growth(bounds.shape[-1] + 2)
    found = np.zeros((*bounds.shape[:-1], bounds.shape[-1] + 1))
    np.cumsum(bounds, axis=-1, out=found[..., 1:])
    found[0] *= 1 - factor
    found[1] *= 1 + factor
    return found


def least_temperature(excess: Callable[[float], Bounds], enough: float) -> Enclosure:
    """The point where a falling function of `beta` passes 1, enclosed.

    Above the enclosure the function is below 1. `excess(beta)` returns bounds of the function; `enough` is a
    point at which it is below 1. Each end of the enclosure is certified by the bound evaluated there.
    """
    if not math.isfinite(enough):
        raise Unsupported("a margin too small for float64 sums")
    low, high = _root(lambda beta: math.log(sum(excess(beta)) / 2), enough)
    return Enclosure(lower=_below(excess, low), upper=_above(excess, high, enough))


def _root(falling: Callable[[float], float], enough: float) -> tuple[float, float]:
    """Two floats around the root of a falling function on `[0, enough]`, by the Illinois method."""
    low, high = 0.0, enough
    above, below = falling(low), falling(high)
    if above <= 0 or below >= 0:
        return (low, low) if above <= 0 else (high, high)
    side = 0
    for step in range(200):
        place = low + (high - low) * above / (above - below)
        if step % 4 == 3 or not low < place < high:
            place = (low + high) / 2
        if not low < place < high or high - low <= 2.0**-51 * high:
            break
        value = falling(place)
        if value >= 0:
            low, above = place, value
            below, side = (below / 2 if side == 1 else below), 1
        else:
            high, below = place, value
            above, side = (above / 2 if side == -1 else above), -1
    return low, high


def _below(excess: Callable[[float], Bounds], start: float) -> float:
    def certain(step: float) -> bool:
        return excess(start * (1 - step))[0] >= 1

    step = _least_step(certain, lambda step: start * (1 - step) > 0 and step < 1)
    return 0.0 if step is None else start * (1 - step)


def _above(excess: Callable[[float], Bounds], start: float, enough: float) -> float:
    size = max(start, 2.0**-20 * enough)

    def certain(step: float) -> bool:
        return excess(start + size * step)[1] < 1

    step = _least_step(certain, lambda step: start + size * step < enough)
    if step is None:
        return enough
    return start if step == 2.0**-52 and certain(0.0) else start + size * step


def _least_step(certain: Callable[[float], bool], inside: Callable[[float], bool]) -> float | None:
    """The least power of two from `2^-52` on, among those `inside`, that is `certain`, or None.

    What is certain at a step is so at larger ones. The search begins where most roots are certain.
    """
    step = 2.0**-46
    while not inside(step) and step > 2.0**-52:
        step /= 2
    if not inside(step):
        return None
    if certain(step):
        while step > 2.0**-52 and certain(step / 2):
            step /= 2
        return step
    while inside(2 * step):
        step *= 2
        if certain(step):
            return step
    return None


def least_cold(excess: Callable[[float], float], start: float) -> float:
    """The least `beta >= start` found with `excess(beta) < 0`; infinite if none is found.

    `excess` is a falling function plus a rising one, as odds and the effect of rounding on them; `start`
    is a lower bound of where the falling one alone is negative. The search uses a grid above `start` and
    then bisection, to a part in `10^6`. The returned value satisfies the inequality.
    """
    bad = start
    for factor in _GRID:
        good = start * factor
        if excess(good) < 0:
            break
        bad = good
    else:
        return math.inf
    while good - bad > 1e-6 * good:
        middle = (good + bad) / 2
        if excess(middle) < 0:
            good = middle
        else:
            bad = middle
    return good
