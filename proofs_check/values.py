"""The second witness's numbers, and the instances that give values to names.

Numbers are fractions where they are exact and numbers of mpmath with `DIGITS` digits where they
are not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from numbers import Rational
from operator import mul
from typing import Any

import mpmath
from quicktions import Fraction

__all__ = [
    "CONTEXT",
    "DIGITS",
    "WORK",
    "Instance",
    "Number",
    "TooLarge",
    "as_mpf",
    "combine",
    "effort",
    "floor_of",
    "taken",
]

DIGITS = 60
CONTEXT = mpmath.mp.clone()
CONTEXT.dps = DIGITS

Number = Any  # Fraction or mpf


class TooLarge(Exception):
    """The instance is too large, or not of this evaluator's language."""


@dataclass(frozen=True)
class Instance:
    """Values for symbols (by name) and functions (by name, callables on exact arguments).

    `samples` gives values to try for a quantified variable that has no finite range: it takes
    (name, is_integer, arity) and returns values or callables. If `trusting` is False, a `for all`
    that no sample contradicts is undecided. Values may be integers, fractions of any kind (exact) or
    numbers of mpmath.
    """

    values: Mapping[str, Any]
    samples: Callable[[str, bool, int], Iterable[Any]] = field(default=lambda *_: ())
    sums: dict[Any, Number] = field(default_factory=dict, compare=False, repr=False)
    trusting: bool = True

    def having(self, **values: Any) -> Instance:
        """The same instance with some values replaced."""
        return self.over({**self.values, **values})

    def over(self, values: Mapping[str, Any]) -> Instance:
        """The same instance with other values; the caller may go on changing them."""
        return Instance(values, self.samples, self.sums, self.trusting)


class Work:
    """Terms evaluated since the start, and cases that the outermost quantifier has cost so far."""

    __slots__ = ("cases", "depth", "terms")

    def __init__(self) -> None:
        self.terms = self.cases = self.depth = 0


WORK = Work()


def effort() -> int:
    """How many terms have been evaluated: a measure of work that is the same on every machine."""
    return WORK.terms


def as_mpf(value: Number) -> Any:
    """The value in working precision."""
    kind = type(value)
    if kind is CONTEXT.mpf:
        return value
    if kind is Fraction:
        return CONTEXT.mpf(value.numerator) / value.denominator
    return CONTEXT.mpf(value)


def taken(value: Any) -> Number:
    """A value from outside as one of the evaluator's numbers."""
    kind = type(value)
    if kind is Fraction or kind is CONTEXT.mpf or not isinstance(value, Rational):
        return value
    return Fraction(int(value.numerator), int(value.denominator))


def combine(op: Callable[[Any, Any], Any], a: Number, b: Number) -> Number:
    """An operation on two numbers: exact if both are, else in working precision."""
    if type(a) is Fraction:
        if type(b) is Fraction:
            return op(a, b)
        if not a and op is mul:
            return a
    elif op is mul and type(b) is Fraction and not b:
        return b
    return op(as_mpf(a), as_mpf(b))


def floor_of(value: Number) -> Fraction:
    """The floor, exact."""
    return Fraction(value // 1 if type(value) is Fraction else int(CONTEXT.floor(value)))
