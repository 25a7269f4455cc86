"""Heads as they are learned: queries and keys of rank one with scalars of their own (section 10)."""

from ropeproof.theory.slash.learned import (
    band_dominance,
    cells,
    contextual,
    emergence_typical,
    factor,
    factor_emergence,
    independence,
    law,
    moments,
    parabola,
    precision,
    quantile_mean,
    quantiles,
    scaling_survival,
    signed,
)

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
