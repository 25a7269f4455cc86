"""The best margin of m planes is of order n^(-2/m)."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import amplitude, l, m, phase, theta
from ropeproof.theory.language.notation import t as factor
from ropeproof.theory.language.substitution import substitute
from ropeproof.theory.library.order import times
from ropeproof.theory.library.trigonometry.cosine import TRIG_COSINE_ABOVE_PARABOLA
from ropeproof.theory.library.trigonometry.jordan import TRIG_COSINE_BELOW_PARABOLA, x
from ropeproof.theory.topics.planes.digits import (
    LARGE,
    PLANE,
    PLANES_DIGITS,
    amount,
    digit_energy,
    lag,
    size,
)
from ropeproof.theory.topics.planes.upper import MARGIN, PLANES_UPPER
from ropeproof.theory.topics.planes.upper import size as parts
from ropeproof.theory.topics.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.topics.slash.ceiling.common import total
from ropeproof.theory.topics.slash.cone.inequalities import SLASH_CANCEL
from ropeproof.theory.topics.slash.cone.inequalities import x as smaller
from ropeproof.theory.topics.slash.cone.inequalities import y as larger
from ropeproof.theory.topics.slash.game.game_bounds import margin, reach
from ropeproof.theory.topics.slash.row import offset

angle = 2 * sp.pi / size
fall = 1 - sp.cos(angle)
least, most = 8 / size**2, 2 * sp.pi**2 / size**2

PART = Claim(
    id="planes.part-of-a-turn",
    title="How far a Q-th part of a turn falls",
    statement=r"$\frac8{Q^2}\le1-\cos\frac{2\pi}Q\le\frac{2\pi^2}{Q^2}$ for $Q\ge2$.",
    needs=frozenset("PX"),
    hypotheses=(LARGE,),
    conclusion=Both(le(least, fall), le(fall, most)),
)


def _part(p: Proof) -> None:
    part = p.show(Both(le(0, 1 / size), le(2 * (1 / size), 1)), "A Q-th part of a turn", LARGE)
    half = p.show(within(angle, -sp.pi, sp.pi), "is an angle of at most half a turn.", part)
    below = p.lemma(
        TRIG_COSINE_BELOW_PARABOLA, {x: angle}, half, why="There the cosine lies below a parabola"
    )
    above = p.lemma(TRIG_COSINE_ABOVE_PARABOLA, {x: angle}, why="and above another.")
    square = p.show(lt(0, sp.pi**2), "(pi^2 is positive)")
    values = {smaller: 8 / size**2, larger: 1 - sp.cos(angle), factor: sp.pi**2}
    share = p.lemma(SLASH_CANCEL, values, below, square, why="Divide by pi^2.")
    p.qed("Both bounds.", share, above)


PLANES_PART_OF_A_TURN = prove(
    PART,
    _part,
    Attack(
        {"9/Q^2": le(9 / size**2, fall), "18/Q^2": le(fall, 18 / size**2)},
        at={"9/Q^2": {size: 2}, "18/Q^2": {size: 9}},
        without={LARGE: {size: 1}},
    ),
)

# -- the order ---------------------------------------------------------------------------

root, low, high = real("rho x y")
h, k = integer("h k")
below = sp.floor(root)
ROOT = Hypothesis(
    "rho is the m-th root of N, and at least 2", Both(le(2, root), eq(root**m, reach))
)

upper_bound = sp.Rational(9, 2) * sp.pi**2 * total()
of_digits = substitute(digit_energy(lag), {size: below + 1, amount: total()})
lower_bound = sp.Rational(32, 9) * total() / m

_ORDER = Claim(
    id="planes.order",
    title="The best margin of m planes is of order 1/n^(2/m)",
    statement=(
        r"$m\ge1$ planes of amplitude $A$, $N\ge2^m$ positions on both sides of the target, "
        r"$\rho=N^{1/m}$: every head of constant keys has margin $\le\frac{9\pi^2}2A\rho^{-2}$, "
        r"and the planes $2\pi Q^{-k}$, $k=1,\dots,m$, with $Q=\lfloor\rho\rfloor+1$ and equal "
        r"aligned amplitudes $A/m$ have margin $\ge\frac{32}{9m}A\rho^{-2}$."
    ),
    needs=frozenset("PX"),
    hypotheses=(NOT_NEGATIVE, PLANE, ROOT, MARGIN),
    conclusion=Both(
        le(margin * root**2, upper_bound),
        every(lag, 1, reach, le(lower_bound, of_digits * root**2)),
    ),
)


def _powers(p: Proof, compare: Any) -> Fact:
    """x^h <= y^h or x^h < y^h, for h >= 1 and 0 < x, as x and y compare."""

    def powers(exponent: Any) -> Any:
        return Both(lt(0, low**exponent), compare(low**exponent, high**exponent))

    ordered = p.under(lt(0, low), compare(low, high))
    start = ordered.show(powers(sp.S.One), "The first powers compare.")
    more = ordered.under(le(1, h)).supposing(powers(h))
    known = more.given(powers(h), "If the h-th do,")
    one = more.show(Both(lt(0, low**h * low), le(low**h * low, high**h * low)), "times x,", known)
    other = more.show(compare(high**h * low, high**h * high), "and times y,", known)
    following = more.show(powers(h + 1), "the next do,", one, other)
    return ordered.under(le(1, h)).induction(powers(h), h, 1, start, following, why="so all do.")


def _whole(p: Proof, floor: Fact) -> Fact:
    """(floor(rho) + 1)^h is a whole number, for h >= 0."""

    def whole(exponent: Any) -> Any:
        return Some((k,), eq(k, base**exponent))

    base = below + 1
    more = p.under(le(0, h))
    start = p.witness(whole(sp.S.Zero), {k: 1}, why="Powers of a whole number")
    larger = more.under(eq(k, base**h))
    product = larger.show(eq(base * k, base ** (h + 1)), "are whole:", floor, by=rules.smt())
    next_ = larger.witness(whole(h + 1), {k: base * k}, product, why="one factor more")
    known = more.under(whole(h)).given(whole(h), "leaves them whole,")
    step = known.scope.choose(known, next_, "each the next,")
    return more.induction(whole(h), h, 0, start, step, why="and so all.")


def _upper(p: Proof, floor: Fact, sizes: Fact, not_negative: Fact) -> Fact:
    positive = p.show(lt(0, below), "Whole parts of a turn:", floor)
    power = p.use(
        _powers(p, le), {low: below, high: root, h: m}, floor, positive, PLANE, why="Their power"
    )
    room = p.show(le(below**m, reach), "has room on both sides,", power, ROOT)
    limit = p.lemma(
        PLANES_UPPER,
        {parts: below},
        (NOT_NEGATIVE, PLANE, MARGIN, room, floor),
        why="so the margin is at most what a part falls,",
    )
    part = p.lemma(PLANES_PART_OF_A_TURN, {size: below}, floor, why="which is little.")
    fall = 1 - sp.cos(2 * sp.pi / below)
    inverse = p.show(
        le(root**2 / below**2, sp.Rational(9, 4)), "The root is at most 3/2 times", sizes, floor
    )
    scaled = times(p, part.parts()[1], root**2, "the parts,", ROOT)
    little = p.show(
        le(fall * root**2, sp.Rational(9, 2) * sp.pi**2),
        "so the fall is little, times the root's square,",
        (scaled, inverse),
        by=rules.smt(),
    )
    whole = times(p, little, total(), "times the amplitude;", not_negative)
    squared = times(p, limit, root**2, "so is the margin.", ROOT)
    return p.show(p.goal.args[0], "Together", whole, squared)


def _lower(p: Proof, floor: Fact, sizes: Fact, not_negative: Fact) -> Fact:
    base = below + 1
    at = p.under(within(lag, 1, reach))
    strictly = p.use(
        _powers(p, lt), {low: root, high: base, h: m}, floor, ROOT, PLANE, why="One part more"
    )
    beyond = at.show(lt(lag, base**m), "has a power beyond every lag,", strictly, ROOT)
    whole = p.use(
        _whole(p, floor), {h: m}, PLANE, why="a whole number,", goal=Some((k,), eq(k, base**m))
    )
    number = at.under(eq(k, base**m))
    less = number.show(lt(lag, k), "so that", beyond)
    before = number.show(le(lag, k - 1), "the lag comes before it:", less)
    in_digits = at.choose(
        whole, number.show(le(lag, base**m - 1), "it has digits.", before), "There is one:"
    )
    digits = p.lemma(
        PLANES_DIGITS,
        {size: base, amount: total()},
        (floor, PLANE, not_negative),
        why="One plane per digit falls",
    )
    every_lag = digits.parts()[0]
    fallen = at.use(every_lag, {lag: lag}, in_digits, why="by what a part falls")
    part = p.lemma(PLANES_PART_OF_A_TURN, {size: base}, floor, why="which is not too little:")
    fall = 1 - sp.cos(2 * sp.pi / base)
    inverse = p.show(
        le(sp.Rational(4, 9), root**2 / base**2), "the root is at least 2/3 of", sizes, floor, ROOT
    )
    scaled = times(p, part.parts()[0], root**2, "the parts,", ROOT)
    enough = p.show(
        le(sp.Rational(32, 9), fall * root**2), "so the fall is", scaled, inverse, by=rules.smt()
    )
    share = p.show(le(0, total() / m), "times a plane's amplitude", not_negative, PLANE)
    whole_fall = times(p, enough, total() / m, "at least that,", share)
    squared = times(at, fallen, root**2, "times the root's square.", ROOT)
    each = at.show(le(lower_bound, of_digits * root**2), "Together", whole_fall, squared)
    return each.for_all(lag)


def _order(p: Proof) -> None:
    floor = p.show(
        Both(le(2, below), le(below, root), lt(root, below + 1)), "The root lies between", ROOT
    )
    sizes = p.show(
        Both(le(2 * root / 3, below), le(below + 1, 3 * root / 2)), "two whole numbers.", floor
    )
    plane = p.under(within(l, 0, m - 1)).use(NOT_NEGATIVE, why="No amplitude is negative,")
    not_negative = plane.summed(l, 0, m - 1, "nor is their sum.")
    p.qed("Both.", _upper(p, floor, sizes, not_negative), _lower(p, floor, sizes, not_negative))


_one_plane = {
    **{m: 1, reach: 9, root: 9, amplitude(0): 1, theta(0): sp.pi / 5, phase(0): 0},
    **{offset: 0, margin: sp.Rational(1, 6)},
}

PLANES_ORDER = prove(
    _ORDER,
    _order,
    Attack(
        {
            "a smaller order above": le(margin * root**3, upper_bound),
            "a larger order below": every(lag, 1, reach, le(lower_bound, of_digits * root)),
        },
        at=dict.fromkeys(("a smaller order above", "a larger order below"), where(_one_plane)),
        without={
            NOT_NEGATIVE: {**_one_plane, amplitude(0): -1, theta(0): 0, margin: 0},
            ROOT: {**_one_plane, root: 100},
            MARGIN: {**_one_plane, margin: 100},
        },
        idle={PLANE: "without planes all logits and bounds are 0"},
    ),
)

CLAIMS = (PLANES_PART_OF_A_TURN, PLANES_ORDER)
