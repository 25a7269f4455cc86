r"""Verdicts of `index.*`: how far a head is from a positional index head, with one key vector.

With the mean key in every place a query has the logits `g_i(t)`; the lag of the largest is where it
points. The row's own logits are off by a measured deviation, half the range of `w - g_i`, which
`slash.row-sandwich` carries to the weight and `softmax.perturb`, on two keys at a time, to the
arg max. `index.margin` is about one plane: the last row is compared with
`A cos(theta (t - t_*))`, and what is left is deviation again.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from ropeproof.numerics.bounds.index.margin import one_plane_limit
from ropeproof.numerics.core.powers import powers_
from ropeproof.tools.measure.verdicts.block import Block, leaders, numbers
from ropeproof.tools.measure.verdicts.record import (
    NOTHING,
    Condition,
    Verdict,
    at_least,
    at_most,
    conclude,
    condition,
    taken,
)
from ropeproof.tools.measure.verdicts.study import Study, half_range

__all__ = ["IndexRows"]

Floats = NDArray[np.float64]


class IndexRows:
    """For every row: where the mean key's logit is largest, its margin, and the row's weight there.

    `rivals` is `ln Z` of the other keys, `-inf` without any.
    """

    def __init__(self, study: Study) -> None:
        self.study = study
        count = study.length
        self.lags = np.zeros(count, dtype=np.int64)
        self.margins, self.deviations = np.full(count, np.inf), np.zeros(count)
        self.rivals, self.weights = np.zeros(count), np.zeros(count)
        self.hits = np.ones(count, dtype=bool)
        self.row, self.reference = np.zeros(1), np.zeros(1)

    def add(self, block: Block) -> None:
        """Add one block of rows."""
        study, rows = self.study, slice(block.start, block.stop)
        if study.vectors.soft_cap is None:
            mean = block.room("own").copy_(block.of_mean)
            self.deviations[rows] = block.half_range(block.gaps)
        else:
            mean = study.capped_tensor(block.of_mean)
            self.deviations[rows] = block.half_range(block.logits - mean)
        mean = block.masked(mean, -math.inf)
        tops, keys, seconds = leaders(mean)
        mean.scatter_(1, keys[:, None], -math.inf)
        # A row of one key has no rival, and an infinite margin; sums are about the second, so that
        # rivals far below the top are not lost.
        self.margins[rows] = numbers(tops - seconds)
        alone = seconds == -math.inf
        rivals = powers_(mean.sub_(seconds.masked_fill(alone, 0.0)[:, None])).sum(1).log_()
        self.rivals[rows] = numbers(rivals.add_(seconds).sub_(tops))
        self.lags[rows] = block.rows - numbers(keys)
        logits = block.logits.gather(1, keys[:, None])[:, 0]
        self.weights[rows] = numbers((logits - block.log_sums).exp_())
        self.hits[rows] = numbers(logits >= block.tops)
        if block.stop == study.length:
            self.row = numbers(block.logits[-1].flip(0))
            self.reference = numbers(block.of_mean[-1].flip(0))

    def verdicts(self) -> Iterator[Verdict]:
        """All verdicts of `index.*`, once all rows are added."""
        fit, later = self.study.measure.fit, slice(1, None)
        conditions = [
            taken(
                "deviation of a row from the mean key's, mean", float(self.deviations[later].mean())
            )
        ]
        if fit is not None:
            conditions.insert(0, taken("|k_j - mean| over |mean|, largest", fit.epsilon_key))
        yield from self._weights(conditions)
        yield self._arg_max(conditions)
        yield from self._margin()

    def _weights(self, conditions: list[Condition]) -> Iterator[Verdict]:
        """Yield verdicts of `slash.row-sandwich` on the weight at the mean key's largest logit.

        The weight is a mean over the rows of two keys or more. The reference of each row is its own `g_i`,
        the logits of the mean key.
        """
        weights, budget = self.weights[1:], self.study.weight_rounding
        for side, about in ((2.0, "from below"), (-2.0, "from above")):
            bounds = expit(-(side * self.deviations[1:] + self.rivals[1:]))
            bound = float(bounds.mean())
            guarantee = (
                at_least(bound, "weight", says=bound > NOTHING)
                if side > 0
                else at_most(bound, "weight", says=bound < 1 - NOTHING)
            )
            yield conclude(
                "slash.row-sandwich",
                self.study.prompt,
                f"mean weight where the mean key's logit is largest, {about}",
                conditions,
                guarantee,
                float(weights.mean()),
                rounding=budget,
                everywhere=bool((side * (weights - bounds) >= -2 * budget).all()),
            )

    def _arg_max(self, conditions: list[Condition]) -> Verdict:
        """The verdict of `softmax.perturb` on the share of rows that keep the mean key's arg max.

        Rows whose margin exceeds twice the deviation keep it.
        """
        budget = 4 * self.study.logit_rounding
        sure = self.margins[1:] > 2 * self.deviations[1:] + budget
        share = float(sure.mean())
        return conclude(
            "softmax.perturb",
            self.study.prompt,
            "rows whose largest logit is where the mean key's is",
            conditions,
            at_least(share, "share of rows", says=share > 0),
            float(self.hits[1:].mean()),
            rounding=0.0,
            everywhere=bool(self.hits[1:][sure].all()),
        )

    def _margin(self) -> Iterator[Verdict]:
        """Yield verdicts of `index.margin` on the last row, against its strongest plane alone."""
        study, lag = self.study, int(self.lags[-1])
        sizes = np.abs(study.head.queries[-1] * study.head.mean_key.conj())
        plane = int(sizes.argmax())
        amplitude, theta = float(sizes[plane]), float(study.head.frequencies[plane])
        lags = np.arange(study.length)
        off = half_range(self.row - amplitude * np.cos(theta * (lags - lag)))
        side = max(lag, study.last - lag)
        gap = amplitude * float((2 * np.sin(theta * np.arange(1, side + 1) / 2) ** 2).min())
        most = amplitude * one_plane_limit(side + 1).upper
        margin = float(self.row[lag] - np.delete(self.row, lag).max())
        conditions = [condition("deviation of the last row from one plane", off, "<=", gap / 2)]
        rounding = 4 * study.logit_rounding
        for guarantee, about in (
            (at_least(gap - 2 * off, "logits", says=True), "least"),
            (at_most(most + 2 * off, "logits", says=True), "most"),
        ):
            yield conclude(
                "index.margin",
                study.prompt,
                f"margin of the last row at lag {lag}, at {about}",
                conditions,
                guarantee,
                margin,
                rounding=rounding,
            )
