"""Which linear changes of queries and keys keep all logits: one complex number for each plane."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, m
from ropeproof.theory.library.sums.indicators import SUMS_INDICATOR, indicator, plane, whether
from ropeproof.theory.library.sums.indicators import f as picked
from ropeproof.theory.topics.rope.expressive import expressive
from ropeproof.theory.topics.rope.gauge.commutant import ROPE_COMMUTANT
from ropeproof.theory.topics.rope.gauge.inverse import ROPE_GAUGE_COMMUTES
from ropeproof.theory.topics.rope.gauge.terms import (
    PLANES,
    a,
    as_instance,
    b,
    diagonal,
    f,
    halves,
    j,
    key,
    lag,
    on_key,
    on_query,
    quarter,
    query,
    same_at,
    share,
    times,
    two_lags,
)

HERE = (PLANES, expressive.IN_RANGE, expressive.DISTINCT)


def number(place: Any) -> tuple[Any, Any]:
    """The number c of a plane: the two entries of A in the plane's first column."""
    return on_query(place, place), on_query(place + m, place)


def size(place: Any) -> Any:
    """The square of the modulus of a plane's number."""
    re, im = number(place)
    return re**2 + im**2


def acts(matrix: Any, vector: Any, factor: tuple[Any, Any], place: Any) -> Any:
    """The formula that a matrix multiplies a plane of a vector by a complex number."""
    image = times(matrix, vector)
    return Both(
        eq(image(place), factor[0] * vector(place) - factor[1] * vector(place + m)),
        eq(image(place + m), factor[1] * vector(place) + factor[0] * vector(place + m)),
    )


def multiplies(place: Any, key_factor: Any) -> Any:
    """The formula that A multiplies a plane by c, which is not 0, and B by the key's factor."""
    return Both(
        lt(0, size(place)),
        Every(
            (query(a), key(a)),
            Both(
                acts(on_query, query, number(place), place),
                acts(on_key, key, key_factor(place), place),
            ),
        ),
    )


def opposite(place: Any) -> tuple[Any, Any]:
    """The inverse of the conjugate of c, which is c divided by the square of its modulus."""
    re, im = number(place)
    return re / size(place), im / size(place)


def gauge(key_factor: Any = opposite) -> Any:
    """The formula that A and B multiply each plane by c and by the key's factor."""
    return every(l, 0, m - 1, multiplies(l, key_factor))


every_lag = Every((query(a), key(a), lag), same_at(lag))


def _alone(here: Scope, term: Any, zero: Fact, why: str) -> Fact:
    """A sum over the planes of which only plane j has a term that is not 0."""
    inside = here.under(within(l, 0, m - 1))
    single = inside.show(
        eq(term, indicator(l, j) * term),
        "The terms of the other planes are 0.",
        (zero, whether(here.proof, (l, j))),
        by=rules.smt(),
    ).summed(l, 0, m - 1, "Sum over the planes.")
    pick = here.lemma(SUMS_INDICATOR, {plane: j, picked: sp.Lambda(l, term)}, why=why)
    return here.chain(single, pick, why=why)


def _row(here: Scope, row: Any, different: Fact) -> Fact:
    """A row of A times a vector, from the block of its own plane."""
    half = here.proof.use(
        halves(here.proof),
        {f: sp.Lambda(b, on_query(row, b) * query(b))},
        why="A row times a vector is a sum over the planes.",
    )
    other = here.under(within(l, 0, m - 1), ne(l, j)).use(
        different, {l: j, expressive.j: l}, why="The block of two planes is 0."
    )
    term = half.formula.rhs.function
    zero = other.scope.show(eq(term, 0), "So this plane adds nothing.", other, by=rules.smt())
    alone = _alone(here, term, zero, "So only the row's own plane is left.")
    return here.chain(half, alone, why="So the row times the vector is this.")


