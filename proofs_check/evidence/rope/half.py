"""Evidence for the share of lags at which a difference of logits is positive, and for mean logits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.numerics.strategies import distributions, phases, specs
from ropeproof.proofs_check.evidence import Finding, drawing, evidence
from ropeproof.proofs_check.kernel.outcome import fails, holds
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary.spec import RopeSpec

__all__: list[str] = []

Floats = NDArray[np.float64]
_PLANES = (0, 4, 8, 12, 16, 20, 24, 28)
"""Planes of base 500000 and head dimension 128; all 64 angles are independent there."""


def share_above(
    amplitudes: Floats, turned: Floats, theta: Floats, lags: int, threshold: float = 0.0
) -> float:
    """The share of lags `0 <= t < lags` with `sum_l C_l cos(theta_l t + x_l) > threshold`.

    `amplitudes`, `turned` (radians) and `theta` (radians a lag) are `(planes,)`; in float64.
    """
    count, step = 0, 1 << 18
    for first in range(0, lags, step):
        places = np.arange(first, min(first + step, lags), dtype=np.float64)
        values = np.zeros(len(places))
        for size, phase, rate in zip(amplitudes, turned, theta, strict=True):
            values += size * np.cos(rate * places + phase)
        count += int((values > threshold).sum())
    return count / lags


@evidence("rope.half", "property", "shares of positive lags, for angles independent or not")
def half(how: Profile) -> Finding:
    """Eight independent planes have shares near one half; planes with an odd relation have not.

    The contrast is `cos u + cos 2u`, positive on a third of the circle, and with phase pi/2 on a half;
    and the planes 0 and 16 of base 10000 with the amplitudes .3 and 1, as `10 theta_16 = theta_0`.
    """
    lags = 1 << 18 if how.name == "quick" else 1 << 22
    theta = frequencies_float64(RopeSpec(128, 500_000))[list(_PLANES)]
    draw, found = np.random.default_rng(0), []
    for _ in range(4):
        sizes, turned = draw.exponential(size=8), draw.uniform(0, 2 * np.pi, 8)
        found.append(share_above(sizes, turned, theta, lags))
        found.append(share_above(-sizes, turned, theta, lags))
    domain = f"base 500000, 8 planes, {lags} lags; and three relations"
    slack = (
        0.01 if how.name == "quick" else 0.005
    )  # the slowest plane turns 130 times in the short run
    if not all(abs(one - 0.5) <= slack for one in found):
        return Finding(fails("a share away from one half", {"shares": found}), domain, len(found))
    whole = np.array([1.0, 2.0])
    one = np.ones(2)
    third = share_above(one, np.zeros(2), whole, lags)
    even = share_above(one, np.array([0.0, np.pi / 2]), whole, lags)
    ten = frequencies_float64(RopeSpec(128, 10_000))[[0, 16]]
    odd = share_above(np.array([0.3, 1.0]), np.zeros(2), ten, lags)
    for name, value, wanted in (("third", third, 1 / 3), ("even", even, 0.5), ("odd", odd, 0.476)):
        if not abs(value - wanted) <= 2e-3:
            return Finding(fails(f"{name}: not {wanted}", {"share": value}), domain, len(found))
    text = f"{min(found):.4f} to {max(found):.4f}; {third:.4f}, {even:.4f}, {odd:.4f}"
    return Finding(holds(text), domain, len(found) + 3)


@dataclass(frozen=True)
class Drawn(drawing.DrawnCase):
    """Queries and keys, `(outcomes, planes)` complex, their probabilities, and a lag."""

    spec: RopeSpec
    queries: Floats
    keys: Floats
    of_queries: Floats
    of_keys: Floats
    lag: int


@st.composite
def _drawn(draw: st.DrawFn) -> Drawn:
    spec = draw(specs(most_planes=4))
    sides = []
    for _ in range(2):
        count = draw(st.integers(1, 4))
        angles = np.stack([draw(phases(planes=spec.planes)) for _ in range(count)])
        radii = np.arange(1, count + 1)[:, np.newaxis]
        sides.append((radii * np.exp(1j * angles), draw(distributions(keys=count))))
    (queries, one), (keys, other) = sides
    return Drawn(spec, queries, keys, one, other, draw(st.integers(-64, 64)))


@evidence("rope.mean-bias", "property", "drawn queries and keys, independent of each other")
def mean_bias(how: Profile) -> Finding:
    """The mean logit over all pairs is the logit of the two means."""

    def check(case: Drawn) -> None:
        turned = np.exp(1j * frequencies_float64(case.spec) * case.lag)
        logits = ((case.queries * turned) @ case.keys.conj().T).real
        mean = float(case.of_queries @ logits @ case.of_keys)
        ends = (case.of_queries @ case.queries) * (case.of_keys @ case.keys).conj() * turned
        budget = drawing.UNIT * 64 * (1 + np.abs(logits).max()) * case.spec.planes
        drawing.require(abs(mean - float(ends.sum().real)) <= budget, "the mean", **case.shown)

    return drawing.draw_cases(how, _drawn(), check, domain="up to 4 planes, 4 queries, 4 keys")
