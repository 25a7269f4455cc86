"""The log of a sum of exponentials lies between its tangent and a parabola."""

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
from ropeproof.theory.language import *
from ropeproof.theory.notation import j, n
from ropeproof.theory.slash.descent.log_sum.common import bound, shift, start, tilt


def _log_sum() -> Claim:
    plain = sp.Sum(sp.exp(start(j)), (j, 0, n - 1))
    shifted = sp.Sum(sp.exp(start(j) + shift(j)), (j, 0, n - 1))
    weighted = sp.Sum(sp.exp(start(j)) * shift(j), (j, 0, n - 1))
    mean = weighted / plain
    inside = (le(0, j), le(j, n - 1))
    none = eq(bound, 0)
    small, size = "no logit moves by more than B", "B is not negative"
    goal = Both(le(mean, sp.log(tilt())), le(sp.log(tilt()), mean + bound**2 / 2))
    return Claim(
        id="softmax.log-sum",
        title="The log of a sum of exponentials lies between its tangent and a parabola",
        statement=(
            r"With $p_j=e^{g_j}/\sum e^{g}$ and $|h_j|\le B$: "
            r"$\sum_jp_jh_j\le\ln\frac{\sum_je^{g_j+h_j}}{\sum_je^{g_j}}\le\sum_jp_jh_j+\frac{B^2}2$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                "there is a key",
                le(1, n),
                idle="without keys all three are 0 or more by convention",
            ),
            Hypothesis(size, le(0, bound), idle="a negative bound bounds no move"),
            Hypothesis(small, every(j, 0, n - 1, Both(le(-bound, shift(j)), le(shift(j), bound)))),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "moves",
                    goal,
                    by_claim("softmax.log-sum-positive"),
                    "If B is positive, this is known.",
                    ("there is a key", small),
                    (lt(0, bound),),
                ),
                Step(
                    "still",
                    Both(le(-bound, shift(j)), le(shift(j), bound)),
                    instance({j: j}),
                    "If B is 0",
                    (small,),
                    inside,
                ),
                Step("zero", eq(shift(j), 0), smt(), "nothing moves,", ("still",), (none, *inside)),
                Step(
                    "same logit",
                    eq(start(j) + shift(j), start(j)),
                    smt(),
                    "every logit",
                    ("zero",),
                    (none, *inside),
                ),
                Step(
                    "same term",
                    eq(sp.exp(start(j) + shift(j)), sp.exp(start(j))),
                    rewrite(),
                    "stays,",
                    ("same logit",),
                    (none, *inside),
                ),
                Step(
                    "same sum",
                    eq(shifted, plain),
                    termwise(),
                    "and so the sum,",
                    ("same term",),
                    (none,),
                ),
                Step(
                    "zero term",
                    eq(sp.exp(start(j)) * shift(j), 0),
                    smt(),
                    "the mean move being",
                    ("zero",),
                    (none, *inside),
                ),
                Step("zero sum", eq(weighted, 0), termwise(), "0.", ("zero term",), (none,)),
                Step("term", lt(0, sp.exp(start(j))), smt(), "With a positive"),
                Step("plain", lt(0, plain), termwise(), "sum", ("term", "there is a key")),
                Step(
                    "ratio", eq(tilt(), 1), smt(), "the ratio is 1,", ("same sum", "plain"), (none,)
                ),
                Step(
                    "log ratio",
                    eq(sp.log(tilt()), sp.log(sp.Integer(1), evaluate=False)),
                    rewrite(),
                    "its logarithm",
                    ("ratio",),
                    (none,),
                ),
                Step("log 1", eq(sp.log(sp.Integer(1), evaluate=False), 0), identity(), "0,"),
                Step(
                    "still bounds",
                    goal,
                    smt(),
                    "and all three are 0.",
                    ("log ratio", "log 1", "zero sum", "plain"),
                    (none,),
                ),
                Step("either", goal, smt(), "Either way.", ("moves", "still bounds", size)),
            )
        ),
        uses=("softmax.log-sum-positive",),
        mutants=(
            Mutant(
                "a quarter",
                le(sp.log(tilt()), mean + bound**2 / 4),
                at=(
                    eq(n, 2),
                    eq(start(0), 0),
                    eq(start(1), 0),
                    eq(shift(0), 1),
                    eq(shift(1), -1),
                    eq(bound, 1),
                ),
            ),
            Mutant("below the tangent", lt(sp.log(tilt()), mean)),
        ),
    )


SOFTMAX_LOG_SUM = _log_sum()

CLAIMS = (SOFTMAX_LOG_SUM,)
