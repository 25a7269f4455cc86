"""How fast a logit can change with the lag."""

from __future__ import annotations

from typing import Any

import sympy as sp

from ropeproof.theory.claim import Claim, Hypothesis, Mutant, Source
from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    identity,
    instance,
    smt,
    termwise,
)
from ropeproof.theory.logic import Both, eq, every, le, real
from ropeproof.theory.notation import (
    amplitude,
    cosine_logit,
    l,
    m,
    over_planes,
    phase,
    t,
    theta,
)

__all__ = ["CLAIMS", "NOT_NEGATIVE", "change"]

OWN = Source("ropeproof", "", "own")

x = real("x")

_INSIDE = (le(0, l), le(l, m - 1))


NOT_NEGATIVE = Hypothesis("amplitudes are not negative", every(l, 0, m - 1, le(0, amplitude(l))))


def change() -> Any:
    """w(t+1) - w(t)."""
    return cosine_logit(t + 1) - cosine_logit(t)


def _lipschitz() -> Claim:
    sine = sp.Abs(sp.sin(theta(l) / 2))
    by_sine, by_angle = over_planes(2 * amplitude(l) * sine), over_planes(amplitude(l) * theta(l))
    step_term = amplitude(l) * (
        sp.cos(theta(l) * (t + 1) + phase(l)) - sp.cos(theta(l) * t + phase(l))
    )
    middle = theta(l) * t + phase(l) + theta(l) / 2
    goal = Both(le(sp.Abs(change()), by_sine), le(by_sine, by_angle))
    return Claim(
        id="rope.lipschitz",
        title="A unit step changes the logit by at most the sum of A_l theta_l",
        statement=(
            r"$|w(t+1)-w(t)|\le2\sum_lA_l|\sin(\theta_l/2)|\le\sum_lA_l\theta_l$ for $A_l,\theta_l\ge0$."
        ),
        source=OWN,
        needs=frozenset("PTX"),
        hypotheses=(
            NOT_NEGATIVE,
            Hypothesis("frequencies are not negative", every(l, 0, m - 1, le(0, theta(l)))),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "amplitude",
                    le(0, amplitude(l)),
                    instance({l: l}),
                    "Amplitudes are not negative.",
                    ("amplitudes are not negative",),
                    _INSIDE,
                ),
                Step(
                    "product",
                    eq(step_term, -2 * amplitude(l) * sp.sin(middle) * sp.sin(theta(l) / 2)),
                    identity(),
                    "A difference of cosines is a product of sines.",
                ),
                Step(
                    "sines",
                    Both(
                        le(sp.sin(middle) * sp.sin(theta(l) / 2), sine),
                        le(-sine, sp.sin(middle) * sp.sin(theta(l) / 2)),
                    ),
                    smt(),
                    "The first sine is at most 1 in size.",
                ),
                Step(
                    "above",
                    le(step_term, 2 * amplitude(l) * sine),
                    smt(),
                    "So a plane's change is at most 2 A |sin(theta/2)|",
                    ("product", "sines", "amplitude"),
                    _INSIDE,
                ),
                Step(
                    "below",
                    le(-2 * amplitude(l) * sine, step_term),
                    smt(),
                    "in either direction.",
                    ("product", "sines", "amplitude"),
                    _INSIDE,
                ),
                Step(
                    "sum above", le(over_planes(step_term), by_sine), termwise(), "Sum", ("above",)
                ),
                Step(
                    "sum below",
                    le(over_planes(-2 * amplitude(l) * sine), over_planes(step_term)),
                    termwise(),
                    "over the planes.",
                    ("below",),
                ),
                Step(
                    "linear",
                    eq(change(), over_planes(step_term)),
                    identity(),
                    "The logit's change is the sum of the planes' changes.",
                ),
                Step(
                    "first",
                    le(sp.Abs(change()), by_sine),
                    smt(),
                    "That is the first bound.",
                    ("linear", "sum above", "sum below"),
                ),
                Step(
                    "frequency",
                    le(0, theta(l)),
                    instance({l: l}),
                    "Frequencies are not negative,",
                    ("frequencies are not negative",),
                    _INSIDE,
                ),
                Step(
                    "half", le(0, theta(l) / 2), smt(), "nor half of them,", ("frequency",), _INSIDE
                ),
                Step(
                    "sine of half",
                    Both(
                        le(sp.sin(theta(l) / 2), theta(l) / 2),
                        le(-theta(l) / 2, sp.sin(theta(l) / 2)),
                    ),
                    by_claim("trig.sine-below-identity", {x: theta(l) / 2}),
                    "and a sine is at most its angle.",
                    ("half",),
                    _INSIDE,
                ),
                Step(
                    "plane",
                    le(2 * amplitude(l) * sine, amplitude(l) * theta(l)),
                    smt(),
                    "So 2 A |sin(theta/2)| <= A theta,",
                    ("sine of half", "amplitude"),
                    _INSIDE,
                ),
                Step("second", le(by_sine, by_angle), termwise(), "summed.", ("plane",)),
                Step("together", goal, smt(), "Both bounds.", ("first", "second")),
            )
        ),
        uses=("trig.sine-below-identity",),
        mutants=(
            Mutant("half the bound", le(sp.Abs(change()), by_sine / 2)),
            Mutant("second bound halved", le(by_sine, by_angle / 2)),
            Mutant("reversed", le(by_angle, by_sine)),
        ),
    )


CLAIMS = (_lipschitz(),)
