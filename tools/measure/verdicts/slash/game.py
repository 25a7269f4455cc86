r"""`slash.game-one-sided`: the margin of the mean head against what its amplitude can buy.

Any probabilities `y` on the other lags bound the margin of every head of amplitude `A`, whatever its
phases, by `A max_l |1 - sum_e y_e e^{i theta_l e}|`. Good ones are found by playing the game: the
lags weigh themselves by how little the planes' best answers so far gave them. The bound holds for
whatever is found, and some tens of rounds come within a few per cent of the best.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.measure.verdicts.record import Verdict, at_most, conclude, taken
from ropeproof.tools.measure.verdicts.study import Study

__all__ = ["game_verdict", "margin_limit"]

_ROUNDS = 64
_RATE = 3.0


def game_verdict(study: Study, lag: int) -> Verdict:
    """The verdict of `slash.game-one-sided` at one lag, about the logits before the soft cap."""
    mean, amplitude = study.mean_logits, float(study.amplitudes.sum())
    limit = margin_limit(study.vectors.spec, study.length, lag)
    bound = amplitude * limit
    return conclude(
        "slash.game-one-sided",
        study.prompt,
        f"margin of the mean logit at lag {lag}",
        [
            taken("amplitude of the means in logits", amplitude),
            taken("margin per unit amplitude, at most", limit),
        ],
        at_most(bound, "logits", says=bound < amplitude or amplitude == 0),
        float(mean[lag] - np.delete(mean, lag).max()),
        rounding=4 * study.logit_rounding,
    )


@lru_cache(maxsize=256)
def margin_limit(spec: RopeSpec, length: int, lag: int) -> float:
    """An upper bound of the margin at `lag` over all lags below `length`, per unit amplitude.

    >>> 0.33 < margin_limit(RopeSpec(128, 10000), 256, 1) < 0.40
    True

    Cost: some tens of matrix products with `(length, planes)` complex numbers.
    """
    moves = np.delete(np.arange(length), lag) - lag
    turns = np.exp(1j * moves[:, np.newaxis] * frequencies_float64(spec))
    chances = np.full(len(moves), 1 / len(moves))
    earned, played, best = np.zeros(len(moves)), np.zeros(len(moves)), math.inf
    for number in range(1, _ROUNDS + 1):
        gaps = 1 - chances @ turns
        sizes = np.abs(gaps)
        plane = int(sizes.argmax())
        best = min(best, float(sizes[plane]))
        if not best > 0:
            return 0.0
        answer = gaps[plane].conj() / sizes[plane]
        earned += (answer * (1 - turns[:, plane])).real
        played += chances
        chances = np.exp(-_RATE * (earned - earned.min()) / math.sqrt(number))
        chances /= chances.sum()
    whole = np.abs(1 - played @ turns / played.sum())
    # Sums of at most 2^20 terms of size 1.
    return min(best, float(whole.max())) + 2.0**-40
