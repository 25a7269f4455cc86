"""A few quantiles of two distributions bound the slash score of independent keys, at any noise."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, j
from ropeproof.theory.library.order import times
from ropeproof.theory.topics.slash.lags import OFFSET, offset, weight
from ropeproof.theory.topics.slash.learned.law.draw import (
    AT_TARGET,
    ELSEWHERE,
    OTHER_CHANCES,
    OTHER_OUTCOME,
    OTHER_TOTAL,
    OUTCOME,
    ROW,
    TOTAL,
    expected,
    logit,
    odds,
    other_chance,
    others,
    over_others,
    own,
    r,
    rest,
    rest_sign,
    rival,
    weight_of,
)
from ropeproof.theory.topics.slash.learned.quantiles.grid import (
    CHANCES,
    cells,
    chance,
    k,
    outcomes,
    threshold,
    u,
)
from ropeproof.theory.topics.slash.learned.quantiles.grid import value as target
from ropeproof.theory.topics.slash.learned.quantiles.quantile_mean import (
    OFTEN_ABOVE,
    OFTEN_BELOW,
    PARTS,
)
from ropeproof.theory.topics.slash.learned.quantiles.quantile_sides import (
    GRID,
    OTHER_GRID,
    OTHER_OFTEN_ABOVE,
    OTHER_OFTEN_BELOW,
    OTHER_PARTS,
    OTHER_SIGN,
    competition,
    mean_over_others,
    mean_over_target,
    parts,
    place,
)

height = real_function("h")
score = expected(weight(own))
corners = sp.Sum(
    sp.Sum(odds(threshold(k), competition(place)), (place, 1, parts - 1)), (k, 1, cells - 1)
)


def _expectation(p: Proof) -> Fact:
    """E S = E 1/(1 + Z e^-X)."""
    outcome = p.under(OUTCOME)
    world = outcome.under(OTHER_OUTCOME)
    both = odds(target(u), rest())
    term = world.show(
        eq(other_chance(r) * weight(own), other_chance(r) * both),
        "Multiply the row's weight by the probability of the others' outcome.",
        weight_of(world),
    )
    inner = term.summed(r, 0, others - 1, "Sum this equation over the others' outcomes.")
    outer = outcome.show(
        eq(chance(u) * inner.formula.lhs, chance(u) * inner.formula.rhs),
        "Multiply this equation by the probability of the target's outcome.",
        inner,
    )
    total = outer.summed(u, 0, outcomes - 1, "Sum this equation over the target's outcomes.")
    return p.show(
        eq(score, expected(both)), "So the score is the expectation of 1/(1 + Z e^-X).", total
    )


_one = {
    **{i: 2, offset: 1, outcomes: 1, others: 1, cells: 2, parts: 2, chance(0): 1},
    **{other_chance(0): 1, target(0): 5, rival(0, 0): 0, logit(1, 0, 0): 5, logit(0, 0, 0): 0},
    **{threshold(1): 5, competition(1): 1},
}
_low = {**_one, target(0): -5, logit(1, 0, 0): -5, threshold(1): -5}
_two = {**_one, outcomes: 2, chance(0): 2, chance(1): -1, logit(0, 1, 0): 0}


@theorem(
    "slash.quantiles",
    needs="PTX",
    hypotheses=(
        *ROW, TOTAL, OTHER_TOTAL, PARTS, OTHER_PARTS, GRID, OTHER_GRID, OTHER_SIGN, OFTEN_ABOVE,
        OFTEN_BELOW, OTHER_OFTEN_ABOVE, OTHER_OFTEN_BELOW,
    ),
    conclusion=within(
        score, corners / (cells * parts), (corners + cells + parts - 1) / (cells * parts)
    ),
    example=(
        *(eq(symbol, 3) for symbol in (i, cells, parts)),
        *(eq(symbol, 1) for symbol in (offset, outcomes, others)),
        Every((u,), eq(chance(u), 1)), Every((r,), eq(other_chance(r), 1)),
        Every((u,), eq(target(u), 5)), Every((j, r), eq(rival(j, r), 0)),
        Every((j, u, r), eq(logit(j, u, r), 5 * sp.Max(0, 1 - sp.Abs(j - 1)))),
        Every((k,), eq(threshold(k), 5)),
        Every((place,), eq(competition(place), 2)),
    ),
    attack=Attack(
        {
            "a corner less above": le(score, (corners + cells + parts - 2) / (cells * parts)),
            "a corner more below": le((corners + 1) / (cells * parts), score),
        },
        at={"a corner less above": _one, "a corner more below": _low},
        without={
            OFFSET: {
                **_one,
                offset: 5,
                competition(1): 5,
                logit(5, 0, 0): 5,
                logit(1, 0, 0): 0,
                **{rival(lag, 0): 0 for lag in range(5)},
            },
            CHANCES: {
                **_two,
                target(0): -5,
                target(1): 5,
                threshold(1): -5,
                logit(1, 0, 0): -5,
                logit(1, 1, 0): 5,
            },
            OTHER_CHANCES: {
                **_one,
                others: 2,
                other_chance(0): 2,
                other_chance(1): -1,
                target(0): 0,
                threshold(1): 0,
                logit(1, 0, 0): 0,
                logit(1, 0, 1): 0,
                rival(0, 1): -5,
                logit(0, 0, 1): -5,
            },
            AT_TARGET: {**_one, logit(1, 0, 0): -5},
            ELSEWHERE: {**_one, logit(0, 0, 0): 10},
            TOTAL: {**_one, chance(0): 5},
            OTHER_TOTAL: {**_one, other_chance(0): 5},
            OTHER_PARTS: {**_one, parts: 0},
            OFTEN_ABOVE: {**_low, threshold(1): 100},
            OFTEN_BELOW: {**_one, threshold(1): -100},
            OTHER_OFTEN_ABOVE: {**_one, competition(1): 10**6},
            OTHER_OFTEN_BELOW: {**_low, competition(1): 0},
        },
        idle={
            GRID: "a quantile out of order has a larger probability than it needs",
            OTHER_GRID: "a quantile out of order has a larger probability than it needs",
            OTHER_SIGN: "a number below 0 is no quantile of Z: its probability from below is 0",
        },
    ),
)  # fmt: skip
def SLASH_QUANTILES(p: Proof) -> None:
    r"""A few quantiles bound the slash score of independent keys, at any noise

    The setting of `slash.law`. Let $x_1\le\dots\le x_{K-1}$ be quantiles of $X$ at $\frac kK$ and
    $z_1\le\dots\le z_{L-1}$ of $Z$ at $\frac jL$: numbers with $\mathbb P(X\ge x_k)\ge1-\frac kK$,
    $\mathbb P(X\le x_k)\ge\frac kK$, likewise for $Z$. With
    $T=\sum_{k<K}\sum_{j<L}\frac1{1+z_je^{-x_k}}$: $\frac T{KL}\le\mathbb
    ES_{i,i-\Delta}\le\frac{T+K+L-1}{KL}$.
    """
    positive = rest_sign(p)
    of_target = mean_over_target(p, positive)
    other = of_target.scope
    likely = other.use(OTHER_CHANCES, why="The others' probabilities are not negative.")
    here, there = odds(target(u), rest()), odds(threshold(k), rest())
    middle = sp.Sum(over_others(there), (k, 1, cells - 1))
    in_turn = p.swap(
        sp.Sum(sp.Sum(other_chance(r) * height(k, r), (k, 1, cells - 1)), (r, 0, others - 1)),
        "Exchange the sums over quantiles and over the others' outcomes.",
    )
    of_a_row = sp.Sum(height(k, r), (k, 1, cells - 1))
    each = sp.Sum(over_others(height(k, r)), (k, 1, cells - 1))

    def exchanged(inside: Any, exchange: Any, goal: Any) -> Fact:
        """The sums over quantiles and over the others' outcomes exchanged, of 1/(1 + Z e^-x_k)."""
        why = "For any heights the sums over quantiles and over outcomes may be exchanged."
        any_height = p.show(eq(over_others(inside), exchange), why, in_turn)
        value = {height: lambda at, by: there.xreplace({k: at, r: by})}
        return p.use(any_height, value, why="Take 1/(1 + Z e^-x_k) for these heights.", goal=goal)

    keys = p.swap(
        sp.Sum(
            sp.Sum(other_chance(r) * chance(u) * here, (u, 0, outcomes - 1)), (r, 0, others - 1)
        ),
        "Exchange the sums over the outcomes of target and others.",
    )
    ours = (middle, cells * expected(here), middle + over_others(1))
    any_heights = {middle: (of_a_row, each), ours[2]: (of_a_row + 1, each + over_others(1))}
    known: list[Fact] = []
    for part in of_target.parts():
        weighed = times(
            other,
            part,
            other_chance(r),
            "Multiply this bound by the probability of the others' outcome.",
            likely,
        )
        total = weighed.summed(r, 0, others - 1, "Sum this bound over the others' outcomes.")
        sides = ours[:2] if part.formula.lhs == of_target.formula.args[0].lhs else ours[1:]
        same = [
            exchanged(*any_heights[side], eq(theirs, side))
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
        part.summed(k, 1, cells - 1, "Sum this bound over the quantiles of X.")
        for part in mean_over_others(p, positive).parts()
    ]
    count = p.show(
        eq(sums[1].formula.rhs, corners + cells - 1),
        "The K - 1 sums are off by at most one part each.",
        PARTS,
    )
    out = p.show(eq(sums[0].formula.rhs, parts * middle), "The factor L comes out of the sum.")
    second = p.show(
        within(parts * middle, corners, corners + cells - 1),
        "So the mean over the quantiles of Z is this, up to one part each.",
        (sums, count, out),
    )
    scaled = [
        times(p, part, parts, "Multiply this bound by L, which is positive.", OTHER_PARTS)
        for part in first.parts()
    ]
    product = p.show(
        within(score * (cells * parts), corners, corners + cells + parts - 1),
        "So the score times K L lies between the two bounds.",
        (scaled, second),
    )
    p.qed("Divide by K L, which is positive.", product, PARTS, OTHER_PARTS)
