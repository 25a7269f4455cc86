"""Hypothesis strategies for heads, vectors and specs, public, for your own tests too.

Every array is drawn entry by entry (no fill value), every float is 0 or of a size from
`2^-20` up, so that products stay normal numbers. Arguments are validated when the strategy is
built and raise `InvalidArgument`. Fields that describe a drawn record are measured on the drawn arrays:
`Cone.aperture`, for one, is the largest deviation that was drawn.
"""

from ropeproof.numerics.strategies.rope import amplitudes, phases, presets, scalings, specs
from ropeproof.numerics.strategies.rows import distributions, logit_rows
from ropeproof.numerics.strategies.sizes import floats, lags, planes, positions
from ropeproof.numerics.strategies.vectors import (
    Cone,
    RankOne,
    cone,
    generic,
    queries_and_keys,
    rank_one,
)

__all__ = [
    "Cone",
    "RankOne",
    "amplitudes",
    "cone",
    "distributions",
    "floats",
    "generic",
    "lags",
    "logit_rows",
    "phases",
    "planes",
    "positions",
    "presets",
    "queries_and_keys",
    "rank_one",
    "scalings",
    "specs",
]
