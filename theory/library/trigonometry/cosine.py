"""Elementary inequalities of the cosine, and of projections."""

from ropeproof.theory.language import *
from ropeproof.theory.library.trigonometry import sine
from ropeproof.theory.library.trigonometry.sine import (
    X_BELOW,
    X_LOW,
    X_POSITIVE,
    positive_sine,
    sine_at_most,
    x,
    y,
)
from ropeproof.theory.papers.citations import TEXTBOOK

MEANINGS: Meanings = sine.MEANINGS

# -- for the proofs of other topics ------------------------------------------------------


def falling_cosine(
    scope: Scope,
    low: Term | int,
    high: Term | int,
    why: str,
    *premises: Premise,
    strict: bool = False,
) -> Fact:
    """The fact `cos(high) <= cos(low)` for 0 <= low <= high <= pi.

    With `strict` it is `<`, for low < high and low + high < 2 pi.
    """
    claim, compare = (
        (TRIG_COSINE_STRICTLY_DECREASING, lt) if strict else (TRIG_COSINE_DECREASING, le)
    )
    goal = compare(kept(sp.cos, high), kept(sp.cos, low))
    return scope.apply(claim, *premises, why=why, goal=goal)


# -- the cosine falls --------------------------------------------------------------------

mean, half_gap = (x + y) / 2, (y - x) / 2
X_FIRST = Hypothesis("x comes before y", lt(x, y))
UNDER_A_TURN = Hypothesis("together less than a turn", lt(x + y, 2 * sp.pi))


def _difference(p: Proof) -> Fact:
    return p.show(
        eq(sp.cos(x) - sp.cos(y), 2 * sp.sin(mean) * sp.sin(half_gap)),
        "A difference of cosines is a product of sines.",
    )


@theorem(
    "trig.cosine-strictly-decreasing",
    source=TEXTBOOK,
    hypotheses=(X_LOW, X_FIRST, UNDER_A_TURN),
    conclusion=lt(sp.cos(y), sp.cos(x)),
    attack=Attack(
        {
            "reversed": lt(sp.cos(x), sp.cos(y)),
            "by 1/100": lt(sp.cos(y) + sp.Rational(1, 100), sp.cos(x)),
        },
        without={X_LOW: {x: -3, y: 0}, UNDER_A_TURN: {x: 3, y: 6}},
    ),
)
def TRIG_COSINE_STRICTLY_DECREASING(p: Proof) -> None:
    r"""The cosine falls between 0 and π

    $\cos y<\cos x$ for $0\le x<y<2\pi-x$; in particular for $0\le x<y\le\pi$.
    """
    ranges = (X_LOW, X_FIRST, UNDER_A_TURN)
    product = _difference(p)
    first = positive_sine(
        p, mean, "Half of the sum of the angles lies strictly between 0 and pi.", *ranges
    )
    second = positive_sine(
        p, half_gap, "Half of the difference of the angles lies strictly between 0 and pi.", *ranges
    )
    p.qed(
        "Both sines are positive, so the difference of the cosines is positive.",
        (product, first, second),
    )


X_NOT_AFTER = Hypothesis("x comes first", le(x, y))
Y_HIGH = Hypothesis("y at most pi", le(y, sp.pi))


@theorem(
    "trig.cosine-decreasing",
    source=TEXTBOOK,
    hypotheses=(X_LOW, X_NOT_AFTER, Y_HIGH),
    conclusion=le(sp.cos(y), sp.cos(x)),
    attack=Attack(
        {
            "reversed": le(sp.cos(x), sp.cos(y)),
            "by 1/100": le(sp.cos(y) + sp.Rational(1, 100), sp.cos(x)),
        },
        without={X_LOW: {x: -3, y: 0}, Y_HIGH: {x: 3, y: 6}},
    ),
)
def TRIG_COSINE_DECREASING(p: Proof) -> None:
    r"""The cosine does not rise between 0 and π

    $\cos y\le\cos x$ for $0\le x\le y\le\pi$.
    """
    apart = p.under(lt(x, y)).apply(
        TRIG_COSINE_STRICTLY_DECREASING,
        (X_LOW, Y_HIGH),
        why="If x < y, the cosine of y is less than that of x.",
    )
    same = p.given(eq(y, x), "Consider the case that y is equal to x.")
    equal = same.image(sp.cos, "Then the cosines of x and y are equal.")
    p.qed("In both cases the cosine of y is at most that of x.", apart, equal, X_NOT_AFTER)


Y_POSITIVE, Y_BELOW = Hypothesis("y > 0", lt(0, y)), Hypothesis("y < pi", lt(y, sp.pi))
DIFFER = Hypothesis("x and y differ", ne(x, y))


