r"""Ceilings of the slash score: what the planes with amplitude cannot exceed.

Each theorem bounds the competition of the mean head, `S <= 1/(1 + R)` in a row. The row's logits
are within `eta` of the mean head's, so by `softmax.perturb` the head's own weight is at most
`1/(1 + e^{-2 eta} R)`; the score is at most the mean over rows. `slash.low-only` and
`slash.lipschitz-ceiling` are about slow planes: faster planes can be taken out, as their amplitude
counts as deviation, and the cut is where the bound is smallest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.bounds.slash.ceiling import amplitude_per_log_odds
from ropeproof.tools.measure.verdicts.record import (
    NOTHING,
    Condition,
    Verdict,
    at_least,
    at_most,
    conclude,
    condition,
    taken,
)
from ropeproof.tools.measure.verdicts.study import Study

__all__ = ["ceilings"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
_DOWN = 1 - 2.0**-40
"""Makes a float64 quotient of a few operations a lower bound."""


class _Cut(NamedTuple):
    """The rows' bounds with planes up to a frequency, and the amplitude of the faster ones."""

    bounds: Floats
    frequency: float
    rest: float


def ceilings(study: Study, lag: int, weights: Floats, deviations: Floats) -> Iterator[Verdict]:
    """The verdicts on the ceilings of the slash score at one lag.

    `weights` and `deviations` are those of the rows from `lag` on, `(length - lag,)` each.
    """
    score, about = float(weights.mean()), f"score at lag {lag}"
    # Row i has i - lag later lags on one side of the target and lag on the other.
    after = np.arange(study.length - lag)
    falls = np.exp(-_falls(study, lag))
    sums = np.concatenate(([0.0], np.cumsum(falls)))
    rest = 2 * sums[np.minimum(after, lag)]
    carried = taken(
        "deviation of a row's logits, mean, by softmax.perturb", float(deviations.mean())
    )

    def verdict(claim: str, bounds: Floats, *more: Condition) -> Verdict:
        bound = float(bounds.mean())
        return conclude(
            claim,
            study.prompt,
            about,
            [carried, *more],
            at_most(bound, "weight", says=bound < 1 - NOTHING),
            score,
            rounding=study.weight_rounding,
            everywhere=bool((weights <= bounds + 2 * study.weight_rounding).all()),
        )

    yield verdict("slash.ceiling", _weights(rest, deviations))
    for claim, competition in (
        ("slash.low-only", _low_only(lag, after)),
        ("slash.lipschitz-ceiling", _lipschitz(lag, after)),
    ):
        cut = _best_cut(study, deviations, competition)
        yield verdict(
            claim,
            cut.bounds,
            taken("largest frequency counted, radians per position", cut.frequency),
            taken("amplitude of faster planes, as deviation", cut.rest),
        )
    yield _amplitude_needed(study, lag, weights, deviations)


def _falls(study: Study, lag: int) -> Floats:
    """`E_t = sum_l A_l (1 - cos(theta_l t))` of the mean head for `1 <= t <= lag`, `(lag,)`.

    Computed without cancellation.
    """
    halves = np.arange(1, lag + 1)[:, np.newaxis] * study.head.frequencies / 2
    result: Floats = 2 * np.sin(halves) ** 2 @ study.amplitudes
    return result


def _weights(rest: Floats, deviations: Floats) -> Floats:
    """The bound of the target's weight in every row, `1/(1 + e^{-2 eta} R)`."""
    result: Floats = 1 / (1 + np.exp(-2 * deviations) * rest)
    return result


def _best_cut(
    study: Study, deviations: Floats, competition: Callable[[Floats, Floats], Floats]
) -> _Cut:
    """The cut with the smallest mean bound, planes faster than it being counted as deviation."""
    theta, sizes = study.head.frequencies, study.amplitudes
    found = []
    for frequency in np.unique(theta).tolist():
        slow = theta <= frequency
        rest = float(sizes[~slow].sum())
        bounds = _weights(competition(sizes[slow], theta[slow]), deviations + rest)
        found.append(_Cut(bounds, frequency, rest))
    # Of equal bounds the one that takes out least.
    return min(found, key=lambda cut: (float(cut.bounds.mean()), cut.rest))


def _low_only(lag: int, after: Integers) -> Callable[[Floats, Floats], Floats]:
    """The competition of `slash.low-only`, `2 e^{-1/2} T` in every row, as a function of planes."""

    def competition(sizes: Floats, theta: Floats) -> Floats:
        rate = float(theta.max()) * math.sqrt(float(sizes.sum()))
        most = math.floor(min(1 / rate, 2.0**40) * _DOWN) if rate > 0 else lag
        result: Floats = 2 * math.exp(-0.5) * np.minimum(np.minimum(after, lag), most)
        return result

    return competition


def _lipschitz(lag: int, after: Integers) -> Callable[[Floats, Floats], Floats]:
    """Competition of `slash.lipschitz-ceiling`: sum of `e^{-lambda |t - lag|}` over other lags."""

    def competition(sizes: Floats, theta: Floats) -> Floats:
        decays = np.exp(-float(sizes @ theta) * np.arange(1, max(lag, len(after)) + 1))
        sums = np.concatenate(([0.0], np.cumsum(decays)))
        result: Floats = sums[lag] + sums[after]
        return result

    return competition


def _amplitude_needed(study: Study, lag: int, weights: Floats, deviations: Floats) -> Verdict:
    """The verdict of `slash.amplitude-needed` on the mean head's amplitude.

    The mean head's odds in a row are at least `e^{-2 eta}` times the observed ones, so that its
    amplitude is at least `(ln(2 odds) - 2 eta)/(1 - cos 1)`.
    """
    amplitude = float(study.amplitudes.sum())
    two_sided = slice(1, None) if lag >= 1 else slice(0, 0)
    # From below, so that what is needed is not more than what is true.
    shares = np.clip(weights[two_sided] - study.weight_rounding, 0.0, 1.0)
    conditions = [
        condition("largest frequency", float(study.head.frequencies.max()), "<=", 1.0),
        condition("rows with a lag on each side of the target", float(len(shares)), ">=", 1.0),
    ]
    needed = 0.0
    if len(shares):
        with np.errstate(divide="ignore"):
            odds = np.log(2 * shares / (1 - shares))
        row = int((odds - 2 * deviations[two_sided]).argmax())
        needed = max(float(odds[row] - 2 * deviations[two_sided][row]), 0.0)
        needed *= amplitude_per_log_odds().lower
    return conclude(
        "slash.amplitude-needed",
        study.prompt,
        f"amplitude for the largest weight at lag {lag}",
        conditions,
        at_least(needed, "logits", says=needed > 0),
        amplitude,
        rounding=2.0**-40 * (1 + needed) + 16 * study.logit_rounding,
    )
