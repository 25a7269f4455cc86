"""Terms as functions of the instance: a tree is walked once, not at every point."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from operator import attrgetter
from typing import Any

import gmpy2
import sympy as sp
from sympy.core.function import AppliedUndef

from ropeproof.proofs_check.semantics.evaluate.compound import (
    MOST_ADDED,
    REMEMBERED,
    AddedNumbers,
    Term,
    by_cases,
    sum_of,
)
from ropeproof.proofs_check.semantics.values import (
    BITS,
    CONTEXT,
    MOST_BITS,
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

__all__ = ["APART", "value_of"]

APART = gmpy2.mpfr("1e-25", BITS)
_VALUES = 50_000  # values of cos, exp and their like that are kept
_FAR = Fraction(2**10_000)  # an angle beyond which as many digits of pi would be needed
_ONE, _HALF = Fraction(1), Fraction(1, 2)

_add, _multiply, _power_of = CONTEXT.add, CONTEXT.mul, CONTEXT.pow


@lru_cache(maxsize=REMEMBERED, typed=True)
def value_of(expr: Any) -> Term:
    """A term as a function of the instance."""
    kind = type(expr)
    return next((how for base, how in _TERMS if issubclass(kind, base)), _function)(expr)


def _constant(expr: Any) -> Term:
    value = _number(expr)
    return lambda _: value


def _number(expr: Any) -> Fraction:
    return Fraction(int(expr.p), int(expr.q)) if isinstance(expr, sp.Rational) else Fraction(expr)


def _symbol(expr: Any) -> Term:
    name = expr.name
    return lambda at: at.values[name]


def _applied(expr: Any) -> Term:
    name = expr.func.__name__
    arguments = [value_of(a) for a in expr.args]
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


def _folded(op: Callable[[Any, Any], Any]) -> Callable[[Any], Term]:
    def compiled(expr: Any) -> Term:
        first, *rest = (value_of(a) for a in expr.args)
        size = len(expr.args)
        if size == 2 and isinstance(expr.args[0], sp.Rational):
            constant, (second,) = _number(expr.args[0]), rest

            def scaled(at: Instance) -> Number:
                WORK.terms += 2
                return op(constant, second(at))

            return scaled
        if size == 2:
            (second,) = rest

            def pair(at: Instance) -> Number:
                WORK.terms += 2
                return op(first(at), second(at))

            return pair

        def value(at: Instance) -> Number:
            WORK.terms += size
            total = first(at)
            for term in rest:
                total = op(total, term(at))
            return total

        return value

    return compiled


def _power(expr: Any) -> Term:
    base, exponent = (value_of(a) for a in expr.args)
    open_at_0 = not _adds_up(expr.base)
    if expr.exp == -1:

        def inverse(at: Instance) -> Number:
            WORK.terms += 2
            found = base(at)
            if open_at_0 and not at.trusting:
                _told(found)
            return CONTEXT.div(_ONE, found) if found else ZERO

        return inverse
    if expr.exp == 2:

        def square(at: Instance) -> Number:
            WORK.terms += 2
            found = base(at)
            if type(found) is Fraction and bits_of(found) > MOST_BITS:
                found = as_real(found)
            return _multiply(found, found)

        return square

    def value(at: Instance) -> Number:
        WORK.terms += 2
        found, power = base(at), exponent(at)
        if open_at_0 and power < 0 and not at.trusting:
            _told(found)
        return _raised(found, power)

    return value


def _raised(base: Number, exponent: Number) -> Number:
    if type(exponent) is Fraction and exponent.denominator == 1:
        n = int(exponent)
        if abs(n) > 10_000:
            raise TooLarge(f"power {n}")
        if n < 0 and base == 0:
            return ZERO
        if type(base) is Fraction and bits_of(base) * abs(n) > MOST_BITS:
            base = as_real(base)
        return _power_of(base, n)
    if exponent == _HALF:
        return CONTEXT.sqrt(as_real(base)) if base > 0 else ZERO
    if base > 0:
        return CONTEXT.plus(_kept_power(base, exponent))
    if type(exponent) is not Fraction and abs_of(_from_integer(exponent)) <= APART:
        raise TooLarge("a power of a number that is not positive, perhaps to an integer")
    return ZERO  # such a power is defined to be 0 if the exponent is no integer


@lru_cache(maxsize=_VALUES)
def _kept_power(base: Number, exponent: Number) -> Number:
    return _power_of(as_real(base), as_real(exponent))


def _adds_up(expr: Any) -> bool:
    """Whether nothing cancels in the term: its digits say its sign, however small it is."""
    if isinstance(expr, sp.exp | sp.Pow):
        return isinstance(expr, sp.exp) or _adds_up(expr.base)
    if isinstance(expr, sp.Sum):
        return _adds_up(expr.function)
    if isinstance(expr, sp.Add | sp.Mul):
        return all(map(_adds_up, expr.args))
    return expr in (sp.pi, sp.E) or (isinstance(expr, sp.Rational) and expr > 0)


def _told(x: Number) -> Number:
    """The number where it matters whether it is 0. Raises `TooLarge` where digits leave that open."""
    if type(x) is not Fraction and abs_of(x) <= APART:
        raise TooLarge("a number that may be 0, where that decides")
    return x


def _from_integer(value: Number) -> Number:
    return CONTEXT.sub(value, CONTEXT.rint(value))


def _sum(expr: Any) -> Term:
    return sum_of(expr, _NUMBERS)


def _piecewise(expr: Any) -> Term:
    from ropeproof.proofs_check.semantics.evaluate.rounded import judge_of

    return by_cases(expr, value_of, judge_of)


def _extreme(of: Callable[..., Any]) -> Callable[[Any], Term]:
    def compiled(expr: Any) -> Term:
        terms = [value_of(a) for a in expr.args]
        return lambda at: of([term(at) for term in terms])

    return compiled


def _function(expr: Any) -> Term:
    if expr is sp.pi:
        return lambda _: CONTEXT.plus(_PI)
    if expr is sp.E:
        return lambda _: CONTEXT.plus(_E)
    name = type(expr).__name__
    how = _FUNCTIONS.get(name)
    if how is None or len(expr.args) != 1:
        return _without_value(name)
    argument = value_of(expr.args[0])

    def value(at: Instance) -> Number:
        WORK.terms += 1
        return how(argument(at))

    return value


_PI, _E = gmpy2.const_pi(BITS), CONTEXT.exp(_ONE)


def _without_value(name: str) -> Term:
    def value(_: Instance) -> Number:
        raise TooLarge(f"no value for {name}")

    return value


def _analytic(name: str) -> Callable[[Number], Number]:
    function = lru_cache(maxsize=_VALUES)(getattr(CONTEXT, name))
    at_zero = Fraction(1 if name in ("cos", "exp", "cosh") else 0)
    turns = name in ("cos", "sin")
    grows = name in ("exp", "sinh", "cosh")

    def value(x: Number) -> Number:
        if not x:
            return at_zero
        if grows and not -1_000_000 <= x <= 1_000_000:
            raise TooLarge("an exponential that is too large")
        if turns and not -_FAR <= x <= _FAR:
            raise TooLarge("an angle that is too large")
        # Two arguments that agree to all digits may differ: only one drawn value is the same one.
        return CONTEXT.plus(function(x))

    return value


abs_of = CONTEXT.abs


def _floor(x: Number, trusting: bool) -> Fraction:
    """The floor, exact. What is not exact and agrees with an integer to many digits is that integer.

    Raises `TooLarge` there if agreement of digits is not to be trusted.
    """
    if type(x) is not Fraction and abs_of(_from_integer(x)) <= times(APART, max(abs_of(x), _ONE)):
        if not trusting:
            raise TooLarge("the floor of a number that may be an integer")
        return Fraction(CONTEXT.rint(x))
    return floor_of(x)


_NUMBERS = AddedNumbers(value_of, _add, _floor, attrgetter("trusting"), WORK, MOST_ADDED)


def _floored(expr: Any) -> Term:
    argument = value_of(expr.args[0])

    def value(at: Instance) -> Number:
        WORK.terms += 1
        return _floor(argument(at), at.trusting)

    return value


def _with_jump(expr: Any) -> Term:
    """A function that jumps at 0."""
    how, argument = _JUMPING[type(expr).__name__], value_of(expr.args[0])
    open_at_0 = not _adds_up(expr.args[0])

    def value(at: Instance) -> Number:
        WORK.terms += 1
        found = argument(at)
        return how(_told(found) if open_at_0 and not at.trusting else found)

    return value


def _logarithm(x: Number) -> Number:
    """0 for what is not positive, and exactly 0 for 1 itself."""
    if x <= 0 or (isinstance(x, Fraction) and x == 1):
        return ZERO
    return CONTEXT.log(as_real(x))


_TERMS: tuple[tuple[Any, Callable[[Any], Term]], ...] = (
    (int | sp.Rational, _constant),
    (sp.Symbol, _symbol),
    (AppliedUndef, _applied),
    (sp.Add, _folded(_add)),
    (sp.Mul, _folded(times)),
    (sp.Pow, _power),
    (sp.Sum, _sum),
    (sp.Max, _extreme(max)),
    (sp.Min, _extreme(min)),
    (sp.Piecewise, _piecewise),
    (sp.floor, _floored),
    (sp.sign | sp.log, _with_jump),
    (sp.tan, lambda e: value_of(sp.Mul(sp.sin(*e.args), sp.Pow(sp.cos(*e.args), -1)))),
)

_JUMPING: Mapping[str, Callable[[Number], Number]] = {
    "sign": lambda x: Fraction((x > 0) - (x < 0)),
    "log": _logarithm,
}

_FUNCTIONS: Mapping[str, Callable[[Number], Number]] = {
    "Abs": abs_of,
} | {name: _analytic(name) for name in ("cos", "sin", "exp", "sinh", "cosh", "tanh")}
