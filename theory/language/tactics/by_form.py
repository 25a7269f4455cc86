"""Rules suggested by the form of a goal and the known facts, where arithmetic is not enough."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import sympy as sp
from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language import derivation as rules
from ropeproof.theory.language.derivation import Rule
from ropeproof.theory.language.logic import Both, eq, integer, le, lt, real, real_function
from sympy.core.function import AppliedUndef

__all__ = ["boxes", "by_form", "monotone_image", "times_factor", "triangle"]

_SYMBOLS = real("x y")
"""The symbols of the lemmas `exp.monotone`, `exp.strictly-monotone`, `exp.log-monotone`."""
_X, (_K, _A, _B), _F = real("x"), integer("k a b"), real_function("f")
"""The symbols of the lemmas `sums.power-at-least-one` and `sums.empty`."""
_N, _G = integer("n"), real_function("f")
"""The symbols of the lemmas `floor.value` and `sums.triangle`."""
_ORDERED = real("x y t")
"""The symbols of the lemma `order.times`."""
_SHARP = (4, 6)  # of pi: the parts whose cosine or sine is half of a root


def by_form(goal: Any, known: Collection[Any]) -> Rule | None:
    """The rule for f(a) = f(b) from a = b, exp(a) <= exp(b) from a <= b, and the like, or None.

    The same holds for <, and for log, whose lemma also needs a premise for 0 < a; 1 is exp(0). Further:
    1 <= x^k from 0 <= k, whose lemma needs 1 <= x; a sum without terms is 0, from b < a. A floor, a
    cosine of pi/4 or pi/6 and a sum over a triangle in the other order each have a lemma.
    """
    if isinstance(goal, sp.Eq):
        return (
            _same_function(goal, known)
            or _no_terms(goal, known)
            or _floor(goal)
            or _exact_value(goal)
            or _other_order(goal)
        )
    if isinstance(goal, sp.Le) and goal.lhs == 1 and isinstance(goal.rhs, sp.Pow):
        base, exponent = goal.rhs.args
        if le(0, exponent) in known:
            return rules.by_claim("sums.power-at-least-one", {_X: base, _K: exponent})
    if isinstance(goal, sp.Le | sp.Lt):
        strict = isinstance(goal, sp.Lt)
        exponents = [_inside(sp.exp, side) for side in goal.args]
        logarithms = [_inside(sp.log, side) for side in goal.args]
        if _ordered(exponents, strict, known):
            name = "exp.strictly-monotone" if strict else "exp.monotone"
            return rules.by_claim(name, dict(zip(_SYMBOLS, exponents, strict=True)))
        if not strict and _ordered(logarithms, strict, known):
            return rules.by_claim("exp.log-monotone", dict(zip(_SYMBOLS, logarithms, strict=True)))
    return None


def times_factor(small: Any, large: Any, factor: Any) -> Rule:
    """The rule for `small factor <= large factor`, whose lemma needs 0 <= factor."""
    return rules.by_claim("order.times", dict(zip(_ORDERED, (small, large, factor), strict=True)))


def monotone_image(function: Any, order: Any) -> tuple[Any, Rule]:
    """The goal and rule for exp of `x <= y` or `x < y`, or for log of `x <= y`.

    The lemma of log needs 0 < x as well. Raises `InvalidClaim` for another function or formula.
    """
    name = {
        (sp.exp, sp.Le): "exp.monotone",
        (sp.exp, sp.Lt): "exp.strictly-monotone",
        (sp.log, sp.Le): "exp.log-monotone",
    }.get((function, type(order)))
    if name is None:
        raise InvalidClaim(
            f"image: the function {function} of {order}; allowed: any function of an equation, exp of "
            "an inequality, log of an inequality by <="
        )
    goal = type(order)(*(_as_written(function, side) for side in order.args), evaluate=False)
    return goal, rules.by_claim(name, dict(zip(_SYMBOLS, order.args, strict=True)))


def _as_written(function: Any, term: Any) -> Any:
    """The function at the term, kept unevaluated where SymPy would cancel it with an inverse."""
    value = function(term)
    return value if value.func == function or value.is_Number else function(term, evaluate=False)


def _inside(function: Any, side: Any) -> Any:
    """The argument of the function in the side, None if it is another term; 1 is exp(0)."""
    if isinstance(side, function):
        return side.args[0]
    return sp.Integer(0) if function is sp.exp and side == 1 else None


def _ordered(ends: list[Any], strict: bool, known: Collection[Any]) -> bool:
    if None in ends or ends[0] == ends[1]:
        return False
    return lt(*ends) in known or (not strict and le(*ends) in known)


def _same_function(goal: Any, known: Collection[Any]) -> Rule | None:
    left, right = goal.args
    if not all(isinstance(side, AppliedUndef) for side in goal.args) or left.func != right.func:
        return None
    pairs = [(a, b) for a, b in zip(left.args, right.args, strict=True) if a != b]
    return rules.rewrite() if pairs and all(eq(a, b) in known for a, b in pairs) else None


def _no_terms(goal: Any, known: Collection[Any]) -> Rule | None:
    """The rule for an equation of a single sum with 0, whose range is known to be empty."""
    total, zero = goal.args
    if zero != 0 or not isinstance(total, sp.Sum) or len(total.limits) != 1:
        return None
    index, low, high = total.limits[0]
    if lt(high, low) not in known:
        return None
    values = {_A: low, _B: high, _F: sp.Lambda(index, total.function)}
    return rules.by_claim("sums.empty", values)


def _floor(goal: Any) -> Rule | None:
    """The rule for an equation of a floor with an integer."""
    value, whole = goal.args
    if not isinstance(value, sp.floor) or not whole.is_integer:
        return None
    return rules.by_claim("floor.value", {_X: value.args[0], _N: whole})


def _exact_value(goal: Any) -> Rule | None:
    """The rule for a cosine or sine of a part of pi whose value is a root."""
    value, other = goal.args
    if not isinstance(value, sp.cos | sp.sin) or other.has(sp.cos, sp.sin):
        return None
    part = value.args[0] / sp.pi
    if not part.is_Rational or not any((part * q).is_Integer for q in _SHARP):
        return None
    exact = value.func(value.args[0])
    return rules.by_claim("trig.exact-values") if exact.has(sp.Pow) else None


def _other_order(goal: Any) -> Rule | None:
    """The rule for the equation of a sum over a triangle with the same sum in the other order."""
    found = triangle(goal.lhs)
    return found[1] if found and found[0] == goal.rhs else None


def triangle(total: Any) -> tuple[Any, Rule] | None:
    """The sum over a <= l <= k <= b in the other order, and the rule; None for other sums."""
    if not isinstance(total, sp.Sum) or len(total.limits) != 2:
        return None
    (inner, low, high), (outer, first, last) = total.limits
    if (low, high) == (first, outer):
        turned = sp.Sum(total.function, (outer, inner, last), (inner, first, last))
        larger, smaller = outer, inner
    elif (low, high) == (outer, last):
        turned = sp.Sum(total.function, (outer, first, inner), (inner, first, last))
        larger, smaller = inner, outer
    else:
        return None
    values = {_A: first, _B: last, _G: sp.Lambda((larger, smaller), total.function)}
    return turned, rules.by_claim("sums.triangle", values)


def boxes(known: Collection[Any]) -> list[Any]:
    """The bounds `-c <= x <= c` for each known |x| <= c or |x| < c, as `ball` reads them."""
    bounds = [f for f in known if isinstance(f, sp.Le | sp.Lt) and isinstance(f.lhs, sp.Abs)]
    return [Both(le(-f.rhs, f.lhs.args[0]), le(f.lhs.args[0], f.rhs)) for f in bounds]
