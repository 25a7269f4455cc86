"""Evidence for near-returns of a head to its target, and for a head without them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from flint import arb
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.numerics.bounds.rope.rope import cosine_logits
from ropeproof.numerics.bounds.slash import returns
from ropeproof.numerics.bounds.slash.returns import alias_bound, uniform_floor
from ropeproof.numerics.core.spec import frequencies_ball
from ropeproof.proofs_check.evidence import Finding, drawing, evidence
from ropeproof.proofs_check.kernel.outcome import fails, holds, unknown
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.presets import PRESETS
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["agrees"]

Floats = NDArray[np.float64]

_GHOSTS = {44: ("1.55e-4", "1.65e-4"), 710: ("1.75e-9", "1.85e-9")}
"""Lags at which a plane of frequency 1 nearly returns, and where `1 - cos` lies: 1.6e-4, 1.8e-9."""
_PARTS = {1: (2, 45, 711, 10**5), 2: (2, 16, 300), 3: (2, 16, 48)}


@evidence("slash.alias", "certified", "the nearest returns of one, two and three planes")
def alias(how: Profile) -> Finding:
    """At some lag below Q^K an aligned head's logit is within A (1 - cos(2 pi/Q)) of its peak.

    This is certified for equal amplitudes on the fastest planes of bases 10000 and 500000, and on others;
    1 - cos t at the lags 44 and 710 has the claim's numbers.
    """
    domain = "frequency 1; one to three planes, lags below Q^K, Q up to 10^5, 300 and 48"
    for lag, (low, high) in _GHOSTS.items():
        with precision(128):
            fall = 1 - arb(lag).cos()
            found = Fraction(float(fall.lower())), Fraction(float(fall.upper()))
        if not Fraction(low) <= found[0] <= found[1] <= Fraction(high):
            return Finding(fails("not the claim's number", {"lag": lag, "fall": fall}), domain)
    cases, parts = len(_GHOSTS), []
    for planes, counts in _PARTS.items():
        for name, chosen in _frequencies(planes):
            for count in counts if how.name != "quick" else counts[:-1]:
                sizes = np.ones(planes)
                found_at = returns.nearest_return(sizes, chosen, parts=count)
                bound = alias_bound(planes, count)
                cases += 1
                if found_at.lower > bound.upper:
                    where = {"planes": name, "Q": count, "smallest fall": found_at}
                    return Finding(fails("no ghost", where), domain, cases)
                if not found_at.upper <= bound.lower:
                    return Finding(unknown(f"{name}, Q = {count}: {found_at}"), domain, cases)
            parts.append(f"{name}: {found_at.upper:.3g} at {found_at.lag}")
    return Finding(holds("; ".join(parts)), domain, cases)


def _frequencies(planes: int) -> list[tuple[str, tuple[object, ...]]]:
    """Named sets of frequencies: the fastest of two bases, and a spread set."""
    fastest = [
        (f"base {base}", frequencies_ball(RopeSpec(128, base), bits=192)[:planes])
        for base in (10000, 500000)
    ]
    spread = (Fraction(1), Fraction(1, 7), Fraction(1, 100))[:planes]
    return [(f"{name}, {planes} planes", chosen) for name, chosen in (*fastest, ("spread", spread))]


@st.composite
def _covered(draw: st.DrawFn) -> tuple[RopeSpec, int]:
    """A drawn standard spec and length within the claim's conditions."""
    base = draw(st.sampled_from((2, 3, 10, 100, 10000, 500000)))
    # At least as many planes as the hypothesis asks for, often just that many.
    least = int(np.ceil(np.log(base) / np.log(np.pi) + 1e-9))
    spec = RopeSpec(2 * (max(least, 1) + draw(st.integers(0, 6))), base)
    longest = min(returns.uniform_length(spec), 2**14)
    return spec, max(2, draw(st.just(longest) | st.integers(2, max(longest, 2))))


def agrees(margin: float, amplitudes: Floats, spec: RopeSpec, length: int) -> None:
    """Raise `Violation` unless float64 logits give the same margin over all lags below `length`."""
    logits = cosine_logits(amplitudes, np.zeros(spec.planes), spec, np.arange(1, length))
    least = float((amplitudes.sum() - logits).min())
    budget = drawing.UNIT * amplitudes.sum() * 2 * (length + spec.planes + 4)
    drawing.require(abs(least - margin) <= budget, "float64 disagrees", spec=spec, length=length)


@evidence("slash.uniform", "property", "certified margins of drawn standard specs")
def uniform(how: Profile) -> Finding:
    """With amplitudes of 1 the logit is at least 1 - cos 1 below its peak at every lag in range.

    float64 logits give the same margin.
    """

    def check(case: tuple[RopeSpec, int]) -> None:
        spec, length = case
        found = returns.uniform_margin(spec, length)
        floor = uniform_floor()
        drawing.require(
            found.upper >= floor.lower, "below 1 - cos 1", spec=spec, length=length, lag=found.lag
        )
        agrees(found.lower, np.ones(spec.planes), spec, length)

    domain = "bases from 2 to 500000, planes from the least allowed to 6 more, lengths up to 2^14"
    return drawing.draw_cases(how, _covered(), check, domain=domain)


@evidence("slash.uniform", "certified", "the presets, over the whole range of the claim")
def uniform_certified(how: Profile) -> Finding:
    """On the presets, amplitudes of 1 keep the logit at least 1 - cos 1 below its peak, certified.

    This holds at every lag that the claim covers, for the presets without scaling, on their rotated planes.
    """
    parts, cases, least = [], 0, uniform_floor()
    seen = {
        RopeSpec(preset.spec.rotary_dim, preset.spec.base): name
        for name, preset in PRESETS.items()
        if preset.spec.scaling is None
    }
    domain = f"rotated planes as in {', '.join(seen.values())}, all lags of the claim's range"
    for spec, name in seen.items():
        covered = returns.uniform_length(spec)
        length = min(covered, 2**17) if how.name == "quick" else covered
        found = returns.uniform_margin(spec, length)
        cases += length - 1
        if found.upper < least.lower:
            where = {"preset": name, "lag": found.lag, "margin": found}
            return Finding(fails("below 1 - cos 1", where), domain, cases)
        if not found.lower >= least.lower:
            return Finding(unknown(f"{name}: {found}"), domain, cases)
        parts.append(f"{name}: {found.lower:.4f} at {found.lag} below {length}")
    return Finding(holds("; ".join(parts)), domain, cases)
