r"""Certified logits of a head at every lag, by angle addition and one matrix product.

A head with token-independent queries and keys has the logit function
`g(t) = sum_l A_l cos(theta_l t + phi_l)` (claim `rope.fourier`). This module encloses `g` on all
lags `0 <= t < lags`, and the smallest gap to a target, the largest logit and the largest step.
Nothing here trusts the accuracy of a `cos` in libm or NumPy.

A scan is one float64 matrix product of two small tables built by angle addition from Arb values
(`ropeproof.numerics.core.lag_scan.circle`), with a radius proved a priori for any order of summation
(`ropeproof.numerics.core.lag_scan.scan`, where the inequality and its source stand). The extrema's
few candidate lags are then settled by Arb (`ropeproof.numerics.core.lag_scan.extrema`).

Two scans in threads of one process take turns (`ropeproof.theory.rotary.precision`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from ropeproof.numerics.core.enclosure import Extremum
from ropeproof.numerics.core.lag_scan.extrema import STEP, VALUE, LeadingLags, leaders_of, settle
from ropeproof.numerics.core.lag_scan.head import (
    Frequencies,
    ScannedPlanes,
    read_block,
    read_head,
    read_integer,
    read_vector,
)
from ropeproof.numerics.core.lag_scan.scan import LagLogits, scan_phases, sweep
from ropeproof.theory.errors import InvalidArgument

__all__ = [
    "Frequencies",
    "LagLogits",
    "largest_logit",
    "largest_step",
    "logit_blocks",
    "logit_enclosure",
    "logit_rows",
    "logits_and_gap",
    "margin",
    "minimum_gap",
]

_MOST_LAGS = 2**62


def logit_enclosure(
    amplitudes: ArrayLike,
    phases: ArrayLike,
    frequencies: Frequencies,
    *,
    lags: int,
    first: int = 0,
    block: int = 1024,
) -> LagLogits:
    """Enclose `g(t) = sum_l A_l cos(theta_l t + phi_l)` on the lags `first <= t < first + lags`.

    `amplitudes` (logits) and `phases` (radians) have shape `(planes,)` and count as the exact
    values of their doubles; `frequencies` are in radians per lag. If they are balls, the result
    holds for every frequency in them. `block`, a power of two, is the width `B` of the fine table.

    >>> logits = logit_enclosure([1.0], [0.0], [1], lags=3)
    >>> bool(logits.lower[1] <= 0.5403023058681398 <= logits.upper[1]), logits.radius < 1e-15
    (True, True)

    Cost: a `(lags/block, 2 planes)` by `(2 planes, block)` matrix product, about
    `planes log2(lags)` Arb evaluations, and memory for the result and a few MB.
    Raises `InvalidArgument` on shapes that do not match, numbers that are not finite, a negative
    amplitude, frequencies too wide for the lags asked, or `lags`, `first` or `block` out of range;
    `Unsupported` if float64 arithmetic does not round to nearest.
    Source: claim `rope.fourier`; radius as derived in the module's docstring.
    """
    head = read_head(amplitudes, phases, frequencies)
    lags = read_integer("lags", lags, 1, _MOST_LAGS)
    first = read_integer("first", first, 0, _MOST_LAGS)
    mid = np.empty(lags)
    radius = 0.0
    for piece in sweep(head, head.logits, lags, first=first, block=read_block(block), out=mid):
        radius = piece.radius
    mid.flags.writeable = False
    return LagLogits(mid, radius, first)


def logit_rows(
    amplitudes: ArrayLike, phases: ArrayLike, frequencies: Frequencies, *, lags: int
) -> LagLogits:
    """The enclosures of `logit_enclosure` for heads that differ in phases alone, on `0 <= t < lags`.

    `phases` is `(heads, planes)`, in radians, and `mid` of the result `(heads, lags)`; the radius is that
    of every head. Each head costs a product of its matrices: the tables are made once.

    >>> logits = logit_rows([1.0], [[0.0], [0.5]], [1], lags=3)
    >>> logits.mid.shape, bool(logits.lower[1, 0] <= 0.8775825618903728 <= logits.upper[1, 0])
    ((2, 3), True)

    Arguments, errors and source are otherwise those of `logit_enclosure`.
    """
    angles = np.asarray(phases)
    if angles.ndim != 2 or not len(angles):
        raise InvalidArgument(
            "phases", f"shape {angles.shape}", "(heads, planes), one head at least"
        )
    rows = [read_vector("phases", row) for row in angles]
    head = read_head(amplitudes, np.abs(rows).max(0), frequencies)
    lags = read_integer("lags", lags, 1, _MOST_LAGS)
    active = np.flatnonzero(np.asarray(amplitudes))
    return scan_phases(head, np.array(rows)[:, active if len(active) else [0]], lags)


def logit_blocks(
    amplitudes: ArrayLike,
    phases: ArrayLike,
    frequencies: Frequencies,
    *,
    lags: int,
    first: int = 0,
    block: int = 1024,
) -> Iterator[LagLogits]:
    """The enclosures of `logit_enclosure`, streamed in consecutive blocks of lags.

    Yields records of at most `256 block` lags each, in order; a block is not overwritten later.
    Memory does not grow with `lags`. Arguments, errors and source are those of `logit_enclosure`;
    only frequencies too wide for a late block are reported when that block is reached.
    """
    head = read_head(amplitudes, phases, frequencies)
    lags = read_integer("lags", lags, 1, _MOST_LAGS)
    first = read_integer("first", first, 0, _MOST_LAGS)
    return sweep(head, head.logits, lags, first=first, block=read_block(block), fresh=True)


def minimum_gap(
    amplitudes: ArrayLike, phases: ArrayLike, frequencies: Frequencies, *, target: int, lags: int
) -> Extremum:
    """Enclose the smallest gap `g(target) - g(t)` over `0 <= t < lags`, `t != target`.

    This is the margin `Gamma` of claim `slash.emergence` in logits, negative if another lag beats
    the target, with the lag of the best competitor. The scan leaves a few candidates, which Arb
    settles: the result is as sharp as doubles allow unless the frequencies are known too coarsely.

    >>> gap = minimum_gap([1.0], [0.0], [1], target=0, lags=1000)
    >>> gap.lag, gap.certified, gap.width < 1e-24
    (710, True, True)
    >>> f"{gap.lower:.4e} {gap.upper:.4e}"
    '1.8174e-09 1.8174e-09'

    Arguments as in `logit_enclosure`. Raises `InvalidArgument` as there, and if `target` is not
    in `0 <= target < lags` or `lags < 2`. Cost: that of `logit_enclosure` without its memory, and
    some Arb evaluations per candidate.
    """
    head = read_head(amplitudes, phases, frequencies)
    lags = read_integer("lags", lags, 2, _MOST_LAGS)
    target = read_integer("target", target, 0, lags - 1)
    return _gap(head, target, lags)


def logits_and_gap(
    amplitudes: ArrayLike, phases: ArrayLike, frequencies: Frequencies, *, target: int, lags: int
) -> tuple[LagLogits, Extremum]:
    """The results of `logit_enclosure` and `minimum_gap` from one scan of the lags below `lags`.

    Arguments and errors as there.
    """
    head = read_head(amplitudes, phases, frequencies)
    lags = read_integer("lags", lags, 2, _MOST_LAGS)
    target = read_integer("target", target, 0, lags - 1)
    mid, radius, leaders = np.empty(lags), 0.0, LeadingLags()
    for piece in sweep(head, head.logits, lags, out=mid):
        values = piece.mid
        if 0 <= target - piece.first < len(values):
            values = values.copy()
            values[target - piece.first] = -np.inf
        leaders.feed(values, piece.first, piece.radius)
        radius = piece.radius
    mid.flags.writeable = False
    return LagLogits(mid, radius), _least_gap(leaders, head, target, lags)


def margin(amplitudes: ArrayLike, frequencies: Frequencies, *, reach: int) -> Extremum:
    """Enclose `min sum_l A_l (1 - cos(theta_l t))` over `1 <= t <= reach`: an aligned margin.

    By claim `slash.ceiling` this is the gap between the target's logit and its best competitor
    within `reach` lags on either side, for the phases that serve the target best. In logits.

    >>> alias = margin([1.0], [1], reach=100)
    >>> alias.lag, f"{alias.lower:.3e}"
    (44, '1.567e-04')

    Errors and cost are those of `minimum_gap`; `reach >= 1`.
    """
    amplitudes = read_vector("amplitudes", amplitudes)
    head = read_head(amplitudes, np.zeros_like(amplitudes), frequencies)
    reach = read_integer("reach", reach, 1, _MOST_LAGS - 1)
    return _gap(head, 0, reach + 1)


def largest_logit(
    amplitudes: ArrayLike, phases: ArrayLike, frequencies: Frequencies, *, lags: int
) -> Extremum:
    """Enclose `max |g(t)|` over `0 <= t < lags`, at most `sum_l A_l` by claim `rope.bounded`.

    Arguments, errors and cost as in `minimum_gap`.
    """
    head = read_head(amplitudes, phases, frequencies)
    lags = read_integer("lags", lags, 1, _MOST_LAGS)
    leaders = leaders_of(sweep(head, head.logits, lags), absolute=True)
    return settle(leaders, head, head.logits, lags, VALUE, absolute=True)


def largest_step(
    amplitudes: ArrayLike, phases: ArrayLike, frequencies: Frequencies, *, lags: int
) -> Extremum:
    """Enclose `max |g(t + 1) - g(t)|` over `0 <= t < lags - 1`; `lag` is the `t` of the step.

    The step is scanned as a sum of cosines itself, with amplitudes `2 A_l sin(theta_l / 2)`, so
    small steps of large logits keep their digits. Claim `rope.lipschitz` bounds it.

    Arguments and errors as in `minimum_gap`, `lags >= 2`.
    """
    head = read_head(amplitudes, phases, frequencies)
    lags = read_integer("lags", lags, 2, _MOST_LAGS)
    leaders = leaders_of(sweep(head, head.steps, lags - 1), absolute=True)
    return settle(leaders, head, head.steps, lags, STEP, absolute=True)


def _gap(head: ScannedPlanes, target: int, lags: int) -> Extremum:
    leaders = leaders_of(sweep(head, head.logits, lags), skip=target)
    return _least_gap(leaders, head, target, lags)


def _least_gap(leaders: LeadingLags, head: ScannedPlanes, target: int, lags: int) -> Extremum:
    """The smallest `g(target) - g(t)` is minus the largest `g(t) - g(target)`."""
    largest = settle(leaders, head, head.logits, lags, VALUE, origin=target)
    return replace(largest, lower=-largest.upper, upper=-largest.lower)
