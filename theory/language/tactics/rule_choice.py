"""The choice of a rule for a step without one, by the form of goal and premises alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp
from ropeproof.theory.language import derivation as rules
from ropeproof.theory.language.binders import inner
from ropeproof.theory.language.derivation import Rule
from ropeproof.theory.language.logic import conjuncts
from ropeproof.theory.language.substitution import substitute
from ropeproof.theory.language.tactics.by_form import by_form

__all__ = ["rule_for"]

_BY_CASES = (sp.Abs, sp.Max, sp.Min, sp.sign)


def rule_for(goal: Any, premises: Sequence[Any]) -> Rule:
    """The rule that `show` chooses from the form of the goal and the premises alone.

    - Two sums over one range, or one sum and 0, and a first premise that compares their terms in
      the same way: term by term.
    - f(a) = f(b) from a = b by rewriting, exp(a) <= exp(b) from a <= b by a lemma (`by_form`).
    - Equations from premises without an equation: by normal form, unless an absolute value, a maximum
      or a sign stands on one side only, and there is no sum.
    - Everything else: by z3.
    """
    if premises and _termwise(goal, premises[0]):
        return rules.termwise()
    given = [part for premise in premises for part in conjuncts(premise)]
    found = by_form(goal, given)
    if found is not None:
        return found
    parts = conjuncts(goal)
    equations = all(isinstance(part, sp.Eq) for part in parts)
    if equations and not any(isinstance(part, sp.Eq) for part in given):
        return rules.identity() if all(map(_same_cases, parts)) else rules.smt()
    return rules.smt()


def _same_cases(equation: Any) -> bool:
    """Whether both sides have the same absolute values, maxima and signs.

    These are unknowns to the normal form, except that it knows the square of an absolute value; the
    bound names of two sums may differ.
    """
    left, right = (side.atoms(*_BY_CASES) for side in equation.args)
    powers = (power for power in equation.atoms(sp.Pow) if power.exp.is_even)
    return left == right or equation.has(sp.Sum) or any(p.base.has(sp.Abs) for p in powers)


def _termwise(goal: Any, premise: Any) -> bool:
    if not isinstance(goal, sp.Eq | sp.Le | sp.Lt) or type(premise) is not type(goal):
        return False
    model = next((side for side in goal.args if isinstance(side, sp.Sum)), None)
    if model is None:
        return False
    index = model.limits[-1][0]
    for side, term in zip(goal.args, premise.args, strict=True):
        if side == 0:
            same = term == 0
        elif isinstance(side, sp.Sum):
            other = side.limits[-1]
            mine = inner(side)
            same = other[1:] == model.limits[-1][1:] and term in (
                mine,
                substitute(mine, {other[0]: index}),
            )
        else:
            same = False
        if not same:
            return False
    return True
