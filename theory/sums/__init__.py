"""Finite sums and counting: the same terms in another order, pigeonholes, numerals."""

from ropeproof.theory.sums import (
    cycle,
    exchange,
    indicators,
    jensen,
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
    *terms.CLAIMS,
    *cycle.CLAIMS,
    *plain.CLAIMS,
    *triangle.CLAIMS,
)
