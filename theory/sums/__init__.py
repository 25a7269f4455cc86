"""Finite sums and counting: the same terms in another order, pigeonholes, numerals."""

from ropeproof.theory.sums import (
    cauchy_schwarz,
    cycle,
    dirichlet,
    exchange,
    fractions,
    highest,
    indicators,
    jensen,
    norm,
    numerals,
    order,
    pigeonhole,
    plain,
    sorting,
    terms,
    triangle,
)

CLAIMS = (
    *jensen.CLAIMS,
    *indicators.CLAIMS,
    *order.CLAIMS,
    *exchange.CLAIMS,
    *sorting.CLAIMS,
    *pigeonhole.CLAIMS,
    *numerals.CLAIMS,
    *highest.CLAIMS,
    *fractions.CLAIMS,
    *dirichlet.CLAIMS,
    *terms.CLAIMS,
    *cycle.CLAIMS,
    *plain.CLAIMS,
    *triangle.CLAIMS,
    *cauchy_schwarz.CLAIMS,
    *norm.CLAIMS,
)
