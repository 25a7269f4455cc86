"""The RoPE of every layer of a released model, where its layers differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, TypeAlias

from ropeproof.theory.errors import Unsupported
from ropeproof.theory.rotary.config import is_nested, layer_count, model_fields, rotating_layers
from ropeproof.theory.rotary.families import FAMILIES
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["layer_kinds", "layer_specs"]


def layer_specs(
    config: str | PathLike[str] | Mapping[str, Any] | object,
    *,
    length: int | None = None,
    part: str | None = None,
) -> tuple[RopeSpec, ...]:
    """The specs of a model's layers, in their order.

    They are one and the same unless layer types rotate differently, as in Gemma 3 and OLMo 3, where
    `layer_types` says which layer has which; or only some layers rotate, as in SmolLM3, Llama 4 and
    Cohere 2, where the spec of the others has `rotary_dim` 0. Arguments and errors as in
    `ropeproof.theory.rotary.config.spec_fields`; `InvalidArgument` also where the configuration does
    not say it for each of its layers, `Unsupported` where some layers are no attention.
    """
    fields = model_fields(config, part=part)
    count = layer_count(fields)
    family = FAMILIES.get(str(fields.get("model_type")))
    if family is not None and family.other_layers and not all(rotating_layers(fields)):
        others = ", ".join(sorted(family.other_layers))
        raise Unsupported(f"a model some of whose layers are no attention ({others})")
    return _in_order(fields, range(count), length)


def _in_order(fields: Mapping[str, Any], layers: Sequence[int], length: int | None) -> Specs:
    """The specs of the given layers; the configuration is read once for each kind of layer."""
    family = FAMILIES.get(str(fields.get("model_type")))
    apart = is_nested(fields) or (family is not None and family.no_rope is not None)
    if not apart:
        return (RopeSpec.from_config(fields, length=length),) * len(layers)
    turns = rotating_layers(fields)
    kinds = fields.get("layer_types")
    known: dict[tuple[object, ...], RopeSpec] = {}
    found = []
    for layer in layers:
        kind = kinds[layer] if isinstance(kinds, list | tuple) and layer < len(kinds) else None
        # Heads may differ from layer to layer where each may have fields of its own.
        key = (turns[layer], kind, layer if fields.get("per_layer_config") else None)
        if key not in known:
            known[key] = RopeSpec.from_config(fields, length=length, layer=layer)
        found.append(known[key])
    return tuple(found)


Specs: TypeAlias = tuple[RopeSpec, ...]


def _attending(fields: Mapping[str, Any]) -> tuple[int, ...]:
    """The numbers of the layers with attention; `()` if all have it or the configuration does not say."""
    others = FAMILIES[str(fields["model_type"])].other_layers
    types = fields.get("layer_types")
    if not isinstance(types, list | tuple):
        return ()
    found = tuple(n for n, kind in enumerate(types) if str(kind) not in others)
    return () if len(found) == len(types) else found


def layer_kinds(
    config: str | PathLike[str] | Mapping[str, Any] | object,
    *,
    length: int | None = None,
    part: str | None = None,
) -> tuple[tuple[RopeSpec, tuple[int, ...]], ...]:
    """The different rotations of a model, each with the layers that have it.

    Rotations that turn come first, in the order of their first layers. If all layers have one rotation, its
    layers are given as `()`; then the number of layers need not be known. Layers that are no attention, as
    most of Qwen3-Next and LFM2, are left out. Errors as in `layer_specs`.
    """
    fields = model_fields(config, part=part)
    family = FAMILIES.get(str(fields.get("model_type")))
    apart = is_nested(fields) or (family is not None and family.no_rope is not None)
    attending = _attending(fields) if family is not None and family.other_layers else ()
    if not apart or (attending and not is_nested(fields)):
        return ((RopeSpec.from_config(fields, length=length), attending),)
    numbers = attending or tuple(range(layer_count(fields)))
    kinds: dict[RopeSpec, list[int]] = {}
    for layer, spec in zip(numbers, _in_order(fields, numbers, length), strict=True):
        kinds.setdefault(spec, []).append(layer)
    if len(kinds) == 1:
        return ((next(iter(kinds)), attending),)
    rotating_first = sorted(kinds.items(), key=lambda kind: kind[0].rotary_dim == 0)
    return tuple((spec, tuple(layers)) for spec, layers in rotating_first)
