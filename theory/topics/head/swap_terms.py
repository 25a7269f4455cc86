"""The swaps of a row: tilts, the scores that they define, and what one swap adds."""

from ropeproof.theory.language import *
from ropeproof.theory.library.order import times
from ropeproof.theory.topics.head.diagonal import (
    HEAD_DIAGONAL_ORDER,
    at_most_1,
    diagonal,
    least,
    lengths,
    most,
    root_of_2,
    slack,
)
from ropeproof.theory.topics.head.scores import cosine

swaps, r, extreme = integer("n_swaps r r_max")
cut_off, kappa = real("tau kappa")
one, other = real_function("D_i"), real_function("D_j")
one_after, other_after = real_function("D_i_swapped"), real_function("D_j_swapped")
MEANINGS: Meanings = {
    swaps: shown_as("P", "P", "number of swaps"),
    r: "a swap",
    extreme: shown_as("r₊", "r_+", "the swap of the largest with the least weight"),
    cut_off: "cut-off of the scores",
    kappa: "the level that both scores reach",
    one: "weight at the first place of a swap",
    other: "weight at its second place",
    one_after: shown_as("D′_i", "D'_i", "weight at the first place after the swap"),
    other_after: shown_as("D′_j", "D'_j", "weight at the second place after the swap"),
}


def over_swaps(term: Term) -> Term:
    """The sum of a term in `r` over the swaps."""
    return sp.Sum(term, (r, 0, swaps - 1))


def tilt(one: Callable[..., Term] = one, other: Callable[..., Term] = other) -> Term:
    """e^{|D_i - D_j|/tau} of swap r."""
    return sp.exp(sp.Abs(one(r) - other(r)) / cut_off)


def weight(one: Callable[..., Term] = one, other: Callable[..., Term] = other) -> Term:
    """alpha(pi) of swap r: the softmax of |D_i - D_j|/tau over all swaps."""
    return tilt(one, other) / over_swaps(tilt(one, other))


def scores(one: Callable[..., Term] = one, other: Callable[..., Term] = other) -> tuple[Term, Term]:
    """s_POS and s_SYM."""
    after = one_after(r), other_after(r)
    share = weight(one, other)
    positional = over_swaps(share * cosine(*after, one(r), other(r)))
    return positional, over_swaps(share * cosine(*after, other(r), one(r)))


def in_swaps(formula: Formula) -> Formula:
    """The formula for every swap r."""
    return every(r, 0, swaps - 1, formula)


def evenness(added: Term | int) -> Term:
    """The cosine between (M, mu + s) and the diagonal."""
    return diagonal(most, least + added)


def reached(added: Term) -> Term:
    """What no score exceeds in both ways, swaps being forgotten whose weights are s closer."""
    tail = swaps * sp.exp(-added / cut_off)
    return evenness(added) + tail * (1 - evenness(added))


LEAST = Hypothesis("the least weight is positive", lt(0, least))
IN_ROW = Hypothesis(
    "weights lie between the least and the largest",
    in_swaps(Both(within(one(r), least, most), within(other(r), least, most))),
)
AFTER = Hypothesis(
    "weights after a swap are positive", in_swaps(Both(lt(0, one_after(r)), lt(0, other_after(r))))
)
IS_A_SWAP = Hypothesis("the extremes are swapped", within(extreme, 0, swaps - 1))
EXTREME = Hypothesis(
    "one has the largest, one the least weight",
    eq(sp.Abs(one(extreme) - other(extreme)), most - least),
)
CUT_OFF = Hypothesis("the cut-off is positive", lt(0, cut_off))
POSITIONAL = Hypothesis("the positional score is at least kappa", le(kappa, scores()[0]))
SYMBOLIC = Hypothesis("so is the symbolic score", le(kappa, scores()[1]))
SLACK = Hypothesis("the slack", within(slack, 0, most - least))


def swap_adds(p: Proof, swap: Scope, weights: Fact) -> Fact:
    """A swap's tilted cosine is at most its share of c_s, and something small."""
    cosine_here, limit = diagonal(one(r), other(r)), evenness(slack)
    apart = sp.Abs(one(r) - other(r))
    rest = most - least - slack
    little = sp.exp(rest / cut_off)

    ends = p.show(lt(0, most), "The largest weight M is positive.", LEAST, SLACK)
    own_length = lengths(
        swap, one(r), other(r), "The length of the two swapped weights is positive.", weights, LEAST
    )
    full_length = lengths(
        p, most, least + slack, "The length of (M, mu + s) is positive.", ends, LEAST, SLACK
    )
    two = root_of_2(p)
    within_1 = at_most_1(
        swap,
        one(r),
        other(r),
        "The cosine of the swapped weights with the diagonal is at most 1.",
        own_length,
        two,
    )
    limit_1 = at_most_1(
        p,
        most,
        least + slack,
        "The cosine of (M, mu + s) with the diagonal is at most 1.",
        full_length,
        two,
    )
    positive = p.show(Both(lt(0, tilt()), lt(0, little)), "The two exponentials are positive.")

    far = swap.under(le(rest, apart))
    tilted = far.apply(
        HEAD_DIAGONAL_ORDER,
        (LEAST, weights, SLACK),
        why="If the two weights are far apart, their cosine is at most that of (M, mu + s).",
    ).times(tilt(), "Multiply this bound by the tilt, which is positive.", positive)
    when_far = far.show(
        le(tilt() * cosine_here, tilt() * limit + little * (1 - limit)),
        "The term added to the bound is not negative. So the swap's bound holds if its "
        "weights are far apart.",
        (tilted, limit_1, positive),
    )

    near = swap.under(lt(apart, rest))
    small = near.show(
        le(apart / cut_off, rest / cut_off),
        "The inverse of the cut-off is positive. If the weights are close, multiply their "
        "difference by this inverse.",
        CUT_OFF,
    ).image(sp.exp, "So the tilt is at most the exponential of (M - mu - s)/tau.")
    whole = times(
        near,
        within_1,
        tilt(),
        "Multiply the bound 1 of the cosine by the tilt, which is positive.",
        positive,
    )
    missing = small.times(
        1 - limit, "Multiply the bound of the tilt by 1 - c_s, which is not negative.", limit_1
    )
    when_near = near.show(
        le(tilt() * cosine_here, tilt() * limit + little * (1 - limit)),
        "So the swap's bound holds if its weights are close.",
        (whole, missing, full_length),
    )
    return swap.show(
        when_far.formula, "So the swap's bound holds in either case.", when_far, when_near
    )
