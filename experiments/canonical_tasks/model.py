"""Many small models at once: one layer, one head, each with its own weights and its own angles.

A model is [DECOUPLE]'s: learned embeddings, queries and keys in as many planes as there are angles,
values the embeddings themselves, no MLP, no residual path, and a linear reading of what the last
position gathers. As nothing but a token's embedding enters, keys and readings are tables by token.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from canonical_tasks.data import CLASSES, CONTEXT, VOCABULARY

__all__ = ["Heads"]


class Heads(nn.Module):
    """Independent models of one layer and one head, `len(angles)` of them, trained in one batch.

    `angles[g]` are those of model g, in radians per position. `width` is the embedding's. The models
    never touch each other: one gradient step of all is a step of each.
    """

    turns: Tensor

    def __init__(self, angles: Sequence[Sequence[float]], width: int, seeds: Sequence[int]) -> None:
        super().__init__()
        planes = len(angles[0])

        def drawn(generator: torch.Generator, *shape: int) -> Tensor:
            return torch.randn(*shape, generator=generator)

        parts: dict[str, list[Tensor]] = {"embed": [], "query": [], "key": [], "read": []}
        for seed in seeds:
            generator = torch.Generator().manual_seed(seed)
            parts["embed"].append(drawn(generator, VOCABULARY, width))
            for name, columns in (("query", 2 * planes), ("key", 2 * planes), ("read", CLASSES)):
                parts[name].append(drawn(generator, width, columns) / width**0.5)
        for name, tensors in parts.items():
            setattr(self, name, nn.Parameter(torch.stack(tensors)))
        # What a key at place i is turned by, seen from the query: i - CONTEXT positions back.
        back = torch.arange(CONTEXT + 1, dtype=torch.float64) - CONTEXT
        turns = torch.tensor(angles, dtype=torch.float64)[:, :, None] * back
        self.register_buffer(
            "turns", torch.polar(torch.ones_like(turns), turns).to(torch.complex64)
        )

    def tables(self) -> tuple[Tensor, Tensor]:
        """Queries and keys by token, complex, `(models, vocabulary, planes)` each."""
        query, key = (
            torch.view_as_complex((self.embed @ w).unflatten(2, (-1, 2)))
            for w in (self.query, self.key)
        )
        return query, key

    def weights(self, tokens: Tensor) -> Tensor:
        """The attention weights of the last position, `(models, sequences, 33)`."""
        return self._weights(*self.tables(), tokens)

    def forward(self, tokens: Tensor) -> Tensor:
        """The logits of the classes, `(models, sequences, classes)`.

        `tokens` has the shape `(models, sequences, 33)`.
        """
        by_token = torch.zeros(*tokens.shape[:2], VOCABULARY, device=tokens.device)
        return by_token.scatter_add(2, tokens, self.weights(tokens)) @ self.embed @ self.read

    def _weights(self, query: Tensor, key: Tensor, tokens: Tensor) -> Tensor:
        logits = torch.zeros(tokens.shape, device=tokens.device)
        models = torch.arange(len(tokens), device=tokens.device)[:, None, None]
        for plane in range(query.shape[2]):
            keys = key[..., plane][models, tokens] * self.turns[:, plane, None, :]
            asking = query[..., plane][models[..., 0], tokens[..., -1]]
            logits = logits + (keys * asking[..., None].conj()).real
        return logits.softmax(-1)
