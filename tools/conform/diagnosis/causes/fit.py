"""Frequencies and plain numbers read off the results of an implementation."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ropeproof.tools.conform.diagnosis.guess import Guess, Observation

__all__ = ["fitted_angles", "plain_values", "sharpened"]

_FAR = 256
"""Positions up to which a frequency is sharpened: an angle there is known as well as a small one."""

_CLEAR = 0.5
"""Radians up to which an angle is that of a frequency that was read from vectors in half precision."""


def fitted_angles(guess: Guess, seen: Observation) -> NDArray[np.float64] | None:
    """The angle by which each pair is rotated at position 1, in radians, `(pairs,)`.

    None if no place of the sequence has position 1, of a plane that reads one of several coordinates
    no place where that one is 1. Of a dump, whose vectors have entries of any size, it is the mean over
    all vectors with a neighbour at the next position, and position 1 is read only without such.
    """
    if seen.scaled:
        return _of_neighbours(guess, seen)
    re, im = guess.pairs[:, 0], guess.pairs[:, 1]
    ones = guess.used()[:, 0] == 1
    at = ones.reshape(-1, ones.shape[-1])
    if not at.any(0).all():
        return None
    row, column = np.unravel_index(at.argmax(0), ones.shape[:2])
    if ones.shape[-1] == 1:  # all planes read the same position
        row, column = row.repeat(len(re)), column.repeat(len(re))
    before = seen.x[row, 0, column, re] + 1j * seen.x[row, 0, column, im]
    after = seen.out[row, 0, column, re] + 1j * seen.out[row, 0, column, im]
    turned: NDArray[np.float64] = np.angle(after / before)
    return turned if guess.sign_im > 0 else -turned


def _seen_turns(
    guess: Guess, seen: Observation
) -> tuple[NDArray[np.float64], NDArray[np.complex128]]:
    """The positions of the first row in rising order, and by what its pairs were multiplied there.

    The numbers, `(length, pairs)`, are sums over heads, in which large pairs, known best, weigh most.
    """
    re, im = guess.pairs[:, 0], guess.pairs[:, 1]
    order = np.argsort(guess.places[0, 0], kind="stable")
    x, out = seen.x[0][:, order], seen.out[0][:, order]
    before, after = x[..., re] + 1j * x[..., im], out[..., re] + 1j * out[..., im]
    found = (np.conj(before) * after).sum(0)
    return guess.places[0, 0][order], found if guess.sign_im > 0 else np.conj(found)


def _of_neighbours(guess: Guess, seen: Observation) -> NDArray[np.float64] | None:
    """The angle between neighbouring positions, or that at position 1; None without either."""
    if guess.axis is not None:
        return None
    places, turns = _seen_turns(guess, seen)
    near = np.flatnonzero(np.diff(places) == 1)
    if near.size:
        return np.asarray(np.angle((turns[near + 1] * np.conj(turns[near])).sum(0)))
    ones = np.flatnonzero(places == 1)
    return np.asarray(np.angle(turns[ones].sum(0))) if ones.size else None


def _sharpened_by_many(guess: Guess, seen: Observation, plane: int, frequency: float) -> float:
    """A frequency refined by the angles between ever more distant vectors of a dump."""
    if guess.axis is not None:
        return frequency
    places, turns = _seen_turns(guess, seen)
    own = turns[:, plane]
    apart = places - places[0]
    found, known = frequency, 1.0
    for column in range(1, len(places)):
        if not known < apart[column] <= min(_FAR, 16 * known):
            continue
        angle = float(np.angle(own[column] * np.conj(own[0])))
        off = (angle - found * apart[column] + math.pi) % (2 * math.pi) - math.pi
        if abs(off) > _CLEAR:
            return frequency
        found, known = float(found + off / apart[column]), float(apart[column])
    # All vectors up to there together; then the angles themselves, if the frequency is good enough for them.
    near = apart <= known
    off = np.angle(own[near] * np.exp(-1j * found * apart[near]) * np.conj(own[0]))
    spread = apart[near] - apart[near].mean()
    if spread.any() and np.abs(off).max() < _CLEAR:
        found += float((spread * off).sum() / (spread**2).sum())
    off = np.angle(own * np.exp(-1j * found * places))
    if places.any() and np.abs(off).max() < _CLEAR:
        found += float((places * off).sum() / (places**2).sum())
    return found


def sharpened(guess: Guess, seen: Observation, plane: int, frequency: float) -> float:
    """A frequency read at position 1, refined by the angles of its plane at later positions.

    It is returned unchanged if the angles there are not those of any frequency near it.
    """
    if seen.scaled:
        return _sharpened_by_many(guess, seen, plane, frequency)
    re, im = (int(n) for n in guess.pairs[plane])
    used = guess.used()[0, 0]
    places = used[:, min(plane, used.shape[-1] - 1)]
    found, known = frequency, 1.0
    for column in np.argsort(places, kind="stable"):
        place = float(places[column])
        if not known < place <= min(_FAR, 16 * known):
            continue
        before = seen.x[0, 0, column, re] + 1j * seen.x[0, 0, column, im]
        after = seen.out[0, 0, column, re] + 1j * seen.out[0, 0, column, im]
        angle = float(np.angle(after / before)) * (1 if guess.sign_im > 0 else -1)
        due = found * place
        off = (angle - due + math.pi) % (2 * math.pi) - math.pi
        if abs(off) > 1e-5 * place:
            return frequency
        found, known = found + off / place, place
    return found


def plain_values(value: float) -> Iterator[float]:
    """Yield plain numbers near a value, those of few digits first, and the value itself last."""
    if not (math.isfinite(value) and value > 0):
        return
    scale = math.floor(math.log10(value))
    tried = set()
    steps = (10.0 ** (scale - digits + 1) for digits in (1, 2, 3, 4))
    for step in (*steps, 1.0, 10.0 ** (scale - 6)):
        found = round(value / step) * step
        if found > 0 and found not in tried:
            tried.add(found)
            yield found
    yield value
