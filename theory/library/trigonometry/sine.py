"""The sine is between plus and minus its angle, and positive over half a turn."""

from ropeproof.theory.language import *
from ropeproof.theory.papers.citations import TEXTBOOK

x, y = real("x y")
MEANINGS: Meanings = {x: "an angle", y: "an angle"}

# -- the sine and its angle --------------------------------------------------------------

X_LOW = Hypothesis("x is not negative", le(0, x))


@theorem(
    "trig.sine-below-identity",
    source=TEXTBOOK,
    hypotheses=(X_LOW,),
    conclusion=Both(le(sp.sin(x), x), le(-x, sp.sin(x))),
    attack=Attack(
        {"constant 0.99": le(sp.sin(x), sp.Rational(99, 100) * x), "sign flipped": le(x, sp.sin(x))}
    ),
)
def TRIG_SINE_BELOW_IDENTITY(p: Proof) -> None:
    r"""The sine of a non-negative angle lies between plus and minus the angle

    $|\sin x|\le x$ for $x\ge0$.
    """
    start = p.show(eq(kept(sp.sin, 0), 0), "The sine vanishes at 0.")
    slope = p.show(
        le(0, 1 - sp.cos(x)), "The cosine is at most 1, so the slope 1 - cos x is not negative."
    )
    above = p.mean_value(
        le(sp.sin(x), x),
        x,
        0,
        start,
        slope,
        X_LOW,
        why="So x - sin x, which is 0 at 0, does not fall to the right.",
    )
    slope = p.show(
        le(0, sp.cos(x) + 1), "The cosine is at least -1, so the slope 1 + cos x is not negative."
    )
    below = p.mean_value(
        le(-x, sp.sin(x)),
        x,
        0,
        start,
        slope,
        X_LOW,
        why="So x + sin x, which is 0 at 0, does not fall to the right.",
    )
    p.qed("The upper and the lower bound hold together.", above, below)


def sine_at_most(p: Proof, angle: Term | int) -> Fact:
    """The fact `|sin(angle)| <= |angle|`, whatever the angle's sign."""
    right = p.under(le(0, angle)).apply(
        TRIG_SINE_BELOW_IDENTITY,
        why="If the half angle is not positive, minus it bounds the size of its sine.",
    )
    left = p.under(le(angle, 0)).lemma(
        TRIG_SINE_BELOW_IDENTITY.at(x=-angle),
        why="If the half angle is not negative, it bounds the size of its sine.",
    )
    return p.show(
        le(sp.Abs(sp.sin(angle)), sp.Abs(angle)),
        "In both cases the size of the sine is at most that of the angle.",
        (right, left),
    )


# -- the sine is positive ----------------------------------------------------------------

X_POSITIVE, X_BELOW = Hypothesis("x > 0", lt(0, x)), Hypothesis("x < pi", lt(x, sp.pi))


@theorem(
    "trig.sine-positive",
    source=TEXTBOOK,
    hypotheses=(X_POSITIVE, X_BELOW),
    conclusion=lt(0, sp.sin(x)),
    attack=Attack(
        {"sign flipped": lt(sp.sin(x), 0), "at least 1/100": lt(sp.Rational(1, 100), sp.sin(x))}
    ),
)
def TRIG_SINE_POSITIVE(p: Proof) -> None:
    r"""The sine is positive between 0 and π

    $\sin x>0$ for $0<x<\pi$.
    """
    right, end = p.under(le(0, y)), sp.Rational(8, 5)
    first = right.apply(
        TRIG_SINE_BELOW_IDENTITY,
        why="The sine of y is at most y for y at least 0.",
        goal=le(sp.sin(y), y),
    )
    start = p.show(
        eq(kept(sp.cos, 0), 1), "At y = 0 the cosine is 1, so cos y - 1 + y^2/2 is 0 there."
    )
    slope = right.show(le(0, y - sp.sin(y)), "Its derivative y - sin y is not negative.", first)
    second = right.mean_value(
        le(1 - y**2 / 2, sp.cos(y)),
        y,
        0,
        start,
        slope,
        why="So cos y - 1 + y^2/2 is not negative to the right of 0.",
    )
    slope = right.show(
        le(0, sp.cos(y) - 1 + y**2 / 2),
        "This expression is the derivative of sin y - y + y^3/6.",
        second,
    )
    third = right.mean_value(
        le(y - y**3 / 6, sp.sin(y)),
        y,
        0,
        start,
        slope,
        why="So sin y - y + y^3/6, which is 0 at 0, is not negative to the right.",
    )
    near = p.under(lt(0, y), le(y, end)).show(
        lt(0, sp.sin(y)), "As y^2 is less than 6, y - y^3/6 is positive, and so is the sine.", third
    )
    small = p.under(le(x, end)).use(
        near, {y: x}, X_POSITIVE, why="So the sine of x is positive for x up to 8/5."
    )
    beyond = p.under(lt(end, x))
    reflected = beyond.use(
        near,
        {y: sp.pi - x},
        X_BELOW,
        why="For x beyond 8/5 the angle pi - x is at most 8/5.",
        goal=lt(0, sp.sin(sp.pi - x, evaluate=False)),
    )
    p.qed(
        "The sine of pi - x is the sine of x. In both cases the sine of x is positive.",
        (small, reflected),
    )


def positive_sine(scope: Scope, angle: Term | int, why: str, *ranges: Premise) -> Fact:
    """The fact that the sine of an angle is positive, from premises that it lies in (0, pi)."""
    inside = scope.show(Both(lt(0, angle), lt(angle, sp.pi)), why, *ranges)
    return scope.apply(
        TRIG_SINE_POSITIVE, inside, why="The sine is positive strictly between 0 and pi."
    )
