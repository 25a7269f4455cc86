"""Interleaved and half layout: one permutation of the coordinates."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.topics.rope.rotation import inner, rotated

c = integer("c")
X, Y, U, W = (real_function(name) for name in ("x", "y", "u", "v"))
MEANINGS: Meanings = {
    **NOTATION,
    i: "position of the query",
    j: "position of the key, or a plane",
    c: "a coordinate",
    X: vector_in(2 * m, "the query in the interleaved layout"),
    Y: vector_in(2 * m, "the key in the interleaved layout"),
    U: vector_in(2 * m, "the query in the half layout"),
    W: vector_in(2 * m, "the key in the half layout"),
}
plane, other_plane = within(l, 0, m - 1), within(j, 0, m - 1)
coordinate = within(c, 0, 2 * m - 1)


def _interleaved(f: Function, row: Term) -> tuple[Term, Term]:
    return rotated(f(2 * l), f(2 * l + 1), theta(l) * row)


def _half(f: Function, row: Term) -> tuple[Term, Term]:
    return rotated(f(l), f(l + m), theta(l) * row)


def _moved(f: Function, g: Function) -> Formula:
    return every(l, 0, m - 1, Both(eq(f(2 * l), g(l)), eq(f(2 * l + 1), g(l + m))))


def _products(f: Function, g: Function, planes: Term = m) -> Term:
    """The inner product over all coordinates."""
    return sp.Sum(f(c) * g(c), (c, 0, 2 * planes - 1))


def _covers(first: Term, second: Term) -> Formula:
    found = Some((l,), Both(*plane.args, Either(eq(c, first), eq(c, second))))
    return Every((c,), If(coordinate, found))


def _apart(first: Term, second: Term) -> Formula:
    others = first.subs(l, j), second.subs(l, j)
    mixed = Both(ne(first, others[1]), ne(second, others[0]))
    once = Both(If(eq(first, others[0]), eq(l, j)), If(eq(second, others[1]), eq(l, j)))
    return Every((l, j), If(Both(*plane.args, *other_plane.args), Both(mixed, once)))


halves, neighbours = (l, l + m), (2 * l, 2 * l + 1)
left = over_planes(inner(_interleaved(X, i), _interleaved(Y, j)))
right = over_planes(inner(_half(U, i), _half(W, j)))
same_pair = Both(*(eq(one, two) for one, two in zip(_interleaved(X, i), _half(U, i), strict=True)))

PLANES = Hypothesis("there are planes", le(0, m))
QUERY = Hypothesis("the query is permuted", _moved(X, U))
KEY = Hypothesis("the key is permuted", _moved(Y, W))


def _once(p: Proof, first: Term, second: Term) -> Fact:
    """No coordinate belongs to two planes."""
    pair = p.under(plane, other_plane).show(
        _apart(first, second).args[1].args[1], "Two different planes share no coordinate."
    )
    return pair.for_all(l, j, why="This holds for any two planes.")


def _halves_cover(p: Proof) -> Fact:
    found = _covers(*halves).args[1].args[1]
    inside = p.under(coordinate)
    lower = inside.under(le(c, m - 1)).witness(
        found, {l: c}, why="A coordinate c below m belongs to the plane c."
    )
    upper = inside.under(le(m, c)).witness(
        found, {l: c - m}, why="A coordinate c from m on belongs to the plane c - m."
    )
    return inside.show(
        found, "So in either case the coordinate belongs to a plane.", lower, upper
    ).for_all(c, why="This holds for each of the 2m coordinates.")


def _neighbours_cover(p: Proof) -> Fact:
    """Every number is even or odd; below 2m its half is a plane."""

    def parity(number: Term) -> Formula:
        halved = Either(eq(number, 2 * l), eq(number, 2 * l + 1))
        return Some((l,), Both(le(0, l), halved))

    even_or_odd = parity(c).args[1]
    even, odd = even_or_odd.args[1].args
    next_ = parity(c + 1)
    zero = p.witness(parity(sp.Integer(0)), {l: 0}, why="Zero is even, being twice zero.")
    after_even = p.under(le(0, l), even).witness(
        next_, {l: l}, why="The number after an even number 2l is the odd number 2l + 1."
    )
    after_odd = p.under(le(0, l), odd).witness(
        next_, {l: l + 1}, why="The number after an odd number 2l + 1 is the even number 2(l + 1)."
    )
    after = p.under(even_or_odd).show(
        next_, "So the number after an even or odd number is odd or even.", after_even, after_odd
    )
    counted = p.under(le(0, c))
    now = counted.given(parity(c), "Suppose that the number c is even or odd.")
    following = now.scope.choose(now, after, "Then the next number c + 1 is even or odd.")
    every_number = counted.induction(
        parity(c), c, 0, zero, following, why="By induction every number from 0 on is even or odd."
    )
    found = _covers(*neighbours).args[1].args[1]
    place = p.under(coordinate, even_or_odd).witness(
        found,
        {l: l},
        why="The half l of a number below 2m is a plane to which the coordinate belongs.",
    )
    belongs = p.under(coordinate).choose(
        every_number, place, "So a coordinate belongs to a plane, as it is even or odd."
    )
    return belongs.for_all(c, why="This holds for each of the 2m coordinates.")


def _by_pairs(p: Proof) -> Fact:
    """Coordinates counted in pairs."""
    term = X(2 * l) * Y(2 * l) + X(2 * l + 1) * Y(2 * l + 1)

    def counted(planes: Term) -> Formula:
        return eq(_products(X, Y, planes), sp.Sum(term, (l, 0, planes - 1)))

    more, last = p.under(le(0, m)), term.subs(l, m)
    base = p.show(counted(sp.Integer(0)), "Without planes both sums are empty.")
    pair = more.split(
        _products(X, Y, m + 1),
        2 * m - 1,
        "One more plane adds two coordinates to the inner product.",
        goal=eq(_products(X, Y, m + 1), _products(X, Y) + last),
    )
    one = more.last(sp.Sum(term, (l, 0, m)), "One more plane adds one pair to the sum over planes.")
    step = more.under(counted(m)).show(
        counted(m + 1), "So if both sums are equal for m planes, they are for m + 1.", pair, one
    )
    return p.induction(
        counted(m),
        m,
        0,
        base,
        step,
        PLANES,
        why="By induction the inner product is the sum over pairs of coordinates.",
    )


@theorem(
    "rope.layout",
    needs="PTXW",
    hypotheses=(PLANES, QUERY, KEY),
    conclusion=Both(
        Both(_covers(*halves), _apart(*halves), _covers(*neighbours), _apart(*neighbours)),
        every(l, 0, m - 1, same_pair),
        eq(left, right),
        eq(_products(X, Y), _products(U, W)),
    ),
    attack=Attack(
        {
            "halves overlap": _apart(l, l + m - 1),
            "one coordinate more": _covers(l, l + m - 1),
            "halves swapped": eq(
                left, over_planes(inner(_half(U, i), rotated(W(l + m), W(l), theta(l) * j)))
            ),
            "half layout read as interleaved": eq(
                left, over_planes(inner(_interleaved(U, i), _interleaved(W, j)))
            ),
        },
        idle={PLANES: "without planes all sums are empty"},
    ),
)
def ROPE_LAYOUT(p: Proof) -> None:
    """Interleaved and half layout differ by one fixed permutation of coordinates

    Let coordinate $2l$ of the interleaved layout be coordinate $l$ of the half layout and $2l+1$ be
    $l+m$: a permutation of the $2m$ coordinates, the same for every vector. Then rotating at any
    position commutes with it, so logits of permuted queries and keys agree; plain inner products
    over all $2m$ coordinates agree as well.
    """
    inside = p.under(plane)
    query = inside.use(QUERY, why="The permutation moves the query's two coordinates of a plane.")
    key = inside.use(KEY, why="The permutation moves the key's two coordinates of a plane.")
    rotated_ = inside.show(
        same_pair, "Rotating acts on the same pair of numbers in both layouts.", query
    ).for_all(l, why="This holds in every plane.")
    logits = inside.show(
        eq(left.function, right.function),
        "So a plane contributes the same to the logit in both layouts.",
        (query, key),
    ).summed(l, 0, m - 1, "Summed over the planes, the logits of both layouts are equal.")

    counted = _by_pairs(p)
    cut = p.split(
        _products(U, W),
        m - 1,
        "In the half layout, split the inner product into first and second halves.",
        PLANES,
        goal=eq(_products(U, W), over_planes(U(l) * W(l)) + over_planes(U(l + m) * W(l + m))),
    )
    pairs = inside.show(
        eq(counted.formula.rhs.function, U(l) * W(l) + U(l + m) * W(l + m)),
        "A pair of coordinates contributes the same to both inner products.",
        (query, key),
    ).summed(l, 0, m - 1, "So inner products over all coordinates agree.")
    permutation = (_halves_cover(p), _once(p, *halves), _neighbours_cover(p), _once(p, *neighbours))
    p.qed(
        "So the map between the layouts is a permutation with these properties.",
        (permutation, rotated_, logits, counted, cut, pairs),
    )
