"""What keeps the logits at the lags 0 and 1 multiplies each plane by a complex number."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, m
from ropeproof.theory.library.sums.indicators import SUMS_INDICATOR, indicator, whether
from ropeproof.theory.topics.rope.expressive import expressive
from ropeproof.theory.topics.rope.gauge import terms
from ropeproof.theory.topics.rope.gauge.commutant import ROPE_COMMUTANT
from ropeproof.theory.topics.rope.gauge.inverse import ROPE_GAUGE_COMMUTES
from ropeproof.theory.topics.rope.gauge.terms import a, b, f, j, key, on_key, on_query, query

HERE = (terms.PLANES, expressive.IN_RANGE, expressive.DISTINCT)


def number(place: Term) -> tuple[Term, Term]:
    """The number c of a plane: the two entries of A in the plane's first column."""
    return on_query(place, place), on_query(place + m, place)


def size(place: Term) -> Term:
    """The square of the modulus of a plane's number."""
    re, im = number(place)
    return re**2 + im**2


def acts(matrix: Function, vector: Function, factor: tuple[Term, Term], place: Term) -> Formula:
    """The formula that a matrix multiplies a plane of a vector by a complex number."""
    image = terms.times(matrix, vector)
    return Both(
        eq(image(place), factor[0] * vector(place) - factor[1] * vector(place + m)),
        eq(image(place + m), factor[1] * vector(place) + factor[0] * vector(place + m)),
    )


def multiplies(place: Term, key_factor: Callable[..., tuple[Term, Term]]) -> Formula:
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


def opposite(place: Term) -> tuple[Term, Term]:
    """The inverse of the conjugate of c, which is c divided by the square of its modulus."""
    re, im = number(place)
    return re / size(place), im / size(place)


def gauge(key_factor: Callable[..., Any] = opposite) -> Any:
    """The formula that A and B multiply each plane by c and by the key's factor."""
    return every(l, 0, m - 1, multiplies(l, key_factor))


def _alone(here: Scope, term: Term, zero: Fact, why: str) -> Fact:
    """A sum over the planes of which only plane j has a term that is not 0."""
    inside = here.under(within(l, 0, m - 1))
    single = inside.show(
        eq(term, indicator(l, j) * term),
        "The terms of the other planes are 0.",
        (zero, whether(here.proof, (l, j))),
        by=rules.smt(),
    ).summed(l, 0, m - 1, "Sum over the planes.")
    pick = here.lemma(SUMS_INDICATOR.at(p=j, f=sp.Lambda(l, term)), why=why)
    return here.chain(single, pick, why=why)


def _row(here: Scope, row: Term, different: Fact) -> Fact:
    """A row of A times a vector, from the block of its own plane."""
    half = here.proof.use(
        terms.halves(here.proof),
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


def _column(here: Scope, column: Term, undone: Fact, different: Fact) -> Fact:
    """A column of A and B times a vector, from the block of the column's plane."""
    at = here.use(
        undone,
        {key: key, PLACE: column},
        terms.PLANES,
        why="A column of A and B k have this inner product.",
    )
    half = here.proof.use(
        terms.halves(here.proof),
        {f: sp.Lambda(b, on_query(b, column) * terms.times(on_key, key)(b))},
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


def numbers(p: Proof) -> Fact:
    """What keeps the logits at two lags multiplies each plane by a number."""
    given = p.supposing(terms.two_lags)
    undone, commutes = given.lemma(
        ROPE_GAUGE_COMMUTES,
        terms.PLANES,
        why="Suppose that A and B keep the logits at the lags 0 and 1. Then A^T B is the unit "
        "matrix, and A commutes with R_1.",
    ).parts("This is one part of that claim.")
    different, own = given.lemma(
        ROPE_COMMUTANT, HERE[1:], commutes, why="So A has only the blocks of complex numbers."
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
    image = terms.times(on_key, key)
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
