"""What a step gains when every row is mostly right."""

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
from ropeproof.theory.notation import i, key_x, key_y, l, m
from ropeproof.theory.slash.descent.model import (
    BETA,
    FEATURES,
    PLACE,
    beta,
    gradient,
    loss,
    row_loss,
    square,
)
from ropeproof.theory.slash.descent.shared import (
    ALGORITHM,
    GRADIENTS,
    OTHER,
    PLANES,
    SHARE,
    UNIT,
    WINS,
    grad_at,
    key_at,
    margin,
    missing,
    tau,
    x,
    y,
)
from ropeproof.theory.slash.descent.step import GRADIENT, TARGET, gains, stepped
from ropeproof.theory.slash.descent.tail.common import RATE, TRAINING, row, trained
from ropeproof.theory.slash.row import offset
from ropeproof.theory.slash.score import length


def _arithmetic() -> Claim:
    X, Y, M, Q, w = real("X Y M Q w")
    rate = margin**2 * w**2 / (2 * beta)
    goal = le(Y, X - rate * X**2)
    return Claim(
        id="slash.gd.gain-arithmetic",
        title="The gain of a step in terms of the loss",
        statement=(
            r"$Y+\frac Q{2\beta}\le X$, $\gamma^2M^2\le Q$, $0\le wX\le M$ give "
            r"$Y\le X-\frac{\gamma^2w^2}{2\beta}X^2$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis("the gain", le(Y + Q / (2 * beta), X)),
            Hypothesis("the gradient", le(margin**2 * M**2, Q)),
            Hypothesis("what is missing", le(w * X, M)),
            Hypothesis("X is not negative", le(0, X), unshown="the square forgets the sign of M"),
            Hypothesis("w is not negative", le(0, w), unshown="the square forgets the sign of w"),
            Hypothesis("beta is positive", lt(0, beta), unshown="a step of the wrong sign climbs"),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "sign",
                    le(0, w * X),
                    smt(),
                    "wX is not negative,",
                    ("w is not negative", "X is not negative"),
                ),
                Step(
                    "square",
                    le((w * X) ** 2, M**2),
                    smt(),
                    "so squares compare,",
                    ("sign", "what is missing"),
                ),
                Step("gamma", le(0, margin**2), smt(), "times a square,"),
                Step(
                    "scaled",
                    le((w * X) ** 2 * margin**2, M**2 * margin**2),
                    by_claim("order.times", {x: (w * X) ** 2, y: M**2, real("t"): margin**2}),
                    "in order,",
                    ("square", "gamma"),
                ),
                Step(
                    "at most Q",
                    le((w * X) ** 2 * margin**2, Q),
                    smt(),
                    "at most Q.",
                    ("scaled", "the gradient"),
                ),
                Step("inverse", le(0, 1 / (2 * beta)), smt(), "Divide", ("beta is positive",)),
                Step(
                    "divided",
                    le((w * X) ** 2 * margin**2 * (1 / (2 * beta)), Q * (1 / (2 * beta))),
                    by_claim(
                        "order.times",
                        {x: (w * X) ** 2 * margin**2, y: Q, real("t"): 1 / (2 * beta)},
                    ),
                    "by 2 beta,",
                    ("at most Q", "inverse"),
                ),
                Step(
                    "form",
                    eq(rate * X**2, (w * X) ** 2 * margin**2 * (1 / (2 * beta))),
                    identity(),
                    "in this form,",
                ),
                Step("bound", goal, smt(), "and subtract.", ("divided", "form", "the gain")),
            )
        ),
        uses=("order.times",),
        mutants=(Mutant("twice", le(Y, X - 2 * rate * X**2)),),
    )


