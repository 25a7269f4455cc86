"""Jordan's inequality: the sine lies above its chord, the cosine below a parabola."""

from ropeproof.theory.language import *
from ropeproof.theory.library.trigonometry.sine import TRIG_SINE_POSITIVE
from ropeproof.theory.papers.citations import TEXTBOOK

x, y = real("x y")
MEANINGS: Meanings = {x: "an angle"}

NOT_NEGATIVE = Hypothesis("x is not negative", le(0, x))
AT_MOST_RIGHT = Hypothesis("x is at most a right angle", le(x, sp.pi / 2))


@theorem(
    "trig.jordan",
    source=TEXTBOOK,
    hypotheses=(NOT_NEGATIVE, AT_MOST_RIGHT),
    conclusion=le(2 * x, sp.pi * sp.sin(x)),
    attack=Attack(
        {"3/pi": le(3 * x, sp.pi * sp.sin(x)), "reversed": le(sp.pi * sp.sin(x), 2 * x)},
        without={NOT_NEGATIVE: {x: -1}, AT_MOST_RIGHT: {x: 3}},
    ),
)
def TRIG_JORDAN(p: Proof) -> None:
    r"""Jordan's inequality

    $\sin x\ge\frac2\pi x$ for $0\le x\le\frac\pi2$.
    """
    right = sp.sin(sp.pi / 2, evaluate=False)
    half_turn, turn = p.under(lt(0, y), lt(y, sp.pi)), p.under(within(y, 0, sp.pi))
    quarter = p.under(lt(0, y), le(y, sp.pi / 2))

    above = le(y * sp.cos(y), sp.sin(y))
    start = p.show(kept_at(above, y, 0), "At y = 0 both sides of y cos y <= sin y are 0.")
    sine = half_turn.apply(
        TRIG_SINE_POSITIVE, why="The sine is positive strictly between 0 and pi."
    )
    slope = half_turn.show(
        le(0, y * sp.sin(y)),
        "So y sin y, the derivative of sin y - y cos y, is not negative.",
        sine,
    )
    numerator = turn.mean_value(
        above, y, 0, start, slope, why="So sin y - y cos y is not negative to the right of 0."
    )
    falling = quarter.show(
        le(sp.cos(y) / y - sp.sin(y) / y**2, 0),
        "So the derivative of sin y / y is not positive.",
        numerator,
    )
    end = p.show(
        le(0, right / (sp.pi / 2) - 2 / sp.pi),
        "The sine of a right angle is 1. So the quotient sin y / y is 2/pi at a right angle.",
    )
    ratio = quarter.mean_value(
        le(2 / sp.pi, sp.sin(y) / y),
        y,
        sp.pi / 2,
        end,
        falling,
        why="The quotient does not rise, so before the right angle it is at least 2/pi.",
    )
    product = quarter.show(
        le(2 * y, sp.pi * sp.sin(y)), "Multiply by y and by pi, which are positive.", ratio
    )
    positive = p.under(lt(0, x)).use(
        product, {y: x}, AT_MOST_RIGHT, why="Put x for y, which is the inequality for x > 0."
    )
    zero = p.given(eq(x, 0), "Consider the case that x is 0.")
    sine_there = zero.scope.rewrite(
        eq(sp.sin(x), sp.sin(0, evaluate=False)), "Then the sine of x is the sine of 0.", zero
    )
    p.qed(
        "The sine of 0 is 0. In both cases the inequality holds up to a right angle.",
        (positive, sine_there, NOT_NEGATIVE),
    )


AT_LEAST = Hypothesis("x is at least -pi", le(-sp.pi, x))
AT_MOST = Hypothesis("x is at most pi", le(x, sp.pi))


@theorem(
    "trig.cosine-below-parabola",
    source=TEXTBOOK,
    hypotheses=(AT_LEAST, AT_MOST),
    conclusion=le(2 * x**2, sp.pi**2 * (1 - sp.cos(x))),
    attack=Attack(
        {
            "three times": le(3 * x**2, sp.pi**2 * (1 - sp.cos(x))),
            "reversed": le(sp.pi**2 * (1 - sp.cos(x)), 2 * x**2),
        },
        without={AT_LEAST: {x: -6}, AT_MOST: {x: 6}},
    ),
)
def TRIG_COSINE_BELOW_PARABOLA(p: Proof) -> None:
    r"""The cosine lies below a parabola within half a turn

    $1-\cos x\ge\frac2{\pi^2}x^2$ for $|x|\le\pi$.
    """
    half, right, left = x / 2, p.under(le(0, x)), p.under(lt(x, 0))
    by_half = p.show(
        eq(1 - sp.cos(x), 2 * sp.sin(half) ** 2), "By the half angle 1 - cos x is 2 sin(x/2)^2."
    )
    above = right.lemma(
        TRIG_JORDAN.at(x=half),
        AT_MOST,
        why="For x at least 0 Jordan's inequality at x/2 bounds x by pi sin(x/2).",
    )
    below = left.lemma(
        TRIG_JORDAN.at(x=-half),
        AT_LEAST,
        why="For x at most 0 Jordan's inequality at -x/2 bounds -x.",
    )
    p.qed(
        "Both sides are not negative, so they may be squared. In both cases insert the half "
        "angle, which gives the bound.",
        (by_half, above, below),
    )
