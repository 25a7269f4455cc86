"""What is done to the texts: tokens swapped, positions displaced, a gap in the positions, a longer text."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from released.subject import Floats, Json

from ropeproof.numerics.bounds.perturbation import (
    neighbour_swaps,
    token_losses,
    uniform_moves,
    unmoved,
)

__all__ = ["CONDITIONS", "compared", "losses_under"]

CONDITIONS = ("swapped", "moved", "gap")
"""Beside `plain`. `swapped`: neighbouring tokens change places; `moved`: every token's position is displaced;
`gap`: the second half of the text stands further from the first than the model was trained for."""


def losses_under(
    model: Any, prompts: torch.Tensor, settings: Json, number: int
) -> dict[str, Floats]:
    """The losses of one of the prompts, plain and under every condition, `(length - 1,)` each.

    Each prompt has displacements of its own, drawn by its number. Entries that are not compared are NaN.
    """
    tokens = prompts[number]
    length = len(tokens)
    swaps = neighbour_swaps(length, settings["chance"], seed=number)
    order = torch.from_numpy(np.argsort(np.arange(length) + swaps))
    later = np.arange(length) >= length // 2

    def losses(read: torch.Tensor, moves: Any = None) -> Floats:
        found: Floats = token_losses(model, read[None], moves=moves)[0]
        return found

    return {
        "plain": losses(tokens),
        "swapped": np.where(unmoved(swaps), losses(tokens[order]), np.nan),
        "moved": losses(tokens, uniform_moves(length, settings["far"], seed=number)),
        "gap": np.where(later[1:], losses(tokens, np.where(later, settings["gap"], 0)), np.nan),
    }


def compared(found: dict[str, Floats]) -> Json:
    """The mean loss of each prompt, and what each condition adds to the loss of the same predictions.

    `found` is what `losses_under` gives, stacked over the prompts.
    """
    rows: Json = {"plain": found["plain"].mean(1).tolist()}
    for name in CONDITIONS:
        rows[name] = np.nanmean(found[name] - found["plain"], 1).tolist()
    return rows
