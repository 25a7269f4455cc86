"""The retrieval construction in numbers: margins, temperatures, lengths it decodes."""

from __future__ import annotations

from ropeproof.numerics.retrieval.margin import (
    printed_bound,
    retrieval_length,
    retrieval_margin,
    retrieval_margin_by_search,
)
from ropeproof.numerics.retrieval.separation import SeparationRow, separation
from ropeproof.numerics.retrieval.symbols import symbol_margin, symbol_spectrum
from ropeproof.numerics.retrieval.temperature import (
    decode_length,
    logit_error,
    retrieval_odds,
    retrieval_temperature,
    retrieval_temperature_in,
)

__all__ = [
    "SeparationRow",
    "decode_length",
    "logit_error",
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
