"""The best additive fit is the sum of the means."""

from ropeproof.theory.language import *
from ropeproof.theory.topics.posgen.anova.notation import *

logit, row_mean, column_mean = real_function("w"), real_function("F"), real_function("G")
grand = real("M")

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

_ADDITIVE_FIT = Claim(
    id="posgen.additive-fit",
    title="The best additive fit is the sum of the means",
    statement=(
        r"For lags uniform and independent of the key: with the means $F_t$ over keys, $G_v$ over "
        r"lags and $M$ over both, the mean squared error of any fit $f(t)+g(v)$ is that of "
        r"$F_t+G_v-M$ plus the mean square of the difference between the two fits."
    ),
    needs=frozenset("PX"),
    hypotheses=(CHANCES, ROWS, COLUMNS, GRAND, A_LAG),
    conclusion=eq(mean_of(error), mean_of(least) + mean_of(off)),
)


def _no_row(p: Proof, row: Fact, column: Fact) -> Fact:
    """What is left has mean 0 in every row."""
    sides = (chance(v) * side for side in column.formula.args)
    weighed = column.scope.show(eq(*sides), "Weigh the columns,", column)
    columns = weighed.summed(v, 1, keys, "add them up,")
    exchange = p.swap(over_keys(over_lags(chance(v) * logit(t, v))), "exchange the sums:")
    rows = row.summed(t, 0, lags - 1, "the mean of all is their mean.")
    level = p.show(
        eq(mean_over_keys(column_mean(v)), grand),
        "So the columns' mean is the mean of all,",
        (columns, exchange, rows, GRAND, A_LAG),
    )
    none = eq(mean_over_keys(rest), 0)
    return row.scope.show(none, "and what is left has mean 0 in every row.", row, level, CHANCES)


def _additive_fit(p: Proof) -> None:
    row = p.under(within(t, 0, lags - 1)).use(ROWS, why="Take a row's mean")
    column = p.under(within(v, 1, keys)).use(COLUMNS, why="and a column's.")
    no_row = _no_row(p, row, column)
    why = "Added up over the lags it is 0 in every column."
    no_column = column.scope.show(eq(over_lags(rest), 0), why, column, GRAND, A_LAG)
    by_row, cross = 2 * off_lag * mean_over_keys(rest), 2 * (chance(v) * off_key) * rest
    squares = mean_over_keys(least) + mean_over_keys(off)
    square = p.show(
        eq(mean_over_keys(error), squares + (by_row + over_keys(cross))),
        "Square: the error is the rest's, the difference's and cross terms, row by row,",
    )
    without = row.scope.show(
        eq(mean_over_keys(error), squares + over_keys(cross)),
        "of which the first vanishes in every row;",
        (square, no_row),
    )
    total = without.summed(t, 0, lags - 1, "so in all rows.")
    exchange = p.swap(over_lags(over_keys(cross)), "The second, taken by columns,")
    no_cross = column.scope.show(eq(over_lags(cross), 0), "vanishes", no_column)
    none = no_cross.summed(v, 1, keys, "in all columns.")
    p.qed("Two squares are left.", total, exchange, none)


_one = {lags: 1, keys: 1, chance(1): 1, logit(0, 1): 1, row_mean(0): 1, column_mean(1): 1}
_instance = {**_one, grand: 1, by_lag(0): 0, by_key(1): 0}
_two_lags = {
    lags: 2, keys: 1, logit(0, 1): 1, logit(1, 1): -1, by_lag(0): 0, by_lag(1): 0, by_key(1): 0
}  # fmt: skip

POSGEN_ADDITIVE_FIT = prove(
    _ADDITIVE_FIT,
    _additive_fit,
    Attack(
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

CLAIMS = (POSGEN_ADDITIVE_FIT,)
