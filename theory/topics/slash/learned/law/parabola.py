"""A parabola below the logistic function, touching it where its value is y."""

from ropeproof.theory.language import *
from ropeproof.theory.library.exponential import EXP_ABOVE_TANGENT, exponentials
from ropeproof.theory.library.exponential import x as at
from ropeproof.theory.library.order import times

v, y, z = real("v y z")
curvature = y * (1 + y) / 4
chord = v - curvature * v**2


def above(place: Any = v) -> Any:
    """The logistic function a distance `place` to the right of where it is y."""
    return y / (y + (1 - y) * sp.exp(-place))


LEVEL = Hypothesis("y is in (0, 1/2]", Both(lt(0, y), le(y, sp.Rational(1, 2))))

_PARABOLA = Claim(
    id="exp.logistic-parabola",
    title="A parabola below the logistic function",
    statement=(
        r"$\frac y{y+(1-y)e^{-v}}\ge y+y(1-y)\big[v-\frac{y(1+y)}4v^2\big]$ for $0<y\le\frac12$ and all "
        r"$v$: with $\sigma(a)=y$ the left side is $\sigma(a+v)$. (For small $y$ the curvature "
        r"$\frac{y(1+y)}4$ is the least possible to first order: the parabola's top is then 1.)"
    ),
    needs=frozenset("PX"),
    hypotheses=(LEVEL,),
    conclusion=le(y + y * (1 - y) * chord, above()),
)


def _right(p: Proof) -> Fact:
    """C (1 + y (e^v - 1)) <= e^v - 1 for v >= 0, with C = v - y(1+y)/4 v^2."""
    right = p.under(le(0, v))
    zero = p.show(eq(kept(sp.exp, 0), 1), "At v = 0 the exponential is 1.")
    tangent = right.lemma(
        EXP_ABOVE_TANGENT, {at: v}, why="The exponential lies above its tangent 1 + v."
    )
    slope = right.show(
        le(0, sp.exp(v) - 1 - v), "So the slope of e^v - 1 - v - v^2/2 is not negative.", tangent
    )
    second = right.mean_value(
        le(0, sp.exp(v) - 1 - v - v**2 / 2),
        v,
        0,
        zero,
        slope,
        why="So e^v is at least 1 + v + v^2/2 for v at least 0.",
    )
    bend, pull = y * curvature / 2, y * (sp.Rational(1, 2) - curvature)
    room = sp.Rational(1, 2) - y + curvature
    powers = [p.show(le(y**2, y), "As y lies between 0 and 1, its square is at most y.", LEVEL)]
    for _ in range(2):
        powers.append(times(p, powers[-1], y, "Multiply y^2 <= y by y, which is positive.", LEVEL))
    even = p.show(
        le((sp.Rational(1, 2) - curvature) ** 2, (1 + y) * room / 2),
        "Inserting these bounds of the powers of y gives this inequality.",
        *powers,
    )
    sign = p.show(le(0, y**2), "The square of y is not negative.")
    scaled = times(p, even, y**2, "Multiply the inequality by y^2, which is not negative.", sign)
    discriminant = p.show(
        le(pull**2, 4 * bend * room),
        "So the discriminant of a parabola in v is not positive.",
        scaled,
    )
    quadratic = bend * v**2 - pull * v + room
    square = p.show(
        eq(4 * bend * quadratic, (2 * bend * v - pull) ** 2 + 4 * bend * room - pull**2),
        "Complete the square of this parabola in v.",
    )
    convex = p.show(
        lt(0, bend), "The leading coefficient of the parabola is positive.", LEVEL, by=rules.smt()
    )
    completed = p.show(le(0, (2 * bend * v - pull) ** 2), "The completed square is not negative.")
    above_0 = p.show(
        le(0, quadratic),
        "So the parabola is not negative anywhere.",
        square,
        completed,
        discriminant,
        convex,
    )
    left_over = 1 - y * chord
    same = p.show(
        eq((v + v**2 / 2) * left_over - chord, v**2 * quadratic),
        "The difference of the two sides is v^2 times this parabola.",
    )
    polynomial = p.show(
        le(chord, (v + v**2 / 2) * left_over),
        "So the inequality holds with v + v^2/2 in the place of e^v - 1.",
        same,
        above_0,
        by=rules.smt(),
    )
    sum_of_squares = p.show(
        eq(left_over, (1 - y * v / 2) ** 2 + y * (y * v) ** 2 / 4),
        "The factor 1 - y C is a sum of a square and a multiple of v^2.",
    )
    one = p.show(le(0, (1 - y * v / 2) ** 2), "The first square is not negative.")
    other = times(
        p,
        p.show(le(0, (y * v) ** 2), "The square of v y is not negative."),
        y,
        "Multiply the second square by y, which is not negative.",
        LEVEL,
    )
    positive = p.show(
        le(0, left_over), "So the factor 1 - y C is not negative.", sum_of_squares, one, other
    )
    grown = times(
        right,
        second,
        left_over,
        "Multiply e^v - 1 - v - v^2/2 by this factor, which is not negative.",
        positive,
    )
    return right.show(
        le(chord * (1 + y * (sp.exp(v) - 1)), sp.exp(v) - 1),
        "So the inequality holds with e^v itself, for v at least 0.",
        grown,
        polynomial,
    )


