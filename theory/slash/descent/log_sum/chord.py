"""The exponential lies below its chords."""

from ropeproof.theory.derivation import Derivation, Step, by_claim, identity, mean_value, smt
from ropeproof.theory.language import *
from ropeproof.theory.slash.descent.log_sum.common import b, share, u, x, y


def _chord() -> Claim:
    middle = share * x + (1 - share) * y
    goal = le(sp.exp(middle), share * sp.exp(x) + (1 - share) * sp.exp(y))
    return Claim(
        id="exp.chord",
        title="The exponential lies below its chords",
        statement=r"$e^{\lambda x+(1-\lambda)y}\le\lambda e^x+(1-\lambda)e^y$ for $0\le\lambda\le1$.",
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis("the share is not negative", le(0, share)),
            Hypothesis("the share is at most 1", le(share, 1)),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                *(
                    step
                    for name, end in (("x", x), ("y", y))
                    for step in (
                        Step(
                            f"tangent {name}",
                            le(1 + (end - middle), sp.exp(end - middle)),
                            by_claim("exp.above-tangent", {x: end - middle}),
                            "The exponential lies above its tangent at the middle,",
                        ),
                        Step(
                            f"scaled {name}",
                            eq(sp.exp(end), sp.exp(middle) * sp.exp(end - middle, evaluate=False)),
                            identity(),
                            "scaled,",
                        ),
                    )
                ),
                Step("positive", lt(0, sp.exp(middle)), smt(), "by a positive factor,"),
                Step(
                    "at x",
                    le(sp.exp(middle) * (1 + (x - middle)), sp.exp(x)),
                    smt(),
                    "at one end",
                    ("tangent x", "scaled x", "positive"),
                ),
                Step(
                    "at y",
                    le(sp.exp(middle) * (1 + (y - middle)), sp.exp(y)),
                    smt(),
                    "and the other.",
                    ("tangent y", "scaled y", "positive"),
                ),
                Step(
                    "weighted x",
                    le(share * (sp.exp(middle) * (1 + (x - middle))), share * sp.exp(x)),
                    smt(),
                    "Weight the one",
                    ("at x", "the share is not negative"),
                ),
                Step(
                    "weighted y",
                    le(
                        (1 - share) * (sp.exp(middle) * (1 + (y - middle))), (1 - share) * sp.exp(y)
                    ),
                    smt(),
                    "and the other:",
                    ("at y", "the share is at most 1"),
                ),
                Step(
                    "cancel",
                    eq(
                        share * (sp.exp(middle) * (1 + (x - middle)))
                        + (1 - share) * (sp.exp(middle) * (1 + (y - middle))),
                        sp.exp(middle),
                    ),
                    identity(),
                    "the slopes cancel.",
                ),
                Step(
                    "bound",
                    goal,
                    smt(),
                    "That is the chord.",
                    ("weighted x", "weighted y", "cancel"),
                ),
            )
        ),
        uses=("exp.above-tangent",),
        mutants=(
            Mutant("reversed", le(share * sp.exp(x) + (1 - share) * sp.exp(y), sp.exp(middle))),
            Mutant("without the second end", le(sp.exp(middle), share * sp.exp(x))),
        ),
    )


def _hoeffding() -> Claim:
    even = ((1 + u) * sp.exp(b) + (1 - u) * sp.exp(-b)) / 2
    odd = ((1 + u) * sp.exp(b) - (1 - u) * sp.exp(-b)) / 2
    goal = le(sp.log(even), u * b + b**2 / 2)
    right = (le(0, b),)
    names = ("u is at least -1", "u is at most 1")
    return Claim(
        id="exp.hoeffding",
        title="Hoeffding's lemma, in one variable",
        statement=r"$\ln(\cosh b+u\sinh b)\le ub+b^2/2$ for $|u|\le1$, $b\ge0$.",
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                "u is at least -1", le(-1, u), without=(eq(u, -2), eq(b, sp.Rational(54, 100)))
            ),
            Hypothesis(
                "u is at most 1",
                le(u, 1),
                idle="the proof needs it, but beyond 1 the left side grows even less",
            ),
            Hypothesis(
                "b is not negative",
                le(0, b),
                idle="both sides are unchanged under (b, u) -> (-b, -u)",
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step("up", lt(0, sp.exp(b)), smt(), "Exponentials are positive,"),
                Step("down", lt(0, sp.exp(-b)), smt(), "both of them,"),
                Step(
                    "positive",
                    lt(0, even),
                    smt(),
                    "so the mean is positive.",
                    ("up", "down", *names),
                ),
                Step("ratio at 0", le(0, u + 0 - u), smt(), "At b = 0 the ratio of slopes is u;"),
                Step(
                    "ratio slope",
                    le(0, odd**2 / even**2),
                    smt(),
                    "b + u minus it has a square as slope,",
                    ("positive",),
                ),
                Step(
                    "ratio",
                    le(odd / even, u + b),
                    mean_value(b, 0),
                    "so the ratio stays below u + b.",
                    ("ratio at 0", "ratio slope", *names),
                    right,
                ),
                Step(
                    "slope",
                    le(0, u + b - odd / even),
                    smt(),
                    "That is the slope of the difference,",
                    ("ratio",),
                    right,
                ),
                Step(
                    "at 0",
                    le(0, -sp.log(sp.Integer(1), evaluate=False)),
                    smt(),
                    "which starts at 0.",
                ),
                Step(
                    "bound",
                    goal,
                    mean_value(b, 0),
                    "So it is never negative.",
                    ("at 0", "slope", "b is not negative", *names),
                ),
            )
        ),
        mutants=(
            Mutant("a third", le(sp.log(even), u * b + b**2 / 3), at=(eq(u, 0), eq(b, 1))),
            Mutant("no square", le(sp.log(even), u * b)),
        ),
    )


EXP_CHORD = _chord()
EXP_HOEFFDING = _hoeffding()

CLAIMS = (EXP_CHORD, EXP_HOEFFDING)
