r"""`posgen.*`: how additive the logits are, and what follows for displaced keys and longer input.

The sums are those of the claims (`ropeproof.tools.measure.verdicts.posgen.residuals`), before
the soft cap; least squares, which `measure.additive` has, leaves no more than they do. A displaced
key moves its logit by at most the tilt of `posgen.transposition`, and by no more after the cap,
whose slope is at most 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.bounds import posgen
from ropeproof.numerics.bounds.posgen.grid import grid_moments
from ropeproof.numerics.bounds.posgen.triangle import TriangleRows
from ropeproof.tools.measure.verdicts import record
from ropeproof.tools.measure.verdicts.block import Block
from ropeproof.tools.measure.verdicts.posgen.displaced import displaced
from ropeproof.tools.measure.verdicts.posgen.residuals import Residuals, ResidualSums
from ropeproof.tools.measure.verdicts.record import Condition, Verdict, conclude, condition
from ropeproof.tools.measure.verdicts.study import Study, half_range, real

__all__ = ["ResidualRows"]

Floats = NDArray[np.float64]
_PAIRS = 32
"""Pairs of a query and a key over which lags are distinguished."""
_LAGS = 256
_ALIKE = 0.05
"""Share of the fluctuations' energy that correlations may add; `posgen.anova` assumes none."""


