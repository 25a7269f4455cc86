"""The expectation of what rises with a variable, from quantiles of the variable alone."""

from ropeproof.theory.language import *
from ropeproof.theory.topics.slash.learned.quantiles import grid
from ropeproof.theory.topics.slash.learned.quantiles.grid import (
    CHANCES,
    cells,
    chance,
    expected,
    k,
    level,
    n,
    outcomes,
    rising,
    threshold,
    u,
    value,
)

MEANINGS: Meanings = grid.MEANINGS


def no_less(place: Term | int) -> Term:
    """The indicator of X >= x_k: 1 where it is, else 0."""
    return 1 - sp.Max(0, sp.sign(threshold(place) - value(u)))


def no_more(place: Term) -> Term:
    """The indicator of X <= x_k."""
    return 1 - sp.Max(0, sp.sign(value(u) - threshold(place)))


_OUTCOME = within(u, 0, outcomes - 1)
_AT = Both(within(k, 1, cells - 1), _OUTCOME)
heights = sp.Sum(level(k), (k, 1, cells - 1))

PARTS = Hypothesis("there are two parts or more", le(2, cells))
SIGN = Hypothesis("T is not negative", every(u, 0, outcomes - 1, le(0, rising(u))))
FIRST = Hypothesis("the first height is not negative", le(0, level(1)))
RISE = Hypothesis("heights rise", every(k, 1, cells - 2, le(level(k), level(k + 1))))
ABOVE = Hypothesis(
    "from a quantile on T is at least its height",
    Every((k, u), If(Both(_AT, le(threshold(k), value(u))), le(level(k), rising(u)))),
)
OFTEN_ABOVE = Hypothesis(
    "x_k or more has a probability of 1 - k/K at least",
    every(k, 1, cells - 1, le(cells - k, cells * expected(no_less(k)))),
)

# -- from below --------------------------------------------------------------------------


def _capped(place: Term | int) -> Term:
    return sp.Min(rising(u), level(place))


_HALF = sp.Rational(1, 2)
_COIN = listed(chance, _HALF, _HALF) | listed(value, 0, 1) | listed(rising, 0, 1)


