"""How `show` proves a goal: by cases, part by part, by products of premises, or by its form's rule.

Nothing here is trusted: each writes steps that the kernel checks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ropeproof.theory.language import derivation as rules
from ropeproof.theory.language.logic import conjuncts
from ropeproof.theory.language.tactics.by_form import boxes
from ropeproof.theory.language.tactics.cases import by_cases
from ropeproof.theory.language.tactics.immediate import immediate
from ropeproof.theory.language.tactics.monotone import by_parts
from ropeproof.theory.language.tactics.products import multiplied
from ropeproof.theory.language.tactics.rule_choice import rule_for

__all__ = ["shown"]


def shown(
    scope: Any,
    goal: Any,
    why: str,
    premises: Sequence[Any],
    *,
    by: rules.Rule | None,
    products: Sequence[tuple[Any, Any]],
    cases: Sequence[Any],
    monotone: Sequence[Any],
) -> Any:
    """The goal as a fact of the scope; the arguments are those of `Scope.show`.

    Raises `InvalidClaim` where the arguments do not give a step.
    """
    if cases:
        return by_cases(
            scope, goal, why, premises, cases, by=by, products=products, monotone=monotone
        )
    if monotone:
        return by_parts(scope, goal, why, premises, monotone)
    if products:
        return scope.step(goal, by or rules.smt(), why, *premises, *multiplied(scope, products))
    if not by and (plain := immediate(scope, goal, why, premises)) is not None:
        return plain
    rule = by or rule_for(goal, [p.formula for p in premises])
    bounds: list[Any] = []
    if rule == rules.ball():
        known = [part for p in premises for part in conjuncts(p.formula)]
        between = "The premises say between which numbers the symbol lies."
        bounds = [scope.step(box, rules.smt(), between, *premises) for box in boxes(known)]
    return scope.step(goal, rule, why, *premises, *bounds)
