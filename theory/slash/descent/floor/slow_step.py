"""No step of gradient descent gains more than four times the square of the loss."""

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
from ropeproof.theory.notation import key_x, key_y, l, m
from ropeproof.theory.slash.descent.floor.common import L0, K, X, Y
from ropeproof.theory.slash.descent.model import (
    BETA,
    FEATURES,
    PLACE,
    Vector,
    beta,
    gradient,
    inner,
    loss,
    slope,
    square,
)
from ropeproof.theory.slash.descent.shared import (
    ALGORITHM,
    GRADIENTS,
    OTHER,
    PLANES,
    TRAINING,
    grad_at,
    key_at,
    missing,
    tau,
    trained,
    v_x,
    v_y,
    x,
    y,
)
from ropeproof.theory.slash.descent.step import GRADIENT, stepped


def _slow_step() -> Claim:
    now, after, grad = key_at(tau), key_at(tau + 1), grad_at(tau)
    exact = gradient(now)
    moved = stepped(now, grad)
    back: Vector = (-grad[0] / beta, -grad[1] / beta)
    here = {key_x: sp.Lambda(l, now[0]), key_y: sp.Lambda(l, now[1])}
    mapping = {**here, v_x: sp.Lambda(l, back[0]), v_y: sp.Lambda(l, back[1])}
    is_gradient = Both(*(eq(g, e) for g, e in zip(grad, exact, strict=True)))
    is_step = Both(*(eq(g, e) for g, e in zip(after, moved, strict=True)))
    goal = le(loss(now) - 4 * loss(now) ** 2, loss(after))
    time = "the time is not negative"
    names = (PLACE.name, BETA.name, FEATURES.name, ALGORITHM.name, GRADIENTS.name)
    return Claim(
        id="slash.gd.slow-step",
        title="No step of gradient descent gains more than four times the square of the loss",
        statement=r"$\mathcal L(\tau+1)\ge\mathcal L(\tau)-4\mathcal L(\tau)^2$.",
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(time, le(0, tau), unshown="the algorithm says nothing about negative times"),
            *(h for h in TRAINING if h.name in names),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step("beta", le(0, beta), smt(), "beta is positive.", (BETA.name,)),
                Step(
                    "gradient at",
                    is_gradient,
                    instance({tau: tau, l: l}),
                    "G is the gradient,",
                    (GRADIENTS.name, time),
                    PLANES,
                ),
                Step(
                    "gradient",
                    every(l, 0, m - 1, is_gradient),
                    generalise(),
                    "in every plane.",
                    ("gradient at",),
                ),
                Step(
                    "step plane",
                    is_step,
                    instance({tau: tau, l: l}),
                    "The next key",
                    (ALGORITHM.name, time),
                    PLANES,
                ),
                Step(
                    "step planes",
                    every(l, 0, m - 1, is_step),
                    generalise(),
                    "is the step's,",
                    ("step plane",),
                ),
                Step(
                    "next loss",
                    eq(loss(after), loss(moved)),
                    by_claim(
                        "slash.gd.same-loss",
                        {
                            OTHER[0].func: sp.Lambda(l, after[0]),
                            OTHER[1].func: sp.Lambda(l, after[1]),
                            key_x: sp.Lambda(l, moved[0]),
                            key_y: sp.Lambda(l, moved[1]),
                        },
                    ),
                    "with its loss,",
                    ("step planes",),
                ),
                Step(
                    "tangent",
                    Both(
                        le(loss(now) + slope(now, back), loss(moved)),
                        le(loss(moved), loss(now) + slope(now, back) + beta * square(back) / 2),
                    ),
                    by_claim("slash.gd.convex", mapping),
                    "which lies above the tangent.",
                    (PLACE.name, "beta", FEATURES.name),
                ),
                Step(
                    "slope",
                    eq(slope(now, back), inner(exact, back)),
                    by_claim("slash.gd.gradient", mapping),
                    "Its slope",
                ),
                Step(
                    "plane",
                    eq(
                        exact[0] * back[0] + exact[1] * back[1],
                        grad[0] * back[0] + grad[1] * back[1],
                    ),
                    smt(),
                    "is",
                    ("gradient at",),
                    PLANES,
                ),
                Step(
                    "named", eq(inner(exact, back), inner(grad, back)), termwise(), "-", ("plane",)
                ),
                Step(
                    "square",
                    eq(inner(grad, back), -square(grad) / beta),
                    identity(),
                    "|grad|^2 / beta,",
                ),
                Step(
                    "ceiling",
                    le(square(grad), 4 * beta * missing(now) ** 2),
                    by_claim(
                        "slash.gd.gradient-ceiling",
                        {
                            **here,
                            GRADIENT[0].func: sp.Lambda(l, grad[0]),
                            GRADIENT[1].func: sp.Lambda(l, grad[1]),
                        },
                    ),
                    "with a gradient that is short",
                    (PLACE.name, "beta", FEATURES.name, "gradient"),
                ),
                Step(
                    "missing",
                    Both(le(0, missing(now)), le(missing(now), loss(now))),
                    by_claim("slash.gd.missing-below", here),
                    "if the loss is small.",
                    (PLACE.name,),
                ),
                Step("inverse", lt(0, 1 / beta), smt(), "Divide", (BETA.name,)),
                Step(
                    "divided",
                    le(square(grad) * (1 / beta), 4 * beta * missing(now) ** 2 * (1 / beta)),
                    by_claim(
                        "order.times",
                        {x: square(grad), y: 4 * beta * missing(now) ** 2, real("t"): 1 / beta},
                    ),
                    "by beta:",
                    ("ceiling", "inverse"),
                ),
                Step(
                    "form",
                    eq(4 * beta * missing(now) ** 2 * (1 / beta), 4 * missing(now) ** 2),
                    identity(),
                    "it cancels.",
                    (BETA.name,),
                ),
                Step(
                    "squares",
                    le(missing(now) ** 2, loss(now) ** 2),
                    smt(),
                    "What is missing is at most the loss,",
                    ("missing",),
                ),
                Step(
                    "slow",
                    goal,
                    smt(),
                    "so the step gains at most 4 L^2.",
                    (
                        "next loss",
                        "tangent",
                        "slope",
                        "named",
                        "square",
                        "divided",
                        "form",
                        "squares",
                    ),
                ),
            )
        ),
        uses=(
            "slash.gd.same-loss",
            "slash.gd.convex",
            "slash.gd.gradient",
            "slash.gd.gradient-ceiling",
            "slash.gd.missing-below",
            "order.times",
        ),
        mutants=(Mutant("nothing is gained", lt(loss(now), loss(after)), at=trained(0)),),
    )


