"""Evaluate a SymPy formula at exact points in high precision, independently of the kernel.

It shares no code with the kernel: it reads SymPy objects itself and computes with GMP's fractions
where it can and with MPFR at `DIGITS` digits where it must. Functions are total as in the
kernel: 1/0, and sqrt and log outside their domain, are 0, and an empty sum is 0.

A relation is True, False, or None where the two sides are too close to tell. Equality holds
within the budget `SAME` relative to the larger side, unless nothing is trusted; a difference
counts only above `APART`. A number that is not positive has the power 0 to an exponent that is
no integer (docs/notation.md).

Terms and formulas become functions of the instance once, and are called at every point.
"""

from __future__ import annotations

from typing import Any

import gmpy2

from ropeproof.proofs_check.semantics.evaluate.arithmetic import Judge
from ropeproof.proofs_check.semantics.evaluate.rounded import (
    finite_ranges,
    judge_of,
    value_of,
    wanted_of,
)
from ropeproof.proofs_check.semantics.values import APART, SAME, Instance, Number, TooLarge

__all__ = [
    "APART", "SAME", "Judge", "evaluate", "finite_ranges", "judge_of", "truth", "value_of", "wanted_of",
]  # fmt: skip


def evaluate(expr: Any, at: Instance) -> Number:
    """The value of a term: a fraction if it is exact, else a number of `DIGITS` digits."""
    try:
        return value_of(expr)(at)
    except gmpy2.OverflowResultError as error:
        raise TooLarge("a number that is too large") from error


def truth(formula: Any, at: Instance) -> bool | None:
    """Whether a formula holds at the instance; None where that cannot be told.

    A `for all` without a finite range is judged on samples: True means that no sample contradicts
    it. A `for some` without a finite range is True or None. Where the instance is not `trusting`,
    True and False are certain: a `for all` that no sample contradicts is None, and so are two
    sides that only agree to many digits.
    """
    try:
        return judge_of(formula)(at)
    except gmpy2.OverflowResultError as error:
        raise TooLarge("a number that is too large") from error