def _column(here: Scope, column: Any, undone: Fact, different: Fact) -> Fact:
    """A column of A and B times a vector, from the block of the column's plane."""
    at = here.use(
        undone,
        {key: key, PLACE: column},
        PLANES,
        why="A column of A and B k have this inner product.",
    )
    half = here.proof.use(
        halves(here.proof),
        {f: sp.Lambda(b, on_query(b, column) * times(on_key, key)(b))},
        why="The inner product is a sum over the planes.",
    )
    other = here.under(within(l, 0, m - 1), ne(l, j)).use(
        different, {l: l, expressive.j: j}, why="The block of two planes is 0."
    )
    term = half.formula.rhs.function
    zero = other.scope.show(eq(term, 0), "So this plane adds nothing.", other, by=rules.smt())
    alone = _alone(here, term, zero, "So only the column's own plane is left.")
    return here.step(
        eq(alone.formula.rhs, key(column)),
        rules.chain(),
        "So its two terms add up to the coordinate.",
        alone,
        half,
        at,
    )


PLACE = integer("c")


def _numbers(p: Proof) -> Fact:
    """What keeps the logits at two lags multiplies each plane by a number."""
    given = p.supposing(two_lags)
    lags = given.given(two_lags, "Suppose that A and B keep the logits at the lags 0 and 1.")
    undone, commutes = given.lemma(
        ROPE_GAUGE_COMMUTES,
        None,
        PLANES,
        lags,
        why="Then A^T B is the unit matrix, and A commutes with R_1.",
    ).parts("This is one part of that claim.")
    different, own = given.lemma(
        ROPE_COMMUTANT, None, HERE[1:], commutes, why="So A has only the blocks of complex numbers."
    ).parts("This is one part of that claim.")
    here = given.under(within(j, 0, m - 1))
    number = here.use(own, {l: j}, why="The block of this plane is that of a complex number.")
    rows = [_row(here, row, different) for row in (j, j + m)]
    columns = [_column(here, column, undone, different) for column in (j, j + m)]
    return _named(here, number, rows, columns)


def _named(here: Scope, number: Fact, rows: list[Fact], columns: list[Fact]) -> Fact:
    """The numbers are read off the columns of A."""
    re, im = on_query(j, j), on_query(j + m, j)
    one = columns[0]
    unit_key = one.scope.use(
        one, {key: sp.Lambda(a, indicator(a, j))}, why="Take a unit vector for the key."
    )
    positive = here.show(
        lt(0, re**2 + im**2), "So the number of this plane is not 0.", unit_key, by=rules.smt()
    )
    image = times(on_key, key)
    first, second = columns
    straight = [
        here.show(
            eq(re * image(j) + im * image(j + m), key(j)), "So the first column says this.", first
        ),
        here.show(
            eq(re * image(j + m) - im * image(j), key(j + m)),
            "So the second column says this.",
            second,
            number,
            by=rules.smt(),
        ),
    ]
    scaled = [
        fact.times(by, "Multiply by a part of the number.") for fact in straight for by in (re, im)
    ]
    wanted = (re * key(j) - im * key(j + m), im * key(j) + re * key(j + m))
    solved = [
        here.show(
            eq((re**2 + im**2) * image(place), value),
            "So the coordinate of B k, times the square of the modulus, is this.",
            scaled,
        )
        for place, value in zip((j, j + m), wanted, strict=True)
    ]
    scale = re**2 + im**2
    on_queries = here.show(
        acts(on_query, query, (re, im), j),
        "So A multiplies this plane by its number.",
        rows,
        number,
        by=rules.smt(),
    )
    on_keys = here.show(
        acts(on_key, key, (re / scale, im / scale), j),
        "So B multiplies it by the inverse of the conjugate.",
        solved,
        positive,
        by=rules.smt(),
    )
    both = here.show(
        Both(on_queries.formula, on_keys.formula), "This is how A and B act.", on_queries, on_keys
    ).for_all(query(a), key(a), why="They act so on all queries and keys.")
    return here.show(
        Both(positive.formula, both.formula), "So it is in this plane.", positive, both
    ).for_all(j, why="So it is in every plane.")


