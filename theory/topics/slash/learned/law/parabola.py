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
    zero = p.show(eq(kept(sp.exp, 0), 1), "Equal at 0,")
    tangent = right.lemma(EXP_ABOVE_TANGENT, {at: v}, why="(the exponential above its tangent)")
    slope = right.show(le(0, sp.exp(v) - 1 - v), "and with a slope that is not negative,", tangent)
    second = right.mean_value(
        le(0, sp.exp(v) - 1 - v - v**2 / 2), v, 0, zero, slope, why="e^v >= 1 + v + v^2/2."
    )
    bend, pull = y * curvature / 2, y * (sp.Rational(1, 2) - curvature)
    room = sp.Rational(1, 2) - y + curvature
    powers = [p.show(le(y**2, y), "Powers of y fall,", LEVEL)]
    for _ in range(2):
        powers.append(times(p, powers[-1], y, "and fall,", LEVEL))
    even = p.show(
        le((sp.Rational(1, 2) - curvature) ** 2, (1 + y) * room / 2), "so this is less,", *powers
    )
    sign = p.show(le(0, y**2), "also times a square:")
    scaled = times(p, even, y**2, "this is;", sign)
    discriminant = p.show(le(pull**2, 4 * bend * room), "a discriminant is not positive,", scaled)
    quadratic = bend * v**2 - pull * v + room
    square = p.show(
        eq(4 * bend * quadratic, (2 * bend * v - pull) ** 2 + 4 * bend * room - pull**2),
        "as the square is completed;",
    )
    convex = p.show(lt(0, bend), "the parabola opens upwards,", LEVEL, by=rules.smt())
    completed = p.show(le(0, (2 * bend * v - pull) ** 2), "(squares are not negative)")
    above_0 = p.show(
        le(0, quadratic), "so it has no root.", square, completed, discriminant, convex
    )
    left_over = 1 - y * chord
    same = p.show(
        eq((v + v**2 / 2) * left_over - chord, v**2 * quadratic), "That is what is to be shown"
    )
    polynomial = p.show(
        le(chord, (v + v**2 / 2) * left_over), "for 1 + v + v^2/2", same, above_0, by=rules.smt()
    )
    sum_of_squares = p.show(
        eq(left_over, (1 - y * v / 2) ** 2 + y * (y * v) ** 2 / 4), "(1 - y C is a sum of squares)"
    )
    one = p.show(le(0, (1 - y * v / 2) ** 2), "of the one")
    other = times(p, p.show(le(0, (y * v) ** 2), "and the other,"), y, "the latter times y:", LEVEL)
    positive = p.show(le(0, left_over), "and it is not negative,", sum_of_squares, one, other)
    grown = times(right, second, left_over, "in place of e^v;", positive)
    return right.show(
        le(chord * (1 + y * (sp.exp(v) - 1)), sp.exp(v) - 1), "so for e^v.", grown, polynomial
    )


def _left(p: Proof) -> Fact:
    """The same for v <= 0."""
    left = p.under(le(v, 0))
    zero = p.show(eq(kept(sp.exp, 0), 1), "Equal at 0,")
    tangent = left.lemma(EXP_ABOVE_TANGENT, {at: -v}, why="(the exponential above its tangent)")
    positive = p.show(
        Both(lt(0, sp.exp(v)), eq(kept(sp.Mul, sp.exp(v), sp.exp(-v)), 1)), "(e^v is positive)"
    )
    slope = left.show(
        le(0, 1 - sp.exp(v) + v * sp.exp(v)),
        "and with a slope that has one sign,",
        (tangent, positive),
        by=rules.smt(),
    )
    chord_ = left.mean_value(
        le(0, 2 * (sp.exp(v) - 1) - v * (1 + sp.exp(v))), v, 0, zero, slope, why="2 tanh(v/2) >= v:"
    )
    at_most_1 = exponentials(left, v, 0, "e^v is at most 1,")
    line = left.show(
        le(v * (1 + y * (sp.exp(v) - 1)), sp.exp(v) - 1),
        "so this holds with v for C,",
        (chord_, at_most_1, LEVEL),
        by=rules.smt(),
    )
    bend = p.show(le(chord, v), "which is no more.", LEVEL, by=rules.smt())
    factor = left.show(
        le(0, 1 + y * (sp.exp(v) - 1)), "(The factor is positive.)", positive, LEVEL, by=rules.smt()
    )
    scaled = times(left, bend, 1 + y * (sp.exp(v) - 1), "So it holds with C.", factor)
    return left.show(
        le(chord * (1 + y * (sp.exp(v) - 1)), sp.exp(v) - 1), "On the left too.", scaled, line
    )


def _proof(p: Proof) -> None:
    right, left = _right(p), _left(p)
    either = p.show(right.formula, "On either side C(1 + y(e^v - 1)) <= e^v - 1.", right, left)
    factor = p.show(le(0, y * (1 - y)), "Times y(1 - y),", LEVEL, by=rules.smt())
    scaled = times(p, either, y * (1 - y), "which is not negative,", factor)
    below = y + y * (1 - y) * chord
    whole = p.show(
        le(below * (1 + y * (sp.exp(v) - 1)), y * sp.exp(v)), "and with y on both sides:", scaled
    )
    positive = p.show(
        Both(lt(0, sp.exp(-v)), eq(kept(sp.Mul, sp.exp(v), sp.exp(-v)), 1)),
        "Times e^-v, which is positive,",
    )
    back = times(p, whole, sp.exp(-v), "on both sides", positive)
    divided = p.show(le(below * (y + (1 - y) * sp.exp(-v)), y), "that is this,", back, positive)
    below_1 = p.show(
        lt(0, y + (1 - y) * sp.exp(-v)),
        "whose factor is positive.",
        positive,
        LEVEL,
        by=rules.smt(),
    )
    p.qed("Divide.", divided, below_1)


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
