"""Gradient descent that trains a slash head: the experiment of `slash.gd.*` and `slash.flow`.

- `objective`: the loss of copying the token `Delta` back, in closed form over all rows;
- `direction`: the frequency condition `gamma_* > 0`, certified;
- `key`: descent on the key, from zero, with the query fixed; `bounds`: the proved bounds of it;
- `full`: the full model in PyTorch, to compare with the reduced dynamics;
- `joint`: gradient flow on both factors, its conserved quantities and the direction it prefers.
"""

from ropeproof.numerics.bounds.slash.descent.bounds import floor_bound, rate_bound, sharp_rate_bound
from ropeproof.numerics.bounds.slash.descent.direction import BestDirection, best_direction
from ropeproof.numerics.bounds.slash.descent.full import (
    FullDescent,
    cone_embeddings,
    descend_fully,
    shifted_prompts,
)
from ropeproof.numerics.bounds.slash.descent.joint import Flow, balanced_start, flow, game_of
from ropeproof.numerics.bounds.slash.descent.key import Descent, descend, geometric_steps
from ropeproof.numerics.bounds.slash.descent.objective import (
    Evaluation,
    SlashObjective,
    planes_of,
    vector_of,
)

__all__ = [
    "BestDirection",
    "Descent",
    "Evaluation",
    "Flow",
    "FullDescent",
    "SlashObjective",
    "balanced_start",
    "best_direction",
    "cone_embeddings",
    "descend",
    "descend_fully",
    "floor_bound",
    "flow",
    "game_of",
    "geometric_steps",
    "planes_of",
    "rate_bound",
    "sharp_rate_bound",
    "shifted_prompts",
    "vector_of",
]
