"""Displacements of keys: how far each one is moved from its position, in positions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer, read_rational

__all__ = ["neighbour_swaps", "uniform_moves", "window_shuffles"]

Integers = NDArray[np.int64]


def neighbour_swaps(length: int, probability: float = 1.0, *, seed: int = 0) -> Integers:
    """Displacements that swap random neighbours, `(length,)` integers -1, 0 or 1.

    Going from the left, each position changes places with the next one with this probability, unless it
    has already changed places; the new position of `j` is `j` plus entry `j`, a permutation.

    >>> neighbour_swaps(5).tolist()
    [1, -1, 1, -1, 0]

    Raises `InvalidArgument` unless `length >= 1` and `0 <= probability <= 1`.
    """
    count = read_integer("length", length, least=1)
    chance = float(read_rational("probability", probability))
    if not 0 <= chance <= 1:
        raise InvalidArgument("probability", probability, "0 <= number <= 1")
    drawn = _generator(seed).random(count - 1) < chance
    moves = np.zeros(count, dtype=np.int64)
    for place in np.flatnonzero(drawn).tolist():
        if not moves[place]:
            moves[place : place + 2] = 1, -1
    return moves


def uniform_moves(length: int, most: int, *, seed: int = 0) -> Integers:
    """Independent displacements, uniform on `-most, ..., most`, `(length,)` integers.

    Two keys may come to stand at one position, and some before the first position.
    Raises `InvalidArgument` unless `length >= 1` and `most >= 0`.
    """
    count, far = read_integer("length", length, least=1), read_integer("most", most, least=0)
    return _generator(seed).integers(-far, far, size=count, endpoint=True)


def window_shuffles(length: int, most: int, *, seed: int = 0) -> Integers:
    """Displacements that shuffle consecutive windows of `most + 1` positions, `(length,)` integers.

    No key moves by more than `most`. The last window may be shorter.

    >>> moves = window_shuffles(7, 2)
    >>> sorted((np.arange(7) + moves).tolist()), bool(abs(moves).max() <= 2)
    ([0, 1, 2, 3, 4, 5, 6], True)

    Raises `InvalidArgument` unless `length >= 1` and `most >= 0`.
    """
    count, far = read_integer("length", length, least=1), read_integer("most", most, least=0)
    random, places = _generator(seed), np.arange(count)
    for first in range(0, count, far + 1):
        random.shuffle(places[first : first + far + 1])
    return places - np.arange(count)


def _generator(seed: int) -> np.random.Generator:
    return np.random.default_rng(read_integer("seed", seed, least=0))
