"""Addresses on one plane: how far K of them can be told apart with keys of one size."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import n
from ropeproof.theory.library.order import times
from ropeproof.theory.library.sums.order import SUMS_LEAST, f
from ropeproof.theory.library.sums.sorting import c
from ropeproof.theory.library.trigonometry.cosine import falling_cosine
from ropeproof.theory.library.trigonometry.turns import TRIG_ROOTS, r
from ropeproof.theory.library.trigonometry.turns import size as parts
from ropeproof.theory.topics.planes.between import PLANES_BETWEEN, alpha, beta, least, size, u
from ropeproof.theory.topics.planes.circle import (
    PLANES_ROUND,
    TWO,
    around,
    count,
    key,
    label,
    met,
    turns,
)

a, b, k, h = integer("a b k h")
query, strength = real_function("psi"), real_function("A_a")
most, margin = real("A mu")
part = 2 * sp.pi / count


def lead(own: Any, other: Any) -> Any:
    """What the key `own` has more than `other` in the logit of the query that means `own`."""
    at = query(own)
    return strength(own) * (sp.cos(at - key(own)) - sp.cos(at - key(other)))


def _pairs(body: Any) -> Any:
    """For two different addresses a, b."""
    return every(a, 0, count - 1, every(b, 0, count - 1, If(ne(b, a), body)))


AMPLITUDES = Hypothesis(
    "amplitudes are at most A", every(a, 0, count - 1, within(strength(a), 0, most))
)
TOLD_APART = Hypothesis("every address leads by mu", _pairs(le(margin, lead(a, b))))
bound = most * (1 - sp.cos(part))
evenly = most * (1 - sp.cos(part * a - part * b))

_ADDRESS = Claim(
    id="planes.address",
    title="How far K addresses can be told apart on one plane",
    statement=(
        r"Keys of one size at angles $\kappa_0,\dots,\kappa_{K-1}$ of one plane, $K\ge2$, be "
        r"they those of places (positional) or of contents (symbolic); for every address a query "
        r"of its own, of amplitude at most $A$. If each query leads every other key by $\mu$ at "
        r"its own, $\mu\le A(1-\cos\frac{2\pi}K)$. Keys and queries at $\frac{2\pi a}K$ attain "
        r"it."
    ),
    needs=frozenset("PTX"),
    hypotheses=(TWO, AMPLITUDES, TOLD_APART),
    conclusion=Both(le(margin, bound), _pairs(le(bound, evenly))),
)


def _closest(p: Proof, ahead: Scope) -> tuple[Fact, Fact]:
    """Some angle has neighbours at most 4 pi / K apart, as all such pairs make two turns."""
    gap = met(c + 1) - met(c - 1)

    def ends(number: Any) -> Any:
        whole = sp.Sum(gap, (c, 0, number - 1))
        return eq(whole, met(number) + met(number - 1) - met(0) - met(-1))

    none = p.show(ends(sp.S.Zero), "Nothing is gained without a step;")
    last = p.under(le(0, h)).last(sp.Sum(gap, (c, 0, h)), "a step more")
    more = p.under(le(0, h), ends(h)).show(ends(h + 1), "gains its own gap,", last)
    gains = p.under(le(0, h)).induction(ends(h), h, 0, none, more, why="so the gaps telescope:")
    telescoped = p.use(gains, {h: count}, TWO, why="around the circle")
    least_gap = p.lemma(
        SUMS_LEAST,
        {f: lambda c: met(c + 1) - met(c - 1), n: count},
        TWO,
        why="some gap is no larger than the mean,",
    )
    two_turns = ahead.given(around.args[-1], "and they make two turns:")
    here = ahead.under(least_gap.formula.args[1])
    small = here.show(
        le(count * (met(k + 1) - met(k - 1)), 4 * sp.pi), "so it is small.", telescoped, two_turns
    )
    return least_gap, small


def _address(p: Proof) -> None:
    circle = p.lemma(PLANES_ROUND, None, TWO, why="Go around the circle from key to key.")
    ahead = circle.body()
    labels, angles, order, distinct, _ = (
        ahead.given(formula, "It has been met so:") for formula in around.args
    )
    least_gap, small = _closest(p, ahead)
    here = small.scope
    own = label(k)

    def cosine(at: Any) -> Fact:
        """The cosine between the query and the key met at a place."""
        met_there = here.use(angles, {c: at}, why="Up to whole turns")
        angle = here.show(
            eq(key(label(at)), met(at) - 2 * sp.pi * turns(at)), "the key is there,", met_there
        )
        return here.rewrite(
            eq(sp.cos(query(own) - key(label(at))), sp.cos(query(own) - met(at))),
            "and a cosine forgets whole turns.",
            angle,
        )

    named = here.use(labels, {c: k}, why="The address there")
    amplitude_there = here.use(AMPLITUDES, {a: own}, named, why="has an amplitude")
    whole_row = here.use(TOLD_APART, {a: own}, named, why="and leads the others by mu,")
    cosines, leads, gaps = {0: cosine(k)}, [], []
    for side in (-1, 1):
        cosines[side] = cosine(k + side)
        other = here.use(labels, {c: k + side}, why="A neighbour is one of them,")
        another = here.use(distinct, {c: k + max(side, 0)}, why="another one,")
        led = here.use(whole_row, {b: label(k + side)}, other, another, why="so it is led")
        in_angles = sp.cos(query(own) - met(k)) - sp.cos(query(own) - met(k + side))
        leads.append(
            here.show(
                le(margin, strength(own) * in_angles),
                "as far as the angles say,",
                (led, cosines[0], cosines[side]),
            )
        )
        gaps.append(here.use(order, {c: k + max(side, 0)}, why="at a distance not negative."))
    half = (met(k + 1) - met(k - 1)) / 2
    at_most = p.show(Both(lt(0, part), le(part, sp.pi)), "A part of the turn is at most half.", TWO)
    close = here.show(le(half, part), "Half the gap is at most a part of the turn,", small, TWO)
    between = here.lemma(
        PLANES_BETWEEN,
        {
            size: strength(own),
            least: margin,
            alpha: met(k) - met(k - 1),
            beta: met(k + 1) - met(k),
            u: query(own) - met(k),
        },
        (leads, gaps, amplitude_there, close, at_most),
        why="so the lead is at most the height over the chord,",
    )
    cosine_of_part = falling_cosine(
        here, half, part, "and the cosine of the part no larger:", gaps, close, at_most
    )
    fall = here.show(le(1 - sp.cos(half), 1 - sp.cos(part)), "the fall is", cosine_of_part)
    own_fall = times(here, fall, strength(own), "that of a part,", amplitude_there)
    not_negative = p.show(le(0, 1 - sp.cos(part)), "which is not negative,", by=rules.smt())
    at_full = times(
        here,
        here.show(le(strength(own), most), "at the full amplitude", amplitude_there),
        1 - sp.cos(part),
        "at most.",
        not_negative,
    )
    reached = here.show(p.goal.args[0], "So is mu.", between, own_fall, at_full)
    found = p.choose(circle, ahead.choose(least_gap, reached), "Whichever the keys.")
    p.qed("Both.", found, _attained(p))


def _attained(p: Proof) -> Fact:
    """Evenly spread addresses have that margin."""
    pair = p.under(within(a, 0, count - 1), within(b, 0, count - 1), ne(b, a))
    cosines = []
    for sign, case in ((1, lt(b, a)), (-1, lt(a, b))):
        steps = sign * (a - b)
        roots = pair.under(case).lemma(
            TRIG_ROOTS, {r: steps, parts: count}, why="Evenly spread keys are a part away at least,"
        )
        same = p.show(
            eq(sp.cos(2 * sp.pi * steps / count), sp.cos(part * a - part * b)), "in this direction,"
        )
        cosines += [roots, same]
    apart = pair.show(le(sp.cos(part * a - part * b), sp.cos(part)), "or the other.", cosines)
    some = p.use(AMPLITUDES, {a: 0}, TWO, why="The amplitude is not negative.")
    full = p.show(le(0, most), "Nor is A.", some)
    fallen = pair.show(
        le(1 - sp.cos(part), 1 - sp.cos(part * a - part * b)), "So they fall as much", apart
    )
    scaled = times(pair, fallen, most, "times the amplitude,", full)
    rows = p.under(within(a, 0, count - 1), within(b, 0, count - 1))
    each = rows.show(If(ne(b, a), le(bound, evenly)), "all of them,", scaled)
    return each.for_all(b, why="from every key").for_all(a, why="of every query.")


_square = {
    **{count: 2, most: 1, margin: 2},
    **{strength(0): 1, strength(1): 1},
    **{key(0): 0, key(1): sp.pi, query(0): 0, query(1): sp.pi},
}

PLANES_ADDRESS = prove(
    _ADDRESS,
    _address,
    Attack(
        {
            "one address more": le(margin, most * (1 - sp.cos(2 * sp.pi / (count + 1)))),
            "half": le(margin, bound / 2),
            "evenly twice": _pairs(le(2 * bound, evenly)),
        },
        at={"one address more": _square, "half": _square, "evenly twice": {count: 3, most: 1}},
        without={
            AMPLITUDES: {**_square, strength(0): 2, strength(1): 2, margin: 4},
            TOLD_APART: {**_square, margin: 3},
            TWO: {count: 1, most: 0, margin: 1, strength(0): 0},
        },
    ),
)

CLAIMS = (PLANES_ADDRESS,)
