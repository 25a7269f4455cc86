"""Inequalities between numbers on which the cone theorem rests."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import t
from ropeproof.theory.topics.slash.sandwich.logit_size import SLASH_SIZE_ORDER

x, y = real("x y")
eps, zeta, size = real("varepsilon zeta a")
V, P, Z, A, X = real("V P Z A X")
MEANINGS: Meanings = {
    **dict.fromkeys((t, x, y), "a number"),
    eps: "bound of the scatter, relative to the axis",
    zeta: "relative spread of the tokens' sizes",
    size: "mean size of the tokens",
    V: "square of the axis' length",
    P: "inner product of axis and scatter",
    Z: "square of the scatter's length",
    A: "size of the token",
    X: "square of the distance from the mean",
}

# -- factors and sizes -------------------------------------------------------------------

PRODUCTS = Hypothesis("the products compare", le(x * t, y * t))
FACTOR = Hypothesis("the factor is positive", lt(0, t))


@theorem(
    "slash.cancel",
    hypotheses=(PRODUCTS, FACTOR),
    conclusion=le(x, y),
    attack=Attack({"strict": lt(x, y), "reversed": le(y, x)}),
)
def SLASH_CANCEL(p: Proof) -> None:
    r"""Cancel a positive factor

    $xt\le yt$ and $t>0$ give $x\le y$.
    """
    p.qed("If x exceeded y, the products with t > 0 would compare the other way.", PRODUCTS, FACTOR)


REFERENCE = Hypothesis("the reference is positive", lt(0, y))
DIFFERENCE = Hypothesis("the relative difference", le(sp.Abs(x / y - 1), t))


@theorem(
    "slash.relative",
    hypotheses=(REFERENCE, DIFFERENCE),
    conclusion=Both(le(x - y, t * y), le(-t * y, x - y), le(0, t)),
    attack=Attack({"half": le(2 * (x - y), t * y), "below": lt(x, y)}),
)
def SLASH_RELATIVE(p: Proof) -> None:
    r"""A relative difference

    $|x/y-1|\le t$ and $y>0$ give $|x-y|\le ty$ and $t\ge0$.
    """
    p.qed(
        "Multiply the relative difference by y. The relative difference is at most t in "
        "size, so t is not negative. Multiply these bounds by y, which is positive. So the "
        "difference is at most t y in size.",
        (DIFFERENCE, REFERENCE),
    )


BOUND = Hypothesis("the bound", Both(le(x, t), le(-x, t)))


@theorem(
    "slash.product-of-two",
    hypotheses=(BOUND,),
    conclusion=le(x * y, t * sp.Abs(y)),
    attack=Attack({"strict": lt(x * y, t * sp.Abs(y)), "half": le(2 * x * y, t * sp.Abs(y))}),
)
def SLASH_PRODUCT_OF_TWO(p: Proof) -> None:
    r"""A product is at most a bound times a size

    $xy\le t|y|$ for $|x|\le t$.
    """
    p.qed("The bound holds for either sign of y.", BOUND)


sizes = sp.Abs(x) * sp.Abs(y) * sp.Abs(t)


@theorem(
    "slash.product-size",
    conclusion=le(x * y * t, sizes),
    attack=Attack({"reversed": lt(sizes, x * y * t), "equality": eq(x * y * t, sizes)}),
)
def SLASH_PRODUCT_SIZE(p: Proof) -> None:
    r"""A product is at most the product of the sizes

    $xyt\le|x||y||t|$.
    """
    two = sp.Abs(x) * sp.Abs(y)
    p.lemma(
        SLASH_PRODUCT_OF_TWO.at(x=x * y, t=two, y=t),
        why="A product of two factors is at most the product of their sizes. The same bound, "
        "used again, holds for three factors.",
    )


SQUARES = Hypothesis("the squares compare", le(x, t**2 * y))
X_POSITIVE = Hypothesis("x is not negative", le(0, x))
Y_POSITIVE = Hypothesis("y is not negative", le(0, y))
T_POSITIVE = Hypothesis("t is not negative", le(0, t))


@theorem(
    "slash.root-fit",
    hypotheses=(SQUARES, X_POSITIVE, Y_POSITIVE, T_POSITIVE),
    conclusion=le(sp.sqrt(x), t * sp.sqrt(y)),
    attack=Attack(
        {"strict": lt(sp.sqrt(x), t * sp.sqrt(y)), "t squared": le(sp.sqrt(x), t**2 * sp.sqrt(y))},
        without={Y_POSITIVE: {x: 1}},
        idle={
            X_POSITIVE: "the root of a negative number is 0 by convention",
            Y_POSITIVE: "x >= 0 leaves only x = 0",
        },
    ),
)
def SLASH_ROOT_FIT(p: Proof) -> None:
    r"""Norms compare as their squares do

    $\sqrt x\le t\sqrt y$ if $x\le t^2y$ and $x,y,t\ge0$.
    """
    left, right = sp.sqrt(x), t * sp.sqrt(y)
    left_square, right_square = kept(sp.Pow, left, 2), kept(sp.Pow, right, 2)
    order = p.show(
        le(left_square, right_square),
        "The square of the left side is x. The square of the right side is t^2 y. So the two "
        "squares compare as given.",
        (X_POSITIVE, Y_POSITIVE, SQUARES),
    )
    compared = p.apply(
        SLASH_SIZE_ORDER,
        (order, Y_POSITIVE, T_POSITIVE),
        why="The right side is not negative. So the sizes of both sides compare as their squares.",
    )
    p.qed("So the left side is at most the right side.", compared)


# -- angle and distance of a vector v + z from v, where V = |v|^2, P = <v, z>, Z = |z|^2 -----

V_POSITIVE = Hypothesis("V is not negative", le(0, V))
SMALL = Hypothesis("z is small", le(Z, eps**2 * V))
AT_MOST_1 = Hypothesis("epsilon is at most 1", le(eps**2, 1))


@theorem(
    "slash.cone-angle",
    hypotheses=(V_POSITIVE, SMALL, AT_MOST_1),
    conclusion=le((1 - eps**2) * V * (V + 2 * P + Z), (V + P) ** 2),
    attack=Attack(
        {
            "twice as close": le((1 - eps**2 / 2) * V * (V + 2 * P + Z), (V + P) ** 2),
            "reversed": le((V + P) ** 2, (1 - eps**2) * V * (V + 2 * P + Z)),
        }
    ),
)
def SLASH_CONE_ANGLE(p: Proof) -> None:
    r"""A vector near an axis has a small angle to it

    For $V=\|v\|^2$, $P=\langle v,z\rangle$, $Z=\|z\|^2\le\varepsilon^2V$ with $\varepsilon^2\le1$:
    $\langle v,v+z\rangle^2\ge(1-\varepsilon^2)\|v\|^2\|v+z\|^2$.
    """
    rest = (1 - eps**2) * V * Z
    largest = (1 - eps**2) * V * (eps**2 * V)
    worst = p.show(
        le(rest, largest),
        "The last term is largest for the largest Z, which is epsilon^2 V.",
        (V_POSITIVE, SMALL, AT_MOST_1),
    )
    p.qed(
        "With this Z the difference of both sides is a square. The square of a real number "
        "is not negative. Split the left side into a part without Z and a part with Z. So "
        "the bound holds for every Z up to epsilon^2 V.",
        worst,
    )


half = sp.Rational(1, 2)
alpha = A - size
eps_q = zeta + (1 + zeta) * eps
DISTANCE = Hypothesis("the distance", eq(X, alpha**2 * V + 2 * alpha * A * P + A**2 * Z))
CAUCHY = Hypothesis("the scatter along the axis", le(P**2, V * Z))
EPSILON = Hypothesis("epsilon is not negative", Both(le(0, eps), le(eps, 1)))
MEAN_SIZE = Hypothesis("the mean size is positive", lt(0, size))
SIZES = Hypothesis(
    "sizes are close", Both(le(alpha, zeta * size), le(-zeta * size, alpha), le(0, zeta))
)


@theorem(
    "slash.fit",
    hypotheses=(DISTANCE, V_POSITIVE, SMALL, CAUCHY, EPSILON, MEAN_SIZE, SIZES),
    conclusion=le(X, (eps_q * size) ** 2 * V),
    attack=Attack(
        {
            "without the product": le(X, ((zeta + eps) * size) ** 2 * V),
            "half": le(2 * X, (eps_q * size) ** 2 * V),
        },
        without={
            CAUCHY: {A: 2, size: 1, zeta: 1, eps: 0, V: 1, Z: 0, P: 5},
            EPSILON: {eps: -half, zeta: half, A: 1, size: 1, V: 1, Z: sp.Rational(1, 4), P: 0},
        },
        idle={MEAN_SIZE: "|alpha| <= zeta a with zeta >= 0 forces a >= 0"},
    ),
)
def SLASH_FIT(p: Proof) -> None:
    r"""The square of a token's distance from the mean

    $\alpha^2V+2\alpha AP+A^2Z\le(\zeta+(1+\zeta)\varepsilon)^2a^2V$ for $\alpha=A-a$,
    $|\alpha|\le\zeta a$, $Z\le\varepsilon^2V$, $P^2\le VZ$, $V\ge0$, $0\le\varepsilon\le1$ and
    $a>0$.
    """
    off, most, across = zeta * size, (1 + zeta) * size, eps * V  # bounds of |alpha|, |A|, |P|
    deviation = p.show(
        le(sp.Abs(alpha), off), "The number alpha = A - a is at most zeta a in size.", SIZES
    )
    square = p.show(
        le(P**2, across**2), "The square P^2 is at most (epsilon V)^2.", CAUCHY, SMALL, V_POSITIVE
    )
    room = p.show(le(0, across), "The number epsilon V is not negative.", V_POSITIVE, EPSILON)
    component = p.apply(
        SLASH_SIZE_ORDER.at(z=P), square, room, why="So P is at most epsilon V in size."
    )

    first = p.show(
        le(alpha**2 * V, off**2 * V), "So alpha^2 V is at most (zeta a)^2 V.", deviation, V_POSITIVE
    )
    middle = p.lemma(
        SLASH_PRODUCT_SIZE.at(x=alpha, y=A, t=P),
        why="The product alpha A P is at most the product of the sizes.",
    )
    scatter = p.show(
        le(A**2 * Z, A**2 * (eps**2 * V)), "In the last term Z is at most epsilon^2 V.", SMALL
    )
    scattered = p.show(le(0, eps**2 * V), "The number epsilon^2 V is not negative.", V_POSITIVE)
    third = p.show(
        le(A**2 * (eps**2 * V), most**2 * (eps**2 * V)),
        "So A is at most (1 + zeta) a in size. In the last term A^2 is at most ((1 + zeta) a)^2.",
        (SIZES, MEAN_SIZE, scattered),
    )
    inner = p.show(
        le(alpha * A * P, off * most * across),
        "The product |alpha| |A| is at most the product of their bounds. In this product |P| "
        "is at most epsilon V. In this product |alpha| |A| is at most its bound. So the "
        "product alpha A P is at most the product of the three bounds.",
        (middle, component, deviation, SIZES, MEAN_SIZE, room),
    )
    outer = p.show(
        le(A**2 * Z, most**2 * (eps**2 * V)), "So the last term is bounded.", (scatter, third)
    )
    p.qed(
        "The sum of the three bounds is the square of the claim's bound. Add up the bounds "
        "of the three terms. The left side is the squared distance.",
        (DISTANCE, first, inner, outer),
    )
