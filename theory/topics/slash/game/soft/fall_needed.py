"""A mean score over rows forces the logits below the target's, whatever they are made of."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, l, n
from ropeproof.theory.library.exponential.exp_log import logarithms
from ropeproof.theory.library.sums.indicators import indicator
from ropeproof.theory.library.sums.inequalities import falling_mean
from ropeproof.theory.topics.slash.ceiling.aligned_head import kappa
from ropeproof.theory.topics.slash.game.soft.rows import *
from ropeproof.theory.topics.slash.game.soft.rows import MEANINGS as OF_ROWS
from ropeproof.theory.topics.slash.game.soft.weights_fall import SLASH_WEIGHTS_FALL
from ropeproof.theory.topics.slash.lags import g, offset, over_lags
from ropeproof.theory.topics.softmax import gibbs_competitors as competitors

x = real("x")
z = real("z")
height = real_function("c")
MEANINGS = {
    **OF_ROWS,
    n: "number of rows that have the target",
    kappa: "the mean score that shall be reached",
    x: "a weight",
    height: "heights of the lines, by row",
}


def weight(k: Term, logits: Callable[..., Any] = g) -> Term:
    """The target's weight in row number k, which has the lags 0..Delta+k-1."""
    return sp.exp(logits(offset)) / over_lags(sp.exp(logits(j)), 0, offset + k - 1)


def reached(logits: Callable[..., Any] = g) -> Any:
    """The target's weights in the n rows have a mean of at least kappa."""
    return le(n * kappa, sp.Sum(weight(k, logits), (k, 1, n)))


@named("H_{}", "H_{{}}", "entropy of the weights on the lags of row number k", k)
def entropy(k: Term) -> Term:
    """H(y_k) = -sum_j y_k(j) ln y_k(j), with 0 ln 0 = 0."""
    return over_lags(-y(k, j) * sp.log(y(k, j)), 0, offset + k - 1)


gained = over_rows(slope(k) * entropy(k)) + count * kappa - over_rows(height(k))

IN_PROMPT = Hypothesis("the rows lie in the prompt", within(count, 1, n))
WEIGHTS = Hypothesis(
    "weights are not negative",
    Every(
        (k, j), If(Both(le(1, k), le(k, count), le(0, j), le(j, offset + k - 1)), le(0, y(k, j)))
    ),
)
MASS = Hypothesis("weights add up to 1 in each row", every(k, 1, count, eq(over_keys(y(k, j)), 1)))
NONE = Hypothesis("the target has none", every(k, 1, count, eq(y(k, offset), 0)))
SLOPES = Hypothesis("slopes are not negative", every(k, 1, count, le(0, slope(k))))
line = le(x, height(k) + slope(k) * sp.log(x / (1 - x)))
LINES = Hypothesis(
    "a line in the log-odds lies above the weights that the mean leaves a row",
    Every(
        (k, x),
        If(
            Both(
                le(1, k), le(k, count), lt(0, x), lt(x, 1), le(n * kappa, k - 1 + (n - k + 1) * x)
            ),
            line,
        ),
    ),
)
EXAMPLE = (
    *where({n: 1, count: 1, offset: 1, kappa: sp.Rational(1, 4)}),
    Every((k, j), eq(y(k, j), indicator(j, 0))),
    Every((k,), eq(slope(k), 0)),
    Every((k,), eq(height(k), 1)),
)
TARGET_TOO: Values = {
    **{n: 1, count: 1, offset: 1, kappa: sp.Rational(1, 2)},
    **{y(1, 0): sp.Rational(1, 2), y(1, 1): sp.Rational(1, 2)},
    **{slope(1): sp.Rational(1, 4), height(1): sp.Rational(1, 2)},
}
STEEP: Values = {
    **{n: 1, count: 1, offset: 2, kappa: sp.Rational(9, 10), y(1, 0): -1, y(1, 1): 2, y(1, 2): 0},
    **{slope(1): sp.Rational(9, 100), height(1): sp.Rational(70226, 100000)},
}
TRIANGLE: Values = {
    **{n: 1, count: 1, offset: 2, kappa: sp.Rational(97, 100)},
    **{y(1, 0): sp.Rational(1, 2), y(1, 1): sp.Rational(1, 2), y(1, 2): 0},
    **{slope(1): sp.Rational(291, 10000), height(1): sp.Rational(86885, 100000)},
}
_LOW: Values = {g(0): -sp.Rational(9, 2), g(1): -sp.Rational(9, 2), g(2): 0}
RISING = "a line that falls does not stay above weights whose log-odds grow without bound"
REACHED = Hypothesis("the mean score is reached", reached())


def target_in_row(p: Scope) -> Fact:
    """The offset is not negative, as the weights in the first row add up to 1."""
    mass = p.use(MASS, {k: 1}, IN_PROMPT, why="In the first row the weights add up to 1.")
    none = p.given(lt(offset, 0), "Suppose that the offset is negative.")
    empty = none.scope.show(eq(mass.formula.lhs, 0), "Then that row has no lags.", none)
    return p.show(le(0, offset), "As the weights add up to 1, it is not.", empty, mass)


