"""A slash needs amplitude."""

from __future__ import annotations

import sympy as sp

from ropeproof.theory.claim import Claim, Hypothesis, Mutant
from ropeproof.theory.derivation import (
    Derivation,
    Step,
    ball,
    by_claim,
    identity,
    instance,
    smt,
    termwise,
)
from ropeproof.theory.exponential import log_at_least, monotone
from ropeproof.theory.logic import Both, eq, every, le, lt
from ropeproof.theory.notation import amplitude, cosine_logit, i, j, l, m, over_planes, phase, theta
from ropeproof.theory.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.slash.ceiling.common import (
    INSIDE,
    _amplitude_step,
    ceiling,
    energy,
    kappa,
    total,
)
from ropeproof.theory.slash.row import (
    OWN,
    offset,
    side,
    weight,
    x,
    y,
)

__all__ = ["CLAIMS", "SLASH_AMPLITUDE_NEEDED"]


def _amplitude_needed() -> Claim:
    gain = 1 - sp.cos(sp.Integer(1), evaluate=False)
    odds = 2 * kappa / (1 - kappa)
    goal = le(sp.log(odds) / gain, total())
    one = ceiling(1)
    first = sp.exp(-energy(1))
    top = le(theta(l), 1)
    return Claim(
        id="slash.amplitude-needed",
        title="A slash needs amplitude",
        statement=(
            r"If the row has a lag on each side of the target and $0\le\theta_l\le1$, then "
            r"$S_{i,i-\Delta}\ge\kappa$ forces $A\ge\ln\frac{2\kappa}{1-\kappa}/(1-\cos1)$."
        ),
        source=OWN,
        needs=frozenset("PCX"),
        hypotheses=(
            Hypothesis(
                "a lag on each side",
                Both(le(1, offset), le(1, i - 1 - offset)),
                without=(eq(m, 1), eq(offset, 0), eq(i, 1), eq(kappa, sp.Rational(9, 10))),
            ),
            NOT_NEGATIVE,
            Hypothesis(
                "frequencies lie between 0 and 1",
                every(l, 0, m - 1, Both(le(0, theta(l)), top)),
                without=(
                    eq(m, 1),
                    eq(offset, 1),
                    eq(i, 3),
                    every(l, 0, 0, eq(theta(l), 3)),
                    every(l, 0, 0, eq(phase(l), -3)),
                    every(l, 0, 0, eq(amplitude(l), 2)),
                    eq(kappa, sp.Rational(9, 10)),
                ),
            ),
            Hypothesis(
                "the score is positive",
                lt(0, kappa),
                idle="otherwise the odds are not positive, and the logarithm of such a number is 0 "
                "by convention",
            ),
            Hypothesis(
                "the score is below 1",
                lt(kappa, 1),
                idle="a weight is at most 1, so only kappa = 1 is new, which no weight reaches",
            ),
            Hypothesis("the weight reaches the score", le(kappa, weight(cosine_logit))),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                _amplitude_step(),
                Step(
                    "frequency",
                    Both(le(0, theta(l)), le(theta(l), 1)),
                    instance({l: l}),
                    "Frequencies lie between 0 and 1,",
                    ("frequencies lie between 0 and 1",),
                    INSIDE,
                ),
                Step(
                    "cosine",
                    le(sp.cos(sp.Integer(1), evaluate=False), sp.cos(theta(l))),
                    by_claim("trig.cosine-decreasing", {x: theta(l), y: 1}),
                    "so their cosines are at least cos 1,",
                    ("frequency",),
                    INSIDE,
                ),
                Step(
                    "plane",
                    le(amplitude(l) * (1 - sp.cos(theta(l) * 1)), amplitude(l) * gain),
                    smt(),
                    "and a plane falls by at most A_l (1 - cos 1) at distance 1.",
                    ("cosine", "amplitude"),
                    INSIDE,
                ),
                Step(
                    "planes",
                    le(energy(1), over_planes(amplitude(l) * gain)),
                    termwise(),
                    "Sum:",
                    ("plane",),
                ),
                Step(
                    "factor",
                    eq(over_planes(amplitude(l) * gain), total() * gain),
                    identity(),
                    "at most A (1 - cos 1).",
                ),
                Step(
                    "ceiling",
                    le(weight(cosine_logit), one),
                    by_claim("slash.ceiling", {side: 1}),
                    "The ceiling with one lag on each side",
                    ("a lag on each side", NOT_NEGATIVE.name),
                ),
                Step(
                    "one term",
                    eq(sp.Sum(sp.exp(-energy(j)), (j, 1, 1)), first),
                    identity(),
                    "is 1/(1 + 2 exp(-E_1)).",
                ),
                Step("positive", lt(0, first), smt(), "E_1 is finite."),
                Step(
                    "odds",
                    le(odds * first, 1),
                    smt(),
                    "So kappa (1 + 2 exp(-E_1)) <= 1.",
                    (
                        "ceiling",
                        "one term",
                        "positive",
                        "the weight reaches the score",
                        "the score is below 1",
                    ),
                ),
                Step(
                    "smaller",
                    le(sp.exp(-(total() * gain)), first),
                    monotone(-(total() * gain), -energy(1)),
                    "exp(-A (1 - cos 1)) is smaller still,",
                    ("planes", "factor"),
                ),
                Step(
                    "exponential",
                    le(odds, sp.exp(total() * gain)),
                    smt(),
                    "so the odds are at most exp(A (1 - cos 1)).",
                    ("odds", "smaller", "the score is positive", "the score is below 1"),
                ),
                Step(
                    "odds are positive",
                    lt(0, odds),
                    smt(),
                    "They are positive:",
                    ("the score is positive", "the score is below 1"),
                ),
                Step(
                    "logarithm",
                    le(sp.log(odds), sp.log(sp.exp(total() * gain), evaluate=False)),
                    log_at_least(odds, sp.exp(total() * gain)),
                    "take logarithms.",
                    ("exponential", "odds are positive"),
                ),
                Step(
                    "undo",
                    eq(sp.log(sp.exp(total() * gain), evaluate=False), total() * gain),
                    identity(),
                    "log undoes exp.",
                ),
                Step(
                    "gain at most",
                    lt(sp.cos(sp.Integer(1), evaluate=False), sp.Rational(6, 10)),
                    ball(),
                    "1 - cos 1 is positive.",
                ),
                Step("divide", goal, smt(), "Divide.", ("logarithm", "undo", "gain at most")),
            )
        ),
        uses=("slash.ceiling", "trig.cosine-decreasing", "exp.monotone", "exp.log-monotone"),
        mutants=(
            Mutant(
                "a tenth more",
                le(sp.Rational(11, 10) * sp.log(odds) / gain, total()),
                at=(
                    eq(m, 1),
                    eq(offset, 1),
                    eq(i, 3),
                    every(l, 0, 0, eq(theta(l), 1)),
                    every(l, 0, 0, eq(phase(l), -1)),
                    every(l, 0, 0, eq(amplitude(l), 6)),
                    eq(kappa, sp.Rational(88, 100)),
                ),
            ),
            Mutant(
                "one-sided odds",
                le(sp.log(2 * odds) / gain, total()),
                at=(
                    eq(m, 1),
                    eq(offset, 1),
                    eq(i, 3),
                    every(l, 0, 0, eq(theta(l), 1)),
                    every(l, 0, 0, eq(phase(l), -1)),
                    every(l, 0, 0, eq(amplitude(l), 6)),
                    eq(kappa, sp.Rational(88, 100)),
                ),
            ),
        ),
    )


SLASH_AMPLITUDE_NEEDED = _amplitude_needed()

CLAIMS = (SLASH_AMPLITUDE_NEEDED,)
