"""The RoPE of every layer of a released model, where its layers differ."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Any

from ropeproof.theory.errors import Unsupported
from ropeproof.theory.rotary.config import is_nested, layer_count, read_fields, rotating_layers
from ropeproof.theory.rotary.families import FAMILIES
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["layer_kinds", "layer_specs"]


def layer_specs(
    config: str | PathLike[str] | Mapping[str, Any] | object, *, length: int | None = None
) -> tuple[RopeSpec, ...]:
    """The specs of a model's layers, in their order.

    They are one and the same unless `rope_parameters` has a mapping per layer type, as Gemma 3 and
    OLMo 3 have, where `layer_types` says which layer has which; or only some layers rotate, as in
    SmolLM3, Llama 4 and Cohere 2, where the spec of the others has `rotary_dim` 0. Arguments and
    errors as in `ropeproof.theory.rotary.config.spec_fields`; `InvalidArgument` also where the configuration
    does not say it for each of its layers, `Unsupported` where some layers are no attention.
    """
    fields = read_fields(config)
    count = layer_count(fields)
    family = FAMILIES.get(str(fields.get("model_type")))
    if family is not None and family.other_layers and not all(rotating_layers(fields)):
        others = ", ".join(sorted(family.other_layers))
        raise Unsupported(f"a model some of whose layers are no attention ({others})")
    if not is_nested(fields) and (family is None or family.no_rope is None):
        return (RopeSpec.from_config(fields, length=length),) * count
    return tuple(RopeSpec.from_config(fields, length=length, layer=n) for n in range(count))


def _attending(fields: Mapping[str, Any]) -> tuple[int, ...]:
    """The layers of attention; `()` where all are, or the configuration does not say."""
    if fields.get("layer_types") is None:
        return ()
    found = rotating_layers(fields)
    return () if all(found) else tuple(n for n, rotates in enumerate(found) if rotates)


def layer_kinds(
    config: str | PathLike[str] | Mapping[str, Any] | object, *, length: int | None = None
) -> tuple[tuple[RopeSpec, tuple[int, ...]], ...]:
    """The different rotations of a model, each with the layers that have it.

    Those that rotate come first, in the order of their first layers. One rotation for all layers
    has `()` for them; then the number of layers need not be known. Layers that are no attention, as
    most of Qwen3-Next and LFM2, are in none. Errors as in `layer_specs`.
    """
    fields = read_fields(config)
    family = FAMILIES.get(str(fields.get("model_type")))
    if family is not None and family.other_layers:
        return ((RopeSpec.from_config(fields, length=length), _attending(fields)),)
    if not is_nested(fields) and (family is None or family.no_rope is None):
        return ((RopeSpec.from_config(fields, length=length), ()),)
    specs = layer_specs(fields, length=length)
    kinds: dict[RopeSpec, list[int]] = {}
    for layer, spec in enumerate(specs):
        kinds.setdefault(spec, []).append(layer)
    if len(kinds) == 1:
        return ((specs[0], ()),)
    rotating_first = sorted(kinds.items(), key=lambda kind: kind[0].rotary_dim == 0)
    return tuple((spec, tuple(layers)) for spec, layers in rotating_first)
