"""Which inputs a composed network's guarantee speaks of."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.constructions.task.plan import Plan
from ropeproof.numerics.task import is_functional

__all__ = ["malformed"]

Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]


def malformed(plan: Plan, tokens: Integers) -> tuple[Booleans, str]:
    """Inputs `(sequences, length)` whose chain leaves them within `plan.hops` hops, `(sequences,)`.

    For the letter task also those in which a left letter names two tokens. And what is allowed, in
    words. Cost: a pass over the inputs per hop.
    """
    if plan.task == "number":
        allowed = f"integers that stay inside for {plan.hops} hops from the last token"
        return _leaves(plan, tokens), allowed
    allowed = (
        "equal left letters only in equal tokens, and right letters that begin a token for "
        f"{plan.hops} hops from the last one"
    )
    return _stops(plan, tokens), allowed


def _leaves(plan: Plan, tokens: Integers) -> Booleans:
    vocabulary: Any = plan.vocabulary
    back, every = vocabulary.integer(tokens), np.arange(len(tokens))
    place = np.full(len(tokens), tokens.shape[1] - 1)
    for _ in range(plan.hops):
        place = np.where(place < 0, place, place - back[every, place])
    return place < 0


def _stops(plan: Plan, tokens: Integers) -> Booleans:
    vocabulary: Any = plan.vocabulary
    left, right = vocabulary.left(tokens), vocabulary.right(tokens)
    every, place = np.arange(len(tokens)), np.full(len(tokens), tokens.shape[1] - 1)
    bad = ~is_functional(tokens, vocabulary)
    for _ in range(plan.hops):
        wanted = right[every, place]
        named = left == wanted[:, np.newaxis]
        bad |= (wanted >= 0) & ~named.any(1)
        place = np.where(wanted < 0, place, named.argmax(1))
    return np.asarray(bad)
