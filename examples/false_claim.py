"""A plausible claim that is false: refused by the kernel, refuted with a witness.

    ropeproof check --module examples/false_claim.py 'own.*'

It says that two steps change a logit no more than one step may. The last step of the
derivation does not follow, and an instance shows that the statement is false. Exit code 1.
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

CLAIMS = (
    Claim(
        id="own.false",
        title="Two steps change a logit no more than one (false)",
        statement=r"$|w(t+2)-w(t)|\le\sum_lA_l\theta_l$ for $A_l,\theta_l\ge0$.",
        source=Source("my notebook"),
        needs=frozenset("PTX"),
        hypotheses=(
            Hypothesis(names[0], every(l, 0, m - 1, le(0, amplitude(l)))),
            Hypothesis(names[1], every(l, 0, m - 1, le(0, theta(l)))),
        ),
        conclusion=le(change, bound),
        derivation=Derivation(
            (
                Step(
                    "one step",
                    le(sp.Abs(cosine_logit(t + 1) - cosine_logit(t)), bound),
                    by_claim("rope.lipschitz"),
                    "One step changes the logit by at most sum A theta.",
                    names,
                ),
                Step(
                    "hence two",
                    le(change, bound),
                    smt(),
                    "The second step comes back half way.",
                    ("one step",),
                ),
            )
        ),
        uses=("rope.lipschitz",),
        mutants=(Mutant("half", le(change, bound / 2)),),
    ),
)