@theorem(
    "slash.fall-needed",
    hypotheses=(IN_PROMPT, WEIGHTS, MASS, NONE, SLOPES, LINES, REACHED),
    conclusion=le(gained, averaged(g(offset) - g(j))),
    example=(*EXAMPLE, Every((j,), eq(g(j), 0))),
    attack=Attack(
        {
            "twice the entropy": le(
                gained + over_rows(slope(k) * entropy(k)), averaged(g(offset) - g(j))
            ),
            "half of it": le(gained, averaged(g(offset) - g(j)) / 2),
        },
        at={"twice the entropy": {**TRIANGLE, **_LOW}, "half of it": {**TRIANGLE, **_LOW}},
        idle={SLOPES: RISING},
        without={
            NONE: {**TARGET_TOO, g(0): 0, g(1): 0},
            WEIGHTS: {**STEEP, g(0): -6, g(1): -3, g(2): 0},
        },
    ),
)
def SLASH_FALL_NEEDED(p: Proof) -> None:
    r"""A mean score over rows forces a mean fall below the target

    Let a prompt have $n$ rows with a key at offset $\Delta$, row $k$ with the lags $0..\Delta+k-1$, and let
    the weights $S_k$ of that key have a mean of at least $\kappa$. For the first $r\le n$ of these rows take
    any probabilities $y_k$ on the lags other than $\Delta$ (with $0\ln0=0$) and any lines in the log-odds
    with slopes $s_k\ge0$: $x\le c_k+s_k\ln\frac{x}{1-x}$ for all $0<x<1$ with
    $n\kappa\le k-1+(n-k+1)x$. Then logits $g(j)$ of the lag alone have
    $\sum_{k\le r}s_k\sum_jy_k(j)(g(\Delta)-g(j))\ge\sum_{k\le r}s_kH(y_k)+r\kappa-\sum_{k\le r}c_k$ with
    the entropy $H(y)=-\sum_jy(j)\ln y(j)$.
    """
    before = target_in_row(p)
    longer_row = p.under(le(1, k), le(k, l), le(l, n))
    fall = longer_row.lemma(
        SLASH_WEIGHTS_FALL.at(i=offset + k, c=offset + l),
        before,
        why="A longer row leaves the target a positive weight, and at most as much.",
    )
    falls = longer_row.show(le(weight(l), weight(k)), "So the weights fall.", fall)
    sizes = p.under(within(k, 1, n))
    single = sizes.lemma(
        SLASH_WEIGHTS_FALL.at(i=offset + k, c=offset + k),
        before,
        why="Each of the weights is positive and at most 1.",
    )
    small = sizes.show(le(weight(k), 1), "So no weight exceeds 1.", single)
    rows = (
        falls.for_all(k, l, why="The two rows were arbitrary."),
        small.for_all(k, why="The row was arbitrary."),
        REACHED,
    )
    means = {"f": sp.Lambda(k, weight(k)), "kappa": kappa}
    first = p.lemma(
        falling_mean.SUMS_FALLING_MEAN.at(**means, r=count),
        (*rows, IN_PROMPT),
        why="So the first r rows have a mean of at least kappa, too.",
    )
    row = p.under(within(k, 1, count))
    left = row.lemma(
        falling_mean.SUMS_FALLING_MEAN.at(**means, r=k),
        (*rows, IN_PROMPT),
        why="The mean leaves each row a weight.",
    )
    drop = over_keys(y(k, j) * (g(offset) - g(j)))
    chances = row.under(within(j, 0, offset + k - 1)).use(
        WEIGHTS, why="No weight of a lag is negative."
    )
    most = row.lemma(
        competitors.SOFTMAX_GIBBS_COMPETITORS.at(
            p=sp.Lambda(j, y(k, j)), w=g, n=offset + k, a=offset
        ),
        (before, chances.for_all(j, why="The lag was arbitrary."), MASS, NONE),
        why="In this row the weights add up to 1. In this row the target has none. By Gibbs' "
        "inequality for the competitors they bound the target's weight.",
    )
    share = p.under(lt(0, x), le(x, 1 / (1 + sp.exp(z))))
    product = x / (1 - x) * sp.exp(z)
    odds = share.show(
        Both(lt(0, product), le(product, 1)),
        "The exponential exp(z) is positive. So the bound of the weight is below 1. So its "
        "odds are at most exp(-z).",
    )
    logs = logarithms(share, product, 1, "Take logarithms of both sides.", odds)
    log_odds = share.show(
        Both(lt(x, 1), le(sp.log(x / (1 - x)), -z)),
        "The logarithm of the product is a sum. So the log-odds are at most -z.",
        logs,
    )
    exponent = entropy(k) + over_keys(y(k, j) * (g(j) - g(offset)))
    size = row.lemma(
        SLASH_WEIGHTS_FALL.at(i=offset + k, c=offset + k),
        before,
        why="The weight of the row is positive.",
    )
    at_most = row.use(
        log_odds,
        {x: weight(k), z: exponent},
        (size, most),
        why="So its log-odds are at most the mean fall less the entropy.",
    )
    on_line = row.use(
        LINES,
        {x: weight(k)},
        (left, size, at_most),
        why="The weight lies below the line of its row.",
    )
    slope_k = row.use(SLOPES, why="The slope of the row is not negative.")
    fallen = row.show(
        le(weight(k), height(k) + slope(k) * (drop - entropy(k))),
        "The line rises, so the bound of the log-odds bounds the weight.",
        (on_line, at_most, slope_k),
    ).summed(k, 1, count, "Sum this inequality over the first r rows.")
    p.qed("The sum of these weights is at least r kappa.", first, fallen)
