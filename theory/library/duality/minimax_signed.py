"""The value of a matrix game whose row player may take every row with either sign."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, l
from ropeproof.theory.library.duality import minimax
from ropeproof.theory.library.duality.minimax import DUALITY_MINIMAX, value
from ropeproof.theory.library.duality.packing import (
    by_column,
    by_row,
    c,
    columns,
    over_columns,
    over_rows,
    payoff,
    r,
    rows,
)
from ropeproof.theory.library.duality.programme import COLUMNS, ROWS

MEANINGS: Meanings = {
    **minimax.MEANINGS,
    by_column: "probabilities of the columns",
    by_row: "weights of the rows, of either sign",
    payoff: "payoff, by row and column",
}

h = integer("h")


def signed_saddle(x: Callable[..., Term], y: Callable[..., Term], v: Term | int) -> Formula:
    """The formula that signed rows x of size at most 1 and probabilities y prove the value v."""
    return Both(
        every(c, 1, columns, le(0, y(c))),
        eq(over_columns(y(c)), 1),
        le(over_rows(sp.Abs(x(r))), 1),
        every(c, 1, columns, le(v, over_rows(x(r) * payoff(r, c)))),
        every(r, 0, rows - 1, le(sp.Abs(over_columns(y(c) * payoff(r, c))), v)),
    )


VALUE = Some((value, by_row(h), by_column(h)), signed_saddle(by_row, by_column, value))
half = sp.floor(l / rows)  # 0 for a row, 1 for the same row with the other sign
DOUBLED = sp.Lambda((l, c), (1 - 2 * half) * payoff(l - rows * half, c))
FIRST, SECOND = by_row(r), by_row(r + rows)
_TWO = {rows: 2, columns: 1, payoff(0, 1): 0, payoff(1, 1): -1, value: 1}


def _folded(p: Proof, term: Callable[..., Term], why: str) -> Fact:
    """The fact that a sum over both halves of the rows is a sum over the rows of two terms."""
    whole = sp.Sum(term(i), (i, 0, 2 * rows - 1))
    return p.show(
        eq(whole, sp.Sum(term(r), (r, 0, rows - 1)) + sp.Sum(term(r + rows), (r, 0, rows - 1))),
        why,
        p.split(whole, rows - 1, "Split the sum over all rows after the first half.", ROWS),
    )


@theorem(
    "duality.minimax-signed",
    source=Source("textbook", "minimax theorem of von Neumann"),
    hypotheses=(ROWS, COLUMNS),
    conclusion=VALUE,
    attack=Attack(
        {
            "any signed rows": signed_saddle(by_row, by_column, value),
            "the last row": signed_saddle(lambda row: -row, lambda _: 1 / columns, 2 * value),
        },
        at={
            "any signed rows": {**_TWO, by_row(0): 1, by_row(1): 0, by_column(1): 1},
            "the last row": _TWO,
        },
        without={COLUMNS: {rows: 1, columns: 0}},
        idle={ROWS: "without rows the value is 0, and any probabilities do"},
    ),
)
def DUALITY_MINIMAX_SIGNED(p: Proof) -> None:
    r"""A matrix game whose rows may be taken with either sign has a value

    For $R,C\ge1$ and real $P_{rc}$ there are signed $x_r$ with $\sum_r|x_r|\le1$, probabilities
    $y_c$ and a value $v$ with $\sum_rx_rP_{rc}\ge v$ for every $c$ and $|\sum_cy_cP_{rc}|\le v$ for
    every $r$: the matrix game in which each row stands twice, once with each sign.
    """
    in_rows = p.under(within(r, 0, rows - 1))
    low = in_rows.show(
        eq(sp.floor(r / rows), 0), "The first R of the doubled rows are the rows themselves."
    )
    high = in_rows.show(
        eq(sp.floor((r + rows) / rows), 1), "The other R are the rows with the other sign."
    )
    same = in_rows.rewrite(
        eq(DOUBLED(r, c), payoff(r, c)), "So in the first half the payoff is that of the row.", low
    )
    opposite = in_rows.rewrite(
        eq(DOUBLED(r + rows, c), -payoff(r, c)),
        "In the second half the payoff is that of the row with the other sign.",
        high,
    )
    exists = p.lemma(
        DUALITY_MINIMAX.at(P=DOUBLED, R=2 * rows),
        (ROWS, COLUMNS),
        why="There are two rows at least. The game with both signs of every row has a value.",
    )
    pair = exists.body()
    row_signs, column_signs, whole, one, guaranteed, capped = (
        pair.given(part, "Take these weights of the rows and of the columns.")
        for part in exists.formula.args[1].args
    )
    row, column = pair.under(within(r, 0, rows - 1)), pair.under(within(c, 1, columns))
    first = row.use(row_signs, {r: r}, why="The weight of a row is not negative.")
    second = row.use(
        row_signs, {r: r + rows}, ROWS, why="Its weight with the other sign is not negative."
    )
    sizes = row.show(
        le(sp.Abs(FIRST - SECOND), FIRST + SECOND),
        "The size of their difference is at most their sum.",
        first,
        second,
    ).summed(r, 0, rows - 1, "Sum this inequality over the rows.")
    halves = _folded(p, by_row, "So the weights of both signs add up row by row.")
    weighted = _folded(
        p,
        lambda row: by_row(row) * DOUBLED(row, c),
        "The guarantee in a column adds up row by row.",
    )
    paired = in_rows.show(
        eq(FIRST * DOUBLED(r, c) + SECOND * DOUBLED(r + rows, c), (FIRST - SECOND) * payoff(r, c)),
        "The two signs of a row act as their difference.",
        same,
        opposite,
    ).summed(r, 0, rows - 1, "Sum this equation over the rows.")
    guarantee = column.use(guaranteed, {c: c}, why="The rows keep the value in this column.")
    least = column.show(
        le(value, over_rows((FIRST - SECOND) * payoff(r, c))),
        "So the signed rows keep the value in this column.",
        guarantee,
        weighted,
        paired,
    ).for_all(c, why="This holds in every column.")
    at_most = row.use(capped, {r: r}, why="No row gains more than the value.")
    other = row.use(
        capped, {r: r + rows}, ROWS, why="No row with the other sign gains more than the value."
    )
    plus = in_rows.show(
        eq(by_column(c) * DOUBLED(r, c), by_column(c) * payoff(r, c)),
        "Multiply the first half's payoff by the weight of the column.",
        same,
    ).summed(c, 1, columns, "Sum this equation over the columns.")
    minus = in_rows.show(
        eq(by_column(c) * DOUBLED(r + rows, c), -by_column(c) * payoff(r, c)),
        "Multiply the second half's payoff by the weight of the column.",
        opposite,
    ).summed(c, 1, columns, "Sum this equation over the columns.")
    most = row.show(
        le(sp.Abs(over_columns(by_column(c) * payoff(r, c))), value),
        "The minus sign is common to all columns. So a row gains at most the value in size.",
        (at_most, other, plus, minus),
    ).for_all(r, why="This holds for every row.")
    found = pair.witness(
        VALUE,
        {value: value, by_row: lambda row: by_row(row) - by_row(row + rows), by_column: by_column},
        (column_signs, one, sizes, halves, whole, least, most),
        why="So the signed weights have size at most 1. So the differences of the rows' weights "
        "and the columns' weights are as claimed.",
    )
    p.choose(exists, found, "Such weights exist, and the conclusion does not depend on them.")
