"""Duality of linear programmes: the least cover of columns, the greatest packing of columns."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.duality import alternative, packing
from ropeproof.theory.library.duality.alternative import DUALITY_ALTERNATIVE, solution, weight
from ropeproof.theory.library.duality.combination import h, k
from ropeproof.theory.library.duality.inequalities import System, system
from ropeproof.theory.library.duality.packing import (
    DUALITY_WEAK,
    by_column,
    c,
    columns,
    over_columns,
    over_rows,
    payoff,
    r,
    rows,
)

MEANINGS: Meanings = packing.MEANINGS

ROWS = Hypothesis("there is a row", le(1, rows))
COLUMNS = Hypothesis("there is a column", le(1, columns))
ENTRIES = Hypothesis(
    "entries are at least 1",
    Every((r, c), If(Both(packing.IN_ROWS, packing.IN_COLUMNS), le(1, payoff(r, c)))),
)

MATCH = Both(
    packing.ROW_SIGNS.formula,
    packing.COLUMN_SIGNS.formula,
    packing.COVER.formula,
    packing.PACKING.formula,
    eq(packing.COST, packing.YIELD),
)
OPTIMAL = Some((packing.by_row(h), by_column(h)), MATCH)


PAIR = (packing.ROW_SIGNS, packing.COLUMN_SIGNS, packing.COVER, packing.PACKING)


def _as_large(p: Proof) -> Fact:
    """A cover that is at most as large as a packing is equally large."""
    scope = p.under(*(h.formula for h in PAIR), le(packing.COST, packing.YIELD))
    pair = [scope.given(h.formula, "Let x be a cover and y a packing.") for h in PAIR]
    weak = scope.apply(
        DUALITY_WEAK, pair, why="By weak duality the packing y is at most the cover x."
    )
    return scope.witness(
        OPTIMAL,
        {packing.by_row: packing.by_row, by_column: by_column},
        (pair, weak),
        why="If the cover is also at most the packing, the two are equal. So x and y are a cover "
        "and a packing of one size.",
    )


def _solved(scope: Scope, solves: Formula, close: Fact, size: Premise) -> Fact:
    """A solution of the system gives a cover and a packing that is not smaller."""
    inside = scope.under(solves)
    signs, sums = (
        inside.given(part, "Let z be a solution of the inequalities.") for part in solves.args
    )
    known = System(inside, size)

    def packed(place: Term) -> Term:
        return solution(rows - 1 + place)

    row, column = inside.under(packing.IN_ROWS), inside.under(packing.IN_COLUMNS)
    row_signs = row.use(signs, {i: r}, size, why="The unknowns of the rows are not negative.")
    column_signs = column.use(
        signs, {i: rows - 1 + c}, size, why="The unknowns of the columns are not negative."
    )
    covered = column.show(
        le(1, over_rows(solution(r) * payoff(r, c))),
        "So the rows cover every column at least once.",
        column.use(
            sums,
            {k: c - 1},
            size,
            why="The inequality c - 1 is one of the first C, those of the columns.",
        ),
        known.row(column, "covered", c - 1, solution(i) * payoff(i, c), sp.S.Zero),
        size,
    )
    filled = row.show(
        le(over_columns(packed(c) * payoff(r, c)), 1),
        "So the columns do not overfill row r.",
        row.use(
            sums,
            {k: columns + r},
            size,
            why="The inequality C + r is one of the next R, those of the rows.",
        ),
        known.row(row, "filled", columns + r, sp.S.Zero, -solution(i) * payoff(r, i - rows + 1)),
        size,
    )
    return inside.use(
        close,
        {packing.by_row: solution, by_column: packed},
        (
            row_signs.for_all(r),
            column_signs.for_all(c),
            covered.for_all(c),
            filled.for_all(r),
            inside.use(
                sums,
                {k: columns + rows},
                size,
                why="The last inequality compares the sizes of cover and packing.",
            ),
            known.row(inside, "sizes", columns + rows, -solution(i), solution(i)),
            size,
        ),
        why="So the packing is at least as large as the cover. So the solution z gives a cover "
        "and a packing of one size.",
    )


def _refuted(scope: Scope, refutes: Formula, close: Fact, size: Premise) -> Fact:
    """Weights that refute the system are, up to a factor, a cover and a packing at least as large."""
    inside = scope.under(refutes)
    signs, sums, positive = (
        inside.given(part, "Suppose that weights w refute the inequalities.")
        for part in refutes.args
    )
    known = System(inside, size)
    factor = weight(columns + rows)

    def taken(place: Term) -> Term:
        return weight(columns + place)

    def packed(place: Term) -> Term:
        return weight(place - 1)

    row, column = inside.under(packing.IN_ROWS), inside.under(packing.IN_COLUMNS)
    row_sign = row.use(
        signs, {k: columns + r}, size, why="The weight of the inequality of row r is not negative."
    )
    column_sign = column.use(
        signs, {k: c - 1}, size, why="The weight of the inequality of column c is not negative."
    )
    sign = inside.use(
        signs,
        {k: columns + rows},
        size,
        why="The weight t of the last inequality, that of the sizes, is not negative.",
    )
    filled = row.show(
        le(over_columns(packed(c) * payoff(r, c)), factor),
        "So the columns' weights fill row r at most t times.",
        row.use(sums, {i: r}, size, why="The combination at the unknown of row r is at most 0."),
        known.column(
            row,
            "row",
            alternative.matrix(k, r) * weight(k),
            {i: r},
            weight(k) * payoff(r, k + 1),
            sp.S.Zero,
        ),
        size,
    )
    other = rows - 1 + c
    larger = inside.show(
        lt(over_rows(taken(r)), over_columns(packed(c))),
        "The weights refute, so the columns' weights exceed the rows' in sum.",
        positive,
        known.column(inside, "bound", alternative.bound(k) * weight(k), {}, weight(k), -weight(k)),
        size,
    )
    high = inside.under(lt(0, factor))
    more = high.given(lt(0, factor), "Consider the case that the last weight t is positive.")
    at_row, at_column = high.under(packing.IN_ROWS), high.under(packing.IN_COLUMNS)
    scaled = (
        at_row.show(
            le(0, taken(r) / factor),
            "Divide the rows' weights by t, which is positive.",
            (row_sign, more),
        ).for_all(r),
        at_column.show(
            le(0, packed(c) / factor),
            "Divide the columns' weights by t, which is positive.",
            (column_sign, more),
        ).for_all(c),
        at_column.show(
            le(1, over_rows(taken(r) / factor * payoff(r, c))),
            "So the rows' weights cover column c at least t times. Divided by t the rows' "
            "weights cover column c at least once.",
            (
                column.use(
                    sums,
                    {i: other},
                    size,
                    why="The combination at the unknown of column c is at most 0.",
                ),
                known.column(
                    column,
                    "column",
                    alternative.matrix(k, other) * weight(k),
                    {i: other},
                    sp.S.Zero,
                    -weight(k) * payoff(k - columns, c),
                ),
                size,
                more,
            ),
        ).for_all(c),
        at_row.show(
            le(over_columns(packed(c) / factor * payoff(r, c)), 1),
            "Divided by t the columns' weights fill row r at most once.",
            (filled, more),
        ).for_all(r),
        larger,
        more,
    )
    pair = high.use(
        close,
        {
            packing.by_row: lambda place: taken(place) / factor,
            by_column: lambda place: packed(place) / factor,
        },
        scaled,
        why="Divided by t the packing is at least as large as the cover. So these quotients give "
        "a cover and a packing of one size.",
    )
    none = inside.under(eq(factor, 0))
    at_0 = none.under(packing.IN_COLUMNS)
    entry = at_0.use(
        ENTRIES, {r: 0, c: c}, ROWS, why="The entries of row 0 are at least 1, by hypothesis."
    )
    least = at_0.show(
        le(packed(c), packed(c) * payoff(0, c)),
        "So the weight of column c is at most its contribution to row 0.",
        (entry, column_sign),
    ).summed(c, 1, columns, "Sum this inequality over all columns.")
    empty = none.use(filled, {r: 0}, ROWS, why="The filling of row 0 is at most t.")
    rows_sum = row_sign.summed(r, 0, rows - 1, "The sum of the rows' weights is not negative.")
    absurd = none.show(
        OPTIMAL,
        "For t = 0 the columns' weights sum to at most 0, so they cannot exceed the rows'.",
        (least, empty, rows_sum, larger),
    )
    return inside.show(
        OPTIMAL,
        "The weight t is not negative, so it is positive or 0. In both cases there are a "
        "cover and a packing of one size.",
        (sign, pair, absurd),
    )


_ONE = {rows: 1, columns: 1, payoff(0, 1): 2, packing.by_row(0): 1, by_column(1): 1}


@theorem(
    "duality.programme",
    source=Source("textbook", "duality of linear programmes"),
    hypotheses=(ROWS, COLUMNS, ENTRIES),
    conclusion=OPTIMAL,
    attack=Attack(
        {
            "any amounts": MATCH,
            "any cover and any packing": If(
                Both(*(h.formula for h in PAIR)), eq(packing.COST, packing.YIELD)
            ),
        },
        at={"any amounts": _ONE, "any cover and any packing": {**_ONE, by_column(1): 0}},
        idle={COLUMNS: "without columns nothing has to be covered"},
        without={ROWS: {rows: 0, columns: 1}, ENTRIES: {rows: 1, columns: 1, payoff(0, 1): 0}},
    ),
)
def DUALITY_PROGRAMME(p: Proof) -> None:
    r"""The least cover by rows is as large as the greatest packing of columns

    For $P_{rc}\ge1$ there are $x,y\ge0$ with $\sum_rx_rP_{rc}\ge1$ for every column,
    $\sum_cy_cP_{rc}\le1$ for every row, and $\sum_rx_r=\sum_cy_c$. By `duality.weak` no such $x$
    has a smaller sum and no such $y$ a greater one.
    """
    size = (ROWS, COLUMNS)
    close = _as_large(p)
    there = system(p, size)
    scope = there.body()
    either = scope.lemma(
        DUALITY_ALTERNATIVE.at(m=rows + columns, n=columns + rows + 1),
        size,
        why="These inequalities are either solved or refuted.",
    )
    ways = []
    for case, way in zip(either.formula.args, (_solved, _refuted), strict=True):
        existence = scope.given(
            case, "Suppose that there is a list that solves, or refutes, the inequalities."
        )
        found = way(scope, case.args[1], close, size)
        ways.append(
            existence.scope.choose(
                existence, found, "Such a list exists, and the conclusion does not depend on it."
            )
        )
    ends = scope.show(
        OPTIMAL,
        "Whether solved or refuted, there are a cover and a packing of one size.",
        (either, *ways),
    )
    p.choose(there, ends, "Such M and b exist, and the conclusion does not depend on them.")
