r"""Sums of `e^{-beta E}` in float64 with a proved error, and the `beta` at which they are 1.

A gap is known as `mid +- radius`; `exponential` is off by a factor in `1 +- 2^-50`, and a running
sum of `n` non-negative numbers by one in `(1 +- u)^n`. An exponent `beta E` below 600 in size is
formed with an error of at most `beta (radius + 2^-51 |E|)`. Larger exponents are cut off at 600: from
above by the value there, from below by 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from flint import arb

from ropeproof.numerics.bounds.slash.budget.rows import EXPONENTIAL_ERROR, exponential, growth
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.lag_scan.head import Floats
from ropeproof.theory.errors import Unsupported
from ropeproof.theory.rotary.precision import precision

__all__ = [
    "Bounds",
    "decays",
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


def decays(gaps: Floats, radius: float, beta: float) -> tuple[Floats, Floats]:
    """Lower and upper bounds of `e^{-beta E}`, shape of `gaps`; gaps may be negative."""
    exponents = -beta * gaps
    size = float(np.abs(gaps).max(initial=0.0))
    near = min(size, (_CUT + 1) / beta) if beta > 0 else size
    off = beta * (radius + 2.0**-51 * near) * (1 + 2.0**-40)
    sizes = exponential(np.clip(exponents, -_CUT, _CUT))
    if off > _CUT:  # beta is so large that nothing is known of the sizes
        return np.zeros_like(sizes), np.full_like(sizes, math.inf)
    moved = exponential_above(off)
    up = sizes * (1 + EXPONENTIAL_ERROR) * moved * (1 + 2.0**-50)
    down = sizes * (1 - EXPONENTIAL_ERROR) / moved * (1 - 2.0**-50)
    up[exponents > _CUT - 1] = math.inf
    down[exponents < -_CUT + 1] = 0.0
    return down, up


def exponential_above(exponent: float) -> float:
    """An upper bound of `e^x`, `0 <= x <= 700`, by the proved `exponential`."""
    return float(exponential(np.array([exponent]))[0]) * (1 + 2 * EXPONENTIAL_ERROR)


def logarithm_above(count: int) -> float:
    """An upper bound of `ln n`, by Arb."""
    with precision(128):
        found = arb(count).log()
        return Enclosure.of(found, found).upper


def running(down: Floats, up: Floats) -> tuple[Floats, Floats]:
    """Bounds of the running sums `0, x_1, x_1 + x_2, ...` along the last axis, one entry longer."""
    factor = growth(down.shape[-1] + 2)
    low, high = (np.zeros((*side.shape[:-1], side.shape[-1] + 1)) for side in (down, up))
    np.cumsum(down, axis=-1, out=low[..., 1:])
    np.cumsum(up, axis=-1, out=high[..., 1:])
    return low * (1 - factor), high * (1 + factor)


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
        if abs(value) <= 2.0**-50:  # what is left is rounding
            return place, place
        if value >= 0:
            low, above = place, value
            below, side = (below / 2 if side == 1 else below), 1
        else:
            high, below = place, value
            above, side = (above / 2 if side == -1 else above), -1
    return low, high


def _below(excess: Callable[[float], Bounds], start: float) -> float:
    step = _first(lambda n: excess(start * (1 - 2.0 ** (n - 52)))[0] >= 1, 52) if start > 0 else 52
    return start * (1 - 2.0 ** (step - 52))


def _above(excess: Callable[[float], Bounds], start: float, enough: float) -> float:
    unit = max(start, 2.0**-20 * enough)

    def place(n: int) -> float:
        return min(start + unit * 2.0 ** (n - 53), enough) if n else min(start, enough)

    return place(_first(lambda n: place(n) == enough or excess(place(n))[1] < 1, 80))


def _first(holds: Callable[[int], bool], most: int) -> int:
    """The least number from 0 on at which a condition holds that holds from there on, or `most`."""
    no, yes = -1, 3
    while yes < most and not holds(yes):
        no, yes = yes, yes + 4
    yes = min(yes, most)
    while yes - no > 1:
        middle = (no + yes) // 2
        no, yes = (no, middle) if holds(middle) else (middle, yes)
    return yes


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
