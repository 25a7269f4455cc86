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
    """

    name: str
    given: Mapping[str, Any]
    due: Places
    counted: NDArray[np.bool_]
    groups: Places | None = None
    note: str = ""


def settings(producer: Producer) -> Iterator[PositionSetting]:
    """Yield the settings that the parameters of a function can express."""
    yield from _plain(producer)
    if producer.takes("attention_mask"):
        yield from _padded()
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
        due = np.arange(length, dtype=np.int64)[np.newaxis]
        rows = 1 if flat else 2
        given = whole_given(rows, length)
        yield PositionSetting(
            "positions.plain", given, due.repeat(rows, 0), _all(due.repeat(rows, 0))
        )


def _padded() -> Iterator[PositionSetting]:
    """Rows of which some are padded, on the left or on the right, one down to a single token."""
    index = np.arange(_LENGTH)
    for name, pads in (("left-padding", [3, 0, 11]), ("right-padding", [4, 0, 11])):
        count = np.array(pads)[:, np.newaxis]
        left = name == "left-padding"
        mask = (index >= count if left else index < _LENGTH - count).astype(np.int64)
        due = np.maximum(index - count, 0) if left else np.minimum(index, _LENGTH - count - 1)
        given = whole_given(len(pads), _LENGTH) | {"attention_mask": mask}
        groups = np.zeros_like(due)
        yield PositionSetting(
            f"positions.{name}", given, due, mask == 1, groups + np.arange(3)[:, None]
        )


def _chunks(producer: Producer) -> Iterator[PositionSetting]:
    """Chunks of a prefill and one token of decoding, behind a cache of all tokens before them."""
    flat = producer.takes("lengths") or producer.takes("cu_seqlens")
    for name, begin, length in (
        ("chunk", 7, 5),
        ("chunk", 12, 8),
        ("chunk", 1, 2),
        ("decode", 20, 1),
        ("decode", 1, 1),
    ):
        rows = 1 if flat else 2
        due = (begin + np.arange(length, dtype=np.int64))[np.newaxis].repeat(rows, 0)
        given = whole_given(rows, length) | {"past": begin}
        if producer.takes("attention_mask"):  # of the cache and the chunk, as engines have it
            given["attention_mask"] = np.ones((rows, begin + length), dtype=np.int64)
        yield PositionSetting(f"positions.{name}", given, due, _all(due))
    if flat:
        starts, lengths = np.array([7, 0, 20]), np.array([5, 4, 1])
        due = np.concatenate([s + np.arange(n) for s, n in zip(starts, lengths, strict=True)])
        given = _of_lengths(lengths) | {"past": starts}
        yield PositionSetting("positions.requests", given, due[np.newaxis], _all(due[np.newaxis]))


def _of_lengths(lengths: Sequence[int] | Places) -> dict[str, Any]:
    each = np.asarray(lengths, dtype=np.int64)
    whole = int(each.sum())
    return whole_given(1, whole) | {
        "lengths": each,
        "cu_seqlens": np.concatenate(([0], np.cumsum(each))).astype(np.int64),
        "document_ids": np.repeat(np.arange(len(each)), each)[np.newaxis],
    }


def _packed(producer: Producer) -> Iterator[PositionSetting]:
    """Documents in one row: of one token among them, an empty one, and numbers in no order."""
    tries: list[tuple[str, list[int]]] = [("packing", [5, 1, 4, 2]), ("packing", [1, 1, 7])]
    if not producer.takes("document_ids"):
        tries.append(("packing-empty", [5, 0, 3]))
    for name, lengths in tries:
        groups = np.repeat(np.arange(len(lengths)), lengths)[np.newaxis]
        due = np.concatenate([np.arange(n, dtype=np.int64) for n in lengths])[np.newaxis]
        yield PositionSetting(f"positions.{name}", _of_lengths(lengths), due, _all(due), groups)
    if producer.takes("document_ids"):
        ids = np.array([[4, 4, 4, 9, 9, 2, 2, 1], [0, 0, 0, 0, 0, 0, 0, 0]], dtype=np.int64)
        due = np.array([[0, 1, 2, 0, 1, 0, 1, 0], list(range(8))], dtype=np.int64)
        given = whole_given(2, 8) | {"document_ids": ids}
        groups = np.array([[0, 0, 0, 1, 1, 2, 2, 3], [4] * 8])
        yield PositionSetting("positions.packing", given, due, _all(due), groups)
