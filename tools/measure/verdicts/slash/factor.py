r"""The rank-one factor of queries and keys: `slash.factor`, `slash.factor-emergence`, `slash.signed`.

`q_i = a_i u + e_i` and `k_j = b_j v + f_j` as in `ropeproof.numerics.bounds.slash.learned.factor`;
the factor's logit is `a_i b_j f(i - j)`. Scalars may have either sign for `slash.factor`.
`slash.factor-emergence` needs them of one sign, after `u` and `v` are turned so that the sum of
scalars is not negative: `f` has the signs that are left. `slash.signed` needs no factor: its rows
are those where some logit leads the target's by `gamma`, and every `gamma` gives a bound; the
smallest is given.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from ropeproof.numerics.bounds.posgen.triangle import toeplitz
from ropeproof.numerics.bounds.posgen.vectors import plane_numbers, plane_scales
from ropeproof.numerics.bounds.slash.emergence import emergence_margin, emergence_score
from ropeproof.tools.measure.verdicts.block import Block, numbers
from ropeproof.tools.measure.verdicts.record import (
    NOTHING,
    Verdict,
    at_least,
    at_most,
    conclude,
    condition,
    taken,
)
from ropeproof.tools.measure.verdicts.study import Study

__all__ = ["FactorRows"]

Floats = NDArray[np.float64]


class FactorRows:
    """Accumulates what the verdicts on the rank-one factor need, one block of rows at a time."""

    def __init__(self, study: Study) -> None:
        self.study = study
        vectors, (query, key) = study.vectors, study.factors
        spec = vectors.spec
        of_plane = plane_scales(spec, vectors.scale)
        u = plane_numbers("direction", query.direction, spec, axes=1) * of_plane
        v = plane_numbers("direction", key.direction, spec, axes=1)
        self.sides = query.scalars, key.scalars
        self.profile: Floats = (study.turns @ (u * v.conj())).real
        # Norms with the attention factor in them; the claim's scale is the largest of the planes'.
        most = float(np.abs(of_plane).max())
        query_rests, key_sizes = most * query.rests, np.abs(key.scalars)
        whole = most * np.abs(query.scalars) + query_rests
        # (|a| + |e|) |f| + |e| |b|, of two columns each.
        self.bounds = (
            [study.tensor(side)[:, None] for side in (whole, query_rests)],
            [study.tensor(side) for side in (key.rests, key_sizes)],
        )
        self.scalars = study.tensor(query.scalars)[:, None], study.tensor(key.scalars)
        self.tensor = study.tensor(self.profile)
        self.furthest, self.bound, self.excess = 0.0, 0.0, -math.inf
        self.near = 0.0
        self.tops, self.seconds = np.zeros(study.length), np.zeros(study.length)
        self.keys = np.zeros(study.length, dtype=np.int64)

    def add(self, block: Block) -> None:
        """Add one block of rows."""
        import torch

        start, stop = block.start, block.stop
        rows = slice(start, stop)
        factor = toeplitz(self.tensor, start, stop, block.room("own")).mul_(self.scalars[1][:stop])
        if self.study.vectors.soft_cap is not None:
            capped = block.masked(block.logits - factor * self.scalars[0][rows], 0.0)
            self.near = max(self.near, float(capped.abs_().max()))
        torch.addcmul(block.plain, factor, self.scalars[0][rows], value=-1, out=factor)
        off = block.masked(factor, 0.0).abs_()
        one, other = zip(*self.bounds, strict=True)
        bound = torch.mul(one[0][rows], one[1][:stop], out=block.room("bound"))
        bound = block.masked(bound.addcmul_(other[0][rows], other[1][:stop]), 0.0)
        self.furthest = max(self.furthest, float(off.max()))
        self.bound = max(self.bound, float(bound.max()))
        self.excess = max(self.excess, float(off.sub_(bound).max()))
        if self.study.vectors.soft_cap is None:
            self.near = self.furthest
        tops, keys, seconds = block.leaders
        self.tops[rows], self.seconds[rows] = numbers(tops), numbers(seconds)
        self.keys[rows] = numbers(keys)

    def leads(self, lag: int) -> Floats:
        """How far the largest other logit of a row exceeds that at `lag`, `(length - lag,)`."""
        others = self.keys[lag:] == np.arange(self.study.length - lag)
        result: Floats = np.where(others, self.seconds[lag:], self.tops[lag:])
        return result - self.study.logits_at(lag)

    def verdicts(self) -> Iterator[Verdict]:
        """All verdicts on the rank-one factor, once all rows are added."""
        yield self._close()
        for lag in self.study.targets:
            yield self._emergence(lag)
            yield self._signed(lag)

    def _close(self) -> Verdict:
        """The verdict of `slash.factor` on the largest distance of a logit to the factor's.

        Logits are those before the soft cap; the bound of each pair of a query and a key is compared as well.
        """
        study, measure = self.study, self.study.measure
        rounding = 4 * study.logit_rounding
        return conclude(
            "slash.factor",
            study.prompt,
            "largest distance of a logit to the factor's",
            [
                condition("the scale is not negative", study.vectors.scale, ">=", 0.0),
                taken("energy of queries outside their direction", measure.query_factor.outside),
                taken("energy of keys outside their direction", measure.key_factor.outside),
            ],
            at_most(self.bound, "logits", says=self.bound < 2 * study.size),
            self.furthest,
            rounding=rounding,
            everywhere=self.excess <= rounding,
        )

    def _emergence(self, lag: int) -> Verdict:
        """The verdict of `slash.factor-emergence` on the score at a lag, at the set threshold."""
        study, kappa = self.study, min(self.study.measure.options.threshold, 1 - 2.0**-50)
        a, b = self.sides
        least, low, high = float(a.min()), float(b.min()), float(b.max())
        f, others = self.profile, np.delete(self.profile, lag)
        gamma = float((low * f[lag] - np.maximum(low * others, high * others)).min())
        margin = least * gamma
        wanted = emergence_margin(kappa, study.length, self.near).upper
        conditions = [
            condition("queries along u, least", least, ">=", 0.0),
            condition("factor's logit at the lag, per unit", float(f[lag]), ">=", 0.0),
            condition("the factor's lead, gamma", gamma, ">=", 0.0),
        ]
        met = all(each.met for each in conditions)
        if met:
            conditions.append(
                condition("margin a_- gamma with eta as measured", margin, ">=", wanted)
            )
        conditions.append(taken("keys along v, least", low))
        conditions.append(taken("eta, largest distance of a logit to the factor's", self.near))
        bound = emergence_score(margin, study.length, self.near).lower
        return conclude(
            "slash.factor-emergence",
            study.prompt,
            f"score at lag {lag}, threshold {study.measure.options.threshold:g}",
            conditions,
            at_least(bound, "weight", says=bound > NOTHING),
            float(study.measure.attention.scores[lag]),
            rounding=study.weight_rounding,
        )

    def _signed(self, lag: int) -> Verdict:
        """The verdict of `slash.signed` on the score at a lag, by the `gamma` with the least bound."""
        study, leads = self.study, np.sort(self.leads(lag))[::-1]
        # Of the rows with the k largest leads each has some lag ahead by the k-th of them.
        share = np.arange(1, len(leads) + 1) / len(leads)
        # From below, so that rounding of logits never marks a row too much.
        lost = share * expit(leads - 4 * study.logit_rounding)
        best = int(lost.argmax())
        bound = 1 - float(lost[best])
        factor = self.sides[0][lag:] * self.sides[1][: study.length - lag] * self.profile[lag]
        return conclude(
            "slash.signed",
            study.prompt,
            f"score at lag {lag}, from above",
            [
                taken("share of rows where another logit leads", float(share[best])),
                taken("by at least gamma, in logits", float(max(leads[best], -1e300))),
                taken("share of rows of the wrong sign in the factor", float((factor < 0).mean())),
            ],
            at_most(bound, "weight", says=bound < 1 - NOTHING),
            float(study.measure.attention.scores[lag]),
            rounding=study.weight_rounding,
        )
