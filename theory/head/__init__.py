"""Positional and symbolic heads: what each is, what excludes them, and what neither can do."""

from __future__ import annotations

from ropeproof.theory.head import budget, cannot, even, exclusion, robust, scores, table

__all__ = ["CLAIMS"]

CLAIMS = (
    *table.CLAIMS,
    *even.CLAIMS,
    *exclusion.CLAIMS,
    *scores.CLAIMS,
    *robust.CLAIMS,
    *cannot.CLAIMS,
    *budget.CLAIMS,
)
