"""Addresses on one plane: how far K of them can be told apart with keys of one size."""

from ropeproof.theory.language import *
from ropeproof.theory.library.sums.permutation import SUMS_LEAST
from ropeproof.theory.library.sums.sorting import c
from ropeproof.theory.library.trigonometry.cosine import falling_cosine
from ropeproof.theory.library.trigonometry.turns import TRIG_ROOTS
from ropeproof.theory.topics.planes import tour
from ropeproof.theory.topics.planes.between import PLANES_BETWEEN
from ropeproof.theory.topics.planes.tour import PLANES_ROUND, count, met

a, b, k, h = integer("a b k h")
query, strength = real_function("psi"), real_function("A_a")
most, margin = real("A mu")
MEANINGS: Meanings = {
    count: "number of addresses",
    a: "an address",
    b: "another address",
    query: "angles of the queries, by address",
    strength: shown_as("A", "A", "amplitudes, by address"),
    most: "bound of the amplitudes",
    margin: "by how much each address leads, in logits",
    tour.key: "angles of the keys, by address",
}
part = 2 * sp.pi / count


def lead(own: Term, other: Term) -> Term:
    """What the key `own` has more than `other` in the logit of the query that means `own`."""
    at = query(own)
    return strength(own) * (sp.cos(at - tour.key(own)) - sp.cos(at - tour.key(other)))


def _pairs(body: Formula) -> Formula:
    """For two different addresses a, b."""
    return every(a, 0, count - 1, every(b, 0, count - 1, If(ne(b, a), body)))


AMPLITUDES = Hypothesis(
    "amplitudes are at most A", every(a, 0, count - 1, within(strength(a), 0, most))
)
TOLD_APART = Hypothesis("every address leads by mu", _pairs(le(margin, lead(a, b))))
bound = most * (1 - sp.cos(part))
evenly = most * (1 - sp.cos(part * a - part * b))


def _closest(p: Proof, ahead: Scope) -> tuple[Fact, Fact]:
    """Some angle has neighbours at most 4 pi / K apart, as all such pairs make two turns."""
    gap = met(c + 1) - met(c - 1)

    def ends(number: Term) -> Formula:
        whole = sp.Sum(gap, (c, 0, number - 1))
        return eq(whole, met(number) + met(number - 1) - met(0) - met(-1))

    none = p.show(ends(sp.S.Zero), "Without steps the sum of the gaps is 0.")
    last = p.under(le(0, h)).last(sp.Sum(gap, (c, 0, h)), "Split the last gap off the sum.")
    more = p.under(le(0, h), ends(h)).show(
        ends(h + 1), "So the sum changes by the gap of the new step.", last
    )
    gains = p.under(le(0, h)).induction(
        ends(h), h, 0, none, more, why="By induction the sum of the gaps telescopes."
    )
    telescoped = p.use(
        gains, {h: count}, tour.TWO, why="Apply this to all K steps around the circle."
    )
    least_gap = p.lemma(
        SUMS_LEAST.at(f=lambda c: met(c + 1) - met(c - 1), n=count),
        tour.TWO,
        why="Some gap is at most the mean of the K gaps.",
    )
    here = ahead.under(least_gap.formula.args[1])
    small = here.show(
        le(count * (met(k + 1) - met(k - 1)), 4 * sp.pi),
        "By the list's definition the ends differ by two turns in sum. So K times this gap "
        "is at most two turns.",
        telescoped,
    )
    return least_gap, small


def _attained(p: Proof) -> Fact:
    """Evenly spread addresses have that margin."""
    pair = p.under(within(a, 0, count - 1), within(b, 0, count - 1), ne(b, a))
    cosines = []
    for sign, case in ((1, lt(b, a)), (-1, lt(a, b))):
        steps = sign * (a - b)
        roots = pair.under(case).lemma(
            TRIG_ROOTS.at(r=steps, Q=count),
            why="Evenly spread keys differ by at least the K-th part of a turn.",
        )
        same = p.show(
            eq(sp.cos(2 * sp.pi * steps / count), sp.cos(part * a - part * b)),
            "The angle of the difference is the difference of the angles.",
        )
        cosines += [roots, same]
    apart = pair.show(
        le(sp.cos(part * a - part * b), sp.cos(part)),
        "In both orders the cosine of the difference is at most that of the K-th part.",
        cosines,
    )
    some = p.use(
        AMPLITUDES,
        {a: 0},
        tour.TWO,
        why="The amplitude of the first query lies between 0 and A, by hypothesis.",
    )
    rows = p.under(within(a, 0, count - 1), within(b, 0, count - 1))
    each = rows.show(
        If(ne(b, a), le(bound, evenly)),
        "Multiply this inequality by A, which is not negative. So every other key falls by "
        "at least this much.",
        (
            pair.show(
                le(1 - sp.cos(part), 1 - sp.cos(part * a - part * b)),
                "So the fall of the difference is at least that of the K-th part of a turn.",
                apart,
            ),
            some,
        ),
    )
    return each.for_all(b, why="The key was arbitrary, so this holds for every key.").for_all(
        a, why="The query was arbitrary, so this holds for every query."
    )


