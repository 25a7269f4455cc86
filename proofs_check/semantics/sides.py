"""The values of the two sides of a relation that is false at an instance."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import sympy as sp

from ropeproof.proofs_check.present.plain import plain
from ropeproof.proofs_check.semantics.evaluate import evaluate, truth
from ropeproof.proofs_check.semantics.values import Fraction, Instance, TooLarge, as_real
from ropeproof.theory.language.logic import Both, If

__all__ = ["sides_at"]

LONGEST = 60
"""The largest number of characters of a side that is shown beside its value."""
_FAILS = (TooLarge, OverflowError, KeyError, ValueError, ZeroDivisionError, TypeError)


def sides_at(goal: Any, at: Instance) -> tuple[str, ...]:
    """The values of both sides of the relation that fails at the instance, as text."""
    for part in goal.args if isinstance(goal, Both) else ():
        with suppress(*_FAILS):
            if truth(part, at) is False:
                return sides_at(part, at)
    if isinstance(goal, If):
        return sides_at(goal.args[1], at)
    if not isinstance(goal, sp.core.relational.Relational):
        return ()
    found = []
    for word, side in zip(("left side", "right side"), goal.args, strict=True):
        with suppress(*_FAILS):
            text = plain(side)
            shown = f" {text}" if len(text) <= LONGEST else ""
            found.append(f"{word}{shown} = {_number(evaluate(side, at))}")
    return tuple(found)


def _number(value: Any) -> str:
    if isinstance(value, Fraction) and value.denominator < 10**6:
        return str(value)
    return f"{as_real(value):.8g}"
