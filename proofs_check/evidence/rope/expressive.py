"""Evidence for which logit functions are attainable, and at what amplitude."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.numerics.bounds.rope.expressive import (
    ExpressiveCost,
    amplitude_needed,
    expressive_cost,
    fit,
    fit_cyclic,
)
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.strategies import floats, lags, specs
from ropeproof.proofs_check.evidence import Finding, certify, drawing, evidence
from ropeproof.proofs_check.kernel.outcome import holds, unknown
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.theory.topics.rope.expressive.expressive_cost import PRICES, price

__all__: list[str] = []

Floats = NDArray[np.float64]


@st.composite
def _targets(draw: st.DrawFn) -> tuple[RopeSpec, Floats, int]:
    spec = draw(specs(most_planes=5, partial=False, scaling=False))
    values = draw(st.lists(floats(), min_size=spec.head_dim, max_size=spec.head_dim))
    return spec, np.array(values), draw(lags(least=-64, most=4096))


@evidence("rope.expressive", "property", "targets on 2m lags and on a cycle")
def expressive(how: Profile) -> Finding:
    """The fitted head has every drawn list of values as its logits at consecutive lags, in balls.

    The coefficients do not depend on the window of lags that is fitted. Every function on a cycle of lags is
    reached by the harmonics of the cycle.
    """

    def check(case: tuple[RopeSpec, Floats, int]) -> None:
        spec, values, first = case
        found = fit(spec, values, first=first)
        for place, value in enumerate(values.tolist()):
            enclosed = found(first + place)
            drawing.require(
                Fraction(value) in enclosed and enclosed.width <= 1e-9,
                "the target is not reached",
                spec=spec,
                values=values,
                first=first,
            )
        # Uniqueness: zero is reached by zero only, and a second window has the same amplitude.
        none = fit(spec, np.zeros_like(values)).amplitude()
        drawing.require(none.upper <= 1e-9, "zero has other coefficients", spec=spec)
        here, there = found.amplitude(), fit(spec, values).amplitude()
        meet = here.lower <= there.upper and there.lower <= here.upper
        drawing.require(
            meet, "the amplitude depends on the window", spec=spec, values=values, first=first
        )
        cosine, sine = fit_cyclic(values)
        length = len(values)
        turns = 2 * np.pi * np.outer(np.arange(length), np.arange(len(cosine))) / length
        reached = np.cos(turns) @ cosine + np.sin(turns) @ sine
        budget = drawing.UNIT * 64 * length * (1 + np.abs(values).sum())
        drawing.within(reached, values, budget, "the cycle is not reached", values=values)

    domain = "1 to 5 planes, no scaling, values in [-8, 8], windows from lag -64 to 4096"
    return drawing.draw_cases(how, _targets(), check, domain=domain)


@lru_cache
def _found(dim: int, *, exhaustive: bool) -> tuple[ExpressiveCost, Enclosure]:
    """The largest amplitude that any target needs, and the amplitude of the alternating target."""
    spec = RopeSpec(dim, 10000)
    alternating = [(-1) ** lag for lag in range(dim)]
    return expressive_cost(spec, exhaustive=exhaustive), amplitude_needed(spec, alternating)


@evidence("rope.expressive-cost", "certified", "the worst target's amplitude in balls")
def cost(how: Profile) -> Finding:
    """The certified largest amplitude lies between the claim's numbers at d = 8, 16 and 32.

    At d = 8 all 256 targets are tried; beyond, the certified amplitude of one target bounds it
    from below and the rows of the inverse from above. `deep` tries all 65536 targets at d = 16.
    """
    domain = "base 10000, head dimensions 8, 16, 32, all targets of +-1"
    parts, cases = [], 0
    for dim, (low, high) in PRICES.items():
        found, _ = _found(dim, exhaustive=dim == 8 or (dim == 16 and how.fresh))
        cases += 2**dim if found.exhaustive else 1
        within_claim = int(low) <= found.lower and found.upper <= int(high)
        if not within_claim or (dim == 8 and not found.exhaustive):
            return Finding(unknown(f"d = {dim}: [{found.lower}, {found.upper}]"), domain, cases)
        parts.append(f"d={dim}: [{found.lower:.9e}, {found.upper:.9e}]")
    return Finding(holds("; ".join(parts)), domain, cases)


@certify.decision("rope.expressive-cost", "head dimensions 8, 16, 32, all targets of +-1")
def priced(formula: Any) -> bool | None:
    """Whether each `price` in the formula, a claim on the amplitude that a target needs, is true.

    The dimension and both numbers are read from the formula, and compared with the amplitudes in balls.
    """
    return certify.both(_priced(part) for part in formula.args)


def _priced(part: Any) -> bool | None:
    _, bounds = part.args[1].args
    high, low = bounds.args[0].rhs, bounds.args[1].args[1].lhs
    dim = next((dim for dim in PRICES if price(dim, low, high) == part), None)
    if dim is None:
        return None
    found, alternating = _found(dim, exhaustive=dim == 8)
    most, least = Fraction(int(high)), Fraction(int(low))
    enough = True if found.upper <= most else False if found.lower > most else None
    needed = True if alternating.lower >= least else False if alternating.upper < least else None
    return certify.both((enough, needed))
