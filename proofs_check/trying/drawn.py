"""Instances on which a formula is false, with the values of its two sides there."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import Any

import sympy as sp

from ropeproof.proofs_check.certain import certain, surely_false
from ropeproof.proofs_check.evaluate import evaluate, truth
from ropeproof.proofs_check.instances import Sampler, describe
from ropeproof.proofs_check.plain import plain
from ropeproof.proofs_check.trying.findings import Instance
from ropeproof.proofs_check.values import Fraction, TooLarge, as_real
from ropeproof.proofs_check.values import Instance as Values
from ropeproof.theory.logic import Both, If

__all__ = ["drawn_against", "sides_at"]

TRIES = 150
_FAILS = (TooLarge, OverflowError, KeyError, ValueError, ZeroDivisionError, TypeError)


def drawn_against(goal: Any, given: Sequence[Any], purpose: str) -> Instance | None:
    """An instance on which what is given certainly holds and the goal certainly does not."""
    with suppress(*_FAILS):
        sampler = Sampler(given, [goal])
        random = Random(purpose)
        misses = 0
        for _ in range(TRIES):
            at = sampler.draw(random, tries=4)
            misses += at is None
            if misses > 20:
                return None
            if at is None:
                continue
            with suppress(*_FAILS):
                if truth(goal, at) is False and surely_false(goal, at) and certain(given, at):
                    return Instance("", describe(at, sampler.names), sides_at(goal, at))
    return None


def sides_at(goal: Any, at: Values) -> tuple[str, ...]:
    """The values of the two sides of the relation that is false there, as text."""
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
            shown = f" {text}" if len(text) <= 60 else ""
            found.append(f"{word}{shown} = {_number(evaluate(side, at))}")
    return tuple(found)


def _number(value: Any) -> str:
    if isinstance(value, Fraction) and value.denominator < 10**6:
        return str(value)
    return f"{as_real(value):.8g}"
