"""The settings in which a function that makes positions is called, and what is due in each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.tools.conform.producers.producer import Producer

__all__ = ["PositionSetting", "settings", "whole_given"]

Places = NDArray[np.int64]

_LENGTH = 12


@dataclass(frozen=True, eq=False)
class PositionSetting:
    """One call: what is given, and the positions that are due, `(rows, length)` or with coordinates last.

    `counted` says which tokens have a position that matters, `(rows, length)`. `groups` number
    the tokens that attend to each other, `(rows, length)`: if every position of a group is off by
    one number, lags are right. None where positions must be as they are due, as beside keys in a cache.
    `pieces` are the requests or documents of each row in turn, `(tokens in the cache, new tokens)`, and
    `pads` the numbers of padded tokens of the rows, on the `left` or on the right.
    `images` are of each row numbers of tokens of text, and images as patches in time, height and width.
    """

    name: str
    given: Mapping[str, Any]
    due: Places
    counted: NDArray[np.bool_]
    groups: Places | None = None
    pieces: tuple[tuple[tuple[int, int], ...], ...] = ()
    pads: tuple[int, ...] = ()
    left: bool = True
    images: Sequence[Sequence[int | tuple[int, int, int]]] = ()


def settings(producer: Producer) -> Iterator[PositionSetting]:
    """Yield the settings that the parameters of a function can express."""
    yield from _plain(producer)
    if producer.takes("attention_mask"):
        yield from _padded(producer)
    if producer.takes("past"):
        yield from _chunks(producer)
    if any(producer.takes(r) for r in ("cu_seqlens", "lengths", "document_ids")):
        yield from _packed(producer)


def whole_given(rows: int, length: int) -> dict[str, Any]:
    """What a call without padding and cache is given, whatever its parameters."""
    ids = np.arange(rows * length, dtype=np.int64).reshape(rows, length) % 7 + 10
    run = np.arange(length, dtype=np.int64)
    return {
        "attention_mask": np.ones((rows, length), dtype=np.int64),
        "input_ids": ids,
        "length": length,
        "batch": rows,
        "past": 0,
        "position_ids": np.broadcast_to(run, (rows, length)).copy(),
        "rank": 0,
        "size": 1,
        "lengths": np.full(rows, length, dtype=np.int64) if rows > 1 else np.array([length]),
        "cu_seqlens": np.arange(0, rows * length + 1, length, dtype=np.int64),
        "document_ids": np.zeros((rows, length), dtype=np.int64),
        "mm_token_type_ids": np.zeros((rows, length), dtype=np.int64),
        "image_token_id": 3,
        "vision_start_token_id": 4,
        "spatial_merge_size": 2,
    }


def _all(due: Places) -> NDArray[np.bool_]:
    return np.ones(due.shape[:2], dtype=bool)


def _plain(producer: Producer) -> Iterator[PositionSetting]:
    flat = producer.takes("cu_seqlens") or producer.takes("lengths")
    for length in (_LENGTH, 1):
        rows = 1 if flat else 2
        yield _of_pieces("positions.plain", whole_given(rows, length), [[(0, length)]] * rows)


def _of_pieces(
    name: str,
    given: Mapping[str, Any],
    pieces: Sequence[Sequence[tuple[int, int]]],
    *,
    alone: bool = False,
) -> PositionSetting:
    """A setting of rows of requests or documents, which attend to nothing but themselves if `alone`."""
    due = np.array([np.concatenate([p + np.arange(n) for p, n in row]) for row in pieces])
    counts = [[n for _, n in row] for row in pieces]
    groups = np.array([np.repeat(np.arange(len(row)), row) for row in counts])
    groups += np.cumsum([0, *map(len, counts[:-1])])[:, np.newaxis]
    return PositionSetting(
        name,
        given,
        due.astype(np.int64),
        _all(due),
        groups if alone else None,
        tuple(tuple(row) for row in pieces),
    )


def _padded(producer: Producer) -> Iterator[PositionSetting]:
    """Rows of which some are padded, on the left or on the right, one down to a single token.

    Behind a cache the mask is that of the cached tokens and of the new ones, padded in the cache.
    """
    index = np.arange(_LENGTH)
    for name, pads in (("left-padding", [3, 0, 11]), ("right-padding", [4, 0, 11])):
        count = np.array(pads)[:, np.newaxis]
        left = name == "left-padding"
        mask = (index >= count if left else index < _LENGTH - count).astype(np.int64)
        due = np.maximum(index - count, 0) if left else np.minimum(index, _LENGTH - count - 1)
        given = whole_given(len(pads), _LENGTH) | {"attention_mask": mask}
        yield PositionSetting(
            f"positions.{name}",
            given,
            due,
            mask == 1,
            np.zeros_like(due) + np.arange(3)[:, np.newaxis],
            tuple(((0, _LENGTH - n),) for n in pads),
            tuple(pads),
            left,
        )
    if not producer.takes("past"):
        return
    for past, length in ((9, 4), (9, 1)):
        pads = [4, 0, 7]
        mask = (np.arange(past + length) >= np.array(pads)[:, np.newaxis]).astype(np.int64)
        pieces = tuple(((past - n, length),) for n in pads)
        due = np.array([p + np.arange(n) for ((p, n),) in pieces], dtype=np.int64)
        given = whole_given(3, length) | {"attention_mask": mask, "past": past}
        groups = np.zeros_like(due) + np.arange(3)[:, np.newaxis]
        yield PositionSetting(
            "positions.left-padding", given, due, _all(due), groups, pieces, tuple(pads)
        )


_CHUNKS = (
    ("chunk", 7, 5),
    ("chunk", 12, 8),
    ("chunk", 1, 2),
    ("chunk", 253, 9),
    ("decode", 20, 1),
    ("decode", 1, 1),
    ("decode", 301, 1),
    ("far", 2047, 6),
    ("far", 32765, 7),
    ("far", 65533, 7),
    ("far", 100003, 1),
)
"""Names of settings, tokens in the cache and new ones, about the ends of 8 and 16 bits as well."""


def _chunks(producer: Producer) -> Iterator[PositionSetting]:
    """Chunks of a prefill and one token of decoding, behind a cache of all tokens before them."""
    flat = producer.takes("lengths") or producer.takes("cu_seqlens")
    for name, begin, length in _CHUNKS:
        rows = 1 if flat else 2
        given = whole_given(rows, length) | {"past": begin}
        if producer.takes("attention_mask"):  # of the cache and the chunk, as engines have it
            given["attention_mask"] = np.ones((rows, begin + length), dtype=np.int64)
        yield _of_pieces(f"positions.{name}", given, [[(begin, length)]] * rows)
    if not flat:
        return
    for starts, lengths in (([7, 0, 20], [5, 4, 1]), ([0, 3, 3, 11], [3, 1, 6, 2])):
        given = _of_lengths(lengths) | {"past": np.array(starts, dtype=np.int64)}
        row = list(zip(starts, lengths, strict=True))
        yield _of_pieces("positions.requests", given, [row])


def _of_lengths(lengths: Sequence[int] | Places) -> dict[str, Any]:
    each = np.asarray(lengths, dtype=np.int64)
    whole = int(each.sum())
    return whole_given(1, whole) | {
        "lengths": each,
        "cu_seqlens": np.concatenate(([0], np.cumsum(each))).astype(np.int64),
        "document_ids": np.repeat(np.arange(len(each)), each)[np.newaxis],
    }


def _packed(producer: Producer) -> Iterator[PositionSetting]:
    """Documents in one row: of one token among them, an empty one, long ones, and numbers in no order."""
    tries: list[tuple[str, list[int]]] = [
        ("packing", [5, 1, 4, 2]),
        ("packing", [1, 1, 7]),
        ("packing", [40, 300, 17]),
    ]
    if not producer.takes("document_ids"):
        tries.append(("packing-empty", [5, 0, 3]))
    for name, lengths in tries:
        row = [(0, n) for n in lengths]
        yield _of_pieces(f"positions.{name}", _of_lengths(lengths), [row], alone=True)
    if producer.takes("document_ids"):
        for rows in (
            ([(4, 3), (9, 2), (2, 2), (1, 1)], [(0, 8)]),
            ([(2, 3), (4, 2), (8, 4), (6, 1), (262, 2)], [(3, 12)]),
        ):
            ids = np.array([np.repeat(*np.transpose(row)) for row in rows], dtype=np.int64)
            given = whole_given(*ids.shape) | {"document_ids": ids}
            pieces = [[(0, n) for _, n in row] for row in rows]
            yield _of_pieces("positions.packing", given, pieces, alone=True)
