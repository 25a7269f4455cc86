"""How attention changes when positions are displaced or the input gets longer.

`moves` makes displacements, `displaced` compares one head's attention before and after with the
proved bounds, `longer` its output as the length grows, `apart` how many lags it distinguishes,
`losses` computes the loss of a whole model. Importing this package does not import torch.
"""

from __future__ import annotations

from ropeproof.numerics.bounds.perturbation.apart import LagsApart, lags_apart
from ropeproof.numerics.bounds.perturbation.displaced import Displaced, displaced
from ropeproof.numerics.bounds.perturbation.longer import LongerInput, longer_inputs
from ropeproof.numerics.bounds.perturbation.losses import loss_by_position, token_losses, unmoved
from ropeproof.numerics.bounds.perturbation.moves import (
    neighbour_swaps,
    uniform_moves,
    window_shuffles,
)

__all__ = [
    "Displaced",
    "LagsApart",
    "LongerInput",
    "displaced",
    "lags_apart",
    "longer_inputs",
    "loss_by_position",
    "neighbour_swaps",
    "token_losses",
    "uniform_moves",
    "unmoved",
    "window_shuffles",
]
