"""Heads as they are learned: queries and keys of rank one with scalars of their own (section 10)."""

from ropeproof.theory.topics.slash.learned import (
    band_dominance,
    contextual,
    emergence_typical,
    factor,
    factor_emergence,
    precision,
    scaling_survival,
    signed,
)
from ropeproof.theory.topics.slash.learned.law import independence, law, moments, parabola
from ropeproof.theory.topics.slash.learned.quantiles import cells, quantile_mean, quantiles

CLAIMS = (
    *factor.CLAIMS,
    *factor_emergence.CLAIMS,
    *signed.CLAIMS,
    *band_dominance.CLAIMS,
    *scaling_survival.CLAIMS,
    *precision.CLAIMS,
    *cells.CLAIMS,
    *independence.CLAIMS,
    *law.CLAIMS,
    *emergence_typical.CLAIMS,
    *quantile_mean.CLAIMS,
    *quantiles.CLAIMS,
    *parabola.CLAIMS,
    *moments.CLAIMS,
    *contextual.CLAIMS,
)
