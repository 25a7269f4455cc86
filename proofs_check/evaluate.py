"""The second witness: evaluate a SymPy formula at exact points in high precision.

It shares no code with the kernel: it reads SymPy objects itself and computes with fractions
where it can and with mpmath at `DIGITS` digits where it must. Functions are total as in the
kernel: 1/0, and sqrt and log outside their domain, are 0, and an empty sum is 0.

A relation is True, False, or None where the two sides are too close to tell. Equality holds
within the budget `SAME` relative to the larger side; a difference counts only above `APART`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import islice, product
from operator import add, mul
from typing import Any

import mpmath
import sympy as sp
from sympy.core.function import AppliedUndef

from theory import logic

__all__ = [
    "APART",
    "DIGITS",
    "SAME",
    "Instance",
    "TooLarge",
    "as_mpf",
    "effort",
    "evaluate",
    "finite_ranges",
    "truth",
]

DIGITS = 60
SAME = mpmath.mpf(10) ** -40
APART = mpmath.mpf(10) ** -25
MAX_TERMS = 20_000
MAX_CASES = 2_000  # of a quantifier and those inside it together
MAX_SAMPLES = 24  # of a quantifier without a finite range
CONTEXT = mpmath.mp.clone()
CONTEXT.dps = DIGITS

Number = Any  # Fraction or mpf


class TooLarge(Exception):
    """The instance is too large, or not of this evaluator's language."""


@dataclass(frozen=True)
class Instance:
    """Values for symbols (by name) and functions (by name, callables on exact arguments).

    `samples` gives values to try for a quantified variable that has no finite range:
    it takes (name, is_integer, arity) and returns values or callables. If `trusting` is False, a
    `for all` that no sample contradicts is undecided.
    """

    values: Mapping[str, Any]
    samples: Callable[[str, bool, int], Iterable[Any]] = field(default=lambda *_: ())
    sums: dict[Any, Number] = field(default_factory=dict, compare=False, repr=False)
    trusting: bool = True

    def having(self, **values: Any) -> Instance:
        """The same instance with some values replaced."""
        return Instance({**self.values, **values}, self.samples, self.sums, self.trusting)


class _Effort:
    """Terms evaluated since the start, and cases that the outermost quantifier has cost so far."""

    terms = 0
    cases = 0
    depth = 0


def effort() -> int:
    """How many terms have been evaluated: a measure of work that is the same on every machine."""
    return _Effort.terms


def as_mpf(value: Number) -> Any:
    """The value in working precision."""
    if isinstance(value, Fraction):
        return CONTEXT.mpf(value.numerator) / value.denominator
    return CONTEXT.mpf(value)


def evaluate(expr: Any, at: Instance) -> Number:
    """The value of a term: a Fraction if it is exact, else an mpf."""
    _Effort.terms += 1
    return _evaluator(type(expr))(expr, at)


_KNOWN_EVALUATORS: dict[Any, Callable[[Any, Instance], Number]] = {}
_KNOWN_JUDGES: dict[Any, Callable[[Any, Instance], bool | None]] = {}


def _evaluator(kind: Any) -> Callable[[Any, Instance], Number]:
    """How to evaluate expressions of one SymPy class."""
    if kind not in _KNOWN_EVALUATORS:
        found = (how for base, how in _EVALUATORS if issubclass(kind, base))
        _KNOWN_EVALUATORS[kind] = next(found, _function)
    return _KNOWN_EVALUATORS[kind]


def _fold(args: Iterable[Any], at: Instance, op: Callable[[Any, Any], Any]) -> Number:
    first, *rest = (evaluate(a, at) for a in args)
    for value in rest:
        if isinstance(first, Fraction) and isinstance(value, Fraction):
            first = op(first, value)
        else:
            first = op(as_mpf(first), as_mpf(value))
    return first


def _power(base: Number, exponent: Number) -> Number:
    if isinstance(exponent, Fraction) and exponent.denominator == 1:
        n = int(exponent)
        if abs(n) > 10_000:
            raise TooLarge(f"power {n}")
        if n < 0 and base == 0:
            return Fraction(0)
        return base**n
    if exponent == Fraction(1, 2):
        return CONTEXT.sqrt(as_mpf(base)) if base > 0 else Fraction(0)
    if base <= 0:
        raise TooLarge("a power of a number that is not positive")
    return CONTEXT.power(as_mpf(base), as_mpf(exponent))


@lru_cache(maxsize=20_000)
def _names(expr: Any) -> tuple[str, ...]:
    """The names on whose values a sum depends."""
    symbols = {symbol.name for symbol in expr.free_symbols}
    return tuple(sorted(symbols | {f.func.__name__ for f in expr.atoms(AppliedUndef)}))


def _sum(expr: Any, at: Instance) -> Number:
    """A sum, remembered by the values it depends on."""
    key = (expr, *(at.values[name] for name in _names(expr)))
    if key not in at.sums:
        at.sums[key] = _add_up(expr, at)
    return at.sums[key]


