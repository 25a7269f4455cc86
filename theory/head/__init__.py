"""Positional and symbolic heads: what each is, what excludes them, and what neither can do."""

from ropeproof.theory.head import budget, cannot, even, exclusion, geometry, robust, scores, table

CLAIMS = (
    *table.CLAIMS,
    *even.CLAIMS,
    *exclusion.CLAIMS,
    *scores.CLAIMS,
    *geometry.CLAIMS,
    *robust.CLAIMS,
    *cannot.CLAIMS,
    *budget.CLAIMS,
)
