"""Positional and symbolic heads: what each is, what excludes them, and what neither can do."""

from ropeproof.theory.head import (
    all_permutations,
    budget,
    cannot,
    definitions,
    diagonal,
    discrepancy,
    even,
    exclusion,
    geometry,
    reflexive,
    robust,
    row_exclusion,
    scores,
    swaps,
    table,
)

CLAIMS = (
    *table.CLAIMS,
    *even.CLAIMS,
    *exclusion.CLAIMS,
    *all_permutations.CLAIMS,
    *scores.CLAIMS,
    *geometry.CLAIMS,
    *diagonal.CLAIMS,
    *swaps.CLAIMS,
    *row_exclusion.CLAIMS,
    *definitions.CLAIMS,
    *discrepancy.CLAIMS,
    *robust.CLAIMS,
    *cannot.CLAIMS,
    *budget.CLAIMS,
    *reflexive.CLAIMS,
)
