"""Steps that pay with distance."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    identity,
    induction,
    instance,
    rewrite,
    smt,
    termwise,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import i, j, l, m
from ropeproof.theory.slash.descent.convex import KEY
from ropeproof.theory.slash.descent.model import loss, partition, psi_x, psi_y, row_loss, scores
from ropeproof.theory.slash.descent.rate.common import (
    OTHER,
    PLANES,
    factor,
    fall,
    gap,
    level,
    steps,
    tau,
    x,
    y,
)
from ropeproof.theory.slash.row import offset
from ropeproof.theory.slash.score import length


def _paid(*changed: Any) -> tuple[Any, ...]:
    """Two steps that each pay 1 of a distance of 2, and nothing afterwards."""
    later = [
        f
        for time in range(8)
        for f in (eq(fall(time), 1 if time < 3 else 0), eq(gap(time), max(2 - time, 0)))
    ]
    return (eq(steps, 2), eq(factor, 1), eq(level, 0), *changed, *later)


def _tangent() -> Claim:
    goal = le(sp.exp(y) * (1 + x - y), sp.exp(x))
    return Claim(
        id="exp.tangent",
        title="The exponential lies above its tangents",
        statement=r"$e^y(1+x-y)\le e^x$.",
        needs=frozenset("PX"),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "at 0",
                    le(1 + (x - y), sp.exp(x - y)),
                    by_claim("exp.above-tangent", {x: x - y}),
                    "Above the tangent at 0,",
                ),
                Step(
                    "shift",
                    eq(sp.exp(x), sp.exp(y) * sp.exp(x - y, evaluate=False)),
                    identity(),
                    "shifted",
                ),
                Step("positive", lt(0, sp.exp(y)), smt(), "by a positive factor."),
                Step("bound", goal, smt(), "Multiply.", ("at 0", "shift", "positive")),
            )
        ),
        uses=("exp.above-tangent",),
        mutants=(
            Mutant("higher", le(sp.exp(y) * (2 + x - y), sp.exp(x))),
            Mutant("reversed", le(sp.exp(x), sp.exp(y) * (1 + x - y))),
        ),
    )


def _telescope() -> Claim:
    def until(end: Any) -> Any:
        return le(end * (fall(end) - level), factor * (gap(0) - gap(end)))

    goal = le(steps * (fall(steps) - level), factor * gap(0))
    falls, pays = "it does not rise", "each step pays"
    return Claim(
        id="slash.gd.telescope",
        title="Steps that pay with distance",
        statement=(
            r"If $L_{\tau+1}\le L_\tau$ and $L_{\tau+1}-u\le c(D_\tau-D_{\tau+1})$ with $D,c\ge0$, then "
            r"$T(L_T-u)\le cD_0$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis("T is not negative", le(0, steps), without=(eq(steps, -1), eq(factor, 0))),
            Hypothesis(
                "c is not negative",
                le(0, factor),
                without=(
                    eq(steps, 1),
                    eq(factor, -1),
                    eq(level, 0),
                    eq(gap(0), 0),
                    eq(gap(1), 1),
                    eq(fall(0), 1),
                    eq(fall(1), 1),
                ),
            ),
            Hypothesis(
                falls,
                Every((tau,), If(le(0, tau), le(fall(tau + 1), fall(tau)))),
                without=(
                    eq(steps, 2),
                    eq(factor, 1),
                    eq(level, 0),
                    eq(gap(0), 1),
                    eq(gap(1), 1),
                    eq(gap(2), 0),
                    eq(fall(0), 0),
                    eq(fall(1), 0),
                    eq(fall(2), 1),
                ),
            ),
            Hypothesis(
                pays,
                Every(
                    (tau,),
                    If(le(0, tau), le(fall(tau + 1) - level, factor * (gap(tau) - gap(tau + 1)))),
                ),
                without=(
                    eq(steps, 2),
                    eq(factor, 0),
                    eq(level, 0),
                    eq(fall(0), 1),
                    eq(fall(1), 1),
                    eq(fall(2), 1),
                ),
            ),
            Hypothesis(
                "distances are not negative",
                Every((tau,), If(le(0, tau), le(0, gap(tau)))),
                without=(
                    eq(steps, 1),
                    eq(factor, 1),
                    eq(level, 0),
                    eq(gap(0), 0),
                    eq(gap(1), -1),
                    eq(fall(0), 1),
                    eq(fall(1), 1),
                ),
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step("start", until(sp.Integer(0)), smt(), "Nothing yet."),
                Step(
                    "falls",
                    le(fall(tau + 1), fall(tau)),
                    instance({tau: tau}),
                    "The loss does not rise,",
                    (falls,),
                    (le(0, tau),),
                ),
                Step(
                    "pays",
                    le(fall(tau + 1) - level, factor * (gap(tau) - gap(tau + 1))),
                    instance({tau: tau}),
                    "and the step pays for what is left of it.",
                    (pays,),
                    (le(0, tau),),
                ),
                Step(
                    "product",
                    le(tau * fall(tau + 1), tau * fall(tau)),
                    smt(),
                    "So tau times the loss does not rise either,",
                    ("falls",),
                    (le(0, tau),),
                ),
                Step(
                    "next",
                    until(tau + 1),
                    smt(),
                    "and one more is paid for.",
                    ("product", "pays"),
                    (until(tau), le(0, tau)),
                ),
                Step(
                    "all",
                    until(tau),
                    induction(tau, 0),
                    "Induction over the steps.",
                    ("start", "next"),
                    (le(0, tau),),
                ),
                Step(
                    "last",
                    until(steps),
                    instance({tau: steps}),
                    "At the end",
                    ("all", "T is not negative"),
                ),
                Step(
                    "left",
                    le(0, gap(steps)),
                    instance({tau: steps}),
                    "some distance is left,",
                    ("distances are not negative", "T is not negative"),
                ),
                Step(
                    "left cost",
                    le(0, factor * gap(steps)),
                    smt(),
                    "at a cost that is not negative.",
                    ("left", "c is not negative"),
                ),
                Step("bound", goal, smt(), "So", ("last", "left cost")),
            )
        ),
        mutants=(
            Mutant("a half", le(steps * (fall(steps) - level), factor * gap(0) / 2), at=_paid()),
            Mutant("T squared", le(steps**2 * (fall(steps) - level), factor * gap(0)), at=_paid()),
        ),
    )


def _same_loss() -> Claim:
    agree = every(l, 0, m - 1, Both(eq(OTHER[0], KEY[0]), eq(OTHER[1], KEY[1])))
    here, there = scores(OTHER), scores(KEY)
    row, other_row = row_loss(KEY), row_loss(OTHER)
    goal = eq(loss(OTHER), loss(KEY))
    return Claim(
        id="slash.gd.same-loss",
        title="Equal keys have equal loss",
        statement=r"Keys that agree in every plane have the same loss.",
        needs=frozenset("PX"),
        hypotheses=(Hypothesis("the keys agree", agree),),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "plane",
                    Both(eq(OTHER[0], KEY[0]), eq(OTHER[1], KEY[1])),
                    instance({l: l}),
                    "They agree in a plane,",
                    ("the keys agree",),
                    PLANES,
                ),
                Step(
                    "term",
                    eq(
                        OTHER[0] * psi_x(j, l) + OTHER[1] * psi_y(j, l),
                        KEY[0] * psi_x(j, l) + KEY[1] * psi_y(j, l),
                    ),
                    smt(),
                    "so their products with a feature do,",
                    ("plane",),
                    PLANES,
                ),
                Step("score", eq(here(j), there(j)), termwise(), "their scores,", ("term",)),
                Step(
                    "exponential",
                    eq(sp.exp(here(j)), sp.exp(there(j))),
                    rewrite(),
                    "exponentials,",
                    ("score",),
                ),
                Step(
                    "partition",
                    eq(partition(OTHER), partition(KEY)),
                    termwise(),
                    "partition functions,",
                    ("exponential",),
                ),
                Step(
                    "logarithm",
                    eq(sp.log(partition(OTHER)), sp.log(partition(KEY))),
                    rewrite(),
                    "their logarithms,",
                    ("partition",),
                ),
                Step(
                    "target",
                    eq(here(offset), there(offset)),
                    instance({j: offset}),
                    "targets",
                    ("score",),
                ),
                Step("row", eq(other_row, row), smt(), "and rows.", ("logarithm", "target")),
                Step(
                    "rows",
                    eq(
                        sp.Sum(other_row, (i, offset + 1, length)),
                        sp.Sum(row, (i, offset + 1, length)),
                    ),
                    termwise(),
                    "Sum",
                    ("row",),
                ),
                Step("loss", goal, smt(), "and divide.", ("rows",)),
            )
        ),
        mutants=(Mutant("one more", eq(loss(OTHER), loss(KEY) + 1)),),
    )


EXP_TANGENT = _tangent()
SLASH_GD_TELESCOPE = _telescope()
SLASH_GD_SAME_LOSS = _same_loss()

CLAIMS = (EXP_TANGENT, SLASH_GD_TELESCOPE, SLASH_GD_SAME_LOSS)
