"""What the two scores of a row of one head can reach, at every slack and in the limit."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, n
from ropeproof.theory.language.substitution import substitute
from ropeproof.theory.library.exponential import exp_log
from ropeproof.theory.topics.head import swap_terms
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
from ropeproof.theory.topics.head.swaps import HEAD_SWAPS_EXCLUSION

top, bottom = integer("j_max j_min")
weights = real_function("D")
first, second = integer_function("iota"), integer_function("iota_other")
MEANINGS: Meanings = {
    top: shown_as("j₊", "j_+", "place of the largest weight"),
    bottom: shown_as("j₋", "j_-", "place of the least weight"),
    weights: "weights of the row",
    first: "first place of a swap",
    second: shown_as("ι′", r"\iota'", "second place of a swap"),
}

w, z = real("w z")
highest, lowest = weights(top), weights(bottom)


def _one(swap: Term) -> Term:
    return weights(first(swap))


def _other(swap: Term) -> Term:
    return weights(second(swap))


POSITIVE = Hypothesis("weights are positive", every(j, 0, n - 1, lt(0, weights(j))))
EXTREMES = Hypothesis(
    "no weight exceeds the largest or is below the least",
    every(j, 0, n - 1, within(weights(j), lowest, highest)),
)
SWAPS = Hypothesis(
    "swaps exchange positions before the query",
    swap_terms.in_swaps(
        Both(within(first(swap_terms.r), 0, n - 1), within(second(swap_terms.r), 0, n - 1))
    ),
)
SWAPPED = Hypothesis(
    "it has the one place and the other",
    Either(
        Both(eq(first(swap_terms.extreme), top), eq(second(swap_terms.extreme), bottom)),
        Both(eq(first(swap_terms.extreme), bottom), eq(second(swap_terms.extreme), top)),
    ),
)
POSITIONAL = Hypothesis(
    "the positional score is at least kappa",
    le(swap_terms.kappa, swap_terms.scores(_one, _other)[0]),
)
SYMBOLIC = Hypothesis(
    "so is the symbolic score", le(swap_terms.kappa, swap_terms.scores(_one, _other)[1])
)


def reached(added: Term) -> Any:
    """What no score exceeds in both ways, swaps being forgotten whose weights are s closer."""
    return substitute(swap_terms.reached(added), {most: highest, least: lowest})


total, gap = highest + lowest, highest - lowest
share = swap_terms.swaps * highest / swap_terms.cut_off
loss = swap_terms.cut_off / highest * (1 + sp.log(share))
level = swap_terms.kappa - loss
at_every_slack = Every((slack,), If(within(slack, 0, gap), le(swap_terms.kappa, reached(slack))))
in_the_limit = If(
    Both(le(swap_terms.cut_off, highest), le(0, level)),
    le(level**2 * gap**2, (1 - level**2) * total**2),
)


def at_slack(p: Proof, positive: Fact) -> Fact:
    """The inequality at every slack, from the swaps' weights."""
    swap = p.under(within(swap_terms.r, 0, swap_terms.swaps - 1))
    places = swap.use(SWAPS, why="A swap exchanges two positions before the query.")
    between = [
        swap.use(
            EXTREMES,
            {j: place(swap_terms.r)},
            places,
            why="The weight of such a position lies between the extremes.",
        )
        for place in (first, second)
    ]
    pair = swap.show(
        Both(
            within(_one(swap_terms.r), lowest, highest),
            within(_other(swap_terms.r), lowest, highest),
        ),
        "So both weights of a swap lie between the extremes.",
        between,
    )
    apart = []
    for one, other in ((top, bottom), (bottom, top)):
        case = p.under(eq(first(swap_terms.extreme), one), eq(second(swap_terms.extreme), other))
        there = [
            case.given(
                eq(place(swap_terms.extreme), at),
                "The swap of the extremes has its places in one of two orders.",
            ).image(weights, "So the swap's weight there is one of the extremes.")
            for place, at in ((first, one), (second, other))
        ]
        apart.append(
            case.show(
                eq(sp.Abs(_one(swap_terms.extreme) - _other(swap_terms.extreme)), gap),
                "So its weights differ as much as the extremes.",
                (there, positive),
            )
        )
    inside = p.under(within(slack, 0, gap))
    return inside.apply(
        HEAD_SWAPS_EXCLUSION,
        (
            pair.for_all(swap_terms.r),
            apart,
            SWAPPED,
            positive,
            swap_terms.AFTER,
            swap_terms.IS_A_SWAP,
            swap_terms.CUT_OFF,
            POSITIONAL,
            SYMBOLIC,
        ),
        why="In either order its weights differ as much as the extremes. So the bound for scores "
        "averaged over swaps holds at this slack.",
        goal=le(swap_terms.kappa, reached(slack)),
    ).for_all(slack, why="This holds for every slack.")


