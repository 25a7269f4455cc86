"""The second witness: evaluate a SymPy formula at exact points in high precision.

It shares no code with the kernel: it reads SymPy objects itself and computes with fractions
where it can and with mpmath at `DIGITS` digits where it must. Functions are total as in the
kernel: 1/0, and sqrt and log outside their domain, are 0, and an empty sum is 0.

A relation is True, False, or None where the two sides are too close to tell. Equality holds
within the budget `SAME` relative to the larger side, unless nothing is trusted; a difference
counts only above `APART`. A number that is not positive has the power 0 to an exponent that is
no integer (docs/notation.md).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from itertools import islice, product
from operator import add, eq, le, lt, mul, ne
from typing import Any

import mpmath
import sympy as sp
from quicktions import Fraction
from sympy.core.function import AppliedUndef

from ropeproof.proofs_check.values import (
    CONTEXT,
    WORK,
    Instance,
    Number,
    TooLarge,
    as_mpf,
    combine,
    floor_of,
    taken,
)
from ropeproof.theory import logic

__all__ = ["APART", "SAME", "evaluate", "finite_ranges", "truth"]

SAME = mpmath.mpf(10) ** -40
APART = mpmath.mpf(10) ** -25
MAX_TERMS = 20_000
MAX_CASES = 2_000  # of a quantifier and those inside it together
MAX_SAMPLES = 24  # of a quantifier without a finite range
_REMEMBERED = 100_000  # formulas whose closures are kept

Term = Callable[[Instance], Number]
Judge = Callable[[Instance], bool | None]


def evaluate(expr: Any, at: Instance) -> Number:
    """The value of a term: a Fraction if it is exact, else an mpf."""
    return _term(expr)(at)


@lru_cache(maxsize=_REMEMBERED, typed=True)
def _term(expr: Any) -> Term:
    """A term as a function of the instance: its tree is walked once, not at every point."""
    kind = type(expr)
    return next((how for base, how in _TERMS if issubclass(kind, base)), _function)(expr)


def _constant(expr: Any) -> Term:
    value = Fraction(int(expr.p), int(expr.q)) if isinstance(expr, sp.Rational) else Fraction(expr)
    return lambda _: value


def _symbol(expr: Any) -> Term:
    name = expr.name
    return lambda at: taken(at.values[name])


def _applied(expr: Any) -> Term:
    name = expr.func.__name__
    arguments = [_term(a) for a in expr.args]

    def value(at: Instance) -> Number:
        WORK.terms += 1
        return taken(at.values[name](*[argument(at) for argument in arguments]))

    return value


def _folded(op: Callable[[Any, Any], Any]) -> Callable[[Any], Term]:
    def compiled(expr: Any) -> Term:
        first, *rest = (_term(a) for a in expr.args)
        size = len(expr.args)

        def value(at: Instance) -> Number:
            WORK.terms += size
            total = first(at)
            for term in rest:
                total = combine(op, total, term(at))
            return total

        return value

    return compiled


def _power(expr: Any) -> Term:
    base, exponent = (_term(a) for a in expr.args)

    def value(at: Instance) -> Number:
        WORK.terms += 2
        return _raised(base(at), exponent(at))

    return value


def _raised(base: Number, exponent: Number) -> Number:
    if type(exponent) is Fraction and exponent.denominator == 1:
        n = int(exponent)
        if abs(n) > 10_000:
            raise TooLarge(f"power {n}")
        if n < 0 and base == 0:
            return Fraction(0)
        return base**n
    if exponent == Fraction(1, 2):
        return CONTEXT.sqrt(as_mpf(base)) if base > 0 else Fraction(0)
    if base > 0:
        return CONTEXT.power(as_mpf(base), as_mpf(exponent))
    if type(exponent) is not Fraction and abs(exponent - CONTEXT.nint(exponent)) <= APART:
        raise TooLarge("a power of a number that is not positive, perhaps to an integer")
    return Fraction(0)  # such a power is defined to be 0 if the exponent is no integer


@lru_cache(maxsize=_REMEMBERED)
def _names(expr: Any) -> tuple[str, ...]:
    """The names on whose values a sum depends."""
    symbols = {symbol.name for symbol in expr.free_symbols}
    return tuple(sorted(symbols | {f.func.__name__ for f in expr.atoms(AppliedUndef)}))


def _sum(expr: Any) -> Term:
    """A sum, remembered by the values it depends on."""
    names = _names(expr)
    function = _term(expr.function)
    limits = [(v.name, _term(low), _term(high)) for v, low, high in reversed(expr.limits)]

    def level(depth: int, inner: Instance, values: dict[str, Any]) -> Number:
        if depth == len(limits):
            return function(inner)
        name, low, high = limits[depth]
        value, last = low(inner), floor_of(high(inner))
        if type(value) is not Fraction or value.denominator != 1 or last - value > MAX_TERMS:
            raise TooLarge("a sum without integer bounds, or too long")
        total: Number = Fraction(0)
        outer = name in values
        before = values.get(name)
        while value <= last:
            values[name] = value
            total = combine(add, total, level(depth + 1, inner, values))
            value += 1
        if outer:
            values[name] = before
        else:
            values.pop(name, None)
        return total

    def value(at: Instance) -> Number:
        key = (expr, *[at.values[name] for name in names])
        found = at.sums.get(key)
        if found is None:
            WORK.terms += 1
            values = dict(at.values)
            found = at.sums[key] = level(0, at.over(values), values)
        return found

    return value


def _piecewise(expr: Any) -> Term:
    cases = [
        (_term(value), None if condition == True else _judge(condition))  # noqa: E712
        for value, condition in expr.args
    ]

    def value(at: Instance) -> Number:
        for term, condition in cases:
            verdict = True if condition is None else condition(at)
            if verdict is None:
                raise TooLarge("an undecided case")
            if verdict:
                return term(at)
        raise TooLarge("no case applies")

    return value


def _extreme(of: Callable[..., Any]) -> Callable[[Any], Term]:
    def compiled(expr: Any) -> Term:
        terms = [_term(a) for a in expr.args]
        return lambda at: of((term(at) for term in terms), key=as_mpf)

    return compiled


_TERMS: tuple[tuple[Any, Callable[[Any], Term]], ...] = (
    (int | sp.Rational, _constant),
    (sp.Symbol, _symbol),
    (AppliedUndef, _applied),
    (sp.Add, _folded(add)),
    (sp.Mul, _folded(mul)),
    (sp.Pow, _power),
    (sp.Sum, _sum),
    (sp.Max, _extreme(max)),
    (sp.Min, _extreme(min)),
    (sp.Piecewise, _piecewise),
)


def _function(expr: Any) -> Term:
    if expr is sp.pi:
        return lambda _: +CONTEXT.pi
    if expr is sp.E:
        return lambda _: CONTEXT.e + 0
    name = type(expr).__name__
    how = _FUNCTIONS.get(name)
    if how is None or len(expr.args) != 1:
        return _without_value(name)
    argument = _term(expr.args[0])

    def value(at: Instance) -> Number:
        WORK.terms += 1
        return how(argument(at))

    return value


def _without_value(name: str) -> Term:
    def value(_: Instance) -> Number:
        raise TooLarge(f"no value for {name}")

    return value


def _analytic(name: str) -> Callable[[Number], Number]:
    function = getattr(CONTEXT, name)
    at_zero = Fraction(1 if name in ("cos", "exp", "cosh") else 0)
    grows = name in ("exp", "sinh", "cosh")

    def value(x: Number) -> Number:
        if grows and abs(x) > 1_000_000:
            raise TooLarge("an exponential that is too large")
        return at_zero if x == 0 else function(as_mpf(x))

    return value


_FUNCTIONS: Mapping[str, Callable[[Number], Number]] = {
    "Abs": abs,
    "sign": lambda x: Fraction((x > 0) - (x < 0)),
    "floor": floor_of,
    "log": lambda x: CONTEXT.log(as_mpf(x)) if x > 0 else Fraction(0),
} | {name: _analytic(name) for name in ("cos", "sin", "tan", "exp", "sinh", "cosh", "tanh")}


def truth(formula: Any, at: Instance) -> bool | None:
    """Whether a formula holds at the instance; None where that cannot be told.

    A `for all` without a finite range is judged on samples: True means that no sample contradicts
    it. A `for some` without a finite range is True or None. Where the instance is not `trusting`,
    True and False are certain: a `for all` that no sample contradicts is None, and so are two
    sides that only agree to many digits.
    """
    return _judge(formula)(at)


@lru_cache(maxsize=_REMEMBERED, typed=True)
def _judge(formula: Any) -> Judge:
    """A formula as a function of the instance."""
    kind = type(formula)
    found = next((how for base, how in _JUDGES if issubclass(kind, base)), None)
    if found is None:
        raise TooLarge(f"not a formula: {kind.__name__}")
    return found(formula)


def _relation(kind: Callable[[Any, Any], bool]) -> Callable[[Any], Judge]:
    def compiled(formula: Any) -> Judge:
        left, right = (_term(a) for a in formula.args)

        def judge(at: Instance) -> bool | None:
            a, b = left(at), right(at)
            if a is b:  # one drawn value, whatever its digits
                return kind(a, a)
            if type(a) is Fraction and type(b) is Fraction:
                return kind(a, b)
            return _near(kind, as_mpf(a), as_mpf(b), at.trusting)

        return judge

    return compiled


def _near(kind: Callable[[Any, Any], bool], a: Any, b: Any, trusting: bool) -> bool | None:
    difference = b - a
    size = max(abs(a), abs(b), _SMALLEST)
    same, apart = trusting and abs(difference) <= SAME * size, abs(difference) > APART * size
    if kind in (eq, ne):
        return None if not same and not apart else (same if kind is eq else not same)
    if apart:
        return bool(difference > 0)
    return True if same and kind is le else None


_SMALLEST = CONTEXT.mpf(10) ** -30


def _implication(formula: Any) -> Judge:
    premise, conclusion = (_judge(part) for part in formula.args)

    def judge(at: Instance) -> bool | None:
        given = premise(at)
        if given is False:
            return True
        found = conclusion(at)
        return None if given is None and not found else found

    return judge


def _joined(decisive: bool) -> Callable[[Any], Judge]:
    """`and`, decided by one part that is False, or `or`, by one that is True."""

    def compiled(formula: Any) -> Judge:
        parts = [_judge(part) for part in formula.args]

        def judge(at: Instance) -> bool | None:
            doubt = False
            for part in parts:
                verdict = part(at)
                if verdict is decisive:
                    return decisive
                doubt = doubt or verdict is None
            return None if doubt else not decisive

        return judge

    return compiled


def _negation(formula: Any) -> Judge:
    part = _judge(formula.args[0])

    def judge(at: Instance) -> bool | None:
        verdict = part(at)
        return None if verdict is None else not verdict

    return judge


def _quantified(formula: Any) -> Judge:
    def judge(at: Instance) -> bool | None:
        if WORK.depth == 0:
            WORK.cases = 0
        WORK.depth += 1
        try:
            return cases(at)
        finally:
            WORK.depth -= 1

    variables, body = formula.args
    universal = isinstance(formula, logic.Every)
    judged = _judge(body)
    named = [(_name(v), bool(v.is_integer), _arity(v)) for v in variables]

    def cases(at: Instance) -> bool | None:
        known = finite_ranges(variables, body, universal, at)
        finite = len(known) == len(named) or [] in known.values()
        ranges = [
            known[name] if name in known else at.samples(name, integer, arity)
            for name, integer, arity in named
        ]
        values = dict(at.values)
        inner = at.over(values)
        doubt = False
        choices = product(*ranges)
        for choice in choices if finite else islice(choices, MAX_SAMPLES):
            WORK.cases += 1
            if WORK.cases > MAX_CASES:
                raise TooLarge("a quantifier over too many cases")
            for (name, _, _), value in zip(named, choice, strict=True):
                values[name] = value
            verdict = judged(inner)
            if verdict is not None and verdict is not universal:
                return verdict
            doubt = doubt or verdict is None
        if doubt or not (finite or (universal and at.trusting)):
            return None
        return universal

    return judge


_JUDGES: tuple[tuple[Any, Callable[[Any], Judge]], ...] = (
    (bool | sp.logic.boolalg.BooleanAtom, lambda f: lambda _: bool(f)),
    (sp.Eq, _relation(eq)),
    (sp.Ne, _relation(ne)),
    (sp.Le, _relation(le)),
    (sp.Lt, _relation(lt)),
    (sp.Ge | sp.Gt, lambda f: _judge(f.reversed)),
    (logic.Both | sp.And, _joined(False)),
    (logic.Either | sp.Or, _joined(True)),
    (logic.Negation | sp.Not, _negation),
    (logic.If | sp.Implies, _implication),
    (logic.Every | logic.Some, _quantified),
)


def _name(variable: Any) -> str:
    return variable.name if isinstance(variable, sp.Symbol) else variable.func.__name__  # type: ignore[no-any-return]


def _arity(variable: Any) -> int:
    return 0 if isinstance(variable, sp.Symbol) else len(variable.args)


def finite_ranges(
    variables: Any, body: Any, universal: bool, at: Instance
) -> dict[str, list[Fraction]]:
    """The integers between the bounds that the quantifier's guard puts on its variables.

    A bound that is another variable, or that plus a constant, counts with that variable's own
    outermost bound. Any other bound that names a variable of the quantifier is left out.
    """
    bound, integers, guards = _guards(tuple(variables), body, universal)
    if not guards:
        return {}
    low: dict[str, Fraction] = {}
    high: dict[str, Fraction] = {}
    outside = {k: v for k, v in at.values.items() if k not in bound}
    lowest_values, highest_values = dict(outside), dict(outside)
    lowest, highest = Instance(lowest_values, at.samples), Instance(highest_values, at.samples)
    for _ in integers:
        for name, is_low, strict, other in guards:
            with suppress(KeyError):
                if is_low:
                    value = other(lowest)
                    first = floor_of(value) + 1 if strict else -floor_of(-value)
                    low[name] = lowest_values[name] = max(low.get(name, first), first)
                else:
                    value = other(highest)
                    last = -floor_of(-value) - 1 if strict else floor_of(value)
                    high[name] = highest_values[name] = min(high.get(name, last), last)
    found = {}
    for name in integers:
        if name in low and name in high:
            if high[name] - low[name] > MAX_TERMS:
                raise TooLarge("a quantifier over too long a range")
            found[name] = [Fraction(v) for v in range(int(low[name]), int(high[name]) + 1)]
    return found


@lru_cache(maxsize=_REMEMBERED)
def _guards(
    variables: tuple[Any, ...], body: Any, universal: bool
) -> tuple[set[str], list[str], list[tuple[str, bool, bool, Term]]]:
    """The names a quantifier binds, its integers, and their bounds: (name, is_low, strict, term)."""
    bound = {_name(v) for v in variables}
    integers = {v.name: v for v in variables if isinstance(v, sp.Symbol) and v.is_integer}
    found: list[tuple[str, bool, bool, Term]] = []
    if universal and not isinstance(body, logic.If):
        return bound, [], found
    for part in _parts(body.args[0] if universal else body):
        if not isinstance(part, sp.Le | sp.Lt):
            continue
        strict = isinstance(part, sp.Lt)
        for name, variable in integers.items():
            if part.rhs == variable and _moves_with(part.lhs, bound):
                found.append((name, True, strict, _term(part.lhs)))
            elif part.lhs == variable and _moves_with(part.rhs, bound):
                found.append((name, False, strict, _term(part.rhs)))
    return bound, list(integers), found


def _moves_with(other: Any, bound: set[str]) -> bool:
    """Whether a bound names no variable of the quantifier, or is one of them plus a constant."""
    named = bound & set(_names(other))
    if not named or isinstance(other, sp.Symbol):
        return True
    summands = other.args if isinstance(other, sp.Add) else ()
    alone = [part for part in summands if isinstance(part, sp.Symbol) and part.name in named]
    return len(alone) == 1 and not any(
        bound & set(_names(part)) for part in summands if part is not alone[0]
    )


def _parts(formula: Any) -> list[Any]:
    if isinstance(formula, logic.Both | sp.And):
        return [p for part in formula.args for p in _parts(part)]
    return [formula]
