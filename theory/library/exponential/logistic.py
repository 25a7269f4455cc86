"""A parabola below the logistic function, touching it where its value is y."""

from ropeproof.theory.language import *
from ropeproof.theory.library.exponential.exp_log import EXP_ABOVE_TANGENT, exponentials
from ropeproof.theory.library.order import times

v, y, z = real("v y z")
MEANINGS: Meanings = {v: "a number", y: "a number"}
curvature = y * (1 + y) / 4
chord = v - curvature * v**2


def above(place: Term = v) -> Term:
    """The logistic function a distance `place` to the right of where it is y."""
    return y / (y + (1 - y) * sp.exp(-place))


LEVEL = Hypothesis("y is in (0, 1/2]", Both(lt(0, y), le(y, sp.Rational(1, 2))))


def _right(p: Proof) -> Fact:
    """C (1 + y (e^v - 1)) <= e^v - 1 for v >= 0, with C = v - y(1+y)/4 v^2."""
    right = p.under(le(0, v))
    zero = p.show(
        eq(kept(sp.exp, 0), 1), "The exponential of 0 is 1, so both sides are equal at v = 0."
    )
    tangent = right.lemma(
        EXP_ABOVE_TANGENT.at(x=v), why="The exponential lies above its tangent at 0."
    )
    slope = right.show(
        le(0, sp.exp(v) - 1 - v),
        "So the slope e^v - 1 - v of the difference is not negative.",
        tangent,
    )
    second = right.mean_value(
        le(0, sp.exp(v) - 1 - v - v**2 / 2),
        v,
        0,
        zero,
        slope,
        why="So e^v is at least 1 + v + v^2/2.",
    )
    bend, pull = y * curvature / 2, y * (sp.Rational(1, 2) - curvature)
    room = sp.Rational(1, 2) - y + curvature
    powers = [p.show(le(y**2, y), "As y is at most 1, y^2 is at most y.", LEVEL)]
    for _ in range(2):
        powers.append(
            powers[-1].times(y, "Multiply this bound by y, which is not negative.", LEVEL)
        )
    even = p.show(
        le((sp.Rational(1, 2) - curvature) ** 2, (1 + y) * room / 2),
        "For such y the square (1/2 - y(1+y)/4)^2 is at most this product.",
        *powers,
    )
    sign = p.show(le(0, y**2), "The square of y is not negative.")
    scaled = even.times(y**2, "Multiply this bound by y^2.", sign)
    discriminant = p.show(
        le(pull**2, 4 * bend * room),
        "So the discriminant of the quadratic is not positive.",
        scaled,
    )
    quadratic = bend * v**2 - pull * v + room
    square = p.show(
        eq(4 * bend * quadratic, (2 * bend * v - pull) ** 2 + 4 * bend * room - pull**2),
        "Complete the square of the quadratic.",
    )
    convex = p.show(lt(0, bend), "The leading coefficient of the quadratic is positive.", LEVEL)
    completed = p.show(
        le(0, (2 * bend * v - pull) ** 2), "The square of a real number is not negative."
    )
    above_0 = p.show(
        le(0, quadratic),
        "So the quadratic has no sign change and is not negative.",
        (square, completed, discriminant, convex),
    )
    left_over = 1 - y * chord
    same = p.show(
        eq((v + v**2 / 2) * left_over - chord, v**2 * quadratic),
        "The difference of both sides is v^2 times the quadratic.",
    )
    polynomial = p.show(
        le(chord, (v + v**2 / 2) * left_over),
        "So the bound holds with 1 + v + v^2/2 in the place of e^v.",
        (same, above_0),
    )
    sum_of_squares = p.show(
        eq(left_over, (1 - y * v / 2) ** 2 + y * (y * v) ** 2 / 4),
        "The number 1 - y C is a sum of squares.",
    )
    one = p.show(le(0, (1 - y * v / 2) ** 2), "The first of these squares is not negative.")
    other = p.show(le(0, (y * v) ** 2), "The second of these squares is not negative.").times(
        y, "Multiply the second square by y, which is not negative.", LEVEL
    )
    positive = p.show(le(0, left_over), "So 1 - y C is not negative.", sum_of_squares, one, other)
    grown = second.times(left_over, "Multiply the bound of e^v by 1 - y C.", positive)
    return right.show(
        le(chord * (1 + y * (sp.exp(v) - 1)), sp.exp(v) - 1),
        "So C (1 + y (e^v - 1)) is at most e^v - 1 for v >= 0.",
        (grown, polynomial),
    )


