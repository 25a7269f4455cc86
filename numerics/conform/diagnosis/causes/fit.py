"""Frequencies read off what an implementation gave."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.conform.diagnosis.guess import Guess, Observation

__all__ = ["fitted_angles", "plain_values"]


def fitted_angles(guess: Guess, seen: Observation) -> NDArray[np.float64] | None:
    """By how much each pair is turned at position 1, in radians, `(pairs,)`.

    None if no place of the sequence has position 1.
    """
    at = np.argwhere(guess.places[:, 0] == 1)
    if not at.size:
        return None
    row, column = (int(n) for n in at[0])
    re, im = guess.pairs[:, 0], guess.pairs[:, 1]
    before = seen.x[row, 0, column, re] + 1j * seen.x[row, 0, column, im]
    after = seen.out[row, 0, column, re] + 1j * seen.out[row, 0, column, im]
    turned: NDArray[np.float64] = np.angle(after / before)
    return turned if guess.sign_im > 0 else -turned


def plain_values(value: float) -> Iterator[float]:
    """The value itself after the plain numbers near it: few digits first."""
    if not (math.isfinite(value) and value > 0):
        return
    scale = math.floor(math.log10(value))
    tried = set()
    for digits in (1, 2, 3, 4):
        step = 10.0 ** (scale - digits + 1)
        found = round(value / step) * step
        if found > 0 and found not in tried:
            tried.add(found)
            yield found
    yield value
