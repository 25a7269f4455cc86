"""What the two scores of a row of one head can reach, at every slack and in the limit."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, n
from ropeproof.theory.language.substitution import substitute
from ropeproof.theory.library.exponential import exp_of_log, logarithms
from ropeproof.theory.library.order import times
from ropeproof.theory.topics.head.diagonal import (
    diagonal,
    least,
    length,
    lengths,
    most,
    root_2,
    root_of_2,
    slack,
    u,
    v,
    x,
    y,
)
from ropeproof.theory.topics.head.swap_terms import (
    AFTER,
    CUT_OFF,
    IS_A_SWAP,
    cut_off,
    extreme,
    in_swaps,
    kappa,
    r,
    scores,
    swaps,
)
from ropeproof.theory.topics.head.swap_terms import one as weight_one
from ropeproof.theory.topics.head.swap_terms import other as weight_other
from ropeproof.theory.topics.head.swap_terms import reached as reached_between
from ropeproof.theory.topics.head.swaps import HEAD_SWAPS_EXCLUSION

top, bottom = integer("j_max j_min")
weights = real_function("D")
first, second = integer_function("iota"), integer_function("iota_other")

z = real("z")
highest, lowest = weights(top), weights(bottom)


def _one(swap: Any) -> Any:
    return weights(first(swap))


def _other(swap: Any) -> Any:
    return weights(second(swap))


POSITIVE = Hypothesis("weights are positive", every(j, 0, n - 1, lt(0, weights(j))))
EXTREMES = Hypothesis(
    "no weight exceeds the largest or is below the least",
    every(j, 0, n - 1, within(weights(j), lowest, highest)),
)
SWAPS = Hypothesis(
    "swaps exchange positions before the query",
    in_swaps(Both(within(first(r), 0, n - 1), within(second(r), 0, n - 1))),
)
SWAPPED = Hypothesis(
    "it has the one place and the other",
    Either(
        Both(eq(first(extreme), top), eq(second(extreme), bottom)),
        Both(eq(first(extreme), bottom), eq(second(extreme), top)),
    ),
)
POSITIONAL = Hypothesis(
    "the positional score is at least kappa", le(kappa, scores(_one, _other)[0])
)
SYMBOLIC = Hypothesis("so is the symbolic score", le(kappa, scores(_one, _other)[1]))


def reached(added: Any) -> Any:
    """What no score exceeds in both ways, swaps being forgotten whose weights are s closer."""
    return substitute(reached_between(added), {most: highest, least: lowest})


total, gap = highest + lowest, highest - lowest
share = swaps * highest / cut_off
loss = cut_off / highest * (1 + sp.log(share))
level = kappa - loss
at_every_slack = Every((slack,), If(within(slack, 0, gap), le(kappa, reached(slack))))
in_the_limit = If(
    Both(le(cut_off, highest), le(0, level)), le(level**2 * gap**2, (1 - level**2) * total**2)
)


def at_slack(p: Proof, positive: Fact) -> Fact:
    """The inequality at every slack, from the swaps' weights."""
    swap = p.under(within(r, 0, swaps - 1))
    places = swap.use(SWAPS, why="A swap exchanges two positions,")
    between = [
        swap.use(EXTREMES, {j: place(r)}, places, why="whose weights lie between the extremes,")
        for place in (first, second)
    ]
    pair = swap.show(
        Both(within(_one(r), lowest, highest), within(_other(r), lowest, highest)), "both,", between
    )
    apart = []
    for one, other in ((top, bottom), (bottom, top)):
        case = p.under(eq(first(extreme), one), eq(second(extreme), other))
        there = [
            case.rewrite(
                eq(weights(place(extreme)), weights(at)),
                "One of them has the extremes,",
                case.given(eq(place(extreme), at), "in one order or the other."),
            )
            for place, at in ((first, one), (second, other))
        ]
        apart.append(
            case.show(
                eq(sp.Abs(_one(extreme) - _other(extreme)), gap),
                "which are so far apart.",
                (there, positive),
                by=rules.smt(),
            )
        )
    extremes_apart = p.show(
        eq(sp.Abs(_one(extreme) - _other(extreme)), gap),
        "Either way",
        apart,
        SWAPPED,
        by=rules.smt(),
    )
    inside = p.under(within(slack, 0, gap))
    at_slack = inside.lemma(
        HEAD_SWAPS_EXCLUSION,
        {weight_one: _one, weight_other: _other, most: highest, least: lowest},
        (pair.for_all(r), extremes_apart, positive),
        (AFTER, IS_A_SWAP, CUT_OFF, POSITIONAL, SYMBOLIC),
        why="So the scores of the swaps are bounded,",
        goal=le(kappa, reached(slack)),
    )
    return at_slack.for_all(slack, why="whatever the slack.")


