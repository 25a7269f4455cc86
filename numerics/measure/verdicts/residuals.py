r"""What additive sums leave of the logits, pair by pair, against the proved bounds.

With the slow planes' terms at the middle of the window, both sums of `posgen` come from three
tables of logits: `w`, `f(q, t)` (the mean key in each place) and `h(q, k)` (slow planes, at `t_0`).
The two-axis sum is `f + h(q, k) - h(q, mean)`, the three-axis sum `g(t)` and the queries' and keys'
terms `h(q, mean) - h(mean, mean)` and `h(mean, k) - h(mean, mean)`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.measure.verdicts.study import Block, Study, toeplitz

__all__ = ["ResidualSums", "Residuals"]

Floats = NDArray[np.float64]


@dataclass
class ResidualSums:
    """One additive sum against the logits, over causal pairs.

    - `largest`, `bound`: the largest residual and the largest bound of a pair, in logits;
    - `excess`: the largest residual less its own bound;
    - `squares`: sum of the bounds' squares; `moments`: sums of the sum, of the residual, and of
      their squares and product.
    """

    largest: float = 0.0
    bound: float = 0.0
    excess: float = -np.inf
    squares: float = 0.0
    moments: Floats = field(default_factory=lambda: np.zeros(5))

    def add(self, fit: Floats, rest: Floats, bound: Floats) -> None:
        """Some rows, 0 at later keys."""
        sizes = np.abs(rest)
        self.largest = max(self.largest, float(sizes.max()))
        self.bound = max(self.bound, float(bound.max()))
        self.excess = max(self.excess, float((sizes - bound).max()))
        self.squares += float(np.vdot(bound, bound))
        sums = fit.sum(), rest.sum(), np.vdot(fit, fit), np.vdot(rest, rest), np.vdot(fit, rest)
        self.moments += np.array([float(x) for x in sums])

    def variances(self, pairs: int) -> tuple[float, float, float]:
        """Of the sum, of the residual, and their covariance, in squared logits."""
        a, b, aa, bb, ab = (self.moments / pairs).tolist()
        return max(0.0, aa - a * a), max(0.0, bb - b * b), ab - a * b


class Residuals:
    """The residuals of both sums, gathered block by block."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self.two, self.three = ResidualSums(), ResidualSums()
        head, (near, limits) = study.head, study.slow
        mean_query, mean_key = head.mean_query, head.mean_key
        middle = float((mean_query * near * mean_key.conj()).sum().real)
        self.of_query = (head.queries @ (near * mean_key.conj())).real
        self.query = self.of_query - middle
        self.key = (head.keys.conj() @ (near * mean_query)).real - middle
        self.sizes = study.sizes[0] * limits, np.abs(head.keys - mean_key)
        self.moved = np.abs(head.queries - mean_query)
        self.from_query = self.moved @ (np.abs(mean_key) * limits)
        self.from_key = self.sizes[1] @ (np.abs(mean_query) * limits)
        # Sums are taken about one number, so that variances keep their digits.
        self.centre = float(study.mean_logits.mean())

    def add(self, block: Block) -> None:
        """Take in some rows."""
        start, stop = block.start, block.stop
        rows, keys = slice(start, stop), slice(0, stop)
        fit = block.of_mean + block.contents - self.of_query[rows, np.newaxis]
        bound = self.sizes[0][rows] @ self.sizes[1][keys].T
        self._take(self.two, block, fit, bound)
        fit = toeplitz(self.study.mean_logits, start, stop) + self.key[keys]
        fit += self.query[rows, np.newaxis]
        bound = self.moved[rows] @ self.sizes[1][keys].T + self.from_key[keys]
        bound += self.from_query[rows, np.newaxis]
        self._take(self.three, block, fit, bound)

    def _take(self, sums: ResidualSums, block: Block, fit: Floats, bound: Floats) -> None:
        rest = block.causal(block.plain - fit, 0.0)
        sums.add(block.causal(fit - self.centre, 0.0), rest, block.causal(bound, 0.0))
