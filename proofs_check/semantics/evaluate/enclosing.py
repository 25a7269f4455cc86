"""Enclosed numbers: fractions where they are exact, else Arb balls that contain the value.

A comparison of balls is True or False where that is certain of all that is in them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from math import inf, isqrt
from operator import attrgetter, eq, le, lt, ne
from typing import Any

import gmpy2
from flint import arb, ctx, fmpq

from ropeproof.proofs_check.semantics.evaluate import arithmetic, walker
from ropeproof.proofs_check.semantics.tables import BeingDrawnError, Closed
from ropeproof.proofs_check.semantics.values import (
    MOST_BITS,
    ZERO,
    Fraction,
    Instance,
    Real,
    TooLarge,
    Work,
    bits_of,
    floor_of,
    taken,
)

__all__ = [
    "READING",
    "UNDECIDED",
    "Value",
    "ball",
    "exactly",
    "fraction",
    "judge_of",
    "value_of",
]

Value = Any  # a Fraction, which is exact, or a finite ball
LARGEST_POWER = 10_000
_ONE, _HALF = Fraction(1), Fraction(1, 2)
_BALLS: dict[tuple[Any, ...], tuple[Any, Any]] = {}


UNDECIDED = (
    TooLarge,
    BeingDrawnError,
    KeyError,
    OverflowError,
    RecursionError,
    ValueError,
    ZeroDivisionError,
    gmpy2.OverflowResultError,
)
"""The exceptions raised where a number cannot be enclosed."""


@dataclass
class ValueReading:
    """Whether a rounded value stands for all numbers that agree with it, or for itself exactly."""

    loose: bool = True


READING = ValueReading()


def value_of(expr: Any) -> arithmetic.Term:
    """Compile a term to a function of the instance; that raises `TooLarge` without an enclosure."""
    return walker.value_with(_ENCLOSING, expr)


def judge_of(formula: Any) -> arithmetic.Judge:
    """Compile a formula to a function of the instance. Raises `TooLarge` if it is not a formula."""
    return walker.judge_with(_ENCLOSING, formula)


def ball(value: Any) -> Any:
    """The value as an Arb ball; a fraction becomes a ball around it."""
    if type(value) is Fraction:
        n, d = int(value.numerator), int(value.denominator)
        return arb(n) if d == 1 else arb(fmpq(n, d))
    return value


def exactly(value: Any) -> Fraction:
    """The exact value of an MPFR number of the evaluator, as a fraction."""
    return _fraction(*map(int, value.as_mantissa_exp())) if type(value) is Real else taken(value)


def _loose(value: Any) -> Any:
    """A ball of all numbers that agree with an MPFR number of the evaluator to 45 digits."""
    mantissa, exponent = value.as_mantissa_exp()
    middle = arb((int(mantissa), int(exponent)))
    return middle + middle * arb(0, arb(2) ** -150)


def fraction(exact: Any) -> Fraction:
    """The fraction that a ball of radius 0 contains."""
    return _fraction(*map(int, exact.man_exp()))


def _fraction(mantissa: int, exponent: int) -> Fraction:
    if abs(exponent) > MOST_BITS:
        raise TooLarge("a number that is too large")
    return Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)


def _taken(value: Any, name: str, *arguments: Any) -> Value:
    """A value of the instance; the same value of the same name is always the same ball object."""
    if type(value) is not Real:
        return taken(value)
    if not READING.loose:
        return exactly(value)
    key = (id(value), ctx.prec, name, arguments)
    if key not in _BALLS:
        if len(_BALLS) > arithmetic.REMEMBERED:
            _BALLS.clear()
        _BALLS[key] = value, _loose(value)  # the value is held, so that no other has its id
    return _BALLS[key][1]


def _finite(value: Any) -> Any:
    if not value.is_finite():
        raise TooLarge("a number without bounds")
    return value


def _symbol(name: str) -> arithmetic.Term:
    return lambda at: _taken(at.values[name], name)


def _applied(name: str, terms: Sequence[arithmetic.Term]) -> arithmetic.Term:
    def value(at: Instance) -> Value:
        function = at.values[name]
        arguments = [term(at) for term in terms]
        if isinstance(function, Closed):
            names = (p.name for p in function.parameters)
            found = value_of(function.body)(Instance(dict(zip(names, arguments, strict=True))))
            if function.integer and (type(found) is not Fraction or found.denominator != 1):
                raise TooLarge("an integer with a value that may be none")
            return found
        if not all(type(a) is Fraction for a in arguments):
            raise TooLarge("a drawn function at a number that is not exact")
        return _taken(function(*arguments), name, *arguments)

    return value


def _sum_of(a: Value, b: Value) -> Value:
    if type(a) is Fraction is type(b):
        return a + b
    if type(a) is Fraction and not a:
        return b
    if type(b) is Fraction and not b:
        return a
    (m, x), (n, y) = _as_multiple(a), _as_multiple(b)
    return _applied_to(_plus, a, b) if x is not y else _product_of(m + n, x)


def _product_of(a: Value, b: Value) -> Value:
    if type(a) is Fraction is type(b):
        return a * b
    if (type(a) is Fraction and not a) or (type(b) is Fraction and not b):
        return ZERO
    if type(a) is Fraction and a == 1:
        return b
    if type(b) is Fraction and b == 1:
        return a
    product = _applied_to(_times, a, b)
    if type(a) is Fraction or type(b) is Fraction:
        factor, x = (a, b) if type(a) is Fraction else (b, a)
        m, x = _as_multiple(x)
        if len(_MULTIPLES) > arithmetic.REMEMBERED:
            _MULTIPLES.clear()
        _MULTIPLES[id(product)] = m * factor, x, product  # held, so that no other has its id
    return product


_MULTIPLES: dict[int, tuple[Fraction, Any, Any]] = {}


def _as_multiple(x: Value) -> tuple[Fraction, Any]:
    """A number as a fraction times a ball, so that multiples of one ball add exactly, also to 0."""
    return _MULTIPLES.get(id(x), (_ONE, x))[:2]


_FOUND: dict[tuple[Any, ...], tuple[Any, Any]] = {}
_plus, _times = attrgetter("__add__"), attrgetter("__mul__")


def _applied_to(function: Callable[[Any], Any], x: Value, *others: Value) -> Any:
    """The ball of a function's value, cached so that equal inputs give the same ball object."""
    inputs = (x, *others)
    # An identity in a tuple of its own: a fraction may be the same integer.
    key = (function, ctx.prec, *(v if type(v) is Fraction else (id(v),) for v in inputs))
    if key not in _FOUND:
        if len(_FOUND) > arithmetic.REMEMBERED:
            _FOUND.clear()
        result = _finite(function(ball(x))(*map(ball, others)))
        _FOUND[key] = inputs, result  # the balls are held, so that no others have their ids
    return _FOUND[key][1]


