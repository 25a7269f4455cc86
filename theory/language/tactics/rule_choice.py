"""Which rule a step takes whose author names none: by the form of goal and premises alone."""

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


def rule_for(goal: Any, premises: Sequence[Any]) -> Rule:
    """The rule that `show` takes, by the form of the goal and the premises alone.

    - Two sums over one range, or one sum and 0, and a first premise that compares their terms in
      the same way: term by term.
    - f(a) = f(b) from a = b by rewriting, exp(a) <= exp(b) from a <= b by a lemma (`by_form`).
    - Equations from premises without an equation: by normal form.
    - Everything else: by z3.
    """
    if premises and _termwise(goal, premises[0]):
        return rules.termwise()
    given = [part for premise in premises for part in conjuncts(premise)]
    found = by_form(goal, given)
    if found is not None:
        return found
    equations = all(isinstance(part, sp.Eq) for part in conjuncts(goal))
    if equations and not any(isinstance(part, sp.Eq) for part in given):
        return rules.identity()
    return rules.smt()


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
