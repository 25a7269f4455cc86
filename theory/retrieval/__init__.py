"""Heads that retrieve by symbol: the construction, its margin, and what separates it from indexing."""

from __future__ import annotations

from ropeproof.theory.retrieval import construction, margin, printed, separation, temperature

__all__ = ["CLAIMS"]

CLAIMS = (
    *construction.CLAIMS,
    *margin.CLAIMS,
    *printed.CLAIMS,
    *temperature.CLAIMS,
    *separation.CLAIMS,
)
