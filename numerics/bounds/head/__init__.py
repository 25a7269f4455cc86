"""Positional and symbolic scores of attention heads, from the logits of contents at positions.

`table` has the logits of every content at every position, `scores` the positional and the symbolic
score (`head.score-table`), `geometry` the scores that one swap can have (`head.score-geometry`),
`exclusion` how little the logits of a head that is both can vary (`head.exclusion`). Heads of transformers
models are read by `ropeproof.numerics.models`. Importing this package does not import torch.
"""

from __future__ import annotations

from ropeproof.numerics.bounds.head.exclusion import Exclusion, exclusion_terms
from ropeproof.numerics.bounds.head.geometry import geometry_residual, imbalance_bound, swap_angles
from ropeproof.numerics.bounds.head.scores import (
    Scores,
    Swaps,
    purity,
    swap_scores,
    swaps,
    vector_scores,
)
from ropeproof.numerics.bounds.head.table import ContentTable, content_table

__all__ = [
    "ContentTable",
    "Exclusion",
    "Scores",
    "Swaps",
    "content_table",
    "exclusion_terms",
    "geometry_residual",
    "imbalance_bound",
    "purity",
    "swap_angles",
    "swap_scores",
    "swaps",
    "vector_scores",
]
