"""No step of gradient descent gains more than four times the square of the loss."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l
from ropeproof.theory.topics.slash.descent.arguments import a_step, same_products
from ropeproof.theory.topics.slash.descent.loss.convex import SLASH_GD_CONVEX
from ropeproof.theory.topics.slash.descent.loss.missing_below import SLASH_GD_MISSING_BELOW
from ropeproof.theory.topics.slash.descent.loss.same_loss import next_loss
from ropeproof.theory.topics.slash.descent.notation import *
from ropeproof.theory.topics.slash.descent.steps.gradient_ceiling import SLASH_GD_GRADIENT_CEILING
from ropeproof.theory.topics.slash.descent.steps.step import SLASH_GD_GRADIENT

NEARLY = sp.Rational(3, 2)
"""Where the loss is less than a twentieth."""


@theorem(
    "slash.gd.slow-step",
    hypotheses=(TIME, *STEPPING),
    conclusion=le(loss(now) - 4 * loss(now) ** 2, loss(after)),
    attack=Attack(
        {"nothing is gained": lt(loss(now), loss(after))},
        at={"nothing is gained": trained(0)},
        without={
            TIME: training({tau: -1, grown_x(-1, 0): NEARLY, grown_y(-1, 0): 0, grown_x(0, 0): 50}),
            PLACE: before_the_first({}),
            BETA: still({}),
            FEATURES: training({tau: 0, beta: sp.Rational(1, 100), grown_x(0, 0): NEARLY}),
            ALGORITHM: training({tau: 0, grown_x(0, 0): NEARLY, grown_x(1, 0): 50}),
            GRADIENTS: training({tau: 0, grown_x(0, 0): NEARLY, slope_x(0, 0): -5000}),
        },
        idle={BETA: NO_FEATURES},
    ),
)
def SLASH_GD_SLOW_STEP(p: Proof) -> None:
    r"""No step of gradient descent gains more than four times the square of the loss

    Gradient descent with step $1/\beta$, on any features with $\|\psi(j)\|^2\le\beta$: $\mathcal
    L(\tau+1)\ge\mathcal L(\tau)-4\mathcal L(\tau)^2$.
    """
    back: Vector = (-grad[0] / beta, -grad[1] / beta)
    along = {**by_name(taking(KEY, now)), **by_name(taking(MOVE, back))}
    is_gradient, is_step = a_step(p, TIME)
    same_loss = next_loss(p, is_step)
    tangent = p.lemma(
        SLASH_GD_CONVEX.at(**along),
        (PLACE, BETA, FEATURES),
        why="The loss after the step lies above the tangent.",
    )
    slope = p.lemma(
        SLASH_GD_GRADIENT.at(**along),
        why="The slope along the step is the product of the gradient with the step.",
    )
    named = same_products(
        is_gradient,
        gradient(now),
        grad,
        back,
        "So the slope is the product of G with the step, -|G|^2/beta.",
    )
    ceiling = p.apply(
        SLASH_GD_GRADIENT_CEILING,
        (PLACE, BETA, FEATURES, is_gradient.for_all(l, why="In every plane G is the gradient.")),
        why="So |G|^2 is at most 4 beta times the square of what is missing.",
    )
    lost = p.lemma(
        SLASH_GD_MISSING_BELOW.at(**by_name(taking(KEY, now))),
        PLACE,
        why="What is missing is at most the loss.",
    )
    divided = ceiling.times(1 / beta, "Divide by beta, which is positive.", BETA)
    squares = p.show(
        le(missing(now) ** 2, loss(now) ** 2),
        "So the square of what is missing is at most that of the loss.",
        lost,
    )
    p.qed("So the step gains at most 4 L^2.", (same_loss, tangent, slope, named, divided, squares))
