"""Evidence for the soft game: drawn heads and weights, certified optima, and the best head in PyTorch."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.constructions.heads.slash import soft_head
from ropeproof.numerics.bounds.slash.ceiling import amplitude_needed, slash_ceiling
from ropeproof.numerics.bounds.slash.soft import (
    SoftOptimum,
    amplitude_needed_window,
    soft_ceiling,
    soft_optimum,
)
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.numerics.strategies import amplitudes, distributions, specs
from ropeproof.proofs_check.evidence import Finding, drawing, evidence
from ropeproof.proofs_check.evidence.slash import heads
from ropeproof.proofs_check.evidence.slash.constructed import attention, attention_budget, on_target
from ropeproof.proofs_check.kernel.outcome import fails, holds, unknown
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary.spec import RopeSpec

__all__: list[str] = []

Floats = NDArray[np.float64]
_SPEC = RopeSpec(128, 10000)
_SCORE = 0.9
_OPTIMA = {16: "8.933", 64: "10.924", 256: "12.648", 1024: "14.499"}
"""The least amplitude, rounded to three digits, with so many lags on each side; score .9."""


@dataclass(frozen=True)
class SoftPlay:
    """Probabilities on the lags of a window, and an aligned head."""

    spec: RopeSpec
    weights: Floats
    amplitudes: Floats

    @property
    def shown(self) -> dict[str, Any]:
        """The values to report as the witness of a failed check."""
        return {"spec": self.spec, "weights": self.weights, "amplitudes": self.amplitudes}


@st.composite
def _plays(draw: st.DrawFn) -> SoftPlay:
    spec = draw(specs(most_planes=5))
    reach = draw(st.integers(1, 24))
    sizes = draw(amplitudes(planes=spec.planes, bound=8.0))
    return SoftPlay(spec, draw(distributions(keys=reach)), sizes)


@evidence(
    "slash.soft-ceiling", "property", "weights of drawn heads against drawn weights on the lags"
)
def ceiling(how: Profile) -> Finding:
    """No drawn head has more weight, with any phases, than even, harmonic and geometric weights allow."""

    def check(case: heads.Positional) -> None:
        if not frequencies_float64(case.spec).any() or case.reach < 1:
            return
        found, rounding = case.weight()
        total = float(case.amplitudes.sum()) * (1 + drawing.UNIT * case.spec.planes)
        lags = np.arange(1, case.reach + 1)
        for weights in (np.ones(case.reach), 1.0 / lags, np.exp(-0.1 * lags)):
            limit = soft_ceiling(weights, case.spec, amplitude=total)
            allowed = limit.upper * (1 + rounding)
            drawing.require(found <= allowed, "above the soft ceiling", **case.shown)

    return drawing.draw_cases(
        how, heads.positional(farthest=64), check, domain=heads.DOMAIN.replace("160", "64")
    )


def _needs_no_more(case: SoftPlay) -> None:
    spec, reach = case.spec, len(case.weights)
    turned = frequencies_float64(spec).any()
    if not turned or not case.weights.any():
        return
    weight = slash_ceiling(case.amplitudes, spec, reach=reach)
    total = float(case.amplitudes.sum()) * (1 + drawing.UNIT * spec.planes)
    needed = amplitude_needed_window(case.weights, spec, score=weight.lower)
    drawing.require(needed.lower <= total, "less than is said to be needed", **case.shown)


@evidence("slash.amplitude-needed-window", "property", "drawn heads and drawn weights on the lags")
def needed(how: Profile) -> Finding:
    """No drawn head has its weight for less amplitude than drawn weights on the lags say it needs."""
    domain = "up to 5 planes, partial and scaled, amplitudes up to 8, up to 24 lags on each side"
    return drawing.draw_cases(how, _plays(), _needs_no_more, domain=domain)


@evidence("slash.amplitude-needed-window", "certified", "the least amplitudes at 16 to 1024 lags")
def needed_certified(how: Profile) -> Finding:
    """The bound of the best weights has the claim's digits, and is more than two neighbours force."""
    reaches = [n for n in _OPTIMA if n <= 64] if how.name == "quick" else list(_OPTIMA)
    domain = (
        f"d = 128, base 10000, {', '.join(map(str, reaches))} lags on each side, score {_SCORE}"
    )
    parts: list[str] = []
    for reach in reaches:
        found = soft_optimum(_SPEC, reach=reach, score=_SCORE)
        if f"{found.amplitude_needed:.3f}" != _OPTIMA[reach]:
            where = {"reach": reach, "needed": found.amplitude_needed}
            return Finding(fails(f"not {_OPTIMA[reach]}", where), domain, len(parts))
        if not found.amplitude_needed > amplitude_needed(_SCORE).upper:
            return Finding(unknown(f"{reach}: not more than two neighbours"), domain, len(parts))
        parts.append(f"{reach}: {found.amplitude_needed:.9f}")
    return Finding(holds("; ".join(parts)), domain, len(parts))


