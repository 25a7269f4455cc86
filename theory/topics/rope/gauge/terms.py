"""Matrices that act on queries and keys before the rotation, and the logit of two vectors at a lag."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, m, theta
from ropeproof.theory.library.sums.indicators import indicator

a, b, c, j, h = integer("a b c j h")
on_query, on_key = real_function("A"), real_function("B")
query, key = real_function("q"), real_function("k")
lag = real("t")
MEANINGS: Meanings = {
    **NOTATION,
    **dict.fromkeys((b, c, h), "a coordinate"),
    j: "a plane",
    on_query: vector_in(2 * m, "what acts on queries before the rotation", matrix=True),
    on_key: vector_in(2 * m, "what acts on keys before the rotation", matrix=True),
    query: vector_in(2 * m, "a query; plane l has the coordinates l and l + m"),
    key: vector_in(2 * m, "a key"),
    lag: "a lag, any real number",
}
f = real_function("f")


def over(term: Term, index: Term = b) -> Term:
    """The sum of a term over all coordinates, 0..2m-1."""
    return sp.Sum(term, (index, 0, 2 * m - 1))


def over_planes(term: Term | int) -> Term:
    """The sum of a term in `l` over all planes."""
    return sp.Sum(term, (l, 0, m - 1))


def times(matrix: Any, vector: Any) -> Any:
    """A matrix times a vector, as a function of the coordinate."""
    return lambda row: over(matrix(row, h) * vector(h), h)


def share(at: Term | int, first: Any, second: Callable[..., Term | int]) -> Any:
    """What a plane, of the coordinates l and l + m, adds to the logit of two vectors at a lag."""
    along = first(l) * second(l) + first(l + m) * second(l + m)
    across = first(l + m) * second(l) - first(l) * second(l + m)
    return sp.cos(at * theta(l)) * along - sp.sin(at * theta(l)) * across


def logit_of(first: Callable[..., Term | int], second: Callable[..., Term | int], at: Term) -> Term:
    """The inner product of R_i x and R_j y at the lag i - j."""
    return over_planes(share(at, first, second))


def unit(place: Term | int) -> Any:
    """The unit vector of a coordinate."""
    return lambda coordinate: indicator(coordinate, place)


def same_at(at: Term) -> Formula:
    """The formula that A and B keep the logit of q and k at a lag."""
    return eq(logit_of(times(on_query, query), times(on_key, key), at), logit_of(query, key, at))


two_lags = Every((query(a), key(a)), Both(same_at(sp.Integer(0)), same_at(sp.Integer(1))))
PLANES = Hypothesis("m is a number of planes", le(0, m))
TWO_LAGS = Hypothesis("A and B keep the logits of all q and k at the lags 0 and 1", two_lags)
coordinate = Both(*within(a, 0, 2 * m - 1).args, *within(c, 0, 2 * m - 1).args)
planes = Both(*within(l, 0, m - 1).args, *within(j, 0, m - 1).args)


def inverse(entry: Term) -> Formula:
    """The formula that an entry of a product is that of the unit matrix."""
    return Both(If(eq(a, c), eq(entry, 1)), If(ne(a, c), eq(entry, 0)))


inverses = Every(
    (key(a), c),
    If(within(c, 0, 2 * m - 1), eq(over(on_query(b, c) * times(on_key, key)(b)), key(c))),
)
"""A^T B k = k for all k."""


def intertwines(
    row: Term, column: Term, back: int = 1
) -> tuple[Formula, Formula, Formula, Formula]:
    """The equations that say R_1 A = A R_1 in the block of a plane (row) and a plane (column)."""
    along, across = sp.cos(theta(row)), sp.sin(theta(row))
    near, turned = sp.cos(theta(column)), back * sp.sin(theta(column))
    first, second = on_query(row, column), on_query(row, column + m)
    third, fourth = on_query(row + m, column), on_query(row + m, column + m)
    return (
        eq(along * first - across * third, near * first + turned * second),
        eq(across * first + along * third, near * third + turned * fourth),
        eq(along * second - across * fourth, near * second - turned * first),
        eq(across * second + along * fourth, near * fourth - turned * third),
    )


commutes = Every((l, j), If(planes, Both(*intertwines(l, j))))
"""R_1 A = A R_1."""


def halves(p: Proof) -> Fact:
    """A sum over all coordinates is one over the planes."""
    whole = over(f(b))
    cut = p.split(whole, m - 1, "Split the coordinates in two halves.", PLANES)
    return p.show(
        eq(whole, over_planes(f(l) + f(l + m))),
        "Count the coordinates of the second half from 0. So a sum over coordinates is one "
        "over planes.",
        cut,
    )


# -- instances of one plane or two ---------------------------------------------------------


def diagonal(value: Term | int) -> Term:
    """A multiple of the unit matrix."""
    return sp.Piecewise((value, eq(a, b)), (0, True))


quarter = b * (1 - a) * -1 + a * (1 - b)
"""The quarter turn of one plane."""


def as_instance(
    queries: Term | int, keys: Term | int, count: int = 1, frequency: Term | int = 1
) -> tuple[Formula, Formula, Formula, Formula]:
    """An instance with these matrices, given as terms in their row a and their column b."""
    return (
        eq(m, count),
        Every((l,), eq(theta(l), frequency)),
        Every((a, b), eq(on_query(a, b), queries)),
        Every((a, b), eq(on_key(a, b), keys)),
    )