def limit(p: Proof, exact: Fact, positive: Fact) -> Fact:
    """The slack at which the two errors are of one size."""
    spare = cut_off * sp.log(share)
    small = p.under(le(cut_off, highest), eq(slack, spare))
    even, near = diagonal(highest, lowest), diagonal(highest, lowest + slack)
    known = (positive, CUT_OFF, IS_A_SWAP)

    one_at_least = small.show(le(1, share), "The cut-off being small", known)
    log = logarithms(small, sp.S.One, share, "the logarithm is not negative,", one_at_least)
    chosen = small.given(eq(slack, spare), "nor is, with this slack,")
    sign = small.show(le(0, slack), "the slack.", log, chosen, CUT_OFF)
    two = root_of_2(p)
    own = lengths(p, highest, lowest, "The extremes' length", positive)
    root = root_2 * length(highest, lowest)
    at_least = p.show(
        Both(le(highest, root), le(root, 2 * highest), lt(0, root)),
        "times sqrt 2 is at least the largest weight, and at most twice that.",
        (own, two, positive),
    )

    inside = small.under(le(slack, gap))
    other = lengths(inside, highest, lowest + slack, "With the slack", positive, sign)
    longer = inside.show(
        le(root, root_2 * length(highest, lowest + slack)),
        "the length is larger,",
        (own, other, two, positive, sign),
    )
    shorter = inside.show(
        Both(le(near, (total + slack) / root), le(0, near)),
        "so the cosine grows at most as the sum does,",
        (longer, at_least, other, positive, sign),
    )
    grown = inside.show(
        le((total + slack) / root, even + slack / highest),
        "by the slack's share of the largest weight;",
        (at_least, positive, sign),
    )
    of_slack = inside.use(exact, {slack: slack}, sign, why="and with this slack")
    grows = sp.exp(slack / cut_off)
    ratio = small.show(eq(slack / cut_off, sp.log(share)), "the others' part", chosen, CUT_OFF)
    power = small.rewrite(
        eq(grows, sp.exp(sp.log(share), evaluate=False)), "being by choice", ratio
    )
    undo = exp_of_log(small, share, "the cut-off's share,", one_at_least)
    inverse = p.show(eq(kept(sp.Mul, grows, sp.exp(-slack / cut_off)), 1), "or rather its inverse,")
    faded = small.show(
        eq(swaps * sp.exp(-slack / cut_off), cut_off / highest),
        "of the largest weight,",
        (power, undo, inverse, known),
    )
    others = swaps * sp.exp(-slack / cut_off)
    positive_part = small.show(le(0, others), "which is not negative.", faded, known)
    tail = times(
        inside,
        inside.show(le(1 - near, 1), "A cosine that is not negative", shorter),
        others,
        "leaves no more of it.",
        positive_part,
    )
    cost = small.show(
        eq(loss, cut_off / highest + slack / highest), "That is the loss,", chosen, known
    )
    steps = [
        inside.show(le(kappa, near + cut_off / highest), "so", of_slack, tail, faded),
        inside.show(le(near, even + slack / highest), "and", shorter, grown),
    ]
    parts = le(x, y + u), le(y, v + slack), eq(z, u + slack)
    added = p.under(*parts).show(le(x - z, v), "Add up:")
    values = {x: kappa, y: near, u: cut_off / highest, v: even, slack: slack / highest, z: loss}
    when_inside = inside.use(added, values, steps, cost, why="kappa is bounded.")

    beyond = small.under(lt(gap, slack))
    of_gap = beyond.use(exact, {slack: gap}, positive, why="With the whole gap as slack")
    one = p.show(eq(diagonal(highest, highest), 1), "the cosine is 1,", positive, by=rules.smt())
    at_most_1 = beyond.show(le(kappa, 1), "which bounds kappa,", of_gap, one)
    lacking = p.show(
        le(1, even + gap / highest), "and the extremes' cosine lacks", at_least, positive
    )
    more = beyond.show(le(gap / highest, slack / highest), "less than the slack:", positive, sign)
    share_positive = p.show(le(0, cut_off / highest), "by less than the loss:", known)
    when_beyond = beyond.show(
        le(level, even), "kappa is bounded again.", (at_most_1, lacking, more, cost, share_positive)
    )
    either = small.show(le(level, even), "In both cases", when_inside, when_beyond)
    bound = either.for_all(slack, why="with such a slack, which there is:")

    high = p.under(le(cut_off, highest), le(0, level))
    level_bound = high.use(bound, {slack: spare}, why="it is bounded.", goal=le(level, even))
    product = times(high, level_bound, root, "Times the root", at_least)
    whole = high.show(
        le(level * root, total), "it is at most the sum of the extremes,", product, at_least
    )
    square = high.show(le((level * root) ** 2, total**2), "and squared", whole, at_least, positive)
    in_total = high.show(
        in_the_limit.args[1],
        "at most its square: twice that of the length is made of those of sum and gap.",
        (square, own, two),
    )
    return p.show(in_the_limit, "That is the second part.", in_total)