def _recursion_step() -> Claim:
    goal = le(L0, Y * (K + 8 * L0))
    return Claim(
        id="slash.gd.floor-step",
        title="One step of the floor's recursion",
        statement=(
            r"If $Y\ge X-4X^2$, $0<X\le\frac18$, $XK\ge L_0\ge0$, $K\ge1$ then $Y(K+8L_0)\ge L_0$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis("the step", le(X - 4 * X**2, Y)),
            Hypothesis("X is positive", lt(0, X), unshown="X = 0 leaves only L_0 = 0"),
            Hypothesis("X is at most 1/8", le(X, sp.Rational(1, 8))),
            Hypothesis("so far", le(L0, X * K)),
            Hypothesis(
                "the first is not negative", le(0, L0), unshown="the factor may change sign"
            ),
            Hypothesis("the factor is at least 1", le(1, K), unshown="the factor may change sign"),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "ratio",
                    le(X, (X - 4 * X**2) * (1 + 8 * X)),
                    smt(),
                    "(X - 4X^2)(1 + 8X) - X = 4X^2(1 - 8X).",
                    ("X is positive", "X is at most 1/8"),
                ),
                Step(
                    "grown",
                    le(X, Y * (1 + 8 * X)),
                    smt(),
                    "So Y(1 + 8X) >= X,",
                    ("ratio", "the step", "X is positive"),
                ),
                Step(
                    "room",
                    le(0, K + 8 * L0),
                    smt(),
                    "and with a positive factor",
                    ("the first is not negative", "the factor is at least 1"),
                ),
                Step(
                    "product",
                    le(X * (K + 8 * L0), Y * (1 + 8 * X) * (K + 8 * L0)),
                    by_claim("order.times", {x: X, y: Y * (1 + 8 * X), real("t"): K + 8 * L0}),
                    "times K + 8 L_0.",
                    ("grown", "room"),
                ),
                Step(
                    "left",
                    le(L0 * (1 + 8 * X), X * (K + 8 * L0)),
                    smt(),
                    "The left side is at least L_0(1 + 8X),",
                    ("so far",),
                ),
                Step(
                    "both",
                    le(L0 * (1 + 8 * X), Y * (K + 8 * L0) * (1 + 8 * X)),
                    smt(),
                    "so that",
                    ("product", "left"),
                ),
                Step("positive", lt(0, 1 + 8 * X), smt(), "1 + 8X", ("X is positive",)),
                Step(
                    "cancel",
                    goal,
                    by_claim("slash.cancel", {x: L0, y: Y * (K + 8 * L0), real("t"): 1 + 8 * X}),
                    "cancels.",
                    ("both", "positive"),
                ),
            )
        ),
        uses=("order.times", "slash.cancel"),
        mutants=(
            Mutant(
                "four for eight",
                le(L0, Y * (K + 4 * L0)),
                at=(
                    eq(X, sp.Rational(1, 8)),
                    eq(L0, sp.Rational(1, 8)),
                    eq(K, 1),
                    eq(Y, sp.Rational(1, 16)),
                ),
            ),
        ),
    )


SLASH_GD_SLOW_STEP = _slow_step()
SLASH_GD_FLOOR_STEP = _recursion_step()

CLAIMS = (SLASH_GD_SLOW_STEP, SLASH_GD_FLOOR_STEP)
