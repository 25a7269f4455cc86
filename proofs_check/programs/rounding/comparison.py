"""How far what a program may give is from what its outputs should be, at many positions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.rounding.exact_turns import exact_turns
from ropeproof.numerics.rounding.possible import Possible
from ropeproof.proofs_check.programs.rounding.evaluation import Value
from ropeproof.proofs_check.programs.rounding.linear import (
    ONE,
    LinearElements,
    constant_form,
    merged,
)
from ropeproof.proofs_check.programs.rounding.reading import OutputReading

__all__ = ["Distances", "distances"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Distances(NamedTuple):
    """Bounds of the distance of every output element from what it should be, at some positions.

    The distance of element `i` is at most `share[i] |x| + fixed[i]` at each of them, where `|x|` is
    the Euclidean norm of the entries that the element should read, its plane, and of any other that
    it does read. `worst[i]` is the position where the bound is largest. Infinite where a number
    overflows.
    """

    share: Floats
    fixed: Floats
    worst: Ints


def distances(
    reading: OutputReading,
    outputs: list[Value],
    positions: Ints,
    turns: tuple[Floats, Floats, float] | None = None,
) -> Distances:
    """The distances at these positions; `outputs` are the program's in order.

    `turns` are the exact cosines, sines and their error where these are at hand.
    """
    right = exact_turns(reading.spec, positions) if turns is None else turns
    found = []
    for part, value in enumerate(outputs):
        chosen = np.flatnonzero(reading.part == part)
        if reading.tables:
            assert isinstance(value, Possible)
            found.append(_of_numbers(reading, chosen, value, right, positions))
        else:
            form = value if isinstance(value, LinearElements) else constant_form(value, len(chosen))
            found.append(_of_form(reading, chosen, form, right, positions))
    return Distances(*(np.concatenate(parts) for parts in zip(*found, strict=True)))


def _finite(values: Floats) -> Floats:
    return np.where(np.isnan(values), np.inf, values)


def _of_numbers(
    reading: OutputReading,
    chosen: Ints,
    value: Possible,
    right: tuple[Floats, Floats, float],
    positions: Ints,
) -> Distances:
    plane = reading.plane[chosen]
    wanted = np.where(reading.sign[chosen] == 0, right[0][:, plane], right[1][:, plane])
    with np.errstate(invalid="ignore"):
        far = np.abs(value.low - wanted)
        if value.low is not value.high:
            far = np.maximum(far, np.abs(value.high - wanted))
    far = _finite(far)
    size = far.max(0) * (1 + 2.0**-50) + right[2]
    return Distances(np.zeros(len(chosen)), size, positions[far.argmax(0)])


def _matched(
    reading: OutputReading, chosen: Ints, form: LinearElements
) -> tuple[LinearElements, Ints, Ints, Floats]:
    """The form with every term that it should have, and what the factor of each term should be.

    That is `sign` times column `column` of cosines, of sines where `kind` is 1, and just `sign` where
    it is 2.
    """
    plane, sign = reading.plane[chosen], reading.sign[chosen]
    own, other = reading.own[chosen], reading.other[chosen]
    turned = plane >= 0

    def has(entries: Ints) -> NDArray[np.bool_]:
        found = np.zeros(len(chosen), bool)
        found[form.element[form.entry == entries[form.element]]] = True
        return found

    lacking = [np.flatnonzero(~has(own)), np.flatnonzero(turned & ~has(other))]
    if sum(len(n) for n in lacking):
        count = sum(len(n) for n in lacking)
        zero = np.zeros((1, count))
        rows = form.factor.shape[0]
        form = merged(
            form.count,
            np.concatenate((form.element, *lacking)),
            np.concatenate((form.entry, own[lacking[0]], other[lacking[1]])),
            np.concatenate((form.factor, np.broadcast_to(zero, (rows, count))), 1),
            np.concatenate((form.error, np.broadcast_to(zero, (form.error.shape[0], count))), 1),
            form.fixed,
        )
    at = form.element
    mine, partner = form.entry == own[at], turned[at] & (form.entry == other[at])
    kind = np.where(mine & turned[at], 0, np.where(partner, 1, 2)).astype(np.int64)
    factor = np.where(mine, 1.0, np.where(partner, sign[at], 0.0))
    return form, np.maximum(plane[at], 0), kind, factor


def _of_form(
    reading: OutputReading,
    chosen: Ints,
    form: LinearElements,
    right: tuple[Floats, Floats, float],
    positions: Ints,
) -> Distances:
    count = len(chosen)
    form, column, kind, sign = _matched(reading, chosen, form)
    rows = len(positions)
    both = np.concatenate((right[0], right[1]), 1)
    apart = np.empty((rows, len(kind)))
    still = np.flatnonzero(kind == 2)
    turned = np.flatnonzero(kind < 2)
    apart[:, still] = sign[still]
    if turned.size:
        columns = column[turned] + right[0].shape[1] * kind[turned]
        apart[:, turned] = both[:, columns]
        apart[:, turned[sign[turned] < 0]] *= -1
    fixed = form.fixed.max(0)
    fixed = np.broadcast_to(fixed, (count,)).copy()
    with np.errstate(invalid="ignore", over="ignore"):
        np.subtract(form.factor, apart, out=apart)
        np.abs(apart, out=apart)
        apart += form.error + np.where(kind < 2, right[2] * (1 + 2.0**-50), 0.0)
        number = form.entry == ONE
        if number.any():
            np.maximum.at(fixed, form.element[number], _finite(apart[:, number]).max(0))
            apart[:, number] = 0.0
        apart *= apart
        starts = np.flatnonzero(np.diff(form.element, prepend=-1))
        size = np.diff(starts, append=len(kind))
        if size.size and np.all(size == size[0]):
            squares = apart.reshape(rows, len(starts), -1).sum(-1)
        else:
            squares = np.add.reduceat(apart, starts, axis=1)
        at = squares.argmax(0)
        most = np.sqrt(_finite(squares.max(0))) * (1 + 2.0**-40)
    return Distances(most, _finite(fixed), positions[at])
