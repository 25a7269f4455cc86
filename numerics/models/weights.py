"""Where the weights of a layer's queries and keys stand, head by head, and what its norms do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.models.families import FamilyAdapter
from ropeproof.theory.errors import Unsupported

if TYPE_CHECKING:
    import torch

__all__ = ["NormFacts", "Projection", "input_norm", "norm_facts", "projection", "vector_norm"]

_CENTRED = ("LayerNorm", "OlmoLayerNorm", "CohereLayerNorm")
_ROOT_MEAN_SQUARE = "RMSNorm"
_OFFSET = ("GemmaRMSNorm", "Gemma2RMSNorm", "Gemma3RMSNorm")
"""Classes of norms: those that take off the mean, a part of the name of the others, and those whose weights
count from 1."""


@dataclass(frozen=True, eq=False)
class NormFacts:
    """What a norm does: `(weight + offset) * v / sqrt(mean(v^2) + eps) + bias`.

    - `centred`: whether v is taken less its mean; `weight`, `bias`: the module's, None if it has none.
    """

    centred: bool
    offset: float
    eps: float
    weight: torch.Tensor | None
    bias: torch.Tensor | None


@dataclass(frozen=True, eq=False)
class Projection:
    """The linear map that makes queries or keys, and which of its rows are which head's.

    - `linear`: the module; `rows`: `(heads, head_dim)`, the row of its weight for each coordinate.
    """

    linear: torch.nn.Linear
    rows: NDArray[np.int64]

    def weight(self) -> torch.Tensor:
        """The weights of all heads, `(heads, head_dim, width)`, a copy in the model's type."""
        return self.linear.weight.detach()[self.rows]

    def bias(self) -> torch.Tensor | None:
        """The biases of all heads, `(heads, head_dim)`, a copy; None if there are none."""
        found: Any = self.linear.bias
        return None if found is None else found.detach()[self.rows]


def norm_facts(module: Any) -> NormFacts:
    """What a norm of a model of transformers does. Raises `Unsupported` for a class that is not known."""
    kind = type(module).__name__
    if kind not in _CENTRED and _ROOT_MEAN_SQUARE not in kind:
        raise Unsupported(f"a layer with {kind}, a norm that is not known")
    eps = getattr(module, "eps", None)
    eps = getattr(module, "variance_epsilon", None) if eps is None else eps
    if eps is None:  # OLMo's has it in its code.
        eps = 1e-5
    return NormFacts(
        centred=kind in _CENTRED,
        offset=1.0 if kind in _OFFSET else 0.0,
        eps=float(eps),
        weight=getattr(module, "weight", None),
        bias=getattr(module, "bias", None),
    )


def input_norm(layer: Any) -> NormFacts | None:
    """The norm before a layer's attention; None in families whose attention reads the residual stream itself.

    Raises `Unsupported` for a norm of a class that is not known.
    """
    module = getattr(layer, "input_layernorm", None) or getattr(layer, "ln_1", None)
    return None if module is None else norm_facts(module)


def vector_norm(attention: Any, side: Literal["q", "k"]) -> Any:
    """The module that normalises queries or keys before they are rotated, None if there is none."""
    module = getattr(attention, f"{side}_norm", None)
    return getattr(attention, f"{side}_layernorm", None) if module is None else module


def projection(
    attention: Any, kind: Literal["queries", "keys"], family: FamilyAdapter, config: Any, size: int
) -> Projection:
    """Where the weights of queries or keys stand in an attention module, for heads of dimension `size`.

    Raises `Unsupported` if the map is not a plain linear one, as when it is quantised or adapted.
    """
    import torch

    linear: Any = getattr(attention, {"queries": "q_proj", "keys": "k_proj"}[kind], None)

    def split(output: torch.Tensor) -> torch.Tensor:
        return output.reshape(*output.shape[:-1], -1, size)

    read: Any = split
    if linear is None:
        linear, read = next(
            (module, reader)
            for name, module, reader in family.taps(attention, config)
            if name == kind
        )
    if not isinstance(linear, torch.nn.Linear):
        raise Unsupported(f"{type(linear).__name__} in place of a linear map of {kind}")
    places = torch.arange(linear.out_features).reshape(1, 1, -1)
    rows: NDArray[np.int64] = read(places)[0, 0].numpy()
    return Projection(linear, rows)
