"""A composed network as a PyTorch module. Importing this file imports torch."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from ropeproof.constructions.certificate import Certificate
from ropeproof.constructions.heads.index.decoding import ASK
from ropeproof.constructions.module import (
    HeadMatrices,
    HeadModule,
    computed_in,
    holds,
    stored,
    told,
)
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
    MLP, no bias. `length` is the longest sequence that it takes: that of the network's certificate in
    this type, or None for any, by `beyond_guarantee`. Compiled, exported and mapped as `HeadModule` is.

    Training voids the guarantee: `certificate` is what is guaranteed of the module at the moment it is
    asked, None once `changed` names a weight that is not the network's any more. A trained module takes
    the sequences that it took before.
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
        self.network = network
        self.heads = nn.ModuleList(heads)
        dtype = heads[0].w_q.dtype
        self.lengths: dict[str, int] | None = None
        if not beyond_guarantee:
            certificates = network.certificates.items()
            self.lengths = {name: int(c.quantities["length"]) for name, c in certificates}

        def parameter(table: object) -> nn.Parameter:
            return nn.Parameter(stored(table).to(device, dtype))

        self.embeddings, self.readout = parameter(network.embeddings), parameter(network.readout)

    @property
    def arithmetic(self) -> str:
        """The name of the type that it runs in, also after `module.to(...)`, as `computed_in` gives it."""
        return computed_in(self.embeddings)

    @property
    def changed(self) -> tuple[str, ...]:
        """The names of the parameters that are not the network's own, rounded to their type.

        Those that cannot be read, on the meta device for one, are not known to be its own and are named.
        """
        own = [
            n
            for n in ("embeddings", "readout")
            if not holds(getattr(self, n), getattr(self.network, n))
        ]
        heads = ((n, h) for n, h in enumerate(self.heads) if isinstance(h, HeadModule))
        return (*own, *(f"heads.{n}.{name}" for n, head in heads for name in head.changed))

    @property
    def certificate(self) -> Certificate | None:
        """What is guaranteed of this module as it is now, run in its type; None if nothing is.

        It is about sequences of at most its `length`, which `beyond_guarantee` lets others pass.
        """
        return None if self.changed else self.network.certificates.get(self.arithmetic)

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
        head.refuse_unless_finite(row, x, what="logits or output")
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
            if changed := ", ".join(self.changed):
                allowed = (
                    f"at most {length} tokens, the length of the network that it was made of; as its "
                    f"weights were changed ({changed}), nothing is guaranteed; {ASK}"
                )
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
        said = f"{len(self.embeddings)} tokens, {length}, {self.arithmetic}"
        return said + told(self.changed if not self.embeddings.is_meta else ())
