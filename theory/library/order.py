"""Products and the order of the reals."""

from ropeproof.theory.language import *

x, y, t = real("x y t")

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
