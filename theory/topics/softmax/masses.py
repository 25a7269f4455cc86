"""Two inequalities between masses, on which the bound of the total variation rests."""

from ropeproof.theory.language import *

X, Y, Z, A, U, G = real("X Y Z A U G")
MEANINGS: Meanings = dict.fromkeys((X, Y, Z, A, U, G), "a number")

X_LOW, X_HIGH = Hypothesis("X is not negative", le(0, X)), Hypothesis("X at most UA", le(X, U * A))
UY_LOW = Hypothesis("UY at least 1 - A", le(1 - A, U * Y))
A_LOW, A_HIGH = Hypothesis("A is not negative", le(0, A)), Hypothesis("A at most 1", le(A, 1))
U_LOW = Hypothesis("U at least 1", le(1, U))


@theorem(
    "softmax.two-masses",
    hypotheses=(X_LOW, X_HIGH, UY_LOW, A_LOW, A_HIGH, U_LOW),
    conclusion=le(X * (U + 1), (X + Y) * (A * (U + 1) + U - 1)),
    attack=Attack(
        {
            "U instead of U + 1": le(X * (U + 1), (X + Y) * (A * U + U - 1)),
            "U - 2": le(X * (U + 1), (X + Y) * (A * (U + 1) + U - 2)),
        },
        idle={A_LOW: "follows from 0 <= X <= UA and U >= 1"},
    ),
)
def SOFTMAX_TWO_MASSES(p: Proof) -> None:
    r"""The worst share of mass to tilt

    If $0\le X\le UA$, $UY\ge1-A$, $0\le A\le1\le U$ then $X(U+1)\le(X+Y)(A(U+1)+U-1)$.
    """
    factor = 2 - A * (U + 1)
    square = p.show(le(0, (1 - A * (U + 1)) ** 2), "The square of 1 - A(U+1) is not negative.")
    positive = p.under(le(0, factor))
    left = positive.show(
        le(X * U * factor, A * U**2 * factor),
        "If 2 - A(U+1) is not negative, replace UA on the left by X, which is smaller.",
        (X_HIGH, U_LOW),
    )
    one = positive.show(
        p.goal,
        "The right side exceeds the left by (U - 1)(1 - A(U+1))^2. On the right, "
        "replace 1 - A by UY, which is at least as large. For a factor 2 - A(U+1) "
        "that is not negative, the two bounds give the claim.",
        left,
        UY_LOW,
        A_LOW,
        U_LOW,
        square,
    )
    other = p.under(lt(factor, 0)).show(
        p.goal,
        "Y is not negative, as UY >= 1 - A >= 0 and U >= 1. If 2 - A(U+1) is "
        "negative, the left side is below the right as it stands.",
        UY_LOW,
        A_HIGH,
        U_LOW,
        X_LOW,
        A_LOW,
    )
    p.qed("The claim holds for either sign of the factor 2 - A(U+1).", one, other)


GAIN = Hypothesis("G is the gain", eq(G, X / Z - A))
POSITIVE = Hypothesis("Z is positive", lt(0, Z))
WORST = Hypothesis("worst share", le(X * (U + 1), Z * (A * (U + 1) + U - 1)))


@theorem(
    "softmax.share-bound",
    hypotheses=(GAIN, POSITIVE, U_LOW, WORST),
    conclusion=le(G, (U - 1) / (U + 1)),
    attack=Attack(
        {"strict": lt(G, (U - 1) / (U + 1)), "U over U + 1 reversed": le(G, (1 - U) / (U + 1))}
    ),
)
def SOFTMAX_SHARE_BOUND(p: Proof) -> None:
    r"""Divide the worst share by the normaliser

    If $G=X/Z-A$, $Z>0$, $U\ge1$ and $X(U+1)\le Z(A(U+1)+U-1)$ then $G\le\frac{U-1}{U+1}$.
    """
    p.qed(
        "Divide the worst share by Z, which is positive. Subtract A(U+1) from both "
        "sides, since G = X/Z - A. Divide by U + 1, which is positive.",
        WORST,
        POSITIVE,
        GAIN,
        U_LOW,
    )
