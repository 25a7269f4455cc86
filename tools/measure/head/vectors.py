"""What is measured: the queries and keys of one head on one prompt."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["SINGLE", "HeadVectors"]

Floats = NDArray[np.float64]

SINGLE = 1024
"""Number of tokens from which passes over all pairs use float32."""


@dataclass(frozen=True, eq=False, kw_only=True)
class HeadVectors:
    """The queries and keys of one causal head on one prompt, before rotation, in float64.

    - `queries`, `keys`: `(length, head_dim)` each, finite;
    - `tokens`: their ids, `(length,)` int64;
    - `spec`: the model's rotation; `scale`: what logits are multiplied by, without the attention
      factor, which the spec has; `soft_cap`: the logits at which they are capped, or None;
    - `window`: how many positions a query sees, its own included, where a sliding window makes
      that fewer than the length; else None;
    - `layer`, `head`, `key_head`: which one it is; `first`: whether the layer is the first one, so
      that queries and keys depend on the token alone;
    - `prompt`: the prompt's name, `"text"` or `"random"`;
    - `device`: where PyTorch measures.

    Raises `InvalidArgument` on shapes that do not fit, on numbers that are not finite, and unless
    `2 <= window < length`.
    """

    queries: Floats
    keys: Floats
    tokens: NDArray[np.int64]
    spec: RopeSpec
    scale: float
    soft_cap: float | None
    layer: int
    head: int
    key_head: int
    first: bool
    prompt: str
    window: int | None = None
    device: str = "cpu"

    def __post_init__(self) -> None:
        length = len(self.tokens)
        if self.window is not None:
            allowed = f"None, or fewer than the {length} tokens"
            read_integer("window", self.window, least=2)
            if self.window >= length:
                raise InvalidArgument("window", self.window, allowed)
        for name, vectors in (("queries", self.queries), ("keys", self.keys)):
            if vectors.shape != (length, self.spec.head_dim):
                allowed = f"shape ({length}, {self.spec.head_dim})"
                raise InvalidArgument(name, f"shape {vectors.shape}", allowed)
            if not np.isfinite(vectors).all():
                what = f"numbers that are not finite (layer {self.layer}, head {self.head})"
                raise InvalidArgument(name, what, "finite numbers")

    @property
    def length(self) -> int:
        """The number of tokens."""
        return len(self.tokens)

    @property
    def single(self) -> bool:
        """Whether passes over all pairs use float32, as they do from `SINGLE` tokens on.

        Their rounding is in the allowances (`ropeproof.tools.measure.verdicts.study`).
        """
        return self.length >= SINGLE

    @property
    def reach(self) -> int:
        """How many positions the last query sees: all, or those of the window."""
        return self.length if self.window is None else self.window

    @property
    def unwindowed(self) -> HeadVectors:
        """The head on its first tokens, as many as its window has, where the window hides nothing.

        There it is a plain causal head, which the theorems are about; without a window it is the head
        on all tokens.
        """
        if self.window is None:
            return self
        first = slice(self.window)
        queries, keys, tokens = self.queries[first], self.keys[first], self.tokens[first]
        return replace(self, queries=queries, keys=keys, tokens=tokens, window=None)