def _at_the_gap(beyond: Scope, exact: Fact, positive: Fact, two: Fact) -> Fact:
    """With the gap as slack both weights are equal, so the cosine is 1 and no score is above it."""
    p, at_gap = beyond.proof, beyond.proof.under(eq(w, gap))
    near, root = diagonal(highest, lowest + w), root_2 * length(highest, lowest + w)
    chosen = at_gap.given(eq(w, gap), "Let the slack be the gap.")
    own = lengths(
        at_gap,
        highest,
        lowest + w,
        "The length of the two equal weights is positive.",
        positive,
        chosen,
    )
    sign = at_gap.show(lt(0, root), "Times sqrt 2 it is positive.", own, two)
    roots = p.under(lt(0, x), lt(0, y), eq(x**2, 4 * y**2)).show(
        eq(x, 2 * y), "Positive numbers with equal squares are equal.", by=rules.smt()
    )
    twice = at_gap.use(
        roots,
        {x: root, y: highest},
        (own, two, chosen, sign, positive),
        why="Twice its square is that of twice the largest weight. So times sqrt 2 the length is "
        "twice the largest weight.",
    )
    whole = p.under(lt(0, x), eq(y, x)).show(
        eq(y / x, 1), "A positive number divided by itself is 1.", by=rules.smt()
    )
    one = at_gap.use(
        whole,
        {x: root, y: total + w},
        at_gap.show(eq(total + w, root), "That is the sum of the weights.", twice, chosen),
        sign,
        why="So the cosine is 1.",
    )
    of_gap = at_gap.use(exact, {slack: w}, (chosen, positive), why="Put the gap as the slack.")
    no_more = p.under(le(x, z + u * (1 - z)), eq(z, 1)).show(
        le(x, 1), "Where the cosine is 1 nothing is added to it."
    )
    return at_gap.use(
        no_more,
        {x: swap_terms.kappa, z: near, u: swap_terms.swaps * sp.exp(-w / swap_terms.cut_off)},
        (of_gap, one),
        why="So kappa is at most 1.",
    ).for_all(w, why="This holds for every number equal to the gap.")


def _squared(p: Proof, bound: Fact, known: tuple[Fact, ...]) -> Fact:
    """From the bound of the level by the cosine of the extremes to that of its square."""
    own, two, at_least, positive = known
    root = root_2 * length(highest, lowest)
    high = p.under(le(swap_terms.cut_off, highest), le(0, level))
    product = high.use(
        bound,
        {slack: swap_terms.cut_off * sp.log(share)},
        why="So it holds with the slack tau ln(P D_max/tau).",
    ).times(root, "Multiply by sqrt 2 times the length, which is positive.", at_least)
    parts = le(0, x), lt(0, z), le(0, y), le(x * z, y), eq(z**2, y**2 + v**2)
    powers = p.under(*parts).show(
        le((x * z) ** 2, y**2), "Square both sides, which are not negative."
    )
    of_powers = powers.scope.show(
        le(x**2 * v**2, (1 - x**2) * y**2), "Put in the square of z.", powers
    )
    return high.use(
        of_powers,
        {x: level, z: root, y: total, v: gap},
        (product, at_least, own, two, positive),
        why="So the level times this root is at most the sum of the extremes. The square of that "
        "root is 2 D_max^2 + 2 D_min^2, the squares of the sum and of the gap. So the square "
        "of the level bounds the gap's by the sum's.",
        goal=in_the_limit.args[1],
    )


