"""Logits of a column of A with B times a vector, at the lags 0 and 1."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, m, theta
from ropeproof.theory.library.sums.indicators import SUMS_INDICATOR, indicator
from ropeproof.theory.topics.rope.gauge import terms
from ropeproof.theory.topics.rope.gauge.terms import (
    a,
    b,
    c,
    f,
    j,
    key,
    on_key,
    on_query,
    query,
    times,
)

MEANINGS: Meanings = NOTATION

Vector = Callable[..., Term]
"""A function from a coordinate to a term."""


def picks(at: Scope, matrix: Function, column: Term, place: Term) -> Fact:
    """A matrix takes a unit vector to its column, in one row."""
    return at.lemma(
        SUMS_INDICATOR.at(m=2 * m, p=column, f=sp.Lambda(b, matrix(place, b))),
        why="A matrix takes a unit vector to its column.",
        goal=eq(times(matrix, terms.unit(column))(place), matrix(place, column)),
    )


def column(of: Term) -> Vector:
    """A column of A."""
    return lambda place: on_query(place, of)


def of_column(p: Proof, at: Term) -> Fact:
    """The logit of a column of A and B times a vector is that of the unit vector and the vector."""
    here = p.under(within(c, 0, 2 * m - 1))
    entries = [picks(here, on_query, c, place) for place in (l, l + m)]
    moved = times(on_key, key)
    term = here.rewrite(
        eq(
            terms.share(at, times(on_query, terms.unit(c)), moved),
            terms.share(at, column(c), moved),
        ),
        "So the column stands for A times the unit vector.",
        *entries,
    ).summed(l, 0, m - 1, "Sum over the planes.")
    said = here.use(
        terms.TWO_LAGS,
        {query: sp.Lambda(a, indicator(a, c)), key: key},
        why="Take a unit vector for the query.",
        goal=eq(
            terms.logit_of(times(on_query, terms.unit(c)), moved, at),
            terms.logit_of(terms.unit(c), key, at),
        ),
    )
    return here.step(
        eq(terms.logit_of(column(c), moved, at), terms.logit_of(terms.unit(c), key, at)),
        rules.chain(),
        "So this is the logit of the unit vector.",
        term,
        said,
    )


def lag_zero(p: Proof) -> Fact:
    """A column of A and B times a vector have the vector's coordinate as their inner product."""
    said = of_column(p, sp.Integer(0))
    here = said.scope
    half = p.use(
        terms.halves(p),
        {f: sp.Lambda(b, indicator(b, c) * key(b))},
        why="The sum over the planes is one over the coordinates.",
    )
    pick = here.lemma(
        SUMS_INDICATOR.at(m=2 * m, p=c, f=key), why="The unit vector picks one coordinate."
    )
    return here.show(
        eq(said.formula.lhs, key(c)), "So the inner product is this coordinate.", (said, half, pick)
    )


def lag_one(p: Proof, second: bool) -> Fact:
    """At lag 1 the logit of a column of A is a coordinate of the turned vector."""
    said = of_column(p, sp.Integer(1))
    of = j + m if second else j
    here = p.under(within(j, 0, m - 1))
    at = here.use(said, {c: of}, terms.PLANES, why="Take a column of this half.")
    inside = here.under(within(l, 0, m - 1))
    sign = -1 if second else 1
    value = sp.cos(theta(l)) * key(l + m if second else l) + sign * sp.sin(theta(l)) * key(
        l if second else l + m
    )
    term = inside.show(
        eq(terms.share(sp.Integer(1), terms.unit(of), key), indicator(l, j) * value),
        "The unit vector is 0 on the other half. So only its own plane contributes.",
        terms.PLANES,
    ).summed(l, 0, m - 1, "Sum over the planes.")
    pick = here.lemma(
        SUMS_INDICATOR.at(p=j, f=sp.Lambda(l, value)), why="The unit vector picks one plane."
    )
    return here.chain(at, term, pick, why="So the logit is a coordinate of the turned vector.")
