"""A logit with slope lambda gives at most tanh(lambda/2) on long two-sided rows."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    identity,
    instance,
    rewrite,
    smt,
    termwise,
)
from ropeproof.theory.exponential import monotone
from ropeproof.theory.language import *
from ropeproof.theory.notation import amplitude, cosine_logit, i, j, l, m, over_planes, phase, theta
from ropeproof.theory.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.slash.ceiling import INSIDE
from ropeproof.theory.slash.row import OFFSET, normaliser, offset, weight, x, y
from ropeproof.theory.slash.slow.common import rate


def slope() -> Any:
    """lambda = sum_l A_l theta_l."""
    return over_planes(amplitude(l) * theta(l))


def _lipschitz_ceiling() -> Claim:
    distance = sp.Abs(j - offset)
    bound = sp.Sum(sp.exp(-slope() * distance), (j, 0, i - 1))
    first = le(weight(cosine_logit), 1 / bound)
    decay = sp.exp(-slope())
    limit = (1 - decay) / (1 + decay)
    rest = 2 * sp.exp(-slope() * (offset + 1)) / (1 + decay)
    two_sided = le(weight(cosine_logit) * (1 - rest), limit)
    length = eq(i, 2 * offset + 1)
    goal = Both(first, If(length, two_sided))
    there = sp.cos(theta(l) * offset + phase(l)) - sp.cos(theta(l) * j + phase(l))
    gap = theta(l) * offset + phase(l) - (theta(l) * j + phase(l))
    per_plane = amplitude(l) * there
    weighted = amplitude(l) * theta(l) * distance
    floor = sp.exp(cosine_logit(offset)) * sp.exp(-slope() * distance)
    return Claim(
        id="slash.lipschitz-ceiling",
        title="A logit with slope lambda gives at most tanh(lambda/2) on long two-sided rows",
        statement=(
            r"With $\lambda=\sum_lA_l\theta_l$: "
            r"$S_{i,i-\Delta}\le\big[\sum_{0\le t<i}e^{-\lambda|t-\Delta|}\big]^{-1}$. On the two-sided "
            r"row $i=2\Delta+1$ that is at most $\tanh(\lambda/2)/(1-r)$, "
            r"$r=2e^{-\lambda(\Delta+1)}/(1+e^{-\lambda})$, so it tends to $\tanh(\lambda/2)$."
        ),
        needs=frozenset("PTX"),
        hypotheses=(
            Hypothesis(
                OFFSET.name,
                OFFSET.formula,
                idle="a target outside the row obeys the same inequality; no row of it has length 2 "
                "Delta + 1 unless it is empty",
            ),
            NOT_NEGATIVE,
            Hypothesis(
                "frequencies are not negative",
                every(l, 0, m - 1, le(0, theta(l))),
                without=(
                    eq(m, 1),
                    eq(i, 2),
                    eq(offset, 0),
                    every(l, 0, 0, eq(theta(l), -2)),
                    every(l, 0, 0, eq(phase(l), 3)),
                    every(l, 0, 0, eq(amplitude(l), 1)),
                ),
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "amplitude",
                    le(0, amplitude(l)),
                    instance({l: l}),
                    "Amplitudes are not negative.",
                    (NOT_NEGATIVE.name,),
                    INSIDE,
                ),
                Step(
                    "frequency",
                    le(0, theta(l)),
                    instance({l: l}),
                    "Frequencies are not negative.",
                    ("frequencies are not negative",),
                    INSIDE,
                ),
                Step(
                    "cosine",
                    le(there, sp.Abs(gap)),
                    by_claim(
                        "trig.cosine-lipschitz",
                        {x: theta(l) * offset + phase(l), y: theta(l) * j + phase(l)},
                    ),
                    "A cosine changes by no more than its angle,",
                ),
                Step(
                    "angle",
                    eq(gap, theta(l) * (offset - j)),
                    identity(),
                    "which is theta times the distance:",
                ),
                Step(
                    "distance",
                    le(sp.Abs(gap), theta(l) * distance),
                    smt(),
                    "the frequency takes no sign.",
                    ("angle", "frequency"),
                    INSIDE,
                ),
                Step(
                    "plane",
                    le(per_plane, weighted),
                    smt(),
                    "So a plane's logit falls by at most A_l theta_l times the distance,",
                    ("cosine", "distance", "amplitude"),
                    INSIDE,
                ),
                Step(
                    "planes",
                    le(over_planes(per_plane), over_planes(weighted)),
                    termwise(),
                    "summed",
                    ("plane",),
                ),
                Step(
                    "left side",
                    eq(over_planes(per_plane), cosine_logit(offset) - cosine_logit(j)),
                    identity(),
                    "over",
                ),
                Step(
                    "right side",
                    eq(over_planes(weighted), slope() * distance),
                    identity(),
                    "the planes:",
                ),
                Step(
                    "logit",
                    le(cosine_logit(offset) - slope() * distance, cosine_logit(j)),
                    smt(),
                    "no competitor lies lower than lambda times its distance.",
                    ("planes", "left side", "right side"),
                ),
                Step(
                    "exponential",
                    le(sp.exp(cosine_logit(offset) - slope() * distance), sp.exp(cosine_logit(j))),
                    monotone(cosine_logit(offset) - slope() * distance, cosine_logit(j)),
                    "Exponentiate",
                    ("logit",),
                ),
                Step("term", le(floor, sp.exp(cosine_logit(j))), smt(), "that,", ("exponential",)),
                Step(
                    "sum",
                    le(sp.Sum(floor, (j, 0, i - 1)), normaliser(cosine_logit)),
                    termwise(),
                    "and sum over the row.",
                    ("term",),
                ),
                Step(
                    "factor",
                    eq(sp.Sum(floor, (j, 0, i - 1)), sp.exp(cosine_logit(offset)) * bound),
                    identity(),
                    "Take out the target.",
                ),
                Step("decay", lt(0, sp.exp(-slope() * distance)), smt(), "The bound's sum"),
                Step("row", le(0, i - 1), smt(), "over a row", (OFFSET.name,)),
                Step("positive", lt(0, bound), termwise(), "is positive:", ("decay", "row")),
                Step("bound", first, smt(), "divide.", ("sum", "factor", "positive")),
                Step("length", length, smt(), "Let i = 2 Delta + 1.", (), (length,)),
                Step(
                    "closed form",
                    eq(
                        (1 - decay) * sp.Sum(sp.exp(-slope() * distance), (j, 0, 2 * offset)),
                        1 + decay - 2 * sp.exp(-slope() * (offset + 1)),
                    ),
                    by_claim("sums.two-sided-decay", {rate: slope()}),
                    "On the two-sided row the sum has a closed form.",
                    (OFFSET.name,),
                ),
                Step(
                    "same row",
                    eq(bound, sp.Sum(sp.exp(-slope() * distance), (j, 0, 2 * offset))),
                    rewrite(),
                    "It is that row's sum,",
                    ("length",),
                    (length,),
                ),
                Step(
                    "slope term",
                    le(0, amplitude(l) * theta(l)),
                    smt(),
                    "The slope",
                    ("amplitude", "frequency"),
                    INSIDE,
                ),
                Step("slope", le(0, slope()), termwise(), "is not negative,", ("slope term",)),
                Step(
                    "decays",
                    le(decay, sp.exp(sp.Integer(0), evaluate=False)),
                    monotone(-slope(), sp.Integer(0)),
                    "so exp(-lambda) is at most 1.",
                    ("slope",),
                ),
                Step(
                    "product",
                    le(weight(cosine_logit) * bound, 1),
                    smt(),
                    "The bound, multiplied out,",
                    ("bound", "positive"),
                ),
                Step(
                    "cleared",
                    le(weight(cosine_logit) * (1 - decay) * bound, 1 - decay),
                    smt(),
                    "times 1 - exp(-lambda)",
                    ("product", "decays"),
                ),
                Step(
                    "two-sided product",
                    le(
                        weight(cosine_logit) * (1 + decay - 2 * sp.exp(-slope() * (offset + 1))),
                        1 - decay,
                    ),
                    smt(),
                    "is the closed form's,",
                    ("cleared", "same row", "closed form"),
                    (length,),
                ),
                Step("decay positive", lt(0, decay), smt(), "and 1 + exp(-lambda) is positive:"),
                Step(
                    "two-sided",
                    two_sided,
                    smt(),
                    "the bound is tanh(lambda/2)/(1 - r).",
                    ("two-sided product", "decay positive"),
                    (length,),
                ),
                Step("both", goal, smt(), "Both parts.", ("bound", "two-sided")),
            )
        ),
        uses=("trig.cosine-lipschitz", "exp.monotone", "sums.two-sided-decay"),
        mutants=(
            Mutant(
                "twice the slope",
                le(
                    weight(cosine_logit), 1 / sp.Sum(sp.exp(-slope() * distance / 2), (j, 0, i - 1))
                ),
            ),
            Mutant(
                "the limit itself bounds short rows", If(length, le(weight(cosine_logit), limit))
            ),
        ),
    )


SLASH_LIPSCHITZ_CEILING = _lipschitz_ceiling()

CLAIMS = (SLASH_LIPSCHITZ_CEILING,)
