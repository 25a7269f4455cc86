"""Finite sums and counting: the same terms in another order, pigeonholes, numerals."""

from ropeproof.theory.sums import (
    cycle,
    indicators,
    jensen,
    numerals,
    order,
    pigeonhole,
    sorting,
    terms,
)

CLAIMS = (
    *jensen.CLAIMS,
    *indicators.CLAIMS,
    *order.CLAIMS,
    *sorting.CLAIMS,
    *pigeonhole.CLAIMS,
    *numerals.CLAIMS,
    *terms.CLAIMS,
    *cycle.CLAIMS,
)
