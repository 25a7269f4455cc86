"""A square matrix with a right inverse takes no vector but 0 to 0."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, n
from ropeproof.theory.library.duality.homogeneous import DUALITY_HOMOGENEOUS, k, matrix, unknown
from ropeproof.theory.library.sums.indicators import SUMS_PICK

a, b, e = integer("a b e")
left, right = real_function("A"), real_function("B")
vector = real_function("w")
MEANINGS: Meanings = {
    n: "number of rows and columns",
    **dict.fromkeys((a, b, e), "a coordinate"),
    left: "entries of the one matrix",
    right: "entries of its right inverse",
    vector: "the vector",
}


def times(first: Term | int, second: Term | int) -> Term:
    """An entry of the product of the two matrices."""
    return sp.Sum(left(first, e) * right(e, second), (e, 0, n - 1))


def unit(entry: Term | int, first: Term | int, second: Term | int) -> Formula:
    """The formula that an entry of a matrix is that of the unit matrix."""
    return Both(If(eq(first, second), eq(entry, 1)), If(ne(first, second), eq(entry, 0)))


_entries = Both(*within(a, 0, n - 1).args, *within(b, 0, n - 1).args)
SIZE = Hypothesis("the size is not negative", le(0, n))
INVERSE = Hypothesis(
    "B is a right inverse of A", Every((a, b), If(_entries, unit(times(a, b), a, b)))
)
KERNEL = Hypothesis(
    "A takes w to 0", every(a, 0, n - 1, eq(sp.Sum(left(a, e) * vector(e), (e, 0, n - 1)), 0))
)
zero = every(e, 0, n - 1, eq(vector(e), 0))


def _entry(of: Function) -> Formula:
    """The columns of B, and w behind them."""
    return Both(If(le(k, n - 1), eq(of(i, k), right(i, k))), If(eq(k, n), eq(of(i, k), vector(i))))


def _columns(p: Proof) -> Fact:
    """There is a matrix with the columns of B, and w behind them."""

    def written(of: Term, place: Term) -> Term:
        return sp.Piecewise((right(of, place), place <= n - 1), (vector(of), True))

    return p.witness(
        Some((matrix(i, k),), Every((i, k), _entry(matrix))),
        {matrix: written},
        why="Write the columns of B, and w behind them. It is so in every entry. So there is a "
        "matrix with these columns.",
    )


def _one(entry: int, other: int, coordinate: int) -> tuple[Formula, Formula, Formula, Formula]:
    """Matrices and a vector of one coordinate."""
    return (
        eq(n, 1),
        Every((a, b), eq(left(a, b), entry)),
        Every((a, b), eq(right(a, b), other)),
        Every((a,), eq(vector(a), coordinate)),
    )


_beyond = (*_one(1, 1, 0)[:-1], Every((a,), eq(vector(a), a)))


@theorem(
    "duality.injective",
    source=Source("textbook", "inverse matrices"),
    hypotheses=(SIZE, INVERSE, KERNEL),
    conclusion=zero,
    example=_one(1, 1, 0),
    attack=Attack(
        {
            "w is 1": every(e, 0, n - 1, eq(vector(e), 1)),
            "one coordinate more": every(e, 0, n, eq(vector(e), 0)),
        },
        at={"w is 1": _one(1, 1, 0), "one coordinate more": _beyond},
        idle={SIZE: "without coordinates nothing is said"},
        without={INVERSE: _one(0, 1, 1), KERNEL: _one(1, 1, 1)},
    ),
)
def DUALITY_INJECTIVE(p: Proof) -> None:
    r"""A square matrix with a right inverse takes no vector but 0 to 0

    Real $n\times n$ matrices with $AB=I$: if $Aw=0$, then $w=0$. So a right inverse is a left inverse.
    """
    columns = _columns(p)
    chosen = columns.body()
    known = chosen.given(columns.formula.args[1], "Let M be this matrix.")
    system = p.lemma(DUALITY_HOMOGENEOUS, SIZE, why="There are more unknowns than equations.")
    there = chosen.use(
        system,
        {matrix: matrix},
        why="So some combination of the columns of M is 0, and not all factors are.",
    )
    inner = there.body()
    not_zero, solved = (
        inner.given(part, "Let z be the factors.") for part in there.formula.args[1].args
    )
    place = inner.under(within(e, 0, n - 1))
    combination = sp.Sum(right(e, k) * unknown(k), (k, 0, n - 1))
    whole = place.use(solved, {i: e}, why="This coordinate of the combination is 0.")
    cut = p.last(whole.formula.lhs, "Split off the last column.", SIZE)
    column = (
        chosen.under(within(k, 0, n - 1))
        .use(
            known,
            {i: e, k: k},
            why="The first n are columns of B.",
            goal=eq(matrix(e, k), right(e, k)),
        )
        .times(unknown(k), "Multiply by the factor.")
        .summed(k, 0, n - 1, "Sum over these columns.")
    )
    end = chosen.use(
        known, {i: e, k: n}, why="The last one is w.", goal=eq(matrix(e, n), vector(e))
    )
    both = place.show(
        eq(combination + vector(e) * unknown(n), 0),
        "Multiply by the factor. So this is the combination.",
        (whole, cut, column, end),
    )
    image = both.times(left(a, e), "Multiply by an entry of A.").summed(
        e, 0, n - 1, "Sum over the coordinate."
    )
    factor = _factor(p)
    row = inner.under(within(a, 0, n - 1))
    none = row.show(
        eq(unknown(a), 0),
        "Multiply by the factor of w. So the factor of a column of B is 0.",
        (image, factor, row.use(KERNEL, why="A takes w to 0.")),
    )
    last = _last_factor(inner, not_zero, none)
    nothing = inner.under(within(k, 0, n - 1)).use(
        none, {a: k}, why="The factor of each column is 0."
    )
    zeros = nothing.times(right(e, k), "Multiply by an entry of B.").summed(
        k, 0, n - 1, "So the columns of B add nothing."
    )
    found = place.show(
        eq(vector(e), 0),
        "So only w is left. As its factor is not 0, w is.",
        (both, zeros, last),
        by=rules.smt(),
    ).for_all(e, why="It is so in every coordinate.")
    combined = chosen.choose(
        there, found, "There is such a combination, and w does not depend on it."
    )
    p.choose(columns, combined, "There is such a matrix, and w does not depend on it.")


def _factor(p: Proof) -> Fact:
    """A takes the combination of the columns of B to its factors."""
    term = left(a, e) * right(e, k) * unknown(k)
    inside = sp.Sum(sp.Sum(term, (k, 0, n - 1)), (e, 0, n - 1))
    spread = p.show(
        eq(
            sp.Sum(left(a, e) * sp.Sum(right(e, k) * unknown(k), (k, 0, n - 1)), (e, 0, n - 1)),
            inside,
        ),
        "Multiply the combination term by term.",
    )
    swapped = p.swap(inside, "Exchange the two sums.")
    first = p.show(
        eq(swapped.formula.rhs, sp.Sum(times(a, k) * unknown(k), (k, 0, n - 1))),
        "So A may be multiplied by B first.",
    )
    at = p.under(within(a, 0, n - 1))
    pick = at.lemma(
        SUMS_PICK.at(m=n, p=a, here=sp.Lambda(k, times(a, k)), f=unknown),
        INVERSE,
        why="The product is the unit matrix. Off the diagonal its entry is 0. It is so in every "
        "other column. On the diagonal it is 1. So only the factor of one column is left.",
        goal=eq(first.formula.rhs, unknown(a)),
    )
    return at.chain(spread, swapped, first, pick, why="So A takes the combination to its factors.")


def _last_factor(inner: Scope, not_zero: Fact, none: Fact) -> Fact:
    """The factor of w is not 0, as some factor is not."""
    at = inner.under(not_zero.formula.args[1])
    column = at.under(le(k, n - 1)).use(none, {a: k}, why="The factors of the columns of B are 0.")
    same = at.under(eq(k, n)).rewrite(
        eq(unknown(k), unknown(n)),
        "The only other factor is that of w.",
        at.under(eq(k, n)).given(eq(k, n), "Take the last factor."),
    )
    last = at.show(ne(unknown(n), 0), "So that of w is not 0.", (column, same), by=rules.smt())
    return inner.choose(not_zero, last, "Some factor is not 0.")
