"""A composed network as a PyTorch module. Importing this file imports torch."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from ropeproof.constructions.head import Certificate
from ropeproof.constructions.heads.index.decoding import ASK
from ropeproof.constructions.module import HeadMatrices, HeadModule
from ropeproof.constructions.rotary import known_true
from ropeproof.theory.errors import InvalidArgument

__all__ = ["NetworkModule", "Tables"]


class Tables(Protocol):
    """What a module takes from a network: its heads, its tables and its certificates by type."""

    @property
    def heads(self) -> Sequence[HeadMatrices]:
        """The heads, one for each layer."""

    @property
    def embeddings(self) -> Any:
        """The embeddings of the tokens, `(tokens, width)`."""

    @property
    def readout(self) -> Any:
        """The read-out weights of the tokens, `(tokens, width)`."""

    @property
    def certificates(self) -> Mapping[str, Certificate]:
        """What is guaranteed, by the name of a type."""


class NetworkModule(nn.Module):
    """Embedding, a stack of causal heads on one residual stream, and a linear read-out.

    Parameters: `embeddings` and `readout`, `(tokens, width)`, and those of the `heads`. No norm, no
    MLP, no bias. `length` is the longest sequence that it takes: what the network's certificate
    guarantees in this type, or None for any, by `beyond_guarantee`. Training voids the guarantee.
    Compiled, exported and mapped as `HeadModule` is.
    """

    def __init__(
        self,
        network: Tables,
        *,
        dtype: torch.dtype | None = None,
        device: torch.device | str | None = None,
        beyond_guarantee: bool = False,
    ) -> None:
        super().__init__()
        heads = [HeadModule(head, dtype=dtype, device=device) for head in network.heads]
        self.heads = nn.ModuleList(heads)
        dtype = heads[0].w_q.dtype
        self.lengths: dict[str, int] | None = None
        if not beyond_guarantee:
            certificates = network.certificates.items()
            self.lengths = {name: int(c.quantities["length"]) for name, c in certificates}

        def parameter(table: object) -> nn.Parameter:
            return nn.Parameter(torch.tensor(table, dtype=torch.float64).to(device, dtype))

        self.embeddings, self.readout = parameter(network.embeddings), parameter(network.readout)

    @property
    def arithmetic(self) -> str:
        """The name of the type that it runs in, also after `module.to(...)`."""
        return str(self.embeddings.dtype).removeprefix("torch.")

    @property
    def length(self) -> int | None:
        """The longest sequence taken in this type; None for any, 0 if nothing is guaranteed."""
        return None if self.lengths is None else self.lengths.get(self.arithmetic, 0)

    def forward(self, tokens: Tensor) -> Tensor:
        """Logits of the vocabulary at every position, `(..., length, tokens)`.

        `tokens` is an integer tensor `(..., length)`. Raises `InvalidArgument` for other tokens,
        and for more of them than `length`.
        """
        x = self._embed(tokens)
        for head in self.heads:
            x = x + head(x)
        result: Tensor = x @ self.readout.T
        return result

    def last(self, tokens: Tensor) -> Tensor:
        """Logits at the last position alone, `(..., tokens)`; its last layer costs one row."""
        x = self._embed(tokens)
        for head in self.heads[:-1]:
            x = x + head(x)
        head = self.heads[-1]
        assert isinstance(head, HeadModule)
        row = x[..., -1:, :]
        scores = head.scores(row, x)
        values = x @ head.w_v.T
        row = row + scores.softmax(-1) @ values @ head.w_o.T
        result: Tensor = row[..., 0, :] @ self.readout.T
        return result

    def _embed(self, tokens: Tensor) -> Tensor:
        count, length = len(self.embeddings), self.length
        if not isinstance(tokens, Tensor) or tokens.dtype not in {torch.int32, torch.int64}:
            got = getattr(tokens, "dtype", type(tokens).__name__)
            raise InvalidArgument("tokens", got, "a tensor of integers")
        if tokens.ndim < 1 or tokens.shape[-1] < 1:
            raise InvalidArgument("tokens", f"shape {tuple(tokens.shape)}", "(..., length >= 1)")
        if length is not None and tokens.shape[-1] > length:
            allowed = f"at most {length} tokens, the length guaranteed in {self.arithmetic}; {ASK}"
            raise InvalidArgument("tokens", f"{tokens.shape[-1]} tokens", allowed)
        inside = (tokens >= 0) & (tokens < count)
        known = known_true(inside)
        if known is False:
            allowed = f"token numbers from 0 to {count - 1}"
            raise InvalidArgument("tokens", [int(tokens.min()), int(tokens.max())], allowed)
        if known:
            return self.embeddings[tokens]
        # No value can be read here: a token outside of the vocabulary makes everything NaN.
        rows = nn.functional.embedding(tokens.where(inside, 0), self.embeddings)
        return rows.masked_fill(~inside[..., None], math.nan)

    def extra_repr(self) -> str:
        """Tokens, the longest sequence and the type, in the module's `repr`."""
        length = "any length" if self.length is None else f"length {self.length}"
        return f"{len(self.embeddings)} tokens, {length}, {self.arithmetic}"
