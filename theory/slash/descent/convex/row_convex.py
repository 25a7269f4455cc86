"""One row's loss is convex and no more curved than beta."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    chain,
    generalise,
    identity,
    instance,
    rewrite,
    smt,
    termwise,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import *
from ropeproof.theory.slash.descent.convex.common import (
    KEY,
    MOVE,
    _two_lags,
    moved,
    rope_feature,
    z,
)
from ropeproof.theory.slash.descent.log_sum import bound, shift, start
from ropeproof.theory.slash.descent.model import (
    beta,
    feature,
    inner,
    partition,
    psi_x,
    psi_y,
    row_loss,
    row_slope,
    scores,
    square,
)
from ropeproof.theory.slash.row import OFFSET, offset, x, y
from ropeproof.theory.slash.sandwich import f_x, f_y, h_x, h_y


def _features() -> Claim:
    here, there = rope_feature(offset), rope_feature(t)
    gap = theta(l) * (t - offset)
    plane = (here[0] - there[0]) ** 2 + (here[1] - there[1]) ** 2
    size = s**2 * (query_x(l) ** 2 + query_y(l) ** 2)
    norm = eq(square(rope_feature(t)), s**2 * over_planes(query_x(l) ** 2 + query_y(l) ** 2))
    score = eq(inner(KEY, rope_feature(t)), logit(t))
    apart = le(plane, size * gap**2)
    goal = Both(norm, score, apart)
    return Claim(
        id="slash.gd.features",
        title="A key's logits are its scores on the features of the lags",
        statement=(
            r"With $\psi(t)=sR_t\bar q$: $\|\psi(t)\|^2=s^2\|\bar q\|^2$ (so $\beta=\|\bar q\|^2/d$ at "
            r"$s=d^{-1/2}$), $\langle k,\psi(t)\rangle=w(t,\bar q,k)$, and in plane $l$ "
            r"$|\psi_l(\Delta)-\psi_l(t)|\le s|\bar q_l|\,\theta_l|t-\Delta|$."
        ),
        needs=frozenset("PX"),
        conclusion=goal,
        derivation=Derivation(
            (
                Step("norm", norm, identity(), "Turning keeps the norm."),
                Step("score", score, identity(), "The score is the logit."),
                Step(
                    "apart",
                    eq(plane, 2 * size * (1 - sp.cos(gap))),
                    identity(),
                    "Two turns of one vector differ by the chord of the angle between them,",
                ),
                Step(
                    "chord",
                    le(1 - sp.cos(gap), gap**2 / 2),
                    by_claim("trig.cosine-above-parabola", {x: gap}),
                    "which is at most the arc.",
                ),
                Step("size", le(0, size), smt(), "The size is not negative,"),
                Step(
                    "times the size",
                    le((1 - sp.cos(gap)) * size, gap**2 / 2 * size),
                    by_claim("order.times", {x: 1 - sp.cos(gap), y: gap**2 / 2, real("t"): size}),
                    "so, twice that,",
                    ("chord", "size"),
                ),
                Step(
                    "twice",
                    le(2 * size * (1 - sp.cos(gap)), size * gap**2),
                    smt(),
                    "the chord",
                    ("times the size",),
                ),
                Step("bound", apart, chain(), "bounds the difference.", ("apart", "twice")),
                Step("all", goal, smt(), "All three.", ("norm", "score", "bound")),
            )
        ),
        uses=("trig.cosine-above-parabola", "order.times"),
        mutants=(
            Mutant("half the arc", le(plane, size * gap**2 / 2)),
            Mutant("the other turn", eq(inner(KEY, rope_feature(-t)), logit(t))),
        ),
    )


def _row_convex() -> Claim:
    after = moved(KEY, MOVE)
    g, h = scores(KEY), scores(MOVE)
    inside = (le(0, j), le(j, i - 1))
    lengths = every(j, 0, i - 1, le(square(feature(j)), beta))
    root = sp.sqrt(square(MOVE)) * sp.sqrt(beta)
    root_square = sp.Pow(root, 2, evaluate=False)
    shifted = sp.Sum(sp.exp(g(j) + h(j)), (j, 0, i - 1))
    ratio = shifted / partition(KEY)
    difference = sp.log(shifted) - sp.log(partition(KEY))
    mean = sp.Sum(sp.exp(g(j)) * h(j), (j, 0, i - 1)) / partition(KEY)
    lower = le(row_loss(KEY) + row_slope(KEY, MOVE), row_loss(after))
    upper = le(row_loss(after), row_loss(KEY) + row_slope(KEY, MOVE) + beta * square(MOVE) / 2)
    goal = Both(lower, upper)
    row = "the target is in the row"
    return Claim(
        id="slash.gd.row-convex",
        title="One row's loss is convex and no more curved than beta",
        statement=(
            r"With $\|\psi(t)\|^2\le\beta$ on the row, $\ell_i=-\ln S_{i,i-\Delta}$ satisfies "
            r"$\ell_i(k)+\langle\nabla\ell_i(k),v\rangle\le\ell_i(k+v)\le\ell_i(k)"
            r"+\langle\nabla\ell_i(k),v\rangle+\frac\beta2\|v\|^2$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                OFFSET.name,
                OFFSET.formula,
                idle="the target's score enters both sides alike; without lags all of it is 0",
            ),
            Hypothesis(
                "beta is not negative",
                le(0, beta),
                idle="it bounds a square as soon as there is a lag",
            ),
            Hypothesis("features of the row have norm sqrt(beta) at most", lengths),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "length",
                    le(square(feature(j)), beta),
                    instance({j: j}),
                    "Features are short,",
                    ("features of the row have norm sqrt(beta) at most",),
                    inside,
                ),
                Step(
                    "product",
                    le(h(j) ** 2, square(MOVE) * square(feature(j))),
                    by_claim(
                        "sums.cauchy-schwarz",
                        {
                            f_x: sp.Lambda(l, MOVE[0]),
                            f_y: sp.Lambda(l, MOVE[1]),
                            h_x: sp.Lambda(l, psi_x(j, l)),
                            h_y: sp.Lambda(l, psi_y(j, l)),
                        },
                    ),
                    "so by Cauchy-Schwarz",
                ),
                Step("squares", le(0, MOVE[0] ** 2 + MOVE[1] ** 2), smt(), "the step"),
                Step("move", le(0, square(MOVE)), termwise(), "moves", ("squares",)),
                Step(
                    "short",
                    le(h(j) ** 2, square(MOVE) * beta),
                    smt(),
                    "a score",
                    ("product", "length", "move"),
                    inside,
                ),
                Step(
                    "size",
                    le(sp.Abs(h(j)), root),
                    by_claim("slash.root-order", {z: h(j), x: square(MOVE), y: beta}),
                    "by at most |v| sqrt(beta).",
                    ("short", "move", "beta is not negative"),
                    inside,
                ),
                Step(
                    "both sides",
                    Both(le(-root, h(j)), le(h(j), root)),
                    smt(),
                    "Either way,",
                    ("size",),
                    inside,
                ),
                Step(
                    "all",
                    every(j, 0, i - 1, Both(le(-root, h(j)), le(h(j), root))),
                    generalise(),
                    "at every lag.",
                    ("both sides",),
                ),
                Step(
                    "roots",
                    Both(le(0, sp.sqrt(square(MOVE))), le(0, sp.sqrt(beta))),
                    smt(),
                    "Roots are not negative,",
                    ("move", "beta is not negative"),
                ),
                Step("root", le(0, root), smt(), "nor is their product,", ("roots",)),
                Step(
                    "root square",
                    eq(root_square, square(MOVE) * beta),
                    identity(),
                    "whose square is known.",
                    ("move", "beta is not negative"),
                ),
                Step("lags", le(1, i), smt(), "There is a lag.", (row,)),
                Step(
                    "log sum",
                    Both(le(mean, sp.log(ratio)), le(sp.log(ratio), mean + root_square / 2)),
                    by_claim(
                        "softmax.log-sum",
                        {start: sp.Lambda(j, g(j)), shift: sp.Lambda(j, h(j)), n: i, bound: root},
                    ),
                    "The log of the sum lies between its tangent and a parabola.",
                    ("lags", "root", "all", "root square"),
                ),
                Step("term", lt(0, sp.exp(g(j))), smt(), "The sums are"),
                Step("plain", lt(0, partition(KEY)), termwise(), "positive,", ("term", "lags")),
                Step("moved term", lt(0, sp.exp(g(j) + h(j))), smt(), "before"),
                Step("moved sum", lt(0, shifted), termwise(), "and after,", ("moved term", "lags")),
                Step(
                    "quotient",
                    eq(ratio, sp.exp(difference, evaluate=False)),
                    identity(),
                    "so the log of their ratio",
                    ("plain", "moved sum"),
                ),
                Step(
                    "log quotient",
                    eq(sp.log(ratio), sp.log(sp.exp(difference, evaluate=False), evaluate=False)),
                    rewrite(),
                    "is",
                    ("quotient",),
                ),
                Step(
                    "undo",
                    eq(sp.log(sp.exp(difference, evaluate=False), evaluate=False), difference),
                    identity(),
                    "the difference of their logs.",
                ),
                Step("linear", eq(scores(after)(j), g(j) + h(j)), identity(), "Scores add up,"),
                Step(
                    "linear term",
                    eq(sp.exp(scores(after)(j)), sp.exp(g(j) + h(j))),
                    rewrite(),
                    "in every term",
                    ("linear",),
                ),
                Step(
                    "linear sum",
                    eq(partition(after), shifted),
                    termwise(),
                    "of the sum",
                    ("linear term",),
                ),
                Step(
                    "linear log",
                    eq(sp.log(partition(after)), sp.log(shifted)),
                    rewrite(),
                    "and its logarithm,",
                    ("linear sum",),
                ),
                Step(
                    "target",
                    eq(scores(after)(offset), g(offset) + h(offset)),
                    identity(),
                    "and at the target.",
                ),
                Step(
                    "bounds",
                    goal,
                    smt(),
                    "So the row's loss lies between its tangent and the parabola.",
                    ("log sum", "log quotient", "undo", "linear log", "target", "root square"),
                ),
            )
        ),
        uses=("sums.cauchy-schwarz", "slash.root-order", "softmax.log-sum"),
        mutants=(
            Mutant(
                "half the curvature",
                le(row_loss(after), row_loss(KEY) + row_slope(KEY, MOVE) + beta * square(MOVE) / 4),
                at=_two_lags(),
            ),
            Mutant("below the tangent", lt(row_loss(after), row_loss(KEY) + row_slope(KEY, MOVE))),
        ),
    )


SLASH_GD_FEATURES = _features()
SLASH_GD_ROW_CONVEX = _row_convex()

CLAIMS = (SLASH_GD_FEATURES, SLASH_GD_ROW_CONVEX)