def _add_up(expr: Any, at: Instance) -> Number:
    def level(limits: tuple[Any, ...], inner: Instance) -> Number:
        if not limits:
            return evaluate(expr.function, inner)
        variable, low, high = limits[-1]
        first, last = (evaluate(e, inner) for e in (low, high))
        if first.denominator != 1 or last - first > MAX_TERMS:
            raise TooLarge("a sum without integer bounds, or too long")
        total: Number = Fraction(0)
        value = first
        while value <= last:
            term = level(limits[:-1], inner.having(**{variable.name: value}))
            both = isinstance(total, Fraction) and isinstance(term, Fraction)
            total = total + term if both else as_mpf(total) + as_mpf(term)
            value += 1
        return total

    return level(tuple(expr.limits), at)


def _piecewise(expr: Any, at: Instance) -> Number:
    for value, condition in expr.args:
        verdict = True if condition == True else truth(condition, at)  # noqa: E712
        if verdict is None:
            raise TooLarge("an undecided case")
        if verdict:
            return evaluate(value, at)
    raise TooLarge("no case applies")


_EVALUATORS: tuple[tuple[Any, Callable[[Any, Instance], Number]], ...] = (
    (int, lambda e, at: Fraction(int(e))),
    (sp.Rational, lambda e, at: Fraction(int(e.p), int(e.q))),
    (sp.Symbol, lambda e, at: at.values[e.name]),
    (
        sp.core.function.AppliedUndef,
        lambda e, at: at.values[type(e).__name__](*[evaluate(a, at) for a in e.args]),
    ),
    (sp.Add, lambda e, at: _fold(e.args, at, add)),
    (sp.Mul, lambda e, at: _fold(e.args, at, mul)),
    (sp.Pow, lambda e, at: _power(evaluate(e.args[0], at), evaluate(e.args[1], at))),
    (sp.Sum, _sum),
    (sp.Max, lambda e, at: max((evaluate(a, at) for a in e.args), key=as_mpf)),
    (sp.Min, lambda e, at: min((evaluate(a, at) for a in e.args), key=as_mpf)),
    (sp.Piecewise, _piecewise),
)


