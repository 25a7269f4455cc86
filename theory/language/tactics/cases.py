"""Case distinctions as steps: the goal in each case, and then the goal.

In each case its consequences are substituted: where 0 <= x is assumed, |x| is x, and where x <= y,
max(x, y) is y.

Nothing here is trusted: the kernel checks each step, the last of which says that the cases are
exhaustive.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import sympy as sp
from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language import derivation as rules
from ropeproof.theory.language.logic import Negation, conjuncts, eq, le, lt

__all__ = ["all_cases", "by_cases"]


def all_cases(cases: Sequence[Any]) -> tuple[Any, ...]:
    """The cases; a single one is combined with its negation.

    Raises `InvalidClaim` if there is no case.
    """
    if not cases:
        raise InvalidClaim("cases: got none; allowed: a formula, or formulas of which one holds")
    return tuple(cases) if len(cases) > 1 else (cases[0], _contrary(cases[0]))


def _contrary(case: Any) -> Any:
    if isinstance(case, sp.Le):
        return lt(case.rhs, case.lhs)
    if isinstance(case, sp.Lt):
        return le(case.rhs, case.lhs)
    return Negation(case)


def by_cases(
    scope: Any, goal: Any, why: str, premises: Sequence[Any], cases: Sequence[Any], **how: Any
) -> Any:
    """The fact of the goal, from the goal in each case; `how` are `show`'s other arguments."""
    parts = []
    for number, case in enumerate(all_cases(cases), 1):
        inside = scope.under(case)
        reason = f"In case {number} of the case distinction the premises give the statement."
        parts.append(_in_case(inside, goal, reason, premises, case, how))
    return scope.step(goal, rules.smt(), why, *parts, *premises)


def _in_case(
    scope: Any, goal: Any, why: str, premises: Sequence[Any], case: Any, how: Mapping[str, Any]
) -> Any:
    decided = dict(_decided(goal, case))
    plain = goal.xreplace(decided)
    if plain == goal or not isinstance(plain, sp.Rel):
        return scope.show(goal, why, *premises, **how)
    equations = [
        scope.step(eq(term, value), rules.smt(), "This is what the case decides.")
        for term, value in decided.items()
    ]
    return scope.rewrite(goal, why, *equations, scope.show(plain, why, *premises, **how))


def _decided(goal: Any, case: Any) -> Iterator[tuple[Any, Any]]:
    """The absolute values, maxima and minima that the case decides, with their values."""
    for part in conjuncts(case):
        if not isinstance(part, sp.Le | sp.Lt):
            continue
        small, large = part.args
        for term in sorted(goal.atoms(sp.Abs), key=str):
            inside = term.args[0]
            if (small, large) in ((0, inside), (inside, 0)):
                yield term, inside if small == 0 else -inside
        for term in sorted(goal.atoms(sp.Max, sp.Min), key=str):
            if set(term.args) == {small, large}:
                yield term, large if isinstance(term, sp.Max) else small
