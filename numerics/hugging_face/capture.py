"""Queries and keys of every head of a model before rotation, all layers at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ropeproof.numerics.head.rotation import Rotation
from ropeproof.numerics.hugging_face.families import Family, check_steady, read_model
from ropeproof.numerics.hugging_face.visit import LayerHeads, read_tokens, sight, visit_layers
from ropeproof.theory.errors import Unsupported

if TYPE_CHECKING:
    import torch

__all__ = ["CapturedHeads", "capture_heads"]


@dataclass(frozen=True, eq=False)
class CapturedHeads:
    """The heads of a model on some prompts, as tensors of the model's type and on its device.

    - `queries`: `(batch, layers, heads, rows, head_dim)`, of the last `rows` positions, unrotated;
    - `keys`: `(batch, layers, key_heads, length, head_dim)`, unrotated; query head `h` reads key
      head `h // (heads // key_heads)`;
    - `rotation`: the tables that the model uses, in float64;
    - `scale`, `soft_cap`: what logits are multiplied by, and the logits at which they are capped;
    - `family`: the `model_type`.
    """

    queries: torch.Tensor
    keys: torch.Tensor
    rotation: Rotation
    scale: float
    soft_cap: float | None
    family: str

    @property
    def groups(self) -> int:
        """Query heads per key head."""
        return self.queries.shape[2] // self.keys.shape[2]


def capture_heads(model: Any, input_ids: Any, *, rows: int | None = None) -> CapturedHeads:
    """Queries and keys of all heads of a model of transformers, from one forward pass in eval.

    Arguments as in `visit_layers`, which streams them instead of holding all layers.

    Raises `Unsupported`, by name, for a family that is not in `FAMILIES` and for attention that
    does not see all earlier positions or whose frequencies change with the prompt's length;
    `InvalidArgument` for what is not a model of transformers or not such tokens.
    """
    import torch

    base, name, family = read_model(model)
    _check_attention(base.config, family, len(getattr(base, family.layers)), input_ids)
    layers: list[LayerHeads] = []
    visit_layers(model, input_ids, layers.append, rows=rows)
    first = layers[0]
    if not all(_same(first.rotation, layer.rotation) for layer in layers[1:]):
        raise Unsupported("rotations that differ between layers")
    return CapturedHeads(
        queries=torch.stack([layer.queries for layer in layers], 1),
        keys=torch.stack([layer.keys for layer in layers], 1),
        rotation=first.rotation,
        scale=first.scale,
        soft_cap=first.soft_cap,
        family=name,
    )


def _same(one: Rotation, other: Rotation) -> bool:
    return bool((one.cosines == other.cosines).all() and (one.sines == other.sines).all())


def _check_attention(config: Any, family: Family, layers: int, input_ids: Any) -> None:
    """Raises `Unsupported` if a layer's logits are not those of plain causal RoPE."""
    check_steady(config, family)
    length = read_tokens(input_ids).shape[1]
    windows = sight(config, family, layers, length)
    short = np.flatnonzero([window is not None for window in windows])
    if short.size:
        number = int(short[0])
        what = f"a sliding window of {windows[number]} positions for {length} tokens"
        raise Unsupported(f"layer {number}: {what}")
