"""The rotary embedding of a model of transformers: its own tables, turned by its own function."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Any

from ropeproof.theory.errors import Unsupported
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.subjects.layer import attention_of, layer_pair, model_positions

__all__ = ["adapted", "rotary_module"]

Pair = Callable[[Any, Any, Any], Any]


def rotary_module(module: Any, *, of_images: bool = False) -> Any:
    """The part of a model that makes its tables: the first whose class is a rotary embedding.

    That is a class named `...RotaryEmbedding`, with `Vision` in its name if it is `of_images` and
    without it if not, or one with GPT-J's table `embed_positions`. Raises `Unsupported` if there is
    none.
    """
    for part in module.modules():
        name = type(part).__name__
        if name.endswith("RotaryEmbedding") and ("Vision" in name) == of_images:
            return part
        if hasattr(part, "embed_positions") and hasattr(part, "rotary_dim"):
            return part
    raise Unsupported(f"{type(module).__name__}: it has no rotary embedding that is known here")


def adapted(module: Any, spec: RopeSpec, layer: int | None = None) -> Pair:
    """`(q, k, positions) -> (q, k)` of a module, with vectors `(batch, heads, length, head_dim)`.

    The tables are those of the module's `forward(x, position_ids)`; they are applied by the function
    `apply_rotary_pos_emb` of the file that the module's class is from, to the first `rotary_dim`
    coordinates where it takes no others. With `layer`, what the attention of that layer of a model
    does (`ropeproof.tools.conform.subjects.layer`). Raises `Unsupported` where one of them is missing.
    """
    of_images = spec.axes is not None and not spec.axes.of_text
    part = rotary_module(module, of_images=of_images)
    if of_images:
        return _named(_of_images(part), part)
    if layer is not None:
        return layer_pair(part, attention_of(module, layer), spec)
    home = sys.modules[type(part).__module__]
    apply = getattr(home, "apply_rotary_pos_emb", None)
    if apply is None:
        raise Unsupported(f"{home.__name__}: it has no function apply_rotary_pos_emb")
    if hasattr(part, "embed_positions"):
        return _named(_of_table(part, apply, spec), part)
    return _named(_of_tables(part, apply, spec), part)


def _named(pair: Pair, part: Any) -> Pair:
    pair.__name__ = type(part).__name__
    return pair


def _of_tables(part: Any, apply: Any, spec: RopeSpec) -> Pair:
    types = inspect.signature(part.forward).parameters
    kinds = [k for k in getattr(part, "layer_types", ()) or () if k]
    more = {"layer_type": kinds[0]} if "layer_type" in types and kinds else {}

    def pair(q: Any, k: Any, positions: Any) -> Any:
        tables = part(q, model_positions(positions, spec), **more)
        if not isinstance(tables, tuple) or len(tables) != 2:
            raise Unsupported(f"{type(part).__name__}: it gives no pair of tables (cos, sin)")
        cosines, sines = tables
        width = spec.rotary_dim
        if width == spec.head_dim or _cuts(apply):
            return apply(q, k, cosines, sines)
        import torch

        turned = apply(q[..., :width], k[..., :width], cosines, sines)
        return tuple(
            torch.cat((a, b[..., width:]), -1) for a, b in zip(turned, (q, k), strict=True)
        )

    return pair


def _of_images(part: Any) -> Pair:
    """The rotation of a vision tower: tables of the patches of one row of a batch at a time."""
    home = sys.modules[type(part).__module__]
    apart = getattr(home, "apply_rotary_pos_emb_vision", None)
    apply = apart or getattr(home, "apply_rotary_pos_emb", None)
    if apply is None or len(inspect.signature(part.forward).parameters) != 2:
        raise Unsupported(f"{type(part).__name__}: its tables are not made from positions")

    def pair(q: Any, k: Any, positions: Any) -> Any:
        import torch

        rows = positions if positions.ndim == 3 else positions.expand(q.shape[0], -1, -1)
        found = []
        for query, key, places in zip(q, k, rows, strict=True):
            tables = part(query, places)
            if apart is None:
                found.append(apply(query, key, *tables, unsqueeze_dim=0))
            else:  # patches before heads
                turned = apply(query.transpose(0, 1), key.transpose(0, 1), *tables)
                found.append(tuple(x.transpose(0, 1) for x in turned))
        return tuple(torch.stack(side) for side in zip(*found, strict=True))

    return pair


def _cuts(apply: Any) -> bool:
    """Whether a function rotates only as many coordinates as the tables have."""
    return "shape[-1]" in inspect.getsource(apply)


def _of_table(part: Any, apply: Any, spec: RopeSpec) -> Pair:
    """The rotation of GPT-J and CodeGen: a table of sines and cosines, the length before the heads."""

    def pair(q: Any, k: Any, positions: Any) -> Any:
        import torch

        rows = positions if positions.ndim == 2 else positions[None]
        sines, cosines = torch.chunk(part.embed_positions[rows], 2, dim=-1)
        width = spec.rotary_dim
        found = []
        for x in (q, k):
            y = x.transpose(1, 2)
            turned = apply(y[..., :width], sines, cosines)
            found.append(torch.cat((turned, y[..., width:]), -1).transpose(1, 2).to(x.dtype))
        return tuple(found)

    return pair