def limit(p: Proof, exact: Fact, positive: Fact) -> Fact:
    """The slack at which the two errors are of one size."""
    spare = swap_terms.cut_off * sp.log(share)
    small = p.under(le(swap_terms.cut_off, highest), eq(slack, spare))
    even, near = diagonal(highest, lowest), diagonal(highest, lowest + slack)
    known = (positive, swap_terms.CUT_OFF, swap_terms.IS_A_SWAP)

    one_at_least = small.show(
        le(1, share),
        "As the cut-off is at most the largest weight, the share P D_max/tau is at least 1.",
        known,
    )
    log = one_at_least.image(sp.log, "So the logarithm of the share is not negative.")
    chosen = small.given(eq(slack, spare), "Choose the slack tau ln(P D_max/tau).")
    sign = small.show(
        le(0, slack), "So the slack is not negative.", log, chosen, swap_terms.CUT_OFF
    )
    two = root_of_2(p)
    own = lengths(p, highest, lowest, "The length of the extremes is positive.", positive)
    root = root_2 * length(highest, lowest)
    at_least = p.show(
        Both(le(highest, root), le(root, 2 * highest), lt(0, root)),
        "Times sqrt 2 it is at least the largest weight and at most twice that.",
        (own, two, positive),
    )

    inside = small.under(le(slack, gap))
    other = lengths(
        inside,
        highest,
        lowest + slack,
        "The length of the extremes with the slack added is positive.",
        positive,
        sign,
    )
    longer = inside.show(
        le(root, root_2 * length(highest, lowest + slack)),
        "With the slack added the length is not smaller.",
        (own, other, two, positive, sign),
    )
    shorter = inside.show(
        Both(le(near, (total + slack) / root), le(0, near)),
        "So the cosine grows at most as the sum of the weights does.",
        (longer, at_least, other, positive, sign),
    )
    shares = p.under(lt(0, x), le(x, y), le(0, u)).show(
        le(u / y, u / x), "The share of a larger number is smaller."
    )
    of_slack = inside.use(exact, sign, why="Put this slack into the bound at every slack.")
    grows = sp.exp(slack / swap_terms.cut_off)
    ratio = small.show(
        eq(slack / swap_terms.cut_off, sp.log(share)),
        "By the choice of the slack, s/tau is the logarithm of the share.",
        (chosen, swap_terms.CUT_OFF),
    )
    power = small.rewrite(
        eq(grows, sp.exp(sp.log(share), evaluate=False)),
        "So exp(s/tau) is the exponential of that logarithm.",
        ratio,
    )
    undo = exp_log.exp_of_log(
        small, share, "The exponential undoes the logarithm of the share.", one_at_least
    )
    faded = small.show(
        eq(swap_terms.swaps * sp.exp(-slack / swap_terms.cut_off), swap_terms.cut_off / highest),
        "The exponentials of s/tau and of -s/tau are inverse to each other. So P exp(-s/tau) "
        "is tau/D_max.",
        (power, undo, known),
    )
    steps = [
        inside.show(
            le(swap_terms.kappa, near + swap_terms.cut_off / highest),
            "This part of the other swaps is not negative. As the cosine is not negative, 1 "
            "minus it is at most 1. Multiply this bound by the part of the other swaps. So kappa "
            "is at most the cosine plus tau/D_max.",
            (of_slack, shorter, faded, known),
        ),
        inside.show(
            le(near, even + slack / highest),
            "The sum grows by at most the slack's share of the largest weight. The cosine with "
            "the slack is at most that without plus s/D_max.",
            (
                shorter,
                inside.use(
                    shares,
                    {x: highest, y: root, u: slack},
                    (at_least, positive, sign),
                    why="The slack's share of the root is at most that of the largest weight.",
                ),
            ),
        ),
    ]
    parts = le(x, y + u), le(y, v + slack), eq(z, u + slack)
    added = p.under(*parts).show(le(x - z, v), "Two such bounds may be added up.")
    values = {
        **{x: swap_terms.kappa, y: near, u: swap_terms.cut_off / highest},
        **{v: even, slack: slack / highest, z: loss},
    }
    when_inside = inside.use(
        added,
        values,
        (steps, chosen, known),
        why="The loss is tau/D_max plus s/D_max. So kappa minus the loss is at most the cosine "
        "of the extremes.",
    )

    beyond = small.under(lt(gap, slack))
    at_most_1 = beyond.use(
        _at_the_gap(beyond, exact, positive, two),
        {w: gap},
        why="If the slack exceeds the gap, put the gap in its place: kappa is at most 1.",
    )
    half = total / (2 * highest)
    with_half = p.show(
        le(1, half + gap / highest),
        "With twice the largest weight for the root it is so, as D_min is at most D_max.",
        positive,
    )
    no_less = p.use(
        shares,
        {x: root, y: 2 * highest, u: total},
        (at_least, positive),
        why="The sum is not negative. The root is at most twice the largest weight.",
    )
    five = le(x, 1), le(1, v + u), le(u, slack), eq(z, slack + y), le(0, y)
    added = p.under(*five).show(le(x - z, v), "Bounds of this kind may be added up.")
    values = {
        **{x: swap_terms.kappa, u: gap / highest, y: swap_terms.cut_off / highest},
        **{v: even, slack: slack / highest, z: loss},
    }
    when_beyond = beyond.use(
        added,
        values,
        (
            at_most_1,
            p.under(le(1, x + y), le(x, z)).show(
                le(1, z + y), "A part may be replaced by a larger one."
            ),
            with_half,
            no_less,
            positive,
            sign,
            chosen,
            known,
        ),
        why="The cosine of the extremes is at least 1 minus the gap's share. The gap's share of "
        "the largest weight is at most the slack's. The share tau/D_max of the cut-off is "
        "not negative. So kappa minus the loss is at most the cosine of the extremes here, "
        "too.",
    )
    bound = small.show(
        le(level, even),
        "In both cases kappa minus the loss is at most the cosine of the extremes.",
        (when_inside, when_beyond),
    ).for_all(slack, why="This holds for every number equal to that slack.")

    return p.show(
        in_the_limit,
        "So the bound in the limit holds.",
        _squared(p, bound, (own, two, at_least, positive)),
    )