@theorem(
    "slash.quantile-floor",
    hypotheses=(CHANCES, PARTS, SIGN, FIRST, RISE, ABOVE, OFTEN_ABOVE),
    conclusion=le(heights, cells * expected(rising(u))),
    attack=Attack(
        {
            "one part less": le(heights, (cells - 1) * expected(rising(u))),
            "equality": eq(heights, cells * expected(rising(u))),
        },
        at={"one part less": {cells: 2, outcomes: 2, threshold(1): 1, level(1): 1, **_COIN}},
        idle={
            FIRST: "T is not negative, and so at least what is left of a negative height",
            RISE: "a height above a later one bounds T with a larger probability",
        },
    ),
)
def SLASH_QUANTILE_FLOOR(p: Proof) -> None:
    r"""Quantiles bound the expectation of what rises from below

    Let $T\ge0$ be at least $G_k$ where $X\ge x_k$, $0\le G_1\le\dots\le G_{K-1}$ and $\mathbb
    P(X\ge x_k)\ge1-\frac kK$. Then $\mathbb ET\ge\frac1K\sum_{k<K}G_k$.
    """
    outcome = p.under(_OUTCOME)
    sign = outcome.use(SIGN, why="T is not negative.")

    def up_to(place: Term) -> Formula:
        sums = sp.Sum(level(k), (k, 1, place)) + (cells - place - 1) * level(place)
        return If(le(place, cells - 1), le(sums, cells * expected(_capped(place))))

    above_first = outcome.under(le(threshold(1), value(u))).use(
        ABOVE, {k: 1, u: u}, PARTS, why="From the first quantile on T is at least its height."
    )
    first = outcome.show(
        le(level(1) * no_less(1), _capped(1)),
        "So T capped at this height is at least the height where X >= x_1.",
        (above_first, sign, FIRST),
    )
    total = first.times(
        chance(u),
        "Probabilities are not negative. Multiply this bound by the probability of the outcome.",
        CHANCES,
    ).summed(u, 0, outcomes - 1, "Sum this bound over the outcomes.")
    base = p.show(
        up_to(sp.Integer(1)),
        "The height is a common factor of the sum. Multiply this bound by the height, which "
        "is not negative. The sum of one height is the height itself. So the statement holds "
        "for one height.",
        (
            total,
            p.use(
                OFTEN_ABOVE, {k: 1}, PARTS, why="The probability of X >= x_1 is at least 1 - 1/K."
            ),
            FIRST,
        ),
    )

    so_far = p.supposing(up_to(n)).under(le(1, n))
    step = so_far.under(le(n + 1, cells - 1))
    rise = step.use(RISE, {k: n}, why="The next height is not lower than this one.")
    here = step.under(_OUTCOME)
    above = here.under(le(threshold(n + 1), value(u))).use(
        ABOVE, {k: n + 1, u: u}, why="From the next quantile on T is at least the next height."
    )
    more = here.show(
        le(_capped(n) + (level(n + 1) - level(n)) * no_less(n + 1), _capped(n + 1)),
        "So the higher cap adds at least the step of the heights where X >= x_(n+1).",
        (above, rise),
    )
    total_more = more.times(
        chance(u), "Multiply this bound by the probability of the outcome.", CHANCES
    ).summed(u, 0, outcomes - 1, "Sum this bound over the outcomes.")
    last = so_far.last(
        sp.Sum(level(k), (k, 1, n + 1)), "Split the last height off the sum of the heights."
    )
    following = so_far.show(
        up_to(n + 1),
        "The step of the heights is a common factor of the sum. Multiply this bound by the "
        "step of the heights, which is not negative. So if the statement holds for n "
        "heights, it does for n + 1.",
        (
            total_more,
            step.use(
                OFTEN_ABOVE,
                {k: n + 1},
                why="The probability of X >= x_(n+1) is at least 1 - (n+1)/K.",
            ),
            rise,
            last,
        ),
    )
    all_of_them = p.under(le(1, n)).induction(
        up_to(n),
        n,
        1,
        base,
        following,
        why="By induction the statement holds for any number of heights.",
    )
    at_last = p.use(
        all_of_them, {n: cells - 1}, PARTS, why="In particular it holds for all K - 1 heights."
    )
    cap = outcome.show(le(_capped(cells - 1), rising(u)), "A capped T is at most T.")
    total_cap = cap.times(
        chance(u), "Multiply this bound by the probability of the outcome.", CHANCES
    ).summed(u, 0, outcomes - 1, "Sum this bound over the outcomes.")
    p.qed(
        "So K times the expectation of T is at least the sum of the heights.",
        (at_last, total_cap, PARTS),
    )


# -- from both sides ---------------------------------------------------------------------

TOTAL = Hypothesis("probabilities add up to 1", eq(sp.Sum(chance(u), (u, 0, outcomes - 1)), 1))
SIZE = Hypothesis("T is at most 1", every(u, 0, outcomes - 1, le(rising(u), 1)))
LAST = Hypothesis("so is the last height", le(level(cells - 1), 1))
BELOW = Hypothesis(
    "up to a quantile T is at most its height",
    Every((k, u), If(Both(_AT, le(value(u), threshold(k))), le(rising(u), level(k)))),
)
OFTEN_BELOW = Hypothesis(
    "x_k or less has a probability of k/K at least",
    every(k, 1, cells - 1, le(k, cells * expected(no_more(k)))),
)


_half = sp.Rational(1, 2)
_two: Values = {
    **{outcomes: 2, cells: 2, threshold(1): 0, level(1): 0},
    **{chance(0): _half, chance(1): _half, value(0): 0, value(1): 1, rising(0): 0, rising(1): 1},
}


