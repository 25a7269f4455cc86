"""Evidence for the base criterion: first negative lags in ball arithmetic, and by float64 sums."""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import arb
from hypothesis import strategies as st

from ropeproof.numerics.bounds.rope.base_criterion import first_negative_lag
from ropeproof.numerics.core.spec import frequencies_ball, frequencies_float64
from ropeproof.numerics.strategies import specs
from ropeproof.proofs_check.evidence import Finding, certify, drawing, evidence
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.theory.topics.rope.decay import base_criterion
from ropeproof.theory.topics.rope.decay.base_criterion import LENGTH

__all__: list[str] = []

_BITS = 256
_BASES = (*base_criterion.FIRST, base_criterion.SMALL_BASE, base_criterion.LARGE_BASE)
_LAGS = sorted(
    {LENGTH, *(lag + off for lag in base_criterion.FIRST.values() for off in (-1, 0, 1))}
)


@certify.decision("rope.base-criterion", "head dimension 128, every lag up to 144661")
def first_lags(formula: Any) -> bool | None:
    """Whether each part of the formula holds, with its base and lag read from the formula."""
    return certify.both(_part(part) for part in formula.args)


def _part(part: Any) -> bool | None:
    for base in _BASES:
        for lag in _LAGS:
            if part in (
                base_criterion.none_before(base, lag),
                base_criterion.some_before(base, lag),
            ):
                found = first_negative_lag(RopeSpec(2 * base_criterion.PLANES, base), below=lag)
                return bool((found is None) == (part == base_criterion.none_before(base, lag)))
            if part == base_criterion.negative(base, lag):
                return _is_negative(base, lag)
    return None


def _is_negative(base: int, lag: int) -> bool | None:
    """Whether the sum of cosines at one lag is negative, in ball arithmetic; None if uncertain."""
    with precision(_BITS):
        total = arb(0)
        for frequency in frequencies_ball(RopeSpec(2 * base_criterion.PLANES, base), bits=_BITS):
            total += (frequency * lag).cos()
        if total < 0:
            return True
        return False if total >= 0 else None


@st.composite
def _drawn(draw: st.DrawFn) -> tuple[RopeSpec, int]:
    return draw(specs(least_planes=1, most_planes=16)), draw(st.integers(1, 5000))


@evidence("rope.base-criterion", "property", "drawn specs, lag by lag")
def lag_by_lag(how: Profile) -> Finding:
    """The first negative lag agrees with float64 sums of the cosines at every lag."""

    def check(case: tuple[RopeSpec, int]) -> None:
        spec, below = case
        found = first_negative_lag(spec, below=below)
        shown = {"spec": spec, "below": below, "found": found}
        lags, angles = np.arange(below), frequencies_float64(spec)
        sums = np.cos(np.outer(lags, angles)).sum(1)
        budget = drawing.UNIT * spec.planes * (2 * below + 64)
        before = sums if found is None else sums[:found]
        drawing.require((before >= -budget).all(), "a negative sum before it", **shown)
        drawing.require(found is None or sums[found] < budget, "not negative", **shown)

    return drawing.draw_cases(how, _drawn(), check, domain="up to 16 planes, lags below 5000")
