"""Evidence for the U-shape: the softmax weight of a target at each position."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import sympy
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.numerics.bounds.partial_induction import (
    WeightByPlace,
    index_weight_by_place,
    symbol_weight_by_place,
)
from ropeproof.proofs_check.evidence import Finding, evidence
from ropeproof.proofs_check.evidence.drawing import UNIT, draw_cases, require, within
from ropeproof.proofs_check.semantics.profiles import Profile

__all__: list[str] = []

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Curve:
    """A length, the angle as a share of `2 pi/n`, and an inverse temperature."""

    length: int
    share: Fraction
    beta: Fraction

    @property
    def exact(self) -> Any:
        """The angle per position, as a SymPy number."""
        share = sympy.Rational(self.share.numerator, self.share.denominator)
        return 2 * sympy.pi * share / self.length

    @property
    def shown(self) -> dict[str, Any]:
        """The values to report as the witness of a failed check."""
        return {"length": self.length, "angle": self.exact, "beta": self.beta}


@st.composite
def _curves(draw: st.DrawFn) -> Curve:
    """Drawn curves, a third of them near the largest angle (63/64 of it)."""
    drawn = Fraction(draw(st.integers(1, 63)), 64)
    share = draw(st.sampled_from((drawn, Fraction(63, 64), Fraction(1, 2))))
    beta = draw(st.just(Fraction(1)) | st.integers(1, 16).map(lambda k: Fraction(k, 4)))
    return Curve(draw(st.integers(3, 40)), share, beta)


def _softmax(scores: Floats) -> Floats:
    sizes = np.exp(scores - scores.max(1, keepdims=True))
    result: Floats = sizes / sizes.sum(1, keepdims=True)
    return result


def _agree(found: WeightByPlace, direct: Floats, what: str, case: Curve) -> None:
    budget = 64 * UNIT * (case.length + float(case.beta))
    within(found.lower, direct, budget, what, **case.shown)
    within(found.upper, direct, budget, what, **case.shown)
    require((found.lower <= found.upper).all(), "an empty enclosure", **case.shown)


@evidence("task.u-shape", "property", "softmax rows with the target at every place")
def u_shape(how: Profile) -> Finding:
    """The index construction's weight falls by position while more positions follow than precede.

    After that it rises, by the claim's difference; the symbols' weight rises to the middle.
    """

    def check(case: Curve) -> None:
        n, beta, shown = case.length, float(case.beta), case.shown
        places = np.arange(n)
        theta = 2 * np.pi * float(case.share) / n
        curve = index_weight_by_place(n, angle=case.exact, inverse_temperature=case.beta)
        rows = _softmax(beta * np.cos(theta * (places - places[:, np.newaxis])))
        direct = rows[places, places]
        _agree(curve, direct, "the index construction", case)
        budget = 64 * UNIT * (n + beta)
        before, behind = places[:-1] + 1, n - 1 - places[:-1]
        totals = np.exp(beta) / direct
        expected = np.exp(beta * np.cos(theta * before)) - np.exp(beta * np.cos(theta * behind))
        within(np.diff(totals), expected, budget * float(totals.max()), "differences", **shown)
        steps = np.diff(curve.mid)
        require((steps[before < behind] < budget).all(), "it does not fall", **shown)
        require((steps[before > behind] > -budget).all(), "it does not rise", **shown)
        ends = min(curve.lower[0], curve.lower[-1])
        require((curve.upper[1:-1] <= ends + budget).all(), "not largest at the ends", **shown)
        within(curve.mid[0], curve.mid[-1], budget, "the ends differ", **shown)

        waves = np.sin(np.pi * places / n)
        scores = np.tile(-beta * waves, (n, 1))
        scores[places, places] = beta * waves
        direct = _softmax(scores)[places, places]
        curve = symbol_weight_by_place(n, inverse_temperature=case.beta)
        _agree(curve, direct, "the symbolic construction", case)
        steps = np.diff(curve.mid)
        twice = 2 * places[:-1] + 1
        require((steps[twice < n] > -budget).all(), "it does not rise", **shown)
        require((steps[twice > n] < budget).all(), "it does not fall", **shown)
        top = int(curve.mid.argmax())
        require(abs(2 * top - n) <= 1, "not largest in the middle", top=top, **shown)

    domain = "lengths 3 to 40, inverse temperatures to 4, two thirds at half or all of the turn"
    return draw_cases(how, _curves(), check, domain=domain)