class ResidualRows:
    """Accumulates what the `posgen.*` verdicts need, one block of rows at a time."""

    def __init__(self, study: Study, triangle: TriangleRows) -> None:
        self.study = study
        self.residuals = Residuals(study, triangle)
        self.pairs = study.length * (study.length + 1) // 2

    def add(self, block: Block) -> None:
        """Add one block of rows."""
        self.residuals.add(block)

    def verdicts(self) -> Iterator[Verdict]:
        """All verdicts of `posgen.*`, once all rows are added."""
        self.two, self.three = self.residuals.sums()
        for claim, kind, sums in (
            ("posgen.two-axis", "reference", self.two),
            ("posgen.three-axis", "three-axis", self.three),
        ):
            yield self._largest(claim, sums)
            yield self._typical(claim, kind, sums)
            yield from self._pearson(claim, sums)
        yield self._anova()
        yield from displaced(self.study)
        yield from self._length()
        yield self._capacity()

    def _conditions(self) -> list[Condition]:
        slow = self.study.slow[1] < 1
        return [
            condition("the scale is not negative", self.study.vectors.scale, ">=", 0.0),
            record.taken(
                "amplitude in planes that turn by over 1 radian from the middle, as a share",
                1 - self.study.amplitude_share(slow),
            ),
        ]

    def _spread(self) -> float:
        """The standard deviation of the logits before the cap."""
        a, b, c = self.two.variances(self.pairs)
        return math.sqrt(max(0.0, a + b + 2 * c))

    def _largest(self, claim: str, sums: ResidualSums) -> Verdict:
        """The verdict on the largest residual of an additive sum.

        The bound of each pair of a query and a key is compared as well.
        """
        return conclude(
            claim,
            self.study.prompt,
            "largest residual of the sums at the middle lag",
            self._conditions(),
            record.at_most(sums.found.bound, "logits", says=sums.found.bound < 2 * self.study.size),
            sums.found.largest,
            rounding=4 * self.study.logit_rounding,
            everywhere=sums.found.excess <= 4 * self.study.logit_rounding,
        )

    def _typical(self, claim: str, kind: str, sums: ResidualSums) -> Verdict:
        """The verdict on the root mean square residual of an additive fit on the triangle."""
        bound = math.sqrt(sums.squares / self.pairs)
        (fit,) = (f for f in self._fits("triangle") if f.kind == kind)
        return conclude(
            claim,
            self.study.prompt,
            f"root mean square residual of the {kind} fit",
            self._conditions(),
            record.at_most(bound, "logits", says=bound < self._spread()),
            fit.residual,
            # Least squares are solved by iteration, to what counts as no variance there.
            rounding=4 * self.study.logit_rounding + 2.0**-36 * self.study.size,
        )

    def _fits(self, domain: str) -> tuple[posgen.AdditiveFit, ...]:
        """The pooled additive fits, those not row-centred, on one domain, `triangle` or `grid`."""
        return tuple(f for f in self.study.measure.additive if f.domain == domain and not f.centred)

    def _pearson(self, claim: str, sums: ResidualSums) -> Iterator[Verdict]:
        """Yield verdicts of `posgen.pearson` on an additive sum, by its bound and its residual."""
        fit, rest, both = sums.variances(self.pairs)
        total = fit + rest + 2 * both
        least = max((64 * self.study.logit_rounding) ** 2, 1e-280)
        spread = min(fit, total) >= least
        observed = (fit + both) / math.sqrt(fit * total) if spread else None
        sigma = math.sqrt(fit)
        # Moments are off by this much relative to the smaller deviation; a root magnifies it.
        deviation = math.sqrt(max(least, min(fit, total)))
        rounding = math.sqrt(8 * self.study.logit_rounding / deviation + 2.0**-44)
        for name, epsilon in (
            (f"bound of {claim}", math.sqrt(sums.squares / self.pairs)),
            ("measured residual", math.sqrt(rest)),
        ):
            conditions = [
                condition("variance of the sum and of the logits", min(fit, total), ">=", least),
                condition(f"{name}, in logits", epsilon, "<=", sigma * (1 - 2.0**-40)),
            ]
            met = all(each.met for each in conditions)
            bound = posgen.pearson_bound(epsilon / sigma).lower if met else 0.0
            yield conclude(
                "posgen.pearson",
                self.study.prompt,
                f"correlation of the logits with the sums of {claim}, by the {name}",
                conditions,
                record.at_least(bound, "correlation", says=bound > 0),
                observed,
                rounding=rounding,
            )

    def _anova(self) -> Verdict:
        """The verdict of `posgen.anova` on the grid: R^2 of the best fit against the predicted."""
        study = self.study
        moments = grid_moments(study.head, study.length)
        energy, slow = float(moments.energies.sum()) / 2, moments.slow / 2
        sure = moments.lag + moments.query
        total = sure + moments.key + moments.interaction
        (fit,) = (f for f in self._fits("grid") if f.kind == "optimal")
        if fit.r_squared is None or not energy > 0:
            measured = condition("variance of the fluctuations", energy, ">=", 1e-300)
            if measured.met:
                measured = condition("variance of the logits", 0.0, ">=", 1e-300)
            return conclude(
                "posgen.anova",
                study.prompt,
                "R^2 against the predicted",
                [measured],
                None,
                fit.r_squared,
                rounding=0.0,
            )
        moved = abs(moments.key - slow), abs(moments.key + moments.interaction - energy)
        conditions = [
            condition(
                "correlations in the fluctuations, as a share", moved[1] / energy, "<=", _ALIKE
            ),
            condition("the same in what is explained", moved[0] / energy, "<=", _ALIKE),
        ]
        predicted = (sure + slow) / (sure + energy)
        bound = (moved[0] + predicted * moved[1]) / total
        return conclude(
            "posgen.anova",
            study.prompt,
            f"distance of R^2 to the predicted {predicted:.4f}",
            conditions,
            record.at_most(bound, "R^2", says=bound < 1),
            abs(fit.r_squared - predicted),
            # Moments are sums of products of planes, relative to the size of a logit.
            rounding=2.0**-44 * (1 + study.size**2 / total),
        )

    def _length(self) -> Iterator[Verdict]:
        """Yield verdicts of `posgen.effective-length`, on the mean head, and of `posgen.length`.

        The second is out of scope: it needs logits that are exact sums, and the head's values.
        """
        study, row = self.study, self.study.mean_logits
        bound, count = half_range(row), study.length
        least = posgen.effective_length_bound(count, bound).lower
        yield conclude(
            "posgen.effective-length",
            study.prompt,
            "effective length of the mean head's last row",
            [record.taken("half the range of the mean logits", bound)],
            record.at_least(least, "positions", says=least > 1),
            posgen.effective_length(row),
            rounding=count * study.weight_rounding,
        )
        yield conclude(
            "posgen.length",
            study.prompt,
            "distance of the output to its limit",
            [
                condition("residual of lag plus content", self.two.found.largest, "<=", 0.0),
                condition(
                    "independent contents (1) or not (0)",
                    float(study.vectors.first and study.prompt == "random"),
                    ">=",
                    1,
                ),
                condition("values of the head (1) or queries and keys only (0)", 0.0, ">=", 1.0),
            ],
            None,
            None,
            rounding=0.0,
        )

    def _capacity(self) -> Verdict:
        """The verdict of `posgen.bounded-capacity` on the number of pairwise apart lags found.

        Distances are root mean squares over some pairs of a query and a key, each as probable; lags are apart
        if theirs is at least half the largest amplitude.
        """
        study, head = self.study, self.study.head
        chosen = np.unique(np.linspace(0, study.last, _PAIRS).astype(np.int64))
        products = head.queries[chosen] * head.keys[chosen][::-1].conj()
        sides = [
            float(np.sqrt((x[chosen] ** 2).sum(1)).max()) * (1 + 2.0**-40) for x in study.sizes
        ]
        gap = (sides[0] * sides[1] / 2) ** 2
        lags = np.arange(0, study.length, max(1, study.length // _LAGS))
        conditions = [condition("size of the pairs' logits", gap, ">=", 1e-200)]
        if not conditions[0].met:
            return conclude(
                "posgen.bounded-capacity",
                study.prompt,
                "lags told apart",
                conditions,
                None,
                None,
                rounding=0.0,
            )
        most = posgen.capacity_bound(
            study.vectors.spec,
            query_norm=float(np.linalg.norm(study.vectors.queries[chosen], axis=1).max()),
            key_norm=float(np.linalg.norm(study.vectors.keys[chosen], axis=1).max()),
            gap=gap,
            scale=study.vectors.scale,
        )
        logits = real(study.turns[lags]) @ real(products.conj()).T
        # Squares of distances from scalar products: off by far less than the room of 2^-30.
        met = logits @ logits.T / len(chosen)
        halves = met.diagonal() / 2 - gap * (1 + 2.0**-30) / 4
        kept: list[int] = []
        for lag in range(len(lags)):
            if (met[lag, kept] <= halves[kept] + halves[lag]).all():
                kept.append(lag)
        return conclude(
            "posgen.bounded-capacity",
            study.prompt,
            f"lags apart by {math.sqrt(gap):.3g} logits over {len(chosen)} pairs",
            conditions,
            record.at_most(float(min(most, 10**300)), "lags", says=most < len(lags)),
            float(len(kept)),
            rounding=0.0,
        )
