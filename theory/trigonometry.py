"""Elementary inequalities of sine and cosine, proved from the derivative."""

from __future__ import annotations

import sympy as sp

from theory.claim import Claim, Hypothesis, Mutant, Source
from theory.derivation import Derivation, Step, mean_value, smt
from theory.logic import Both, le, real

__all__ = ["CLAIMS"]

_TEXTBOOK = Source("textbook", "elementary calculus", "own")
x = real("x")


def _sine_below_identity() -> Claim:
    goal = Both(le(sp.sin(x), x), le(-x, sp.sin(x)))
    return Claim(
        id="trig.sine-below-identity",
        title="The sine of a non-negative angle lies between plus and minus the angle",
        statement=r"$|\sin x|\le x$ for $x\ge0$.",
        source=_TEXTBOOK,
        needs=frozenset("PX"),
        hypotheses=(Hypothesis("x is not negative", le(0, x)),),
        conclusion=goal,
        derivation=Derivation(
            (
                Step("at 0", le(0, 0 - sp.sin(sp.Integer(0))), smt(), "Both sides vanish at 0."),
                Step("slope", le(0, 1 - sp.cos(x)), smt(), "The cosine is at most 1."),
                Step(
                    "above",
                    le(sp.sin(x), x),
                    mean_value(x, 0),
                    "x - sin x starts at 0 and does not fall.",
                    ("at 0", "slope", "x is not negative"),
                ),
                Step("slope below", le(0, sp.cos(x) + 1), smt(), "The cosine is at least -1."),
                Step(
                    "below",
                    le(-x, sp.sin(x)),
                    mean_value(x, 0),
                    "sin x + x starts at 0 and does not fall.",
                    ("at 0", "slope below", "x is not negative"),
                ),
                Step("both", goal, smt(), "The two bounds together.", ("above", "below")),
            )
        ),
        mutants=(
            Mutant("constant 0.99", le(sp.sin(x), sp.Rational(99, 100) * x)),
            Mutant("sign flipped", le(x, sp.sin(x))),
        ),
    )


CLAIMS = (_sine_below_identity(),)
