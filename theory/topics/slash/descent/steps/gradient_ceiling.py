"""No gradient is longer than what is missing allows."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, key_x, key_y, l
from ropeproof.theory.topics.slash.descent import notation
from ropeproof.theory.topics.slash.descent.arguments import (
    cauchy_schwarz,
    same_products,
    square_sign,
)
from ropeproof.theory.topics.slash.descent.loss.missing_below import SLASH_GD_MISSING_BELOW
from ropeproof.theory.topics.slash.descent.loss.slope_below import SLASH_GD_SLOPE_BELOW
from ropeproof.theory.topics.slash.descent.notation import *
from ropeproof.theory.topics.slash.descent.steps.step import SLASH_GD_GRADIENT
from ropeproof.theory.topics.slash.lags import offset
from ropeproof.theory.topics.slash.sandwich.logit_size import SLASH_ROOT_ORDER

Q, M = real("Q M")
MEANINGS = {
    **notation.MEANINGS,
    **dict.fromkeys((beta, Q, M), "a number"),
    (real_function("G_x"), real_function("G_y")): "the gradient of the loss",
    real_function("G_x"): "first coordinate of the gradient in a plane",
    real_function("G_y"): "second coordinate of the gradient in a plane",
}
BETA_POSITIVE = Hypothesis("beta is not negative", le(0, beta))

# -- a square below its root -------------------------------------------------------------

root, side = sp.sqrt(Q), sp.sqrt(beta)
SQUARE = Hypothesis("the square", le(Q, 2 * (root * side) * M))
Q_POSITIVE = Hypothesis("Q is not negative", le(0, Q))
M_POSITIVE = Hypothesis("M is not negative", le(0, M))


@theorem(
    "slash.gd.ceiling-arithmetic",
    hypotheses=(SQUARE, Q_POSITIVE, BETA_POSITIVE, M_POSITIVE),
    conclusion=le(Q, 4 * beta * M**2),
    attack=Attack(
        {"half": le(Q, 2 * beta * M**2)},
        at={"half": {Q: 4, beta: 1, M: 1}},
        idle={
            Q_POSITIVE: "otherwise the right side is larger",
            M_POSITIVE: "a negative M leaves only Q = 0",
        },
    ),
)
def SLASH_GD_CEILING_ARITHMETIC(p: Proof) -> None:
    r"""A square below its root

    $Q\le2\sqrt Q\sqrt\beta M$ with $Q,\beta,M\ge0$ gives $Q\le4\beta M^2$.
    """
    some, none = p.under(lt(0, root)), p.under(eq(root, 0))
    positive = some.show(
        p.goal,
        "The root of Q has the square Q. If the root is positive, cancel it on both sides. "
        "Square both sides, which are not negative. The square of 2 sqrt(beta) M is 4 beta "
        "M^2. So the bound holds if the root is positive.",
        (SQUARE, Q_POSITIVE, BETA_POSITIVE),
    )
    why = "The bound 4 beta M^2 is not negative."
    right = p.show(le(0, 4 * beta * M**2), why, BETA_POSITIVE)
    zero = none.show(p.goal, "If the root is 0, the left side is 0.", right, Q_POSITIVE)
    p.qed("The bound holds whether the root is positive or 0.", positive, zero)


# -- the gradient ------------------------------------------------------------------------


@theorem(
    "slash.gd.gradient-ceiling",
    meanings={beta: "inverse of the step; the loss's curvature is at most this"},
    hypotheses=(PLACE, BETA_POSITIVE, FEATURES, IS_GRADIENT),
    conclusion=le(square(GRADIENT), 4 * beta * missing(KEY) ** 2),
    attack=Attack(
        {"a third of it": le(3 * square(GRADIENT), beta * missing(KEY) ** 2)},
        at={"a third of it": {**trained(0), key_x(0): 0, key_y(0): 0}},
        idle={BETA_POSITIVE: "it bounds a square"},
        without={
            PLACE: before_the_first({key_x(0): 0, key_y(0): 0, psi_x(-1, 0): 2}),
            FEATURES: training({key_x(0): 0, key_y(0): 0, beta: sp.Rational(1, 100)}),
            IS_GRADIENT: training({key_x(0): 0, key_y(0): 0, GRADIENT[0].subs(l, 0): 500}),
        },
    ),
)
def SLASH_GD_GRADIENT_CEILING(p: Proof) -> None:
    r"""No gradient is longer than what is missing allows

    $\|\nabla\mathcal L(k)\|\le2\sqrt\beta\,(1-\mathrm{Slash}(\Delta))$ on any features with
    $\|\psi(j)\|^2\le\beta$.
    """
    exact, h, total = gradient(KEY), scores(GRADIENT), square(GRADIENT)
    bound = sp.sqrt(total) * sp.sqrt(beta)
    lag, other = p.under(LAG), p.under(OTHER_LAG)

    is_gradient = p.under(PLANE).use(IS_GRADIENT, why="In every plane G is the gradient.")
    sign = square_sign(p, GRADIENT)
    product = cauchy_schwarz(
        p,
        GRADIENT,
        feature(j),
        "By Cauchy-Schwarz the squared score along G is at most a product of squares.",
    )
    size = lag.lemma(
        SLASH_ROOT_ORDER.at(z=h(j), x=total, y=beta),
        (product, FEATURES, sign, BETA_POSITIVE),
        why="The feature of a lag has at most the square beta. So the squared score is at most "
        "beta times the square of G. So the score is at most the length of G times "
        "sqrt(beta) in size.",
    )
    target = p.use(size, {j: offset}, PLACE, why="In particular this holds for the target's score.")
    apart = other.show(
        le(h(j), h(offset) + 2 * bound),
        "So no lag is higher than the target by more than twice that.",
        (size, target),
    )
    slope = p.lemma(
        SLASH_GD_SLOPE_BELOW.at(**by_name(taking(MOVE, GRADIENT)), c=-2 * bound),
        (PLACE, apart.for_all(j, why="This holds at every other lag.")),
        why="So along G the loss rises by at most that times what is missing.",
    )
    rise = p.lemma(
        SLASH_GD_GRADIENT.at(**by_name(taking(MOVE, GRADIENT))),
        why="The slope of the loss along G is the product of the gradient with G.",
    )
    own = same_products(
        is_gradient, exact, GRADIENT, GRADIENT, "So this product is the square of G."
    )
    below = p.show(
        le(total, 2 * bound * missing(KEY)),
        "So the square of G is at most twice its length times sqrt(beta) times what is missing.",
        (slope, rise, own),
    )
    lost = p.apply(SLASH_GD_MISSING_BELOW, PLACE, why="What is missing is not negative.")
    p.lemma(
        SLASH_GD_CEILING_ARITHMETIC.at(Q=total, M=missing(KEY)),
        (below, sign, BETA_POSITIVE, lost),
        why="Cancel the length of G to get the bound.",
    )
