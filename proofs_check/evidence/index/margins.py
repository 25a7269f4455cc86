"""Evidence for margins of one plane: every query of every length, and staircases of angles."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.numerics.bounds.index import (
    best_one_plane_limit,
    index_margin,
    one_plane_limit,
    staircase,
)
from ropeproof.proofs_check.evidence import Finding, evidence
from ropeproof.proofs_check.evidence.drawing import UNIT, draw_cases, meets, require
from ropeproof.proofs_check.evidence.index.angles import Angle, AngleAndSizes, angles
from ropeproof.proofs_check.semantics.profiles import Profile

__all__: list[str] = []

Floats = NDArray[np.float64]
_LONGEST = 40
_STEPS = 200


@dataclass(frozen=True)
class Queries(AngleAndSizes):
    """An angle, a length, and the largest integer in the alphabet."""

    def margins(self) -> Floats:
        """The margins of the queries `0, 1, ..., integers`, each over all of its competitors."""
        gaps = np.append(0.0, self.angle.falls(self.length - 1))
        places = np.arange(self.length)
        found = []
        for query in range(min(self.integers, self.length - 1) + 1):
            # The target is `query` positions back; competitors stand at all other lags.
            away = np.abs(places - query)
            found.append(float(gaps[away[away > 0]].min()))
        return np.array(found)


@st.composite
def _queries(draw: st.DrawFn) -> tuple[Queries, Queries, Queries]:
    """A drawn angle, and the two angles that attain the limits for the worst and the best input."""
    length = draw(st.integers(2, _LONGEST))
    integers = draw(st.integers(1, length + 2))
    drawn = Queries(draw(angles()), length, integers)
    worst = Queries(Angle(Fraction(1, length)), length, length)
    best = Queries(Angle(Fraction(1, length // 2 + 1)), length, length)
    return drawn, worst, best


@evidence("index.margin", "property", "all queries of drawn angles, and the best angles")
def margin(how: Profile) -> Finding:
    """The certified margins of each query, of the worst and the best input are direct minima.

    None is above its limit; one turn over the length, and over half of it, attain the limits.
    """

    def check(case: tuple[Queries, Queries, Queries]) -> None:
        for each in case:
            found, shown = each.margins(), each.shown
            budget = 8 * UNIT
            kept = {"length": each.length, "integers": each.integers}
            for query, direct in enumerate(found.tolist()):
                value = index_margin(each.angle.exact, inputs=query, **kept)
                require(meets(value, direct, budget), "one query", query=query, **shown)
            worst, best = (
                index_margin(each.angle.exact, inputs="worst", **kept),
                index_margin(each.angle.exact, inputs="best", **kept),
            )
            require(meets(worst, float(found.min()), budget), "over all inputs", **shown)
            require(meets(best, float(found.max()), budget), "of the best input", **shown)
            limits = one_plane_limit(each.length), best_one_plane_limit(each.length)
            require(found.min() <= limits[0].upper + budget, "above the limit", **shown)
            require(found.max() <= limits[1].upper + budget, "above the best limit", **shown)
            square = 2 * np.pi**2 / each.length**2
            require(limits[0].lower <= square * (1 + budget), "above 2 pi^2/n^2", **shown)
        _, worst_case, best_case = case
        least, most = worst_case.margins().min(), best_case.margins().max()
        limit = one_plane_limit(worst_case.length)
        require(meets(limit, float(least), 8 * UNIT), "not attained", **worst_case.shown)
        limit = best_one_plane_limit(best_case.length)
        require(meets(limit, float(most), 8 * UNIT), "not attained", **best_case.shown)

    domain = f"lengths up to {_LONGEST}, two thirds of the angles the best ones"
    return draw_cases(how, _queries(), check, domain=domain)


@evidence("index.staircase", "property", "running minima of drawn angles")
def steps(how: Profile) -> Finding:
    """At every length up to 200 the worst margin is the running minimum of `1 - cos(t theta)`.

    Every listed drop is below the values at all shorter lags, and no other lag is a new minimum.
    """

    def check(angle: Angle) -> None:
        direct, shown = angle.falls(_STEPS), {"angle": angle.exact}
        found = staircase(angle.exact, [2, _STEPS + 1])
        least = np.minimum.accumulate(direct)
        budget = 8 * UNIT
        for lag in range(1, _STEPS + 1):
            value = found.at(lag + 1)
            require(meets(value, float(least[lag - 1]), budget), "a step", lag=lag, **shown)
        lags = [drop.lag for drop in found.drops]
        require(lags[0] == 1 and lags == sorted(set(lags)), "not increasing", lags=lags, **shown)
        for drop in found.drops:
            require(drop.length == drop.lag + 1, "the length of a drop", drop=drop, **shown)
            fall = float(direct[drop.lag - 1])
            require(meets(drop.margin, fall, budget), "a drop", drop=drop, **shown)
            before = float(least[drop.lag - 2]) if drop.lag > 1 else np.inf
            require(fall < before + budget, "not below shorter lags", drop=drop, **shown)
        # Falls of different sizes are told apart by far more than the budget.
        records = 1 + int((np.diff(least) < -16 * UNIT).sum())
        require(len(lags) == records, "another number of drops", lags=lags, **shown)

    domain = f"rational angles and fractions of a turn, lengths up to {_STEPS + 1}"
    return draw_cases(how, angles(), check, domain=domain)
