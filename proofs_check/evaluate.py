"""The second witness: evaluate a SymPy formula at exact points in high precision.

It shares no code with the kernel: it reads SymPy objects itself and computes with fractions
where it can and with mpmath at `DIGITS` digits where it must. Functions are total as in the
kernel: 1/0, and sqrt and log outside their domain, are 0, and an empty sum is 0.

A relation is True, False, or None where the two sides are too close to tell. Equality holds
within the budget `SAME` relative to the larger side; a difference counts only above `APART`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

import mpmath
import sympy as sp

from theory import logic

__all__ = ["APART", "DIGITS", "SAME", "Instance", "TooLarge", "evaluate", "truth"]

DIGITS = 60
SAME = mpmath.mpf(10) ** -40
APART = mpmath.mpf(10) ** -25
MAX_TERMS = 20_000
CONTEXT = mpmath.mp.clone()
CONTEXT.dps = DIGITS

Number = Any  # Fraction or mpf


class TooLarge(Exception):
    """The instance is too large, or not of this evaluator's language."""


@dataclass(frozen=True)
class Instance:
    """Values for symbols (by name) and functions (by name, callables on exact arguments).

    `samples` gives values to try for a quantified variable that has no finite range:
    it takes (name, is_integer, arity) and returns values or callables.
    """

    values: Mapping[str, Any]
    samples: Callable[[str, bool, int], Iterable[Any]] = field(default=lambda *_: ())

    def having(self, **values: Any) -> Instance:
        """The same instance with some values replaced."""
        return Instance({**self.values, **values}, self.samples)


def _mp(value: Number) -> Any:
    if isinstance(value, Fraction):
        return CONTEXT.mpf(value.numerator) / value.denominator
    return CONTEXT.mpf(value)


def evaluate(expr: Any, at: Instance) -> Number:
    """The value of a term: a Fraction if it is exact, else an mpf."""
    if isinstance(expr, sp.Rational):
        return Fraction(int(expr.p), int(expr.q))
    if isinstance(expr, sp.Symbol):
        return at.values[expr.name]
    if isinstance(expr, sp.core.function.AppliedUndef):
        arguments = [evaluate(a, at) for a in expr.args]
        return at.values[expr.func.__name__](*arguments)
    if isinstance(expr, sp.Add):
        return _fold(expr.args, at, lambda a, b: a + b)
    if isinstance(expr, sp.Mul):
        return _fold(expr.args, at, lambda a, b: a * b)
    if isinstance(expr, sp.Pow):
        return _power(evaluate(expr.base, at), evaluate(expr.exp, at))
    if isinstance(expr, sp.Sum):
        return _sum(expr, at)
    if isinstance(expr, sp.Max | sp.Min):
        values = [evaluate(a, at) for a in expr.args]
        pick = max if isinstance(expr, sp.Max) else min
        return pick(values, key=_mp)
    if isinstance(expr, sp.Piecewise):
        return _piecewise(expr, at)
    return _function(expr, at)


def _fold(args: Iterable[Any], at: Instance, op: Callable[[Any, Any], Any]) -> Number:
    first, *rest = (evaluate(a, at) for a in args)
    for value in rest:
        if isinstance(first, Fraction) and isinstance(value, Fraction):
            first = op(first, value)
        else:
            first = op(_mp(first), _mp(value))
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
        return CONTEXT.sqrt(_mp(base)) if base > 0 else Fraction(0)
    if base <= 0:
        raise TooLarge("a power of a number that is not positive")
    return CONTEXT.power(_mp(base), _mp(exponent))


def _sum(expr: Any, at: Instance) -> Number:
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
            total = total + term if both else _mp(total) + _mp(term)
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
        return Fraction(int(CONTEXT.floor(_mp(x)))) if not isinstance(x, Fraction) else Fraction(
            x.numerator // x.denominator
        )
    if isinstance(expr, sp.log):
        return CONTEXT.log(_mp(x)) if x > 0 else Fraction(0)
    name = type(expr).__name__
    if name not in ("cos", "sin", "tan", "exp", "sinh", "cosh", "tanh"):
        raise TooLarge(f"no value for {name}")
    if name in ("exp", "sinh", "cosh") and abs(x) > 1_000_000:
        raise TooLarge("an exponential that is too large")
    if x == 0:
        return Fraction(1 if name in ("cos", "exp", "cosh") else 0)
    return getattr(CONTEXT, name)(_mp(x))


