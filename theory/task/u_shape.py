"""Where the two constructions weigh their target most: at the ends, and in the middle."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    generalise,
    identity,
    induction,
    instance,
    reindex,
    rewrite,
    smt,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import j, n
from ropeproof.theory.papers import DECOUPLE
from ropeproof.theory.task.u_shape_index import SCALE, beta, ell, index_weight, mass, theta
from ropeproof.theory.task.u_shape_symbol import symbol_weight

h, k, middle = integer("h k m")


def _whole() -> Claim:
    first, last = index_weight(sp.Integer(0)), index_weight(n - 1)
    best = symbol_weight(middle)
    ends = every(k, 1, n - 2, lt(index_weight(k), first))
    centre = every(k, 0, n - 1, le(symbol_weight(k), best))
    parts = (ends, eq(last, first), centre)
    goal = Both(*parts)
    names = (
        "theta is positive",
        "less than a turn over the sequence",
        "at least three locations",
        "m is in the middle",
    )
    falls = If(le(2 * h, n - 1), lt(index_weight(h), first))
    left = If(le(h, middle), le(symbol_weight(middle - h), best))
    right = If(le(middle + h, n - 1), le(symbol_weight(middle + h), best))
    lower, upper = middle - h - 1, middle + h
    near, far = (le(1, k), le(2 * k, n - 1)), (le(k, n - 2), lt(n - 1, 2 * k))
    turned = sp.Sum(sp.exp(beta * sp.cos(theta * (n - 1 - j - (n - 1 - k)))), (j, 0, n - 1))
    return Claim(
        id="task.u-shape",
        title="Lost in the middle, or found there",
        statement=(
            r"For $n\ge3$ and a scale $\beta>0$ the index construction with $0<\theta<2\pi/n$ gives its "
            r"target the same weight at both ends and less at every other location; the simplified symbolic "
            r"construction gives it most in the middle, at $m$ with $|2m-n|\le1$."
        ),
        source=DECOUPLE.at("Thm 7", "own"),
        needs=frozenset("PTX"),
        hypotheses=(
            Hypothesis(SCALE.name, SCALE.formula, without=(eq(n, 4), eq(theta, 1), eq(beta, -1))),
            Hypothesis(names[0], lt(0, theta), without=(eq(n, 3), eq(theta, -3), eq(beta, 1))),
            Hypothesis(
                names[1],
                lt(n * theta, 2 * sp.pi),
                without=(eq(n, 4), eq(theta, sp.Rational(9, 5)), eq(beta, 1)),
            ),
            Hypothesis(names[2], le(3, n)),
            Hypothesis(
                names[3],
                Both(le(n - 1, 2 * middle), le(2 * middle, n + 1)),
                without=(eq(n, 5), eq(middle, 0), eq(beta, 1)),
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "fall",
                    lt(index_weight(h + 1), index_weight(h)),
                    by_claim("task.u-shape-index", {ell: h}),
                    "Before the middle the index construction's weight falls",
                    (SCALE.name, *names[:2]),
                    (le(0, h), le(2 * h + 2, n - 1)),
                ),
                Step(
                    "first fall",
                    lt(index_weight(sp.Integer(1)), first),
                    instance({h: 0}),
                    "from the first location",
                    ("fall", names[2]),
                ),
                Step(
                    "start",
                    If(le(2, n - 1), lt(index_weight(sp.Integer(1)), first)),
                    smt(),
                    "on,",
                    ("first fall",),
                ),
                Step(
                    "further",
                    If(le(2 * (h + 1), n - 1), lt(index_weight(h + 1), first)),
                    smt(),
                    "step by step,",
                    ("fall",),
                    (le(1, h), falls),
                ),
                Step(
                    "all before",
                    falls,
                    induction(h, 1),
                    "down to the middle.",
                    ("start", "further"),
                    (le(1, h),),
                ),
                Step(
                    "turned", eq(mass(n - 1 - k), turned), reindex(), "Counted from the other end"
                ),
                Step("even", eq(turned, mass(k)), identity(), "all distances are the same,"),
                Step(
                    "mirrored mass", eq(mass(n - 1 - k), mass(k)), smt(), "so", ("turned", "even")
                ),
                Step(
                    "mirrored",
                    eq(index_weight(n - 1 - k), index_weight(k)),
                    rewrite(),
                    "the weight is symmetric.",
                    ("mirrored mass",),
                ),
                Step(
                    "near",
                    lt(index_weight(k), first),
                    instance({h: k}),
                    "So it is smaller than at the first location up to the middle",
                    ("all before",),
                    near,
                ),
                Step(
                    "far from the end",
                    lt(index_weight(n - 1 - k), first),
                    instance({h: n - 1 - k}),
                    "and, seen from the other end,",
                    ("all before",),
                    far,
                ),
                Step(
                    "far",
                    lt(index_weight(k), first),
                    smt(),
                    "beyond it,",
                    ("far from the end", "mirrored"),
                    far,
                ),
                Step(
                    "between",
                    lt(index_weight(k), first),
                    smt(),
                    "everywhere",
                    ("near", "far"),
                    (le(1, k), le(k, n - 2)),
                ),
                Step("ends", ends, generalise(), "between the ends,", ("between",)),
                Step("other end", eq(last, first), instance({k: 0}), "which agree.", ("mirrored",)),
                Step(
                    "rise",
                    le(symbol_weight(lower), symbol_weight(lower + 1)),
                    by_claim("task.u-shape-symbol", {ell: lower}),
                    "The symbolic construction's weight rises up to the middle",
                    (SCALE.name, names[2], names[3]),
                    (le(0, h), le(h + 1, middle)),
                ),
                Step(
                    "drop",
                    le(symbol_weight(upper + 1), symbol_weight(upper)),
                    by_claim("task.u-shape-symbol", {ell: upper}),
                    "and falls beyond it.",
                    (SCALE.name, names[2], names[3]),
                    (le(0, h), le(upper + 1, n - 1)),
                ),
                Step(
                    "middle to the left",
                    If(le(0, middle), le(symbol_weight(middle), best)),
                    smt(),
                    "So nothing",
                ),
                Step(
                    "middle to the right",
                    If(le(middle, n - 1), le(symbol_weight(middle), best)),
                    smt(),
                    "exceeds the middle,",
                ),
                Step(
                    "one to the left",
                    If(le(h + 1, middle), le(symbol_weight(middle - (h + 1)), best)),
                    smt(),
                    "going left",
                    ("rise",),
                    (le(0, h), left),
                ),
                Step(
                    "one to the right",
                    If(le(middle + h + 1, n - 1), le(symbol_weight(middle + h + 1), best)),
                    smt(),
                    "or right",
                    ("drop",),
                    (le(0, h), right),
                ),
                Step(
                    "to the left",
                    left,
                    induction(h, 0),
                    "any number",
                    ("middle to the left", "one to the left"),
                    (le(0, h),),
                ),
                Step(
                    "to the right",
                    right,
                    induction(h, 0),
                    "of steps:",
                    ("middle to the right", "one to the right"),
                    (le(0, h),),
                ),
                Step(
                    "left of it",
                    le(symbol_weight(k), best),
                    instance({h: middle - k}),
                    "no location on the left",
                    ("to the left",),
                    (le(0, k), le(k, middle)),
                ),
                Step(
                    "right of it",
                    le(symbol_weight(k), best),
                    instance({h: k - middle}),
                    "or on the right",
                    ("to the right",),
                    (lt(middle, k), le(k, n - 1)),
                ),
                Step(
                    "somewhere",
                    le(symbol_weight(k), best),
                    smt(),
                    "has more weight,",
                    ("left of it", "right of it"),
                    (le(0, k), le(k, n - 1)),
                ),
                Step("centre", centre, generalise(), "none at all.", ("somewhere",)),
                Step("all", goal, smt(), "Together.", ("ends", "other end", "centre")),
            )
        ),
        uses=("task.u-shape-index", "task.u-shape-symbol"),
        mutants=(
            Mutant("more in the middle", every(k, 1, n - 2, lt(first, index_weight(k)))),
            Mutant(
                "most at the second location",
                every(k, 0, n - 1, le(symbol_weight(k), symbol_weight(sp.Integer(1)))),
                at=(eq(n, 5),),
            ),
            Mutant("least in the middle", every(k, 0, n - 1, le(best, symbol_weight(k)))),
        ),
    )


TASK_U_SHAPE = _whole()

CLAIMS = (TASK_U_SHAPE,)
