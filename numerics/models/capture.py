"""Queries and keys of every head of a model before rotation, of all layers at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ropeproof.numerics.bounds.head.rotation import Rotation
from ropeproof.numerics.models.families import is_steady, read_model, rope_types
from ropeproof.numerics.models.load import opened
from ropeproof.numerics.models.prompts import read_prompts
from ropeproof.numerics.models.visit import LayerHeads, visit_layers
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.exact import read_integer

if TYPE_CHECKING:
    import torch

__all__ = ["CapturedHeads", "capture_heads"]


@dataclass(frozen=True, eq=False)
class CapturedHeads:
    """Queries and keys of all heads of a model on some prompts, in its type and on its device.

    - `queries`: `(batch, layers, heads, rows, head_dim)`, of the last `rows` positions of each
      prompt, unrotated;
    - `keys`: `(batch, layers, key_heads, length, head_dim)`, unrotated, each prompt from the start
      of its row on, with zeros after its end; query head `h` reads key head `h // (heads // key_heads)`;
    - `rotations`: the tables that each layer uses, in float64;
    - `windows`: how many positions the queries of each layer see, where that is fewer than the
      length; else None;
    - `scale`, `soft_cap`: the factor on the logits, and the value at which they are capped;
    - `family`: the `model_type`; `lengths`: the number of tokens of each prompt.

    If prompts have different lengths and all rows are kept, `queries` are aligned and padded as `keys` are.
    """

    queries: torch.Tensor
    keys: torch.Tensor
    rotations: tuple[Rotation, ...]
    windows: tuple[int | None, ...]
    scale: float
    soft_cap: float | None
    family: str
    lengths: tuple[int, ...]

    @property
    def groups(self) -> int:
        """Query heads per key head."""
        return self.queries.shape[2] // self.keys.shape[2]

    @property
    def rotation(self) -> Rotation:
        """The tables that all layers share. Raises `Unsupported` if layers have different ones."""
        first = self.rotations[0]
        if not all(_same(first, other) for other in self.rotations[1:]):
            raise Unsupported("rotations that differ between layers: use rotations")
        return first


def capture_heads(
    model: Any, input_ids: Any, attention_mask: Any = None, *, rows: int | None = None
) -> CapturedHeads:
    """Queries and keys of all heads of a transformers model, from one forward pass in eval mode.

    `model` is a model, or the path of one (a directory or a GGUF file). `input_ids` and `attention_mask`
    are `(batch, length)` as in `read_prompts`: prompts of different lengths, padded on either side;
    each is captured as it would be alone, at positions `0, 1, ...`. `rows` is how many of the last
    positions' queries are kept, by default all.
    `visit_layers` streams the layers instead of holding all of them.

    Raises `Unsupported`, by name, for a family that is not in `FAMILIES`, and for prompts of
    different lengths where frequencies change with the length, so that there is no one rotation;
    `InvalidArgument` for anything that is no transformers model or no such tokens, and if `rows`
    exceeds the shortest prompt's length.
    """
    import torch

    model = opened(model)
    base, name, family = read_model(model)
    prompts = read_prompts(input_ids, attention_mask)
    lengths, longest = prompts.lengths, prompts.longest
    ragged = len(set(lengths)) > 1
    if ragged and not is_steady(base.config, family):
        kinds = ", ".join(sorted(rope_types(base.config, family)))
        what = "one batch of prompts of different lengths has no one rotation"
        raise Unsupported(f"rope_type {kinds}: {what}; capture one length at a time")
    kept = None if rows is None else read_integer("rows", rows, least=1)
    if kept is not None and kept > min(lengths):
        raise InvalidArgument("rows", rows, f"at most the length, {min(lengths)}")
    layers: list[LayerHeads] = []
    visit_layers(model, prompts.tokens, layers.append, rows=None if ragged else kept)
    first = layers[0]
    if any((layer.scale, layer.soft_cap) != (first.scale, first.soft_cap) for layer in layers):
        raise Unsupported("scales or soft caps that differ between layers")
    queries = torch.stack([layer.queries for layer in layers], 1)
    keys = torch.stack([layer.keys for layer in layers], 1)
    if ragged:
        ends = torch.tensor(lengths, device=keys.device)
        behind = torch.arange(longest, device=keys.device) >= ends[:, None]
        for vectors in (queries, keys):
            vectors.masked_fill_(behind[:, None, None, :, None], 0)
        if kept is not None:
            each = zip(queries, lengths, strict=True)
            queries = torch.stack([one[..., end - kept : end, :] for one, end in each])
    return CapturedHeads(
        queries=queries,
        keys=keys,
        rotations=tuple(layer.rotation for layer in layers),
        windows=tuple(layer.window for layer in layers),
        scale=first.scale,
        soft_cap=first.soft_cap,
        family=name,
        lengths=lengths,
    )


def _same(one: Rotation, other: Rotation) -> bool:
    return bool((one.cosines == other.cosines).all() and (one.sines == other.sines).all())