def _progress() -> Claim:
    now, after = key_at(tau), key_at(tau + 1)
    grad = grad_at(tau)
    exact = gradient(now)
    moved = stepped(now, grad)
    few = le((length - offset) * loss(now), 1)
    mapping = {key_x: sp.Lambda(l, now[0]), key_y: sp.Lambda(l, now[1])}
    step_mapping = {
        **mapping,
        GRADIENT[0].func: sp.Lambda(l, grad[0]),
        GRADIENT[1].func: sp.Lambda(l, grad[1]),
        TARGET[0].func: sp.Lambda(l, now[0]),
        TARGET[1].func: sp.Lambda(l, now[1]),
    }
    is_gradient = Both(*(eq(g, e) for g, e in zip(grad, exact, strict=True)))
    is_step = Both(*(eq(g, e) for g, e in zip(after, moved, strict=True)))
    goal = Both(
        le(loss(after), loss(now)),
        le(0, loss(after)),
        If(few, le(loss(after), loss(now) - RATE * loss(now) ** 2)),
    )
    time = "the time is not negative"
    return Claim(
        id="slash.gd.progress",
        title="What a step gains when every row is mostly right",
        statement=(
            r"Along gradient descent the loss never rises; if $(N-\Delta)\mathcal L(\tau)\le1$ then "
            r"$\mathcal L(\tau+1)\le\mathcal L(\tau)-\frac{(1-1/e)^2\gamma^2}{2\beta}\mathcal L(\tau)^2$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(time, le(0, tau), unshown="the algorithm says nothing about negative times"),
            *TRAINING,
        ),
        conclusion=goal,
        derivation=Derivation(
            (
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
                    "in every plane,",
                    ("gradient at",),
                ),
                Step(
                    "gain",
                    gains(now, grad, now),
                    by_claim("slash.gd.step", step_mapping),
                    "so the step gains.",
                    (PLACE.name, BETA.name, FEATURES.name, "gradient"),
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
                    "so its loss is.",
                    ("step planes",),
                ),
                Step("square term", le(0, grad[0] ** 2 + grad[1] ** 2), smt(), "Squares"),
                Step("square", le(0, square(grad)), termwise(), "are not", ("square term",)),
                Step(
                    "fraction",
                    le(0, square(grad) / (2 * beta)),
                    smt(),
                    "negative,",
                    ("square", BETA.name),
                ),
                Step(
                    "falls",
                    le(loss(after), loss(now)),
                    smt(),
                    "so the loss does not rise.",
                    ("gain", "next loss", "fraction"),
                ),
                Step(
                    "losses after",
                    Both(
                        every(i, offset + 1, length, le(0, row_loss(after))),
                        every(
                            row,
                            offset + 1,
                            length,
                            le(row_loss(after).xreplace({i: row}), (length - offset) * loss(after)),
                        ),
                        le(0, loss(after)),
                    ),
                    by_claim(
                        "slash.gd.row-losses",
                        {key_x: sp.Lambda(l, after[0]), key_y: sp.Lambda(l, after[1])},
                    ),
                    "It is never negative,",
                    (PLACE.name,),
                ),
                Step(
                    "losses now",
                    Both(
                        every(i, offset + 1, length, le(0, row_loss(now))),
                        every(
                            row,
                            offset + 1,
                            length,
                            le(row_loss(now).xreplace({i: row}), (length - offset) * loss(now)),
                        ),
                        le(0, loss(now)),
                    ),
                    by_claim("slash.gd.row-losses", mapping),
                    "before or after.",
                    (PLACE.name,),
                ),
                Step("sign after", le(0, loss(after)), smt(), "After,", ("losses after",)),
                Step("sign now", le(0, loss(now)), smt(), "before.", ("losses now",)),
                Step(
                    "size",
                    le(margin**2 * missing(now) ** 2, square(exact)),
                    by_claim("slash.gd.gradient-size", mapping),
                    "The gradient is at least gamma times what is missing,",
                    (PLACE.name, "gamma is not negative", UNIT.name, WINS.name),
                ),
                Step(
                    "same term",
                    eq(grad[0] ** 2 + grad[1] ** 2, exact[0] ** 2 + exact[1] ** 2),
                    smt(),
                    "as named",
                    ("gradient at",),
                    PLANES,
                ),
                Step(
                    "same square", eq(square(grad), square(exact)), termwise(), "G,", ("same term",)
                ),
                Step(
                    "tail",
                    le(SHARE * loss(now), missing(now)),
                    by_claim("slash.gd.tail", mapping),
                    "of which the loss is a part.",
                    (PLACE.name,),
                    (few,),
                ),
                Step(
                    "gain square",
                    le(loss(after) + square(grad) / (2 * beta), loss(now)),
                    smt(),
                    "The step gains",
                    ("gain", "next loss"),
                ),
                Step(
                    "size named",
                    le(margin**2 * missing(now) ** 2, square(grad)),
                    smt(),
                    "by the gradient's square,",
                    ("size", "same square"),
                ),
                Step(
                    "share bound",
                    le(
                        sp.exp(-sp.Integer(1), evaluate=False),
                        sp.exp(sp.Integer(0), evaluate=False),
                    ),
                    by_claim("exp.monotone", {x: sp.Integer(-1), y: sp.Integer(0)}),
                    "(1 - 1/e is",
                ),
                Step("zero", eq(sp.exp(sp.Integer(0), evaluate=False), 1), identity(), "not"),
                Step("share sign", le(0, SHARE), smt(), "negative)", ("share bound", "zero")),
                Step(
                    "step",
                    le(loss(after), loss(now) - RATE * loss(now) ** 2),
                    by_claim(
                        "slash.gd.gain-arithmetic",
                        {
                            real("X"): loss(now),
                            real("Y"): loss(after),
                            real("M"): missing(now),
                            real("Q"): square(grad),
                            real("w"): SHARE,
                        },
                    ),
                    "a multiple of the square of the loss.",
                    ("gain square", "size named", "tail", "sign now", "share sign", BETA.name),
                    (few,),
                ),
                Step("all", goal, smt(), "All three.", ("falls", "sign after", "step")),
            )
        ),
        uses=(
            "slash.gd.step",
            "slash.gd.same-loss",
            "slash.gd.row-losses",
            "slash.gd.gradient-size",
            "slash.gd.tail",
            "slash.gd.gain-arithmetic",
            "exp.monotone",
        ),
        mutants=(Mutant("the loss is constant", eq(loss(after), loss(now)), at=trained(0)),),
    )


SLASH_GD_GAIN_ARITHMETIC = _arithmetic()
SLASH_GD_PROGRESS = _progress()

CLAIMS = (SLASH_GD_GAIN_ARITHMETIC, SLASH_GD_PROGRESS)
