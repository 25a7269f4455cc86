"""What certainly holds at an instance: terms as fractions or balls that contain their values.

The second witness rounds: a difference of large numbers that nearly cancel, or the cosine of a large
one, may have no correct digit. Before anything is called certain it is looked at here, where every
number is exact or enclosed by Arb. A verdict holds for all values in the balls.

A symbol or function that an equation defines stands for every number that agrees with its value to 45
digits: the solution is no number of the second witness. Every other value is the number that it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import flint
import gmpy2

from ropeproof.proofs_check.enclosed.formulas import CASES, judge_of
from ropeproof.proofs_check.enclosed.terms import READING, Value, ball, loose, value_of
from ropeproof.proofs_check.tables import BeingDrawnError
from ropeproof.proofs_check.values import Instance, Real, TooLarge

__all__ = ["enclosed_truth", "rounded_away", "satisfied"]

_BITS = (256, 2048)
_UNDECIDED = (
    TooLarge,
    BeingDrawnError,
    KeyError,
    OverflowError,
    ValueError,
    ZeroDivisionError,
    gmpy2.OverflowResultError,
)


def enclosed_truth(
    formula: Any, at: Instance, defined: frozenset[str] | None = None
) -> bool | None:
    """Whether the formula certainly holds, or certainly does not; else None.

    `defined` are the names that equations define, of which an instance holds near values; None for
    all names.
    """
    for bits in _BITS:
        CASES.seen = 0
        with flint.ctx.workprec(bits), _reading(defined):
            try:
                found = judge_of(formula)(at)
            except _UNDECIDED:
                found = None
        if found is not None:
            return found
    return None


def rounded_away(formula: Any, at: Instance) -> bool:
    """Whether a formula that the second witness calls false certainly holds."""
    return enclosed_truth(formula, at, frozenset()) is True


def satisfied(definitions: dict[str, Any], at: Instance) -> bool:
    """Whether numbers that the instance stands for certainly satisfy `name = term` for each pair.

    Each term is enclosed from those before it; terms that need each other define nothing.
    """
    names = {name: _names(term) for name, term in definitions.items()}
    with flint.ctx.workprec(_BITS[0]), _reading(frozenset()):
        local = at
        while names:
            name = next((n for n, needs in names.items() if not needs & names.keys()), None)
            if name is None:
                return False
            del names[name]
            try:
                value = value_of(definitions[name])(local)
            except _UNDECIDED:
                return False
            if not _contains(at.values[name], value):
                return False
            local = local.having(**{name: value})
    return True


@contextmanager
def _reading(defined: frozenset[str] | None) -> Iterator[None]:
    before = READING.loose
    READING.loose = defined
    try:
        yield
    finally:
        READING.loose = before


def _names(term: Any) -> set[str]:
    return {symbol.name for symbol in term.free_symbols}


def _contains(given: Any, value: Value) -> bool:
    if type(given) is not Real:
        return bool(given == value)
    return bool(loose(given).contains(ball(value)))
