"""Extrema over lags: Arb decides among the few lags that a float64 scan cannot tell apart."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from flint import arb
from numpy.typing import NDArray

from ropeproof.numerics.core.enclosure import Extremum
from ropeproof.numerics.core.lag_scan.head import SEED_BITS, Floats, ScannedPlanes, Wave, fraction
from ropeproof.numerics.core.lag_scan.scan import LagLogits
from ropeproof.theory.rotary.precision import precision

__all__ = ["STEP", "VALUE", "LeadingLags", "leaders_of", "settle"]

_MOST_BITS = 1024
_MOST_TIES = 1024


@dataclass
class LeadingLags:
    """The lags whose scanned value may be the largest; `ceiling` bounds every true value."""

    lags: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    values: Floats = field(default_factory=lambda: np.empty(0))
    best: float = -math.inf
    omitted: int = 0
    best_omitted: float = -math.inf
    ceiling: float = math.inf

    def feed(self, values: Floats, first: int, radius: float) -> None:
        """Take in a block of scanned values. Radii must not decrease from call to call."""
        top = float(values.max())
        if top == -math.inf:  # nothing but the lag that does not compete
            return
        # A value further than two radii below the best cannot belong to the true maximum.
        rising = top > self.best
        self.best = max(self.best, top)
        floor = math.nextafter(self.best - 2 * radius, -math.inf)
        self.ceiling = math.nextafter(self.best + radius, math.inf)
        if rising:
            kept = self.values >= floor
            self.lags, self.values = self.lags[kept], self.values[kept]
            if self.best_omitted < floor:
                self.omitted, self.best_omitted = 0, -math.inf
        if top < floor:
            return
        found = np.flatnonzero(values >= floor)
        room = max(_MOST_TIES - len(self.lags), 0)
        if len(found) > room:
            self.omitted += len(found) - room
            self.best_omitted = max(self.best_omitted, float(values[found[room:]].max()))
            found = found[:room]
        self.lags = np.concatenate((self.lags, found + first))
        self.values = np.concatenate((self.values, values[found]))


def leaders_of(
    blocks: Iterator[LagLogits], *, absolute: bool = False, skip: int | None = None
) -> LeadingLags:
    """The lags of a sweep that may have its largest value; the sweep's blocks are overwritten.

    With `absolute` the values' absolute values compete; the lag `skip` does not compete.
    """
    leaders = LeadingLags()
    for block in blocks:
        values = np.abs(block.mid, out=block.mid) if absolute else block.mid
        if skip is not None and 0 <= skip - block.first < len(values):
            values[skip - block.first] = -np.inf
        leaders.feed(values, block.first, block.radius)
    return leaders


VALUE = ((0, 1),)
STEP = ((1, 1), (0, -1))
"""`VALUE` and `STEP`, the quantities to maximise: `(offset, sign)` terms of `sum sign g(t + offset)`."""


def settle(
    leaders: LeadingLags,
    head: ScannedPlanes,
    wave_at: Callable[[int], Wave],
    lags: int,
    terms: Sequence[tuple[int, int]],
    *,
    absolute: bool = False,
    origin: int | None = None,
) -> Extremum:
    """The largest value at the candidate lags, less that at `origin`, by Arb at rising precision.

    Rational heads first have lags of provably equal value grouped. Stops when one group is left
    and its value is as sharp as a double, when more bits no longer help, or at `_MOST_BITS`.
    """
    groups: dict[object, list[int]] = {}
    for lag in leaders.lags.tolist():
        form = lag if head.exact is None else head.form(lag, terms, origin, even=absolute)
        groups.setdefault(form, []).append(lag)
    zeros = groups.get((), ())
    alive = list(groups.values())
    bits, width = SEED_BITS, math.inf
    while True:
        working = head.working_bits(bits, lags)
        wave = wave_at(working)
        with precision(working):
            base = arb(0) if origin is None else wave.at(origin)
            balls = [arb(0) if group is zeros else wave.at(group[0]) - base for group in alive]
            if absolute:
                balls = [abs(ball) for ball in balls]
            floor = max((ball.lower() for ball in balls), key=fraction)
            ranked = [pair for pair in zip(alive, balls, strict=True) if not pair[1] < floor]
            alive = [group for group, _ in ranked]
            ceiling = max((ball.upper() for _, ball in ranked), key=fraction)
            previous, width = width, float((ceiling - floor).upper())
            sharp = width <= 2.0**-54 * float(ceiling.abs_lower())
            if leaders.omitted:
                ceiling = max(ceiling, (arb(leaders.ceiling) - base).upper(), key=fraction)
        if (len(alive) == 1 and sharp) or not width <= previous / 2 or bits >= _MOST_BITS:
            break
        bits *= 2
    ties = tuple(sorted(lag for group in alive for lag in group))
    certified = len(alive) == 1 and not leaders.omitted
    return Extremum.of(
        floor, ceiling, lag=ties[0], ties=ties, certified=certified, omitted=leaders.omitted
    )
