"""Rounded numbers: fractions where they are exact, else MPFR numbers of `DIGITS` digits.

Comparisons tell sides that agree to many digits, or differ in only a few, from those that differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from operator import attrgetter, eq, le, ne
from typing import Any

from ropeproof.proofs_check.semantics.evaluate import arithmetic, ranges, walker
from ropeproof.proofs_check.semantics.values import (
    APART,
    CONTEXT,
    MOST_BITS,
    SAME,
    WORK,
    ZERO,
    Fraction,
    Instance,
    Number,
    Real,
    TooLarge,
    as_real,
    bits_of,
    floor_of,
    taken,
    times,
)

__all__ = ["finite_ranges", "judge_of", "value_of", "wanted_of"]

MOST_ADDED = 100_000
"""The most terms of a sum with all sums inside it; one over all choices has many, with inner sums."""
_SMALLEST = as_real("1e-30")
_VALUES = 50_000  # values of cos, exp and their like that are kept
_FAR = Fraction(2**10_000)  # an angle beyond which as many digits of pi would be needed
_ONE, _HALF, _UNIT = Fraction(1), Fraction(1, 2), as_real("1")
_PI, _E = CONTEXT.const_pi(), CONTEXT.exp(_ONE)

_abs, _divide, _multiply, _power_of = CONTEXT.abs, CONTEXT.div, CONTEXT.mul, CONTEXT.pow
_plus, _subtract = CONTEXT.plus, CONTEXT.sub


def value_of(expr: Any) -> arithmetic.Term:
    """Compile a term to a function of the instance."""
    return walker.value_with(_ROUNDED, expr)


def judge_of(formula: Any) -> arithmetic.Judge:
    """Compile a formula to a function of the instance. Raises `TooLarge` if it is not a formula."""
    return walker.judge_with(_ROUNDED, formula)


def wanted_of(formula: Any) -> arithmetic.Judge:
    """Like `judge_of` for callers that reject False and None alike: a certain False comes early."""
    return walker.wanted_with(_ROUNDED, formula)


def finite_ranges(variables: Any, body: Any, universal: bool, at: Instance) -> ranges.Ranges:
    """The finite ranges of the integers between the bounds in a quantifier's guard.

    A bound that is another variable, or one plus a constant, is applied at that variable's own
    outermost bound. One that is another function of integers with ranges is applied at its
    outermost value there if all values are exact; if one is not, or there are too many, it is ignored.
    """
    guards = ranges.guards_of(tuple(variables), body, universal, _bound)
    return ranges.ranges_at(guards, at)[0]


def _symbol(name: str) -> arithmetic.Term:
    return lambda at: at.values[name]


def _applied(name: str, arguments: Sequence[arithmetic.Term]) -> arithmetic.Term:
    if len(arguments) == 1:
        (only,) = arguments

        def value_at(at: Instance) -> Number:
            WORK.terms += 1
            found = at.values[name](only(at))
            kind = type(found)
            return found if kind is Fraction or kind is Real else taken(found)

        return value_at

    def value(at: Instance) -> Number:
        WORK.terms += 1
        found = at.values[name](*[argument(at) for argument in arguments])
        kind = type(found)
        return found if kind is Fraction or kind is Real else taken(found)

    return value


# -- powers ------------------------------------------------------------------------------------


def _whole_power(exponent: int) -> arithmetic.Function:
    if exponent == -1:
        return lambda x: _divide(_ONE, x) if x else ZERO
    return _square if exponent == 2 else lambda x: _raised_to(x, exponent)


def _square(x: Number) -> Number:
    if type(x) is Fraction and bits_of(x) > MOST_BITS:
        x = as_real(x)
    return _multiply(x, x)


def _raised_to(base: Number, n: int) -> Number:
    if abs(n) > 10_000:
        raise TooLarge("a power above 10,000")
    if n < 0 and base == 0:
        return ZERO
    if type(base) is Fraction and bits_of(base) * abs(n) > MOST_BITS:
        base = as_real(base)
    return _power_of(base, n)


def _power(base: Number, exponent: Number) -> Number:
    if type(exponent) is Fraction and exponent.is_integer():
        return _raised_to(base, int(exponent))
    if exponent == _HALF:
        return CONTEXT.sqrt(as_real(base)) if base > 0 else ZERO
    if base > 0:
        return _plus(_kept_power(base, exponent))
    if type(exponent) is not Fraction and _abs(_from_integer(exponent)) <= APART:
        raise TooLarge("a power of a number that is not positive, perhaps to an integer")
    return ZERO  # such a power is defined to be 0 if the exponent is no integer


@lru_cache(maxsize=_VALUES)
def _kept_power(base: Number, exponent: Number) -> Number:
    return _power_of(as_real(base), as_real(exponent))


# -- functions ---------------------------------------------------------------------------------


def _analytic(name: str) -> arithmetic.Function:
    function = getattr(CONTEXT, name)
    at_zero = Fraction(1 if name in ("cos", "exp", "cosh") else 0)
    turns = name in ("cos", "sin")
    grows = name in ("exp", "sinh", "cosh")

    @lru_cache(maxsize=_VALUES)
    def kept(x: Number) -> Number:
        if grows and not -1_000_000 <= x <= 1_000_000:
            raise TooLarge("an exponential that is too large")
        if turns and not -_FAR <= x <= _FAR:
            raise TooLarge("an angle that is too large")
        return function(x)

    def value(x: Number) -> Number:
        # Two arguments that agree to all digits may differ: only one drawn value is the same one.
        return _plus(kept(x)) if x else at_zero

    return value


def _from_integer(value: Number) -> Number:
    return _subtract(value, CONTEXT.rint(value))


def _floor(x: Number, trusting: bool) -> Fraction:
    """The floor as an exact integer.

    An inexact number that agrees with an integer to many digits counts as that integer. Raises
    `TooLarge` for such a number unless `trusting`.
    """
    if type(x) is not Fraction and _abs(_from_integer(x)) <= _multiply(APART, max(_abs(x), _UNIT)):
        if not trusting:
            raise TooLarge("the floor of a number that may be an integer")
        return Fraction(CONTEXT.rint(x))
    return floor_of(x)


def _told(x: Number) -> Number:
    """The number, if its digits show whether it is 0. Raises `TooLarge` if they do not."""
    if type(x) is not Fraction and _abs(x) <= APART:
        raise TooLarge("a number that may be 0, where that decides")
    return x


def _sign(x: Number) -> Fraction:
    return Fraction((x > 0) - (x < 0))


def _logarithm(x: Number) -> Number:
    """The logarithm, 0 where the argument is not positive and exactly 0 at the argument 1."""
    if x <= 0 or (type(x) is Fraction and x == 1):
        return ZERO
    return _plus(_kept_logarithm(x))


@lru_cache(maxsize=_VALUES)
def _kept_logarithm(x: Number) -> Number:
    return CONTEXT.log(as_real(x))


# -- formulas ----------------------------------------------------------------------------------


def _near(kind: arithmetic.Comparison, a: Any, b: Any, trusting: bool) -> bool | None:
    a, b = as_real(a), as_real(b)
    difference = _subtract(b, a)
    distance = _abs(difference)
    size = max(_abs(a), _abs(b), _SMALLEST)
    same, apart = trusting and distance <= _multiply(SAME, size), distance > _multiply(APART, size)
    if kind in (eq, ne):
        return None if not same and not apart else (same if kind is eq else not same)
    if apart:
        return bool(difference > 0)
    return True if same and kind is le else None


def _bound(expr: Any, _is_low: bool) -> arithmetic.Term:
    """The value of a bound as a function of the instance, a fraction or rounded."""
    return value_of(expr)


def _as_it_is(judge: arithmetic.Judge) -> arithmetic.Judge:
    """The judge of a part unchanged: if it raises `TooLarge`, so does that of the whole formula."""
    return judge


_ROUNDED = arithmetic.Numbers(
    work=WORK,
    most_cases=arithmetic.MAX_CASES,
    most_added=MOST_ADDED,
    reading=attrgetter("trusting"),
    symbol=_symbol,
    applied=_applied,
    pi=lambda: CONTEXT.plus(_PI),  # two of them agree to all digits, and are not one drawn value
    e=lambda: CONTEXT.plus(_E),
    add=CONTEXT.add,
    multiply=times,
    whole_power=_whole_power,
    power=_power,
    largest=max,
    smallest=min,
    floor=_floor,
    told=_told,
    sign=_sign,
    log=_logarithm,
    functions={"Abs": _abs}
    | {name: _analytic(name) for name in ("cos", "sin", "exp", "sinh", "cosh", "tanh")},
    compared=_near,
    bound=_bound,
    part=_as_it_is,
    guards_hold=True,
    plain=True,
)
