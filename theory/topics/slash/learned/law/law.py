"""Two one-dimensional distributions bound the expected weight of a target among independent keys."""

from ropeproof.theory.language import *
from ropeproof.theory.topics.slash.lags import weight
from ropeproof.theory.topics.slash.learned.law import draw
from ropeproof.theory.topics.slash.learned.law.draw import in_mean, odds, own, rest
from ropeproof.theory.topics.slash.learned.quantiles import grid
from ropeproof.theory.topics.slash.learned.quantiles.grid import SLASH_CELLS, k, threshold, u
from ropeproof.theory.topics.slash.learned.quantiles.grid import value as target

at_least, at_most = real("x_low z")
MEANINGS: Meanings = {
    **grid.MEANINGS,
    **draw.MEANINGS,
    threshold: "thresholds, or quantiles, of the target's logit",
    u: "a draw of the target, of the others",
    target: "the target's logit, by its draw",
    at_least: "a threshold of the target's logit",
    at_most: "a threshold of the others' sum of exponentials",
    grid.cells: "number of thresholds, or of parts, of the target's logit",
    integer("j"): "a lag",
    grid.outcomes: "numbers of draws of the target, of the others",
    grid.chance: "probabilities of the draws of the target, of the others",
}


def height(place: Any) -> Any:
    """E 1/(1 + Z exp(-x_k))."""
    return draw.over_others(odds(threshold(place), rest()))


def not_below(number: Term) -> Term:
    """P(X >= number)."""
    return draw.over_target(1 - sp.Max(0, sp.sign(number - target(u))))


def not_above(number: Term) -> Term | int:
    """P(Z <= number)."""
    return draw.over_others(1 - sp.Max(0, sp.sign(rest() - number)))


score = draw.expected(weight(own))
two_numbers = not_below(at_least) * not_above(at_most) * odds(at_least, at_most)


def _two_numbers(p: Proof, world: Scope, weights: Fact, signs: Fact) -> Fact:
    """The bound from one threshold of X and one of Z."""
    good = world.under(le(at_least, target(u)), le(rest(), at_most))
    order = draw.odds_order(
        good,
        (at_least, at_most),
        (target(u), rest()),
        "If X >= x and Z <= z, the weight is at least that of x and z.",
        weights,
    )
    high = 1 - sp.Max(0, sp.sign(at_least - target(u)))
    few = 1 - sp.Max(0, sp.sign(rest() - at_most))
    corner, marks = odds(at_least, at_most), high * few
    low, many = world.under(lt(target(u), at_least)), world.under(lt(at_most, rest()))

    def bounded(scope: Scope, of_x: int | None, of_z: int | None, *premises: Fact) -> Fact:
        """The marks times the corner, where the marks have these values, or one of them 0."""
        known = [
            scope.show(
                eq(mark, value),
                "In this case the mark of the condition has this value.",
                by=rules.smt(),
            )
            for mark, value in ((high, of_x), (few, of_z))
            if value is not None
        ]
        return scope.show(
            le(marks * corner, weight(own)),
            "In this case the marks times the weight of x and z are at most the weight.",
            (*known, *premises),
        )

    each = (
        bounded(good, 1, 1, order, weights),
        bounded(low, 0, None, signs),
        bounded(many, None, 0, signs),
    )
    means = in_mean(
        world,
        marks * corner,
        weight(own),
        "So in every outcome the marked weight of x and z is at most the weight.",
        *each,
    )
    total = means.times(
        grid.chance(u),
        "The target's probabilities are not negative. Multiply this inequality by the "
        "probability of the target's outcome.",
        grid.CHANCES,
    ).summed(u, 0, grid.outcomes - 1, "Sum this inequality over the target's outcomes.")
    return p.show(
        le(two_numbers, score),
        "As the draws are independent, the probability of both is the product of the "
        "probabilities. So the score is at least the bound from two numbers.",
        total,
    )


