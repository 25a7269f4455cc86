r"""The least amplitude with a weight on a symmetric window, in float64, by Newton's method.

Minimise `sum_l a_l` subject to `F(a) = ln sum_t e^{-E_t(a)} <= c`, `a >= 0`, with
`c = ln((1 - kappa)/(2 kappa))`. `F` is convex (`slash.soft-convex`), its gradient is minus the means of the
falls under the weights `y` of the head, its Hessian their covariance. From a head with `F = c` a step goes
towards the least amplitude that the quadratic model of `F` allows, which is a problem in the planes
alone, and the head there is scaled until `F = c` again. The weights `y` of each head have the bound
`(H(y) - c)/max_l sum_t y_t (1 - cos(theta_l t))`, which no head undercuts; the search ends when the best
head and the best bound meet. Nothing here is certified.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from ropeproof.numerics.bounds.slash.soft.passes import Falls, log_sum, soft_weights
from ropeproof.numerics.core.lag_scan.head import Floats
from ropeproof.theory.errors import Unsupported

__all__ = ["LeastAmplitude", "Progress", "least_amplitude"]

Progress: TypeAlias = Callable[[float, float], None]
"""Called after each step with the bound and the amplitude found so far, in logits, in float64."""

_MOST_AMPLITUDE = 1e12
_MOST_STEPS = 60
_HALVINGS = 30
_INNER, _GROWTH = 60, 8.0
"""The most Newton steps in a round of the inner problem's barrier method, and the growth of `tau`."""
_FINEST = 1e-13


@dataclass(frozen=True, eq=False)
class LeastAmplitude:
    """The best head and the best weights on the lags that a search found, not certified.

    `amplitudes` is `(planes,)` in logits, `weights` `(reach,)`; `needed` is the bound of the weights.
    """

    amplitudes: Floats
    weights: Floats
    needed: float


class _Best:
    """The best head and the best weights so far."""

    def __init__(self, target: float) -> None:
        self.target, self.amplitude, self.needed = target, np.inf, -np.inf
        self.amplitudes = self.weights = np.empty(0)

    def offer(self, amplitudes: Floats, weights: Floats, gains: Floats) -> None:
        """Keep a head that has the target, and its weights, if they are better than the best."""
        total = float(amplitudes.sum())
        if total < self.amplitude:
            self.amplitude, self.amplitudes = total, amplitudes
        used = weights[weights > 0]
        most = float(gains.max())
        if most > 0:
            needed = (-float(used @ np.log(used)) - self.target) / most
            if needed > self.needed:
                self.needed, self.weights = needed, weights

    def gap(self) -> float:
        """The distance of the best head from the best bound, relative to the head's amplitude."""
        return (self.amplitude - self.needed) / self.amplitude


def least_amplitude(
    falls: Falls, target: float, tolerance: float, progress: Progress | None = None
) -> LeastAmplitude:
    """The head of least amplitude whose `ln sum_t e^{-E_t}` is at most `target`, and weights on the lags.

    `target` is below `ln(reach)`, so that amplitude 0 is not enough. The search ends when amplitude and bound
    differ by at most `tolerance` times the amplitude, or cannot come nearer in float64. Raises
    `Unsupported` if equal amplitudes of sum `1e12` do not reach the target.
    """
    shares = np.ones(falls.planes) / falls.planes
    best = _Best(target)
    head = _scaled(shares, falls.of(shares), target)
    for _ in range(_MOST_STEPS):
        amplitudes, fall = head
        weights = soft_weights(fall)
        gains, spread = falls.moments(weights)
        best.offer(amplitudes, weights, gains)
        if progress is not None:
            progress(best.needed, best.amplitude)
        if best.gap() <= tolerance:
            break
        # Near the optimum the model's error is of second order, and no step needs to be finer.
        accuracy = min(1e-3, max(1e-2 * best.gap() ** 2, _FINEST))
        step = _least_of_model(amplitudes, gains, spread, accuracy) - amplitudes
        moved = _along(amplitudes, fall, step, falls.of(step), target)
        if moved is None:
            break
        head = moved
    return LeastAmplitude(best.amplitudes, best.weights, best.needed)


def _along(
    amplitudes: Floats, fall: Floats, step: Floats, falling: Floats, target: float
) -> tuple[Floats, Floats] | None:
    """The scaled head at the end of a step, halved until it has less amplitude; None if it never has."""
    own, length = float(amplitudes.sum()), 1.0
    for _ in range(_HALVINGS):
        moved = np.maximum(amplitudes + length * step, 0.0)
        found = _scaled(moved, fall + length * falling, target)
        if float(found[0].sum()) < own:
            return found
        length /= 2
    return None


def _scaled(amplitudes: Floats, falls: Floats, target: float) -> tuple[Floats, Floats]:
    """The amplitudes and the falls of a head, times the factor at which `F` is the target."""
    factor = _scale(np.maximum(falls, 0.0), target)
    return factor * amplitudes, factor * falls


def _least_of_model(amplitudes: Floats, gains: Floats, spread: Floats, accuracy: float) -> Floats:
    """The amplitudes `x >= 0` of least sum with `(x-a)^T C (x-a)/2 <= g (x-a)`, to a relative accuracy.

    Here `a` are the amplitudes, `g` the means and `C` the covariance of the falls. By a barrier method:
    Newton's method on `tau sum x - sum ln x - ln slack`, from a point inside.
    """
    unit = float(amplitudes.sum())
    start, pull, curve = amplitudes / unit, gains * unit, spread * unit * unit

    def slack_at(x: Floats) -> float:
        moved = x - start
        return float(pull @ moved) - float(moved @ curve @ moved) / 2

    # Along all planes equally and along the head itself the model first falls.
    inward = start + 1 / len(start)
    length = min(0.5, float(pull @ inward) / max(float(inward @ curve @ inward), 1e-300))
    x = start + length * inward
    slack = slack_at(x)
    tau = len(x) / float(x.sum())
    while len(x) > accuracy * tau * float(x.sum()):
        tau *= _GROWTH
        for _ in range(_INNER):
            slope = pull - curve @ (x - start)
            inner = x * slope / slack
            gradient = tau * x - 1 - inner
            matrix = np.eye(len(x)) + curve * np.outer(x, x) / slack + np.outer(inner, inner)
            move = -np.linalg.solve(matrix, gradient)
            decrement = -float(gradient @ move)
            own = _barrier(x, slack, tau)
            length = min(1.0, 0.95 / max(float(-move.min()), 1e-300))
            for _ in range(_HALVINGS):
                there = x * (1 + length * move)
                left = slack_at(there)
                if left > 0 and _barrier(there, left, tau) < own:
                    x, slack = there, left
                    break
                length /= 2
            else:
                break
            if decrement < 0.1:
                break
    return x * unit


def _barrier(x: Floats, slack: float, tau: float) -> float:
    return tau * float(x.sum()) - float(np.log(x).sum()) - math.log(slack)


def _scale(falls: Floats, target: float) -> float:
    """The factor of a head at which `ln sum_t e^{-E_t}` is the target, from its falls `(reach,)`."""
    from scipy.optimize import brentq

    low, high = 0.0, 1.0
    while log_sum(high * falls) > target:
        low, high = high, 2 * high
        if high > _MOST_AMPLITUDE:
            raise Unsupported(
                f"a window of {len(falls)} lags on each side: equal amplitudes of sum "
                f"{_MOST_AMPLITUDE:.0e} do not tell its lags apart well enough for the score"
            )
    return float(
        brentq(lambda factor: log_sum(factor * falls) - target, low, high, xtol=1e-300, rtol=1e-14)
    )