def _function(expr: Any, at: Instance) -> Number:
    if expr is sp.pi:
        return +CONTEXT.pi
    if expr is sp.E:
        return CONTEXT.e + 0
    if len(expr.args) != 1:
        raise TooLarge(f"no value for {type(expr).__name__}")
    x = evaluate(expr.args[0], at)
    if isinstance(expr, sp.Abs):
        return abs(x)
    if isinstance(expr, sp.sign):
        return Fraction((x > 0) - (x < 0))
    if isinstance(expr, sp.floor):
        return (
            Fraction(int(CONTEXT.floor(as_mpf(x))))
            if not isinstance(x, Fraction)
            else Fraction(x.numerator // x.denominator)
        )
    if isinstance(expr, sp.log):
        return CONTEXT.log(as_mpf(x)) if x > 0 else Fraction(0)
    name = type(expr).__name__
    if name not in ("cos", "sin", "tan", "exp", "sinh", "cosh", "tanh"):
        raise TooLarge(f"no value for {name}")
    if name in ("exp", "sinh", "cosh") and abs(x) > 1_000_000:
        raise TooLarge("an exponential that is too large")
    if x == 0:
        return Fraction(1 if name in ("cos", "exp", "cosh") else 0)
    return getattr(CONTEXT, name)(as_mpf(x))


def _compare(kind: str, a: Number, b: Number) -> bool | None:
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return {"eq": a == b, "ne": a != b, "le": a <= b, "lt": a < b}[kind]
    difference = as_mpf(b) - as_mpf(a)
    size = max(abs(as_mpf(a)), abs(as_mpf(b)), CONTEXT.mpf(10) ** -30)
    same, apart = abs(difference) <= SAME * size, abs(difference) > APART * size
    if kind in ("eq", "ne"):
        return None if not same and not apart else (same if kind == "eq" else not same)
    if apart:
        return bool(difference > 0)
    return True if same and kind == "le" else None


def truth(formula: Any, at: Instance) -> bool | None:
    """Whether a formula holds at the instance; None where that cannot be told.

    A `for all` without a finite range is judged on samples: False is then certain, True means
    that no sample contradicts it (where the instance is not `trusting`, None). A `for some`
    without a finite range is True or None.
    """
    return _judge(type(formula))(formula, at)


def _judge(kind: Any) -> Callable[[Any, Instance], bool | None]:
    """How to judge formulas of one class."""
    if kind not in _KNOWN_JUDGES:
        found = next((how for base, how in _JUDGES if issubclass(kind, base)), None)
        if found is None:
            raise TooLarge(f"not a formula: {kind.__name__}")
        _KNOWN_JUDGES[kind] = found
    return _KNOWN_JUDGES[kind]


def _relation(kind: str) -> Callable[[Any, Instance], bool | None]:
    return lambda f, at: _compare(kind, evaluate(f.args[0], at), evaluate(f.args[1], at))


def _implication(formula: Any, at: Instance) -> bool | None:
    premise = truth(formula.args[0], at)
    if premise is False:
        return True
    conclusion = truth(formula.args[1], at)
    return None if premise is None and not conclusion else conclusion


def _not(value: bool | None) -> bool | None:
    return None if value is None else not value


def _all(values: Iterable[bool | None]) -> bool | None:
    doubt = False
    for value in values:
        if value is False:
            return False
        doubt = doubt or value is None
    return None if doubt else True


def _quantified(formula: Any, at: Instance) -> bool | None:
    if _Effort.depth == 0:
        _Effort.cases = 0
    _Effort.depth += 1
    try:
        return _judge_cases(formula, at)
    finally:
        _Effort.depth -= 1


def _judge_cases(formula: Any, at: Instance) -> bool | None:
    variables, body = formula.args
    universal = isinstance(formula, logic.Every)
    known = finite_ranges(variables, body, universal, at)
    finite = len(known) == len(variables) or [] in known.values()
    ranges = []
    for variable in variables:
        name = _name(variable)
        values: Iterable[Any] = known.get(name, ())
        if name not in known:
            symbol = isinstance(variable, sp.Symbol)
            arity = 0 if symbol else len(variable.args)
            values = at.samples(name, bool(variable.is_integer), arity)
        ranges.append([(name, v) for v in values])
    doubt = False
    choices = product(*ranges)
    for choice in choices if finite else islice(choices, MAX_SAMPLES):
        _Effort.cases += 1
        if _Effort.cases > MAX_CASES:
            raise TooLarge("a quantifier over too many cases")
        verdict = truth(body, at.having(**dict(choice)))
        if verdict is not None and verdict is not universal:
            return verdict
        doubt = doubt or verdict is None
    if doubt or not (finite or (universal and at.trusting)):
        return None
    return universal


_JUDGES: tuple[tuple[Any, Callable[[Any, Instance], bool | None]], ...] = (
    (bool, lambda f, at: f),
    (sp.logic.boolalg.BooleanAtom, lambda f, at: bool(f)),
    (sp.Eq, _relation("eq")),
    (sp.Ne, _relation("ne")),
    (sp.Le, _relation("le")),
    (sp.Lt, _relation("lt")),
    (sp.Ge | sp.Gt, lambda f, at: truth(f.reversed, at)),
    (logic.Both | sp.And, lambda f, at: _all(truth(part, at) for part in f.args)),
    (
        logic.Either | sp.Or,
        lambda f, at: _not(_all(_not(truth(part, at)) for part in f.args)),
    ),
    (logic.Negation | sp.Not, lambda f, at: _not(truth(f.args[0], at))),
    (logic.If | sp.Implies, _implication),
    (logic.Every | logic.Some, _quantified),
)


def _name(variable: Any) -> str:
    return variable.name if isinstance(variable, sp.Symbol) else variable.func.__name__  # type: ignore[no-any-return]


def finite_ranges(
    variables: Any, body: Any, universal: bool, at: Instance
) -> dict[str, list[Fraction]]:
    """The integers between the bounds that the quantifier's guard puts on its variables.

    A bound that is another variable, or that plus a constant, counts with that variable's own
    outermost bound. Any other bound that names a variable of the quantifier is left out.
    """
    if universal and not isinstance(body, logic.If):
        return {}
    guard = [
        part
        for part in _parts(body.args[0] if universal else body)
        if isinstance(part, sp.Le | sp.Lt)
    ]
    integers = {v.name: v for v in variables if isinstance(v, sp.Symbol) and v.is_integer}
    low: dict[str, Fraction] = {}
    high: dict[str, Fraction] = {}
    bound = {_name(v) for v in variables}
    outside = Instance({k: v for k, v in at.values.items() if k not in bound}, at.samples)
    for _ in integers:
        for part in guard:
            strict = isinstance(part, sp.Lt)
            for name, variable in integers.items():
                with suppress(KeyError):
                    if part.rhs == variable and _moves_with(part.lhs, bound):
                        value = evaluate(part.lhs, outside.having(**low))
                        first = _floor(value) + 1 if strict else -_floor(-value)
                        low[name] = max(low.get(name, first), first)
                    elif part.lhs == variable and _moves_with(part.rhs, bound):
                        value = evaluate(part.rhs, outside.having(**high))
                        last = -_floor(-value) - 1 if strict else _floor(value)
                        high[name] = min(high.get(name, last), last)
    found = {}
    for name in integers:
        if name in low and name in high:
            if high[name] - low[name] > MAX_TERMS:
                raise TooLarge("a quantifier over too long a range")
            found[name] = [Fraction(v) for v in range(int(low[name]), int(high[name]) + 1)]
    return found


def _floor(value: Number) -> Fraction:
    return Fraction(value // 1 if isinstance(value, Fraction) else int(CONTEXT.floor(value)))


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
