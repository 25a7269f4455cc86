"""The gradient is at least the margin times what is missing."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    generalise,
    identity,
    instance,
    smt,
    termwise,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import i, j, key_x, key_y, l
from ropeproof.theory.slash.descent.convex import KEY
from ropeproof.theory.slash.descent.model import PLACE, gradient, inner, scores, slope, square
from ropeproof.theory.slash.descent.shared import BEST, UNIT, WINS, margin, row_step, x
from ropeproof.theory.slash.descent.shared import y as y_
from ropeproof.theory.slash.descent.sharp.common import (
    IN_ROW,
    a,
    gap_size,
    missing,
    row_missing,
    v_x,
    v_y,
)
from ropeproof.theory.slash.row import OFFSET, offset
from ropeproof.theory.slash.sandwich import f_x, f_y, h_x, h_y
from ropeproof.theory.slash.score import length


def _unit_plane() -> tuple[Any, ...]:
    from ropeproof.theory.slash.descent.shared import one_plane

    return (*one_plane(), eq(key_x(0), 0), eq(key_y(0), 0))


def _gradient_size() -> Claim:
    grad = gradient(KEY)
    product = inner(grad, BEST)
    goal = le(margin**2 * missing(KEY) ** 2, square(grad))
    lower = Every(
        (j,),
        If(
            Both(le(0, j), le(j, length - 1), ne(j, offset)),
            le(scores(BEST)(j), scores(BEST)(offset) - margin),
        ),
    )
    inside = (le(0, j), le(j, length - 1), ne(j, offset))
    mapping = {v_x: sp.Lambda(l, BEST[0]), v_y: sp.Lambda(l, BEST[1])}
    return Claim(
        id="slash.gd.gradient-size",
        title="The gradient is at least the margin times what is missing",
        statement=(
            r"$\|\nabla\mathcal L(k)\|\ge\gamma\,(1-\mathrm{Slash}(\Delta))$ if a unit vector separates "
            r"the target by $\gamma\ge0$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(PLACE.name, PLACE.formula, unshown="otherwise there is no row to average"),
            Hypothesis(
                "gamma is not negative", le(0, margin), unshown="its square forgets the sign"
            ),
            Hypothesis(UNIT.name, UNIT.formula, unshown="a longer k* separates by more"),
            Hypothesis(WINS.name, WINS.formula, unshown="gamma is the separation"),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "separated",
                    le(scores(BEST)(j) + margin, scores(BEST)(offset)),
                    instance({j: j}),
                    "Along k* every competitor",
                    (WINS.name,),
                    inside,
                ),
                Step(
                    "lower",
                    le(scores(BEST)(j), scores(BEST)(offset) - margin),
                    smt(),
                    "lies lower",
                    ("separated",),
                    inside,
                ),
                Step("lowers", lower, generalise(), "by gamma,", ("lower",)),
                Step(
                    "slope",
                    le(slope(KEY, BEST), -margin * missing(KEY)),
                    by_claim("slash.gd.slope-below", {**mapping, gap_size: margin}),
                    "so the loss falls that fast,",
                    (PLACE.name, "lowers"),
                ),
                Step(
                    "product",
                    eq(slope(KEY, BEST), product),
                    by_claim("slash.gd.gradient", mapping),
                    "which is the gradient's product with k*,",
                ),
                Step(
                    "Cauchy",
                    le(product**2, square(grad) * square(BEST)),
                    by_claim(
                        "sums.cauchy-schwarz",
                        {
                            f_x: sp.Lambda(l, grad[0]),
                            f_y: sp.Lambda(l, grad[1]),
                            h_x: sp.Lambda(l, BEST[0]),
                            h_y: sp.Lambda(l, BEST[1]),
                        },
                    ),
                    "at most its norm.",
                ),
                Step("term", lt(0, sp.exp(scores(KEY)(j))), smt(), "What is missing"),
                Step("in the row", OFFSET.formula, smt(), "in a row", (PLACE.name,), IN_ROW),
                row_step("parts", scores(KEY), IN_ROW),
                Step(
                    "row missing",
                    le(0, row_missing(KEY)),
                    smt(),
                    "is not negative,",
                    ("parts",),
                    IN_ROW,
                ),
                Step(
                    "missing sum",
                    le(0, sp.Sum(row_missing(KEY), (i, offset + 1, length))),
                    termwise(),
                    "nor is it",
                    ("row missing",),
                ),
                Step(
                    "missing",
                    le(0, missing(KEY)),
                    smt(),
                    "on average.",
                    ("missing sum", PLACE.name),
                ),
                Step(
                    "squared",
                    le(slope(KEY, BEST) ** 2, square(grad)),
                    smt(),
                    "So its square",
                    ("product", "Cauchy", UNIT.name),
                ),
                Step(
                    "squares",
                    goal,
                    by_claim(
                        "slash.gd.square-order",
                        {
                            real("A"): slope(KEY, BEST),
                            real("M"): missing(KEY),
                            real("Q"): square(grad),
                        },
                    ),
                    "is at least gamma^2 times the square of what is missing.",
                    ("slope", "missing", "gamma is not negative", "squared"),
                ),
            )
        ),
        uses=(
            "slash.gd.slope-below",
            "slash.gd.gradient",
            "sums.cauchy-schwarz",
            "softmax.partition",
            "slash.gd.square-order",
        ),
        mutants=(
            Mutant("twice", le(4 * margin**2 * missing(KEY) ** 2, square(grad)), at=_unit_plane()),
        ),
    )


def _recursion_step() -> Claim:
    xs, K, L0, nxt = real("X K L_0 Y")
    goal = le(nxt * (K + a * L0), L0)
    names = (
        "X is not negative",
        "Y is not negative",
        "the first is not negative",
        "a is not negative",
    )
    return Claim(
        id="slash.gd.recursion-step",
        title="One step of the recursion",
        statement=(
            r"If $0\le Y\le X-aX^2$, $XK\le L_0$, $K\ge1$, $a,X,L_0\ge0$ then $Y(K+aL_0)\le L_0$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(names[0], le(0, xs), idle="0 <= Y <= X - aX^2 forces it"),
            Hypothesis(
                names[1], le(0, nxt), unshown="a step that overshoots below 0 may still be bounded"
            ),
            Hypothesis(names[2], le(0, L0), idle="X K <= L_0 with X >= 0 and K >= 1 forces it"),
            Hypothesis(
                names[3],
                le(0, a),
                idle="with a < 0 the factor falls by as much as the step may rise",
            ),
            Hypothesis(
                "the factor is at least 1", le(1, K), unshown="a smaller factor bounds nothing"
            ),
            Hypothesis("the step", le(nxt, xs - a * xs**2)),
            Hypothesis("so far", le(xs * K, L0)),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "short",
                    le(0, xs * (1 - a * xs)),
                    smt(),
                    "The step does not overshoot,",
                    (names[1], "the step"),
                ),
                Step(
                    "small",
                    le(a * xs, 1),
                    smt(),
                    "so aX <= 1 if X > 0.",
                    ("short", names[0], names[3]),
                    (lt(0, xs),),
                ),
                Step(
                    "room",
                    le(0, K + a * L0),
                    smt(),
                    "The new factor is positive,",
                    ("the factor is at least 1", names[2], names[3]),
                ),
                Step(
                    "product",
                    le(nxt * (K + a * L0), (xs - a * xs**2) * (K + a * L0)),
                    by_claim("order.times", {x: nxt, y_: xs - a * xs**2, real("t"): K + a * L0}),
                    "so the product is at most that of the step's bound,",
                    ("the step", "room"),
                ),
                Step(
                    "expand",
                    eq(
                        L0 - (xs - a * xs**2) * (K + a * L0),
                        (L0 - xs * K) * (1 - a * xs) + (a * xs) ** 2 * L0,
                    ),
                    identity(),
                    "which falls short of L_0",
                ),
                Step(
                    "first",
                    le(0, (L0 - xs * K) * (1 - a * xs)),
                    smt(),
                    "by a product",
                    ("so far", "small"),
                    (lt(0, xs),),
                ),
                Step("second", le(0, (a * xs) ** 2 * L0), smt(), "and a square.", (names[2],)),
                Step(
                    "positive",
                    goal,
                    smt(),
                    "So it holds if X > 0,",
                    ("product", "expand", "first", "second"),
                    (lt(0, xs),),
                ),
                Step(
                    "zero",
                    eq(nxt, 0),
                    smt(),
                    "and if X = 0 then Y = 0,",
                    (names[1], "the step"),
                    (eq(xs, 0),),
                ),
                Step(
                    "zero bound", goal, smt(), "which is enough.", ("zero", names[2]), (eq(xs, 0),)
                ),
                Step("either", goal, smt(), "Either way.", ("positive", "zero bound", names[0])),
            )
        ),
        uses=("order.times",),
        mutants=(
            Mutant("twice a", le(nxt * (K + 2 * a * L0), L0)),
            Mutant("reversed", lt(L0, nxt * (K + a * L0))),
        ),
    )


def _recursion_tail() -> Claim:
    xs, K, L0 = real("X K L_0")
    goal = le(K * xs, 1)
    return Claim(
        id="slash.gd.recursion-tail",
        title="Cancel the first loss",
        statement=r"$X(1+KL_0)\le L_0$ with $X,L_0\ge0$ gives $KX\le1$.",
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis("the product", le(xs * (1 + K * L0), L0)),
            Hypothesis("X is not negative", le(0, xs)),
            Hypothesis("the first is not negative", le(0, L0)),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "otherwise",
                    goal,
                    smt(),
                    "If KX > 1 then X + KXL_0 > L_0 unless L_0 = 0, when X = 0.",
                    ("the product", "X is not negative", "the first is not negative"),
                ),
            )
        ),
        mutants=(Mutant("a half", le(2 * K * xs, 1)),),
    )


SLASH_GD_GRADIENT_SIZE = _gradient_size()
SLASH_GD_RECURSION_STEP = _recursion_step()
SLASH_GD_RECURSION_TAIL = _recursion_tail()

CLAIMS = (SLASH_GD_GRADIENT_SIZE, SLASH_GD_RECURSION_STEP, SLASH_GD_RECURSION_TAIL)
