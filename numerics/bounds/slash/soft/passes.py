r"""Passes over the lags of a symmetric window in float64: falls, their weights, moments of the weights.

A plane falls by `x_{tl} = 1 - cos(theta_l t) = 2 sin^2(theta_l t/2)` at distance `t` per unit of
amplitude. With `t = B u + v` the sine of the half angle is a sum of two products of small tables, so that
a pass costs a few products per lag and plane and a matrix product; nothing cancels, so slow planes keep
their relative precision. Nothing here is certified.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ropeproof.numerics.bounds.slash.game.window import Window
from ropeproof.numerics.core.lag_scan.head import Floats

__all__ = ["Falls", "log_sum", "soft_weights"]

_KEPT = 2**24
"""The most doubles that are kept from pass to pass, 128 MiB; beyond this they are computed anew."""
_LEAST_BLOCK = 64


class Falls:
    """The falls `1 - cos(theta_l t)` of a window's planes at the distances `1 <= t <= reach`."""

    def __init__(self, window: Window) -> None:
        self.reach, self.planes = window.after, len(window.planes)
        block = max(_LEAST_BLOCK, 1 << ((self.reach.bit_length() + 1) // 2))
        self._block = block
        fine = window.half_angles(np.arange(1, block + 1))
        coarse = window.half_angles(block * np.arange(-(-self.reach // block)))
        self._fine, self._coarse = (np.sin(fine), np.cos(fine)), (np.sin(coarse), np.cos(coarse))
        self._kept: list[Floats] | None = None
        if self.reach * self.planes <= _KEPT:
            self._kept = list(self._blocks())

    def _blocks(self) -> Iterator[Floats]:
        """The falls block by block, `(lags, planes)`."""
        if self._kept is not None:
            yield from self._kept
            return
        sine, cosine = self._fine
        for number, (s, c) in enumerate(zip(*self._coarse, strict=True)):
            lags = min(self._block, self.reach - number * self._block)
            half = s * cosine[:lags] + c * sine[:lags]
            half *= half
            half *= 2
            yield half

    def of(self, amplitudes: Floats) -> Floats:
        """The falls `E_t` of an aligned head, in logits, `(reach,)`, from `(planes,)` amplitudes."""
        return np.concatenate([block @ amplitudes for block in self._blocks()])

    def moments(self, weights: Floats) -> tuple[Floats, Floats]:
        """The means `(planes,)` and the covariance `(planes, planes)` of the falls under weights of sum 1."""
        mean, square = np.zeros(self.planes), np.zeros((self.planes, self.planes))
        start = 0
        for block in self._blocks():
            own = weights[start : start + len(block)]
            start += len(block)
            mean += own @ block
            square += block.T @ (block * own[:, np.newaxis])
        return mean, square - np.outer(mean, mean)


def log_sum(falls: Floats) -> float:
    """`ln sum_t e^{-E_t}` of falls `(reach,)` in logits."""
    least = float(falls.min())
    return float(np.log(np.sum(np.exp(least - falls)))) - least


def soft_weights(falls: Floats) -> Floats:
    """The weights `e^{-E_t}/sum_s e^{-E_s}`, `(reach,)`, of falls in logits."""
    sizes: Floats = np.exp(falls.min() - falls)
    weights: Floats = sizes / sizes.sum()
    return weights
