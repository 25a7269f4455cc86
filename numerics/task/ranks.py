"""Enumeration by rank: inputs are numbered from 0, and a block is a run of consecutive ranks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ropeproof.theory.errors import InvalidArgument

__all__ = ["MOST", "check_count", "choices_of", "ranks"]

Integers = NDArray[np.int64]
MOST = 1 << 62
"""The largest number of ranks: more would not fit the int64 arrays that count them."""


def ranks(count: int, block: int) -> Iterator[Integers]:
    """The ranks `0, ..., count - 1`, in arrays of at most `block`."""
    for first in range(0, count, block):
        yield np.arange(first, min(first + block, count), dtype=np.int64)


def choices_of(rank: Integers, choices: Sequence[int]) -> Integers:
    """Ranks as one choice per column, `(ranks, columns)`: mixed radix, the last column fastest."""
    digits = np.empty((len(rank), len(choices)), dtype=np.int64)
    for column in reversed(range(len(choices))):
        rank, digits[:, column] = np.divmod(rank, choices[column])
    return digits


def check_count(argument: str, count: int) -> None:
    """Raise `InvalidArgument` about that argument if there are more inputs than 2^62."""
    if count > MOST:
        raise InvalidArgument(argument, f"{count} inputs", "at most 2^62 inputs")
