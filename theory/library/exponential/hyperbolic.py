"""Inequalities of the hyperbolic sine."""

from ropeproof.theory.language import *
from ropeproof.theory.library.exponential.exp_log import EXP_MIDPOINT, exponentials

E, T, h, x = real("E T h x")
MEANINGS: Meanings = dict.fromkeys((E, T, h, x), "a number")


def rise(rate: Term) -> Term:
    """2 sinh(h rate)."""
    return sp.exp(h * rate) - sp.exp(-h * rate)


FIRST = Hypothesis("the rate is not negative", le(0, E))
ORDER = Hypothesis("the sum is no less", le(E, T))
HALF = Hypothesis("the cell has a length", le(0, h))


@theorem(
    "exp.sinh-ratio",
    source=Source("textbook", "hyperbolic functions"),
    hypotheses=(FIRST, ORDER, HALF),
    conclusion=le(T * rise(E), E * rise(T)),
    attack=Attack(
        {"reversed": le(E * rise(T), T * rise(E)), "twice": le(2 * T * rise(E), E * rise(T))},
        at={"reversed": {E: 1, T: 2, h: 1}, "twice": {E: 1, T: 1, h: 1}},
        without={FIRST: {E: -2, T: 1, h: 1}, ORDER: {E: 2, T: 1, h: 1}, HALF: {E: 1, T: 2, h: -1}},
    ),
)
def EXP_SINH_RATIO(p: Proof) -> None:
    r"""sinh(hx)/x rises with x

    $T\sinh(hE)\le E\sinh(hT)$ for $0\le E\le T$ and $h\ge0$.
    """
    right = p.under(le(0, h))
    start = p.show(kept_at(p.goal, h, 0), "At h = 0 both sides of the claim are 0.")
    order = right.show(le(h * E, h * T), "For h >= 0 the order E <= T gives hE <= hT.", ORDER)
    grow = order.image(sp.exp, "The exponential rises, so exp(hE) <= exp(hT).")
    total = right.show(
        le(0, h * E + h * T), "E and T are not negative, so hE + hT >= 0 for h >= 0.", FIRST, ORDER
    )
    least = exponentials(right, -(h * E + h * T), 0, "So exp(-(hE + hT)) is at most 1.", total)
    same = p.show(
        eq(
            sp.exp(h * T) + sp.exp(-h * T) - sp.exp(h * E) - sp.exp(-h * E),
            (sp.exp(h * T) - sp.exp(h * E)) * (1 - sp.exp(-(h * E + h * T))),
        ),
        "The difference of 2 cosh(hT) and 2 cosh(hE) is a product of two factors.",
    )
    cosh = right.show(
        le(sp.exp(h * E) + sp.exp(-h * E), sp.exp(h * T) + sp.exp(-h * T)),
        "Neither factor is negative, so cosh(hE) <= cosh(hT).",
        (same, grow, least),
    )
    slope = right.show(
        le(0, E * T * (sp.exp(h * T) + sp.exp(-h * T)) - T * E * (sp.exp(h * E) + sp.exp(-h * E))),
        "So E sinh(hT) grows with h at least as fast as T sinh(hE).",
        (cosh, FIRST, ORDER),
    )
    always = right.mean_value(
        p.goal,
        h,
        0,
        start,
        slope,
        why="The sides are equal at h = 0, so the right one is no less for h >= 0.",
    )
    p.use(always, {h: h}, HALF, why="In particular this holds at the given h.")


# -- x / sinh x ---------------------------------------------------------------------------

POSITIVE = Hypothesis("x is not negative", le(0, x))
s, c = sp.exp(x) - sp.exp(-x), sp.exp(x) + sp.exp(-x)


@theorem(
    "exp.sinh-quotient",
    source=Source("textbook", "hyperbolic functions"),
    hypotheses=(POSITIVE,),
    conclusion=le((1 - x**2 / 6) * s, 2 * x),
    attack=Attack(
        {
            "a sixth without the square": le((1 - x / 6) * s, 2 * x),
            "one seventh": le((1 - x**2 / 7) * s, 2 * x),
        },
        at={"a sixth without the square": {x: 3}, "one seventh": {x: sp.Rational(1, 10)}},
        without={POSITIVE: {x: -1}},
    ),
)
def EXP_SINH_QUOTIENT(p: Proof) -> None:
    r"""x/sinh x is at least 1 - x²/6

    $x\ge(1-\frac{x^2}6)\sinh x$ for $x\ge0$.
    """
    right = p.under(le(0, x))

    def up(goal: Formula, slope: Term, why: str, *premises: Fact) -> Fact:
        start = p.show(kept_at(goal, x, 0), f"At x = 0 we have {why}.")
        grows = right.show(
            le(0, slope), f"The slope of right minus left in {why} is at least 0.", *premises
        )
        return right.mean_value(goal, x, 0, start, grows, why=f"So {why} holds for all x >= 0.")

    grow = exponentials(right, -x, x, "The exponential rises, so exp(-x) <= exp(x) for x >= 0.")
    product = right.show(le(0, x * s), "The product x sinh x is not negative for x >= 0.", grow)
    first = up(le(s, x * c), c + x * s - c, "sinh x <= x cosh x", product)
    square = right.show(le(0, x**2 * s), "The product x² sinh x is not negative for x >= 0.", grow)
    # The second derivative of the difference is 2/3 (x cosh x - sinh x) + x² sinh x / 6.
    second = up(
        le((1 - x**2 / 6) * c - x * s / 3, 2),
        -((1 - x**2 / 6) * s - x * c / 3 - s / 3 - x * c / 3),
        "(1 - x²/6) cosh x - (x/3) sinh x <= 1",
        first,
        square,
    )
    third = up(p.goal, 2 - ((1 - x**2 / 6) * c - x * s / 3), "(1 - x²/6) sinh x <= x", second)
    p.use(third, {x: x}, POSITIVE, why="In particular this holds at the given x.")


# -- sinh x >= x ---------------------------------------------------------------------------


@theorem(
    "exp.sinh-above",
    source=Source("textbook", "hyperbolic functions"),
    hypotheses=(POSITIVE,),
    conclusion=le(2 * x, s),
    attack=Attack({"twice": le(4 * x, s)}, at={"twice": {x: 1}}, without={POSITIVE: {x: -1}}),
)
def EXP_SINH_ABOVE(p: Proof) -> None:
    r"""sinh x is at least x

    $\sinh x\ge x$ for $x\ge0$.
    """
    start = p.show(kept_at(p.goal, x, 0), "At x = 0 both sides of the claim are 0.")
    mean = p.apply(
        EXP_MIDPOINT.at(x=x, y=-x),
        why="The mean of e^x and e^(-x) is at least 1, that is cosh x >= 1.",
    )
    right = p.under(le(0, x))
    slope = right.show(
        le(0, sp.exp(x) + sp.exp(-x) - 2), "So the slope of 2 sinh x - 2x is not negative.", mean
    )
    always = right.mean_value(
        p.goal,
        x,
        0,
        start,
        slope,
        why="The sides are equal at x = 0, so sinh x is no less for x >= 0.",
    )
    p.use(always, {x: x}, POSITIVE, why="In particular this holds at the given x.")
