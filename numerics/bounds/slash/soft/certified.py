r"""What a head has and what weights on the lags prove on a symmetric window, in ball arithmetic.

Sums over lags and planes are products of matrices of balls: with `t = B u + v`, the cosine of `theta_l t` is
`cos(B theta_l u) cos(theta_l v) - sin(B theta_l u) sin(theta_l v)`, so a window of `M` lags costs
about `2 sqrt M` cosines a plane, a matrix product, and an exponential or a logarithm a lag.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from flint import arb, arb_mat

from ropeproof.numerics.bounds.slash.balls import BITS
from ropeproof.numerics.bounds.slash.game.window import Window
from ropeproof.numerics.core.lag_scan.head import Floats
from ropeproof.theory.rotary.precision import precision

__all__ = ["WindowBalls"]


@dataclass(frozen=True, eq=False)
class WindowBalls:
    """A symmetric window whose sums over its lags and planes are computed in balls of `bits` bits."""

    window: Window
    bits: int = BITS

    @cached_property
    def _block(self) -> int:
        """The lags of a block, a power of two near the root of their number."""
        return 1 << ((self.window.after.bit_length() + 1) // 2)

    @cached_property
    def _tables(self) -> tuple[Any, Any]:
        """Cosines and then sines of `theta_l v`, `(2 planes, block)`, and of `B theta_l u`, per block."""
        frequencies = self.window.frequencies()(self.bits + 2 * self.window.after.bit_length())
        with precision(self.bits):
            fine = [[(theta * v).sin_cos() for v in range(self._block)] for theta in frequencies]
            blocks = self.window.after // self._block + 1
            coarse = [
                [(theta * (self._block * u)).sin_cos() for theta in frequencies]
                for u in range(blocks)
            ]
            rows = [[c for _, c in row] for row in fine] + [[s for s, _ in row] for row in fine]
        return arb_mat(rows), coarse

    def competitors(self, amplitudes: Floats) -> Any:
        """`sum_{t=1}^M e^{-E_t}` of the aligned head with these `(planes,)` amplitudes, exact doubles.

        To be called at the precision `bits`.
        """
        fine, coarse = self._tables
        sizes = [arb(a) for a in amplitudes.tolist()]
        left = arb_mat(
            [
                [a * c for a, (_, c) in zip(sizes, row, strict=True)]
                + [-a * s for a, (s, _) in zip(sizes, row, strict=True)]
                for row in coarse
            ]
        )
        logits = (left * fine).entries()
        total = sum(sizes, arb(0))
        falls = (logits[t] - total for t in range(1, self.window.after + 1))
        return sum((value.exp() for value in falls), arb(0))

    def gains(self, weights: list[Any]) -> list[Any]:
        """`sum_t y_t (1 - cos(theta_l t))` for each plane, of balls `y_1 .. y_M`, at the precision `bits`."""
        fine, coarse = self._tables
        block, count = self._block, len(coarse)
        padded = [arb(0), *weights] + [arb(0)] * (block * count - 1 - len(weights))
        inner = arb_mat(count, block, padded) * fine.transpose()
        planes = len(self.window.planes)
        total, found = sum(weights, arb(0)), []
        for plane in range(planes):
            turned = arb(0)
            for u, row in enumerate(coarse):
                sine, cosine = row[plane]
                turned += cosine * inner[u, plane] - sine * inner[u, planes + plane]
            found.append(total - turned)
        return found


def entropy(weights: list[Any]) -> Any:
    """`-sum_t y_t ln y_t` of balls, at the precision in force; exact zeros add nothing."""
    return sum((-y * y.log() for y in weights if y != 0), arb(0))
