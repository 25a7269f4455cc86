"""A claim of your own: stated, derived, and attacked like the project's own.

    ropeproof check --module examples/own_claim.py 'own.*'
    pytest --ropeproof-module examples/own_claim.py

The claim: two steps change a logit by at most twice as much as one step may.
"""

from __future__ import annotations

import sympy as sp

from ropeproof.theory import Claim, Derivation, Hypothesis, Mutant, Source, Step
from ropeproof.theory.language.derivation import by_claim, smt
from ropeproof.theory.language.logic import every, le
from ropeproof.theory.language.notation import amplitude, cosine_logit, l, m, over_planes, t, theta

change = sp.Abs(cosine_logit(t + 2) - cosine_logit(t))
bound = over_planes(amplitude(l) * theta(l))
names = ("amplitudes are not negative", "frequencies are not negative")


def step(lag, label):
    return Step(
        label,
        le(sp.Abs(cosine_logit(lag + 1) - cosine_logit(lag)), bound),
        by_claim("rope.lipschitz", {t: lag}),
        "One step changes the logit by at most sum A theta.",
        names,
    )


CLAIMS = (
    Claim(
        id="own.two-steps",
        title="Two steps change a logit by at most twice the Lipschitz bound",
        statement=r"$|w(t+2)-w(t)|\le2\sum_lA_l\theta_l$ for $A_l,\theta_l\ge0$.",
        source=Source("my notebook"),
        needs=frozenset("PTX"),
        hypotheses=(
            Hypothesis(names[0], every(l, 0, m - 1, le(0, amplitude(l)))),
            Hypothesis(names[1], every(l, 0, m - 1, le(0, theta(l)))),
        ),
        conclusion=le(change, 2 * bound),
        derivation=Derivation(
            (
                step(t, "first step"),
                step(t + 1, "second step"),
                Step(
                    "both",
                    le(change, 2 * bound),
                    smt(),
                    "Add the two changes: the triangle inequality on the line.",
                    ("first step", "second step"),
                ),
            )
        ),
        uses=("rope.lipschitz",),
        mutants=(
            Mutant("as little as one step", le(change, bound)),
            Mutant("sign flipped", le(2 * bound, change)),
        ),
    ),
)
