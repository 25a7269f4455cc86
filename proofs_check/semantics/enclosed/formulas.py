"""Formulas over exact and enclosed numbers: True or False where that is certain, else None."""

from __future__ import annotations

from operator import eq, le, lt, ne
from typing import Any

from ropeproof.proofs_check.semantics.enclosed.terms import Term, Value, ball, fraction, value_of
from ropeproof.proofs_check.semantics.evaluate.formulas import (
    MAX_CASES,
    Comparison,
    Judge,
    Numbers,
    judge_with,
)
from ropeproof.proofs_check.semantics.values import Fraction, Instance, TooLarge, Work

__all__ = ["judge_of"]


def judge_of(formula: Any) -> Judge:
    """A formula as a function of the instance. Raises `TooLarge` for what is none."""
    return judge_with(_ENCLOSED, formula)


def _compared(kind: Comparison, a: Value, b: Value, _trusting: bool) -> bool | None:
    difference = ball(b) - ball(a)
    above, below = bool(difference > 0), bool(difference < 0)
    if kind in (eq, ne):
        return kind is ne if above or below else None
    if above or (kind is le and difference >= 0):
        return True
    return False if below or (kind is lt and difference <= 0) else None


def _tried(judge: Judge) -> Judge:
    """What is not enclosed in a part leaves it open and no more."""

    def tried(at: Instance) -> bool | None:
        try:
            return judge(at)
        except TooLarge:
            return None

    return tried


def _outer(bound: Any, is_low: bool) -> Term:
    """A guard's bound at the outer end of its ball. What it excludes is asked of the guard."""
    term = value_of(bound)

    def value(at: Instance) -> Value:
        found = term(at)
        if type(found) is Fraction:
            return found
        return fraction(found.lower() if is_low else found.upper())

    return value


_ENCLOSED = Numbers(value_of, _compared, _outer, _tried, False, Work(), 2 * MAX_CASES)