_square: Values = {
    **{count: 2, most: 1, margin: 2},
    **{strength(0): 1, strength(1): 1},
    **{tour.key(0): 0, tour.key(1): sp.pi, query(0): 0, query(1): sp.pi},
}


@theorem(
    "planes.address",
    needs="PTX",
    hypotheses=(tour.TWO, AMPLITUDES, TOLD_APART),
    conclusion=Both(le(margin, bound), _pairs(le(bound, evenly))),
    attack=Attack(
        {
            "one address more": le(margin, most * (1 - sp.cos(2 * sp.pi / (count + 1)))),
            "half": le(margin, bound / 2),
            "evenly twice": _pairs(le(2 * bound, evenly)),
        },
        at={"one address more": _square, "half": _square, "evenly twice": {count: 3, most: 1}},
        without={
            AMPLITUDES: {**_square, strength(0): 2, strength(1): 2, margin: 4},
            TOLD_APART: {**_square, margin: 3},
            tour.TWO: {count: 1, most: 0, margin: 1, strength(0): 0},
        },
    ),
)
def PLANES_ADDRESS(p: Proof) -> None:
    r"""How far K addresses can be told apart on one plane

    Keys of one size at angles $\kappa_0,\dots,\kappa_{K-1}$ of one plane, $K\ge2$, be they those of
    places (positional) or of contents (symbolic); for every address a query of its own, of
    amplitude at most $A$. If each query leads every other key by $\mu$ at its own, $\mu\le
    A(1-\cos\frac{2\pi}K)$. Keys and queries at $\frac{2\pi a}K$ attain it.
    """
    circle = p.apply(
        PLANES_ROUND,
        tour.TWO,
        why="Sort the keys around the circle and continue the list at both ends.",
    )
    ahead = circle.body()
    labels, angles, order, distinct, _ = (
        ahead.given(formula, "This is one of the properties of the list.")
        for formula in tour.around.args
    )
    least_gap, small = _closest(p, ahead)
    here = small.scope
    own = tour.label(k)

    def cosine(at: Term) -> Fact:
        """The cosine between the query and the key met at a place."""
        met_there = here.use(
            angles, {c: at}, why="The entry of the list is the key's angle up to whole turns."
        )
        return here.rewrite(
            eq(sp.cos(query(own) - tour.key(tour.label(at))), sp.cos(query(own) - met(at))),
            "So the key's angle is the entry less whole turns. A whole turn does not change "
            "the cosine.",
            met_there,
        )

    named = here.use(labels, {c: k}, why="The label of the key at this gap is that of an address.")
    amplitude_there = here.use(
        AMPLITUDES, named, why="So the amplitude of its query lies between 0 and A."
    )
    whole_row = here.use(TOLD_APART, named, why="So this address leads all others by mu.")
    cosines, leads, gaps = {0: cosine(k)}, [], []
    for side in (-1, 1):
        cosines[side] = cosine(k + side)
        led = here.use(
            whole_row,
            {b: tour.label(k + side)},
            (labels, distinct),
            why="The label of the neighbour is that of an address. The neighbour's label is "
            "another one. So the address leads its neighbour by mu.",
        )
        in_angles = sp.cos(query(own) - met(k)) - sp.cos(query(own) - met(k + side))
        leads.append(
            here.show(
                le(margin, strength(own) * in_angles),
                "Put the entries of the list for the keys' angles.",
                (led, cosines[0], cosines[side]),
            )
        )
        gaps.append(
            here.use(
                order, {c: k + max(side, 0)}, why="The distance to the neighbour is not negative."
            )
        )
    half = (met(k + 1) - met(k - 1)) / 2
    at_most = p.show(
        Both(lt(0, part), le(part, sp.pi)),
        "As K is at least 2, the K-th part of a turn is at most half a turn.",
        tour.TWO,
    )
    close = here.show(
        le(half, part), "So half the gap is at most the K-th part of a turn.", small, tour.TWO
    )
    between = here.lemma(
        PLANES_BETWEEN.at(
            A=strength(own),
            mu=margin,
            alpha=met(k) - met(k - 1),
            beta=met(k + 1) - met(k),
            u=query(own) - met(k),
        ),
        (leads, gaps, amplitude_there, close, at_most),
        why="So the lead is at most the fall of half the gap, times the amplitude.",
    )
    cosine_of_part = falling_cosine(
        here,
        half,
        part,
        "So the cosine of half the gap is at least that of the K-th part of a turn.",
        (gaps, close, at_most),
    )
    own_fall = here.show(
        le(1 - sp.cos(half), 1 - sp.cos(part)),
        "So the fall of half the gap is at most that of the K-th part.",
        cosine_of_part,
    ).times(
        strength(own),
        "Multiply this inequality by the amplitude, which is not negative.",
        amplitude_there,
    )
    reached = here.show(
        p.goal.args[0],
        "The fall of the K-th part of a turn is not negative. The amplitude of the address "
        "is at most A. Multiply this inequality by the fall, which is not negative. So mu is "
        "at most A times the fall of the K-th part of a turn.",
        (between, own_fall, amplitude_there),
    )
    found = p.choose(
        circle,
        ahead.choose(least_gap, reached),
        "Such a list exists, and the bound does not depend on it.",
    )
    p.qed("The bound and the even spread that attains it are the claim.", found, _attained(p))
