"""The gradient is at least the margin times what is missing."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import key_x, key_y
from ropeproof.theory.topics.slash.descent import notation
from ropeproof.theory.topics.slash.descent.arguments import best_is_lower_by, cauchy_schwarz
from ropeproof.theory.topics.slash.descent.loss.missing_below import SLASH_GD_MISSING_BELOW
from ropeproof.theory.topics.slash.descent.loss.slope_below import SLASH_GD_SLOPE_BELOW
from ropeproof.theory.topics.slash.descent.notation import *
from ropeproof.theory.topics.slash.descent.steps.step import SLASH_GD_GRADIENT

A, M, Q = real("A M Q")
MEANINGS = {**notation.MEANINGS, **dict.fromkeys((margin, A, M, Q), "a number")}

# -- squares -----------------------------------------------------------------------------

M_POSITIVE = Hypothesis("M is not negative", le(0, M))
FALLS = Hypothesis("the slope", le(A, -margin * M))
SQUARE = Hypothesis("its square", le(A**2, Q))


@theorem(
    "slash.gd.square-order",
    hypotheses=(MARGIN, M_POSITIVE, FALLS, SQUARE),
    conclusion=le(margin**2 * M**2, Q),
    attack=Attack({"twice": le(2 * margin**2 * M**2, Q)}),
)
def SLASH_GD_SQUARE_ORDER(p: Proof) -> None:
    r"""A slope below minus gamma M, squared

    If $A\le-\gamma M$ with $\gamma,M\ge0$ and $A^2\le Q$ then $\gamma^2M^2\le Q$.
    """
    p.qed(
        "The product gamma M is not negative. So the square of gamma M is at most that of A. "
        "The square of the product is at most Q.",
        (MARGIN, M_POSITIVE, FALLS, SQUARE),
    )


# -- the gradient ------------------------------------------------------------------------


_AT_0 = {key_x(0): 0, key_y(0): 0}


@theorem(
    "slash.gd.gradient-size",
    meanings={margin: "margin by which k* separates the target"},
    hypotheses=(PLACE, MARGIN, UNIT, WINS),
    conclusion=le(margin**2 * missing(KEY) ** 2, square(gradient(KEY))),
    attack=Attack(
        {"twice": le(4 * margin**2 * missing(KEY) ** 2, square(gradient(KEY)))},
        at={"twice": {**ONE_PLANE, **_AT_0}},
        without={
            PLACE: {**before_the_first({psi_x(0, 0): 2, best_x(0): -1}), **_AT_0},
            MARGIN: {**ONE_PLANE, **_AT_0, margin: -1000},
            UNIT: {**ONE_PLANE, **_AT_0, best_x(0): 10, margin: 20},
            WINS: {**ONE_PLANE, **_AT_0, margin: 1000},
        },
    ),
)
def SLASH_GD_GRADIENT_SIZE(p: Proof) -> None:
    r"""The gradient is at least the margin times what is missing

    $\|\nabla\mathcal L(k)\|\ge\gamma\,(1-\mathrm{Slash}(\Delta))$ if a unit vector separates the
    target by $\gamma\ge0$.
    """
    along, down = slope(KEY, BEST), square(gradient(KEY))
    falls = p.apply(
        SLASH_GD_SLOPE_BELOW,
        (PLACE, best_is_lower_by(p)),
        why="So along k* the loss falls by at least gamma times what is missing.",
    )
    product = p.lemma(
        SLASH_GD_GRADIENT.at(**by_name(taking(MOVE, BEST))),
        why="The slope of the loss along k* is the product of the gradient with k*.",
    )
    cauchy = cauchy_schwarz(
        p,
        gradient(KEY),
        BEST,
        "By Cauchy-Schwarz its square is at most the product of both squares.",
    )
    lost = p.apply(SLASH_GD_MISSING_BELOW, PLACE, why="What is missing is not negative.")
    p.lemma(
        SLASH_GD_SQUARE_ORDER.at(A=along, M=missing(KEY), Q=down),
        (falls, lost, MARGIN, product, cauchy, UNIT),
        why="As k* is a unit vector, it is at most the square of the gradient. So the squares of "
        "both bounds have this order.",
    )