@theorem(
    "trig.cosine-injective",
    source=TEXTBOOK,
    hypotheses=(X_POSITIVE, X_BELOW, Y_POSITIVE, Y_BELOW, DIFFER),
    conclusion=ne(sp.cos(x), sp.cos(y)),
    attack=Attack(
        {
            "sign flipped": eq(sp.cos(x), sp.cos(y)),
            "far apart": lt(sp.Rational(1, 10), sp.Abs(sp.cos(x) - sp.cos(y))),
        },
        without={
            X_POSITIVE: {x: -y},
            X_BELOW: {x: 2 * sp.pi - y},
            Y_POSITIVE: {y: -x},
            Y_BELOW: {y: 2 * sp.pi - x},
        },
    ),
)
def TRIG_COSINE_INJECTIVE(p: Proof) -> None:
    r"""The cosine takes no value twice between 0 and π

    $\cos x\ne\cos y$ for $x\ne y$ in $(0,\pi)$.
    """
    ranges = (X_POSITIVE, X_BELOW, Y_POSITIVE, Y_BELOW)
    falls = p.under(lt(x, y)).lemma(
        TRIG_COSINE_STRICTLY_DECREASING,
        ranges,
        why="If x < y, the cosine of y is less than that of x.",
    )
    rises = p.under(lt(y, x)).lemma(
        TRIG_COSINE_STRICTLY_DECREASING.at(x=y, y=x),
        ranges,
        why="If y < x, the cosine of x is less than that of y.",
    )
    p.qed("As x and y differ, so do their cosines.", falls, rises, DIFFER)


# -- how far the cosine falls ------------------------------------------------------------


@theorem(
    "trig.cosine-above-parabola",
    source=TEXTBOOK,
    conclusion=le(1 - sp.cos(x), x**2 / 2),
    attack=Attack({"a third": le(1 - sp.cos(x), x**2 / 3), "linear": le(1 - sp.cos(x), x / 2)}),
)
def TRIG_COSINE_ABOVE_PARABOLA(p: Proof) -> None:
    r"""The cosine lies above its parabola at 0

    $1-\cos x\le x^2/2$ for every $x$.
    """
    half = p.show(
        eq(1 - sp.cos(x), 2 * sp.sin(x / 2) ** 2), "By the half angle 1 - cos x is 2 sin(x/2)^2."
    )
    p.qed(
        "The size of sin(x/2) is at most that of x/2, so square this bound.",
        (half, sine_at_most(p, x / 2)),
    )


@theorem(
    "trig.cosine-lipschitz",
    source=TEXTBOOK,
    conclusion=le(sp.cos(x) - sp.cos(y), sp.Abs(x - y)),
    attack=Attack(
        {
            "0.9": le(sp.cos(x) - sp.cos(y), sp.Rational(9, 10) * sp.Abs(x - y)),
            "no absolute value": le(sp.cos(x) - sp.cos(y), x - y),
        }
    ),
)
def TRIG_COSINE_LIPSCHITZ(p: Proof) -> None:
    r"""A cosine changes by no more than its angle

    $\cos x-\cos y\le|x-y|$.
    """
    product = _difference(p)
    size = sine_at_most(p, half_gap)
    p.qed(
        "The size of the other sine is at most 1. Combine the product of sines with the "
        "bounds of both factors.",
        (product, size),
    )


# -- projections -------------------------------------------------------------------------

first, second, angle = real("p_x p_y psi_0")
MEANINGS = {
    **MEANINGS,
    first: "first coordinate of a point",
    second: "second coordinate of a point",
    angle: "an angle",
}
along = sp.cos(angle) * first + sp.sin(angle) * second
across = sp.cos(angle) * second - sp.sin(angle) * first


@theorem(
    "trig.projection",
    source=TEXTBOOK,
    conclusion=le(along**2, first**2 + second**2),
    attack=Attack(
        {
            "half": le(along**2, (first**2 + second**2) / 2),
            "equality": eq(along**2, first**2 + second**2),
        }
    ),
)
def TRIG_PROJECTION(p: Proof) -> None:
    r"""A projection is no longer than the vector

    $(x\cos\psi+y\sin\psi)^2\le x^2+y^2$.
    """
    pythagoras = p.show(
        eq(first**2 + second**2, along**2 + across**2),
        "The square of the vector is the sum of the squares of its projections.",
    )
    square = p.show(
        le(0, across**2), "The square of the projection across the direction is not negative."
    )
    p.qed("Drop the square of the projection across the direction.", pythagoras, square)
