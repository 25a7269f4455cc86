"""The log of a sum of exponentials, for moves bounded by B > 0."""

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
from ropeproof.theory.exponential import log_at_least
from ropeproof.theory.language import *
from ropeproof.theory.notation import j, n
from ropeproof.theory.slash.descent.log_sum.common import (
    b,
    bound,
    share,
    shift,
    start,
    tilt,
    u,
    x,
    y,
)


def _log_sum_positive() -> Claim:
    """Tangent and parabola of the logarithm of a sum of exponentials."""
    up, down = sp.exp(bound), sp.exp(-bound)
    plain = sp.Sum(sp.exp(start(j)), (j, 0, n - 1))
    shifted = sp.Sum(sp.exp(start(j) + shift(j)), (j, 0, n - 1))
    weighted = sp.Sum(sp.exp(start(j)) * shift(j), (j, 0, n - 1))
    mean = weighted / plain
    inside = (le(0, j), le(j, n - 1))
    within = every(j, 0, n - 1, Both(le(-bound, shift(j)), le(shift(j), bound)))
    side = (shift(j) / bound + 1) / 2
    chord = side * up + (1 - side) * down
    flat = mean / bound
    even = ((1 + flat) * up + (1 - flat) * down) / 2
    goal = Both(le(mean, sp.log(tilt())), le(sp.log(tilt()), mean + bound**2 / 2))
    keys = "there is a key"
    small, size = "no logit moves by more than B", "B is positive"
    tangent = sp.exp(start(j)) * (sp.exp(mean) * (1 + (shift(j) - mean)))
    return Claim(
        id="softmax.log-sum-positive",
        title="The log of a sum of exponentials, for moves bounded by B > 0",
        statement=(
            r"With $p_j=e^{g_j}/\sum e^{g}$ and $|h_j|\le B$: "
            r"$\sum_jp_jh_j\le\ln\frac{\sum_je^{g_j+h_j}}{\sum_je^{g_j}}\le\sum_jp_jh_j+\frac{B^2}2$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(keys, le(1, n), idle="without keys all three are 0 or more by convention"),
            Hypothesis(size, lt(0, bound), without=(eq(bound, 0),), idle="at B = 0 nothing moves"),
            Hypothesis(small, within),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step("term", lt(0, sp.exp(start(j))), smt(), "Exponentials are positive,"),
                Step("plain", lt(0, plain), termwise(), "and so is their sum", ("term", keys)),
                Step("moved term", lt(0, sp.exp(start(j) + shift(j))), smt(), "(also once moved)."),
                Step(
                    "moved", lt(0, shifted), termwise(), "It stays positive.", ("moved term", keys)
                ),
                Step(
                    "split",
                    eq(sp.exp(start(j) + shift(j)), sp.exp(start(j)) * sp.exp(shift(j))),
                    identity(),
                    "Take the move out of the exponential.",
                ),
                Step(
                    "above tangent",
                    le(1 + (shift(j) - mean), sp.exp(shift(j) - mean)),
                    by_claim("exp.above-tangent", {x: shift(j) - mean}),
                    "It lies above its tangent at the mean move,",
                ),
                Step(
                    "scale",
                    eq(sp.exp(shift(j)), sp.exp(mean) * sp.exp(shift(j) - mean, evaluate=False)),
                    identity(),
                    "scaled",
                    ("plain",),
                ),
                Step("mean positive", lt(0, sp.exp(mean)), smt(), "by a positive factor"),
                Step(
                    "tangent move",
                    le(sp.exp(mean) * (1 + (shift(j) - mean)), sp.exp(shift(j))),
                    smt(),
                    "and",
                    ("above tangent", "scale", "mean positive"),
                ),
                Step(
                    "tangent term",
                    le(tangent, sp.exp(start(j) + shift(j))),
                    smt(),
                    "weighted.",
                    ("tangent move", "split", "term"),
                ),
                Step(
                    "tangent sum",
                    le(sp.Sum(tangent, (j, 0, n - 1)), shifted),
                    termwise(),
                    "Summed,",
                    ("tangent term",),
                ),
                Step(
                    "tangent total",
                    eq(
                        sp.Sum(tangent, (j, 0, n - 1)),
                        sp.exp(mean) * (plain + weighted - mean * plain),
                    ),
                    identity(),
                    "the slopes",
                    ("plain",),
                ),
                Step("mean total", eq(mean * plain, weighted), smt(), "cancel:", ("plain",)),
                Step(
                    "lower product",
                    le(sp.exp(mean) * plain, shifted),
                    smt(),
                    "the sum grows by exp of the mean move at least,",
                    ("tangent sum", "tangent total", "mean total"),
                ),
                Step(
                    "lower ratio",
                    le(sp.exp(mean), tilt()),
                    smt(),
                    "as a ratio.",
                    ("lower product", "plain"),
                ),
                Step(
                    "lower log",
                    le(sp.log(sp.exp(mean), evaluate=False), sp.log(tilt())),
                    log_at_least(sp.exp(mean), tilt()),
                    "Take logarithms:",
                    ("lower ratio", "mean positive"),
                ),
                Step(
                    "undo",
                    eq(sp.log(sp.exp(mean), evaluate=False), mean),
                    identity(),
                    "the tangent.",
                    ("plain",),
                ),
                Step(
                    "small",
                    Both(le(-bound, shift(j)), le(shift(j), bound)),
                    instance({j: j}),
                    "A move is at most B,",
                    (small,),
                    inside,
                ),
                Step(
                    "side",
                    Both(le(0, side), le(side, 1)),
                    smt(),
                    "so it lies between -B and B",
                    ("small", size),
                    inside,
                ),
                Step(
                    "below chord",
                    le(sp.exp(side * bound + (1 - side) * (-bound)), chord),
                    by_claim("exp.chord", {x: bound, y: -bound, share: side}),
                    "and its exponential below the chord,",
                    ("side",),
                    inside,
                ),
                Step(
                    "place",
                    eq(side * bound + (1 - side) * (-bound), shift(j)),
                    identity(),
                    "at this place,",
                    (size,),
                ),
                Step(
                    "same place",
                    eq(sp.exp(side * bound + (1 - side) * (-bound)), sp.exp(shift(j))),
                    rewrite(),
                    "whatever it is called,",
                    ("place",),
                ),
                Step(
                    "chord term",
                    le(sp.exp(start(j) + shift(j)), sp.exp(start(j)) * chord),
                    smt(),
                    "weighted",
                    ("below chord", "same place", "split", "term"),
                    inside,
                ),
                Step(
                    "chord sum",
                    le(shifted, sp.Sum(sp.exp(start(j)) * chord, (j, 0, n - 1))),
                    termwise(),
                    "and summed:",
                    ("chord term",),
                ),
                Step(
                    "chord total",
                    eq(sp.Sum(sp.exp(start(j)) * chord, (j, 0, n - 1)), plain * even),
                    identity(),
                    "the chord at the mean move.",
                    (size, "plain"),
                ),
                Step(
                    "upper product",
                    le(shifted, plain * even),
                    smt(),
                    "So",
                    ("chord sum", "chord total"),
                ),
                Step(
                    "upper ratio", le(tilt(), even), smt(), "the ratio", ("upper product", "plain")
                ),
                Step("ratio sign", lt(0, tilt()), smt(), "is", ("plain", "moved")),
                Step(
                    "upper log",
                    le(sp.log(tilt()), sp.log(even)),
                    log_at_least(tilt(), even),
                    "at most the chord's value,",
                    ("upper ratio", "ratio sign"),
                ),
                Step(
                    "low move",
                    le(sp.exp(start(j)) * (-bound), sp.exp(start(j)) * shift(j)),
                    smt(),
                    "whose",
                    ("small", "term"),
                    inside,
                ),
                Step(
                    "high move",
                    le(sp.exp(start(j)) * shift(j), sp.exp(start(j)) * bound),
                    smt(),
                    "mean",
                    ("small", "term"),
                    inside,
                ),
                Step(
                    "low sum",
                    le(sp.Sum(sp.exp(start(j)) * (-bound), (j, 0, n - 1)), weighted),
                    termwise(),
                    "lies",
                    ("low move",),
                ),
                Step(
                    "high sum",
                    le(weighted, sp.Sum(sp.exp(start(j)) * bound, (j, 0, n - 1))),
                    termwise(),
                    "between",
                    ("high move",),
                ),
                Step(
                    "sums",
                    Both(
                        eq(sp.Sum(sp.exp(start(j)) * (-bound), (j, 0, n - 1)), -bound * plain),
                        eq(sp.Sum(sp.exp(start(j)) * bound, (j, 0, n - 1)), bound * plain),
                    ),
                    identity(),
                    "-B",
                ),
                Step(
                    "mean range",
                    Both(le(-bound, mean), le(mean, bound)),
                    smt(),
                    "and B,",
                    ("low sum", "high sum", "sums", "plain"),
                ),
                Step(
                    "flat range",
                    Both(le(-1, flat), le(flat, 1)),
                    smt(),
                    "in units of B between -1 and 1.",
                    ("mean range", size),
                ),
                Step(
                    "Hoeffding",
                    le(sp.log(even), flat * bound + bound**2 / 2),
                    by_claim("exp.hoeffding", {u: flat, b: bound}),
                    "Hoeffding's lemma bounds it",
                    ("flat range", size),
                ),
                Step(
                    "units", eq(flat * bound, mean), identity(), "by the parabola.", (size, "plain")
                ),
                Step(
                    "both",
                    goal,
                    smt(),
                    "Both bounds.",
                    ("lower log", "undo", "upper log", "Hoeffding", "units"),
                ),
            )
        ),
        uses=("exp.above-tangent", "exp.chord", "exp.hoeffding", "exp.log-monotone"),
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


SOFTMAX_LOG_SUM_POSITIVE = _log_sum_positive()

CLAIMS = (SOFTMAX_LOG_SUM_POSITIVE,)
