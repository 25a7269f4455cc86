"""Finite sums and counting: the same terms in another order, pigeonholes, numerals."""

from ropeproof.theory.library.sums import (
    blocks,
    cycle,
    dirichlet,
    exchange,
    expand,
    indicators,
    order,
    pigeonhole,
    plain,
    sorting,
    terms,
    triangle,
)
from ropeproof.theory.library.sums.inequalities import cauchy_schwarz, jensen, norm
from ropeproof.theory.library.sums.numerals import digits, fractions, highest, numerals

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
    *blocks.CLAIMS,
    *digits.CLAIMS,
    *expand.CLAIMS,
    *triangle.CLAIMS,
    *cauchy_schwarz.CLAIMS,
    *norm.CLAIMS,
)