@theorem(
    "slash.law",
    role="main result",
    needs="PTX",
    hypotheses=(*draw.ROW, draw.OTHER_TOTAL, grid.CELLS, grid.GRID),
    conclusion=Both(
        le(grid.lower_sum(height), score), le(score, grid.upper_sum(height)), le(two_numbers, score)
    ),
    attack=Attack(
        {
            "the upper heights below": le(grid.lower_sum(lambda place: height(place + 1)), score),
            "nothing in the last cell": le(
                score, grid.upper_sum(height) - not_below(threshold(grid.cells))
            ),
            "the target's number alone": le(not_below(at_least) * odds(at_least, at_most), score),
        },
        idle={
            grid.GRID: "cells between falling thresholds count negatively, and the sums bound still"
        },
    ),
)
def SLASH_LAW(p: Proof) -> None:
    r"""Two distributions bound the expected weight of a target among independent keys

    Fixed query, the target's key drawn independently of all others: $X$ its logit,
    $Z=\sum_{t\ne\Delta}e^{w(t)}$. For $x_0\le\dots\le x_K$, $x_{K+1}=\infty$: $\mathbb E
    S_{i,i-\Delta}\ge\sum_{k\le K}\mathbb P(x_k\le X<x_{k+1})\,\mathbb E\frac1{1+Ze^{-x_k}}$, and
    $\le\mathbb P(X<x_0)\,\mathbb E\frac1{1+Ze^{-x_0}}+\sum_{k\le K}\mathbb P(x_k\le
    X<x_{k+1})\,\mathbb E\frac1{1+Ze^{-x_{k+1}}}$ (the last term is $\mathbb P(X\ge x_K)$). In
    particular $\ge\mathbb P(X\ge x)\,\mathbb P(Z\le z)\frac1{1+ze^{-x}}$ for all $x$, $z$. Draws
    have finitely many outcomes.
    """
    outcome = p.under(draw.OUTCOME)
    world = outcome.under(draw.OTHER_OUTCOME)
    weights = draw.weight_of(world)
    mean = draw.over_others(weight(own))
    signs = world.show(within(weight(own), 0, 1), "A softmax weight lies between 0 and 1.", weights)
    positive = in_mean(
        world, sp.Integer(0), weight(own), "In particular the weight is not negative.", signs
    )
    at_most_1 = in_mean(
        world, weight(own), sp.Integer(1), "In particular the weight is at most 1.", signs
    )
    share = outcome.show(
        within(mean, 0, 1),
        "So for each key of the target the mean weight lies between 0 and 1.",
        (positive, at_most_1, draw.OTHER_TOTAL),
    )
    cell = outcome.under(within(k, 0, grid.cells))
    above, below = cell.under(le(threshold(k), target(u))), cell.under(lt(target(u), threshold(k)))
    there, here = (threshold(k), rest()), (target(u), rest())
    rises = draw.odds_order(
        above.under(draw.OTHER_OUTCOME),
        there,
        here,
        "If X >= x_k, the weight is at least that at x_k.",
        weights,
    )
    falls = draw.odds_order(
        below.under(draw.OTHER_OUTCOME),
        here,
        there,
        "If X < x_k, the weight is at most that at x_k.",
        weights,
    )
    up = in_mean(
        rises.scope,
        odds(*there),
        weight(own),
        "So if X >= x_k, the row's weight is at least that at x_k.",
        rises,
        weights,
    )
    down = in_mean(
        falls.scope,
        weight(own),
        odds(*there),
        "So if X < x_k, the row's weight is at most that at x_k.",
        falls,
        weights,
    )
    sums = p.apply(
        SLASH_CELLS.at(G=height),
        (
            grid.CHANCES,
            grid.CELLS,
            grid.GRID,
            share.for_all(u),
            up.for_all(k, u),
            down.for_all(k, u),
        ),
        why="As the mean weight rises with X, it may be summed cell by cell.",
    )
    p.qed(
        "This proves both sums over cells and the bound from two numbers.",
        (sums, _two_numbers(p, world, weights, signs)),
    )
