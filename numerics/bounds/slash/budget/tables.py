r"""Logits at all lags and moments of all planes, each as products of two small tables.

With `t = B u + v`, `e^{i theta t} = e^{i theta B u} e^{i theta v}`. `logits` sums over planes for every
lag, `moments` sums over lags for every plane; the one is the transpose of the other.

**Rounding of `moments`.** Per component the tables are points of the unit circle to within
`2 u` (an entry is `head + tail` rounded once, its error before that is below `2^-60`,
`ropeproof.numerics.core.lag_scan.circle`). A first product sums over `v`, with error at most
`gamma_{B+2} sum_v |y|` and the entry's error; a second multiplies by the coarse table and sums over
`u`. For weights of sum `Y` in absolute value every component of a moment is so within
`2 (B + U + 16) u Y` of the true one, for any order of summation, as `|cos| + |sin| <= sqrt 2` and
`2 > sqrt 2 (1 + ...)`. Assumptions on float64 are those of `ropeproof.numerics.core.lag_scan.scan`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.bounds.slash.budget.rows import UNIT
from ropeproof.numerics.bounds.slash.game.window import Window
from ropeproof.numerics.core.lag_scan.circle import table
from ropeproof.numerics.core.lag_scan.head import SEED_BITS, Floats
from ropeproof.theory.errors import Unsupported

__all__ = ["Complexes", "PlanePoints"]

Complexes = NDArray[np.complex128]
_LEAST_BLOCK = 16
_TABLE_ERROR = 2.0**-60


class PlanePoints:
    """The points `e^{i theta_l t}` of a window's planes for `0 <= t <= reach`, as two factors."""

    def __init__(self, window: Window) -> None:
        reach = max(window.before, window.after)
        bits = SEED_BITS + 2 * reach.bit_length() + 8
        thetas = window.frequencies()(bits)
        # Both factors about equally large.
        exponent = max((reach.bit_length() + 1) // 2, _LEAST_BLOCK.bit_length() - 1)
        self.block = 1 << exponent
        self.blocks = reach // self.block + 1
        size = 1 << (self.blocks - 1).bit_length()
        fine = table(thetas, 1, self.block, bits)
        coarse = table(thetas, self.block, size, bits)
        if not fine.error + coarse.error <= _TABLE_ERROR:
            raise Unsupported(f"frequencies too coarse for a window of {reach} lags")
        self._fine: Complexes = (fine.cos_head + fine.cos_tail) + 1j * (
            fine.sin_head + fine.sin_tail
        )
        rows = slice(self.blocks)
        self._coarse: Complexes = (
            (coarse.cos_head + coarse.cos_tail) + 1j * (coarse.sin_head + coarse.sin_tail)
        )[rows]
        self._right = np.concatenate((self._fine.real, self._fine.imag), axis=1)
        self.error = 2 * (self.block + self.blocks + 16) * UNIT
        """The error of a component of a moment, per unit sum of absolute weights."""

    @property
    def size(self) -> int:
        """The number of lags covered, from 0 on: at least `reach + 1`."""
        return self.block * self.blocks

    def covering(self, reach: int) -> int:
        """The number of lags in the fewest whole blocks that contain the lags from 0 to `reach`."""
        return self.block * (reach // self.block + 1)

    def logits(self, vector: Complexes, out: Floats) -> Floats:
        """The logits `Re sum_l w_l e^{i theta_l t}` for `0 <= t < len(out)` in float64, into `out`.

        The length of `out` is a multiple of `block`, at most `size`.
        """
        blocks = len(out) // self.block
        left = self._coarse[:blocks] * vector
        left = np.concatenate((left.real, -left.imag), axis=1)
        np.matmul(left, self._right.T, out=out.reshape(blocks, self.block))
        return out

    def moments(self, weights: Floats) -> Complexes:
        """The moments `sum_t y_t e^{i theta_l t}` of at most `size` weights `y`, `(planes,)`.

        The sum is over `0 <= t < len(y)`. Each component is off by at most `error` times the sum of the
        absolute weights.
        """
        whole = self.covering(len(weights) - 1)
        if len(weights) < whole:
            weights = np.concatenate((weights, np.zeros(whole - len(weights))))
        blocks = whole // self.block
        inner = weights.reshape(blocks, self.block) @ self._right
        planes = self._fine.shape[1]
        turned = inner[:, :planes] + 1j * inner[:, planes:]
        result: Complexes = (self._coarse[:blocks] * turned).sum(0)
        return result
