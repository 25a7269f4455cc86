"""The search for the head of least amplitude with a score: climb, shrink, repeat."""

from __future__ import annotations

import math

import numpy as np

from ropeproof.numerics.bounds.slash.budget.climb import Climb
from ropeproof.numerics.bounds.slash.budget.needed import amplitude_needed, rows_used
from ropeproof.numerics.bounds.slash.budget.rows import RelativeLogits, rows_of
from ropeproof.numerics.bounds.slash.budget.tables import Complexes
from ropeproof.numerics.bounds.slash.game.window import Window
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.lag_scan.head import Floats
from ropeproof.theory.errors import Unsupported

__all__ = ["FoundHead", "least_head", "needed_by_all", "score_at_amplitude"]

_STEPS = (25, 25, 60, 100)
_ENOUGH = 1e-6
_LONGER_STEPS = 50
_LONGER_TOLERANCE = 1e-6
"""Coarse: a step at a longer length costs up to a million lags, and four digits are reported."""
_NEEDED_STEPS = 100
_MOST_AMPLITUDE = 1e12
_RELATIVE = 2.0**-50


class FoundHead:
    """A head in logits, `(planes,)` of the window's planes, with its certified score."""

    def __init__(self, window: Window, amplitudes: Floats, phases: Floats) -> None:
        self.window, self.amplitudes, self.phases = window, amplitudes, phases
        self.rows: RelativeLogits = rows_of(window, amplitudes, phases)
        self.score: Enclosure = self.rows.average()

    @property
    def vector(self) -> Complexes:
        """The complex amplitudes `w_l = A_l e^{i phi_l}`, `(planes,)`."""
        result: Complexes = self.amplitudes * np.exp(1j * self.phases)
        return result


def least_head(window: Window, climb: Climb, direction: Complexes, score: float) -> FoundHead:
    """The head of least amplitude found whose certified score is at least `score`.

    `direction` is the complex head from which the search starts. Raises `Unsupported` if float64 certifies
    none.
    """
    amplitude = _least_amplitude(window, direction, score)
    vector = direction
    for steps in _STEPS:
        if amplitude == 0:
            break
        better = climb.improve(vector * (amplitude / np.abs(vector).sum()), steps)
        try:
            less = _least_amplitude(window, better, score)
        except Unsupported:
            break
        if less < amplitude:
            vector = better
        gained, amplitude = amplitude - less, min(amplitude, less)
        if gained < _ENOUGH * amplitude:
            break
    sizes = np.abs(vector) / np.abs(vector).sum()
    phases = _phases(vector)
    while True:
        found = FoundHead(window, sizes * amplitude, phases)
        if found.score.lower >= score:
            return found
        # The amplitudes were rounded; the root's certificate was for those before.
        amplitude *= 1 + 2.0**-44


def needed_by_all(found: FoundHead, climb: Climb, score: float) -> float:
    """A certified lower bound of the amplitude of every head with that mean score on the window.

    The bound is sharpest from the head that is best on the rows it uses, so a few heads are tried.
    """
    rows = found.rows
    best = amplitude_needed(rows, climb.tables, score)
    if found.amplitudes.any():
        for count in rows_used(rows.count, score):
            vector = climb.improve(found.vector, _NEEDED_STEPS, count)
            other = rows_of(found.window, np.abs(vector), _phases(vector))
            best = max(best, amplitude_needed(other, climb.tables, score))
    return best


def score_at_amplitude(
    window: Window, starts: list[Complexes], amplitude: float
) -> tuple[float, Complexes]:
    """The best certified score found at a given amplitude, and the head's direction.

    Candidates are each of `starts` as it is, and the result of a climb from it.
    """
    climb = Climb(window)
    best, chosen = -math.inf, starts[0]
    for start in starts:
        scaled = start * (amplitude / np.abs(start).sum())
        for vector in (scaled, climb.improve(scaled, _LONGER_STEPS, tolerance=_LONGER_TOLERANCE)):
            sizes = np.abs(vector)
            # Downwards, so that rounding does not add to the amplitude.
            sizes *= amplitude / sizes.sum() * (1 - 2.0**-44)
            lower = FoundHead(window, sizes, _phases(vector)).score.lower
            if lower > best:
                best, chosen = lower, vector
    return best, chosen


def _phases(vector: Complexes) -> Floats:
    result: Floats = np.where(np.abs(vector) > 0, np.angle(vector), 0.0)
    return result


def _least_amplitude(window: Window, direction: Complexes, score: float) -> float:
    """The amplitude at which a direction's certified score reaches `score`, by Brent's method."""
    from scipy.optimize import brentq

    sizes = np.abs(direction)
    rows = rows_of(window, sizes / sizes.sum(), _phases(direction))
    if rows.average(0.0).lower >= score:
        return 0.0
    low, high = 0.0, 1.0
    while rows.average(high).lower < score:
        low, high = high, 2 * high
        if high > _MOST_AMPLITUDE:
            raise Unsupported(
                f"score {score} at offset {window.before} and length "
                f"{window.before + window.after + 1}: no amplitude up to {_MOST_AMPLITUDE:.0e} is "
                "certified to reach it in float64"
            )
    if rows.average(high).lower == score:
        return high
    found = float(
        brentq(
            lambda factor: rows.average(factor).lower - score,
            low,
            high,
            xtol=_RELATIVE * high,
            rtol=4 * _RELATIVE,
        )
    )
    # The root lies on either side; what is returned is certified to reach the score.
    step = _RELATIVE
    while rows.average(found).lower < score:
        found, step = found * (1 + step), 2 * step
    return min(found, high)
