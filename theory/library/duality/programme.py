"""Duality of two linear programmes: cover every column at least cost, pack every row to the most."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, m, n
from ropeproof.theory.library.duality.alternative import (
    DUALITY_ALTERNATIVE,
    bound,
    matrix,
    solution,
    weight,
)
from ropeproof.theory.library.duality.combination import h, k
from ropeproof.theory.library.duality.inequalities import System, system
from ropeproof.theory.library.duality.weak import (
    COLUMN_SIGNS,
    COST,
    COVER,
    DUALITY_WEAK,
    IN_COLUMNS,
    IN_ROWS,
    PACKING,
    ROW_SIGNS,
    YIELD,
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

ROWS = Hypothesis("there is a row", le(1, rows))
COLUMNS = Hypothesis("there is a column", le(1, columns))
ENTRIES = Hypothesis(
    "entries are at least 1", Every((r, c), If(Both(IN_ROWS, IN_COLUMNS), le(1, payoff(r, c))))
)

MATCH = Both(
    ROW_SIGNS.formula, COLUMN_SIGNS.formula, COVER.formula, PACKING.formula, eq(COST, YIELD)
)
OPTIMAL = Some((by_row(h), by_column(h)), MATCH)

_PROGRAMME = Claim(
    id="duality.programme",
    title="The least cover by rows is as large as the greatest packing of columns",
    statement=(
        r"For $P_{rc}\ge1$ there are $x,y\ge0$ with $\sum_rx_rP_{rc}\ge1$ for every column, "
        r"$\sum_cy_cP_{rc}\le1$ for every row, and $\sum_rx_r=\sum_cy_c$: no such $x$ has a smaller "
        r"sum and no such $y$ a greater one."
    ),
    source=Source("textbook", "duality of linear programmes"),
    needs=frozenset("PX"),
    hypotheses=(ROWS, COLUMNS, ENTRIES),
    conclusion=OPTIMAL,
)

PAIR = (ROW_SIGNS, COLUMN_SIGNS, COVER, PACKING)


def _as_large(p: Proof) -> Fact:
    """A cover that is no larger than a packing is as large."""
    scope = p.under(*(h.formula for h in PAIR), le(COST, YIELD))
    pair = [scope.given(h.formula, "Let there be a cover and a packing.") for h in PAIR]
    weak = scope.lemma(DUALITY_WEAK, {}, pair, why="The packing is at most the cover;")
    equal = scope.show(
        eq(COST, YIELD),
        "if that is at most the packing,",
        weak,
        scope.given(le(COST, YIELD)),
        by=rules.smt(),
    )
    return scope.witness(
        OPTIMAL, {by_row: by_row, by_column: by_column}, pair, equal, why="they are as claimed."
    )


def _solved(scope: Scope, solves: Any, close: Fact, size: Premise) -> Fact:
    """A solution of the system is a cover and a packing that is not smaller."""
    inside = scope.under(solves)
    signs, sums = (inside.given(part, "Let there be a solution.") for part in solves.args)
    known = System(inside, size)

    def packed(place: Any) -> Any:
        return solution(rows - 1 + place)

    row, column = inside.under(IN_ROWS), inside.under(IN_COLUMNS)
    row_signs = row.use(signs, {i: r}, size, why="The rows' unknowns are not negative,")
    column_signs = column.use(signs, {i: rows - 1 + c}, size, why="nor are the columns'.")
    covered = column.show(
        le(1, over_rows(solution(r) * payoff(r, c))),
        "Every column is covered,",
        column.use(sums, {k: c - 1}, size, why="The first C inequalities:"),
        known.row(column, "covered", c - 1, solution(i) * payoff(i, c), sp.S.Zero),
        size,
    )
    filled = row.show(
        le(over_columns(packed(c) * payoff(r, c)), 1),
        "no row is overfilled,",
        row.use(sums, {k: columns + r}, size, why="The next R:"),
        known.row(row, "filled", columns + r, sp.S.Zero, -solution(i) * payoff(r, i - rows + 1)),
        size,
    )
    sizes = inside.show(
        le(over_rows(solution(r)), over_columns(packed(c))),
        "and the packing is not smaller.",
        inside.use(sums, {k: columns + rows}, size, why="The last:"),
        known.row(inside, "sizes", columns + rows, -solution(i), solution(i)),
        size,
    )
    return inside.use(
        close,
        {by_row: solution, by_column: packed},
        (row_signs.for_all(r), column_signs.for_all(c), covered.for_all(c), filled.for_all(r)),
        sizes,
        why="That is such a pair.",
        goal=OPTIMAL,
    )


def _refuted(scope: Scope, refutes: Any, close: Fact, size: Premise) -> Fact:
    """Weights that refute the system are themselves such a pair, but for a factor."""
    inside = scope.under(refutes)
    signs, sums, positive = (inside.given(part, "Or weights refute.") for part in refutes.args)
    known = System(inside, size)
    factor = weight(columns + rows)

    def taken(place: Any) -> Any:
        return weight(columns + place)

    def packed(place: Any) -> Any:
        return weight(place - 1)

    row, column = inside.under(IN_ROWS), inside.under(IN_COLUMNS)
    row_sign = row.use(signs, {k: columns + r}, size, why="The rows' weights are not negative,")
    column_sign = column.use(signs, {k: c - 1}, size, why="nor are the columns',")
    sign = inside.use(signs, {k: columns + rows}, size, why="nor that of the sizes.")
    filled = row.show(
        le(over_columns(packed(c) * payoff(r, c)), factor),
        "A row is filled at most t times,",
        row.use(sums, {i: r}, size, why="From the unknown of the row:"),
        known.column(
            row, "row", matrix(k, r) * weight(k), {i: r}, weight(k) * payoff(r, k + 1), sp.S.Zero
        ),
        size,
    )
    other = rows - 1 + c
    covered = column.show(
        le(factor, over_rows(taken(r) * payoff(r, c))),
        "a column covered at least t times,",
        column.use(sums, {i: other}, size, why="From the unknown of the column:"),
        known.column(
            column,
            "column",
            matrix(k, other) * weight(k),
            {i: other},
            sp.S.Zero,
            -weight(k) * payoff(k - columns, c),
        ),
        size,
    )
    larger = inside.show(
        lt(over_rows(taken(r)), over_columns(packed(c))),
        "and the packing is larger.",
        positive,
        known.column(inside, "bound", bound(k) * weight(k), {}, weight(k), -weight(k)),
        size,
    )
    high = inside.under(lt(0, factor))
    more = high.given(lt(0, factor), "If t is positive, divide by it:")
    at_row, at_column = high.under(IN_ROWS), high.under(IN_COLUMNS)
    scaled = (
        at_row.show(le(0, taken(r) / factor), "signs stay,", row_sign, more).for_all(r),
        at_column.show(le(0, packed(c) / factor), "also here;", column_sign, more).for_all(c),
        at_column.show(
            le(1, over_rows(taken(r) / factor * payoff(r, c))), "columns are covered,", covered, more
        ).for_all(c),
        at_row.show(
            le(over_columns(packed(c) / factor * payoff(r, c)), 1), "rows not overfilled,", filled, more
        ).for_all(r),
        high.show(
            le(over_rows(taken(r) / factor), over_columns(packed(c) / factor)),
            "and the packing is larger.", larger, more,
        ),
    )  # fmt: skip
    pair = high.use(
        close,
        {by_row: lambda place: taken(place) / factor, by_column: lambda place: packed(place) / factor},
        scaled,
        why="That is such a pair.",
        goal=OPTIMAL,
    )  # fmt: skip
    none = inside.under(eq(factor, 0))
    at_0 = none.under(IN_COLUMNS)
    entry = at_0.use(ENTRIES, {r: 0, c: c}, ROWS, why="If t is 0: entries are at least 1,")
    least = at_0.show(
        le(packed(c), packed(c) * payoff(0, c)),
        "so a column is at most what it fills of row 0,",
        entry,
        column_sign,
    ).summed(c, 1, columns, "so are all,")
    empty = none.use(filled, {r: 0}, ROWS, why="which is at most t;")
    rows_sum = row_sign.summed(r, 0, rows - 1, "the rows are at least 0:")
    absurd = none.show(
        OPTIMAL, "but the packing is larger.", least, empty, rows_sum, larger,
        none.given(eq(factor, 0)),
        by=rules.smt(),
    )  # fmt: skip
    cases = inside.show(Either(lt(0, factor), eq(factor, 0)), "Of these cases one holds,", sign)
    return inside.show(OPTIMAL, "so there is a pair.", cases, pair, absurd)


def _proof(p: Proof) -> None:
    size = (ROWS, COLUMNS)
    close = _as_large(p)
    there = system(p, size)
    scope = there.body()
    either = scope.lemma(
        DUALITY_ALTERNATIVE,
        {m: rows + columns, n: columns + rows + 1},
        size,
        why="They are solved or refuted.",
    )
    ways = []
    for case, way in zip(either.formula.args, (_solved, _refuted), strict=True):
        existence = scope.given(case, "If so,")
        found = way(scope, case.args[1], close, size)
        ways.append(existence.scope.choose(existence, found, "there is a pair."))
    ends = scope.show(OPTIMAL, "Either way.", either, *ways)
    p.choose(there, ends, "There are such inequalities.")


_ONE = {rows: 1, columns: 1, payoff(0, 1): 2, by_row(0): 1, by_column(1): 1}

DUALITY_PROGRAMME = prove(
    _PROGRAMME,
    _proof,
    Attack(
        {
            "any amounts": MATCH,
            "any cover and any packing": If(Both(*(h.formula for h in PAIR)), eq(COST, YIELD)),
        },
        at={"any amounts": _ONE, "any cover and any packing": {**_ONE, by_column(1): 0}},
        idle={COLUMNS: "without columns nothing has to be covered"},
        without={ROWS: {rows: 0, columns: 1}, ENTRIES: {rows: 1, columns: 1, payoff(0, 1): 0}},
    ),
)

CLAIMS = (DUALITY_PROGRAMME,)
