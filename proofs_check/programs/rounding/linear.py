"""Sums of vector entries times numbers, with a bound of what rounding did to them so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.rounding.number_types import number_type
from ropeproof.numerics.rounding.possible import Possible

__all__ = [
    "ONE",
    "ROWS_APART",
    "LinearElements",
    "RoundingStep",
    "added",
    "constant_form",
    "merged",
    "rounded_step",
    "times",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ONE = -1
"""The handle that stands for the number 1 among the vector entries."""

_GUARD = 2.0**-52


@dataclass(frozen=True)
class LinearElements:
    """Elements that are sums over `t` of `factor[t] x[entry[t]]`, up to a bounded error.

    Element `i` is computed as a number within `sum of error[t] |x[entry[t]]| + fixed[i]` of the sum,
    both over the terms with `element[t] == i`. A pair of element and entry occurs once, in rising
    order. `factor` is `(positions or 1, terms)`; `error` is that too or one row that bounds all
    positions, `fixed` is `(positions or 1, count)`.
    """

    count: int
    element: Ints
    entry: Ints
    factor: Floats
    error: Floats
    fixed: Floats

    def size(self) -> Floats:
        """For each element a bound of its size at all positions where no entry exceeds 1."""
        largest = _largest(self.factor) + _largest(self.error)
        found: NDArray[Any] = np.bincount(self.element, largest[0], self.count)
        whole: Floats = found + self.fixed.max(0, initial=0.0)
        return whole

    def pick(self, elements: Ints) -> LinearElements:
        """The form whose elements are these of this one, any of them several times."""
        if len(elements) == self.count and np.array_equal(elements, np.arange(self.count)):
            return self
        starts = np.searchsorted(self.element, elements)
        counts = np.searchsorted(self.element, elements, "right") - starts
        new = np.repeat(np.arange(len(elements)), counts)
        within = np.arange(len(new)) - np.repeat(np.cumsum(counts) - counts, counts)
        terms = np.repeat(starts, counts) + within
        fixed = self.fixed[:, elements] if self.fixed.shape[1] > 1 else self.fixed
        factor, error = self.factor[:, terms], self.error[:, terms]
        return LinearElements(len(elements), new, self.entry[terms], factor, error, fixed)


def merged(
    count: int, element: Ints, entry: Ints, factor: Floats, error: Floats, fixed: Floats
) -> LinearElements:
    """A form from terms in any order, of which several may have the same element and entry."""
    order = np.lexsort((entry, element))
    element, entry = element[order], entry[order]
    first = np.ones(len(order), bool)
    first[1:] = (element[1:] != element[:-1]) | (entry[1:] != entry[:-1])
    if first.all():
        if not np.array_equal(order, np.arange(len(order))):
            factor, error = factor[:, order], error[:, order]
        return LinearElements(count, element, entry, factor, error, fixed)
    starts = np.flatnonzero(first)
    factor = np.add.reduceat(factor[:, order], starts, axis=1)
    error = np.add.reduceat(error[:, order], starts, axis=1)
    # float64's own rounding of the sum of factors; their sizes are bounded before they cancel.
    return LinearElements(count, element[first], entry[first], factor, error, fixed)


def constant_form(values: Possible, count: int) -> LinearElements:
    """Elements that depend on no vector, as multiples of the number 1."""
    middle = np.atleast_2d(values.middle.astype(np.float64))
    radius = np.atleast_2d(values.radius.astype(np.float64))
    place = np.arange(count, dtype=np.int64)
    return LinearElements(count, place, np.full(count, ONE), middle, radius, np.zeros((1, count)))


ROWS_APART = 256
"""From so many positions on errors are bounded for all of them together."""


def _largest(values: Floats) -> Floats:
    """The largest size in each column, as one row."""
    if values.shape[0] == 1:
        return np.abs(values)
    found: Floats = np.maximum(values.max(0, keepdims=True), -values.min(0, keepdims=True))
    return found


def _sizes(values: Floats) -> Floats:
    """The sizes of numbers, or for many positions the largest of each column."""
    return np.abs(values) if values.shape[0] < ROWS_APART else _largest(values)


def _spread(parts: list[Floats]) -> list[Floats]:
    rows = max(p.shape[0] for p in parts)
    return [np.broadcast_to(p, (rows, p.shape[1])) for p in parts]


def added(first: LinearElements, second: LinearElements, sign: float) -> LinearElements:
    """The exact sum, or difference with `sign` -1."""
    factors = _spread([first.factor, second.factor])
    if sign != 1.0:
        factors[1] = sign * factors[1]
    factor = np.concatenate(factors, 1)
    error = np.concatenate(_spread([first.error, second.error]), 1) + _GUARD * _sizes(factor)
    element = np.concatenate((first.element, second.element))
    entry = np.concatenate((first.entry, second.entry))
    return merged(first.count, element, entry, factor, error, first.fixed + second.fixed)


def times(form: LinearElements, numbers: Possible) -> LinearElements:
    """The exact product with numbers, one for each element, that need not be known exactly."""
    middle = np.atleast_2d(numbers.middle.astype(np.float64))
    size = _sizes(middle)
    at = form.element
    if numbers.low is numbers.high:
        factor = form.factor * middle[:, at]
        error = form.error * size[:, at] + _GUARD * _sizes(factor)
        return LinearElements(form.count, at, form.entry, factor, error, form.fixed * size)
    radius = _sizes(np.atleast_2d(numbers.radius))
    reach = size + radius
    factor = form.factor * middle[:, at]
    error = form.error * reach[:, at] + _sizes(form.factor) * radius[:, at]
    error = error + _GUARD * _sizes(factor)
    return LinearElements(form.count, at, form.entry, factor, error, form.fixed * reach)


@dataclass(frozen=True)
class RoundingStep:
    """One rounding, or several one after another.

    - `relative`: the largest relative error.
    - `least`: the largest error where the result is subnormal.
    """

    relative: float
    least: float

    @classmethod
    def of(cls, dtype: str, *, underflows: bool, flushed: bool) -> RoundingStep:
        """The rounding of one operation in a type.

        `underflows` is false for sums, whose subnormal results are exact; where subnormal numbers
        are `flushed` to 0, every operation may lose the smallest normal number.
        """
        own = number_type(dtype)
        least = own.least if underflows else 0.0
        return cls(own.step, 2 * own.normal if flushed else least)


def rounded_step(
    form: LinearElements, step: RoundingStep, counts: Ints | None = None
) -> LinearElements:
    """The form after a rounding of every element, or of `counts[i]` roundings in element `i`."""
    share: float | NDArray[Any] = step.relative
    least: float | NDArray[Any] = step.least
    if counts is not None:
        each = np.expm1(counts * np.log1p(step.relative))
        share, least = each[form.element], step.least * counts
        scale: float | NDArray[Any] = 1 + each
    else:
        scale = 1 + step.relative
    error = form.error + share * (_sizes(form.factor) + form.error)
    fixed = form.fixed * scale + least
    return LinearElements(form.count, form.element, form.entry, form.factor, error, fixed)
