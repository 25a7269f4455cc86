"""Heads as they are learned: queries and keys of rank one with scalars of their own (section 10)."""

from ropeproof.theory.lazy_topics import joined

__getattr__ = joined(
    __name__,
    "factor",
    "factor_emergence",
    "signed",
    "band_dominance",
    "scaling_survival",
    "precision",
    "quantiles.grid",
    "law.draw",
    "law.law",
    "emergence_typical",
    "quantiles.quantile_mean",
    "quantiles.quantiles",
    "law.moments",
    "contextual",
)
