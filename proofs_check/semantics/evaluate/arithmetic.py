"""What a kind of numbers has to do so that terms and formulas can be evaluated over it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ropeproof.proofs_check.semantics.values import Fraction, Instance, Work

__all__ = ["MAX_CASES", "REMEMBERED", "Comparison", "Function", "Judge", "Numbers", "Term"]

REMEMBERED = 100_000  # formulas whose functions are kept
MAX_CASES = 2_000  # of a quantifier and those inside it together

Term = Callable[[Instance], Any]
"""A term as a function of the instance, to a number of one of the kinds."""
Judge = Callable[[Instance], bool | None]
"""A formula as a function of the instance: True, False, or None where that cannot be told."""
Function = Callable[[Any], Any]
"""A function of one number."""
Comparison = Callable[[Any, Any], bool]
"""One of `eq`, `ne`, `le` and `lt` of Python's operators."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Numbers:
    """The operations of a kind of numbers; `rounded` and `enclosing` are the two kinds there are.

    A number is a fraction where it is exact, whatever the kind; what it is elsewhere is for the kind
    to say. Functions are total as in the kernel: 1/0, and roots and logarithms outside their domain,
    are 0. An operation raises `TooLarge` where its value cannot be told.

    What an instance holds: `symbol` makes a function of the instance for a name, `applied` one for the
    name of a function and terms for its arguments; `reading` is what a value depends on beside the
    instance's values.

    Numbers: `whole_power` makes the function that raises to a whole power, `power` raises to any: to
    0 where the base is not positive and the exponent is not whole. `functions` are continuous ones of
    one argument, by SymPy's names. `floor` is told whether what agrees with an integer to many digits
    is that integer. Where it decides whether a number is 0, as for `sign`, `log` and inverses, the
    number goes through `told` first unless agreement of digits is trusted.

    Formulas: `compared` takes a comparison, two different numbers of which one at least is not exact,
    and whether agreement of digits is trusted; it is None where that leaves the comparison open.
    `bound` makes a function of a guard's bound on an integer, for which it is said whether it is a low
    one. `part` says what becomes of a refusal in a part of a formula. Where `guards_hold`, a guard that
    the ranges meet is not asked again.

    `work` counts terms, cases of quantifiers and terms of sums; of the cases of a quantifier and those
    inside it there are at most `most_cases`, of the terms of a sum and those inside it `most_added`.
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
