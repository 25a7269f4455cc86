r"""Residuals that additive sums leave of the logits, pair by pair, against the proved bounds.

With the slow planes' terms at the middle of the window, both sums of `posgen` come from three
tables of logits: `w`, `f(q, t)` (the mean key in each place) and `h(q, k)` (slow planes, at `t_0`).
The two-axis sum is `f + h(q, k) - h(q, mean)`, the three-axis sum `g(t)` and the queries' and keys'
terms `h(q, mean) - h(mean, mean)` and `h(mean, k) - h(mean, mean)`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.bounds.posgen.terms import ResidualBound
from ropeproof.numerics.bounds.posgen.triangle import TriangleRows
from ropeproof.numerics.bounds.posgen.triangle_sums import FitSums, LagKeySum
from ropeproof.tools.measure.verdicts.block import Block
from ropeproof.tools.measure.verdicts.study import Study

__all__ = ["BOUNDED", "ResidualSums", "Residuals"]

Floats = NDArray[np.float64]
BOUNDED = 32
"""Rows over which bounds are summed at once."""


@dataclass(frozen=True, eq=False)
class ResidualSums:
    """Sums over causal pairs that compare one additive sum with the logits.

    - `found`: sums and extremes; `squares`: the sum of the bounds' squares;
    - `logits`: the sum of the logits less the mean of all.
    """

    found: FitSums
    squares: float
    logits: float

    def variances(self, pairs: int) -> tuple[float, float, float]:
        """The variances of the sum and of the residual, and their covariance, in squared logits."""
        found = self.found
        fit = float(found.fit_rows.sum())
        moments = np.array([fit, self.logits - fit, found.fit, found.rest, found.both])
        a, b, aa, bb, ab = (moments / pairs).tolist()
        return max(0.0, aa - a * a), max(0.0, bb - b * b), ab - a * b


class Residuals:
    """Accumulates the residuals of the two-axis and the three-axis sum, block by block.

    The two-axis sum is the fit at the middle lag of `triangle`, which goes over the same blocks.
    """

    def __init__(self, study: Study, triangle: TriangleRows) -> None:
        self.study, self.triangle = study, triangle
        head, (near, limits) = study.head, study.slow
        mean_query, mean_key = head.mean_query, head.mean_key
        middle = float((mean_query * near * mean_key.conj()).sum().real)
        sizes = np.abs(head.keys - mean_key)
        moved = np.abs(head.queries - mean_query)
        from_query = moved @ (np.abs(mean_key) * limits)
        from_key = sizes @ (np.abs(mean_query) * limits)
        ones = np.ones_like(from_query)
        of_key: Floats = (head.keys.conj() @ (near * mean_query)).real - middle
        of_query = study.of_query - middle
        self.query, self.key = study.tensor(of_query)[:, None], study.tensor(of_key)
        self._three = LagKeySum(of_query, of_key, study.mean_logits).sums(triangle.centre)
        self._bound = ResidualBound(
            np.column_stack((moved, from_query, ones)), np.column_stack((sizes, ones, from_key))
        )
        self.bounds = study.tensor(self._bound.queries), study.tensor(self._bound.keys)

    def add(self, block: Block) -> None:
        """Add one block of rows."""
        import torch

        rows, keys = slice(block.start, block.stop), slice(0, block.stop)
        found = self._three
        rest = torch.sub(block.lag_gaps, self.key[keys], out=block.room("own"))
        rest = block.masked(rest.sub_(self.query[rows]), 0.0)
        found.take(rest)
        sides = self.bounds[0][rows], self.bounds[1][keys].T
        bound = block.masked(torch.mm(*sides, out=block.room("bound")), 0.0)
        found.bound = max(found.bound, float(bound.max()))
        found.excess = max(found.excess, float(rest.abs_().sub_(bound).max()))

    def sums(self) -> tuple[ResidualSums, ResidualSums]:
        """The `ResidualSums` of the two-axis and of the three-axis sum, once all rows are added."""
        logits, whole = self.triangle.logits, self.triangle.square
        found, length = self._three, self.study.length
        # The square of the logits is that of the sum of both.
        found.both = (whole - found.fit - found.rest) / 2
        pairs = length * (length + 1) / 2
        sizes = self.triangle.bound_size("reference", BOUNDED), self._bound.on_triangle(BOUNDED)
        both = self.triangle.totals["reference"], found
        two, three = (
            ResidualSums(each, size**2 * pairs, logits)
            for each, size in zip(both, sizes, strict=True)
        )
        return two, three
