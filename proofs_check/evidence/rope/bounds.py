"""Evidence for the bounds of a logit: property checks on drawn heads, and `rope.band` certified."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from flint import arb, fmpq
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.numerics.bounds.rope import rope
from ropeproof.numerics.core import lag_scan
from ropeproof.numerics.core.spec import (
    amplitudes_and_phases,
    frequencies_ball,
    frequencies_float64,
)
from ropeproof.numerics.strategies import amplitudes, phases, specs
from ropeproof.proofs_check.evidence import Finding, drawing, evidence
from ropeproof.proofs_check.evidence.rope import heads
from ropeproof.proofs_check.kernel.outcome import fails, holds, unknown
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.presets import PRESETS
from ropeproof.theory.rotary.spec import Linear, RopeSpec

__all__: list[str] = []

Floats = NDArray[np.float64]
_LAGS = 256
_BAND = fmpq(9589, 10000)


@dataclass(frozen=True)
class LogitFunction(drawing.DrawnCase):
    """A logit function `sum_l A_l cos(theta_l t + phi_l)`."""

    spec: RopeSpec
    amplitudes: Floats
    phases: Floats


@st.composite
def _waves(draw: st.DrawFn, *, scaling: bool = True) -> LogitFunction:
    spec = draw(specs(most_planes=6, scaling=scaling))
    return LogitFunction(
        spec, draw(amplitudes(planes=spec.planes)), draw(phases(planes=spec.planes))
    )


@evidence("rope.bounded", "property", "logits against the amplitude")
def bounded(how: Profile) -> Finding:
    """|w| <= A <= s|q||k|; a head whose phases align at a lag attains A there."""

    def check(case: heads.QueryKeyPair) -> None:
        sizes, turns = amplitudes_and_phases(case.q, case.k, case.spec)
        total = float(rope.amplitude(case.q, case.k, case.spec))
        rounding = drawing.UNIT * (4 * case.spec.head_dim + 16)
        most = float(rope.norm_bound(case.q, case.k, case.spec)) * (1 + rounding)
        drawing.require(total <= most, "the amplitude exceeds s|q||k|", **case.shown)
        largest = lag_scan.largest_logit(sizes, turns, case.spec, lags=_LAGS)
        drawing.require(largest.lower <= total * (1 + rounding), "a logit exceeds A", **case.shown)
        lag = case.i - case.j
        angles = frequencies_float64(case.spec) * lag
        met = rope.cosine_logits(sizes, -angles, case.spec, lag)
        budget = drawing.UNIT * total * (4 * case.spec.head_dim + 32)
        drawing.within(met, total, budget, "aligned phases do not attain A", **case.shown)

    return drawing.draw_cases(
        how, heads.drawn(), check, domain=f"{heads.DOMAIN}; lags below {_LAGS}"
    )


@evidence("rope.lipschitz", "property", "certified steps against the bounds")
def lipschitz(how: Profile) -> Finding:
    """The largest certified step of a head is at most 2 sum A|sin(theta/2)| <= sum A theta."""

    def check(case: LogitFunction) -> None:
        limits = rope.step_bounds(case.amplitudes, case.spec)
        largest = lag_scan.largest_step(case.amplitudes, case.phases, case.spec, lags=_LAGS)
        drawing.require(
            largest.lower <= limits.sines.upper, "a step exceeds its bound", **case.shown
        )
        order = limits.sines.lower <= limits.frequencies.upper
        drawing.require(order, "the sine bound exceeds the linear one", **case.shown)
        places = np.arange(_LAGS)
        values = rope.cosine_logits(case.amplitudes, case.phases, case.spec, places)
        apart = float(case.amplitudes.sum()) * (
            2 * _LAGS * rope.largest_frequency(case.spec).upper + 64
        )
        found = rope.steps(case.amplitudes, case.phases, case.spec, places[:-1])
        drawing.within(
            found, np.diff(values), drawing.UNIT * apart, "the step's own form", **case.shown
        )

    domain = f"up to 6 planes, amplitudes up to 8, lags below {_LAGS}"
    return drawing.draw_cases(how, _waves(), check, domain=domain)


@evidence("rope.band", "property", "certified steps against the band bound")
def band(how: Profile) -> Finding:
    """No step between neighbouring lags of a standard head exceeds 2 sin(1/2) A."""

    def check(case: LogitFunction) -> None:
        largest = lag_scan.largest_step(case.amplitudes, case.phases, case.spec, lags=_LAGS)
        limit = rope.band_constant().upper * float(case.amplitudes.sum()) * (1 + 16 * drawing.UNIT)
        drawing.require(largest.lower <= limit, "a step exceeds 2 sin(1/2) A", **case.shown)

    domain = f"up to 6 planes, no scaling, amplitudes up to 8, lags below {_LAGS}"
    return drawing.draw_cases(how, _waves(scaling=False), check, domain=domain)


@evidence("rope.band", "certified", "2 sin(1/2) <= 0.9589, and theta_0 = 1 is largest")
def band_certified(how: Profile) -> Finding:
    """2 sin(1/2) <= 0.9589 in balls, and theta_0 = 1 is the largest frequency of the eight presets.

    So the bound of a step is 2 sin(1/2) A on each of them.
    A scaling may break theta_0 = 1: `Linear(4)` has theta_0 = 1/4, so the bound holds and is
    not attained. Llama 3.1's scaling keeps plane 0, which turns 1303 times in 8192 positions.
    """
    domain = "the presets' frequencies"
    with precision(128):
        if not 2 * (arb(1) / 2).sin() <= arb(_BAND):
            return Finding(unknown("2 sin(1/2) <= 0.9589 is not certain"), domain)
    for name, preset in PRESETS.items():
        first, *others = frequencies_ball(preset.spec, bits=128)
        with precision(128):
            if not (first.is_exact() and first == 1):
                return Finding(fails("theta_0 is not 1", {"preset": name}), domain)
            if not all(theta < first for theta in others):
                return Finding(unknown(f"{name}: theta_0 is not certainly the largest"), domain)
    slowed = rope.largest_frequency(RopeSpec(128, 10000, scaling=Linear(4)))
    if not slowed.upper <= 0.25:
        return Finding(fails("linear scaling", {"largest frequency": slowed}), domain)
    return Finding(holds(f"{len(PRESETS)} presets, 2 sin(1/2) < 0.9589"), domain, len(PRESETS))