def _left(p: Proof) -> Fact:
    """The same for v <= 0."""
    left = p.under(le(v, 0))
    zero = p.show(
        eq(kept(sp.exp, 0), 1), "The exponential of 0 is 1, so both sides are equal at v = 0."
    )
    tangent = left.lemma(
        EXP_ABOVE_TANGENT.at(x=-v), why="The exponential lies above its tangent at 0."
    )
    slope = left.show(
        le(0, 1 - sp.exp(v) + v * sp.exp(v)),
        "The exponential e^v is positive and has the inverse e^-v. So the slope 1 - e^v + v "
        "e^v of the difference is not negative.",
        tangent,
    )
    chord_ = left.mean_value(
        le(0, 2 * (sp.exp(v) - 1) - v * (1 + sp.exp(v))),
        v,
        0,
        zero,
        slope,
        why="So 2 (e^v - 1) is at least v (1 + e^v) for v <= 0.",
    )
    at_most_1 = exponentials(left, v, 0, "For v <= 0 the exponential e^v is at most 1.")
    bend = p.show(le(chord, v), "The number C is at most v.", LEVEL)
    factor = left.show(
        le(0, 1 + y * (sp.exp(v) - 1)), "The factor 1 + y (e^v - 1) is not negative.", LEVEL
    )
    scaled = times(left, bend, 1 + y * (sp.exp(v) - 1), "Multiply C <= v by this factor.", factor)
    return left.show(
        le(chord * (1 + y * (sp.exp(v) - 1)), sp.exp(v) - 1),
        "So the bound holds with v in the place of C. So the bound holds with C for v <= 0, too.",
        (scaled, chord_, at_most_1, LEVEL),
    )


@theorem(
    "exp.logistic-parabola",
    hypotheses=(LEVEL,),
    conclusion=le(y + y * (1 - y) * chord, above()),
    attack=Attack(
        {
            "half the curvature": le(y + y * (1 - y) * (v - curvature * v**2 / 2), above()),
            "the tangent": le(y + y * (1 - y) * v, above()),
        },
        at={
            "half the curvature": {y: sp.Rational(1, 2), v: sp.Rational(16, 3)},
            "the tangent": {y: sp.Rational(1, 2), v: 10},
        },
        without={LEVEL: {y: sp.Rational(9, 10), v: -2}},
    ),
)
def LOGISTIC_PARABOLA(p: Proof) -> None:
    r"""A parabola below the logistic function

    $\frac y{y+(1-y)e^{-v}}\ge y+y(1-y)\big[v-\frac{y(1+y)}4v^2\big]$ for $0<y\le\frac12$ and all
    $v$: with $\sigma(a)=y$ the left side is $\sigma(a+v)$.
    """
    right, left = _right(p), _left(p)
    below = y + y * (1 - y) * chord
    whole = p.show(
        le(below * (1 + y * (sp.exp(v) - 1)), y * sp.exp(v)),
        "So C (1 + y (e^v - 1)) <= e^v - 1 for either sign of v. The product y (1 - y) is "
        "not negative. Multiply this bound by y (1 - y). Add y (1 + y (e^v - 1)) to both "
        "sides.",
        (right, left, LEVEL),
    )
    p.qed(
        "The exponential e^-v is positive and the inverse of e^v. Multiply both sides by "
        "e^-v. So the parabola times y + (1 - y) e^-v is at most y. The number y + (1 - y) "
        "e^-v is positive. Divide by y + (1 - y) e^-v, which is positive.",
        (whole, LEVEL),
    )
