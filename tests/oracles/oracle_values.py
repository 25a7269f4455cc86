"""Values that more than one test compares with, each computed once and without any code of the project.

Tests of claims (this folder), of `numerics` and of sabotaged bounds take them from here.
"""

from __future__ import annotations

import mpmath
import numpy as np
from scipy.optimize import linprog

__all__ = [
    "attention_rows",
    "best_guarantee",
    "entropy",
    "game",
    "game_value",
    "mp_amplitude_needed",
    "mp_window_weight",
    "softmax",
]


def softmax(logits):
    """The softmax over the last axis; 0 at a logit of minus infinity."""
    values = np.asarray(logits, dtype=float)
    sizes = np.exp(values - values.max(-1, keepdims=True))
    return sizes / sizes.sum(-1, keepdims=True)


def attention_rows(logits):
    """The causal softmax of a square table of logits, row by row."""
    table = np.asarray(logits, dtype=float)
    return softmax(np.where(np.tri(len(table), dtype=bool), table, -np.inf))


def entropy(probabilities):
    """-sum p ln p, with 0 ln 0 = 0."""
    p = np.asarray(probabilities, dtype=float)
    p = p[p > 0]
    return float(-(p * np.log(p)).sum())


def game_value(payoff):
    """The most that probabilities on the columns guarantee at every row, by one linear programme."""
    rows, columns = payoff.shape
    found = linprog(
        np.append(np.zeros(columns), -1.0),
        A_ub=np.column_stack((-payoff, np.ones(rows))),
        b_ub=np.zeros(rows),
        A_eq=np.append(np.ones(columns), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0, None)] * columns + [(None, None)],
        method="highs",
    )
    return float(-found.fun)


def game(payoff):
    """The value of the game whose rows have either sign, from each side, with both strategies."""
    rows, columns = payoff.shape
    both = np.concatenate([payoff, -payoff])
    first = linprog(
        np.r_[np.zeros(2 * rows), -1],
        A_ub=np.block(
            [[-both.T, np.ones((columns, 1))], [np.ones((1, 2 * rows)), np.zeros((1, 1))]]
        ),
        b_ub=np.r_[np.zeros(columns), 1],
        bounds=[*[(0, None)] * (2 * rows), (None, None)],
    )
    second = linprog(
        np.r_[np.zeros(columns), 1],
        A_ub=np.block([both, -np.ones((2 * rows, 1))]),
        b_ub=np.zeros(2 * rows),
        A_eq=[np.r_[np.ones(columns), 0]],
        b_eq=[1],
        bounds=[*[(0, None)] * columns, (None, None)],
    )
    x = first.x[:rows] - first.x[rows : 2 * rows]
    return -first.fun, x, second.fun, second.x[:columns]


def best_guarantee(angles, count):
    """The best least logit at the lags 1..count of a head of amplitude 1, by its cosines about the middle."""
    lags = np.arange(1, count + 1) - (count + 1) / 2
    parts = np.cos(np.outer(lags, angles))
    return game_value(np.concatenate((parts, -parts), axis=1))


def mp_window_weight(angles, amplitudes, reach):
    """The weight of an aligned head's target with so many lags on each side, at 50 digits.

    The angles are numbers of mpmath, the amplitudes float64.
    """
    with mpmath.workdps(50):

        def fall(lag):
            return mpmath.fsum(
                mpmath.mpf(float(a)) * (1 - mpmath.cos(angle * lag))
                for a, angle in zip(amplitudes, angles, strict=True)
            )

        return 1 / (1 + 2 * mpmath.fsum(mpmath.exp(-fall(t)) for t in range(1, reach + 1)))


def mp_amplitude_needed(angles, weights, score):
    """[ln(2 kappa/(1 - kappa)) + H(y)]/max_l sum_t y_t (1 - cos theta_l t) at 50 digits.

    `weights` on the lags 1, 2, ... are y up to a factor, `score` is a fraction.
    """
    with mpmath.workdps(50):
        y = [mpmath.mpf(float(w)) for w in weights]
        total = mpmath.fsum(y)
        y = [w / total for w in y]
        spread = -mpmath.fsum(w * mpmath.log(w) for w in y if w)
        earned = max(
            mpmath.fsum(w * (1 - mpmath.cos(angle * t)) for t, w in enumerate(y, start=1))
            for angle in angles
        )
        kappa = mpmath.mpf(score.numerator) / score.denominator
        return (mpmath.log(2 * kappa / (1 - kappa)) + spread) / earned
