"""Finite sums and counting: the same terms in another order, pigeonholes, numerals."""

from ropeproof.theory.joined import joined

__getattr__ = joined(
    __name__,
    "jensen",
    "indicators",
    "order",
    "exchange",
    "sorting",
    "pigeonhole",
    "numerals",
    "highest",
    "fractions",
    "dirichlet",
    "terms",
    "cycle",
    "plain",
    "blocks",
    "digits",
    "expand",
    "triangle",
    "cauchy_schwarz",
    "norm",
)
