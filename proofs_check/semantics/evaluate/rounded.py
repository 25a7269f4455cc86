"""Formulas over rounded numbers: two sides that agree to many digits, or differ in few, are told."""

from __future__ import annotations

from operator import eq, le, ne
from typing import Any

import gmpy2

from ropeproof.proofs_check.semantics.evaluate.formulas import (
    MAX_CASES,
    Comparison,
    Judge,
    Numbers,
    judge_with,
)
from ropeproof.proofs_check.semantics.evaluate.ranges import rounded_bound
from ropeproof.proofs_check.semantics.evaluate.terms import APART, value_of
from ropeproof.proofs_check.semantics.values import BITS, CONTEXT, WORK, as_real, times

__all__ = ["SAME", "judge_of"]

SAME = gmpy2.mpfr("1e-40", BITS)
_SMALLEST = gmpy2.mpfr("1e-30", BITS)


def judge_of(formula: Any) -> Judge:
    """A formula as a function of the instance. Raises `TooLarge` for what is none."""
    return judge_with(_ROUNDED, formula)


def _near(kind: Comparison, a: Any, b: Any, trusting: bool) -> bool | None:
    a, b = as_real(a), as_real(b)
    difference = CONTEXT.sub(b, a)
    distance = CONTEXT.abs(difference)
    size = max(CONTEXT.abs(a), CONTEXT.abs(b), _SMALLEST)
    same, apart = trusting and distance <= times(SAME, size), distance > times(APART, size)
    if kind in (eq, ne):
        return None if not same and not apart else (same if kind is eq else not same)
    if apart:
        return bool(difference > 0)
    return True if same and kind is le else None


def _as_it_is(judge: Judge) -> Judge:
    """What is refused in a part is refused."""
    return judge


_ROUNDED = Numbers(value_of, _near, rounded_bound, _as_it_is, True, WORK, MAX_CASES)
