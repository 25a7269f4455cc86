"""The system of inequalities behind the duality of linear programmes, as a matrix of blocks.

Unknowns are R rows, then C columns. The inequalities say that C columns are covered, that R rows are
not overfilled, and that the packing is no smaller than the cover.
"""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i
from ropeproof.theory.library.duality.alternative import bound, matrix, solution
from ropeproof.theory.library.duality.combination import h, k
from ropeproof.theory.library.duality.packing import columns, payoff, rows

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
"""The entries in the blocks of each kind of inequality, and its right side."""


def _indices(place: str) -> tuple[Term, ...]:
    return (k,) if place == "bound" else (k, i)


def _entry(
    kind: str, place: str, matrix: Callable[..., Term], bound: Callable[..., Term]
) -> tuple[tuple[Formula, ...], Formula]:
    """The conditions for an entry to be in the block, and the equation for its value there."""
    entry = bound(k) if place == "bound" else matrix(k, i)
    return (*KINDS[kind], *PLACES[place]), eq(entry, VALUES[kind, place])


def _block(kind: str, place: str) -> Formula:
    conditions, known = _entry(kind, place, matrix, bound)
    condition = conditions[0] if len(conditions) == 1 else Both(*conditions)
    return Every(_indices(place), If(condition, known))


BLOCKS = {key: _block(*key) for key in VALUES}


def _either(first: Term | int, condition: Any, other: Term | int) -> Term:
    return sp.Piecewise((first, condition), (other, True))


def _matrix(k: Term | int, i: Term | int) -> Term:
    covered = _either(payoff(i, k + 1), i < rows, 0)
    filled = _either(0, i < rows, -payoff(k - columns, i - rows + 1))
    sizes = _either(-1, i < rows, 1)
    return _either(covered, k < columns, _either(filled, k < columns + rows, sizes))


def _bound(k: Term | int) -> Term:
    return _either(1, k < columns, _either(-1, k < columns + rows, 0))


def system(p: Proof, size: Premise) -> Fact:
    """The fact that a matrix and bounds with these blocks exist."""
    blocks = []
    for key in VALUES:
        conditions, known = _entry(*key, _matrix, _bound)
        here = p.under(*conditions)
        each = here.show(
            known,
            "Inside its block the entry is given by the definition by cases.",
            size,
            by=rules.smt(),
        )
        blocks.append(
            each.for_all(*_indices(key[1]), why="So this holds for every entry of the block.")
        )
    return p.witness(
        Some((matrix(h, h), bound(h)), Both(*BLOCKS.values())),
        {matrix: _matrix, bound: _bound},
        blocks,
        why="So there are a matrix M and bounds b that state both programmes.",
    )


class System:
    """The inequalities in a scope that assumes them, with their sums by block."""

    def __init__(self, scope: Scope, size: Premise) -> None:
        self.known = {
            key: scope.given(f, "Let M and b have these entries in this block.")
            for key, f in BLOCKS.items()
        }
        self.size = size

    def block(
        self,
        scope: Scope,
        key: tuple[str, str],
        over: tuple[Term, Term, Term],
        term: Term,
        value: Term,
        at: Values,
    ) -> Fact:
        """The equation of the sums of a term and of its value over a block."""
        index, low, high = over
        place = scope.under(within(index, low, high))
        entry = place.use(
            self.known[key],
            at,
            self.size,
            why="In this block the entry of the matrix or the bound is known.",
        )
        same = place.show(eq(term, value), "Multiply this entry by its unknown or weight.", entry)
        return same.summed(index, low, high, "Sum this equation over the block.")

    def row(
        self, scope: Scope, kind: str, number: Term | int, head: Term, tail: Term
    ) -> tuple[Fact, ...]:
        """The left side of an inequality, split into rows and columns, and its bound."""
        term = matrix(number, i) * solution(i)
        total, at = sp.Sum(term, (i, 0, rows + columns - 1)), {k: number, i: i}
        before, after = (i, sp.S.Zero, rows - 1), (i, rows, rows + columns - 1)
        return (
            scope.split(
                total,
                rows - 1,
                "Split the unknowns into those of the rows and those of the columns.",
                self.size,
            ),
            self.block(scope, (kind, "row"), before, term, head, at),
            self.block(scope, (kind, "column"), after, term, tail, at),
            scope.use(
                self.known[kind, "bound"],
                {k: number},
                self.size,
                why="The bound of this inequality is known.",
            ),
        )

    def column(
        self, scope: Scope, place: str, term: Term, at: Values, head: Term, tail: Term
    ) -> tuple[Fact, ...]:
        """The sum of a term over all inequalities, by columns, rows, and sizes."""
        total = sp.Sum(term, (k, 0, columns + rows))
        last = scope.last(total, "Split off the last inequality, that of the sizes.", self.size)
        before = next(part for part in last.formula.rhs.args if isinstance(part, sp.Sum))
        first, second = (k, sp.S.Zero, columns - 1), (k, columns, columns + rows - 1)
        return (
            last,
            scope.split(
                before,
                columns - 1,
                "Split the others into those of the columns and those of the rows.",
                self.size,
            ),
            self.block(scope, ("covered", place), first, term, head, {k: k, **at}),
            self.block(scope, ("filled", place), second, term, tail, {k: k, **at}),
            scope.use(
                self.known["sizes", place],
                {k: columns + rows, **at},
                self.size,
                why="The entry or bound of the last inequality is known.",
            ),
        )
