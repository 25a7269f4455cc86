"""Covers of columns by rows and packings of columns: no packing is larger than a cover."""

from ropeproof.theory.language import *

rows, columns, r, c = integer("R C r c")
payoff, by_row, by_column = real_function("P"), real_function("x"), real_function("y")
MEANINGS: Meanings = {
    rows: "number of rows",
    columns: "number of columns",
    r: "a row",
    c: "a column",
    payoff: "entries of the matrix",
    by_row: "weights of the rows",
    by_column: "weights of the columns",
}


def over_rows(term: Term | int) -> Term:
    """The sum of a term in `r` over the rows, r = 0..R-1."""
    return sp.Sum(term, (r, 0, rows - 1))


def over_columns(term: Term | int) -> Term:
    """The sum of a term in `c` over the columns, c = 1..C."""
    return sp.Sum(term, (c, 1, columns))


IN_ROWS, IN_COLUMNS = within(r, 0, rows - 1), within(c, 1, columns)
ROW_SIGNS = Hypothesis("no row is taken negatively", every(r, 0, rows - 1, le(0, by_row(r))))
COLUMN_SIGNS = Hypothesis(
    "no column is taken negatively", every(c, 1, columns, le(0, by_column(c)))
)
COVER = Hypothesis(
    "the rows cover every column", every(c, 1, columns, le(1, over_rows(by_row(r) * payoff(r, c))))
)
PACKING = Hypothesis(
    "the columns overfill no row",
    every(r, 0, rows - 1, le(over_columns(by_column(c) * payoff(r, c)), 1)),
)
COST, YIELD = over_rows(by_row(r)), over_columns(by_column(c))


_ONE = {rows: 1, columns: 1, payoff(0, 1): 1, by_row(0): 1, by_column(1): 1}


@theorem(
    "duality.weak",
    source=Source("textbook", "duality of linear programmes"),
    hypotheses=(ROW_SIGNS, COLUMN_SIGNS, COVER, PACKING),
    conclusion=le(YIELD, COST),
    attack=Attack(
        {"strict": lt(YIELD, COST), "the other way": le(COST, YIELD)},
        at={"strict": _ONE, "the other way": {**_ONE, by_row(0): 2}},
        without={
            ROW_SIGNS: {**_ONE, rows: 2, by_row(1): -1, payoff(1, 1): 0, by_column(1): 1},
            COLUMN_SIGNS: {**_ONE, columns: 2, by_column(1): 3, by_column(2): -1, payoff(0, 2): 2},
            COVER: {**_ONE, by_row(0): 0},
            PACKING: {**_ONE, by_column(1): 2},
        },
    ),
)
def DUALITY_WEAK(p: Proof) -> None:
    r"""No packing of columns is larger than a cover by rows

    If $x,y\ge0$, $\sum_rx_rP_{rc}\ge1$ for every column and $\sum_cy_cP_{rc}\le1$ for every row,
    then $\sum_cy_c\le\sum_rx_r$.
    """
    column, row = p.under(IN_COLUMNS), p.under(IN_ROWS)
    covered, filled = over_rows(by_row(r) * payoff(r, c)), over_columns(by_column(c) * payoff(r, c))
    more = column.show(
        le(by_column(c), by_column(c) * covered),
        "Multiply the coverage of column c, at least 1, by its weight.",
        column.use(COLUMN_SIGNS, why="No column has a negative weight, by hypothesis."),
        column.use(COVER, why="The rows cover each column c at least once, by hypothesis."),
    ).summed(c, 1, columns, "Sum this inequality over all columns.")
    less = row.show(
        le(by_row(r) * filled, by_row(r)),
        "Multiply the filling of row r, at most 1, by its weight.",
        row.use(ROW_SIGNS, why="No row has a negative weight, by hypothesis."),
        row.use(PACKING, why="The columns do not overfill row r, by hypothesis."),
    ).summed(r, 0, rows - 1, "Sum this inequality over all rows.")
    each = over_columns(over_rows(by_column(c) * by_row(r) * payoff(r, c)))
    swap = p.swap(each, "Exchange the order of the two sums.")
    p.qed(
        "Multiplied out, the sum over the columns is a double sum. The sum over the rows is "
        "the same double sum, multiplied out. The packing is at most the double sum, which "
        "is at most the cover.",
        (more, less, swap),
    )