def _compare(kind: str, a: Number, b: Number) -> bool | None:
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return {"eq": a == b, "ne": a != b, "le": a <= b, "lt": a < b}[kind]
    difference = _mp(b) - _mp(a)
    size = max(abs(_mp(a)), abs(_mp(b)), CONTEXT.mpf(10) ** -30)
    same, apart = abs(difference) <= SAME * size, abs(difference) > APART * size
    if kind in ("eq", "ne"):
        return None if not same and not apart else (same if kind == "eq" else not same)
    if apart:
        return bool(difference > 0)
    return True if same and kind == "le" else None


def truth(formula: Any, at: Instance) -> bool | None:
    """Whether a formula holds at the instance; None where that cannot be told.

    A `for all` without a finite range is judged on samples: False is then certain, True means
    that no sample contradicts it. A `for some` without a finite range is True or None.
    """
    if isinstance(formula, bool | sp.logic.boolalg.BooleanAtom):
        return bool(formula)
    for kind, name in ((sp.Eq, "eq"), (sp.Ne, "ne"), (sp.Le, "le"), (sp.Lt, "lt")):
        if isinstance(formula, kind):
            return _compare(name, evaluate(formula.lhs, at), evaluate(formula.rhs, at))
    if isinstance(formula, sp.Ge | sp.Gt):
        return truth(formula.reversed, at)
    if isinstance(formula, logic.Both | sp.And):
        return _all(truth(part, at) for part in formula.args)
    if isinstance(formula, logic.Either | sp.Or):
        return _not(_all(_not(truth(part, at)) for part in formula.args))
    if isinstance(formula, logic.Negation | sp.Not):
        return _not(truth(formula.args[0], at))
    if isinstance(formula, logic.If | sp.Implies):
        premise = truth(formula.args[0], at)
        if premise is False:
            return True
        conclusion = truth(formula.args[1], at)
        return None if premise is None and not conclusion else conclusion
    if isinstance(formula, logic.Every | logic.Some):
        return _quantified(formula, at)
    raise TooLarge(f"not a formula: {formula}")


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
    variables, body = formula.args
    universal = isinstance(formula, logic.Every)
    ranges, finite = [], True
    for variable in variables:
        values = _finite_range(variable, body, universal, at)
        if values is None:
            finite = False
            symbol = variable if isinstance(variable, sp.Symbol) else variable.func
            name = symbol.name if isinstance(variable, sp.Symbol) else symbol.__name__
            arity = 0 if isinstance(variable, sp.Symbol) else len(variable.args)
            values = list(at.samples(name, bool(symbol.is_integer), arity))
        ranges.append([(_name(variable), v) for v in values])
    doubt = False
    for choice in product(*ranges):
        verdict = truth(body, at.having(**dict(choice)))
        if verdict is not None and verdict is not universal:
            return verdict
        doubt = doubt or verdict is None
    if doubt or not (finite or universal):
        return None
    return universal


def _name(variable: Any) -> str:
    return variable.name if isinstance(variable, sp.Symbol) else variable.func.__name__  # type: ignore[no-any-return]


def _finite_range(variable: Any, body: Any, universal: bool, at: Instance) -> list[Any] | None:
    """The integers between the bounds that the quantifier's guard puts on its variable."""
    if not isinstance(variable, sp.Symbol) or not variable.is_integer:
        return None
    guard = body.args[0] if universal and isinstance(body, logic.If) else body
    if universal and not isinstance(body, logic.If):
        return None
    low = high = None
    for part in _parts(guard):
        if isinstance(part, sp.Le | sp.Lt):
            shift = 1 if isinstance(part, sp.Lt) else 0
            try:
                if part.rhs == variable:
                    low = evaluate(part.lhs, at) + shift
                elif part.lhs == variable:
                    high = evaluate(part.rhs, at) - shift
            except (KeyError, TypeError):
                continue
    if low is None or high is None:
        return None
    low, high = -((-low) // 1), high // 1
    if high - low > MAX_TERMS:
        raise TooLarge("a quantifier over too long a range")
    return [Fraction(v) for v in range(int(low), int(high) + 1)]


def _parts(formula: Any) -> list[Any]:
    if isinstance(formula, logic.Both | sp.And):
        return [p for part in formula.args for p in _parts(part)]
    return [formula]
