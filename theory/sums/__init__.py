"""Finite sums and counting: the same terms in another order, pigeonholes, numerals."""

from __future__ import annotations

from ropeproof.theory.sums import cycle, indicators, numerals, order, pigeonhole, terms
from ropeproof.theory.sums.indicators import indicator
from ropeproof.theory.sums.order import back, f, forth, here, k, plane

__all__ = ["CLAIMS", "back", "f", "forth", "here", "indicator", "k", "plane"]

CLAIMS = (
    *indicators.CLAIMS,
    *order.CLAIMS,
    *pigeonhole.CLAIMS,
    *numerals.CLAIMS,
    *terms.CLAIMS,
    *cycle.CLAIMS,
)
