"""Scores averaged over swaps: what a small cut-off leaves of swaps of nearly equal weights."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import m, t
from ropeproof.theory.library.order import times
from ropeproof.theory.library.sums.terms import SUMS_MEMBER, f, k
from ropeproof.theory.topics.head.diagonal import (
    HEAD_SWAP_SUM,
    at_most_1,
    least,
    lengths,
    most,
    root_of_2,
    slack,
    u,
    v,
    x,
    y,
)
from ropeproof.theory.topics.head.scores import cosine
from ropeproof.theory.topics.head.swap_terms import (
    AFTER,
    CUT_OFF,
    EXTREME,
    IN_ROW,
    IS_A_SWAP,
    LEAST,
    POSITIONAL,
    SLACK,
    SYMBOLIC,
    cut_off,
    evenness,
    extreme,
    kappa,
    one,
    one_after,
    other,
    other_after,
    over_swaps,
    r,
    reached,
    scores,
    swap_adds,
    swaps,
    tilt,
)
from ropeproof.theory.topics.slash.cone.inequalities import SLASH_CANCEL
from ropeproof.theory.topics.slash.cone.inequalities import x as cancel_x
from ropeproof.theory.topics.slash.cone.inequalities import y as cancel_y

_one_swap = {
    **{swaps: 1, extreme: 0, most: 2, least: 1, one(0): 2, other(0): 1, slack: sp.Rational(1, 2)},
    **{one_after(0): 1, other_after(0): 1},
    **{cut_off: sp.Rational(1, 100), kappa: sp.Rational(94, 100)},
}
_two_swaps = {**_one_swap, swaps: 2, one_after(1): 1, other_after(1): 1}
_equal = {one(1): 1, other(1): 1}
_larger = {one(1): 20, other(1): 18, kappa: sp.Rational(99, 100) + sp.Rational(1, 200)}


@theorem(
    "head.swaps-exclusion",
    needs="PX",
    hypotheses=(LEAST, IN_ROW, AFTER, IS_A_SWAP, EXTREME, CUT_OFF, POSITIONAL, SYMBOLIC, SLACK),
    conclusion=le(kappa, reached(slack)),
    attack=Attack(
        {
            "no tail": le(kappa, evenness(slack)),
            "the slack ignored": le(
                kappa, evenness(0) + swaps * sp.exp(-slack / cut_off) * (1 - evenness(slack))
            ),
        },
        at={
            "no tail": {**_two_swaps, **_equal, cut_off: 1, slack: 0, kappa: sp.Rational(96, 100)},
            "the slack ignored": {
                **{
                    **_two_swaps,
                    one(1): 2,
                    other(1): sp.Rational(11, 10),
                    cut_off: sp.Rational(1, 10),
                },
                **{slack: sp.Rational(9, 10), kappa: sp.Rational(951, 1000)},
            },
        },
        without={
            IN_ROW: {**_two_swaps, **_larger},
            IS_A_SWAP: {
                **_one_swap,
                extreme: 1,
                one(0): 1,
                other(0): 1,
                one(1): 2,
                other(1): 1,
                kappa: 1,
            },
            EXTREME: {**_one_swap, one(0): 1, other(0): 1, kappa: 1},
            POSITIONAL: {**_one_swap, other_after(0): 2, kappa: 1},
            SYMBOLIC: {**_one_swap, one_after(0): 2, kappa: 1},
            SLACK: {**_one_swap, slack: 20},
            LEAST: {
                **_one_swap,
                least: -2,
                most: -1,
                one(0): -1,
                other(0): -2,
                slack: 1,
                kappa: -1 + sp.Rational(1, 40),
            },
        },
        idle={
            AFTER: "other signs make both cosines smaller",
            CUT_OFF: "otherwise the bound is at least 1, which no cosine exceeds",
        },
    ),
)
def HEAD_SWAPS_EXCLUSION(p: Proof) -> None:
    r"""Two scores averaged over swaps

    $P$ swaps of weights in $[\mu,M]$, $\mu>0$, one of which exchanges $M$ and $\mu$, with cut-off
    $\tau>0$: if $s_{\rm POS},s_{\rm SYM}\ge\kappa$ then for $0\le s\le M-\mu$: $\kappa\le
    c_s+Pe^{-s/\tau}(1-c_s)$, $c_s$ being the cosine of $(M,\mu+s)$ with the diagonal.
    """
    swap = p.under(within(r, 0, swaps - 1))
    limit = evenness(slack)
    little = sp.exp((most - least - slack) / cut_off)
    largest = sp.exp((most - least) / cut_off)
    total = over_swaps(tilt())
    weights = swap.use(IN_ROW, why="A swap exchanges two weights of the row.")
    after = swap.use(AFTER, why="The weights after a swap are positive.")
    each = swap_adds(p, swap, weights)
    cosines = [
        cosine(one_after(r), other_after(r), *pair)
        for pair in ((one(r), other(r)), (other(r), one(r)))
    ]
    pair = swap.lemma(
        HEAD_SWAP_SUM,
        {x: one(r), y: other(r), u: one_after(r), v: other_after(r)},
        (weights, after, LEAST),
        why="The two cosines of a swap add up to at most twice that with the diagonal.",
    )
    positive = p.show(lt(0, tilt()), "The tilt of a swap is positive.")
    tilted = times(swap, pair, tilt(), "Multiply this bound by the tilt of the swap.", positive)
    added = swap.show(
        le(
            tilt() * cosines[0] + tilt() * cosines[1], 2 * tilt() * limit + 2 * little * (1 - limit)
        ),
        "So a swap's tilted cosines are at most twice the tilt times c_s plus a small term.",
        (tilted, each),
    ).summed(r, 0, swaps - 1, "Sum this bound over all swaps.")
    left = p.show(
        eq(added.formula.lhs, over_swaps(tilt() * cosines[0]) + over_swaps(tilt() * cosines[1])),
        "The left side is the sum over both cosines, one after the other.",
    )
    right = p.show(
        eq(added.formula.rhs, 2 * limit * total + 2 * swaps * little * (1 - limit)),
        "The right side has one equal small term for each swap.",
        IS_A_SWAP,
    )
    member = p.lemma(
        SUMS_MEMBER,
        {f: lambda r: sp.exp(sp.Abs(one(r) - other(r)) / cut_off), k: extreme, m: swaps},
        (positive.for_all(r), IS_A_SWAP),
        why="The tilts of all swaps sum to at least that of the extremes.",
    )
    at_extreme = p.rewrite(
        eq(member.formula.lhs, largest), "The tilt of the extremes is exp((M - mu)/tau).", EXTREME
    )
    shrink = sp.exp(-slack / cut_off)
    faded = p.show(
        Both(eq(little, largest * shrink), lt(0, shrink), lt(0, largest)),
        "A slack s divides this exponential by e^(s/tau).",
        by=rules.smt(),
    )
    at_least = p.show(
        le(largest, total),
        "So the sum of all tilts is at least exp((M - mu)/tau).",
        member,
        at_extreme,
    )
    small = times(p, at_least, shrink, "Multiply by e^(-s/tau), which is positive.", faded)
    full = lengths(
        p,
        most,
        least + slack,
        "The length of (M, mu + s) is positive.",
        p.show(lt(0, most), "The largest weight M is positive.", LEAST, SLACK),
        (LEAST, SLACK),
    )
    lacking = at_most_1(
        p,
        most,
        least + slack,
        "The cosine c_s of (M, mu + s) with the diagonal is at most 1.",
        full,
        root_of_2(p),
    )
    many = p.show(
        le(0, swaps * (1 - limit)),
        "The number of swaps times 1 - c_s is not negative.",
        lacking,
        IS_A_SWAP,
    )
    less = p.show(
        le(little, total * shrink),
        "So the small exponential is at most e^(-s/tau) times the sum of tilts.",
        small,
        faded,
    )
    tail = times(
        p,
        less,
        swaps * (1 - limit),
        "Multiply this bound by the number of swaps times 1 - c_s.",
        many,
    )
    nonzero = p.show(lt(0, total), "The sum of the tilts is positive.", at_least, faded)
    means = [
        p.show(
            eq(score * total, over_swaps(tilt() * part)),
            "A score times the sum of tilts is the sum of the tilted cosines.",
            nonzero,
        )
        for score, part in zip(scores(), cosines, strict=True)
    ]
    both = times(
        p,
        p.show(
            le(2 * kappa, sp.Add(*scores())),
            "As both scores are at least kappa, their sum is at least 2 kappa.",
            POSITIONAL,
            SYMBOLIC,
        ),
        total,
        "Multiply by the sum of tilts, which is positive.",
        nonzero,
    )
    apart = p.show(
        eq(both.formula.rhs, over_swaps(tilt() * cosines[0]) + over_swaps(tilt() * cosines[1])),
        "The right side is the sum of the tilted cosines of both kinds.",
        means,
    )
    end = p.show(
        le(kappa * total, reached(slack) * total),
        "So kappa times the sum of tilts is at most the bound times that sum.",
        both,
        apart,
        added,
        left,
        right,
        tail,
    )
    p.lemma(
        SLASH_CANCEL,
        {cancel_x: kappa, cancel_y: reached(slack), t: total},
        (end, nonzero),
        why="Divide by the sum of tilts, which is positive.",
    )
