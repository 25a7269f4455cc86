"""Scores averaged over swaps: what a small cut-off leaves of swaps of nearly equal weights."""

from ropeproof.theory.language import *
from ropeproof.theory.library.sums.terms import SUMS_MEMBER
from ropeproof.theory.topics.head import diagonal, swap_terms
from ropeproof.theory.topics.head.diagonal import HEAD_SWAP_SUM, slack
from ropeproof.theory.topics.head.scores import cosine
from ropeproof.theory.topics.head.swap_terms import kappa, one, other, r, swaps, tilt
from ropeproof.theory.topics.slash.cone.inequalities import SLASH_CANCEL

MEANINGS: Meanings = {**diagonal.MEANINGS, **swap_terms.MEANINGS}

_one_swap: Values = {
    **{swaps: 1, swap_terms.extreme: 0, diagonal.most: 2},
    **{diagonal.least: 1, one(0): 2, other(0): 1, slack: sp.Rational(1, 2)},
    **{swap_terms.one_after(0): 1, swap_terms.other_after(0): 1},
    **{swap_terms.cut_off: sp.Rational(1, 100), kappa: sp.Rational(94, 100)},
}
_two_swaps: Values = {
    **_one_swap,
    swaps: 2,
    swap_terms.one_after(1): 1,
    swap_terms.other_after(1): 1,
}
_equal: Values = {one(1): 1, other(1): 1}
_larger: Values = {one(1): 20, other(1): 18, kappa: sp.Rational(99, 100) + sp.Rational(1, 200)}


