"""A plane whose features hardly differ hardly grows."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.order import ORDER_TIMES, x
from ropeproof.theory.library.sums.indicators import SUMS_INDICATOR, indicator, plane
from ropeproof.theory.topics.slash.corpus import length
from ropeproof.theory.topics.slash.descent import arguments, notation
from ropeproof.theory.topics.slash.descent.heads.along import (
    FROM_START,
    SLASH_GD_ALONG,
    UNTRAINED,
    missed,
)
from ropeproof.theory.topics.slash.descent.notation import *
from ropeproof.theory.topics.slash.lags import offset
from ropeproof.theory.topics.slash.sandwich.logit_size import SLASH_ROOT_ORDER

z = real("z")
B, M, P, K = real("B M P K")
MEANINGS = {
    **notation.MEANINGS,
    plane: "the plane",
    **dict.fromkeys((margin, B, M, P, K), "a number"),
}
REACH = Hypothesis("B is not negative", le(0, B))

# -- numbers -----------------------------------------------------------------------------

root = sp.sqrt(x)
SQUARE = Hypothesis("the square", le(x, root * B * M))
COMPONENT = Hypothesis("the component", le(margin * M, P))
SIZE = Hypothesis("its size", le(sp.Abs(P), K))
SQUARE_SIGN = Hypothesis("the square is not negative", le(0, x))


@theorem(
    "slash.gd.plane-arithmetic",
    hypotheses=(SQUARE, COMPONENT, SIZE, SQUARE_SIGN, REACH, MARGIN),
    conclusion=le(margin * root, B * K),
    attack=Attack(
        {"half": le(2 * margin * root, B * K)},
        idle={
            SQUARE_SIGN: "the root of a negative number is 0 by convention",
            MARGIN: "a negative gamma bounds nothing, as B K >= 0",
        },
        without={REACH: {x: 1, B: -1, M: -2, margin: 1, P: 0, K: 0}},
    ),
)
def SLASH_GD_PLANE_ARITHMETIC(p: Proof) -> None:
    r"""Compare a plane's growth with the whole key's

    $x\le\sqrt x\,BM$, $\gamma M\le P$, $|P|\le K$, $x,B,\gamma\ge0$ give $\gamma\sqrt x\le BK$.
    """
    some, none = p.under(lt(0, root)), p.under(eq(root, 0))
    by_reach = p.lemma(
        ORDER_TIMES.at(x=margin * M, y=K, t=B),
        (COMPONENT, SIZE, REACH),
        why="The component gamma M is at most K, which is not negative. Multiply the bound of "
        "gamma M by B, which is not negative.",
    )
    positive = some.show(
        p.goal,
        "The square of the root of X is X. If the root is positive, cancel it on both sides. "
        "Multiply the bound of the root by gamma, which is not negative. So gamma times the "
        "root is at most B K if the root is positive.",
        (SQUARE, SQUARE_SIGN, MARGIN, by_reach),
    )
    zero = none.show(
        p.goal,
        "The product B K is not negative. If the root is 0, the left side is 0.",
        (COMPONENT, SIZE, REACH),
    )
    p.qed("The bound holds whether the root is positive or 0.", positive, zero)


# -- the plane ---------------------------------------------------------------------------

key, own = key_at(steps), (grown_x(steps, plane), grown_y(steps, plane))
own_square = own[0] ** 2 + own[1] ** 2
difference = (psi_x(offset, plane) - psi_x(j, plane), psi_y(offset, plane) - psi_y(j, plane))
apart = difference[0] ** 2 + difference[1] ** 2

IN_RANGE = Hypothesis("the plane is one of the planes", within(plane, 0, m - 1))
CLOSE = Hypothesis(
    "features differ by at most B in the plane", every(j, 0, length - 1, le(apart, B**2))
)


EITHER_WAY = (
    "the proof bounds beta k_p and beta k along k*; with a negative beta both sides change their "
    "signs, and with beta = 0 (1/0 = 0) no key moves"
)
"""Why beta need not be positive."""


def two_planes(changed: Values) -> Values:
    """Plane 0 has the same features at both lags, so that its key stays 0; plane 1 has opposite ones."""
    usual = {m: 2, length: 2, offset: 1, beta: 2, margin: 2, plane: 0, steps: 1, B: 0}
    usual |= {psi_x(lag, 0): 1 for lag in (0, 1)} | {psi_x(0, 1): -1, psi_x(1, 1): 1}
    usual |= {psi_y(lag, number): 0 for lag in (0, 1) for number in (0, 1)}
    usual |= {best_x(number): number for number in (0, 1)}
    usual |= {best_y(number): 0 for number in (0, 1)}
    usual |= {part(0, number): 0 for part in (grown_x, grown_y) for number in (0, 1)}
    return {**usual, **changed}


BEFORE: Values = {
    **{length: 1, offset: -1, psi_x(0, 1): -1, psi_x(-1, 0): 1, psi_x(-1, 1): 1},
    **{psi_y(-1, number): 0 for number in (0, 1)},
}
"""What changes if the target is before the first row: the first row is empty."""
_FIFTH = {part(lag, 5): 0 for part in (psi_x, psi_y) for lag in (0, 1)}


@theorem(
    "slash.gd.plane-bound",
    meanings={
        B: "bound of the features' distances in the plane",
        margin: "margin by which k* separates the target",
    },
    hypotheses=(IN_RANGE, *FROM_START, MARGIN, UNIT, WINS, REACH, CLOSE),
    conclusion=le(margin * sp.sqrt(own_square), B * sp.sqrt(square(key))),
    attack=Attack(
        {"strictly": lt(margin * sp.sqrt(own_square), B * sp.sqrt(square(key)))},
        at={"strictly": {**UNTRAINED, B: 2}},
        without={
            IN_RANGE: two_planes(
                {plane: 5, steps: 0, grown_x(0, 5): 5, grown_y(0, 5): 0, **_FIFTH}
            ),
            STEPS: two_planes({steps: -1, grown_x(-1, 0): 5}),
            PLACE: two_planes(BEFORE),
            START: two_planes({grown_x(0, 0): 5}),
            ALGORITHM: two_planes({grown_x(1, 0): 5}),
            GRADIENTS: two_planes({slope_x(0, 0): 500}),
            UNIT: two_planes({plane: 1, B: 2, best_x(1): 10, margin: 20}),
            WINS: two_planes({plane: 1, B: 2, margin: 100}),
            REACH: two_planes({plane: 1, B: -2}),
            CLOSE: two_planes({plane: 1}),
        },
        idle={MARGIN: "a negative gamma bounds nothing", BETA: EITHER_WAY},
    ),
)
def SLASH_GD_PLANE_BOUND(p: Proof) -> None:
    r"""A plane whose features hardly differ hardly grows

    If a unit vector separates the target by $\gamma\ge0$, and $|\psi_p(\Delta)-\psi_p(t)|\le B$ for
    every $t<N$, then $\gamma\,\|k_p(T)\|\le B\,\|k(T)\|$ at every step of gradient descent from 0
    with step $1/\beta$, $\beta>0$.
    """
    size, here = sp.sqrt(own_square), indicator(l, plane)
    minus: Vector = (-here * own[0], -here * own[1])

    def in_the_plane(vector: Vector, why: str) -> Fact:
        """Of a vector's product with `minus` the indicator picks the plane's part."""

        def term(at: Any) -> Any:
            return -own[0] * vector[0].subs(l, at) - own[1] * vector[1].subs(l, at)

        return p.lemma(SUMS_INDICATOR.at(f=term), IN_RANGE, why=why)

    score = scores(minus)
    at_lag = in_the_plane(
        feature(j), "Along minus the plane's key a lag's score is the plane's part of the product."
    )
    target = in_the_plane(
        feature(offset), "Along minus the plane's key the target's score is the plane's part, too."
    )
    lag = p.under(OTHER_LAG)
    projected = own[0] * difference[0] + own[1] * difference[1]
    crossed = (own[0] * difference[1] - own[1] * difference[0]) ** 2
    near = lag.use(CLOSE, why="In the plane the features differ by at most B.")
    lagrange = p.show(
        eq(own_square * apart - projected**2, crossed),
        "By Lagrange's identity the product of squares exceeds the squared product by a square.",
    )
    below = lag.show(
        le(projected**2, own_square * B**2),
        "Multiply the squared difference by the square of the plane's key. So the squared "
        "product is at most B^2 times the square of the plane's key.",
        (
            lagrange,
            p.show(le(0, crossed), "The square of the crossed product is not negative."),
            near,
        ),
    )
    seen = lag.lemma(
        SLASH_ROOT_ORDER.at(z=projected, x=own_square, y=B**2),
        below,
        why="So the product is at most the norm of the plane's key times B.",
    )
    lower = lag.show(
        le(score(j), score(offset) + size * B),
        "So along this direction no lag is higher than the target by more.",
        (seen, REACH, at_lag, target),
    )
    fallen = p.lemma(
        SLASH_GD_ALONG.at(**by_name(taking(MOVE, minus)), c=-(size * B)),
        (FROM_START, lower.for_all(j, why="This holds at every other lag.")),
        why="So along it the key has not fallen by more than that times what was missing.",
    )
    part = in_the_plane(
        key, "The key's component along this direction is the plane's part of the product."
    )

    risen = p.apply(
        SLASH_GD_ALONG,
        (FROM_START, arguments.best_is_lower_by(p)),
        why="Along k* the key has grown by at least gamma times what was missing.",
    )
    cauchy = arguments.cauchy_schwarz(
        p,
        key,
        BEST,
        "By Cauchy-Schwarz the squared component along k* is at most a product of squares.",
    )
    key_sign = arguments.square_sign(p, key)
    whole = p.lemma(
        SLASH_ROOT_ORDER.at(z=inner(key, BEST), x=square(key), y=1),
        (cauchy, UNIT, key_sign),
        why="As k* is a unit vector, it is at most the square of the key. So the component along "
        "k* is at most the norm of the key.",
    )
    p.lemma(
        SLASH_GD_PLANE_ARITHMETIC.at(
            x=own_square, M=missed(steps), P=inner(key, BEST), K=sp.sqrt(square(key))
        ),
        (fallen, part, risen, whole, REACH, MARGIN),
        why="So the square of the plane's key is at most its norm times B times what was "
        "missing. Compare the growth of the plane with that along k*.",
    )
