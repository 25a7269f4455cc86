"""Heads of a dump that are rightly turned and stand at the places of others."""

from __future__ import annotations

import numpy as np

from ropeproof.tools.conform.diagnosis.guess import start
from ropeproof.tools.conform.dumps.compared import ComparedPart, observation

__all__ = ["exchanged_heads"]

_TOKENS = 48


def exchanged_heads(seen: ComparedPart) -> str | None:
    """In words, whose head stands at which place, if every compared vector is another head's right one.

    None if a head's result is that of no head, or of several, or if no head stands at another's place.
    """
    heads = seen.part.before.shape[1]
    columns = np.flatnonzero(seen.part.compared.all(0))
    if heads < 2 or not len(columns):
        return None
    columns = columns[np.unique(np.linspace(0, len(columns) - 1, _TOKENS).astype(int))]
    one = observation(seen, columns, context=0)
    right = start(one).apply(one.x)
    slack = start(one).tolerance_for(one)
    # Vectors were divided by a size of their own head's: undo that for those of another.
    before = np.nan_to_num(seen.part.before[:, :, columns])
    largest = np.abs(before).max(-1, keepdims=True)
    size = 2.0 ** np.ceil(np.log2(np.where(largest > 0, largest, 1.0)))
    right, slack, out = right * size, slack * size, one.out * size
    taken = []
    for head in range(heads):
        near = np.abs(right - out[:, [head]]) <= 2 * slack
        of = np.flatnonzero(near.all((0, 2, 3)))
        if len(of) != 1:
            return None
        taken.append(int(of[0]))
    if sorted(taken) != list(range(heads)) or taken == sorted(taken):
        return None
    if taken == list(range(heads))[::-1]:
        return "heads come out in reversed order, each rightly rotated"
    told = ", ".join(f"head {a} at the place of head {b}" for b, a in enumerate(taken) if a != b)
    return f"heads come out in another order, each rightly rotated: {told}"
