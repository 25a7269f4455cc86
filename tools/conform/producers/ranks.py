"""Ranks of context parallelism: together they must have every position of the sequence once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ropeproof.theory.errors import Unsupported
from ropeproof.tools.conform.dumps.shapes import shape_of
from ropeproof.tools.conform.producers.producer import Producer
from ropeproof.tools.conform.producers.settings import whole_given
from ropeproof.tools.conform.record import Found

__all__ = ["of_ranks"]

_LENGTH = 32
_SIZES = (1, 2, 4)


def of_ranks(producer: Producer) -> Iterator[Found]:
    """`positions.ranks`: the positions of all ranks of 1, 2 and 4, for a sequence of 32 tokens.

    Whether a number of tokens that is given is that of the sequence or of a rank is read off the
    result. How the sequence is split is not known, and any split is right that has each position once.
    """
    for size in _SIZES:
        try:
            rows = [_row(producer, rank, size) for rank in range(size)]
        except Unsupported as error:
            yield Found(name="positions.ranks", result="unsupported", detail=str(error))
            continue
        yield _judged(rows, size)


def _row(producer: Producer, rank: int, size: int) -> NDArray[np.int64]:
    found = producer(whole_given(1, _LENGTH) | {"rank": rank, "size": size})
    if found.ndim > 1 and found.shape[:-1] != (1,) * (found.ndim - 1):
        raise Unsupported(f"returns positions of shape {found.shape} for one row of {_LENGTH}")
    return np.asarray(found.reshape(-1))


def _judged(rows: list[NDArray[np.int64]], size: int) -> Found:
    name = "positions.ranks"
    every = np.concatenate(rows)
    kinds = ", ".join(dict.fromkeys(_kind(row) for row in rows))
    whole = len(every) in (_LENGTH, _LENGTH * size)
    if whole and (np.sort(every) == np.arange(len(every))).all():
        told = f"{size} ranks: {kinds}"
        return Found(name=name, result="holds", cases=len(every), detail=told)
    starts = {int(row[0]) for row in rows}
    if size > 1 and all(np.array_equal(row, rows[0]) for row in rows):
        text = f"all {size} ranks have the same positions"
        text += ": the start of the shard is missing" if starts == {0} else ""
    else:
        values, counts = np.unique(every, return_counts=True)
        due = np.arange(_LENGTH * (size if every.max() >= _LENGTH else 1))
        missing = np.setdiff1d(due, values)
        parts = []
        if (counts > 1).any():
            parts.append(f"position {values[counts > 1][0]} occurs {counts.max()} times")
        if missing.size:
            parts.append(f"position {missing[0]} on no rank, {missing.size} are missing")
        if (more := np.setdiff1d(values, due)).size:
            parts.append(f"position {more[0]}, which the sequence does not have")
        text = f"{size} ranks: {', '.join(parts)}"
    position = int(every[0])
    return Found(name=name, result="fails", cases=len(every), position=position, detail=text)


def _kind(row: NDArray[np.int64]) -> str:
    kind = shape_of(row).kind
    return {"run": "contiguous", "constant": "one token"}.get(kind, kind)