def _back(p: Proof) -> Fact:
    """Numbers for the planes keep the logits at every lag."""
    given = p.supposing(gauge())
    known = given.given(gauge(), "Suppose that A and B multiply the planes by such numbers.")
    here = given.under(within(l, 0, m - 1))
    positive, acts_ = here.use(known, why="In this plane A and B act so.").parts(
        "This is one part."
    )
    both = here.use(acts_, {query: query, key: key}, why="Take a query and a key.")
    parts = both.parts("This is one coordinate.")
    values = {fact.formula.lhs: fact.formula.rhs for fact in parts}
    term = share(lag, times(on_query, query), times(on_key, key))
    put = here.rewrite(eq(term, term.xreplace(values)), "Put in the coordinates.", *parts)
    same = here.show(
        eq(put.formula.rhs, share(lag, query, key)),
        "The number and the inverse of its conjugate cancel.",
        positive,
    )
    total = here.chain(put, same, why="So the plane adds what it added.").summed(
        l, 0, m - 1, "Sum over the planes."
    )
    return total.for_all(
        query(a), key(a), lag, why="It is so for all queries and keys and at every lag."
    )


def _inverse(place: Any) -> tuple[Any, Any]:
    re, im = number(place)
    return re / size(place), -im / size(place)


_shear = sp.Piecewise((1, eq(a, b)), (b, a < b), (0, True))
_sheared_back = sp.Piecewise((1, eq(a, b)), (-a, b < a), (0, True))
_place = 4 * a + b
_mixed = as_instance(
    sp.Piecewise((1, eq(a, b)), (1, eq(_place, 1)), (1, eq(_place, 11)), (0, True)),
    sp.Piecewise((1, eq(a, b)), (-1, eq(_place, 4)), (-1, eq(_place, 14)), (0, True)),
    2,
)
"""Two planes of one frequency: A adds the second to the first, B takes the first from the second."""


@theorem(
    "rope.gauge",
    role="main result",
    source=Source(
        "ropeproof",
        "own statement and proof; compare the Lean survey of Basu (2026), pages on the commutant, and the "
        "abstract of Wang & Wang, Complete Characterization of Gauge Symmetries (2025)",
    ),
    needs="PTXW",
    hypotheses=HERE,
    conclusion=Both(If(two_lags, gauge()), If(gauge(), every_lag)),
    conditions=(as_instance(diagonal(1), diagonal(1), 2, l + 1),),
    attack=Attack(
        {
            "B by the number itself": Both(
                If(two_lags, gauge(number)), If(gauge(number), every_lag)
            ),
            "B by the inverse": Both(If(two_lags, gauge(_inverse)), If(gauge(_inverse), every_lag)),
            "lag 0 alone": If(Every((query(a), key(a)), same_at(sp.Integer(0))), gauge()),
        },
        at={
            "B by the number itself": as_instance(diagonal(2), diagonal(sp.Rational(1, 2))),
            "B by the inverse": as_instance(quarter, quarter),
            "lag 0 alone": as_instance(_shear, _sheared_back),
        },
        idle={PLANES: "without planes nothing is said"},
        without={
            expressive.IN_RANGE: as_instance(_shear, _sheared_back, frequency=0),
            expressive.DISTINCT: _mixed,
        },
    ),
)
def ROPE_GAUGE(p: Proof) -> None:
    r"""RoPE sees every linear change of queries and keys but one complex number for each plane

    Distinct frequencies $\theta_l\in(0,\pi)$, $l<m$. Real $2m\times2m$ matrices $A,B$ keep all logits at two
    lags, $\langle R_iAq,R_jBk\rangle=\langle R_iq,R_jk\rangle$ for all $q,k$ at $i-j=0$ and $i-j=1$, if and
    only if there are complex numbers $c_l\ne0$, namely $c_l=A_{l,l}+\mathrm iA_{l+m,l}$, such that $A$
    multiplies plane $l$ of every $q$ by $c_l$ and $B$ that of every $k$ by $1/\overline{c_l}$.
    Then the logits are the same at every lag.
    """
    p.qed("These are the two directions.", _numbers(p), _back(p))
