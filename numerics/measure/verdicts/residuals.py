r"""What additive sums leave of the logits, pair by pair, against the proved bounds.

With the slow planes' terms at the middle of the window, both sums of `posgen` come from three
tables of logits: `w`, `f(q, t)` (the mean key in each place) and `h(q, k)` (slow planes, at `t_0`).
The two-axis sum is `f + h(q, k) - h(q, mean)`, the three-axis sum `g(t)` and the queries' and keys'
terms `h(q, mean) - h(mean, mean)` and `h(mean, k) - h(mean, mean)`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.measure.verdicts.block import Block, toeplitz
from ropeproof.numerics.measure.verdicts.study import Study

if TYPE_CHECKING:
    import torch

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

    def add(self, fit: torch.Tensor, rest: torch.Tensor, bound: torch.Tensor) -> None:
        """Some rows, 0 at later keys; changes what it is given."""
        flat = fit.flatten(), rest.flatten()
        sums = *(x.sum() for x in flat), *(x.dot(x) for x in flat), flat[0].dot(flat[1])
        self.moments += np.array([float(x) for x in sums])
        self.squares += float(bound.flatten().dot(bound.flatten()))
        sizes = rest.abs_()
        self.largest = max(self.largest, float(sizes.max()))
        self.bound = max(self.bound, float(bound.max()))
        self.excess = max(self.excess, float(sizes.sub_(bound).max()))

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
        of_query = (head.queries @ (near * mean_key.conj())).real
        sizes = np.abs(head.keys - mean_key)
        moved = np.abs(head.queries - mean_query)
        from_query = moved @ (np.abs(mean_key) * limits)
        from_key = sizes @ (np.abs(mean_query) * limits)
        # Sums are taken about one number, so that variances keep their digits.
        self.centre = float(study.mean_logits.mean())
        self.of_query = study.tensor(of_query)[:, None]
        self.query = study.tensor(of_query - middle - self.centre)[:, None]
        self.key = study.tensor((head.keys.conj() @ (near * mean_query)).real - middle)
        self.lags = study.tensor(study.mean_logits)
        ones = np.ones_like(from_query)
        self.bounds = (
            (study.tensor(study.sizes[0] * limits), study.tensor(sizes)),
            (
                study.tensor(np.column_stack((moved, from_query, ones))),
                study.tensor(np.column_stack((sizes, ones, from_key))),
            ),
        )

    def add(self, block: Block) -> None:
        """Take in some rows."""
        start, stop = block.start, block.stop
        rows, keys = slice(start, stop), slice(0, stop)
        fit = block.of_mean + block.contents
        fit -= self.of_query[rows] + self.centre
        self._take(self.two, block, fit, self.bounds[0])
        fit = toeplitz(self.lags, start, stop).add_(self.key[keys]).add_(self.query[rows])
        self._take(self.three, block, fit, self.bounds[1])

    def _take(
        self,
        sums: ResidualSums,
        block: Block,
        fit: torch.Tensor,
        sides: tuple[torch.Tensor, torch.Tensor],
    ) -> None:
        rest = block.plain - self.centre
        rest = block.masked(rest.sub_(fit), 0.0)
        bound = block.masked(sides[0][block.start : block.stop] @ sides[1][: block.stop].T, 0.0)
        sums.add(block.masked(fit, 0.0), rest, bound)
