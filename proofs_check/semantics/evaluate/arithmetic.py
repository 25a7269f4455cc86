"""The operations a number type must supply so that terms and formulas can be evaluated over it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ropeproof.proofs_check.semantics.values import Fraction, Instance, Work

__all__ = ["MAX_CASES", "REMEMBERED", "Comparison", "Function", "Judge", "Numbers", "Term"]

REMEMBERED = 100_000  # formulas whose functions are kept
MAX_CASES = 2_000  # of a quantifier and those inside it together

Term = Callable[[Instance], Any]
"""A term as a function from the instance to a number of one type."""
Judge = Callable[[Instance], bool | None]
"""A formula as a function of the instance: True, False, or None if it is undecided."""
Function = Callable[[Any], Any]
"""A function of one number."""
Comparison = Callable[[Any, Any], bool]
"""One of `eq`, `ne`, `le` and `lt` of Python's operators."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Numbers:
    """The operations of a number type; there are two: `rounded` and `enclosing`.

    In either type a number is a fraction where it is exact; otherwise the type decides. Functions are
    total as in the kernel: 1/0, and roots and logarithms outside their domain, are 0. An operation
    raises `TooLarge` where its value cannot be determined.

    Instances: `symbol` makes a function of the instance from a name, `applied` one from a function's
    name and terms for its arguments; `reading` gives what a value depends on besides the instance's
    values.

    Numbers: `whole_power` makes the function that raises to a whole power, `power` raises to any: to
    0 where the base is not positive and the exponent is not whole. `functions` maps SymPy's names to
    continuous functions of one argument. `floor` takes a number and whether one that agrees with an
    integer to many digits counts as that integer. Where a result depends on whether a number is 0, as
    for `sign`, `log` and inverses, the number first goes through `told`, unless agreement of digits
    is trusted.

    Formulas: `compared` takes a comparison, two different numbers at least one of which is not exact,
    and whether agreement of digits is trusted; it returns None where the comparison stays open.
    `bound` makes a function from a guard's bound on an integer and whether that is a lower bound.
    `part` decides what a refusal in a part of a formula means for the whole. If `guards_hold`, a guard
    that the ranges satisfy is not evaluated again.

    `plain` says that a symbol and a drawn function have the value that the instance gives, numbers are
    multiplied by `values.times`, and the inverse is 1/x or 0: loops of sums are then written out.

    `work` counts terms, cases of quantifiers and terms of sums; a quantifier and those inside it have
    at most `most_cases` cases, a sum and those inside it at most `most_added` terms.
    """

    work: Work
    most_cases: float
    most_added: float

    reading: Callable[[Instance], Any]
    symbol: Callable[[str], Term]
    applied: Callable[[str, Sequence[Term]], Term]

    pi: Callable[[], Any]
    e: Callable[[], Any]
    add: Callable[[Any, Any], Any]
    multiply: Callable[[Any, Any], Any]
    whole_power: Callable[[int], Function]
    power: Callable[[Any, Any], Any]
    largest: Callable[[Sequence[Any]], Any]
    smallest: Callable[[Sequence[Any]], Any]
    floor: Callable[[Any, bool], Fraction]
    told: Function
    sign: Function
    log: Function
    functions: Mapping[str, Function]

    compared: Callable[[Comparison, Any, Any, bool], bool | None]
    bound: Callable[[Any, bool], Term]
    part: Callable[[Judge], Judge]
    guards_hold: bool
    plain: bool = False
