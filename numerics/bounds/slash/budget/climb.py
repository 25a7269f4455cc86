r"""Better directions for the softmax: the mean score at a fixed amplitude, raised by L-BFGS.

The head is `w_l = A |z_l| z_l / sum |z|^2`, so that any complex `z` is a head of amplitude `A`. With
`S_j` the row scores, `d score = mean_j S_j (1 - S_j) Re sum_l dw_l sum_e y^j_e (1 - e^{i theta_l e})`,
`y^j` the row's weights among the competitors. Nothing here is certified; the result is a proposal.
"""

from __future__ import annotations

import numpy as np

from ropeproof.numerics.bounds.slash.budget.tables import Complexes, PlanePoints
from ropeproof.numerics.bounds.slash.game.window import Window
from ropeproof.numerics.core.lag_scan.head import Floats

__all__ = ["Climb"]

_MOST_EXPONENT = 300.0  # its square does not overflow
_SEED = 1e-4
"""The share of amplitude every plane starts with: from 0 it could not grow."""


class Climb:
    """The mean score over the rows of a window and its gradient, in float64."""

    def __init__(self, window: Window) -> None:
        self.window, self.tables = window, PlanePoints(window)
        # Fresh memory for every evaluation would cost as much as the arithmetic.
        self._after = np.empty(self.tables.covering(window.after))
        self._before = np.empty(self.tables.covering(window.before))
        self._scores, self._tails = np.empty((2, window.after + 1))

    def score_and_slopes(
        self, vector: Complexes, rows: int | None = None
    ) -> tuple[float, Complexes]:
        """The mean score of a head in logits, `(planes,)`, and its slope per plane.

        The mean is over the first `rows` rows, all of them by default. The slope `V_l` means
        `d score = Re sum_l V_l dw_l`.
        """
        window, tables = self.window, self.tables
        count = window.after + 1 if rows is None else rows
        target = float(vector.real.sum())
        after = self._sizes(vector, target, count - 1, self._after)
        scores, tails = self._scores[:count], self._tails[:count]
        scores[1:] = after[1:count]
        scores[0] = 0.0
        if window.before:
            before = self._sizes(vector.conj(), target, window.before, self._before)
            scores[0] = before.sum()
        np.cumsum(scores, out=scores)
        scores += 1.0
        np.reciprocal(scores, out=scores)
        np.multiply(scores, scores, out=tails)
        np.cumsum(tails[::-1], out=tails[::-1])
        after[1:count] *= tails[1:]
        slopes = after.sum() - tables.moments(after)
        if window.before:
            before *= tails[0]
            slopes += before.sum() - tables.moments(before).conj()
        return float(scores.mean()), slopes / count

    def _sizes(self, vector: Complexes, target: float, reach: int, out: Floats) -> Floats:
        """The exponentials `e^{d_t}` at lags `1 <= t <= reach` and 0 at the others, into `out`."""
        self.tables.logits(vector, out)
        used = out[1 : reach + 1]
        used -= target
        np.minimum(used, _MOST_EXPONENT, out=used)
        np.exp(used, out=used)
        out[0] = 0.0
        out[reach + 1 :] = 0.0
        return out

    def improve(
        self, vector: Complexes, steps: int, rows: int | None = None, *, tolerance: float = 1e-14
    ) -> Complexes:
        """A head of the same amplitude with at least the same score, in float64.

        The climb ends after `steps` iterations, or when one changes `log(1 - score)` relatively by less than
        `tolerance`. `rows` as in `score_and_slopes`.
        """
        from scipy.optimize import minimize

        amplitude = float(np.abs(vector).sum())
        shares = np.abs(vector) / amplitude + _SEED / len(vector)
        start = np.sqrt(shares) * np.exp(1j * np.angle(vector))

        def loss(flat: Floats) -> tuple[float, Floats]:
            z: Complexes = flat.view(np.complex128)
            sizes = np.abs(z)
            total = float(sizes @ sizes)
            w = amplitude * sizes * z / total
            score, slopes = self.score_and_slopes(w, rows)
            # The derivative of the score in the real and imaginary part of each z, as one number.
            safe = np.maximum(sizes, 1e-300)
            slope = sizes * slopes.conj() + (slopes * z).real * z / safe
            slope *= amplitude / total
            slope -= 2 * float((slopes * w).real.sum()) / total * z
            missing = max(1.0 - score, 1e-300)
            slope /= -missing
            return float(np.log(missing)), slope.view(np.float64)

        found = minimize(
            loss,
            start.view(np.float64),
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": steps, "maxcor": 20, "ftol": tolerance, "gtol": 1e-9},
        )
        z = np.ascontiguousarray(found.x).view(np.complex128)
        better: Complexes = amplitude * np.abs(z) * z / float(np.abs(z) @ np.abs(z))
        return better
