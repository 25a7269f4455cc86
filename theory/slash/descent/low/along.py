"""A key grows along what separates the target."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    identity,
    induction,
    instance,
    smt,
    split,
    termwise,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import j, key_x, key_y, l
from ropeproof.theory.slash.descent.low.common import MOVE, _untrained, mass
from ropeproof.theory.slash.descent.model import BETA, PLACE, beta, gradient, inner, scores, slope
from ropeproof.theory.slash.descent.shared import (
    ALGORITHM,
    GRADIENTS,
    PLANES,
    START,
    gap_size,
    grad_at,
    grown_x,
    grown_y,
    key_at,
    later,
    margin,
    missing,
    steps,
    tau,
    x,
)
from ropeproof.theory.slash.descent.shared import y as y_
from ropeproof.theory.slash.row import offset
from ropeproof.theory.slash.score import length


def _along() -> Claim:
    wins = Every(
        (j,),
        If(
            Both(le(0, j), le(j, length - 1), ne(j, offset)),
            le(scores(MOVE)(j), scores(MOVE)(offset) - gap_size),
        ),
    )
    now, after, grad = key_at(tau), key_at(tau + 1), grad_at(tau)
    exact = gradient(now)
    time = (le(0, tau),)

    def until(end: Any) -> Any:
        return le(gap_size * mass(end), inner(key_at(end), MOVE))

    whole = sp.Sum(missing(key_at(later)), (later, 0, tau))
    so_far = sp.Sum(missing(key_at(later)), (later, 0, tau - 1))
    goal = until(steps)
    return Claim(
        id="slash.gd.along",
        title="A key grows along what separates the target",
        statement=(
            r"If $\langle v,\psi(\Delta)-\psi(t)\rangle\ge c$ for every other $t<N$ then "
            r"$\langle k(T),v\rangle\ge c\,\frac1\beta\sum_{s<T}(1-\mathrm{Slash}_s)$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                "T is not negative", le(0, steps), unshown="there is no key before the start"
            ),
            Hypothesis(PLACE.name, PLACE.formula, unshown="otherwise there is no row"),
            Hypothesis(BETA.name, BETA.formula, unshown="a step of the wrong sign climbs"),
            Hypothesis(START.name, START.formula, unshown="a start elsewhere keeps its component"),
            Hypothesis(
                ALGORITHM.name, ALGORITHM.formula, unshown="another sequence may go anywhere"
            ),
            Hypothesis(GRADIENTS.name, GRADIENTS.formula, unshown="so may other directions"),
            Hypothesis("other lags lie lower by c", wins, unshown="c is the separation along v"),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "start plane",
                    Both(eq(grown_x(0, l), 0), eq(grown_y(0, l), 0)),
                    instance({l: l}),
                    "At the start",
                    (START.name,),
                    PLANES,
                ),
                Step(
                    "start term",
                    eq(grown_x(0, l) * MOVE[0] + grown_y(0, l) * MOVE[1], 0),
                    smt(),
                    "the key",
                    ("start plane",),
                    PLANES,
                ),
                Step(
                    "start product",
                    eq(inner(key_at(0), MOVE), 0),
                    termwise(),
                    "is 0",
                    ("start term",),
                ),
                Step(
                    "start mass",
                    eq(sp.Sum(missing(key_at(later)), (later, 0, -1)), 0),
                    identity(),
                    "and nothing was missing yet.",
                ),
                Step(
                    "start",
                    until(sp.Integer(0)),
                    smt(),
                    "Both sides are 0.",
                    ("start product", "start mass"),
                ),
                Step(
                    "gradient",
                    Both(*(eq(g, e) for g, e in zip(grad, exact, strict=True))),
                    instance({tau: tau, l: l}),
                    "A step",
                    (GRADIENTS.name,),
                    (*time, *PLANES),
                ),
                Step(
                    "step",
                    Both(
                        eq(after[0], now[0] - grad[0] / beta), eq(after[1], now[1] - grad[1] / beta)
                    ),
                    instance({tau: tau, l: l}),
                    "moves against the gradient,",
                    (ALGORITHM.name,),
                    (*time, *PLANES),
                ),
                Step(
                    "step term",
                    eq(
                        after[0] * MOVE[0] + after[1] * MOVE[1],
                        (now[0] - grad[0] / beta) * MOVE[0] + (now[1] - grad[1] / beta) * MOVE[1],
                    ),
                    smt(),
                    "also",
                    ("step",),
                    (*time, *PLANES),
                ),
                Step(
                    "step product",
                    eq(
                        inner(after, MOVE),
                        inner((now[0] - grad[0] / beta, now[1] - grad[1] / beta), MOVE),
                    ),
                    termwise(),
                    "along v,",
                    ("step term",),
                    time,
                ),
                Step(
                    "linear",
                    eq(
                        inner((now[0] - grad[0] / beta, now[1] - grad[1] / beta), MOVE),
                        inner(now, MOVE) - inner(grad, MOVE) / beta,
                    ),
                    identity(),
                    "linearly;",
                ),
                Step(
                    "gradient term",
                    eq(
                        grad[0] * MOVE[0] + grad[1] * MOVE[1],
                        exact[0] * MOVE[0] + exact[1] * MOVE[1],
                    ),
                    smt(),
                    "and the gradient",
                    ("gradient",),
                    (*time, *PLANES),
                ),
                Step(
                    "gradient product",
                    eq(inner(grad, MOVE), inner(exact, MOVE)),
                    termwise(),
                    "along v",
                    ("gradient term",),
                    time,
                ),
                Step(
                    "is slope",
                    eq(slope(now, MOVE), inner(exact, MOVE)),
                    by_claim(
                        "slash.gd.gradient",
                        {key_x: sp.Lambda(l, now[0]), key_y: sp.Lambda(l, now[1])},
                    ),
                    "is the slope,",
                ),
                Step(
                    "slope",
                    le(slope(now, MOVE), -gap_size * missing(now)),
                    by_claim(
                        "slash.gd.slope-below",
                        {key_x: sp.Lambda(l, now[0]), key_y: sp.Lambda(l, now[1])},
                    ),
                    "at most -c times what is missing.",
                    (PLACE.name, "other lags lie lower by c"),
                ),
                Step(
                    "against",
                    le(gap_size * missing(now), -inner(grad, MOVE)),
                    smt(),
                    "So the step gains c times what is missing,",
                    ("gradient product", "is slope", "slope"),
                    time,
                ),
                Step("inverse", lt(0, 1 / beta), smt(), "over", (BETA.name,)),
                Step(
                    "divided",
                    le(gap_size * missing(now) * (1 / beta), -inner(grad, MOVE) * (1 / beta)),
                    by_claim(
                        "order.times",
                        {x: gap_size * missing(now), y_: -inner(grad, MOVE), real("t"): 1 / beta},
                    ),
                    "beta,",
                    ("against", "inverse"),
                    time,
                ),
                Step(
                    "cut",
                    eq(whole, so_far + sp.Sum(missing(key_at(later)), (later, tau, tau))),
                    split(tau - 1),
                    "and the sum",
                    (),
                    time,
                ),
                Step(
                    "one",
                    eq(sp.Sum(missing(key_at(later)), (later, tau, tau)), missing(now)),
                    identity(),
                    "has one more term.",
                ),
                Step(
                    "grown",
                    eq(
                        gap_size * mass(tau + 1),
                        gap_size * mass(tau) + gap_size * missing(now) * (1 / beta),
                    ),
                    smt(),
                    "Both sides grow,",
                    ("cut", "one"),
                    time,
                ),
                Step(
                    "next",
                    until(tau + 1),
                    smt(),
                    "in order.",
                    ("step product", "linear", "divided", "grown"),
                    (until(tau), *time),
                ),
                Step("all", until(tau), induction(tau, 0), "Induction.", ("start", "next"), time),
                Step(
                    "end", goal, instance({tau: steps}), "At the end.", ("all", "T is not negative")
                ),
            )
        ),
        uses=("slash.gd.gradient", "slash.gd.slope-below", "order.times"),
        mutants=(
            Mutant(
                "half a step more",
                le(gap_size * mass(steps) + sp.Rational(1, 2), inner(key_at(steps), MOVE)),
                at=_untrained(),
            ),
        ),
    )


def _arithmetic() -> Claim:
    M, B, P, K = real("M B P K")
    root = sp.sqrt(x)
    goal = le(margin * root, B * K)
    return Claim(
        id="slash.gd.plane-arithmetic",
        title="Compare a plane's growth with the whole key's",
        statement=(
            r"$X\le\sqrt X\,BM$, $\gamma M\le P$, $|P|\le K$, $X,B,\gamma\ge0$ give $\gamma\sqrt X\le BK$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis("the square", le(x, root * B * M)),
            Hypothesis("the component", le(margin * M, P)),
            Hypothesis("its size", le(sp.Abs(P), K)),
            Hypothesis(
                "the square is not negative",
                le(0, x),
                idle="the root of a negative number is 0 by convention",
            ),
            Hypothesis(
                "B is not negative", le(0, B), unshown="its product with M may still be positive"
            ),
            Hypothesis(
                "gamma is not negative",
                le(0, margin),
                idle="a negative gamma bounds nothing, as B K >= 0",
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step("root sign", le(0, root), smt(), "The root", ("the square is not negative",)),
                Step(
                    "root square",
                    eq(sp.Pow(root, 2, evaluate=False), x),
                    identity(),
                    "exists.",
                    ("the square is not negative",),
                ),
                Step(
                    "norm",
                    le(root, B * M),
                    smt(),
                    "Cancel it if it is positive,",
                    ("the square", "root square", "root sign"),
                    (lt(0, root),),
                ),
                Step(
                    "K",
                    Both(le(margin * M, K), le(0, K)),
                    smt(),
                    "and the component is at most the key's norm.",
                    ("the component", "its size"),
                ),
                Step(
                    "times gamma",
                    le(root * margin, B * M * margin),
                    by_claim("order.times", {x: root, y_: B * M, real("t"): margin}),
                    "Multiply by gamma",
                    ("norm", "gamma is not negative"),
                    (lt(0, root),),
                ),
                Step(
                    "times B",
                    le(margin * M * B, K * B),
                    by_claim("order.times", {x: margin * M, y_: K, real("t"): B}),
                    "and by B,",
                    ("K", "B is not negative"),
                ),
                Step(
                    "positive",
                    goal,
                    smt(),
                    "and compare.",
                    ("times gamma", "times B"),
                    (lt(0, root),),
                ),
                Step(
                    "product", le(0, K * B), smt(), "If the root is 0", ("K", "B is not negative")
                ),
                Step(
                    "zero", goal, smt(), "there is nothing to show.", ("product",), (eq(root, 0),)
                ),
                Step("either", goal, smt(), "Either way.", ("positive", "zero", "root sign")),
            )
        ),
        uses=("order.times",),
        mutants=(Mutant("half", le(2 * margin * root, B * K)),),
    )


SLASH_GD_ALONG = _along()
SLASH_GD_PLANE_ARITHMETIC = _arithmetic()

CLAIMS = (SLASH_GD_ALONG, SLASH_GD_PLANE_ARITHMETIC)
