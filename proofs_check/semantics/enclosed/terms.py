"""Terms as functions of the instance, whose values are fractions or balls of Arb."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, reduce
from math import inf, isqrt
from operator import attrgetter
from typing import Any

import gmpy2
import sympy as sp
from flint import arb, ctx, fmpq
from sympy.core.function import AppliedUndef

from ropeproof.proofs_check.semantics.evaluate.compound import (
    REMEMBERED,
    AddedNumbers,
    Term,
    by_cases,
    sum_of,
)
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
    "Term",
    "Value",
    "ball",
    "exactly",
    "fraction",
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
"""What is raised where a number is not enclosed."""


@dataclass
class ValueReading:
    """Whether a rounded value is read for all numbers that agree with it, or as the number it is."""

    loose: bool = True


READING = ValueReading()


def ball(value: Any) -> Any:
    """The value as a ball."""
    if type(value) is Fraction:
        n, d = int(value.numerator), int(value.denominator)
        return arb(n) if d == 1 else arb(fmpq(n, d))
    return value


def exactly(value: Any) -> Fraction:
    """A number of the second witness as the fraction that it is."""
    return _fraction(*map(int, value.as_mantissa_exp())) if type(value) is Real else taken(value)


def _loose(value: Any) -> Any:
    """All numbers that agree with a number of the second witness to 45 digits."""
    mantissa, exponent = value.as_mantissa_exp()
    middle = arb((int(mantissa), int(exponent)))
    return middle + middle * arb(0, arb(2) ** -150)


def fraction(exact: Any) -> Fraction:
    """The fraction that a ball of radius 0 is."""
    return _fraction(*map(int, exact.man_exp()))


def _fraction(mantissa: int, exponent: int) -> Fraction:
    if abs(exponent) > MOST_BITS:
        raise TooLarge("a number that is too large")
    return Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)


def _taken(value: Any, name: str, *arguments: Any) -> Value:
    """A value of the instance. One value of one name is one ball, which equals itself."""
    if type(value) is not Real:
        return taken(value)
    if not READING.loose:
        return exactly(value)
    key = (id(value), ctx.prec, name, arguments)
    if key not in _BALLS:
        if len(_BALLS) > REMEMBERED:
            _BALLS.clear()
        _BALLS[key] = value, _loose(value)  # the value is held, so that no other has its id
    return _BALLS[key][1]


def _finite(value: Any) -> Any:
    if not value.is_finite():
        raise TooLarge("a number without bounds")
    return value


@lru_cache(maxsize=REMEMBERED, typed=True)
def value_of(expr: Any) -> Term:
    """A term as a function of the instance. It raises `TooLarge` for what is not enclosed."""
    kind = type(expr)
    return next((how for base, how in _TERMS if issubclass(kind, base)), _function)(expr)


def _constant(expr: Any) -> Term:
    value = Fraction(int(expr.p), int(expr.q)) if isinstance(expr, sp.Rational) else Fraction(expr)
    return lambda _: value


def _symbol(expr: Any) -> Term:
    name = expr.name
    return lambda at: _taken(at.values[name], name)


def _applied(expr: Any) -> Term:
    name = expr.func.__name__
    terms = [value_of(a) for a in expr.args]

    def value(at: Instance) -> Value:
        function = at.values[name]
        arguments = [term(at) for term in terms]
        if isinstance(function, Closed):
            names = (p.name for p in function.parameters)
            return value_of(function.body)(Instance(dict(zip(names, arguments, strict=True))))
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
        if len(_MULTIPLES) > REMEMBERED:
            _MULTIPLES.clear()
        _MULTIPLES[id(product)] = m * factor, x, product  # held, so that no other has its id
    return product


_MULTIPLES: dict[int, tuple[Fraction, Any, Any]] = {}


def _as_multiple(x: Value) -> tuple[Fraction, Any]:
    """A fraction times a ball: of one ball, multiples add up exactly, to 0 where they cancel."""
    return _MULTIPLES.get(id(x), (_ONE, x))[:2]


_FOUND: dict[tuple[Any, ...], tuple[Any, Any]] = {}
_plus, _times = attrgetter("__add__"), attrgetter("__mul__")


def _applied_to(function: Callable[[Any], Any], x: Value, *others: Value) -> Any:
    """The ball of a function; of the same fractions and balls it is the same one, which equals itself."""
    inputs = (x, *others)
    key = (function, ctx.prec, *(v if type(v) is Fraction else id(v) for v in inputs))
    if key not in _FOUND:
        if len(_FOUND) > REMEMBERED:
            _FOUND.clear()
        result = _finite(function(ball(x))(*map(ball, others)))
        _FOUND[key] = inputs, result  # the balls are held, so that no others have their ids
    return _FOUND[key][1]


def _folded(op: Callable[[Value, Value], Value]) -> Callable[[Any], Term]:
    def compiled(expr: Any) -> Term:
        terms = [value_of(a) for a in expr.args]
        return lambda at: reduce(op, [term(at) for term in terms])

    return compiled


def _power(expr: Any) -> Term:
    base, exponent = (value_of(a) for a in expr.args)
    return lambda at: _raised(base(at), exponent(at))


def _raised(base: Value, exponent: Value) -> Value:
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
    """The square root of a fraction, if it is one."""
    root = Fraction(isqrt(int(base.numerator)), isqrt(int(base.denominator)))
    return root if root * root == base else None


def _to_integer(base: Value, n: int) -> Value:
    if abs(n) > LARGEST_POWER:
        raise TooLarge(f"power {n}")
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


def _sum(expr: Any) -> Term:
    return sum_of(expr, _NUMBERS)


def _piecewise(expr: Any) -> Term:
    from ropeproof.proofs_check.semantics.enclosed.formulas import judge_of

    return by_cases(expr, value_of, judge_of)


def _extreme(exact: Callable[..., Any], name: str) -> Callable[[Any], Term]:
    def compiled(expr: Any) -> Term:
        terms = [value_of(a) for a in expr.args]

        def value(at: Instance) -> Value:
            values = [term(at) for term in terms]
            if all(type(v) is Fraction for v in values):
                return exact(values)
            return reduce(lambda a, b: getattr(a, name)(b), map(ball, values))

        return value

    return compiled


def _floor(x: Value) -> Fraction:
    if type(x) is Fraction:
        return floor_of(x)
    found = x.floor().unique_fmpz()
    if found is None:
        raise TooLarge("the floor of a number that may be an integer")
    return Fraction(int(found))


def _floor_of_end(x: Value, _trusting: bool) -> Fraction:
    return _floor(x)


def _reading(_: Instance) -> tuple[int, bool]:
    """What a sum's value depends on beside the instance."""
    return ctx.prec, READING.loose


