"""Bounds of the retrieval construction: margins, temperatures and lengths that it decodes."""

from __future__ import annotations

from ropeproof.numerics.bounds.retrieval.margin import (
    printed_bound,
    retrieval_length,
    retrieval_margin,
    retrieval_margin_by_search,
)
from ropeproof.numerics.bounds.retrieval.separation import SeparationRow, separation
from ropeproof.numerics.bounds.retrieval.symbols import symbol_margin, symbol_spectrum
from ropeproof.numerics.bounds.retrieval.temperature import (
    decode_length,
    retrieval_odds,
    retrieval_temperature,
    retrieval_temperature_in,
)

__all__ = [
    "SeparationRow",
    "decode_length",
    "printed_bound",
    "retrieval_length",
    "retrieval_margin",
    "retrieval_margin_by_search",
    "retrieval_odds",
    "retrieval_temperature",
    "retrieval_temperature_in",
    "separation",
    "symbol_margin",
    "symbol_spectrum",
]
