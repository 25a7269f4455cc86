"""Ranks of context parallelism: together they must have every position of the sequence once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.theory.errors import Unsupported
from ropeproof.tools.conform.dumps.shapes import shape_of
from ropeproof.tools.conform.producers.producer import Producer
from ropeproof.tools.conform.producers.settings import whole_given
from ropeproof.tools.conform.record import Cause, Found

__all__ = ["of_ranks"]

Places = NDArray[np.int64]

_LENGTH = 32
_UNEVEN = 30
"""A length that 4 ranks do not divide, nor 2 ranks in two chunks each."""
_SIZES = (2, 4, 1)
_DOCUMENTS = (13, 4, 9, 6)


def of_ranks(producer: Producer) -> Iterator[Found]:
    """`positions.ranks` and others: the positions of all ranks of 1, 2 and 4.

    For a sequence of 32 tokens, and, named `positions.ranks-uneven`, one of 30, whose last tokens no rank
    may leave out; more tokens than the sequence has are padding there. `positions.ranks-given` gives
    the positions of packed documents to a function that takes positions: the ranks must have each of
    them as often as it is given. Whether a number of tokens that is given is that of the sequence or of a
    rank is read off the result. How the sequence is split is not known, and any split is right that has
    each position once.
    """
    for size in _SIZES:
        yield from _tried(producer, "positions.ranks", _LENGTH, size, {})
    for size in _SIZES[:2]:
        yield from _tried(producer, "positions.ranks-uneven", _UNEVEN, size, {})
    if producer.takes("position_ids") and not producer.takes("past"):
        given = np.concatenate([np.arange(n, dtype=np.int64) for n in _DOCUMENTS])[np.newaxis]
        for size in _SIZES:
            more = {"position_ids": given}
            yield from _tried(producer, "positions.ranks-given", _LENGTH, size, more)


def _tried(
    producer: Producer, name: str, length: int, size: int, more: Mapping[str, Any]
) -> Iterator[Found]:
    try:
        rows = [_row(producer, rank, size, length, more) for rank in range(size)]
    except Unsupported as error:
        yield Found(name=name, result="unsupported", detail=str(error))
        return
    given = more.get("position_ids")
    whole = np.arange(length) if given is None else given[0]
    yield _judged(name, rows, whole, uneven=length == _UNEVEN)


def _row(
    producer: Producer, rank: int, size: int, length: int, more: Mapping[str, Any]
) -> NDArray[np.int64]:
    found = producer({**whole_given(1, length), "rank": rank, "size": size, **more})
    if found.ndim > 1 and found.shape[:-1] != (1,) * (found.ndim - 1):
        raise Unsupported(f"returns positions of shape {found.shape} for one row of {length}")
    return np.asarray(found.reshape(-1))


def _judged(name: str, rows: list[Places], due: Places, *, uneven: bool) -> Found:
    size, length = len(rows), len(due)
    every = np.concatenate(rows)
    given = not np.array_equal(due, np.arange(length))
    if not given and len(every) == length * size:  # a rank's own tokens are what it is told of
        due = np.arange(length * size)
    split = np.array_equal(np.sort(every), np.sort(due))
    if split or (uneven and _padded(every, due)):
        told = f"{size} ranks: {', '.join(dict.fromkeys(_kind(row) for row in rows))}"
        return Found(name=name, result="holds", cases=len(every), detail=told)
    id, text = _named(rows, every, due, given=given)
    return Found(
        name=name,
        result="fails",
        cases=len(every),
        position=int(every[0]) if len(every) else None,
        detail=text,
        cause=Cause(id=id, text=text, residual=0.0),
    )


def _padded(every: Places, due: Places) -> bool:
    """Whether all positions are there, and beside them only further ones or repeats as padding."""
    return bool(len(every) > len(due) and not np.setdiff1d(due, every).size)


def _named(rows: list[Places], every: Places, due: Places, *, given: bool) -> tuple[str, str]:
    size = len(rows)
    if given and np.array_equal(np.sort(every), np.arange(len(due))):
        text = "ranks count through the sequence in place of taking the positions that are given"
        return "ranks", f"{text}, those of packed documents: positions run on"
    if size > 1 and all(np.array_equal(row, rows[0]) for row in rows):
        text = f"all {size} ranks have the same positions"
        missing = len(rows[0]) > 0 and rows[0][0] == due[0]
        return "ranks", text + (": the start of the shard is missing" if missing else "")
    off = np.sort(every) - np.sort(due) if len(every) == len(due) else np.zeros(0, dtype=np.int64)
    if len(off) and (off == off[0]).all():
        way = "ahead" if off[0] > 0 else "behind"
        return "offset", f"constant shift on all ranks: every position is {abs(off[0])} {way}"
    values, counts = np.unique(every, return_counts=True)
    often = {int(v): int(n) for v, n in zip(*np.unique(due, return_counts=True), strict=True)}
    missing = np.setdiff1d(due, values)
    parts = []
    many = [
        (int(v), int(n)) for v, n in zip(values, counts, strict=True) if n > often.get(int(v), 1)
    ]
    if many:
        place, times = many[0]
        again = f", {often[place]} are due" if often.get(place, 1) > 1 else ""
        both = sum(place in row for row in rows)
        where = ": the shards of ranks overlap" if both > 1 else ""
        parts.append(f"position {place} occurs {times} times{again}{where}")
    if missing.size:
        last = len(every) < len(due) and (missing == due[-missing.size :]).all()
        told = f"position {missing[0]} on no rank, {missing.size} are missing"
        parts.append(told + (": the last ones, which are left over by a division" if last else ""))
    if (more := np.setdiff1d(values, due)).size:
        parts.append(f"position {more[0]}, which the sequence does not have")
    zigzag = _zigzag(rows, due)
    parts += [zigzag] if zigzag else []
    return "ranks", f"{size} ranks: {', '.join(parts) or 'other positions than those given'}"


def _zigzag(rows: Sequence[Places], due: Places) -> str:
    """Of ranks with two chunks each, one of which a zigzag has there: what another chunk is, in words."""
    chunk, rest = divmod(len(due), 2 * len(rows))
    if rest or not chunk or any(len(row) != 2 * chunk for row in rows):
        return ""
    off: list[list[int]] = [[], []]
    wrong = ""
    for rank, row in enumerate(rows):
        halves = row.reshape(2, chunk)
        if (np.diff(halves) != 1).any() or (halves[:, 0] % chunk).any():
            return ""
        mirror = 2 * len(rows) - 1 - rank
        for half, (first, right) in enumerate(
            zip(halves[:, 0] // chunk, (rank, mirror), strict=True)
        ):
            off[half].append(int(first) - right)
        if not wrong and (off[0][-1] or off[1][-1]):
            has = " and ".join(str(n) for n in halves[:, 0] // chunk)
            wrong = f"rank {rank} has chunks {has}, where {rank} and {mirror} are those of a zigzag"
    if not any(off[0]):
        return f"the second chunks are not those of a zigzag: {wrong}"
    return f"the first chunks are not those of a zigzag: {wrong}" if not any(off[1]) else ""


def _kind(row: NDArray[np.int64]) -> str:
    if not len(row):
        return "no tokens"
    kind = shape_of(row).kind
    return {"run": "contiguous", "constant": "one token"}.get(kind, kind)
