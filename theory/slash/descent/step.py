"""One step of gradient descent with step size 1/beta: what it gains, against any comparator."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    chain,
    identity,
    instance,
    smt,
    swap,
    termwise,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import i, j, l, m, over_planes
from ropeproof.theory.slash.descent.convex import KEY, MOVE
from ropeproof.theory.slash.descent.model import (
    BETA,
    FEATURES,
    PLACE,
    Vector,
    beta,
    gradient,
    inner,
    loss,
    mean_feature,
    partition,
    psi_x,
    psi_y,
    row_slope,
    scores,
    slope,
    square,
)
from ropeproof.theory.slash.row import offset
from ropeproof.theory.slash.score import length

v_x, v_y = real_function("v_x"), real_function("v_y")
TARGET: Vector = (real_function("u_x")(l), real_function("u_y")(l))


GRADIENT: Vector = (real_function("G_x")(l), real_function("G_y")(l))
IS_GRADIENT = Hypothesis(
    "G is the gradient",
    every(l, 0, m - 1, Both(*(eq(g, d) for g, d in zip(GRADIENT, gradient(KEY), strict=True)))),
)


def stepped(key: Vector, grad: Vector) -> Vector:
    """k - grad / beta."""
    return key[0] - grad[0] / beta, key[1] - grad[1] / beta


def distance(first: Vector, second: Vector) -> Any:
    """The squared distance of two vectors."""
    return square((first[0] - second[0], first[1] - second[1]))


def gains(key: Vector, grad: Vector, target: Vector) -> Any:
    """A step lowers the loss, and comes nearer to whatever has a smaller loss."""
    after = stepped(key, grad)
    return Both(
        le(loss(after) + square(grad) / (2 * beta), loss(key)),
        le(
            loss(after) - loss(target), beta / 2 * (distance(key, target) - distance(after, target))
        ),
    )


def _slope() -> Claim:
    g, h = scores(KEY), scores(MOVE)
    goal = eq(slope(KEY, MOVE), inner(gradient(KEY), MOVE))
    nested = sp.Sum(
        over_planes(sp.exp(g(j)) * (MOVE[0] * psi_x(j, l) + MOVE[1] * psi_y(j, l))), (j, 0, i - 1)
    )
    swapped = over_planes(
        sp.Sum(sp.exp(g(j)) * (MOVE[0] * psi_x(j, l) + MOVE[1] * psi_y(j, l)), (j, 0, i - 1))
    )
    top_x = sp.Sum(sp.exp(g(j)) * psi_x(j, l), (j, 0, i - 1))
    top_y = sp.Sum(sp.exp(g(j)) * psi_y(j, l), (j, 0, i - 1))
    by_plane = over_planes(MOVE[0] * top_x + MOVE[1] * top_y)
    first, second = mean_feature(KEY)
    row = over_planes(first * MOVE[0] + second * MOVE[1])
    rows = sp.Sum(row, (i, offset + 1, length))
    turned = over_planes(sp.Sum(first * MOVE[0] + second * MOVE[1], (i, offset + 1, length)))
    plain = sp.Sum(row_slope(KEY, MOVE), (i, offset + 1, length))
    return Claim(
        id="slash.gd.gradient",
        title="The gradient of the loss",
        statement=(
            r"The directional derivative of $\mathcal L$ is $\langle\nabla\mathcal L,v\rangle$ with "
            r"$\nabla\mathcal L=\frac1{N-\Delta}\sum_{i>\Delta}\big[\sum_tS_{i,i-t}\psi(t)"
            r"-\psi(\Delta)\big]$."
        ),
        needs=frozenset("PX"),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "nested",
                    eq(sp.Sum(sp.exp(g(j)) * h(j), (j, 0, i - 1)), nested),
                    identity(),
                    "The mean score of the move is a double sum,",
                ),
                Step("swap", eq(nested, swapped), swap(), "which is exchanged:"),
                Step("planes", eq(swapped, by_plane), identity(), "plane by plane"),
                Step(
                    "mean",
                    eq(row, by_plane / partition(KEY) - h(offset)),
                    identity(),
                    "the mean feature meets the move.",
                ),
                Step(
                    "row",
                    eq(row_slope(KEY, MOVE), row),
                    smt(),
                    "So a row's slope is its mean feature's product with the move,",
                    ("nested", "swap", "planes", "mean"),
                ),
                Step("sum", eq(plain, rows), termwise(), "summed over the rows,", ("row",)),
                Step("exchange", eq(rows, turned), swap(), "exchanged"),
                Step(
                    "collect",
                    eq(turned / (length - offset), inner(gradient(KEY), MOVE)),
                    identity(),
                    "and collected.",
                ),
                Step(
                    "slope",
                    goal,
                    smt(),
                    "That is the product with the gradient.",
                    ("sum", "exchange", "collect"),
                ),
            )
        ),
        mutants=(Mutant("twice", eq(slope(KEY, MOVE), 2 * inner(gradient(KEY), MOVE))),),
    )


def _step() -> Claim:
    grad = GRADIENT
    after = stepped(KEY, grad)
    back = (-grad[0] / beta, -grad[1] / beta)
    toward = (TARGET[0] - KEY[0], TARGET[1] - KEY[1])
    names = (PLACE.name, FEATURES.name)
    product = inner(grad, toward)
    real_grad = gradient(KEY)
    planes = (le(0, l), le(l, m - 1))
    goal = gains(KEY, grad, TARGET)

    def tangent(label: str, move: Vector, end: Vector, why: str) -> tuple[Step, ...]:
        mapping = {v_x: sp.Lambda(l, move[0]), v_y: sp.Lambda(l, move[1])}
        named = inner(grad, move)
        exact = inner(real_grad, move)
        return (
            Step(
                f"{label} bounds",
                Both(
                    le(loss(KEY) + slope(KEY, move), loss(end)),
                    le(loss(end), loss(KEY) + slope(KEY, move) + beta * square(move) / 2),
                ),
                by_claim("slash.gd.convex", mapping),
                why,
                (*names, "beta"),
            ),
            Step(
                f"{label} slope",
                eq(slope(KEY, move), exact),
                by_claim("slash.gd.gradient", mapping),
                "whose slope",
            ),
            Step(
                f"{label} plane",
                eq(
                    real_grad[0] * move[0] + real_grad[1] * move[1],
                    grad[0] * move[0] + grad[1] * move[1],
                ),
                smt(),
                "is",
                ("gradient",),
                planes,
            ),
            Step(
                f"{label} product",
                eq(exact, named),
                termwise(),
                "the product with the gradient,",
                (f"{label} plane",),
            ),
            Step(
                f"{label} named",
                eq(slope(KEY, move), named),
                chain(),
                "as named.",
                (f"{label} slope", f"{label} product"),
            ),
        )

    return Claim(
        id="slash.gd.step",
        title="One step of gradient descent",
        statement=(
            r"With $k'=k-\frac1\beta\nabla\mathcal L(k)$: "
            r"$\mathcal L(k')\le\mathcal L(k)-\frac1{2\beta}\|\nabla\mathcal L(k)\|^2$ and "
            r"$\mathcal L(k')-\mathcal L(u)\le\frac\beta2\big(\|k-u\|^2-\|k'-u\|^2\big)$ for every $u$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                PLACE.name,
                PLACE.formula,
                idle="rows without keys have a linear loss; without rows all is 0",
            ),
            Hypothesis(BETA.name, BETA.formula, unshown="a step of the wrong sign climbs"),
            Hypothesis(
                FEATURES.name,
                FEATURES.formula,
                unshown="features longer than sqrt(beta): too long a step",
            ),
            Hypothesis(
                IS_GRADIENT.name, IS_GRADIENT.formula, unshown="another direction may climb"
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step("beta", le(0, beta), smt(), "beta is positive.", (BETA.name,)),
                Step(
                    "gradient",
                    Both(eq(grad[0], real_grad[0]), eq(grad[1], real_grad[1])),
                    instance({l: l}),
                    "G is the gradient.",
                    (IS_GRADIENT.name,),
                    planes,
                ),
                *tangent("back", back, after, "Along the step the loss lies below the parabola,"),
                Step(
                    "product back",
                    eq(inner(grad, back), -square(grad) / beta),
                    identity(),
                    "The slope is -|grad|^2 / beta",
                ),
                Step(
                    "square back",
                    eq(square(back), square(grad) / beta**2),
                    identity(),
                    "over the length |grad| / beta.",
                ),
                Step(
                    "half",
                    eq(beta * (square(grad) / beta**2) / 2, square(grad) / beta / 2),
                    identity(),
                    "Half of it",
                    (BETA.name,),
                ),
                Step(
                    "descent",
                    le(loss(after) + square(grad) / (2 * beta), loss(KEY)),
                    smt(),
                    "is gained.",
                    ("back bounds", "back named", "product back", "square back", "half", BETA.name),
                ),
                *tangent("toward", toward, TARGET, "The comparator lies above the tangent,"),
                Step(
                    "distance",
                    eq(
                        distance(after, TARGET),
                        distance(KEY, TARGET) + 2 / beta * product + square(grad) / beta**2,
                    ),
                    identity(),
                    "The step changes the distance to it by this slope.",
                ),
                Step(
                    "scaled",
                    eq(
                        beta
                        / 2
                        * (
                            distance(KEY, TARGET)
                            - (distance(KEY, TARGET) + 2 / beta * product + square(grad) / beta**2)
                        ),
                        -product - square(grad) / (2 * beta),
                    ),
                    identity(),
                    "So what the distance gains",
                    (BETA.name,),
                ),
                Step(
                    "rewritten",
                    eq(
                        beta / 2 * (distance(KEY, TARGET) - distance(after, TARGET)),
                        -product - square(grad) / (2 * beta),
                    ),
                    smt(),
                    "pays for",
                    ("distance", "scaled"),
                ),
                Step(
                    "gain",
                    le(
                        loss(after) - loss(TARGET),
                        beta / 2 * (distance(KEY, TARGET) - distance(after, TARGET)),
                    ),
                    smt(),
                    "the loss above the comparator's.",
                    ("descent", "toward bounds", "toward named", "rewritten"),
                ),
                Step("both", goal, smt(), "Both.", ("descent", "gain")),
            )
        ),
        uses=("slash.gd.convex", "slash.gd.gradient"),
        mutants=(
            Mutant(
                "three halves of the gain",
                le(loss(after) + 3 * square(grad) / (2 * beta), loss(KEY)),
            ),
            Mutant(
                "half the distance",
                le(
                    loss(after) - loss(TARGET),
                    beta / 8 * (distance(KEY, TARGET) - distance(after, TARGET)),
                ),
            ),
        ),
    )


SLASH_GD_GRADIENT = _slope()
SLASH_GD_STEP = _step()

CLAIMS = (SLASH_GD_GRADIENT, SLASH_GD_STEP)
