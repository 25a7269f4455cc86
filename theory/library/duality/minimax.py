"""The value of a matrix game: finite linear programmes have strong duality."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.duality.packing import (
    IN_COLUMNS,
    IN_ROWS,
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
from ropeproof.theory.library.duality.packing import MEANINGS as OF_PACKING
from ropeproof.theory.library.duality.programme import COLUMNS, DUALITY_PROGRAMME, ROWS
from ropeproof.theory.library.sums.terms import SUMS_MEMBER

h = integer("h")
value = real("v")
MEANINGS: Meanings = {**OF_PACKING, value: "value of the game"}


def saddle(x: Callable[..., Term], y: Callable[..., Term], v: Term | int) -> Formula:
    """The formula that x and y are probabilities that prove the value v of the game.

    x keeps at least v against every column, and y at most v against every row.
    """
    return Both(
        every(r, 0, rows - 1, le(0, x(r))),
        every(c, 1, columns, le(0, y(c))),
        eq(over_rows(x(r)), 1),
        eq(over_columns(y(c)), 1),
        every(c, 1, columns, le(v, over_rows(x(r) * payoff(r, c)))),
        every(r, 0, rows - 1, le(over_columns(y(c) * payoff(r, c)), v)),
    )


VALUE = Some((value, by_row(h), by_column(h)), saddle(by_row, by_column, value))


def _size(row: Term) -> Term:
    """The sum of the absolute values of a row's entries."""
    return sp.Sum(sp.Abs(payoff(row, j)), (j, 1, columns))


shift = 1 + sp.Sum(_size(i), (i, 0, rows - 1))


def _shifted(row: Term, column: Term | int) -> Term:
    return payoff(row, column) + shift


def _bounded(p: Proof) -> Fact:
    """The fact that a shifted entry is at least 1 and at most twice the shift."""
    sign = p.show(le(0, sp.Abs(payoff(i, j))), "The size of an entry is not negative.")
    signs = sign.summed(j, 1, columns, "Sum this inequality over the entries of a row.")
    entry = p.under(IN_ROWS, IN_COLUMNS)
    in_row = entry.lemma(
        SUMS_MEMBER.at(m=columns, f=lambda place: sp.Abs(payoff(r, place + 1)), k=c - 1),
        sign,
        why="The size of an entry is at most the sum over its row.",
    )
    in_all = entry.lemma(
        SUMS_MEMBER.at(m=rows, f=_size, k=r),
        signs.at({i: l}).for_all(l),
        why="The sum of sizes over a row is at most that over all rows.",
    )
    return entry.show(
        Both(le(1, _shifted(r, c)), le(_shifted(r, c), 2 * shift), le(1, shift)),
        "Sum this inequality over all rows. Number the columns of the sum from 1 instead of "
        "0. Shifted by the sum of all sizes and 1, an entry is between 1 and twice the "
        "shift.",
        (in_row, in_all, signs),
    )


_TWO: Values = {rows: 2, columns: 1, payoff(0, 1): 0, payoff(1, 1): 1, value: sp.Rational(1, 2)}


@theorem(
    "duality.minimax",
    source=Source("textbook", "minimax theorem of von Neumann"),
    hypotheses=(ROWS, COLUMNS),
    conclusion=VALUE,
    attack=Attack(
        {
            "any probabilities": saddle(by_row, by_column, value),
            "equal ones": saddle(lambda _: 1 / rows, lambda _: 1 / columns, value),
        },
        at={
            "any probabilities": {**_TWO, by_row(0): 1, by_row(1): 0, by_column(1): 1},
            "equal ones": _TWO,
        },
        without={ROWS: {rows: 0, columns: 1}, COLUMNS: {rows: 1, columns: 0}},
    ),
)
def DUALITY_MINIMAX(p: Proof) -> None:
    r"""A matrix game has a value

    For $R,C\ge1$ and real $P_{rc}$ there are probabilities $x_r$, $y_c$ and a value $v$ with
    $\sum_rx_rP_{rc}\ge v$ for every $c$ and $\sum_cy_cP_{rc}\le v$ for every $r$: strong duality of
    finite linear programmes, in its form for matrix games. Proved from Farkas' lemma, without
    limits.
    """
    bounded = _bounded(p)
    at_least = bounded.scope.show(
        le(1, _shifted(r, c)), "So every shifted entry is at least 1.", bounded
    )
    exists = p.lemma(
        DUALITY_PROGRAMME.at(P=_shifted),
        (ROWS, COLUMNS, at_least.for_all(r, c)),
        why="So the shifted entries have a cover and a packing of one size.",
    )
    pair = exists.body()
    row_signs, column_signs, cover, packing, equal = (
        pair.given(part, "Let x be this cover and y this packing.")
        for part in exists.formula.args[1].args
    )
    whole = over_rows(by_row(r))
    row, column = pair.under(IN_ROWS), pair.under(IN_COLUMNS)
    first = pair.use(cover, {c: 1}, COLUMNS, why="The rows cover the first column at least once.")
    terms = row.show(
        le(by_row(r) * _shifted(r, 1), by_row(r) * 2 * shift),
        "Multiply this bound by the weight x(r), which is not negative.",
        row.use(row_signs, why="The weight x(r) of a row is not negative."),
        row.use(
            bounded,
            {c: 1},
            COLUMNS,
            why="The shifted entry in the first column is at most twice the shift.",
        ),
    ).summed(r, 0, rows - 1, "Sum this inequality over all rows.")
    bound = pair.use(
        bounded,
        {r: 0, c: 1},
        (ROWS, COLUMNS),
        why="The shifted entry of row 0 lies between these bounds, so the shift is positive.",
    )
    positive = pair.show(lt(0, whole), "So the size of the cover is positive.", first, terms, bound)
    game = 1 / whole - shift
    guaranteed = column.show(
        le(game, over_rows(by_row(r) / whole * payoff(r, c))),
        "Divide the cover's bound by the size and subtract the shift.",
        (column.use(cover), positive),
    ).for_all(c)
    capped = row.show(
        le(over_columns(by_column(c) / whole * payoff(r, c)), game),
        "Divide the packing's bound by the size and subtract the shift.",
        (row.use(packing), equal, positive),
    ).for_all(r)
    found = pair.witness(
        VALUE,
        {
            value: game,
            by_row: lambda place: by_row(place) / whole,
            by_column: lambda place: by_column(place) / whole,
        },
        (
            row.show(
                le(0, by_row(r) / whole),
                "Divide the weight of row r by the size, which is positive.",
                (row.use(row_signs), positive),
            ),
            column.show(
                le(0, by_column(c) / whole),
                "Divide the weight of column c by the size, which is positive.",
                (column.use(column_signs), positive),
            ),
            positive,
            equal,
            guaranteed,
            capped,
        ),
        why="Divided by their sum the weights of the rows sum to 1. The packing has the same "
        "size, so the columns' weights sum to 1 too. So these weights and the inverse size, "
        "less the shift, are a value of the game.",
    )
    p.choose(
        exists, found, "Such a cover and packing exist, and the conclusion does not depend on them."
    )
