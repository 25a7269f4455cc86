"""The expectation of what rises with a variable, from quantiles of the variable alone."""

from ropeproof.theory.language import *
from ropeproof.theory.library.order import times
from ropeproof.theory.topics.slash.learned.quantiles.cells import (
    CHANCES,
    cells,
    chance,
    k,
    level,
    n,
    outcomes,
    rising,
    threshold,
    u,
    value,
)


def expected(term: Any) -> Any:
    """The expectation of a term in `u`."""
    return sp.Sum(chance(u) * term, (u, 0, outcomes - 1))


def no_less(place: Any) -> Any:
    """The indicator of X >= x_k: 1 where it is, else 0."""
    return 1 - sp.Max(0, sp.sign(threshold(place) - value(u)))


def no_more(place: Any) -> Any:
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

_FLOOR = Claim(
    id="slash.quantile-floor",
    title="Quantiles bound the expectation of what rises from below",
    statement=(
        r"Let $T\ge0$ be at least $G_k$ where $X\ge x_k$, $0\le G_1\le\dots\le G_{K-1}$ and "
        r"$\mathbb P(X\ge x_k)\ge1-\frac kK$. Then $\mathbb ET\ge\frac1K\sum_{k<K}G_k$."
    ),
    needs=frozenset("PX"),
    hypotheses=(CHANCES, PARTS, SIGN, FIRST, RISE, ABOVE, OFTEN_ABOVE),
    conclusion=le(heights, cells * expected(rising(u))),
)


def _capped(place: Any) -> Any:
    return sp.Min(rising(u), level(place))


def _floor(p: Proof) -> None:
    outcome = p.under(_OUTCOME)
    sign = outcome.use(SIGN, why="T is not negative.")
    likely = outcome.use(CHANCES, why="Probabilities are not negative.")

    def up_to(place: Any) -> Any:
        sums = sp.Sum(level(k), (k, 1, place)) + (cells - place - 1) * level(place)
        return If(le(place, cells - 1), le(sums, cells * expected(_capped(place))))

    above_first = outcome.under(le(threshold(1), value(u))).use(
        ABOVE, {k: 1, u: u}, PARTS, why="From the first quantile on T is at least its height:"
    )
    first = outcome.show(
        le(level(1) * no_less(1), _capped(1)),
        "capped there, it is at least that where X is.",
        (above_first, sign, FIRST),
    )
    weighed = times(outcome, first, chance(u), "Weighed", likely)
    total = weighed.summed(u, 0, outcomes - 1, "and summed.")
    out = p.show(eq(total.formula.lhs, level(1) * expected(no_less(1))), "Take the height out:")
    often = p.use(OFTEN_ABOVE, {k: 1}, PARTS, why="the probability is 1 - 1/K at least,")
    grown = times(p, often, level(1), "also times the height.", FIRST)
    one = p.show(eq(sp.Sum(level(k), (k, 1, 1)), level(1)), "One height alone.")
    base = p.show(up_to(sp.Integer(1)), "So it is with one height.", total, out, grown, one)

    so_far = p.supposing(up_to(n)).under(le(1, n))
    step = so_far.under(le(n + 1, cells - 1))
    rise = step.use(RISE, {k: n}, why="The next height is no lower,")
    here = step.under(_OUTCOME)
    above = here.under(le(threshold(n + 1), value(u))).use(
        ABOVE, {k: n + 1, u: u}, why="and T at least that from the next quantile on:"
    )
    more = here.show(
        le(_capped(n) + (level(n + 1) - level(n)) * no_less(n + 1), _capped(n + 1)),
        "the higher cap adds at least the step where X is there.",
        (above, rise),
    )
    weighed_more = times(here, more, chance(u), "Weighed", likely)
    total_more = weighed_more.summed(u, 0, outcomes - 1, "and summed.")
    apart = step.show(
        eq(
            total_more.formula.lhs,
            expected(_capped(n)) + (level(n + 1) - level(n)) * expected(no_less(n + 1)),
        ),
        "Take the step out:",
    )
    often_more = step.use(OFTEN_ABOVE, {k: n + 1}, why="the probability is known,")
    grown_more = times(step, often_more, level(n + 1) - level(n), "also times the step.", rise)
    last = so_far.last(sp.Sum(level(k), (k, 1, n + 1)), "One height more")
    following = so_far.show(
        up_to(n + 1), "adds as much as its probability.", total_more, apart, grown_more, last
    )
    all_of_them = p.under(le(1, n)).induction(
        up_to(n), n, 1, base, following, why="So it is with all heights,"
    )
    at_last = p.use(all_of_them, {n: cells - 1}, PARTS, why="up to the last.")
    cap = outcome.show(le(_capped(cells - 1), rising(u)), "A cap takes away:")
    weighed_cap = times(outcome, cap, chance(u), "weighed", likely)
    total_cap = weighed_cap.summed(u, 0, outcomes - 1, "and summed.")
    p.qed("That is the floor.", at_last, total_cap, PARTS)


