"""Evidence for the optimum of the soft game: drawn heads, both bounds, and the best head in PyTorch."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ropeproof.constructions.heads.slash import soft_head
from ropeproof.numerics.bounds.slash.ceiling import slash_ceiling
from ropeproof.numerics.bounds.slash.soft import SoftOptimum, soft_optimum
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.proofs_check.evidence import Finding, drawing, evidence
from ropeproof.proofs_check.evidence.slash import constructed
from ropeproof.proofs_check.evidence.slash.window.soft_play import (
    OPTIMA,
    SCORE,
    SPEC,
    SoftPlay,
    plays,
)
from ropeproof.proofs_check.kernel.outcome import fails, holds, unknown
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary.spec import RopeSpec

__all__: list[str] = []


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
    return drawing.draw_cases(how, plays(), check, domain=domain)


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
    reaches = [n for n in OPTIMA if n <= 64] if how.name == "quick" else list(OPTIMA)
    domain = f"d = 128, base 10000, {', '.join(map(str, reaches))} lags on each side, score {SCORE}"
    parts: list[str] = []
    for reach in reaches:
        found = soft_optimum(SPEC, reach=reach, score=SCORE)
        where = {"reach": reach, "bounds": (found.amplitude_needed, found.amplitude)}
        if not found.attained.lower >= SCORE:
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
        SPEC,
    )
    domain = "windows of 6 and 20 lags on each side, no leak"
    reached = 0
    for spec in specs_tried:
        for reach in (6, 20):
            head = soft_head(spec, reach, SCORE)
            prompt = np.repeat(head.embeddings[:1], head.length, axis=0)[np.newaxis]
            budget = constructed.attention_budget(head)
            found = float(constructed.on_target(head, constructed.attention(head, prompt)).min())
            if not found >= SCORE - budget:
                where = {"spec": spec, "reach": reach, "weight": found}
                return Finding(fails("less than the score", where), domain, reached)
            less_size = math.sqrt(0.99)
            weak = replace(head, w_q=head.w_q * less_size, w_k=head.w_k * less_size)
            less = float(constructed.on_target(weak, constructed.attention(weak, prompt)).min())
            if not less < SCORE - budget:
                where = {"spec": spec, "reach": reach, "weight": less}
                return Finding(fails("a hundredth less is enough", where), domain, reached)
            reached += 1
    return Finding(holds(f"{reached} heads"), domain, reached)
