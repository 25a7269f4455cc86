"""A few quantiles of two distributions bound the slash score of independent keys, at any noise."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, j
from ropeproof.theory.topics.slash import lags
from ropeproof.theory.topics.slash.learned.law import draw
from ropeproof.theory.topics.slash.learned.law.draw import OTHER_TOTAL, ROW, TOTAL
from ropeproof.theory.topics.slash.learned.quantiles import grid, quantile_sides
from ropeproof.theory.topics.slash.learned.quantiles.grid import cells
from ropeproof.theory.topics.slash.learned.quantiles.quantile_mean import (
    OFTEN_ABOVE,
    OFTEN_BELOW,
    PARTS,
)
from ropeproof.theory.topics.slash.learned.quantiles.quantile_sides import (
    GRID,
    OTHER_GRID,
    OTHER_PARTS,
    OTHER_SIGN,
    parts,
)

MEANINGS: Meanings = {
    **grid.MEANINGS,
    **quantile_sides.MEANINGS,
    **draw.MEANINGS,
    j: "a lag",
    cells: "number of thresholds, or of parts, of the target's logit",
    grid.value: "the target's logit, by its draw",
    grid.outcomes: "numbers of draws of the target, of the others",
    grid.chance: "probabilities of the draws of the target, of the others",
    grid.u: "a draw of the target, of the others",
    grid.threshold: "thresholds, or quantiles, of the target's logit",
}

height = real_function("h")
score = draw.expected(lags.weight(draw.own))
corners = sp.Sum(
    sp.Sum(
        draw.odds(grid.threshold(grid.k), quantile_sides.competition(quantile_sides.place)),
        (quantile_sides.place, 1, parts - 1),
    ),
    (grid.k, 1, cells - 1),
)


def _expectation(p: Proof) -> Fact:
    """E S = E 1/(1 + Z e^-X)."""
    outcome = p.under(draw.OUTCOME)
    world = outcome.under(draw.OTHER_OUTCOME)
    both = draw.odds(grid.value(grid.u), draw.rest())
    inner = world.show(
        eq(draw.other_chance(draw.r) * lags.weight(draw.own), draw.other_chance(draw.r) * both),
        "Multiply the row's weight by the probability of the others' outcome.",
        draw.weight_of(world),
    ).summed(draw.r, 0, draw.others - 1, "Sum this equation over the others' outcomes.")
    return p.show(
        eq(score, draw.expected(both)),
        "Sum this equation over the target's outcomes. So the score is the expectation of "
        "1/(1 + Z e^-X).",
        outcome.show(
            eq(grid.chance(grid.u) * inner.formula.lhs, grid.chance(grid.u) * inner.formula.rhs),
            "Multiply this equation by the probability of the target's outcome.",
            inner,
        ),
    )


_one = {
    **{i: 2, lags.offset: 1, grid.outcomes: 1},
    **{draw.others: 1, cells: 2, parts: 2, grid.chance(0): 1},
    **{
        draw.other_chance(0): 1,
        grid.value(0): 5,
        draw.rival(0, 0): 0,
        draw.logit(1, 0, 0): 5,
        draw.logit(0, 0, 0): 0,
    },
    **{grid.threshold(1): 5, quantile_sides.competition(1): 1},
}
_low = {**_one, grid.value(0): -5, draw.logit(1, 0, 0): -5, grid.threshold(1): -5}
_two = {**_one, grid.outcomes: 2, grid.chance(0): 2, grid.chance(1): -1, draw.logit(0, 1, 0): 0}


@theorem(
    "slash.quantiles",
    needs="PTX",
    hypotheses=(
        *ROW, TOTAL, OTHER_TOTAL, PARTS, OTHER_PARTS, GRID, OTHER_GRID, OTHER_SIGN, OFTEN_ABOVE,
        OFTEN_BELOW, quantile_sides.OTHER_OFTEN_ABOVE, quantile_sides.OTHER_OFTEN_BELOW,
    ),
    conclusion=within(
        score, corners / (cells * parts), (corners + cells + parts - 1) / (cells * parts)
    ),
    example=(
        *(eq(symbol, 3) for symbol in (i, cells, parts)),
        *(eq(symbol, 1) for symbol in (lags.offset, grid.outcomes, draw.others)),
        Every((grid.u,), eq(grid.chance(grid.u), 1)), Every((draw.r,), eq(draw.other_chance(draw.r), 1)),
        Every((grid.u,), eq(grid.value(grid.u), 5)), Every((j, draw.r), eq(draw.rival(j, draw.r), 0)),
        Every((j, grid.u, draw.r), eq(draw.logit(j, grid.u, draw.r), 5 * sp.Max(0, 1 - sp.Abs(j - 1)))),
        Every((grid.k,), eq(grid.threshold(grid.k), 5)),
        Every((quantile_sides.place,), eq(quantile_sides.competition(quantile_sides.place), 2)),
    ),
    attack=Attack(
        {
            "a corner less above": le(score, (corners + cells + parts - 2) / (cells * parts)),
            "a corner more below": le((corners + 1) / (cells * parts), score),
        },
        at={"a corner less above": _one, "a corner more below": _low},
        without={
            lags.OFFSET: {
                **_one,
                lags.offset: 5,
                quantile_sides.competition(1): 5,
                draw.logit(5, 0, 0): 5,
                draw.logit(1, 0, 0): 0,
                **{draw.rival(lag, 0): 0 for lag in range(5)},
            },
            grid.CHANCES: {
                **_two,
                grid.value(0): -5,
                grid.value(1): 5,
                grid.threshold(1): -5,
                draw.logit(1, 0, 0): -5,
                draw.logit(1, 1, 0): 5,
            },
            draw.OTHER_CHANCES: {
                **_one,
                draw.others: 2,
                draw.other_chance(0): 2,
                draw.other_chance(1): -1,
                grid.value(0): 0,
                grid.threshold(1): 0,
                draw.logit(1, 0, 0): 0,
                draw.logit(1, 0, 1): 0,
                draw.rival(0, 1): -5,
                draw.logit(0, 0, 1): -5,
            },
            draw.AT_TARGET: {**_one, draw.logit(1, 0, 0): -5},
            draw.ELSEWHERE: {**_one, draw.logit(0, 0, 0): 10},
            TOTAL: {**_one, grid.chance(0): 5},
            OTHER_TOTAL: {**_one, draw.other_chance(0): 5},
            OTHER_PARTS: {**_one, parts: 0},
            OFTEN_ABOVE: {**_low, grid.threshold(1): 100},
            OFTEN_BELOW: {**_one, grid.threshold(1): -100},
            quantile_sides.OTHER_OFTEN_ABOVE: {**_one, quantile_sides.competition(1): 10**6},
            quantile_sides.OTHER_OFTEN_BELOW: {**_low, quantile_sides.competition(1): 0},
        },
        idle={
            GRID: "a quantile out of order has a larger probability than it needs",
            OTHER_GRID: "a quantile out of order has a larger probability than it needs",
            OTHER_SIGN: "a number below 0 is no quantile of Z: its probability from below is 0",
        },
    ),
)  # fmt: skip
def SLASH_QUANTILES(p: Proof) -> None:
    r"""A few quantiles bound the expected weight of a target among independent keys

    The setting of `slash.law`. Let $x_1\le\dots\le x_{K-1}$ be quantiles of $X$ at $\frac kK$ and
    $z_1\le\dots\le z_{L-1}$ of $Z$ at $\frac jL$: numbers with $\mathbb P(X\ge x_k)\ge1-\frac kK$,
    $\mathbb P(X\le x_k)\ge\frac kK$, likewise for $Z$. With
    $T=\sum_{k<K}\sum_{j<L}\frac1{1+z_je^{-x_k}}$: $\frac T{KL}\le\mathbb
    ES_{i,i-\Delta}\le\frac{T+K+L-1}{KL}$.
    """
    positive = draw.rest_sign(p)
    of_target = quantile_sides.mean_over_target(p, positive)
    other = of_target.scope
    likely = other.use(draw.OTHER_CHANCES, why="The others' probabilities are not negative.")
    here, there = (
        draw.odds(grid.value(grid.u), draw.rest()),
        draw.odds(grid.threshold(grid.k), draw.rest()),
    )
    middle = sp.Sum(draw.over_others(there), (grid.k, 1, cells - 1))
    in_turn = p.swap(
        sp.Sum(
            sp.Sum(draw.other_chance(draw.r) * height(grid.k, draw.r), (grid.k, 1, cells - 1)),
            (draw.r, 0, draw.others - 1),
        ),
        "Exchange the sums over quantiles and over the others' outcomes.",
    )
    of_a_row = sp.Sum(height(grid.k, draw.r), (grid.k, 1, cells - 1))
    each = sp.Sum(draw.over_others(height(grid.k, draw.r)), (grid.k, 1, cells - 1))

    def exchanged(inside: Term, exchange: Term) -> Fact:
        """The sums over quantiles and over the others' outcomes exchanged, of 1/(1 + Z e^-x_k)."""
        why = "For any heights the sums over quantiles and over outcomes may be exchanged."
        any_height = p.show(eq(draw.over_others(inside), exchange), why, in_turn)
        value = {height: lambda at, by: there.xreplace({grid.k: at, draw.r: by})}
        return p.use(any_height, value, why="Take 1/(1 + Z e^-x_k) for these heights.")

    keys = p.swap(
        sp.Sum(
            sp.Sum(
                draw.other_chance(draw.r) * grid.chance(grid.u) * here,
                (grid.u, 0, grid.outcomes - 1),
            ),
            (draw.r, 0, draw.others - 1),
        ),
        "Exchange the sums over the outcomes of target and others.",
    )
    ours = (middle, cells * draw.expected(here), middle + draw.over_others(1))
    any_heights = {middle: (of_a_row, each), ours[2]: (of_a_row + 1, each + draw.over_others(1))}
    known: list[Fact] = []
    for part in of_target.parts():
        total = part.times(
            draw.other_chance(draw.r),
            "Multiply this bound by the probability of the others' outcome.",
            likely,
        ).summed(draw.r, 0, draw.others - 1, "Sum this bound over the others' outcomes.")
        sides = ours[:2] if part.formula.lhs == of_target.formula.args[0].lhs else ours[1:]
        same = [
            exchanged(*any_heights[side])
            if side in any_heights
            else p.show(
                eq(theirs, side),
                "Exchange the sums over the outcomes of the target and of the others.",
                keys,
            )
            for theirs, side in zip(total.formula.args, sides, strict=True)
        ]
        known.append(
            p.show(le(*sides), "So the bound holds in the mean over the others, too.", total, same)
        )
    first = p.show(
        within(cells * score, middle, middle + 1),
        "So the score is the mean over the quantiles of X, up to one part.",
        (known, _expectation(p), OTHER_TOTAL),
    )
    sums = [
        part.summed(grid.k, 1, cells - 1, "Sum this bound over the quantiles of X.")
        for part in quantile_sides.mean_over_others(p, positive).parts()
    ]
    scaled = [
        part.times(parts, "Multiply this bound by L, which is positive.", OTHER_PARTS)
        for part in first.parts()
    ]
    p.qed(
        "The K - 1 sums are off by at most one part each. The factor L comes out of the sum. "
        "So the mean over the quantiles of Z is this, up to one part each. So the score "
        "times K L lies between the two bounds. Divide by K L, which is positive.",
        (scaled, sums, PARTS, OTHER_PARTS),
    )