def _power(base: Value, exponent: Value) -> Value:
    if type(exponent) is Fraction and exponent.denominator == 1:
        return _to_integer(base, int(exponent))
    if type(exponent) is not Fraction and exponent.contains_integer() and not base > 0:
        raise TooLarge("a power of a number that may not be positive, perhaps to an integer")
    if base <= 0:
        return ZERO
    if base > 0:
        exact = _exact_root(base) if type(base) is Fraction and exponent == _HALF else None
        return _real_power(ball(base), exponent) if exact is None else exact
    if exponent > 0:  # from 0 to the power of the largest
        return arb(0).union(_real_power(base.upper(), exponent))
    raise TooLarge("a power of a number that may not be positive")


def _real_power(base: Any, exponent: Value) -> Any:
    root = type(exponent) is Fraction and exponent == _HALF
    return _finite(base.sqrt() if root else (ball(exponent) * base.log()).exp())


def _exact_root(base: Fraction) -> Fraction | None:
    """The square root of a fraction if it is a fraction, else None."""
    root = Fraction(isqrt(int(base.numerator)), isqrt(int(base.denominator)))
    return root if root * root == base else None


def _to_integer(base: Value, n: int) -> Value:
    if abs(n) > LARGEST_POWER:
        raise TooLarge("a power above 10,000")
    if type(base) is Fraction:
        if n < 0 and not base:
            return ZERO
        if bits_of(base) * abs(n) <= MOST_BITS:
            return base**n
        base = ball(base)
    result, square = arb(1), base if n >= 0 else _inverse(base)
    n = abs(n)
    while n:  # x**2 would give nan on a ball through 0
        result = result * square if n % 2 else result
        square, n = square * square, n // 2
    return _finite(result)