@theorem(
    "slash.quantile-mean",
    hypotheses=(
        CHANCES, TOTAL, PARTS, SIGN, SIZE, FIRST, LAST, RISE, ABOVE, BELOW, OFTEN_ABOVE, OFTEN_BELOW,
    ),
    conclusion=within(cells * expected(rising(u)), heights, heights + 1),
    example=(
        eq(outcomes, 2), eq(cells, 3), Every((u,), eq(chance(u), sp.Rational(1, 2))),
        Every((u,), eq(value(u), u)), Every((u,), eq(rising(u), u)),
        Every((k,), eq(threshold(k), k - 1)), Every((k,), eq(level(k), k - 1)),
    ),
    attack=Attack(
        {
            "half a part": le(cells * expected(rising(u)), heights + sp.Rational(1, 2)),
            "without the last part": le(cells * expected(rising(u)), heights),
        },
        at={"half a part": _two, "without the last part": _two},
        without={
            CHANCES: {**_two, chance(0): 2, chance(1): -1},
            SIGN: {**_two, threshold(1): 1, rising(0): -1, rising(1): 0},
            SIZE: {**_two, rising(1): 5},
        },
        idle={
            FIRST: "T is not negative, and so at least what is left of a negative height",
            LAST: "T is at most 1, and so at most what is left of a higher one",
            RISE: "a height out of order bounds T with a larger probability",
        },
    ),
)  # fmt: skip
def SLASH_QUANTILE_MEAN(p: Proof) -> None:
    r"""Quantiles decide the expectation of what rises, up to one part

    Let $0\le T\le1$ rise with $X$, with heights $0\le G_1\le\dots\le G_{K-1}\le1$ at the quantiles:
    $T\ge G_k$ where $X\ge x_k$, $T\le G_k$ where $X\le x_k$, $\mathbb P(X\ge x_k)\ge1-\frac kK$,
    $\mathbb P(X\le x_k)\ge\frac kK$. Then $\frac1K\sum_{k<K}G_k\le\mathbb
    ET\le\frac1K\big(1+\sum_{k<K}G_k\big)$.
    """
    lower = p.apply(
        SLASH_QUANTILE_FLOOR,
        (CHANCES, PARTS, SIGN, FIRST, RISE, ABOVE, OFTEN_ABOVE),
        why="The lower bound is the floor that quantiles give.",
    )
    outcome, mirror = p.under(_OUTCOME), cells - k
    rest = outcome.use(SIZE, why="By hypothesis T is at most 1.")
    sign = outcome.show(le(0, 1 - rising(u)), "So 1 - T is not negative.", rest)
    place = p.under(within(k, 1, cells - 2))
    rise = place.use(
        RISE, {k: mirror - 1}, why="Counted from the other end, heights rise by hypothesis."
    )
    heights_rise = place.show(
        le(1 - level(mirror), 1 - level(cells - (k + 1))),
        "So 1 - G rises with the number from the other end.",
        rise,
    )
    at = p.under(_AT)
    below = at.under(le(-threshold(mirror), -value(u))).use(
        BELOW, {k: mirror, u: u}, why="Up to the quantile T is at most its height."
    )
    above = below.scope.show(
        le(1 - level(mirror), 1 - rising(u)), "So 1 - T is at least 1 - G there.", below
    )
    of_place = p.under(within(k, 1, cells - 1))
    often = of_place.use(
        OFTEN_BELOW, {k: mirror}, why="The probability of X <= x_k is as large as it needs to be."
    )
    upper = p.lemma(
        SLASH_QUANTILE_FLOOR.at(
            T=lambda outcome_: 1 - rising(outcome_),
            X=lambda outcome_: -value(outcome_),
            x=lambda place_: -threshold(cells - place_),
            G=lambda place_: 1 - level(cells - place_),
        ),
        (
            CHANCES,
            PARTS,
            sign.for_all(u),
            LAST,
            heights_rise.for_all(k),
            above.for_all(k, u),
            often.for_all(k),
        ),
        why="For the last height, 1 - G is not negative either. Apply the lower bound to 1 - T, "
        "with the quantiles from the other end.",
    )
    turned = p.reindex(heights, "Sum over the heights in the other direction.")
    p.qed(
        "The sum of 1 - G is K - 1 minus the sum of the heights. The mean of 1 - T is 1 "
        "minus the mean of T, by parts. So K times the expectation of T lies between both "
        "bounds.",
        (lower, upper, turned, PARTS, TOTAL),
    )
