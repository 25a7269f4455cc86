"""The expectation of what rises with a variable, between two sums over cells of its values."""

from functools import cache

from ropeproof.theory.language import *

k, n, u, outcomes, cells = integer("k n v n_v K")
chance, value, rising = real_function("p"), real_function("X"), real_function("T")
threshold, level = real_function("x"), real_function("G")
MEANINGS: Meanings = {
    k: "an index of thresholds",
    u: "an outcome",
    outcomes: "number of outcomes",
    cells: "number of thresholds, or of parts",
    chance: "probabilities of the outcomes",
    value: "a variable, by outcome",
    rising: "what rises with the variable, by outcome",
    threshold: "thresholds, or quantiles, of the variable",
    level: "heights at the thresholds",
}


def expected(term: Term) -> Term:
    """The expectation of a term in `u`."""
    return sp.Sum(chance(u) * term, (u, 0, outcomes - 1))


@cache  # SymPy looks for a long time at a maximum
def before(place: Term | int) -> Term:
    """The indicator of X < x_k: 1 where it is, else 0."""
    return sp.Max(0, sp.sign(threshold(place) - value(u)))


def in_cell(place: Term) -> Term:
    """The indicator of x_k <= X < x_{k+1}."""
    return before(place + 1) - before(place)


def lower_sum(heights: Callable[..., Term | int] = level) -> Term:
    """Each cell with its lower height."""
    each = sp.Sum(expected(in_cell(k)) * heights(k), (k, 0, cells - 1))
    return each + expected(1 - before(cells)) * heights(cells)


def upper_sum(heights: Callable[..., Term | int] = level) -> Term:
    """Each cell with its upper height, 1 in the last."""
    each = sp.Sum(expected(in_cell(k)) * heights(k + 1), (k, 0, cells - 1))
    return expected(before(0)) * heights(0) + each + expected(1 - before(cells))


_OUTCOME = within(u, 0, outcomes - 1)
CHANCES = Hypothesis("probabilities are not negative", every(u, 0, outcomes - 1, le(0, chance(u))))
SIZES = Hypothesis("T is between 0 and 1", every(u, 0, outcomes - 1, within(rising(u), 0, 1)))
CELLS = Hypothesis("there is a threshold", le(0, cells))
GRID = Hypothesis("thresholds rise", every(k, 0, cells - 1, le(threshold(k), threshold(k + 1))))
_both = Both(within(k, 0, cells), _OUTCOME)
ABOVE = Hypothesis(
    "above a threshold T is at least its height",
    Every((k, u), If(_both, If(le(threshold(k), value(u)), le(level(k), rising(u))))),
)
BELOW = Hypothesis(
    "below it at most that",
    Every((k, u), If(_both, If(lt(value(u), threshold(k)), le(rising(u), level(k))))),
)


_one = {outcomes: 1, cells: 0, chance(0): 1, value(0): 1, threshold(0): 0}