def _left(p: Proof) -> Fact:
    """The same for v <= 0."""
    left = p.under(le(v, 0))
    zero = p.show(eq(kept(sp.exp, 0), 1), "At v = 0 the exponential is 1.")
    tangent = left.lemma(
        EXP_ABOVE_TANGENT, {at: -v}, why="The exponential at -v lies above its tangent 1 - v."
    )
    positive = p.show(
        Both(lt(0, sp.exp(v)), eq(kept(sp.Mul, sp.exp(v), sp.exp(-v)), 1)),
        "The exponential is positive, and e^-v is its inverse.",
    )
    slope = left.show(
        le(0, 1 - sp.exp(v) + v * sp.exp(v)),
        "Multiply by e^v: the slope of the next expression is not negative.",
        (tangent, positive),
        by=rules.smt(),
    )
    chord_ = left.mean_value(
        le(0, 2 * (sp.exp(v) - 1) - v * (1 + sp.exp(v))),
        v,
        0,
        zero,
        slope,
        why="So 2 (e^v - 1) is at most v (e^v + 1) for v at most 0.",
    )
    at_most_1 = exponentials(left, v, 0, "For v at most 0 the exponential e^v is at most 1.")
    line = left.show(
        le(v * (1 + y * (sp.exp(v) - 1)), sp.exp(v) - 1),
        "So the inequality holds with v in the place of C, for v at most 0.",
        (chord_, at_most_1, LEVEL),
        by=rules.smt(),
    )
    bend = p.show(
        le(chord, v), "As the square is not negative, C is at most v.", LEVEL, by=rules.smt()
    )
    factor = left.show(
        le(0, 1 + y * (sp.exp(v) - 1)),
        "The factor 1 + y (e^v - 1) is not negative.",
        positive,
        LEVEL,
        by=rules.smt(),
    )
    scaled = times(
        left,
        bend,
        1 + y * (sp.exp(v) - 1),
        "Multiply C <= v by this factor, which is not negative.",
        factor,
    )
    return left.show(
        le(chord * (1 + y * (sp.exp(v) - 1)), sp.exp(v) - 1),
        "So the inequality holds with C, for v at most 0.",
        scaled,
        line,
    )


def _proof(p: Proof) -> None:
    right, left = _right(p), _left(p)
    either = p.show(
        right.formula, "On both sides of 0, C (1 + y (e^v - 1)) is at most e^v - 1.", right, left
    )
    factor = p.show(
        le(0, y * (1 - y)), "The product y (1 - y) is not negative.", LEVEL, by=rules.smt()
    )
    scaled = times(
        p,
        either,
        y * (1 - y),
        "Multiply the inequality by y (1 - y), which is not negative.",
        factor,
    )
    below = y + y * (1 - y) * chord
    whole = p.show(
        le(below * (1 + y * (sp.exp(v) - 1)), y * sp.exp(v)),
        "Add y (1 + y (e^v - 1)) on both sides.",
        scaled,
    )
    positive = p.show(
        Both(lt(0, sp.exp(-v)), eq(kept(sp.Mul, sp.exp(v), sp.exp(-v)), 1)),
        "The exponential e^-v is positive and the inverse of e^v.",
    )
    back = times(p, whole, sp.exp(-v), "Multiply both sides by e^-v, which is positive.", positive)
    divided = p.show(
        le(below * (y + (1 - y) * sp.exp(-v)), y),
        "Multiply e^-v into the first factor.",
        back,
        positive,
    )
    below_1 = p.show(
        lt(0, y + (1 - y) * sp.exp(-v)),
        "The factor y + (1 - y) e^-v is positive.",
        positive,
        LEVEL,
        by=rules.smt(),
    )
    p.qed("Divide both sides by this factor, which is positive.", divided, below_1)


LOGISTIC_PARABOLA = prove(
    _PARABOLA,
    _proof,
    Attack(
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
CLAIMS = (LOGISTIC_PARABOLA,)