_HALF = sp.Rational(1, 2)
_COIN = listed(chance, _HALF, _HALF) | listed(value, 0, 1) | listed(rising, 0, 1)

SLASH_QUANTILE_FLOOR = prove(
    _FLOOR,
    _floor,
    Attack(
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

_MEAN = Claim(
    id="slash.quantile-mean",
    title="Quantiles decide the expectation of what rises, up to one part",
    statement=(
        r"Let $0\le T\le1$ rise with $X$, with heights $0\le G_1\le\dots\le G_{K-1}\le1$ at the "
        r"quantiles: $T\ge G_k$ where $X\ge x_k$, $T\le G_k$ where $X\le x_k$, $\mathbb P(X\ge x_k)"
        r"\ge1-\frac kK$, $\mathbb P(X\le x_k)\ge\frac kK$. Then $\frac1K\sum_{k<K}G_k\le\mathbb ET"
        r"\le\frac1K\big(1+\sum_{k<K}G_k\big)$."
    ),
    needs=frozenset("PX"),
    hypotheses=(
        CHANCES, TOTAL, PARTS, SIGN, SIZE, FIRST, LAST, RISE, ABOVE, BELOW, OFTEN_ABOVE, OFTEN_BELOW,
    ),
    conclusion=within(cells * expected(rising(u)), heights, heights + 1),
    example=(
        eq(outcomes, 2), eq(cells, 3), Every((u,), eq(chance(u), sp.Rational(1, 2))),
        Every((u,), eq(value(u), u)), Every((u,), eq(rising(u), u)),
        Every((k,), eq(threshold(k), k - 1)), Every((k,), eq(level(k), k - 1)),
    ),
)  # fmt: skip


def _mean(p: Proof) -> None:
    lower = p.lemma(
        SLASH_QUANTILE_FLOOR,
        {},
        (CHANCES, PARTS, SIGN, FIRST, RISE, ABOVE, OFTEN_ABOVE),
        why="From below that is the floor.",
    )
    outcome, mirror = p.under(_OUTCOME), cells - k
    rest = outcome.use(SIZE, why="T is at most 1,")
    sign = outcome.show(le(0, 1 - rising(u)), "so 1 - T is not negative,", rest)
    first = p.show(le(0, 1 - level(cells - 1)), "and so for the last height,", LAST)
    place = p.under(within(k, 1, cells - 2))
    rise = place.use(RISE, {k: mirror - 1}, why="Seen from the other end heights rise,")
    heights_rise = place.show(le(1 - level(mirror), 1 - level(cells - (k + 1))), "as 1 - G.", rise)
    at = p.under(_AT)
    below = at.under(le(-threshold(mirror), -value(u))).use(
        BELOW, {k: mirror, u: u}, why="1 - T is at least 1 - G up to the quantile,"
    )
    above = below.scope.show(le(1 - level(mirror), 1 - rising(u)), "seen from there.", below)
    of_place = p.under(within(k, 1, cells - 1))
    often = of_place.use(OFTEN_BELOW, {k: mirror}, why="That has the probability it needs.")
    upper = p.lemma(
        SLASH_QUANTILE_FLOOR,
        {
            rising: lambda outcome_: 1 - rising(outcome_),
            value: lambda outcome_: -value(outcome_),
            threshold: lambda place_: -threshold(cells - place_),
            level: lambda place_: 1 - level(cells - place_),
        },
        (
            CHANCES, PARTS, sign.for_all(u), first, heights_rise.for_all(k), above.for_all(k, u),
            often.for_all(k),
        ),
        why="The floor of 1 - T",
    )  # fmt: skip
    turned = p.reindex(heights, "(its heights in the other direction)")
    parts = p.show(
        eq(upper.formula.lhs, cells - 1 - turned.formula.rhs), "is K - 1 less the heights;", PARTS
    )
    split = p.show(
        eq(expected(1 - rising(u)), expected(1) - expected(rising(u))), "its mean is 1 - E T."
    )
    p.qed("Both.", lower, upper, turned, parts, split, TOTAL, PARTS)


_half = sp.Rational(1, 2)
_two = {
    **{outcomes: 2, cells: 2, threshold(1): 0, level(1): 0},
    **{chance(0): _half, chance(1): _half, value(0): 0, value(1): 1, rising(0): 0, rising(1): 1},
}

SLASH_QUANTILE_MEAN = prove(
    _MEAN,
    _mean,
    Attack(
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
)

CLAIMS = (SLASH_QUANTILE_FLOOR, SLASH_QUANTILE_MEAN)
