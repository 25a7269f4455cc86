"""Duality of two linear programmes: cover every column at least cost, pack every row to the most."""

from ropeproof.theory.duality.alternative import (
    DUALITY_ALTERNATIVE,
    bound,
    matrix,
    solution,
    weight,
)
from ropeproof.theory.duality.farkas import h, k
from ropeproof.theory.duality.weak import (
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
from ropeproof.theory.language import *
from ropeproof.theory.notation import i, m, n

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

# -- the inequalities ----------------------------------------------------------------------
# unknowns: R rows, then C columns; inequalities: C columns covered, R rows not overfilled, the sizes

PLACES = {"row": (lt(i, rows),), "column": (le(rows, i),), "bound": ()}
KINDS = {
    "covered": (lt(k, columns),),
    "filled": (le(columns, k), lt(k, columns + rows)),
    "sizes": (eq(k, columns + rows),),
}
VALUES = {
    ("covered", "row"): payoff(i, k + 1),
    ("covered", "column"): sp.S.Zero,
    ("covered", "bound"): sp.S.One,
    ("filled", "row"): sp.S.Zero,
    ("filled", "column"): -payoff(k - columns, i - rows + 1),
    ("filled", "bound"): -sp.S.One,
    ("sizes", "row"): -sp.S.One,
    ("sizes", "column"): sp.S.One,
    ("sizes", "bound"): sp.S.Zero,
}
"""What stands in the block of a kind of inequality, and on its right side."""


def _indices(place: str) -> tuple[Any, ...]:
    return (k,) if place == "bound" else (k, i)


def _entry(kind: str, place: str, matrix: Any, bound: Any) -> tuple[tuple[Any, ...], Any]:
    """Under which conditions an entry is in the block, and what it is then."""
    entry = bound(k) if place == "bound" else matrix(k, i)
    return (*KINDS[kind], *PLACES[place]), eq(entry, VALUES[kind, place])


def _block(kind: str, place: str) -> Any:
    conditions, known = _entry(kind, place, matrix, bound)
    condition = conditions[0] if len(conditions) == 1 else Both(*conditions)
    return Every(_indices(place), If(condition, known))


BLOCKS = {key: _block(*key) for key in VALUES}


def _either(first: Any, condition: Any, other: Any) -> Any:
    return sp.Piecewise((first, condition), (other, True))


def _matrix(k: Any, i: Any) -> Any:
    covered = _either(payoff(i, k + 1), i < rows, 0)
    filled = _either(0, i < rows, -payoff(k - columns, i - rows + 1))
    sizes = _either(-1, i < rows, 1)
    return _either(covered, k < columns, _either(filled, k < columns + rows, sizes))


def _bound(k: Any) -> Any:
    return _either(1, k < columns, _either(-1, k < columns + rows, 0))


def _system(p: Proof, size: Premise) -> Fact:
    """There are a matrix and bounds with these blocks."""
    blocks = []
    for key in VALUES:
        conditions, known = _entry(*key, _matrix, _bound)
        here = p.under(*conditions)
        each = here.show(known, "An entry of a block", size, by=rules.smt())
        blocks.append(each.for_all(*_indices(key[1]), why="and so all of the block."))
    return p.witness(
        Some((matrix(h, h), bound(h)), Both(*BLOCKS.values())),
        {matrix: _matrix, bound: _bound},
        blocks,
        why="Write it as inequalities.",
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


class _System:
    """The inequalities in a scope that assumes them, and what their sums are block by block."""

    def __init__(self, scope: Scope, size: Premise) -> None:
        self.known = {key: scope.given(f, "Of a block") for key, f in BLOCKS.items()}
        self.size = size

    def block(
        self, scope: Scope, key: tuple[str, str], over: Any, term: Any, value: Any, at: Any
    ) -> Fact:
        """The sum over a block of the term is that of the value."""
        index, low, high = over
        place = scope.under(within(index, low, high))
        entry = place.use(self.known[key], at, self.size, why="each entry is known,")
        same = place.show(eq(term, value), "so is each term,", entry, by=rules.smt())
        return same.summed(index, low, high, "and the sum over the block.")

    def row(self, scope: Scope, kind: str, number: Any, head: Any, tail: Any) -> tuple[Fact, ...]:
        """The left side of an inequality, over the rows and over the columns, and its bound."""
        term = matrix(number, i) * solution(i)
        total, at = sp.Sum(term, (i, 0, rows + columns - 1)), {k: number, i: i}
        before, after = (i, sp.S.Zero, rows - 1), (i, rows, rows + columns - 1)
        return (
            scope.split(total, rows - 1, "Its unknowns are of rows and of columns.", self.size),
            self.block(scope, (kind, "row"), before, term, head, at),
            self.block(scope, (kind, "column"), after, term, tail, at),
            scope.use(self.known[kind, "bound"], {k: number}, self.size, why="Its bound is known."),
        )

    def column(
        self, scope: Scope, place: str, term: Any, at: Any, head: Any, tail: Any
    ) -> tuple[Fact, ...]:
        """The sum of a term over all inequalities: the columns', the rows', and the sizes'."""
        total = sp.Sum(term, (k, 0, columns + rows))
        last = scope.last(total, "The last weight is that of the sizes,", self.size)
        before = next(part for part in last.formula.rhs.args if isinstance(part, sp.Sum))
        first, second = (k, sp.S.Zero, columns - 1), (k, columns, columns + rows - 1)
        return (
            last,
            scope.split(before, columns - 1, "the others of columns and rows.", self.size),
            self.block(scope, ("covered", place), first, term, head, {k: k, **at}),
            self.block(scope, ("filled", place), second, term, tail, {k: k, **at}),
            scope.use(
                self.known["sizes", place],
                {k: columns + rows, **at},
                self.size,
                why="The last is known.",
            ),
        )


def _solved(scope: Scope, solves: Any, close: Fact, size: Premise) -> Fact:
    """A solution of the system is a cover and a packing that is not smaller."""
    inside = scope.under(solves)
    signs, sums = (inside.given(part, "Let there be a solution.") for part in solves.args)
    known = _System(inside, size)

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
    known = _System(inside, size)
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
    there = _system(p, size)
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
        unshown={
            ROWS: "no rows cover a column; drawing refutes no existence of functions",
            ENTRIES: "rows of zeros cover no column; drawing refutes no existence of functions",
        },
    ),
)

CLAIMS = (DUALITY_PROGRAMME,)
