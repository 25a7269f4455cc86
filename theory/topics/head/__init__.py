"""Positional and symbolic heads: what each is, what excludes them, and what neither can do."""

from ropeproof.theory.topics.head import (
    budget,
    cannot,
    definitions,
    diagonal,
    discrepancy,
    even,
    reflexive,
    scores,
    swaps,
    table,
)
from ropeproof.theory.topics.head.exclusion import (
    all_permutations,
    exclusion,
    geometry,
    robust,
    row_exclusion,
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
