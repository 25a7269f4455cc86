"""The best additive fit is the sum of the means."""

from ropeproof.theory.language import *
from ropeproof.theory.topics.posgen.anova import notation
from ropeproof.theory.topics.posgen.anova.notation import *

logit, row_mean, column_mean = real_function("w"), real_function("F"), real_function("G")
grand = real("M")
MEANINGS = {
    **notation.MEANINGS,
    logit: "logits, by lag and key",
    row_mean: "means over the keys, by lag",
    column_mean: "means over the lags, by key",
    grand: "mean of all",
}

ROWS = Hypothesis(
    "F is the mean over the keys",
    every(t, 0, lags - 1, eq(row_mean(t), mean_over_keys(logit(t, v)))),
)
COLUMNS = Hypothesis(
    "G is the mean over the lags",
    every(v, 1, keys, eq(lags * column_mean(v), over_lags(logit(t, v)))),
)
GRAND = Hypothesis("M is the mean of all", eq(lags * grand, over_lags(row_mean(t))))

rest = logit(t, v) - row_mean(t) - column_mean(v) + grand
off_lag, off_key = row_mean(t) - grand - by_lag(t), column_mean(v) - by_key(v)
error, least, off = (logit(t, v) - by_lag(t) - by_key(v)) ** 2, rest**2, (off_lag + off_key) ** 2


def _no_row(p: Proof, row: Fact, column: Fact) -> Fact:
    """What is left has mean 0 in every row."""
    sides = (chance(v) * side for side in column.formula.args)
    weighed = column.scope.show(
        eq(*sides), "Multiply this equation by the probability of the key.", column
    )
    columns = weighed.summed(v, 1, keys, "Sum this equation over all keys.")
    exchange = p.swap(
        over_keys(over_lags(chance(v) * logit(t, v))), "Exchange the order of the two sums."
    )
    rows = row.summed(t, 0, lags - 1, "Sum the equation of the lags' means over all lags.")
    none = eq(mean_over_keys(rest), 0)
    return row.scope.show(
        none,
        "So the mean of the keys' means is the mean of all. So what the fit leaves has mean "
        "0 at every lag.",
        (row, columns, exchange, rows, GRAND, A_LAG, CHANCES),
    )


_one = {lags: 1, keys: 1, chance(1): 1, logit(0, 1): 1, row_mean(0): 1, column_mean(1): 1}
_instance = {**_one, grand: 1, by_lag(0): 0, by_key(1): 0}
_two_lags = {
    lags: 2, keys: 1, logit(0, 1): 1, logit(1, 1): -1, by_lag(0): 0, by_lag(1): 0, by_key(1): 0
}  # fmt: skip


@theorem(
    "posgen.additive-fit",
    hypotheses=(CHANCES, ROWS, COLUMNS, GRAND, A_LAG),
    conclusion=eq(mean_of(error), mean_of(least) + mean_of(off)),
    attack=Attack(
        {
            "no difference": eq(mean_of(error), mean_of(least)),
            "twice the rest": eq(mean_of(error), 2 * mean_of(least) + 2 * mean_of(off)),
        },
        at={"no difference": _instance, "twice the rest": _instance},
        without={
            CHANCES: {**_two_lags, chance(1): 2},
            ROWS: {
                **_two_lags,
                chance(1): 1,
                row_mean(0): 5,
                row_mean(1): 0,
                grand: sp.Rational(5, 2),
            },
            COLUMNS: {**_instance, column_mean(1): 5},
            GRAND: {**_instance, grand: 5},
        },
        idle={A_LAG: "without lags all sums are empty"},
    ),
)
def POSGEN_ADDITIVE_FIT(p: Proof) -> None:
    """The best additive fit is the sum of the means

    For lags uniform and independent of the key: with the means $F_t$ over keys, $G_v$ over lags and
    $M$ over both, the mean squared error of any fit $f(t)+g(v)$ is that of $F_t+G_v-M$ plus the
    mean square of the difference between the two fits.
    """
    row = p.under(within(t, 0, lags - 1)).use(
        ROWS, why="The function F is the mean over the keys at each lag, by hypothesis."
    )
    column = p.under(within(v, 1, keys)).use(
        COLUMNS, why="The function G is the mean over the lags for each key, by hypothesis."
    )
    no_row = _no_row(p, row, column)
    why = "Summed over the lags, what the fit leaves is 0 for every key."
    no_column = column.scope.show(eq(over_lags(rest), 0), why, column, GRAND, A_LAG)
    cross = 2 * (chance(v) * off_key) * rest
    squares = mean_over_keys(least) + mean_over_keys(off)
    without = row.scope.show(
        eq(mean_over_keys(error), squares + over_keys(cross)),
        "Expand the squared error of any fit at one lag. The first cross term vanishes at "
        "every lag.",
        no_row,
    )
    total = without.summed(t, 0, lags - 1, "Sum this equation over all lags.")
    exchange = p.swap(
        over_lags(over_keys(cross)), "Exchange the order of the sums of the second cross term."
    )
    no_cross = column.scope.show(
        eq(over_lags(cross), 0),
        "For each key the second cross term sums to 0 over the lags.",
        no_column,
    )
    none = no_cross.summed(v, 1, keys, "Sum this equation over all keys.")
    p.qed("So the error is the sum of two squares without cross terms.", total, exchange, none)
