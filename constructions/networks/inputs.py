"""Which inputs the guarantee of a composed network covers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.constructions.networks.plan import Plan

__all__ = ["malformed"]

Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]


def malformed(plan: Plan, tokens: Integers) -> tuple[Booleans, str]:
    """Mark the inputs `(sequences, length)` that a network's guarantee does not cover, `(sequences,)`.

    These are inputs whose chain leaves them within `plan.hops` hops; for the letter task also those in
    which a letter that the chain looks for begins two different tokens
    (`task.compose-retrieval-chain`); for induction those whose last token did not occur before. Also
    returns what is allowed, in words. Cost: a pass over the inputs per hop.
    """
    if plan.task == "induction":
        seen = (tokens[:, :-1] == tokens[:, -1:]).any(1)
        return ~seen, "prompts whose last token occurred before"
    if plan.task == "number":
        allowed = f"integers that stay inside for {plan.hops} hops from the last token"
        return _leaves(plan, tokens), allowed
    allowed = (
        "letters that begin a token, and no two different ones, where the chain looks for them in "
        f"{plan.hops} hops from the last token"
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
    bad = np.zeros(len(tokens), dtype=bool)
    for _ in range(plan.hops):
        # A pair with a digit looks for its own left letter, and so finds itself.
        own = right[every, place]
        wanted = np.where(own >= 0, own, left[every, place])
        named = left == wanted[:, np.newaxis]
        place = np.where(named.any(1), named.argmax(1), place)
        bad |= ~named.any(1) | (named & (tokens != tokens[every, place][:, np.newaxis])).any(1)
    return np.asarray(bad)
