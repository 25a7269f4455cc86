"""Prompts as a model is given them: token ids, and which of them are padding.

Attention is causal, so what stands after a prompt's end changes nothing before it. Every prompt is
moved to the start of its row, at positions `0, 1, ...`, and runs as it would alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ropeproof.theory.errors import InvalidArgument

if TYPE_CHECKING:
    import torch

__all__ = ["Prompts", "check_tokens", "read_prompts", "read_tokens"]


@dataclass(frozen=True, eq=False)
class Prompts:
    """A batch of prompts, each moved to the start of its row.

    - `tokens`: `(batch, longest)`; after a prompt's end its own first token is repeated;
    - `lengths`: the number of tokens of each prompt, `(batch,)`.
    """

    tokens: torch.Tensor
    lengths: tuple[int, ...]

    @property
    def longest(self) -> int:
        """The length of the longest prompt."""
        return max(self.lengths)

    def by_length(self) -> list[tuple[int, list[int]]]:
        """Every length that occurs, increasing, with the indices of the prompts that have it."""
        return [
            (length, np.flatnonzero(np.equal(self.lengths, length)).tolist())
            for length in sorted(set(self.lengths))
        ]

    def some(self, numbers: list[int]) -> Prompts:
        """The prompts with the given indices, in that order, cut to the longest of them."""
        lengths = tuple(self.lengths[number] for number in numbers)
        return Prompts(self.tokens[numbers, : max(lengths)], lengths)


def read_prompts(input_ids: Any, attention_mask: Any = None) -> Prompts:
    """The prompts of a batch `(batch, length)`, without their padding.

    `attention_mask` is 1 (or True) at a prompt's tokens and 0 at padding, on either side of them,
    as tokenizers make it. Ids at padding are not read.

    Raises `InvalidArgument` if the mask has another shape or other entries, or if a row of it has
    no token or padding between tokens.
    """
    import torch

    tokens = read_tokens(input_ids)
    if attention_mask is None:
        return Prompts(tokens, (tokens.shape[1],) * len(tokens))
    allowed = f"0 and 1 of shape {tuple(tokens.shape)}, as input_ids"
    try:
        mask = torch.as_tensor(attention_mask).to(tokens.device)
    except (TypeError, ValueError, RuntimeError):
        raise InvalidArgument("attention_mask", attention_mask, allowed) from None
    if mask.shape != tokens.shape or mask.is_complex():
        got = f"{mask.dtype} of shape {tuple(mask.shape)}"
        raise InvalidArgument("attention_mask", got, allowed)
    if not bool(((mask == 0) | (mask == 1)).all()):
        raise InvalidArgument("attention_mask", "other numbers than 0 and 1", allowed)
    kept, lengths = mask.bool(), []
    rows = tokens.new_empty(tokens.shape)
    for number, (row, here) in enumerate(zip(tokens, kept, strict=True)):
        places = here.nonzero()[:, 0]
        if not len(places) or int(places[-1] - places[0]) != len(places) - 1:
            got = "no token" if not len(places) else "padding between tokens"
            allowed = "a mask whose rows have one run of ones each"
            raise InvalidArgument("attention_mask", f"row {number} with {got}", allowed)
        rows[number] = row[places[0]]
        rows[number, : len(places)] = row[places]
        lengths.append(len(places))
    return Prompts(rows[:, : max(lengths)], tuple(lengths))


def read_tokens(input_ids: Any) -> torch.Tensor:
    """The token ids of a batch of prompts as a tensor of integers, `(batch, length)`.

    Raises `InvalidArgument` if they are not integers of that shape, or if there is no prompt or no token.
    """
    import torch

    allowed = "integers of shape (batch, length), none empty"
    try:
        tokens = torch.as_tensor(input_ids)
    except (TypeError, ValueError, RuntimeError):
        raise InvalidArgument("input_ids", input_ids, allowed) from None
    integral = not (tokens.is_floating_point() or tokens.is_complex() or tokens.dtype == torch.bool)
    if not integral or tokens.ndim != 2 or not tokens.numel():
        got = f"{tokens.dtype} of shape {tuple(tokens.shape)}"
        raise InvalidArgument("input_ids", got, allowed)
    return tokens


def check_tokens(tokens: torch.Tensor, vocabulary: int, context: int | None) -> None:
    """Raises `InvalidArgument` for ids outside the vocabulary, or more tokens than the context."""
    low, high = int(tokens.min()), int(tokens.max())
    if low < 0 or high >= vocabulary:
        allowed = f"tokens from 0 to {vocabulary - 1}"
        raise InvalidArgument("input_ids", low if low < 0 else high, allowed)
    if context is not None and tokens.shape[1] > context:
        allowed = f"at most max_position_embeddings, {context} tokens"
        raise InvalidArgument("input_ids", f"{tokens.shape[1]} tokens", allowed)
