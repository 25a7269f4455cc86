"""Evidence for bounds of the soft game: drawn heads and weights, and certified least amplitudes."""

from __future__ import annotations

import numpy as np

from ropeproof.numerics.bounds.slash.ceiling import amplitude_needed, slash_ceiling
from ropeproof.numerics.bounds.slash.soft import amplitude_needed_window, soft_ceiling, soft_optimum
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.proofs_check.evidence import Finding, drawing, evidence
from ropeproof.proofs_check.evidence.slash import heads
from ropeproof.proofs_check.evidence.slash.window.soft_play import (
    OPTIMA,
    SCORE,
    SPEC,
    SoftPlay,
    plays,
)
from ropeproof.proofs_check.kernel.outcome import fails, holds, unknown
from ropeproof.proofs_check.semantics.profiles import Profile

__all__: list[str] = []


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
    return drawing.draw_cases(how, plays(), _needs_no_more, domain=domain)


@evidence("slash.amplitude-needed-window", "certified", "the least amplitudes at 16 to 1024 lags")
def needed_certified(how: Profile) -> Finding:
    """The bound of the best weights has the claim's digits, and is more than two neighbours force."""
    reaches = [n for n in OPTIMA if n <= 64] if how.name == "quick" else list(OPTIMA)
    domain = f"d = 128, base 10000, {', '.join(map(str, reaches))} lags on each side, score {SCORE}"
    parts: list[str] = []
    for reach in reaches:
        found = soft_optimum(SPEC, reach=reach, score=SCORE)
        if f"{found.amplitude_needed:.3f}" != OPTIMA[reach]:
            where = {"reach": reach, "needed": found.amplitude_needed}
            return Finding(fails(f"not {OPTIMA[reach]}", where), domain, len(parts))
        if not found.amplitude_needed > amplitude_needed(SCORE).upper:
            return Finding(unknown(f"{reach}: not more than two neighbours"), domain, len(parts))
        parts.append(f"{reach}: {found.amplitude_needed:.9f}")
    return Finding(holds("; ".join(parts)), domain, len(parts))