_NUMBERS = AddedNumbers(value_of, _sum_of, _floor_of_end, _reading, Work(), inf)


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


def _analytic(name: str) -> Callable[[Value], Value]:
    method = attrgetter(name)
    at_zero = Fraction(1 if name in ("cos", "exp", "cosh") else 0)

    def value(x: Value) -> Value:
        return at_zero if type(x) is Fraction and not x else _applied_to(method, x)

    def even_or_odd(x: Value) -> Value:  # so that cos(-1) is the very ball that cos(1) is
        if type(x) is not Fraction or x >= 0:
            return value(x)
        return value(-x) if name == "cos" else _product_of(-_ONE, value(-x))

    return even_or_odd if name in ("cos", "sin") else value


def _function(expr: Any) -> Term:
    if expr is sp.pi:
        return lambda _: arb.pi()
    if expr is sp.E:
        return lambda _: arb(1).exp()
    how = _FUNCTIONS.get(type(expr).__name__)
    if how is None or len(expr.args) != 1:
        return _without_value(type(expr).__name__)
    argument = value_of(expr.args[0])
    return lambda at: how(argument(at))


def _without_value(name: str) -> Term:
    def value(_: Instance) -> Value:
        raise TooLarge(f"no value for {name}")

    return value


_TERMS: tuple[tuple[Any, Callable[[Any], Term]], ...] = (
    (int | sp.Rational, _constant),
    (sp.Symbol, _symbol),
    (AppliedUndef, _applied),
    (sp.Add, _folded(_sum_of)),
    (sp.Mul, _folded(_product_of)),
    (sp.Pow, _power),
    (sp.Sum, _sum),
    (sp.Max, _extreme(max, "max")),
    (sp.Min, _extreme(min, "min")),
    (sp.Piecewise, _piecewise),
    (sp.tan, lambda e: value_of(sp.Mul(sp.sin(*e.args), sp.Pow(sp.cos(*e.args), -1)))),
)

_FUNCTIONS: Mapping[str, Callable[[Value], Value]] = {
    "Abs": abs, "floor": _floor, "sign": _sign, "log": _logarithm,
} | {name: _analytic(name) for name in ("cos", "sin", "exp", "sinh", "cosh", "tanh")}  # fmt: skip
