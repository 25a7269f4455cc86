"""Strategies for rows of logits and of attention weights."""

from __future__ import annotations

import numpy as np

from ropeproof.numerics.strategies.arguments import integer
from ropeproof.numerics.strategies.sizes import Floats, Strategy, array, size_bound
from ropeproof.theory.errors import InvalidArgument

__all__ = ["distributions", "logit_rows"]


def logit_rows(*, keys: int, bound: float = 30.0) -> Strategy[Floats]:
    """A strategy for one row of logits in `[-bound, bound]`, `(keys,)`."""
    return array((integer("keys", keys, least=1),), size_bound(bound))


def distributions(*, keys: int, least: float = 0.0) -> Strategy[Floats]:
    """A strategy for probability vectors, `(keys,)`, with entries of at least `least`.

    Up to rounding; some entries may be 0. Raises `InvalidArgument` unless `0 <= least <= 1/keys`.
    """
    count = integer("keys", keys, least=1)
    if isinstance(least, bool) or not isinstance(least, int | float) or not 0 <= least * count <= 1:
        raise InvalidArgument("least", least, f"a number from 0 to 1/{count}")

    def normalised(sizes: Floats) -> Floats:
        total = sizes.sum()
        shares = sizes / total if total > 0 else np.full(count, 1 / count)
        return least + (1 - least * count) * shares

    return array((count,), 1.0, positive=True).map(normalised)
