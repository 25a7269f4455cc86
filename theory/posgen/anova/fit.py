"""The best additive fit is the sum of the means."""

from ropeproof.theory.derivation import Derivation, Step, identity, instance, smt, swap, termwise
from ropeproof.theory.language import *
from ropeproof.theory.posgen.anova.common import (
    AT_KEY,
    AT_LAG,
    CHANCES,
    by_key,
    by_lag,
    chance,
    column_mean,
    grand,
    keys,
    lags,
    logit,
    mean_of,
    over_keys,
    over_lags,
    row_mean,
    t,
    v,
)


def _additive_fit() -> Claim:
    rest = logit(t, v) - row_mean(t) - column_mean(v) + grand
    off_lag, off_key = row_mean(t) - grand - by_lag(t), column_mean(v) - by_key(v)
    error, least = (logit(t, v) - by_lag(t) - by_key(v)) ** 2, rest**2
    off = (off_lag + off_key) ** 2
    names = (
        CHANCES.name,
        "F is the mean over the keys",
        "G is the mean over the lags",
        "M is the mean of all",
    )
    row_law = every(t, 0, lags - 1, eq(row_mean(t), over_keys(chance(v) * logit(t, v))))
    column_law = every(v, 1, keys, eq(lags * column_mean(v), over_lags(logit(t, v))))
    grand_law = eq(lags * grand, over_lags(row_mean(t)))
    goal = eq(mean_of(error), mean_of(least) + mean_of(off))
    some = "there is a lag"
    one = (
        *(eq(lags, 1), eq(keys, 1), eq(chance(1), 1), eq(logit(0, 1), 1), eq(row_mean(0), 1)),
        *(eq(column_mean(1), 1), eq(grand, 1), eq(by_lag(0), 0), eq(by_key(1), 0)),
    )
    return Claim(
        id="posgen.additive-fit",
        title="The best additive fit is the sum of the means",
        statement=(
            r"For lags uniform and independent of the key: with the means $F_t$ over keys, $G_v$ over "
            r"lags and $M$ over both, the mean squared error of any fit $f(t)+g(v)$ is that of "
            r"$F_t+G_v-M$ plus the mean square of the difference between the two fits."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                names[0],
                CHANCES.formula,
                unshown="weights of another sum scale the means of one axis only",
            ),
            Hypothesis(names[1], row_law, unshown="other rows leave a cross term"),
            Hypothesis(names[2], column_law, unshown="other columns leave a cross term"),
            Hypothesis(names[3], grand_law, unshown="another level leaves a cross term"),
            Hypothesis(some, le(1, lags), idle="without lags all sums are empty"),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "row",
                    eq(row_mean(t), over_keys(chance(v) * logit(t, v))),
                    instance({t: t}),
                    "A row's mean",
                    (names[1],),
                    AT_LAG,
                ),
                Step(
                    "column",
                    eq(lags * column_mean(v), over_lags(logit(t, v))),
                    instance({v: v}),
                    "and a column's,",
                    (names[2],),
                    AT_KEY,
                ),
                Step(
                    "weighed column",
                    eq(chance(v) * (lags * column_mean(v)), chance(v) * over_lags(logit(t, v))),
                    smt(),
                    "weighed",
                    ("column",),
                    AT_KEY,
                ),
                Step(
                    "columns",
                    eq(
                        over_keys(chance(v) * (lags * column_mean(v))),
                        over_keys(chance(v) * over_lags(logit(t, v))),
                    ),
                    termwise(),
                    "and added up,",
                    ("weighed column",),
                ),
                Step(
                    "inside",
                    eq(
                        over_keys(chance(v) * over_lags(logit(t, v))),
                        over_keys(over_lags(chance(v) * logit(t, v))),
                    ),
                    identity(),
                    "(chances inside)",
                ),
                Step(
                    "exchange",
                    eq(
                        over_keys(over_lags(chance(v) * logit(t, v))),
                        over_lags(over_keys(chance(v) * logit(t, v))),
                    ),
                    swap(),
                    "have the mean of all",
                ),
                Step(
                    "rows",
                    eq(over_lags(row_mean(t)), over_lags(over_keys(chance(v) * logit(t, v)))),
                    termwise(),
                    "as their mean.",
                    ("row",),
                ),
                Step(
                    "factor",
                    eq(
                        over_keys(chance(v) * (lags * column_mean(v))),
                        lags * over_keys(chance(v) * column_mean(v)),
                    ),
                    identity(),
                    "(The number of lags is a factor.)",
                ),
                Step(
                    "grand",
                    eq(over_keys(chance(v) * column_mean(v)), grand),
                    smt(),
                    "So the columns' mean is the mean of all,",
                    ("columns", "inside", "exchange", "rows", "factor", names[3], some),
                ),
                Step(
                    "row of rest",
                    eq(
                        over_keys(chance(v) * rest),
                        over_keys(chance(v) * logit(t, v))
                        - over_keys(chance(v) * column_mean(v))
                        + (grand - row_mean(t)) * over_keys(chance(v)),
                    ),
                    identity(),
                    "and what is left",
                ),
                Step(
                    "no row",
                    eq(over_keys(chance(v) * rest), 0),
                    smt(),
                    "has mean 0 in every row",
                    ("row of rest", "row", "grand", names[0]),
                    AT_LAG,
                ),
                Step(
                    "column of rest",
                    eq(
                        over_lags(rest),
                        over_lags(logit(t, v))
                        - over_lags(row_mean(t))
                        + lags * (grand - column_mean(v)),
                    ),
                    identity(),
                    "and",
                    (some,),
                ),
                Step(
                    "no column",
                    eq(over_lags(rest), 0),
                    smt(),
                    "in every column.",
                    ("column of rest", "column", names[3]),
                    AT_KEY,
                ),
                Step(
                    "square",
                    eq(
                        chance(v) * error,
                        chance(v) * least
                        + chance(v) * off
                        + (2 * off_lag * (chance(v) * rest) + 2 * (chance(v) * off_key) * rest),
                    ),
                    identity(),
                    "Square: the error is the rest's, the difference's and cross terms,",
                ),
                Step(
                    "row of squares",
                    eq(
                        over_keys(chance(v) * error),
                        over_keys(chance(v) * least)
                        + over_keys(chance(v) * off)
                        + (
                            2 * off_lag * over_keys(chance(v) * rest)
                            + over_keys(2 * (chance(v) * off_key) * rest)
                        ),
                    ),
                    identity(),
                    "row by row,",
                ),
                Step(
                    "row without",
                    eq(
                        over_keys(chance(v) * error),
                        over_keys(chance(v) * least)
                        + over_keys(chance(v) * off)
                        + over_keys(2 * (chance(v) * off_key) * rest),
                    ),
                    smt(),
                    "of which the first vanishes",
                    ("row of squares", "no row"),
                    AT_LAG,
                ),
                Step(
                    "sum",
                    eq(
                        mean_of(error),
                        over_lags(
                            over_keys(chance(v) * least)
                            + over_keys(chance(v) * off)
                            + over_keys(2 * (chance(v) * off_key) * rest)
                        ),
                    ),
                    termwise(),
                    "in every row;",
                    ("row without",),
                ),
                Step(
                    "apart",
                    eq(
                        over_lags(
                            over_keys(chance(v) * least)
                            + over_keys(chance(v) * off)
                            + over_keys(2 * (chance(v) * off_key) * rest)
                        ),
                        mean_of(least)
                        + mean_of(off)
                        + over_lags(over_keys(2 * (chance(v) * off_key) * rest)),
                    ),
                    identity(),
                    "the second,",
                ),
                Step(
                    "exchange cross",
                    eq(
                        over_lags(over_keys(2 * (chance(v) * off_key) * rest)),
                        over_keys(over_lags(2 * (chance(v) * off_key) * rest)),
                    ),
                    swap(),
                    "taken by columns,",
                ),
                Step(
                    "column factor",
                    eq(
                        over_lags(2 * (chance(v) * off_key) * rest),
                        2 * (chance(v) * off_key) * over_lags(rest),
                    ),
                    identity(),
                    "vanishes",
                ),
                Step(
                    "no cross",
                    eq(over_lags(2 * (chance(v) * off_key) * rest), 0),
                    smt(),
                    "in every",
                    ("column factor", "no column"),
                    AT_KEY,
                ),
                Step(
                    "none",
                    eq(
                        over_keys(over_lags(2 * (chance(v) * off_key) * rest)),
                        over_keys(sp.Integer(0)),
                    ),
                    termwise(),
                    "column.",
                    ("no cross",),
                ),
                Step("zero", eq(over_keys(sp.Integer(0)), 0), identity(), "(Zeros add up to 0.)"),
                Step(
                    "split",
                    goal,
                    smt(),
                    "Two squares are left.",
                    ("sum", "apart", "exchange cross", "none", "zero"),
                ),
            )
        ),
        mutants=(
            Mutant("no difference", eq(mean_of(error), mean_of(least)), at=one),
            Mutant(
                "twice the rest", eq(mean_of(error), 2 * mean_of(least) + 2 * mean_of(off)), at=one
            ),
        ),
    )


POSGEN_ADDITIVE_FIT = _additive_fit()

CLAIMS = (POSGEN_ADDITIVE_FIT,)
