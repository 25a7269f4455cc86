r"""The staircase: how the worst margin of one fixed angle falls as the length grows.

The worst margin at length `n` is `1 - cos(2 pi delta)`, `delta` the least distance of
`t theta/2 pi`, `1 <= t < n`, to an integer. It drops exactly at the denominators of the convergents of
`theta/2 pi`, one position after each (`ropeproof.numerics.bounds.planes.returns`), and is constant
in between. Claim `index.staircase`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ropeproof.numerics.bounds.index.temperature import Gaps
from ropeproof.numerics.bounds.planes.aligned import Aligned, Angles, read_aligned
from ropeproof.numerics.bounds.planes.returns import denominators
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer

__all__ = ["Drop", "Staircase", "drops", "staircase"]


@dataclass(frozen=True)
class Drop:
    """A near-return: at `lag` the logit is closer to the target's than at any shorter lag.

    So at the length `length = lag + 1` the worst margin falls to `margin`, in logits.
    """

    lag: int
    length: int
    margin: Enclosure


@dataclass(frozen=True)
class Staircase:
    """The worst margins of a head at given lengths, and all drops up to the largest of them.

    `margins` are in logits, certified, and fall along increasing lengths.
    """

    lengths: tuple[int, ...]
    margins: tuple[Enclosure, ...]
    drops: tuple[Drop, ...]

    def at(self, length: int) -> Enclosure:
        """The worst margin at a length from 2 to the largest one of the staircase.

        Raises `InvalidArgument`.
        """
        length = read_integer("length", length, least=2)
        if length > max(self.lengths):
            raise InvalidArgument("length", length, f"an integer from 2 to {max(self.lengths)}")
        return [drop for drop in self.drops if drop.length <= length][-1].margin


def staircase(
    frequencies: Angles, lengths: Iterable[int], *, amplitudes: ArrayLike | None = None
) -> Staircase:
    """The worst margin of a head at each length, with its near-returns, certified.

    `frequencies` and `amplitudes` as in `index_margin`: for one angle the lengths may be of any
    size, and rational multiples of pi fall to 0 exactly; several planes are scanned.

    >>> steps = staircase(1, [50, 10**6])
    >>> [drop.lag for drop in steps.drops]
    [1, 6, 19, 25, 44, 333, 710, 103993, 312689]
    >>> f"{steps.margins[0].lower:.3e} {steps.margins[1].lower:.3e}"
    '1.567e-04 4.207e-12'

    Claim `index.staircase`. Cost: for one angle some hundred steps per drop; else a scan of the
    largest length. Raises `InvalidArgument`; `Unsupported` for several planes above `2^24`.
    """
    head = read_aligned(frequencies, amplitudes)
    if isinstance(lengths, str) or not isinstance(lengths, Iterable):
        raise InvalidArgument("lengths", lengths, "integers >= 2")
    sizes = tuple(read_integer("lengths", length, least=2) for length in lengths)
    if not sizes:
        raise InvalidArgument("lengths", sizes, "at least one integer >= 2")
    found = _drops(head, max(sizes))
    steps = Staircase(sizes, (), found)
    return Staircase(sizes, tuple(steps.at(length) for length in sizes), found)


def drops(
    frequencies: Angles, length: int, *, amplitudes: ArrayLike | None = None
) -> tuple[Drop, ...]:
    """All drops of the worst margin up to a length, by lag; arguments and errors as `staircase`."""
    return staircase(frequencies, [length], amplitudes=amplitudes).drops


def _drops(head: Aligned, length: int) -> tuple[Drop, ...]:
    if not len(head.amplitudes):
        return (Drop(1, 2, Enclosure(lower=0.0, upper=0.0)),)
    if len(head.amplitudes) == 1:
        turn = None if head.turns is None else head.turns[0]
        lags = denominators(head.frequencies[0], turn, length - 1)
    else:
        lags = _records(head, length - 1)
    return tuple(Drop(lag, lag + 1, head.gap(lag)) for lag in lags)


def _records(head: Aligned, reach: int) -> tuple[int, ...]:
    """The lags whose gap is smaller than at all shorter lags; close cases are decided by balls."""
    period = head.period
    reach = reach if period is None else min(reach, period)
    gaps = Gaps.of(head, reach)
    floor = np.minimum.accumulate(gaps.mid)
    before = np.concatenate(([np.inf], floor[:-1]))
    records: list[int] = []
    best: Enclosure | None = None
    for place in np.flatnonzero(gaps.mid <= before + 2 * gaps.radius).tolist():
        value = head.gap(place + 1)
        # Exact ties of rational multiples of pi overlap and are not drops.
        if best is None or value.upper < best.lower:
            records.append(place + 1)
            best = value
    return tuple(records)
