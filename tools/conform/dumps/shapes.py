"""What a sequence of positions looks like: a run, a shard, documents, padding; in words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Shape", "shape_of"]

Places = NDArray[np.int64]

_TOLD = 4


@dataclass(frozen=True)
class Shape:
    """The kind of a sequence of positions, its numbers, and both in words.

    - `run`: `(start,)`, one token after another;
    - `constant`: `(position,)`;
    - `zigzag`: `(rank, ranks, chunk)`, chunks `rank` and `2 ranks - 1 - rank` of the sequence;
    - `striped`: `(rank, ranks)`, every token whose position is `rank` modulo `ranks`;
    - `documents`: the indices at which positions begin again at 0, the first one too if it is there;
    - `left-padding`: `(padding,)`, the number of tokens before the run that begins at 0;
    - `right-padding`: `(length,)`, of the run from 0 before tokens of one position;
    - `other`: nothing of that.
    """

    kind: str
    numbers: tuple[int, ...]
    text: str


def shape_of(row: Places) -> Shape:
    """The first of the kinds of `Shape`, in their order there, that one row of positions has."""
    if len(row) < 2:
        return Shape("run", (int(row[0]),), f"position {row[0]}")
    steps = np.diff(row)
    if (steps == 1).all():
        return Shape("run", (int(row[0]),), f"{row[0]}, {row[0] + 1}, ... one after another")
    if (steps == 0).all():
        return Shape("constant", (int(row[0]),), f"position {row[0]} for every token")
    breaks = np.flatnonzero(steps != 1) + 1
    for made in (_zigzag(row, breaks), _striped(row, steps), _padded(row, steps), _documents(row)):
        if made is not None:
            return made
    return Shape("other", (), "")


def _zigzag(row: Places, breaks: Places) -> Shape | None:
    chunk, rest = divmod(len(row), 2)
    if rest or breaks.tolist() != [chunk] or row[0] % chunk or row[chunk] % chunk:
        return None
    first, second = int(row[0]) // chunk, int(row[chunk]) // chunk
    ranks, odd = divmod(first + second + 1, 2)
    if odd or ranks < 2 or not 0 <= first < ranks:
        return None
    text = f"the zigzag shard of rank {first} of {ranks}, in chunks of {chunk} tokens"
    return Shape("zigzag", (first, ranks, chunk), text)


def _striped(row: Places, steps: Places) -> Shape | None:
    step = int(steps[0])
    if step < 2 or not (steps == step).all() or not 0 <= row[0] < step:
        return None
    text = f"the striped shard of rank {row[0]} of {step}, every {step}th token"
    return Shape("striped", (int(row[0]), step), text)


def _padded(row: Places, steps: Places) -> Shape | None:
    """Equal positions of padding, then a run from 0; or a run from 0 and then equal positions."""
    still = np.flatnonzero(steps == 0)
    zeros = np.flatnonzero(row == 0)
    if len(zeros):
        begin = int(zeros[-1])
        behind = np.diff(row[begin:])
        if begin and (behind == 1).all() and (row[:begin] == row[0]).all() and row[0] in (0, 1):
            return Shape("left-padding", (begin,), f"0, 1, ... behind {begin} tokens of padding")
    if len(still) and row[0] == 0:
        end = int(still[0]) + 1
        if (row[:end] == np.arange(end)).all() and (row[end:] == row[end]).all():
            return Shape("right-padding", (end,), f"0 to {end - 1}, then padding")
    return None


def _documents(row: Places) -> Shape | None:
    """Runs that begin at 0, of which the first may begin later: it was begun in another chunk."""
    starts = np.flatnonzero(row == 0)
    begins = np.flatnonzero(np.diff(row, prepend=row[0] - 2) != 1)
    if not len(starts) or not set(begins[1:].tolist()) <= set(starts.tolist()) or len(begins) < 2:
        return None
    again = [int(n) for n in begins[1:]]
    told = ", ".join(map(str, again[:_TOLD]))
    told += f" and {len(again) - _TOLD} more" if len(again) > _TOLD else ""
    numbers = (*((0,) if row[0] == 0 else ()), *again)
    return Shape("documents", numbers, f"documents that begin at tokens {told}")
