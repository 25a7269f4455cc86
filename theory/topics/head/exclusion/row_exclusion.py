"""Both scores of a row high: its weights are nearly equal, and how nearly at which cut-off."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, n
from ropeproof.theory.topics.head import swap_terms
from ropeproof.theory.topics.head.diagonal import MEANINGS as OF_DIAGONAL
from ropeproof.theory.topics.head.diagonal import diagonal
from ropeproof.theory.topics.head.exclusion import row_slack
from ropeproof.theory.topics.head.exclusion.row_slack import first, highest, second, weights
from ropeproof.theory.topics.head.swap_terms import (
    AFTER,
    CUT_OFF,
    IS_A_SWAP,
    cut_off,
    extreme,
    kappa,
    one_after,
    other_after,
    swaps,
)

MEANINGS: Meanings = {
    **OF_DIAGONAL,
    **swap_terms.MEANINGS,
    **row_slack.MEANINGS,
    j: "a position",
    n: "number of positions before the query",
    extreme: shown_as("r₊", "r_+", "the swap of these two places"),
    one_after: shown_as("D′", "D'", "weight at the first place after the swap"),
    other_after: shown_as("D″", "D''", "weight at the second place after the swap"),
}

_one_swap: Values = {
    **{n: 2, swaps: 1, extreme: 0, first(0): 0},
    **{second(0): 1, row_slack.top: 0, row_slack.bottom: 1},
    **{weights(0): 2, weights(1): 1, one_after(0): 1, other_after(0): 1},
    **{cut_off: sp.Rational(1, 100), kappa: sp.Rational(94, 100)},
}
_two_swaps: Values = {
    **{**_one_swap, n: 4, swaps: 2, first(1): 2, second(1): 3},
    **{one_after(1): 1, other_after(1): 1},
}
_larger: Values = {weights(2): 20, weights(3): 18, kappa: sp.Rational(99, 100)}
_equal: Values = {weights(2): 1, weights(3): 1}


@theorem(
    "head.row-exclusion",
    needs="PTX",
    hypotheses=(
        row_slack.POSITIVE,
        row_slack.EXTREMES,
        row_slack.SWAPS,
        IS_A_SWAP,
        row_slack.SWAPPED,
        AFTER,
        CUT_OFF,
        row_slack.POSITIONAL,
        row_slack.SYMBOLIC,
    ),
    conclusion=Both(row_slack.at_every_slack, row_slack.in_the_limit),
    attack=Attack(
        {
            "twice the gap": If(
                Both(le(cut_off, highest), le(0, row_slack.level)),
                le(
                    row_slack.level**2 * (2 * row_slack.gap) ** 2,
                    (1 - row_slack.level**2) * row_slack.total**2,
                ),
            ),
            "at any cut-off": le(kappa, diagonal(highest, row_slack.lowest)),
            "no swap but one": le(
                kappa, diagonal(highest, highest) - sp.exp(-row_slack.gap / cut_off)
            ),
        },
        at={
            "twice the gap": _one_swap,
            "at any cut-off": {**{**_two_swaps, **_equal, cut_off: 1, kappa: sp.Rational(96, 100)}},
            "no swap but one": {**_one_swap, cut_off: 1},
        },
        without={
            row_slack.POSITIVE: {
                **{**_one_swap, weights(0): -1, weights(1): -2, kappa: -sp.Rational(95, 100)}
            },
            row_slack.EXTREMES: {**_two_swaps, **_larger},
            row_slack.SWAPS: {**_two_swaps, n: 2, **_larger},
            IS_A_SWAP: {
                **{**_one_swap, extreme: 1, first(0): 0, second(0): 0, kappa: 1},
                **{first(1): 0, second(1): 1},
            },
            row_slack.SWAPPED: {**_one_swap, second(0): 0, kappa: 1},
            CUT_OFF: {**_two_swaps, **_equal, cut_off: -1, kappa: sp.Rational(98, 100)},
            row_slack.POSITIONAL: {**_one_swap, other_after(0): 2, kappa: sp.Rational(99, 100)},
            row_slack.SYMBOLIC: {**_one_swap, one_after(0): 2, kappa: sp.Rational(99, 100)},
        },
        idle={AFTER: "other signs make both cosines smaller"},
    ),
)
def HEAD_ROW_EXCLUSION(p: Proof) -> None:
    r"""Both scores of a row high means that its weights are nearly equal

    Weights $D_j>0$ of a row before the query, and any $P$ swaps of two positions, one of which
    exchanges a largest with a least weight (as the swaps of all pairs do); scores with cut-off
    $\tau>0$. If $s_{\rm POS},s_{\rm SYM}\ge\kappa$ then $\kappa\le c_s+Pe^{-s/\tau}(1-c_s)$ for
    every $0\le s\le D_{\max}-D_{\min}$, where $c_s$ is the cosine of $(D_{\max},D_{\min}+s)$ with
    the diagonal. Hence for $\tau\le D_{\max}$, with
    $\varepsilon=\frac\tau{D_{\max}}(1+\ln\frac{PD_{\max}}\tau)$: if $\kappa\ge\varepsilon$,
    $(\kappa-\varepsilon)^2(D_{\max}-D_{\min})^2\le(1-(\kappa-\varepsilon)^2)(D_{\max}+D_{\min})^2$.
    """
    swapped = p.use(
        row_slack.SWAPS,
        IS_A_SWAP,
        why="The swap of the extremes exchanges two positions before the query.",
    )
    places = p.show(
        Both(within(row_slack.top, 0, n - 1), within(row_slack.bottom, 0, n - 1)),
        "So the places of the extremes are positions of the row.",
        (swapped, row_slack.SWAPPED),
    )
    ends = [
        p.use(
            hypothesis, {j: at}, places, why="The bounds of the row's weights hold at this place."
        )
        for hypothesis in (row_slack.POSITIVE, row_slack.EXTREMES)
        for at in (row_slack.top, row_slack.bottom)
    ]
    positive = p.show(
        Both(lt(0, row_slack.lowest), le(row_slack.lowest, highest)),
        "The least weight is positive and at most the largest.",
        ends,
    )
    exact = row_slack.at_slack(p, positive)
    p.qed(
        "This proves the bound at every slack and the one in the limit.",
        (exact, row_slack.limit(p, exact, positive)),
    )
