"""Hoeffding's lemma, in one variable: how far the logarithm of a mean of exponentials curves."""

from ropeproof.theory.language import *

u, b, size = real("u b size")
MEANINGS: Meanings = {u: "a number", b: "a number"}
even = ((1 + u) * sp.exp(b) + (1 - u) * sp.exp(-b)) / 2
odd = ((1 + u) * sp.exp(b) - (1 - u) * sp.exp(-b)) / 2
LOW = Hypothesis("u is at least -1", le(-1, u))
HIGH = Hypothesis("u is at most 1", le(u, 1))
RIGHT = Hypothesis("b is not negative", le(0, b))


@theorem(
    "exp.hoeffding",
    hypotheses=(LOW, HIGH, RIGHT),
    conclusion=le(sp.log(even), u * b + b**2 / 2),
    attack=Attack(
        {"a third": le(sp.log(even), u * b + b**2 / 3), "no square": le(sp.log(even), u * b)},
        at={"a third": {u: 0, b: 1}},
        without={LOW: {u: -2, b: sp.Rational(54, 100)}},
        idle={
            HIGH: "the proof needs it, but beyond 1 the left side grows even less",
            RIGHT: "both sides are unchanged under (b, u) -> (-b, -u)",
        },
    ),
)
def EXP_HOEFFDING(p: Proof) -> None:
    r"""Hoeffding's lemma, in one variable

    $\ln(\cosh b+u\sinh b)\le ub+b^2/2$ for $|u|\le1$, $b\ge0$.
    """
    right = p.under(le(0, b))
    ratio_below = le(odd / even, u + b)
    at_0 = p.show(kept_at(ratio_below, b, 0), "At b = 0 the ratio of odd to even part is u.")
    any_square = p.show(le(0, size**2), "The square of a real number is not negative.")
    square = p.use(
        any_square, {size: odd / even}, why="In particular the square of the ratio is not negative."
    )
    ratio = right.mean_value(
        ratio_below,
        b,
        0,
        at_0,
        square,
        (LOW, HIGH),
        why="A mean of exponentials is positive. The slope of u + b minus the ratio is this "
        "square, so the ratio is at most u + b.",
    )
    slope = right.show(
        le(0, u + b - odd / even),
        "So the slope of the difference of both sides is not negative.",
        ratio,
    )
    at_0 = p.show(le(0, -kept(sp.log, 1)), "At b = 0 the difference is not negative.")
    p.mean_value(
        p.goal,
        b,
        0,
        at_0,
        slope,
        (RIGHT, LOW, HIGH),
        why="So the difference is not negative for any b from 0 on.",
    )