@theorem(
    "head.swaps-exclusion",
    hypotheses=(
        swap_terms.LEAST,
        swap_terms.IN_ROW,
        swap_terms.AFTER,
        swap_terms.IS_A_SWAP,
        swap_terms.EXTREME,
        swap_terms.CUT_OFF,
        swap_terms.POSITIONAL,
        swap_terms.SYMBOLIC,
        swap_terms.SLACK,
    ),
    conclusion=le(kappa, swap_terms.reached(slack)),
    attack=Attack(
        {
            "no tail": le(kappa, swap_terms.evenness(slack)),
            "the slack ignored": le(
                kappa,
                swap_terms.evenness(0)
                + swaps * sp.exp(-slack / swap_terms.cut_off) * (1 - swap_terms.evenness(slack)),
            ),
        },
        at={
            "no tail": {
                **_two_swaps,
                **_equal,
                swap_terms.cut_off: 1,
                slack: 0,
                kappa: sp.Rational(96, 100),
            },
            "the slack ignored": {
                **{
                    **_two_swaps,
                    one(1): 2,
                    other(1): sp.Rational(11, 10),
                    swap_terms.cut_off: sp.Rational(1, 10),
                },
                **{slack: sp.Rational(9, 10), kappa: sp.Rational(951, 1000)},
            },
        },
        without={
            swap_terms.IN_ROW: {**_two_swaps, **_larger},
            swap_terms.IS_A_SWAP: {
                **_one_swap,
                swap_terms.extreme: 1,
                one(0): 1,
                other(0): 1,
                one(1): 2,
                other(1): 1,
                kappa: 1,
            },
            swap_terms.EXTREME: {**_one_swap, one(0): 1, other(0): 1, kappa: 1},
            swap_terms.POSITIONAL: {**_one_swap, swap_terms.other_after(0): 2, kappa: 1},
            swap_terms.SYMBOLIC: {**_one_swap, swap_terms.one_after(0): 2, kappa: 1},
            swap_terms.SLACK: {**_one_swap, slack: 20},
            swap_terms.LEAST: {
                **_one_swap,
                **{diagonal.least: -2, diagonal.most: -1, one(0): -1},
                **{other(0): -2, slack: 1, kappa: -1 + sp.Rational(1, 40)},
            },
        },
        idle={
            swap_terms.AFTER: "other signs make both cosines smaller",
            swap_terms.CUT_OFF: "otherwise the bound is at least 1, which no cosine exceeds",
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
    limit = swap_terms.evenness(slack)
    little = sp.exp((diagonal.most - diagonal.least - slack) / swap_terms.cut_off)
    largest = sp.exp((diagonal.most - diagonal.least) / swap_terms.cut_off)
    total = swap_terms.over_swaps(tilt())
    weights = swap.use(swap_terms.IN_ROW, why="A swap exchanges two weights of the row.")
    each = swap_terms.swap_adds(p, swap, weights)
    cosines = [
        cosine(swap_terms.one_after(r), swap_terms.other_after(r), *pair)
        for pair in ((one(r), other(r)), (other(r), one(r)))
    ]
    pair = swap.lemma(
        HEAD_SWAP_SUM.at(
            x=one(r), y=other(r), u=swap_terms.one_after(r), v=swap_terms.other_after(r)
        ),
        (weights, swap_terms.AFTER, swap_terms.LEAST),
        why="The weights after a swap are positive. The two cosines of a swap add up to at most "
        "twice that with the diagonal.",
    )
    tilted = pair.times(
        tilt(), "The tilt of a swap is positive. Multiply this bound by the tilt of the swap."
    )
    added = swap.show(
        le(
            tilt() * cosines[0] + tilt() * cosines[1], 2 * tilt() * limit + 2 * little * (1 - limit)
        ),
        "So a swap's tilted cosines are at most twice the tilt times c_s plus a small term.",
        (tilted, each),
    ).summed(r, 0, swaps - 1, "Sum this bound over all swaps.")
    left = p.show(
        eq(
            added.formula.lhs,
            swap_terms.over_swaps(tilt() * cosines[0]) + swap_terms.over_swaps(tilt() * cosines[1]),
        ),
        "The left side is the sum over both cosines, one after the other.",
    )
    right = p.show(
        eq(added.formula.rhs, 2 * limit * total + 2 * swaps * little * (1 - limit)),
        "The right side has one equal small term for each swap.",
        swap_terms.IS_A_SWAP,
    )
    member = p.apply(
        SUMS_MEMBER.at(f=lambda r: sp.exp(sp.Abs(one(r) - other(r)) / swap_terms.cut_off)),
        swap_terms.IS_A_SWAP,
        why="The tilts of all swaps sum to at least that of the extremes.",
    )
    at_extreme = p.rewrite(
        eq(member.formula.lhs, largest),
        "The tilt of the extremes is exp((M - mu)/tau).",
        swap_terms.EXTREME,
    )
    shrink = sp.exp(-slack / swap_terms.cut_off)
    full = diagonal.lengths(
        p,
        diagonal.most,
        diagonal.least + slack,
        "The length of (M, mu + s) is positive.",
        p.show(
            lt(0, diagonal.most),
            "The largest weight M is positive.",
            (swap_terms.LEAST, swap_terms.SLACK),
        ),
        (swap_terms.LEAST, swap_terms.SLACK),
    )
    lacking = diagonal.at_most_1(
        p,
        diagonal.most,
        diagonal.least + slack,
        "The cosine c_s of (M, mu + s) with the diagonal is at most 1.",
        full,
        diagonal.root_of_2(p),
    )
    tail = p.show(
        le(little, total * shrink),
        "A slack s divides this exponential by e^(s/tau). So the sum of all tilts is at "
        "least exp((M - mu)/tau). Multiply by e^(-s/tau), which is positive. So the small "
        "exponential is at most e^(-s/tau) times the sum of tilts.",
        (member, at_extreme),
    ).times(
        swaps * (1 - limit),
        "The number of swaps times 1 - c_s is not negative. Multiply this bound by the "
        "number of swaps times 1 - c_s.",
        (lacking, swap_terms.IS_A_SWAP),
    )
    nonzero = p.show(lt(0, total), "The sum of the tilts is positive.", member, at_extreme)
    means = [
        p.show(
            eq(score * total, swap_terms.over_swaps(tilt() * part)),
            "A score times the sum of tilts is the sum of the tilted cosines.",
            nonzero,
        )
        for score, part in zip(swap_terms.scores(), cosines, strict=True)
    ]
    both = p.show(
        le(2 * kappa, sp.Add(*swap_terms.scores())),
        "As both scores are at least kappa, their sum is at least 2 kappa.",
        (swap_terms.POSITIONAL, swap_terms.SYMBOLIC),
    ).times(total, "Multiply by the sum of tilts, which is positive.", nonzero)
    apart = p.show(
        eq(
            both.formula.rhs,
            swap_terms.over_swaps(tilt() * cosines[0]) + swap_terms.over_swaps(tilt() * cosines[1]),
        ),
        "The right side is the sum of the tilted cosines of both kinds.",
        means,
    )
    end = p.show(
        le(kappa * total, swap_terms.reached(slack) * total),
        "So kappa times the sum of tilts is at most the bound times that sum.",
        (both, apart, added, left, right, tail),
    )
    p.apply(SLASH_CANCEL, (end, nonzero), why="Divide by the sum of tilts, which is positive.")
