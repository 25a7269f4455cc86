"""Derivatives of terms, with their conditions, and the rule of the mean value theorem."""

from __future__ import annotations

from ropeproof.proofs_check.kernel.sequent import Refused, Sequent, Situation, follows, same
from ropeproof.proofs_check.kernel.smt import PremiseFacts
from ropeproof.proofs_check.kernel.terms import (
    Malformed,
    Term,
    add,
    free,
    mul,
    neg,
    number,
    sub,
    substitute,
)  # fmt: skip

__all__ = ["conditions", "derivative", "mean_value"]


def derivative(term: Term, name: str) -> Term:
    """The derivative of a term with respect to a name, by the rules of differentiation alone.

    Raises `Malformed` where the term is not built from differentiable parts.
    """
    if name not in free(term):
        return number(0)
    kind = term[0]
    if kind == "x":
        return number(1)
    if kind == "+":
        return add(*(derivative(t, name) for t in term[1]))
    if kind == "*":
        parts = term[1]
        return add(
            *(
                mul(*(derivative(t, name) if i == j else t for j, t in enumerate(parts)))
                for i in range(len(parts))
            )
        )
    if kind == "^" and name not in free(term[2]) and term[2][0] == "q":
        n = term[2][1]
        return mul(number(n), ("^", term[1], number(n - 1)), derivative(term[1], name))
    if kind in ("cos", "sin", "exp", "log", "sqrt"):
        outer = {
            "cos": neg(("sin", term[1])),
            "sin": ("cos", term[1]),
            "exp": term,
            "log": ("^", term[1], number(-1)),
            "sqrt": ("^", mul(number(2), term), number(-1)),
        }[kind]
        return mul(outer, derivative(term[1], name))
    raise Malformed(f"not differentiated here: {kind}")


def conditions(term: Term, name: str) -> list[Term]:
    """The conditions under which a term is differentiable, which must hold on the whole closed range."""
    if name not in free(term):
        return []
    kind = term[0]
    if kind in ("+", "*"):
        return [c for t in term[1] for c in conditions(t, name)]
    if kind == "^":
        n = term[2][1] if term[2][0] == "q" else None
        if n is None or n.denominator != 1:
            raise Malformed("only integer powers are differentiated")
        return conditions(term[1], name) + ([("ne", term[1], number(0))] if n < 0 else [])
    if kind in ("log", "sqrt"):
        return [*conditions(term[1], name), ("lt", number(0), term[1])]
    if kind in ("cos", "sin", "exp"):
        return conditions(term[1], name)
    return []


def mean_value(at: Situation) -> None:
    """The rule: 0 <= f(x) on one side of `end` follows from 0 <= f(end) and the sign of f' in between.

    The goal is 0 <= f(x) or 0 < f(x) (or an inequality a <= b read as 0 <= b - a); the first
    premise is 0 <= f(end) (or <), the second 0 <= f'(x) (to the right) or f'(x) <= 0 (to the
    left), under assumptions that hold strictly between `end` and x.

    Sound: f is continuous from `end` to x and differentiable with this derivative in between, as
    the conditions of `derivative` are shown at any point there; by the mean value theorem f(x) -
    f(end) is (x - end) f'(p) for a p strictly between, where the second premise gives the sign.
    """
    variable, end = at.term("variable"), at.term("end")
    if variable[0] != "x" or variable[2] or variable[1] in free(end):
        raise Refused("the mean value theorem runs over a real symbol from a fixed end")
    name, goal = variable[1], at.goal
    if goal[0] not in ("le", "lt"):
        raise Refused("mean_value concludes an inequality")
    f = sub(goal[2], goal[1])
    at_end, slope = at.premise(0), at.premise(1)
    start = substitute(f, {name: end})
    strict_end = same(at_end.conclusion, ("lt", number(0), start))
    weak_end: Term = ("le", number(0), start)
    shown = strict_end or same(at_end.conclusion, weak_end) or follows(weak_end, at.facts())
    if not shown:
        raise Refused("the first premise is not the inequality at the end")
    at.require_fresh(name, at_end, at_end.assumptions)
    for assumption in at_end.assumptions:
        at.discharge(assumption, at.facts(2))
    right = follows(("le", end, variable), at.facts(2))
    if not right and not follows(("le", variable, end), at.facts(2)):
        raise Refused("the variable is not known to lie on one side of the end")
    strict_slope = _check_slope(at, slope, f, variable, end, right)
    if goal[0] == "lt" and not strict_end:
        if not strict_slope:
            raise Refused("a strict conclusion needs a strict premise")
        at.discharge(("ne", variable, end), at.facts(2))


def _check_slope(
    at: Situation, slope: Sequent, f: Term, variable: Term, end: Term, right: bool
) -> bool:
    name = variable[1]
    if slope.conclusion[0] not in ("le", "lt"):
        raise Refused("the second premise is not about the sign of the derivative")
    signed = sub(slope.conclusion[2], slope.conclusion[1])
    # strictly between end and x; x itself obeys what the step assumes
    here, there = (end, variable) if right else (variable, end)
    point: Term = ("x", "?between", False)  # no name that an author can write
    between = (("lt", here, point), ("lt", point, there))
    moved = {name: point}
    facts = at.facts(2, between)
    at.require_fresh(name, slope)
    for assumption in slope.assumptions:
        at.discharge(substitute(assumption, moved), facts)
    closed = at.facts(2, (("le", here, point), ("le", point, there)))
    for condition in conditions(f, name):
        at.discharge(substitute(condition, moved), closed)
    elsewhere = [g for g in at.formulas(2) if name not in free(g)]
    slope_facts = PremiseFacts([*slope.assumptions, *elsewhere, *conditions(f, name)])
    expected = derivative(f, name) if right else neg(derivative(f, name))
    if not slope_facts.normal.is_zero(sub(signed, expected)):
        raise Refused("the second premise is not the derivative")
    return bool(slope.conclusion[0] == "lt")
