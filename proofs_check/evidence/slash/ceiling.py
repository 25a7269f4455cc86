"""Evidence for the ceilings of the slash weight: drawn heads, and certified amplitudes."""

from __future__ import annotations

import numpy as np

from ropeproof.numerics.bounds.rope.rope import largest_frequency, step_bounds
from ropeproof.numerics.bounds.slash.ceiling import (
    aligned_score,
    amplitude_needed,
    lipschitz_ceiling,
    lipschitz_limit,
    lipschitz_two_sided,
    low_only_ceiling,
    slash_ceiling,
)
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.proofs_check.evidence import Finding, drawing, evidence
from ropeproof.proofs_check.evidence.slash import heads
from ropeproof.proofs_check.kernel.outcome import fails, holds, unknown
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary.presets import PRESETS

__all__: list[str] = []


@evidence("slash.ceiling", "property", "weights of drawn heads")
def ceiling(how: Profile) -> Finding:
    """No phases give the target a weight above the ceiling of any window in the row.

    Aligned phases attain the claimed weight, which is the ceiling itself if the row is symmetric.
    """

    def check(case: heads.Positional) -> None:
        spec, sizes = case.spec, case.amplitudes
        limit = slash_ceiling(sizes, spec, reach=case.reach)
        found, rounding = case.weight()
        drawing.require(found <= limit.upper * (1 + rounding), "above the ceiling", **case.shown)
        narrow = slash_ceiling(sizes, spec, reach=case.reach // 2)
        drawing.require(
            limit.lower <= narrow.upper, "a wider window has a higher ceiling", **case.shown
        )
        attained, rounding = case.weight(aligned=True)
        exact = aligned_score(sizes, spec, offset=case.offset, row=case.row)
        near = exact.lower * (1 - rounding) <= attained <= exact.upper * (1 + rounding)
        drawing.require(near, "aligned phases do not attain their weight", **case.shown)
        if case.row == 2 * case.offset + 1:
            meet = exact.lower <= limit.upper and limit.lower <= exact.upper
            drawing.require(meet, "the ceiling is not attained on a symmetric row", **case.shown)

    return drawing.draw_cases(
        how, heads.positional(farthest=64), check, domain=heads.DOMAIN.replace("160", "64")
    )


@evidence("slash.low-only", "property", "weights of drawn slow heads")
def low_only(how: Profile) -> Finding:
    """Heads on slow planes stay below the ceiling of their largest frequency, aligned or not."""

    def check(case: heads.Positional) -> None:
        active = frequencies_float64(case.spec)[case.amplitudes > 0]
        # Correctly rounded frequencies, so the true one is at most the next double.
        omega = float(np.nextafter(active.max(initial=0.0), np.inf)) if active.any() else 0.0
        total = float(case.amplitudes.sum()) * (1 + drawing.UNIT * case.spec.planes)
        limit = low_only_ceiling(total, omega, reach=case.reach)
        for aligned in (False, True):
            found, rounding = case.weight(aligned=aligned)
            allowed = limit.upper * (1 + rounding)
            drawing.require(
                found <= allowed, "a slow head is sharper", aligned=aligned, **case.shown
            )

    return drawing.draw_cases(
        how, heads.positional(slow=True), check, domain=f"{heads.DOMAIN}, slowest planes"
    )


@evidence("slash.lipschitz-ceiling", "property", "weights of drawn heads against their slope")
def lipschitz(how: Profile) -> Finding:
    """The target's weight stays below the Lipschitz ceiling, the exact sum over the lags of the row.

    In symmetric rows the ceiling has its closed form, which decreases to tanh(lambda/2).
    """

    def check(case: heads.Positional) -> None:
        rate = step_bounds(case.amplitudes, case.spec).frequencies.upper
        limit = lipschitz_ceiling(rate, offset=case.offset, row=case.row)
        for aligned in (False, True):
            found, rounding = case.weight(aligned=aligned)
            allowed = limit.upper * (1 + rounding)
            drawing.require(found <= allowed, "above the ceiling", aligned=aligned, **case.shown)
        terms = [np.exp(-rate * abs(t - case.offset)) for t in range(case.row)]
        direct, budget = 1 / sum(terms), drawing.UNIT * 8 * (case.row + rate)
        close = limit.lower * (1 - budget) <= direct <= limit.upper * (1 + budget)
        drawing.require(close, "the sum", rate=rate, **case.shown)
        if rate > 0:
            closed = lipschitz_two_sided(rate, offset=case.offset)
            exact = lipschitz_ceiling(rate, offset=case.offset, row=2 * case.offset + 1)
            meet = exact.lower <= closed.upper and closed.lower <= exact.upper
            drawing.require(meet, "the closed form", rate=rate, offset=case.offset)
            last = lipschitz_limit(rate)
            drawing.require(
                last.lower <= closed.upper, "below the limit", rate=rate, offset=case.offset
            )
            far = lipschitz_two_sided(rate, offset=case.offset + int(64 / rate) + 1)
            near = far.lower <= last.upper * (1 + 2.0**-40)
            drawing.require(near, "far from the limit", rate=rate, offset=case.offset)

    return drawing.draw_cases(
        how, heads.positional(bound=2.0), check, domain=heads.DOMAIN.replace("to 8", "to 2")
    )


@evidence("slash.amplitude-needed", "certified", "the number 6.29, its extreme, the presets")
def amplitude(how: Profile) -> Finding:
    """A score of 0.9 needs an amplitude of 6.29, and a head of that amplitude attains it.

    It has one plane of frequency 1 and a row of three keys; 1% less amplitude is not enough. All presets
    have frequencies of at most 1.
    """
    domain = "scores 0.5, 0.9 and 0.99; the eight presets"
    needed = amplitude_needed(0.9)
    if not 6.285 <= needed.lower <= needed.upper <= 6.295:
        return Finding(fails("not 6.29", {"enclosure": needed}), domain)
    for name, preset in PRESETS.items():
        largest = largest_frequency(preset.spec)
        if not largest.upper <= 1:
            return Finding(unknown(f"{name}: largest frequency {largest}"), domain)
        sizes = np.zeros(preset.spec.planes)
        for score in (0.5, 0.9, 0.99):
            bound = amplitude_needed(score)
            sizes[0] = bound.upper
            enough = aligned_score(sizes, preset.spec, offset=1, row=3)
            sizes[0] = 0.99 * bound.lower
            short = aligned_score(sizes, preset.spec, offset=1, row=3)
            tight = abs(enough.lower - score) <= 1e-9 and short.upper < score
            if largest.lower == 1 and not tight:
                where = {"preset": name, "score": score, "attained": (enough, short)}
                return Finding(fails("the bound is not attained", where), domain)
    text = f"[{needed.lower:.6f}, {needed.upper:.6f}] at 0.9; {len(PRESETS)} presets"
    return Finding(holds(text), domain, 3 * len(PRESETS))
