"""The numbers of the evaluator that is independent of the kernel, and instances: values for names.

Numbers are fractions (GMP's) where they are exact and floating-point numbers of `DIGITS` digits
(MPFR's, correctly rounded) where they are not. Arithmetic on the latter goes through `CONTEXT`,
whatever precision the caller's own thread is set to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Rational
from typing import Any

import gmpy2
from gmpy2 import mpfr as Real  # noqa: N812
from gmpy2 import mpq as Fraction  # noqa: N812

__all__ = [
    "APART",
    "CONTEXT",
    "DIGITS",
    "MOST_BITS",
    "SAME",
    "WORK",
    "ZERO",
    "Fraction",
    "Instance",
    "Number",
    "Real",
    "TooLarge",
    "Work",
    "as_real",
    "bits_of",
    "ceiling_of",
    "effort",
    "floor_of",
    "of_integers",
    "span",
    "taken",
    "times",
    "whole",
]

DIGITS = 60
MOST_BITS = 100_000  # of a power that is kept exact
BITS = 203
CONTEXT = gmpy2.context(
    precision=BITS,
    emax=gmpy2.get_emax_max(),
    emin=gmpy2.get_emin_min(),
    trap_overflow=True,
    trap_invalid=True,
    trap_divzero=True,
)

APART = gmpy2.mpfr("1e-25", BITS)
SAME = gmpy2.mpfr("1e-40", BITS)
"""Rounded numbers differ if further apart than `APART` and agree within `SAME`, relative to the larger."""

_NOTHING = gmpy2.mpfr(0, BITS)  # to add it rounds a fraction in a third of the time of `mpfr`

Number = Any  # Fraction or Real
ZERO = Fraction(0)
_MOST = 2048
_INTEGERS = tuple(Fraction(n) for n in range(-_MOST, _MOST))
"""Small integers, made once: a fraction keeps its hash, which takes longer to compute than a sum."""

_add, _multiply, _floor = CONTEXT.add, CONTEXT.mul, CONTEXT.floor


class TooLarge(Exception):
    """Raised where an instance is too large to evaluate, or outside the evaluator's language."""


class Instance:
    """Values of symbols (by name) and of functions (by name, as callables on exact arguments).

    `samples` gives values to try for a quantified variable that has no finite range: it takes
    (name, is_integer, arity) and returns values or callables. If `trusting` is False, a `for all`
    that no sample contradicts is undecided. Values may be integers, fractions of any kind (exact)
    or numbers of gmpy2. The attributes of an instance do not change, except for values that
    loops set and restore in a `scratch` one. `origin` is the instance whose drawn functions this one
    shares: their values are drawn there, and they hold it weakly so that it is freed when unused.
    """

    __slots__ = ("__weakref__", "origin", "samples", "scratch", "sums", "trusting", "values")

    def __init__(
        self,
        values: Mapping[str, Any],
        samples: Callable[[str, bool, int], Iterable[Any]] = lambda *_: (),
        trusting: bool = True,
    ) -> None:
        self.values: Any = {name: taken(value) for name, value in values.items()}
        self.samples = samples
        self.sums: dict[Any, Number] = {}
        self.trusting = trusting
        self.scratch = False
        self.origin: Instance | None = None

    def having(self, **values: Any) -> Instance:
        """The same instance with some values replaced."""
        return self.over({**self.values, **{n: taken(v) for n, v in values.items()}})

    def over(self, values: dict[str, Any], *, scratch: bool = False) -> Instance:
        """The same instance with another dictionary of values, which are the evaluator's numbers."""
        other = Instance.__new__(Instance)
        other.values = values
        other.samples = self.samples
        other.sums = self.sums
        other.trusting = self.trusting
        other.scratch = scratch
        other.origin = self
        return other

    def open(self) -> Instance:
        """An instance whose values a loop may set: this one if it is scratch, else a copy."""
        return self if self.scratch else self.over(dict(self.values), scratch=True)

    def doubting(self) -> Instance:
        """The same instance, but trusting no samples and no agreement of digits."""
        other = self.over(self.values)
        other.trusting = False
        return other


class Work:
    """Counters of the terms evaluated, and of the cost of the current outermost quantifier and sum.

    `cases` counts those of the quantifier, which is nested `depth` deep, and `added` the terms of the sum,
    which is nested `summing` deep. `coming` computes a lower bound of the latter, and is called once.
    """

    __slots__ = ("added", "cases", "coming", "depth", "summing", "terms")

    def __init__(self) -> None:
        self.terms = self.cases = self.depth = self.added = self.summing = 0
        self.coming: Callable[[], float] | None = None


WORK = Work()


def effort() -> int:
    """The number of terms evaluated so far: a measure of work that is the same on every machine."""
    return WORK.terms


def as_real(value: Number) -> Real:
    """The value as an MPFR number in working precision."""
    kind = type(value)
    if kind is Real:
        return value
    return _add(value, _NOTHING) if kind is Fraction else Real(value, BITS)


def bits_of(value: Fraction) -> int:
    """The number of bits of numerator and denominator together."""
    return int(value.numerator.bit_length() + value.denominator.bit_length())


def taken(value: Any) -> Number:
    """A value from outside converted to one of the evaluator's numbers."""
    kind = type(value)
    if kind is Fraction or kind is Real or not isinstance(value, Rational):
        return value
    return Fraction(int(value.numerator), int(value.denominator))


def times(a: Number, b: Number) -> Number:
    """The product of two numbers, exactly 0 if one of them is."""
    product = _multiply(a, b)
    if product or type(product) is Fraction:
        return product
    return ZERO if (type(a) is Fraction and not a) or (type(b) is Fraction and not b) else product


def floor_of(value: Number) -> Fraction:
    """The floor of a number, as an exact fraction."""
    if type(value) is Fraction:
        if value.is_integer():
            return value
        return Fraction(gmpy2.f_div(value.numerator, value.denominator))
    return Fraction(_floor(value))


def ceiling_of(value: Number) -> Fraction:
    """The ceiling of a number, as an exact fraction."""
    if type(value) is Fraction:
        if value.is_integer():
            return value
        return Fraction(gmpy2.c_div(value.numerator, value.denominator))
    return -floor_of(CONTEXT.minus(value))


def of_integers(value: Number) -> Number:
    """The value of an integer-valued name. Raises `TooLarge` if it is not an integer."""
    if value != floor_of(value):
        raise TooLarge("an integer with a value that is none")
    return value


def whole(number: int) -> Fraction:
    """An integer as an exact number."""
    return _INTEGERS[number + _MOST] if -_MOST <= number < _MOST else Fraction(number)


def span(first: int, last: int) -> Sequence[Fraction]:
    """The integers from `first` to `last`, both included, as exact numbers."""
    if -_MOST <= first <= last < _MOST:
        return _INTEGERS[first + _MOST : last + 1 + _MOST]
    return [Fraction(n) for n in range(first, last + 1)]
