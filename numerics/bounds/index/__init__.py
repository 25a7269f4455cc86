"""Bounds of the index construction: margins, staircases, temperatures, lengths it decodes."""

from __future__ import annotations

from ropeproof.numerics.bounds.index.decode import (
    decode_length,
    index_temperature_in,
)
from ropeproof.numerics.bounds.index.fading import PlaneGroup, log_mean, mean_error, plane_groups
from ropeproof.numerics.bounds.index.margin import (
    Inputs,
    best_one_plane_limit,
    index_margin,
    index_reach,
    one_plane_limit,
)
from ropeproof.numerics.bounds.index.staircase import Drop, Staircase, drops, staircase
from ropeproof.numerics.bounds.index.temperature import (
    index_odds,
    index_temperature,
    temperature_enough,
    temperature_floor,
    temperature_needed,
)

__all__ = [
    "Drop",
    "Inputs",
    "PlaneGroup",
    "Staircase",
    "best_one_plane_limit",
    "decode_length",
    "drops",
    "index_margin",
    "index_odds",
    "index_reach",
    "index_temperature",
    "index_temperature_in",
    "log_mean",
    "mean_error",
    "one_plane_limit",
    "plane_groups",
    "staircase",
    "temperature_enough",
    "temperature_floor",
    "temperature_needed",
]
