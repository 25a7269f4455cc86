"""The slash score on independent tokens, between two sums."""

from ropeproof.theory.language import *
from ropeproof.theory.language.logic import conjuncts
from ropeproof.theory.language.notation import i, n
from ropeproof.theory.language.substitution import as_values, substitute
from ropeproof.theory.topics.softmax.race import race_notation
from ropeproof.theory.topics.softmax.race.race import CELLS, GRID, SOFTMAX_RACE, START
from ropeproof.theory.topics.softmax.race.race_notation import (
    VALUES,
    cells,
    p,
    target,
    u,
    values,
    w,
    x,
)
from ropeproof.theory.topics.softmax.race.race_notation import v as points

y, length = integer("y N")
law, logit = real_function("P"), real_function("W")
MEANINGS: Meanings = {
    **race_notation.MEANINGS,
    i: "number of keys of the row",
    target: "the offset of the slash: the lag whose weight is enclosed",
    u: "a lag",
    values: "number of tokens",
    x: "token of a key",
    y: "token of the query",
    length: "number of rows, the length of the prompt",
    law: "probabilities of the tokens",
    logit: "logits, by lag, token of the query and token of the key",
    integer(
        "omega"
    ): "an outcome: its digits to the base V are the tokens at the lags, lag 0 the lowest",
    integer("t"): "a lag",
}


_of_row = {p: sp.Lambda((u, x), law(x)), w: sp.Lambda((u, x), logit(u, y, x)), n: i}
_stated = substitute(SOFTMAX_RACE.conclusion, as_values(_of_row, SOFTMAX_RACE.conclusion))
_lower, _upper = _stated.args
low_of_row, expected_of_row, high_of_row = _lower.lhs, _lower.rhs, _upper.rhs


def over_rows(term: Term) -> Term:
    """The mean over the rows that have the offset, the query's token drawn from the law."""
    rows = sp.Sum(sp.Sum(law(y) * term, (y, 0, values - 1)), (i, target + 1, length))
    return rows / (length - target)


LAW = Hypothesis("every token has a probability", every(x, 0, values - 1, lt(0, law(x))))
ONE = Hypothesis("probabilities add up to 1", eq(sp.Sum(law(x), (x, 0, values - 1)), 1))
ITSELF = Hypothesis(
    "at lag 0 the key is the query's own token's",
    Every(
        (y, x),
        If(
            Both(le(0, y), le(y, values - 1), le(0, x), le(x, values - 1)),
            eq(logit(0, y, x), logit(0, y, y)),
        ),
    ),
    idle="the sums bound the score whatever lag 0 is",
)
PLACE = Hypothesis("the offset is one of the prompt", within(target, 0, length - 1))


_one = {values: 1, law(0): 1, length: 2, target: 1, logit(0, 0, 0): 0, logit(1, 0, 0): 0}


@theorem(
    "slash.race",
    needs="PTX",
    hypotheses=(VALUES, LAW, ONE, ITSELF, PLACE, CELLS, START, GRID),
    conclusion=Both(
        le(over_rows(low_of_row), over_rows(expected_of_row)),
        le(over_rows(expected_of_row), over_rows(high_of_row)),
    ),
    attack=Attack(
        {
            "less than half": le(2 * over_rows(expected_of_row), over_rows(high_of_row)),
            "twice the lower sum": le(2 * over_rows(low_of_row), over_rows(expected_of_row)),
        },
        at={
            "less than half": {**_one, cells: 2, points(0): 0, points(1): 1, points(2): 3},
            "twice the lower sum": {**_one, cells: 2, points(0): 0, points(1): 1, points(2): 3},
        },
        without={
            START: {**_one, cells: 1, points(0): -3, points(1): 0},
            GRID: {**_one, cells: 2, points(0): 0, points(1): -3, points(2): 3},
            ONE: {
                **_one,
                **{law(0): sp.Rational(1, 2), length: 3, cells: 1},
                **{points(0): 0, points(1): 1, logit(2, 0, 0): 0},
            },
        },
        idle={
            VALUES: "the probabilities of no tokens do not add up to 1",
            CELLS: "without a cell the lower sums are 0",
        },
    ),
)
def SLASH_RACE(q: Proof) -> None:
    r"""The slash score on independent tokens, between two sums

    Tokens are drawn independently from a law $P$ on $V$ tokens, each of positive probability;
    $W(t,y,x)$ is the logit of the query of token $y$ and the key of token $x$ at lag $t$. In row
    $i$ with the query's token $y$ lag $t\ge1$ has the logit $W(t,y,X_t)$, $X_t$ drawn from $P$,
    and lag 0 the certain one $W(0,y,y)$ (what is drawn there is not used). The score at $\Delta$,
    the mean of $\mathbb ES_{i,i-\Delta}$ over rows $\Delta<i\le N$ and $y$ drawn from $P$, lies
    between the same means of $\mathrm{low}_\Delta$ and $1-\sum_{t\ne\Delta}\mathrm{low}_t$ of
    `softmax.race`, for each grid $0\le v_0\le\dots\le v_K$.
    """
    row = q.under(within(i, target + 1, length))
    query = row.under(within(y, 0, values - 1))
    token = query.under(within(u, 0, i - 1), within(x, 0, values - 1))
    chances = token.use(LAW, why="Every token has a positive probability.").for_all(
        u, x, why="This holds for every key and every token."
    )
    total = (
        query.under(within(u, 0, i - 1))
        .show(ONE.formula, "The probabilities of all tokens add up to 1.", ONE)
        .for_all(u, why="This holds for every key of the row.")
    )
    bounds = query.lemma(
        SOFTMAX_RACE.at(**by_name(_of_row)),
        (VALUES, chances, total, PLACE, CELLS, START, GRID),
        why="A row i > Delta has a key at the offset Delta. So the expected weight at the offset "
        "lies between the two sums of the row.",
    )
    likely = query.use(LAW, why="The query's token has a positive probability.")
    rows = q.show(
        lt(0, 1 / (length - target)),
        "There are rows with the offset, so 1/(N - Delta) is positive.",
        PLACE,
    )
    parts = bounds.parts("This is one of the two inequalities for the row.")
    means = [
        q.show(
            goal, "So it holds of the means over rows and tokens.", likely, rows, monotone=(part,)
        )
        for goal, part in zip(conjuncts(q.goal), parts, strict=True)
    ]
    q.qed("So the mean score lies between the means of the two sums.", means)
