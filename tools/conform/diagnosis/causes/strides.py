"""Fault models: keys whose memory is walked through with the number of heads of the queries."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ropeproof.tools.conform.diagnosis.causes.way import Change, Way
from ropeproof.tools.conform.diagnosis.guess import Guess, Observation, altered

__all__ = ["WAYS"]


def _of_queries(guess: Guess, seen: Observation) -> Iterator[Change]:
    """A vector is turned as the one that stands where it stands if there were as many heads as queries."""
    heads = seen.beside
    if heads is None or guess.axis is not None:
        return
    batch, own, length, _ = seen.x.shape
    if heads == own:
        return
    if heads % own == 0 and len(guess.places) == 1:
        times = heads // own
        at = np.arange(length) * times % length
        text = f"keys turned with the stride of the queries: token t takes the position of token {times} t"
        yield text, altered(guess, places=guess.places[..., at])
    if not seen.order.startswith("bl"):
        return
    shape = (batch, length, own)  # as they follow each other in memory
    _, token, head = np.unravel_index(
        np.arange(batch * length * own), (batch * max(1, -(-own // heads)), length, heads)
    )
    places = np.broadcast_to(guess.places[:, 0], (batch, length))[0][token]
    if len(guess.places) > 1:
        return
    for told, used in (
        ("keys turned with the stride of the queries", places),
        (
            "keys turned with the stride of the queries, others left alone",
            np.where(head < own, places, 0),
        ),
    ):
        text = f"{told}: as if they had {heads} heads"
        moved = used.reshape(shape).swapaxes(1, 2)
        yield text, altered(guess, places=moved)


WAYS = (Way("stride", "positions", _of_queries),)
