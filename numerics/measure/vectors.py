"""What is measured: the queries and keys of one head on one prompt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.spec import RopeSpec

__all__ = ["HeadVectors"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, kw_only=True)
class HeadVectors:
    """One causal head on one prompt, before rotation, in float64.

    - `queries`, `keys`: `(length, head_dim)` each, finite;
    - `tokens`: their ids, `(length,)` int64;
    - `spec`: the model's rotation; `scale`: what logits are multiplied by, without the attention
      factor, which the spec has; `soft_cap`: the logits at which they are capped, or None;
    - `layer`, `head`, `key_head`: which one it is; `first`: whether the layer is the first one, so
      that queries and keys depend on the token alone;
    - `prompt`: the prompt's name, `"text"` or `"random"`.

    Raises `InvalidArgument` on shapes that do not fit and on numbers that are not finite.
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

    def __post_init__(self) -> None:
        length = len(self.tokens)
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