@theorem(
    "slash.cells",
    hypotheses=(CHANCES, SIZES, CELLS, GRID, ABOVE, BELOW),
    conclusion=Both(le(lower_sum(), expected(rising(u))), le(expected(rising(u)), upper_sum())),
    attack=Attack(
        {
            "the upper heights below": le(
                sp.Sum(expected(in_cell(k)) * level(k + 1), (k, 0, cells - 1)), expected(rising(u))
            ),
            "nothing in the last cell": le(
                expected(rising(u)), upper_sum() - expected(1 - before(cells))
            ),
            "strict": lt(lower_sum(), expected(rising(u))),
        },
        idle={GRID: "cells between falling thresholds count negatively, and the sums bound still"},
    ),
)
def SLASH_CELLS(p: Proof) -> None:
    r"""The expectation of what rises with a variable, cell by cell

    Let $0\le T\le1$ rise with $X$: $T\ge G_k$ where $X\ge x_k$, $T\le G_k$ where $X<x_k$, for
    thresholds $x_0\le\dots\le x_K$. Then $\sum_{k<K}\mathbb P(x_k\le X<x_{k+1})G_k+\mathbb P(X\ge
    x_K)G_K\le\mathbb ET\le\mathbb P(X<x_0)G_0+\sum_{k<K}\mathbb P(x_k\le X<x_{k+1})G_{k+1}+\mathbb
    P(X\ge x_K)$.
    """
    outcome = p.under(_OUTCOME)
    size = outcome.use(SIZES, why="T is between 0 and 1.")

    def low(place: Term) -> Term:
        return sp.Sum(in_cell(k) * level(k), (k, 0, place - 1))

    def high(place: Term) -> Term:
        return sp.Sum(in_cell(k) * level(k + 1), (k, 0, place - 1))

    def up_to(place: Term) -> Formula:
        return If(
            le(place, cells),
            Both(
                le(low(place), before(place) * rising(u)),
                le(before(place) * rising(u), before(0) * level(0) + high(place)),
            ),
        )

    first = outcome.under(lt(value(u), threshold(0))).use(
        BELOW, {k: 0, u: u}, CELLS, why="Below the first threshold T is at most its height."
    )
    base = outcome.show(
        up_to(sp.Integer(0)),
        "Up to the first threshold there is no cell, and both sums are empty.",
        (size, first),
    )
    so_far = outcome.supposing(up_to(n)).under(le(0, n))
    step = outcome.under(le(0, n), le(n + 1, cells))
    above = step.under(le(threshold(n), value(u))).use(
        ABOVE, {k: n, u: u}, why="From a threshold on T is at least its height."
    )
    under_next = step.under(lt(value(u), threshold(n + 1))).use(
        BELOW, {k: n + 1, u: u}, why="Below the next threshold T is at most the next height."
    )
    rise = step.use(GRID, {k: n}, why="The next threshold is not lower than this one.")
    ends = (
        so_far.last(low(n + 1), "The lower sum has one cell more."),
        so_far.last(high(n + 1), "The upper sum has one cell more."),
    )
    between = Both(
        le(in_cell(n) * level(n), in_cell(n) * rising(u)),
        le(in_cell(n) * rising(u), in_cell(n) * level(n + 1)),
    )
    below = step.under(lt(value(u), threshold(n)))
    inside = step.under(le(threshold(n), value(u)), lt(value(u), threshold(n + 1)))
    beyond = step.under(le(threshold(n + 1), value(u)))
    cases = []
    for scope, here, following_one in ((below, 1, 1), (inside, 0, 1), (beyond, 0, 0)):
        ends_of_cell = [
            scope.show(eq(before(at), is_), why, rise)
            for at, is_, why in (
                (n, here, "In this case the indicator of X < x_n has this value."),
                (n + 1, following_one, "In this case the indicator of X < x_(n+1) has this value."),
            )
        ]
        member = scope.show(
            eq(in_cell(n), following_one - here),
            "So the indicator of the cell has this value.",
            ends_of_cell,
        )
        known = (member, above, under_next) if scope is inside else (member,)
        cases.append(
            scope.show(
                between,
                "So in this case T lies between the two heights where X is in the cell.",
                known,
            )
        )
    in_the_cell = step.show(
        between, "So in every case T lies between the two heights where X is in the cell.", cases
    )
    following = so_far.show(
        up_to(n + 1), "So with one cell more both sums still bound T.", (*ends, in_the_cell)
    )
    up_to_any = outcome.under(le(0, n)).induction(
        up_to(n), n, 0, base, following, why="By induction the sums bound T up to each threshold."
    )
    up_to_last = outcome.use(
        up_to_any, {n: cells}, CELLS, why="In particular they bound T up to the last threshold."
    )
    last = outcome.under(le(threshold(cells), value(u))).use(
        ABOVE, {k: cells, u: u}, CELLS, why="Above the last threshold T is at least its height."
    )
    lower = low(cells) + (1 - before(cells)) * level(cells)
    upper = before(0) * level(0) + high(cells) + 1 - before(cells)
    pointwise = outcome.show(
        within(rising(u), lower, upper),
        "So in every outcome T lies between the two sums.",
        (up_to_last, last, size),
    )
    likely = outcome.use(CHANCES, why="The probabilities are not negative.")
    weighed = outcome.show(
        Both(
            le(chance(u) * lower, chance(u) * rising(u)),
            le(chance(u) * rising(u), chance(u) * upper),
        ),
        "Multiply both bounds by the probability of the outcome.",
        (pointwise, likely),
    )
    sums: list[Fact] = []
    for part, place, ours in zip(
        weighed.parts(), (k, k + 1), (lower_sum(), upper_sum()), strict=True
    ):
        total = part.summed(u, 0, outcomes - 1, "Sum this bound over the outcomes.")
        double = sp.Sum(chance(u) * in_cell(k) * level(place), (k, 0, cells - 1))
        exchange = p.swap(
            sp.Sum(double, (u, 0, outcomes - 1)), "Exchange the sums over outcomes and over cells."
        )
        side = total.formula.lhs if place == k else total.formula.rhs
        same = p.show(eq(side, ours), "This side is the sum over the cells of the claim.", exchange)
        sums += [total, same]
    p.qed("So the expectation of T lies between the two sums.", sums)
