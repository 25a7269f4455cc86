r"""`slash.null`: a score on random tokens against what a head without positions can have.

The claim bounds an expectation, and one prompt is a sample. Given which tokens stand before the
query (not in which order) the target of row `i` is any one of the `i` earlier keys with equal
probabilities: its weight has the mean `(1 - S_ii)/i <= 1/i` and lies in a range of width `R_i`, and so do
rows `i, i - Delta, i - 2 Delta, ...`, each given all later ones. So by Hoeffding's inequality for
the `Delta` chains together (Jensen over the chains),

    P( sum_i (S_{i,i-Delta} - mean) > lambda Delta sum_i R_i^2/8 + ln(1/delta)/lambda ) <= delta

for each `lambda > 0`. With `delta = 10^-9` shared by a grid of `lambda`, the smallest right side is
what sampling is allowed to add at one lag: a head in scope that scores more by chance is rarer.
Where the allowance is near 1, as for large lags, one prompt cannot contradict the claim.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from ropeproof.tools.measure.verdicts.block import Block, numbers
from ropeproof.tools.measure.verdicts.record import (
    NOTHING,
    Verdict,
    at_most,
    conclude,
    condition,
    taken,
)
from ropeproof.tools.measure.verdicts.study import Study

__all__ = ["NullRows"]

Floats = NDArray[np.float64]
_RATES = 2.0 ** np.arange(-10, 11)
_CHANCE = 1e-9
_RANDOM = "random"


class NullRows:
    """The range of the weights before each query, for heads to which `slash.null` can apply."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self.applies = study.vectors.first and study.turning == 0
        self.ranges = np.zeros(study.length)

    def add(self, block: Block) -> None:
        """Add one block of rows."""
        if not self.applies:
            return
        every = numbers(block.powers / block.sums[:, None])
        for row in range(max(1, block.start), block.stop):
            weights = every[row - block.start, :row]
            self.ranges[row] = float(weights.max() - weights.min())

    def verdicts(self, weights: Mapping[int, Floats]) -> Iterator[Verdict]:
        """The verdict of `slash.null` at each lag from 1 on, from the weights there by lag."""
        study = self.study
        conditions = [
            condition(
                "the first layer (1) or a later one (0)", float(study.vectors.first), ">=", 1
            ),
            condition("amplitude of planes that turn", study.turning, "<=", 0.0),
            condition(
                "tokens drawn at random (1) or not (0)", float(study.prompt == _RANDOM), ">=", 1
            ),
        ]
        for lag, found in weights.items():
            if lag == 0:
                continue
            null = float(study.measure.null[lag])
            extra = self._sampling(lag, len(found))
            more = [taken("what sampling may add, at a probability of 1e-9", extra)]
            yield conclude(
                "slash.null",
                study.prompt,
                f"expected score at lag {lag}",
                conditions + (more if self.applies else []),
                at_most(null, "weight", says=null < 1 - NOTHING),
                float(found.mean()),
                rounding=study.weight_rounding + extra,
            )

    def _sampling(self, lag: int, rows: int) -> float:
        """What sampling may add to the mean weight over the rows that have the lag."""
        spread = float((self.ranges[lag:] ** 2).sum())
        chance = math.log(len(_RATES) / _CHANCE)
        return float((_RATES * lag * spread / 8 + chance / _RATES).min()) / rows
