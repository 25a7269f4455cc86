"""Descent on induction from given lag logits, step by step, beside what the theorems guarantee.

The model is that of `slash.gd.offset-signs`: layer 1 hands on `z_j = sum_t a_t x_(j-t)`, layer 2 attends with
the logits `beta <x_(N-1), z_j>` and copies; tokens are orthonormal, the last one stood at `p` before. The
loss is averaged over the places `0 <= p <= N - 3`. Here `a` is the softmax of the lags' logits, or of a RoPE
head's logits `sum_l x_l cos(theta_l t) + y_l sin(theta_l t)` with trained `x`, `y`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Descent", "averaged", "descend_lags", "descend_rope", "softmax"]

Floats = NDArray[np.float64]


def softmax(logits: Floats) -> Floats:
    """The softmax of the logits over the last axis."""
    powers = np.exp(logits - logits.max(-1, keepdims=True))
    result: Floats = powers / powers.sum(-1, keepdims=True)
    return result


def averaged(weights: Floats, beta: float) -> tuple[float, Floats]:
    """The loss averaged over the places, and its derivatives in the weights, `(lags,)`.

    `weights` is `(N,)`, `N >= 3`. Cost: `N^2` numbers.
    """
    n = len(weights)
    places = np.arange(n - 2)[:, np.newaxis]
    columns = np.arange(n)
    # Logits (places, n): the token is at p and at the end; lag t brings it to p + t and n - 1 + t.
    lag = columns - places
    logits = beta * np.where(lag >= 0, weights[np.maximum(lag, 0)], 0.0)
    logits[:, -1] += beta * weights[0]
    attention = softmax(logits)
    target = places + 1
    own = np.take_along_axis(attention, target, 1)[:, 0]
    loss = float(-np.log(own).mean())
    # Lag t brings the token to p + t, if that is a place, and lag 0 to the end as well.
    place = places + columns
    slopes = np.take_along_axis(attention, np.minimum(place, n - 1), 1) * (place < n)
    slopes[:, 0] += attention[:, -1]
    slopes[:, 1] -= 1.0
    return loss, beta * slopes.mean(0)


@dataclass(frozen=True)
class Descent:
    """The course of a descent, one number a step (`(steps + 1,)`), compared with the theorems.

    - `loss`; `weight`: of lag 1; `second`: of the largest other lag; `leader`: the lag of the largest;
    - `excess`: by how much a step's change of `g_t - g_1` exceeds `-eta a_1 |D_1| (1 - a_1)`, the largest
      over lags `t != 1`, `(steps,)`: not positive where the step widens the lead as much as it must;
    - `sharp`: the same with `1 - a_1 + a_t` of `slash.gd.offset-step`;
    - `wrong_signs`: steps at which `D_1 > 0` or some other `D_t < 0`, beyond rounding;
    - `guaranteed`: the lower bound of `a_1/(1 - a_1)` after each step, from the initial state alone;
    - `falls`: of the lags but 1, the share whose weight relative to lag 1 fell at every step.

    `eta` is the step times the squared length of a lag's features: 1 for the lags, else the planes. For
    starts where another lag has more weight than lag 1, and for a RoPE key, the last three guarantee nothing.
    """

    loss: Floats
    weight: Floats
    second: Floats
    leader: NDArray[np.int64]
    excess: Floats
    sharp: Floats
    wrong_signs: int
    guaranteed: Floats
    falls: float

    @property
    def odds(self) -> Floats:
        """The odds of lag 1 at each step, `a_1/(1 - a_1)`, which is `1/X`."""
        return self.weight / (1 - self.weight)

    @property
    def taken(self) -> int | None:
        """The first step from which on lag 1 has the largest weight; None if it never keeps it."""
        other = np.flatnonzero(self.leader != 1)
        first = int(other[-1]) + 1 if len(other) else 0
        return first if first < len(self.leader) else None


def descend_lags(start: Floats, *, beta: float, step: float, steps: int) -> Descent:
    """The descent on the logits of the lags themselves, from `start`, `(N,)`, with `steps` steps."""
    return _descend(start, np.eye(len(start)), beta, step, steps)


def descend_rope(
    frequencies: Floats, start: Floats, *, length: int, beta: float, step: float, steps: int
) -> Descent:
    """The descent on the key of one RoPE head, `(2 planes,)` reals: cosine parts, then sine parts.

    The logit at lag `t` is `sum_l x_l cos(theta_l t) + y_l sin(theta_l t)`; its query is fixed.
    """
    angles = np.outer(np.arange(length), frequencies)
    return _descend(start, np.hstack((np.cos(angles), np.sin(angles))), beta, step, steps)


def _descend(parameters: Floats, features: Floats, beta: float, step: float, steps: int) -> Descent:
    n = len(features)
    rows: list[tuple[float, float, float, int]] = []
    excess, sharp = [], []
    wrong = 0
    others = np.arange(n) != 1
    falling = np.ones(n, dtype=bool)
    logits = features @ parameters
    pace = step * float((features[1] ** 2).sum())
    for count in range(steps + 1):
        weights = softmax(logits)
        loss, slopes = averaged(weights, beta)
        rows.append((loss, weights[1], weights[others].max(), int(weights.argmax())))
        rounding = 1e-13 * beta
        wrong += bool(slopes[1] > rounding or (slopes[others] < -rounding).any())
        if count == steps:
            break
        descent = weights * (slopes - weights @ slopes)
        parameters = parameters - step * features.T @ descent
        after = features @ parameters
        moved = (after - after[1]) - (logits - logits[1])
        promised = pace * weights[1] * abs(slopes[1]) * (1 - weights[1])
        excess.append((moved[others] + promised).max())
        more = pace * weights[1] * abs(slopes[1]) * (1 - weights[1] + weights)
        lower = others & (weights <= weights[1])
        sharp.append((moved + more)[lower].max() if lower.any() else -np.inf)
        falling &= moved <= 0
        logits = after
    loss, weight, second, leader = (np.array(column) for column in zip(*rows, strict=True))
    first = float(weight[0])
    speed = pace * first**2 * beta * (n - 1) / (n - 1 + np.exp(beta))
    return Descent(
        loss=loss,
        weight=weight,
        second=second,
        leader=leader,
        excess=np.array(excess),
        sharp=np.array(sharp),
        wrong_signs=wrong,
        guaranteed=first / (1 - first) + speed * np.arange(steps + 1),
        falls=float(falling[others].mean()),
    )
