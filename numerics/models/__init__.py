"""The heads of transformers models as they run: their queries, keys, rotations and scores.

`visit` shows the vectors of one layer after the other during a forward pass, `capture` keeps those
of all layers, `passes` reads chosen heads out of the passes of a training, `scores` scores every head of
a model, `capped` runs a model with capped distances.
Importing this package imports neither torch nor transformers.
"""

from __future__ import annotations

from ropeproof.numerics.models.capped import CAPPED_FAMILIES, capped_distances
from ropeproof.numerics.models.capture import CapturedHeads, capture_heads
from ropeproof.numerics.models.families import FAMILIES
from ropeproof.numerics.models.scores import HeadScores, head_scores
from ropeproof.numerics.models.visit import LayerHeads, visit_layers

__all__ = [
    "CAPPED_FAMILIES",
    "FAMILIES",
    "CapturedHeads",
    "HeadScores",
    "LayerHeads",
    "capped_distances",
    "capture_heads",
    "head_scores",
    "visit_layers",
]
