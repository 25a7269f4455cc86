"""Bounds of partial induction, absolute index and information retrieval, and the u-shape."""

from __future__ import annotations

from ropeproof.numerics.bounds.partial_induction.enough import (
    info_retrieval_temperature_enough,
    partial_induction_temperature_enough,
)
from ropeproof.numerics.bounds.partial_induction.margins import (
    PartialInductionMargin,
    absolute_index_margin,
    absolute_index_masses,
    absolute_index_temperature,
    info_retrieval_length,
    info_retrieval_margin,
    partial_induction_margin,
    sharp_partial_induction,
    sharp_recency,
    sharp_symbol_amplitude,
)
from ropeproof.numerics.bounds.partial_induction.u_shape import (
    WeightByPlace,
    index_weight_by_place,
    symbol_weight_by_place,
)

__all__ = [
    "PartialInductionMargin",
    "WeightByPlace",
    "absolute_index_margin",
    "absolute_index_masses",
    "absolute_index_temperature",
    "index_weight_by_place",
    "info_retrieval_length",
    "info_retrieval_margin",
    "info_retrieval_temperature_enough",
    "partial_induction_margin",
    "partial_induction_temperature_enough",
    "sharp_partial_induction",
    "sharp_recency",
    "sharp_symbol_amplitude",
    "symbol_weight_by_place",
]
