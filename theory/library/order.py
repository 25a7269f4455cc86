"""Products, squares and the order of the reals."""

from ropeproof.theory.language import *

x, y, t, p, q = real("x y t p q")
MEANINGS: Meanings = dict.fromkeys((x, y, t, p, q), "a number")

# -- a factor ----------------------------------------------------------------------------

ORDERED = Hypothesis("x comes first", le(x, y))
FACTOR = Hypothesis("the factor is not negative", le(0, t))


@theorem(
    "order.times",
    hypotheses=(ORDERED, FACTOR),
    conclusion=le(x * t, y * t),
    attack=Attack({"strict": lt(x * t, y * t), "reversed": le(y * t, x * t)}),
)
def ORDER_TIMES(p: Proof) -> None:
    r"""A factor that is not negative keeps the order

    $xt\le yt$ for $x\le y$ and $t\ge0$.
    """
    p.qed("Multiply the inequality by the factor t, which is not negative.", ORDERED, FACTOR)


def times(
    scope: Scope, order: Fact | Hypothesis, factor: Term | int, why: str, *premises: Premise
) -> Fact:
    """The fact `x factor <= y factor` from a fact `x <= y`, and from premises for `0 <= factor`."""
    lower, upper = order.formula.args
    values = {"x": lower, "y": upper, "t": factor}
    return scope.lemma(ORDER_TIMES.at(**values), order, *premises, why=why)


# -- a sign ------------------------------------------------------------------------------

X_POSITIVE = Hypothesis("x is not negative", le(0, x))
Y_POSITIVE = Hypothesis("y is not negative", le(0, y))


@theorem(
    "order.product-sign",
    hypotheses=(X_POSITIVE, Y_POSITIVE),
    conclusion=le(0, x * y),
    attack=Attack(
        {"positive": lt(0, x * y)}, without={X_POSITIVE: {x: -1, y: 1}, Y_POSITIVE: {x: 1, y: -1}}
    ),
)
def ORDER_PRODUCT_SIGN(p: Proof) -> None:
    r"""A product of numbers that are not negative

    $xy\ge0$ for $x,y\ge0$.
    """
    p.qed(
        "The product of two numbers that are not negative is not negative.", X_POSITIVE, Y_POSITIVE
    )


# -- two products ------------------------------------------------------------------------

X_HIGH, Y_HIGH = Hypothesis("x is at most p", le(x, p)), Hypothesis("y is at most q", le(y, q))


@theorem(
    "order.products",
    hypotheses=(X_POSITIVE, X_HIGH, Y_POSITIVE, Y_HIGH),
    conclusion=le(x * y, p * q),
    attack=Attack(
        {"strictly": lt(x * y, p * q), "reversed": le(p * q, x * y)},
        at={"strictly": {x: 1, p: 1, y: 1, q: 1}, "reversed": {x: 1, p: 2, y: 1, q: 1}},
        without={
            X_POSITIVE: {x: -2, p: -1, y: 1, q: 3},
            X_HIGH: {x: 2, p: 1, y: 1, q: 1},
            Y_POSITIVE: {x: 1, p: 3, y: -2, q: -1},
            Y_HIGH: {x: 1, p: 1, y: 2, q: 1},
        },
    ),
)
def ORDER_PRODUCTS(proof: Proof) -> None:
    r"""Products of numbers that are not negative keep the order

    $xy\le pq$ for $0\le x\le p$ and $0\le y\le q$.
    """
    proof.qed(
        "Replace x by the larger p, as y is not negative. Replace y by the larger q, as p is "
        "not negative. Chain the two inequalities, so that both factors are enlarged.",
        (X_HIGH, Y_POSITIVE, X_POSITIVE, Y_HIGH),
    )


def products(scope: Scope, one: Fact, other: Fact, *premises: Premise, why: str) -> Fact:
    """From facts `x <= p` and `y <= q`: `x y <= p q`, with premises for x and y being at least 0."""
    values = dict(zip((x, p, y, q), (*one.formula.args, *other.formula.args), strict=True))
    return scope.lemma(ORDER_PRODUCTS.at(**by_name(values)), one, other, *premises, why=why)


# -- squares and roots -------------------------------------------------------------------

SQUARES = Hypothesis("the squares are equal", eq(x**2, y**2))


@theorem(
    "order.root",
    hypotheses=(X_POSITIVE, Y_POSITIVE, SQUARES),
    conclusion=eq(x, y),
    attack=Attack(
        {"opposite": eq(x, -y), "twice": eq(x, 2 * y)},
        at={"opposite": {x: 1, y: 1}, "twice": {x: 1, y: 1}},
        without={X_POSITIVE: {x: -1, y: 1}, Y_POSITIVE: {x: 1, y: -1}, SQUARES: {x: 1, y: 2}},
    ),
)
def ORDER_ROOT(p: Proof) -> None:
    r"""Numbers that are not negative and have one square are one

    $x=y$ if $x^2=y^2$ and $x,y\ge0$.
    """
    p.qed("As x^2 - y^2 = (x - y)(x + y) is 0, x equals y.", X_POSITIVE, Y_POSITIVE, SQUARES)


@theorem(
    "order.square",
    hypotheses=(X_POSITIVE, ORDERED),
    conclusion=le(x**2, y**2),
    attack=Attack(
        {"strictly": lt(x**2, y**2), "reversed": le(y**2, x**2)},
        at={"strictly": {x: 1, y: 1}, "reversed": {x: 1, y: 2}},
        without={X_POSITIVE: {x: -2, y: 1}, ORDERED: {x: 2, y: 1}},
    ),
)
def ORDER_SQUARE(p: Proof) -> None:
    r"""Squares keep the order of numbers that are not negative

    $x^2\le y^2$ for $0\le x\le y$.
    """
    p.qed("The difference y^2 - x^2 = (y - x)(y + x) is not negative.", X_POSITIVE, ORDERED)
