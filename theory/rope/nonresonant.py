"""No lag is a whole number of turns of a plane, because pi is transcendental."""

from ropeproof.theory.derivation import Derivation, Step, axiom, identity, rewrite, smt
from ropeproof.theory.language import *
from ropeproof.theory.notation import l, m

b, k, p, q, t = integer("b k p q t")


def _nonresonant() -> Claim:
    angle, turns = t * b ** (-l / m), 2 * sp.pi * k
    returns = eq(angle, turns)
    square_of_angle = sp.Pow(angle, 2, evaluate=False)
    square_of_turns = sp.Pow(turns, 2, evaluate=False)
    squared_angle = sp.Pow(square_of_angle, m, evaluate=False)
    squared_turns = sp.Pow(square_of_turns, m, evaluate=False)
    numerator = t ** (2 * m)
    denominator = b ** (2 * l) * 4**m * k ** (2 * m)
    goal = ne(angle, turns)
    return Claim(
        id="rope.nonresonant",
        title="With an integer base no plane ever returns exactly",
        statement=(
            r"If $b\ge2$ is an integer, $\theta_l=b^{-l/m}$ with integers $m\ge1$, $l\ge0$, then "
            r"$t\theta_l\notin2\pi\mathbb Z$ for every integer $t\ne0$."
        ),
        source=Source("ropeproof", "axiom: Lindemann", "own"),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis("the base is an integer at least 2", le(2, b)),
            Hypothesis(
                "m is at least 1",
                le(1, m),
                idle="for m = 0 the totalised exponent is 0, for m < 0 the base is its inverse",
            ),
            Hypothesis("l is a plane", le(0, l), idle="for l < 0 the frequency is a root of b too"),
            Hypothesis("the lag is not 0", ne(t, 0)),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "base",
                    lt(0, b),
                    smt(),
                    "The base is positive.",
                    ("the base is an integer at least 2",),
                ),
                Step("m", lt(0, m), smt(), "So is m.", ("m is at least 1",)),
                Step("return", returns, smt(), "Suppose a lag returns.", (), (returns,)),
                Step(
                    "turns",
                    ne(k, 0),
                    smt(),
                    "The number of turns is not 0, since neither t nor the frequency is.",
                    ("return", "the lag is not 0", "base"),
                    (returns,),
                ),
                Step(
                    "square",
                    lt(0, k**2),
                    smt(),
                    "So its square is positive.",
                    ("turns",),
                    (returns,),
                ),
                Step(
                    "powers",
                    eq(squared_angle, squared_turns),
                    rewrite(),
                    "Square both sides and take the m-th power.",
                    ("return",),
                    (returns,),
                ),
                Step(
                    "angle",
                    eq(squared_angle, numerator * b ** (-2 * l)),
                    identity(),
                    "That removes the root from the frequency.",
                    ("base", "m"),
                ),
                Step(
                    "circle",
                    eq(squared_turns, 4**m * k ** (2 * m) * sp.pi ** (2 * m)),
                    identity(),
                    "The other side is an integer times a power of pi.",
                    ("m", "square"),
                    (returns,),
                ),
                Step(
                    "base powers",
                    eq(b ** (2 * l) * b ** (-2 * l), 1),
                    identity(),
                    "b^(2l) and b^(-2l) cancel.",
                    ("base",),
                ),
                Step(
                    "integers",
                    eq(numerator, denominator * sp.pi ** (2 * m)),
                    smt(),
                    "So an integer is an integer times a power of pi.",
                    ("powers", "angle", "circle", "base powers", "base", "square"),
                    (returns,),
                ),
                Step(
                    "denominator",
                    ne(denominator, 0),
                    smt(),
                    "The second integer is not 0.",
                    ("base", "square"),
                    (returns,),
                ),
                Step(
                    "transcendence",
                    ne(numerator, denominator * sp.pi ** (2 * m)),
                    axiom("Lindemann", {p: numerator, q: denominator, m: 2 * m}),
                    "But pi is transcendental.",
                    ("denominator", "m", "l is a plane"),
                    (returns,),
                ),
                Step(
                    "contradiction",
                    ne(1, 1),
                    smt(),
                    "A contradiction.",
                    ("integers", "transcendence"),
                    (returns,),
                ),
                Step("no return", goal, smt(), "So no lag returns.", ("contradiction",)),
            )
        ),
        mutants=(
            Mutant("sign flipped", eq(angle, turns)),
            Mutant("stays half a unit away", lt(sp.Rational(1, 2), sp.Abs(angle - turns))),
            Mutant("forward only", lt(turns, angle)),
        ),
    )


ROPE_NONRESONANT = _nonresonant()

CLAIMS = (ROPE_NONRESONANT,)
