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
    Linear,
    constant_form,
    merged,
)
from ropeproof.proofs_check.programs.rounding.reading import Reading

__all__ = ["Distances", "distances"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Distances(NamedTuple):
    """Bounds of the distance of every output element from what it should be.

    The distance at position `n` is at most `share[n, i] |x| + fixed[n, i]` in element `i`, where `|x|`
    is the Euclidean norm of the entries that the element should read, its plane, and of any other
    that it does read. Both are `(positions, elements)`, and infinite where a number overflows.
    """

    share: Floats
    fixed: Floats


def distances(reading: Reading, outputs: list[Value], positions: Ints) -> Distances:
    """The distances at these positions; `outputs` are the program's in order."""
    c, s, error = exact_turns(reading.spec, positions)
    shares, fixed = [], []
    for part, value in enumerate(outputs):
        chosen = np.flatnonzero(reading.part == part)
        if reading.tables:
            assert isinstance(value, Possible)
            found = _of_numbers(reading, chosen, value, c, s, error)
        else:
            form = value if isinstance(value, Linear) else constant_form(value, len(chosen))
            found = _of_form(reading, chosen, form, c, s, error)
        shares.append(found.share)
        fixed.append(found.fixed)
    rows = len(positions)
    return Distances(*(
        np.concatenate([np.broadcast_to(p, (rows, p.shape[1])) for p in parts], 1)
        for parts in (shares, fixed)
    ))


def _finite(values: Floats) -> Floats:
    return np.where(np.isnan(values), np.inf, values)


def _of_numbers(
    reading: Reading, chosen: Ints, value: Possible, c: Floats, s: Floats, error: float
) -> Distances:
    plane = reading.plane[chosen]
    right = np.where(reading.sign[chosen] == 0, c[:, plane], s[:, plane])
    far = np.maximum(np.abs(value.low - right), np.abs(value.high - right)) * (1 + 2.0**-50)
    return Distances(np.zeros_like(right), _finite(far + error))


def _of_form(
    reading: Reading, chosen: Ints, form: Linear, c: Floats, s: Floats, error: float
) -> Distances:
    count = len(chosen)
    plane, sign = reading.plane[chosen], reading.sign[chosen]
    own, other = reading.own[chosen], reading.other[chosen]
    turned = np.flatnonzero(plane >= 0)
    still = np.flatnonzero(plane < 0)
    rows = len(c)
    wanted = np.concatenate(
        (c[:, plane[turned]], sign[turned] * s[:, plane[turned]], np.ones((rows, len(still)))), 1
    )
    uncertain = np.where(np.arange(wanted.shape[1]) < 2 * len(turned), error, 0.0)
    element = np.concatenate((turned, turned, still, form.element))
    entry = np.concatenate((own[turned], other[turned], own[still], form.entry))
    factor = np.concatenate((-wanted, np.broadcast_to(form.factor, (rows, form.factor.shape[1]))), 1)
    errors = np.concatenate(
        (
            np.broadcast_to(uncertain, wanted.shape),
            np.broadcast_to(form.error, (rows, form.error.shape[1])),
        ),
        1,
    )
    zero = np.zeros((1, count))
    with np.errstate(invalid="ignore", over="ignore"):
        apart = merged(count, element, entry, factor, errors, zero)
        each = _finite(np.abs(apart.factor) * (1 + 2.0**-50) + apart.error)
        number = apart.entry == ONE
        starts = np.flatnonzero(np.diff(apart.element, prepend=-1))
        squares = np.add.reduceat(np.where(number, 0.0, each) ** 2, starts, axis=1)
        fixed = np.broadcast_to(form.fixed, (rows, count)).copy()
        if number.any():
            fixed[:, apart.element[number]] += each[:, number]
        # The factors come from float64, and so does their sum of squares.
        return Distances(_finite(np.sqrt(squares) * (1 + 2.0**-40)), _finite(fixed))