def _inverse(x: Any) -> Any:
    if x.contains(0):
        raise TooLarge("the inverse of a number that may be 0")
    return 1 / x


def _extreme(exact: Callable[..., Any], name: str) -> Callable[[Sequence[Value]], Value]:
    def value(values: Sequence[Value]) -> Value:
        if all(type(v) is Fraction for v in values):
            return exact(values)
        return reduce(lambda a, b: getattr(a, name)(b), map(ball, values))

    return value


def _floor(x: Value, _trusting: bool) -> Fraction:
    if type(x) is Fraction:
        return floor_of(x)
    found = x.floor().unique_fmpz()
    if found is None:
        raise TooLarge("the floor of a number that may be an integer")
    return Fraction(int(found))


def _reading(_: Instance) -> tuple[int, bool]:
    """The settings on which a sum's value depends besides the instance: precision and reading."""
    return ctx.prec, READING.loose


def _sign(x: Value) -> Fraction:
    if x > 0:
        return Fraction(1)
    if x < 0:
        return Fraction(-1)
    if type(x) is Fraction:
        return ZERO
    raise TooLarge("the sign of a number that may be 0")


_log = attrgetter("log")


def _logarithm(x: Value) -> Value:
    if x <= 0 or (type(x) is Fraction and x == 1):
        return ZERO
    if x > 0:
        return _applied_to(_log, x)
    raise TooLarge("the logarithm of a number that may not be positive")


def _analytic(name: str) -> arithmetic.Function:
    method = attrgetter(name)
    at_zero = Fraction(1 if name in ("cos", "exp", "cosh") else 0)

    def value(x: Value) -> Value:
        return at_zero if type(x) is Fraction and not x else _applied_to(method, x)

    def even_or_odd(x: Value) -> Value:  # so that cos(-1) is the very ball that cos(1) is
        if type(x) is not Fraction or x >= 0:
            return value(x)
        return value(-x) if name == "cos" else _product_of(-_ONE, value(-x))

    return even_or_odd if name in ("cos", "sin") else value


def _as_it_is(x: Value) -> Value:
    """The number unchanged: a ball itself shows whether it may be 0."""
    return x


# -- formulas ----------------------------------------------------------------------------------


def _compared(kind: arithmetic.Comparison, a: Value, b: Value, _trusting: bool) -> bool | None:
    difference = ball(b) - ball(a)
    above, below = bool(difference > 0), bool(difference < 0)
    if kind in (eq, ne):
        return kind is ne if above or below else None
    if above or (kind is le and difference >= 0):
        return True
    return False if below or (kind is lt and difference <= 0) else None


def _tried(judge: arithmetic.Judge) -> arithmetic.Judge:
    """The judge, with None for `TooLarge`, so that a part without an enclosure stays undecided."""

    def tried(at: Instance) -> bool | None:
        try:
            return judge(at)
        except TooLarge:
            return None

    return tried


def _outer(expr: Any, is_low: bool) -> arithmetic.Term:
    """The outer end of a guard's bound, so that no allowed value is lost.

    Values that this lets in wrongly are excluded when the guard itself is evaluated.
    """
    term = value_of(expr)

    def value(at: Instance) -> Value:
        found = term(at)
        if type(found) is Fraction:
            return found
        return fraction(found.lower() if is_low else found.upper())

    return value


_ENCLOSING = arithmetic.Numbers(
    work=Work(),
    most_cases=2 * arithmetic.MAX_CASES,
    most_added=inf,
    reading=_reading,
    symbol=_symbol,
    applied=_applied,
    pi=arb.pi,
    e=lambda: arb(1).exp(),
    add=_sum_of,
    multiply=_product_of,
    whole_power=lambda n: lambda x: _to_integer(x, n),
    power=_power,
    largest=_extreme(max, "max"),
    smallest=_extreme(min, "min"),
    floor=_floor,
    told=_as_it_is,
    sign=_sign,
    log=_logarithm,
    functions={"Abs": abs}
    | {name: _analytic(name) for name in ("cos", "sin", "exp", "sinh", "cosh", "tanh")},
    compared=_compared,
    bound=_outer,
    part=_tried,
    guards_hold=False,
)
