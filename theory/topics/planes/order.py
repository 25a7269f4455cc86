"""The best margin of m planes is of order n^(-2/m)."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.language.substitution import substitute
from ropeproof.theory.library.trigonometry import jordan
from ropeproof.theory.library.trigonometry.cosine import TRIG_COSINE_ABOVE_PARABOLA
from ropeproof.theory.topics.planes import upper
from ropeproof.theory.topics.planes.digits import (
    LARGE,
    PLANE,
    PLANES_DIGITS,
    amount,
    digit_energy,
    lag,
    size,
)
from ropeproof.theory.topics.planes.digits import MEANINGS as OF_DIGITS
from ropeproof.theory.topics.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.topics.slash.ceiling.aligned_head import total
from ropeproof.theory.topics.slash.cone import inequalities
from ropeproof.theory.topics.slash.game import game_bounds
from ropeproof.theory.topics.slash.lags import offset

MEANINGS: Meanings = {**OF_DIGITS, **game_bounds.MEANINGS, j: "a position"}

angle = 2 * sp.pi / size
fall = 1 - sp.cos(angle)
least, most = 8 / size**2, 2 * sp.pi**2 / size**2


@theorem(
    "planes.part-of-a-turn",
    hypotheses=(LARGE,),
    conclusion=Both(le(least, fall), le(fall, most)),
    attack=Attack(
        {"9/Q^2": le(9 / size**2, fall), "18/Q^2": le(fall, 18 / size**2)},
        at={"9/Q^2": {size: 2}, "18/Q^2": {size: 9}},
        without={LARGE: {size: 1}},
    ),
)
def PLANES_PART_OF_A_TURN(p: Proof) -> None:
    r"""How far a Q-th part of a turn falls

    $\frac8{Q^2}\le1-\cos\frac{2\pi}Q\le\frac{2\pi^2}{Q^2}$ for $Q\ge2$.
    """
    half = p.show(
        within(angle, -sp.pi, sp.pi),
        "As Q is at least 2, a Q-th part is at most a half. So a Q-th part of a turn is at "
        "most half a turn.",
        LARGE,
    )
    below = p.apply(
        jordan.TRIG_COSINE_BELOW_PARABOLA,
        half,
        why="Within half a turn the fall is at least a parabola.",
    )
    above = p.lemma(
        TRIG_COSINE_ABOVE_PARABOLA.at(x=angle),
        why="The fall of an angle is at most half of its square.",
    )
    values = {"x": 8 / size**2, "y": 1 - sp.cos(angle), "t": sp.pi**2}
    share = p.lemma(
        inequalities.SLASH_CANCEL.at(**values),
        below,
        why="The square of pi is positive. Divide by pi^2, which is positive.",
    )
    p.qed("The lower and the upper bound together are the claim.", share, above)


# -- the order ---------------------------------------------------------------------------

root, low, high = real("rho x y")
MEANINGS = {**MEANINGS, root: "the m-th root of N"}
h, k = integer("h k")
below = sp.floor(root)
ROOT = Hypothesis(
    "rho is the m-th root of N, and at least 2", Both(le(2, root), eq(root**m, game_bounds.reach))
)

upper_bound = sp.Rational(9, 2) * sp.pi**2 * total()
of_digits = substitute(digit_energy(lag), {size: below + 1, amount: total()})
lower_bound = sp.Rational(32, 9) * total() / m


def _powers(p: Proof, compare: Callable[..., Any]) -> Fact:
    """x^h <= y^h or x^h < y^h, for h >= 1 and 0 < x, as x and y compare."""

    def powers(exponent: Term) -> Formula:
        return Both(lt(0, low**exponent), compare(low**exponent, high**exponent))

    ordered = p.under(lt(0, low), compare(low, high))
    start = ordered.show(powers(sp.S.One), "Suppose that x is positive and at most y.")
    more = ordered.under(le(1, h)).supposing(powers(h))
    known = more.given(powers(h), "Suppose that the h-th powers compare in the same way.")
    following = more.show(
        powers(h + 1),
        "Multiply this inequality by x, which is positive. Multiply x <= y by y^h, which is "
        "positive. So the next powers compare in the same way.",
        known,
    )
    return ordered.under(le(1, h)).induction(
        powers(h), h, 1, start, following, why="By induction all powers compare in the same way."
    )


def _whole(p: Proof, floor: Fact) -> Fact:
    """(floor(rho) + 1)^h is a whole number, for h >= 0."""

    def whole(exponent: Term) -> Formula:
        return Some((k,), eq(k, base**exponent))

    base = below + 1
    more = p.under(le(0, h))
    start = p.witness(whole(sp.S.Zero), {k: 1}, why="The power 0 of an integer is the integer 1.")
    larger = more.under(eq(k, base**h))
    product = larger.show(
        eq(base * k, base ** (h + 1)),
        "The next power is the last one times the integer.",
        floor,
        by=rules.smt(),
    )
    next_ = larger.witness(
        whole(h + 1),
        {k: base * k},
        product,
        why="So the next power is an integer if the last one is.",
    )
    known = more.under(whole(h)).given(whole(h), "Suppose that the h-th power is an integer.")
    step = known.scope.choose(known, next_, "So the next power is an integer too.")
    return more.induction(
        whole(h), h, 0, start, step, why="By induction every power of this integer is an integer."
    )


def _upper(p: Proof, floor: Fact, sizes: Fact, not_negative: Fact) -> Fact:
    power = p.use(
        _powers(p, le),
        {low: below, high: root, h: m},
        (floor, PLANE),
        why="As the floor of the root is at least 2, it is positive. In particular the m-th "
        "power of the floor is at most that of the root.",
    )
    limit = p.apply(
        upper.PLANES_UPPER,
        (NOT_NEGATIVE, PLANE, upper.MARGIN, power, ROOT, floor),
        why="So this power is at most the number N of positions. So the margin is at most the "
        "fall of this part of a turn, times the amplitude.",
    )
    part = p.apply(
        PLANES_PART_OF_A_TURN,
        floor,
        why="This fall lies between two multiples of the inverse square.",
    )
    fall = 1 - sp.cos(2 * sp.pi / below)
    inverse = p.show(
        le(root**2 / below**2, sp.Rational(9, 4)),
        "The root is at most 3/2 times its floor, so the quotient's square is at most 9/4.",
        (sizes, floor),
    )
    scaled = part.parts()[1].times(
        root**2, "Multiply the upper bound of the fall by the square of the root.", ROOT
    )
    return p.show(
        p.goal.args[0],
        "Multiply this inequality by the total amplitude, which is not negative. Multiply "
        "the bound of the margin by the square of the root. So the square of the root times "
        "the margin is at most this multiple of the amplitude.",
        (
            p.show(
                le(fall * root**2, sp.Rational(9, 2) * sp.pi**2),
                "So the square of the root times this fall is at most a constant.",
                (scaled, inverse),
            ),
            not_negative,
            limit,
            ROOT,
        ),
    )


def _lower(p: Proof, floor: Fact, sizes: Fact, not_negative: Fact) -> Fact:
    base = below + 1
    at = p.under(within(lag, 1, game_bounds.reach))
    strictly = p.use(
        _powers(p, lt),
        {low: root, high: base, h: m},
        (floor, ROOT, PLANE),
        why="The m-th power of the next integer exceeds that of the root.",
    )
    whole = p.use(
        _whole(p, floor), {h: m}, PLANE, why="In particular the m-th power is an integer k."
    )
    number = at.under(eq(k, base**m))
    less = number.show(
        lt(lag, k),
        "So every lag of the row is less than this power. So the lag is less than the integer k.",
        (strictly, ROOT),
    )
    in_digits = at.choose(
        whole,
        number.show(
            le(lag, base**m - 1),
            "As both are integers, the lag is at most k - 1. So the lag is at most the power "
            "less 1.",
            less,
        ),
        "Such an integer exists, and the bound does not depend on it.",
    )
    digits = p.apply(
        PLANES_DIGITS.at(Q=base),
        (floor, PLANE, not_negative),
        why="Planes for the digits in this base fall together by at least this much.",
    )
    every_lag = digits.parts()[0]
    fallen = at.use(every_lag, in_digits, why="In particular they do so at the lag t.")
    part = p.lemma(
        PLANES_PART_OF_A_TURN.at(Q=base),
        floor,
        why="The fall of this part of a turn lies between these two bounds.",
    )
    fall = 1 - sp.cos(2 * sp.pi / base)
    enough = p.show(
        le(sp.Rational(32, 9), fall * root**2),
        "The root is at least 2/3 of the next integer, so the quotient's square is at least "
        "4/9. Multiply the lower bound of the fall by the square of the root. So the square "
        "of the root times this fall is at least a constant.",
        (part.parts()[0], ROOT, sizes, floor),
    )
    return at.show(
        le(lower_bound, of_digits * root**2),
        "The amplitude of a single plane is not negative. Multiply this inequality by the "
        "amplitude of a plane. Multiply the lower bound of the planes' fall by the square of "
        "the root. So the square of the root times the fall of the planes is at least this "
        "multiple.",
        (enough, not_negative, PLANE, fallen, ROOT),
    ).for_all(lag)


_one_plane: Values = {
    **{m: 1, game_bounds.reach: 9, root: 9, amplitude(0): 1, theta(0): sp.pi / 5, phase(0): 0},
    **{offset: 0, game_bounds.margin: sp.Rational(1, 6)},
}


@theorem(
    "planes.order",
    hypotheses=(NOT_NEGATIVE, PLANE, ROOT, upper.MARGIN),
    conclusion=Both(
        le(game_bounds.margin * root**2, upper_bound),
        every(lag, 1, game_bounds.reach, le(lower_bound, of_digits * root**2)),
    ),
    attack=Attack(
        {
            "a smaller order above": le(game_bounds.margin * root**3, upper_bound),
            "a larger order below": every(
                lag, 1, game_bounds.reach, le(lower_bound, of_digits * root)
            ),
        },
        at=dict.fromkeys(("a smaller order above", "a larger order below"), where(_one_plane)),
        without={
            NOT_NEGATIVE: {**_one_plane, amplitude(0): -1, theta(0): 0, game_bounds.margin: 0},
            ROOT: {**_one_plane, root: 100},
            upper.MARGIN: {**_one_plane, game_bounds.margin: 100},
        },
        idle={PLANE: "without planes all logits and bounds are 0"},
    ),
)
def PLANES_ORDER(p: Proof) -> None:
    r"""The best margin of m planes is of order 1/n^(2/m)

    $m\ge1$ planes of amplitude $A$, $N\ge2^m$ positions on both sides of the target,
    $\rho=N^{1/m}$: every head of constant keys has margin $\le\frac{9\pi^2}2A\rho^{-2}$, and the
    planes $2\pi Q^{-k}$, $k=1,\dots,m$, with $Q=\lfloor\rho\rfloor+1$ and equal aligned amplitudes
    $A/m$ have margin $\ge\frac{32}{9m}A\rho^{-2}$.
    """
    floor = p.show(
        Both(le(2, below), le(below, root), lt(root, below + 1)),
        "The root lies between its floor and the next integer.",
        ROOT,
    )
    sizes = p.show(
        Both(le(2 * root / 3, below), le(below + 1, 3 * root / 2)),
        "As the root is at least 2, both integers are within a factor 3/2 of it.",
        floor,
    )
    plane = p.under(within(l, 0, m - 1)).use(
        NOT_NEGATIVE, why="The amplitude A(l) is not negative, by hypothesis."
    )
    not_negative = plane.summed(l, 0, m - 1, "Sum this inequality over all planes.")
    p.qed(
        "The upper bound and the planes that reach its order are the claim.",
        (_upper(p, floor, sizes, not_negative), _lower(p, floor, sizes, not_negative)),
    )
