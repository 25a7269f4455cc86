r"""`slash.*`: the score at a head's strongest lags, from its means, its margin and its planes.

Two kinds of deviation carry a theorem about one query and one key to a real head. `slash.sandwich`
has `eta` from norms: no logit is further from the mean head's. The *measured* deviation of a row is
half the range of `w - g` over its keys, since softmax does not see a constant: with it
`slash.row-sandwich` bounds each row, and `softmax.perturb` carries every ceiling of the mean head,
as the odds of a weight move by `e^{2 eta}` at most.

**Soft cap.** `x -> c tanh(x/c)` has slope at most 1, so that a capped logit is as near to the
capped `g` as the logit to `g`: the sandwich, which holds for any function of the lag, is used with
the capped `g`. The ceilings are about cosine sums: there the deviation is that of the capped logits
from the plain `g`, and so includes what the cap does.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from ropeproof.numerics.bounds.posgen.triangle import toeplitz
from ropeproof.numerics.bounds.rope.rope import norm_bound
from ropeproof.numerics.bounds.slash.emergence import emergence_margin, emergence_score
from ropeproof.tools.measure.verdicts.block import Block, numbers
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
from ropeproof.tools.measure.verdicts.slash.ceilings import ceilings
from ropeproof.tools.measure.verdicts.slash.cone import cone_verdicts
from ropeproof.tools.measure.verdicts.slash.game import game_verdict
from ropeproof.tools.measure.verdicts.slash.null import NullRows
from ropeproof.tools.measure.verdicts.study import Study

__all__ = ["SlashRows"]

Floats = NDArray[np.float64]


class SlashRows:
    """Accumulates what the `slash.*` verdicts need, one block of rows at a time."""

    def __init__(self, study: Study) -> None:
        length = study.length
        self.study = study
        self.reference = study.capped(study.mean_logits)
        self.near, self.far, self.furthest = np.zeros(length), np.zeros(length), 0.0
        self.log_sums = np.zeros(length)
        self.null = NullRows(study)

    def add(self, block: Block) -> None:
        """Add one block of rows."""
        start, stop = block.start, block.stop
        least, largest = block.ends(block.lag_gaps)
        if self.study.vectors.soft_cap is None:
            self.near[start:stop] = self.far[start:stop] = numbers(largest - least) / 2
        else:
            mean, capped = (
                toeplitz(self.study.tensor(side), start, stop)
                for side in (self.study.mean_logits, self.reference)
            )
            self.far[start:stop] = block.half_range(block.logits - mean)
            self.near[start:stop] = block.half_range(capped.neg_().add_(block.logits))
        self.furthest = max(self.furthest, float(largest.max()), -float(least.min()))
        self.log_sums[start:stop] = numbers(block.log_sums)
        self.null.add(block)

    def weights(self, lag: int) -> Floats:
        """The attention weights at a lag, in the rows that have it, `(length - lag,)`."""
        result: Floats = np.exp(np.minimum(self.study.logits_at(lag) - self.log_sums[lag:], 0.0))
        return result

    def verdicts(self) -> Iterator[Verdict]:
        """All verdicts of `slash.*` that need rows, once all rows are added."""
        yield self._logit_close()
        found = {lag: self.weights(lag) for lag in self.study.targets}
        for lag, weights in found.items():
            yield from self._sandwich(lag, float(weights.mean()))
            yield from self._row_sandwich(lag, weights)
            yield self._emergence(lag, float(weights.mean()))
            yield game_verdict(self.study, lag)
            yield from ceilings(self.study, lag, weights, self.far[lag:])
        yield from self.null.verdicts(found)
        yield from cone_verdicts(self.study)

    def _means(self) -> list[Condition]:
        """Conditions on the mean query and mean key, and on the distances of the others to them."""
        fit = self.study.measure.fit
        if fit is None:
            sides = (self.study.vectors.queries, self.study.vectors.keys)
            least = min(
                float(np.linalg.norm(side.mean(0))) / max(float(np.abs(side).max()), 1e-300)
                for side in sides
            )
            return [condition("|mean| over the largest entry", least, ">=", 2.0**-49)]
        return [
            taken("|q_i - mean| over |mean|, largest", fit.epsilon_query),
            taken("|k_j - mean| over |mean|, largest", fit.epsilon_key),
        ]

    def _eta(self) -> float:
        """`eta` of `slash.sandwich` in logits; 0 where there is no mean, as nothing follows then."""
        return self.study.measure.eta or 0.0

    def _logit_close(self) -> Verdict:
        """The verdict of `slash.logit-close` on the largest distance of a logit to the mean head's.

        Logits are those before the soft cap.
        """
        eta = self._eta()
        return conclude(
            "slash.logit-close",
            self.study.prompt,
            "largest distance of a logit to the mean head's",
            self._means(),
            at_most(eta, "logits", says=eta < self.study.size),
            self.furthest,
            rounding=2 * self.study.logit_rounding,
        )

    def _competition(self, lag: int) -> Floats:
        """`ln Z` of the mean head for every row that has the lag, `-inf` without competitors."""
        gaps = self.reference - self.reference[lag]
        gaps[lag] = -np.inf
        result: Floats = np.logaddexp.accumulate(gaps)[lag:]
        return result

    def _both(
        self,
        claim: str,
        lag: int,
        conditions: list[Condition],
        deviations: Floats,
        score: float,
        rows: Floats | None,
    ) -> Iterator[Verdict]:
        """Both verdicts of a sandwich, from below and above; `deviations` is per row, or one for all."""
        competition, budget = self._competition(lag), self.study.weight_rounding
        # The first row has one key, which has all its weight whatever the head does.
        least = 1 / self.study.length if lag == 0 else 0.0
        for side, about in ((2.0, "from below"), (-2.0, "from above")):
            bounds = expit(-(competition + side * deviations))
            bound, kept = float(bounds.mean()), True
            if rows is not None:
                kept = bool((side * (rows - bounds) >= -2 * budget).all())
            guarantee = (
                at_least(bound, "weight", says=bound > NOTHING + least)
                if side > 0
                else at_most(bound, "weight", says=bound < 1 - NOTHING)
            )
            yield conclude(
                claim,
                self.study.prompt,
                f"score at lag {lag}, {about}",
                conditions,
                guarantee,
                score,
                rounding=budget,
                everywhere=kept,
            )

    def _sandwich(self, lag: int, score: float) -> Iterator[Verdict]:
        """Yield verdicts of `slash.sandwich` on the score at a lag, by the means of the rows' bounds."""
        conditions = [*self._means(), taken("deviation eta of a logit", self._eta())]
        yield from self._both("slash.sandwich", lag, conditions, np.array(self._eta()), score, None)

    def _row_sandwich(self, lag: int, weights: Floats) -> Iterator[Verdict]:
        """Yield verdicts of `slash.row-sandwich` on the score at a lag, by each row's deviation."""
        deviations = self.near[lag:]
        conditions = [
            taken("deviation of a row's logits, mean over rows", float(deviations.mean())),
            taken("deviation of a row's logits, largest", float(deviations.max())),
        ]
        yield from self._both(
            "slash.row-sandwich", lag, conditions, deviations, float(weights.mean()), weights
        )

    def _emergence(self, lag: int, score: float) -> Verdict:
        """The verdict of `slash.emergence` on the score at a lag, at the set threshold.

        The claim is about every prompt of such vectors.
        The conditions say the same in three ways: how large the margin has to be for these
        deviations, and how small each deviation for this margin and the other deviation.
        """
        study, kappa = self.study, min(self.study.measure.options.threshold, 1 - 2.0**-50)
        rivals = np.delete(self.reference, lag)
        margin, eta = float(self.reference[lag] - rivals.max()), self._eta()
        needed = emergence_margin(kappa, study.length, eta).upper
        fit = study.measure.fit
        conditions = [condition("margin of the mean logit", margin, ">=", needed)]
        if fit is None:
            conditions = self._means()
        elif not conditions[0].met:
            size = float(
                norm_bound(
                    fit.mean_query, fit.mean_key, study.vectors.spec, scale=study.vectors.scale
                )
            )
            wanted = emergence_margin(kappa, study.length).upper
            room = (margin - wanted) / 2 / max(size, 1e-300)
            pair = (
                ("|q_i - mean|", fit.epsilon_query, fit.epsilon_key),
                ("|k_j - mean|", fit.epsilon_key, fit.epsilon_query),
            )
            for name, own, other in pair:
                most = (room - other) / (1 + other)
                conditions.append(condition(f"{name} over |mean|, largest", own, "<=", most))
        else:
            conditions += self._means()
        bound = emergence_score(margin, study.length, eta).lower
        return conclude(
            "slash.emergence",
            study.prompt,
            f"score at lag {lag}, threshold {study.measure.options.threshold:g}",
            conditions,
            at_least(bound, "weight", says=bound > NOTHING),
            score,
            rounding=study.weight_rounding,
        )