@evidence("slash.soft-optimal", "property", "optima of drawn specs against drawn heads")
def optimal(how: Profile) -> Finding:
    """No drawn head of the optimum's amplitude has more weight than the optimum's head on its window."""

    def check(case: SoftPlay) -> None:
        spec, reach = case.spec, len(case.weights)
        if not frequencies_float64(spec).any() or not case.amplitudes.any():
            return
        total = float(case.amplitudes.sum())
        weight = slash_ceiling(case.amplitudes, spec, reach=reach)
        try_score = min(weight.upper, 1 - 2.0**-40)
        found = soft_optimum(spec, reach=reach, score=try_score)
        slack = 1 + 1e-6 + drawing.UNIT * 64 * (1 + total)
        drawing.require(found.amplitude_needed <= total * slack, "beaten by a head", **case.shown)
        drawing.require(found.converged, "the two bounds do not meet", **case.shown)

    domain = "up to 5 planes, partial and scaled, amplitudes up to 8, up to 24 lags on each side"
    return drawing.draw_cases(how, _plays(), check, domain=domain)


def _slackness(found: SoftOptimum) -> float:
    """How far planes that are used are from earning most, relatively, weighted by their amplitude."""
    lags = np.arange(1, found.reach + 1)
    falls = 2 * np.sin(np.outer(lags, frequencies_float64(found.spec)) / 2) ** 2
    energy = falls @ found.amplitudes
    own = np.exp(energy.min() - energy)
    gains = (own / own.sum()) @ falls
    earned = float(gains @ found.amplitudes)
    return 1 - earned / (float(gains.max()) * float(found.amplitudes.sum()))


@evidence("slash.soft-optimal", "certified", "the optimum from both sides at 16 to 1024 lags")
def optimal_certified(how: Profile) -> Finding:
    """A head's certified weight and a certified bound meet, and its planes with amplitude earn alike."""
    reaches = [n for n in _OPTIMA if n <= 64] if how.name == "quick" else list(_OPTIMA)
    domain = (
        f"d = 128, base 10000, {', '.join(map(str, reaches))} lags on each side, score {_SCORE}"
    )
    parts: list[str] = []
    for reach in reaches:
        found = soft_optimum(_SPEC, reach=reach, score=_SCORE)
        where = {"reach": reach, "bounds": (found.amplitude_needed, found.amplitude)}
        if not found.attained.lower >= _SCORE:
            return Finding(fails("the head misses the score", where), domain, len(parts))
        if not found.amplitude <= found.amplitude_needed * (1 + 1e-6):
            return Finding(unknown(f"{reach}: the bounds do not meet"), domain, len(parts))
        if not _slackness(found) <= 1e-3:
            return Finding(fails("planes do not earn alike", where), domain, len(parts))
        parts.append(f"{reach}: [{found.amplitude_needed:.7f}, {found.amplitude:.7f}]")
    return Finding(holds("; ".join(parts)), domain, len(parts))


@evidence("slash.soft-optimal", "construction", "the best head in PyTorch")
def optimal_constructed(how: Profile) -> Finding:
    """The head of least amplitude gives its target the score in float64, and 1 percent less does not.

    The target has as many keys on each side; the rows before that one have the score as well.
    """
    specs_tried = (
        RopeSpec(8, 500, layout="half"),
        RopeSpec(24, 10000, rotary_dim=12, layout="half"),
        RopeSpec(16, 500, layout="interleaved"),
        _SPEC,
    )
    domain = "windows of 6 and 20 lags on each side, no leak"
    reached = 0
    for spec in specs_tried:
        for reach in (6, 20):
            head = soft_head(spec, reach, _SCORE)
            prompt = np.repeat(head.embeddings[:1], head.length, axis=0)[np.newaxis]
            budget = attention_budget(head)
            found = float(on_target(head, attention(head, prompt)).min())
            if not found >= _SCORE - budget:
                where = {"spec": spec, "reach": reach, "weight": found}
                return Finding(fails("less than the score", where), domain, reached)
            less_size = math.sqrt(0.99)
            weak = replace(head, w_q=head.w_q * less_size, w_k=head.w_k * less_size)
            less = float(on_target(weak, attention(weak, prompt)).min())
            if not less < _SCORE - budget:
                where = {"spec": spec, "reach": reach, "weight": less}
                return Finding(fails("a hundredth less is enough", where), domain, reached)
            reached += 1
    return Finding(holds(f"{reached} heads"), domain, reached)
