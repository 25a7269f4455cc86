"""No lag is a whole number of turns of a plane, because pi is transcendental."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, m

b, k, t = integer("b k t")
MEANINGS: Meanings = {**NOTATION, b: "base of the frequencies", k: "a number of turns", t: "a lag"}
angle, turns = t * b ** (-l / m), 2 * sp.pi * k

BASE = Hypothesis("the base is an integer at least 2", le(2, b))
PLANES = Hypothesis("m is at least 1", le(1, m))
PLANE = Hypothesis("l is a plane", le(0, l))
LAG = Hypothesis("the lag is not 0", ne(t, 0))


def _power(term: Term) -> Term:
    return kept(sp.Pow, kept(sp.Pow, term, 2), m)


@theorem(
    "rope.nonresonant",
    source=Source("ropeproof", "axiom: Lindemann"),
    hypotheses=(BASE, PLANES, PLANE, LAG),
    conclusion=ne(angle, turns),
    attack=Attack(
        {
            "sign flipped": eq(angle, turns),
            "stays half a unit away": lt(sp.Rational(1, 2), sp.Abs(angle - turns)),
            "forward only": lt(turns, angle),
        },
        idle={
            PLANES: "for m = 0 the totalised exponent is 0, for m < 0 the base is its inverse",
            PLANE: "for l < 0 the frequency is a root of b too",
        },
    ),
)
def ROPE_NONRESONANT(proof: Proof) -> None:
    r"""With an integer base no plane ever returns exactly

    If $b\ge2$ is an integer, $\theta_l=b^{-l/m}$ with integers $m\ge1$, $l\ge0$, then
    $t\theta_l\notin2\pi\mathbb Z$ for every integer $t\ne0$.
    """
    numerator, denominator = t ** (2 * m), b ** (2 * l) * 4**m * k ** (2 * m)
    returns = proof.given(
        eq(angle, turns), "Suppose that the plane returns: its angle is a whole number of turns."
    )
    back = returns.scope
    moved = back.show(
        ne(k, 0),
        "The number of turns is not 0, as neither t nor the frequency is.",
        (returns, LAG, BASE),
    )
    powers = back.rewrite(
        eq(_power(angle), _power(turns)), "Square both sides and take the m-th power.", returns
    )
    left = proof.show(
        eq(_power(angle), numerator * b ** (-2 * l)),
        "The power of the left side has no root of the base any more.",
        (BASE, PLANES),
    )
    right = back.show(
        eq(_power(turns), 4**m * k ** (2 * m) * sp.pi ** (2 * m)),
        "The power of the right side is an integer times a power of pi.",
        (PLANES, moved),
    )
    equal = back.show(
        eq(left.formula.rhs, right.formula.rhs),
        "So these two powers are equal.",
        (powers, left, right),
    )
    base = b ** (2 * l)
    _lower, _upper = (kept(sp.Mul, side, base) for side in equal.formula.args)
    cancel = proof.show(
        eq(kept(sp.Mul, b ** (-2 * l), base), 1), "The powers of the base cancel.", BASE
    )
    not_0 = back.show(
        ne(denominator, 0), "The integer that multiplies the power of pi is not 0.", BASE, moved
    )
    transcendent = back.axiom(
        axiom_named("Lindemann").at(p=numerator, q=denominator, m=2 * m),
        (not_0, PLANES, PLANE),
        why="As pi is transcendental, no such equation holds between integers.",
    )
    absurd = back.show(
        lt(1, 0),
        "So the power of the lag times both of them is itself. Multiply this equation by the "
        "power of the base. So an integer is an integer times a power of pi. So the "
        "assumption that a lag returns leads to a contradiction.",
        (equal, cancel, transcendent),
    )
    proof.qed("So no lag other than 0 is a whole number of turns.", absurd)
