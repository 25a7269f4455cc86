"""Search by drawing for instances on which a formula is false, with the values of its sides."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import Any

from ropeproof.proofs_check.authoring.trial_results import FalsifyingValues
from ropeproof.proofs_check.semantics.certain import certain, surely_false
from ropeproof.proofs_check.semantics.evaluate import truth
from ropeproof.proofs_check.semantics.instances import Sampler, describe
from ropeproof.proofs_check.semantics.sides import sides_at
from ropeproof.proofs_check.semantics.values import TooLarge

__all__ = ["drawn_against"]

TRIES = 150
_FAILS = (TooLarge, OverflowError, KeyError, ValueError, ZeroDivisionError, TypeError)


def drawn_against(goal: Any, given: Sequence[Any], purpose: str) -> FalsifyingValues | None:
    """An instance on which the given formulas certainly hold and the goal fails, or None."""
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
                    return FalsifyingValues("", describe(at, sampler.names), sides_at(goal, at))
    return None
