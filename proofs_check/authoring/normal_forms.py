"""Explain why `identity` refuses an equation: both normal forms, or the missing condition."""

from __future__ import annotations

from collections.abc import Collection

from ropeproof.proofs_check.kernel.formulas import formula
from ropeproof.proofs_check.kernel.messages import show
from ropeproof.proofs_check.kernel.normal import Facts, Normal
from ropeproof.proofs_check.kernel.polynomial import term_of
from ropeproof.proofs_check.kernel.terms import Malformed, Term, sub

__all__ = ["missing_conditions", "normal_forms"]


class _Supposing:
    """Facts that count every condition `!=` or `<` as known, or only those in `granted`.

    Conditions that were not known before are collected in `asked`.
    """

    def __init__(
        self, facts: Facts, granted: Collection[Term] | None, asked: dict[Term, None]
    ) -> None:
        self.facts = facts
        self.granted = granted
        self.asked = asked

    @property
    def names(self) -> Collection[str]:
        return self.facts.names

    def known(self, formula: Term) -> bool:
        if self.facts.known(formula):
            return True
        if formula[0] not in ("ne", "lt"):
            return False  # 0 <= x is asked where 0 < x was refused: granting it hides nothing new
        self.asked.setdefault(formula)
        return self.granted is None or formula in self.granted

    def given(self, formula: Term) -> Facts:
        return _Supposing(self.facts.given(formula), self.granted, self.asked)


def missing_conditions(left: Term, right: Term, facts: Facts) -> list[str] | None:
    """A minimal list of conditions under which the sides are equal; None if there is none."""
    asked: dict[Term, None] = {}

    def equal(granted: Collection[Term] | None) -> bool:
        try:
            return Normal(_Supposing(facts, granted, asked)).is_zero(sub(left, right))
        except (Malformed, ArithmeticError, RecursionError):
            return False

    if not equal(None):
        return None
    needed = [c for c in asked if _possible(c)]
    if not equal(needed):
        return None
    for condition in list(needed):
        others = [c for c in needed if c != condition]
        if equal(others):
            needed = others
    return [_readable(c) for c in needed]


def _possible(condition: Term) -> bool:
    """Whether the condition can hold; `0 != 0` and `0 < -1`, for example, cannot."""
    return formula(Normal(), condition) != ("false",)


def _readable(condition: Term) -> str:
    """The condition with its terms in normal form."""
    kind, left, right = condition
    return show((kind, *(term_of(Normal().poly(side)) for side in (left, right))))


def normal_forms(left: Term, right: Term, facts: Facts) -> tuple[str, str] | None:
    """The normal forms of the two sides as text; None if there are none."""
    try:
        normal = Normal(facts)
        return show(term_of(normal.poly(left))), show(term_of(normal.poly(right)))
    except (Malformed, ArithmeticError, RecursionError):
        return None
