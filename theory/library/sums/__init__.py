"""Finite sums, counting and order: the same terms in another order, pigeonholes, numerals, products."""

from ropeproof.theory.lazy_topics import joined

__getattr__ = joined(
    __name__,
    "inequalities.jensen",
    "indicators",
    "permutation",
    "exchange",
    "sorting",
    "pigeonhole",
    "numerals.numerals",
    "numerals.highest",
    "numerals.fractions",
    "dirichlet",
    "terms",
    "series.cycle",
    "plain",
    "blocks",
    "numerals.digits",
    "expand",
    "triangle",
    "inequalities.cauchy_schwarz",
    "inequalities.norm",
    "inequalities.falling_mean",
    "two_of_three",
    "series.geometric",
    "even",
    "series.cycle_exponentials",
    "ropeproof.theory.library.order",
)
