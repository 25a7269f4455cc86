"""Simple goals that `show` proves in more than one step, since no single rule gives them.

- an instance, or a part, of a `for all` among the premises, alone or again for all values;
- `not for some` from `for all`, and each of the four from its dual;
- a sum whose terms SymPy simplifies when they are built again: l/l is 1.

Nothing here is trusted: each writes steps that the kernel checks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp
from ropeproof.theory.language import derivation as rules
from ropeproof.theory.language.logic import (
    Both,
    Every,
    Negation,
    Some,
    conjuncts,
    eq,
    implication,
    le,
    within,
)
from ropeproof.theory.language.substitution import as_values, substitute
from ropeproof.theory.language.tactics.matching import term_values

__all__ = ["immediate"]

_NEVER = le(1, sp.Integer(0))


def immediate(scope: Any, goal: Any, why: str, premises: Sequence[Any]) -> Any:
    """The fact of the goal with the reason `why`; None if it is none of the simple goals."""
    if not any(goal == p.formula for p in premises):
        for way in (_instance, _for_all, _dual, _shorter_terms):
            found = way(scope, goal, why, premises)
            if found is not None:
                return found
    return None


def _opened(quantified: Any) -> tuple[list[Any], list[Any], list[Any]]:
    """The variables, the conditions, and the parts of the conclusion of a quantified formula."""
    variables, body = quantified.args
    conditions, said = implication(body)
    return list(variables), conditions, conjuncts(said)


# -- for all -------------------------------------------------------------------------------


def _instance(scope: Any, goal: Any, why: str, premises: Sequence[Any]) -> Any:
    """The goal as parts of a `for all` at values found by matching, or None."""
    wanted = conjuncts(goal)
    for premise in premises:
        if not isinstance(premise.formula, Every):
            continue
        variables, _, parts = _opened(premise.formula)
        if not all(isinstance(v, sp.Symbol) for v in variables):
            continue
        for part in parts:
            values = next(term_values(part, wanted[0], frozenset(variables)), None)
            if values is None or len(values) < len(variables):
                continue
            put = as_values(values, premise.formula)
            if set(wanted) <= {substitute(p, put) for p in parts}:
                others = [p for p in premises if p is not premise]
                return scope.use(premise, values, *others, why=why, goal=goal)
    return None


def _for_all(scope: Any, goal: Any, why: str, premises: Sequence[Any]) -> Any:
    """A `for all` goal from a part of another `for all`, or None."""
    if not isinstance(goal, Every):
        return None
    _, conditions, parts = _opened(goal)
    inner = scope.under(*conditions)
    each = _instance(inner, parts[0] if len(parts) == 1 else Both(*parts), why, premises)
    return each and scope.step(goal, rules.generalise(), why, each)


# -- for all and for some --------------------------------------------------------------------


def _dual(scope: Any, goal: Any, why: str, premises: Sequence[Any]) -> Any:
    """A `for all`, `for some` or negation of one from its dual among the premises, or None."""
    for premise in premises:
        known, others = premise.formula, [p for p in premises if p is not premise]
        if isinstance(goal, Negation):
            if _are(goal.args[0], Some, known, Every):
                return _no_such(scope, goal, premise, why, others)
            if _are(goal.args[0], Every, known, Some):
                return _not_all(scope, goal, premise, why, others)
        elif isinstance(known, Negation):
            if _are(goal, Every, known.args[0], Some):
                return _for_each(scope, goal, premise, why, others)
            if _are(goal, Some, known.args[0], Every):
                none = scope.given(Negation(goal), "Suppose that there is no such value.")
                each = _for_each(
                    none.scope,
                    known.args[0],
                    none,
                    "Then the statement would hold for all values.",
                    others,
                )
                return scope.step(goal, rules.smt(), why, each, premise)
    return None


def _are(first: Any, kind: Any, second: Any, other: Any) -> bool:
    """Whether both are quantifiers of the given kinds over as many symbols of the same sorts."""
    if not isinstance(first, kind) or not isinstance(second, other):
        return False
    left, right = first.args[0], second.args[0]
    symbols = all(isinstance(v, sp.Symbol) for v in (*left, *right))
    return symbols and [v.is_integer for v in left] == [v.is_integer for v in right]


def _clash(scope: Any, universal: Any, body: Any, names: Any, others: Sequence[Any]) -> Any:
    """The contradiction between `body` and the `for all` at the given names, with `body` assumed."""
    inner = scope.under(body)
    known = inner.given(body, "Consider a value of this kind.")
    values = dict(zip(universal.formula.args[0], names, strict=True))
    there = inner.use(
        universal, values, known, *others, why="What holds for all values holds for this one."
    )
    return inner.step(
        _NEVER,
        rules.smt(),
        "The two statements about this value contradict each other.",
        known,
        there,
        *others,
    )


def _no_such(scope: Any, goal: Any, universal: Any, why: str, others: Sequence[Any]) -> Any:
    existence = scope.given(goal.args[0], "Suppose that there is such a value.")
    names, body = existence.formula.args
    clash = _clash(existence.scope, universal, body, names, others)
    absurd = existence.scope.choose(
        existence, clash, "The existence of such a value leads to a contradiction."
    )
    return scope.step(goal, rules.smt(), why, absurd)


def _not_all(scope: Any, goal: Any, existence: Any, why: str, others: Sequence[Any]) -> Any:
    names, body = existence.formula.args
    always = scope.given(goal.args[0], "Suppose that the statement holds for all values.")
    clash = _clash(always.scope, always, body, names, others)
    absurd = always.scope.choose(
        existence, clash, "The existence of such a value leads to a contradiction."
    )
    return scope.step(goal, rules.smt(), why, absurd)


def _for_each(scope: Any, goal: Any, nowhere: Any, why: str, others: Sequence[Any]) -> Any:
    names, conditions, parts = _opened(goal)
    there = scope.under(*conditions)
    said = parts[0] if len(parts) == 1 else Both(*parts)
    wrong = there.given(Negation(said), "Suppose that the statement fails for this value.")
    existence = nowhere.formula.args[0]
    values = dict(zip(existence.args[0], names, strict=True))
    found = wrong.scope.witness(
        existence, values, wrong, *others, why="Then a value would exist of which there is none."
    )
    holds = there.step(
        said,
        rules.smt(),
        "That is a contradiction, so the statement holds for this value.",
        found,
        nowhere,
    )
    return scope.step(goal, rules.generalise(), why, holds)


# -- sums ----------------------------------------------------------------------------------


def _shorter_terms(scope: Any, goal: Any, why: str, premises: Sequence[Any]) -> Any:
    """An equation with a sum whose summand SymPy simplifies when it is built again, or None."""
    if not isinstance(goal, sp.Eq):
        return None
    for side in goal.args:
        if not isinstance(side, sp.Sum) or len(side.limits) > 1:
            continue
        index, low, high = side.limits[0]
        term = side.function
        if not any(power.exp.could_extract_minus_sign() for power in term.atoms(sp.Pow)):
            continue  # a quotient is what the normal form may not shorten inside a sum
        shorter = term.replace(lambda t: bool(t.args), lambda t: t.func(*t.args))
        if shorter != term and shorter.count_ops() < term.count_ops():
            place = scope.under(within(index, low, high))
            each = place.step(
                eq(term, shorter),
                rules.identity(),
                "Each term of the sum can be written shorter.",
                *premises,
            )
            total = each.summed(
                index, low, high, "Replace each term of the sum by its shorter form.", *premises
            )
            return scope.step(goal, rules.smt(), why, total, *premises)
    return None
