"""What of a configuration is said layer by layer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.allowed import MOST_LAYERS, ROPE_PARAMETERS, is_layer_type
from ropeproof.theory.rotary.config.fields import Fields
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.families import FAMILIES, Family

__all__ = ["is_nested", "layer_count", "layer_type_of", "of_layers", "rotating_layers"]


def layer_count(fields: Fields) -> int:
    """The number of layers; raises `InvalidArgument` if the configuration does not say it."""
    names = ("num_hidden_layers", "n_layer", "depth")
    field = next((name for name in names if fields.get(name) is not None), names[0])
    cost = "each layer is looked at"
    return read_integer(f"config.{field}", fields.get(field), least=1, most=MOST_LAYERS, cost=cost)


def is_nested(fields: Fields) -> bool:
    """Whether rotary parameters are given per layer type."""
    given = fields.get("rope_parameters") or fields.get("rope_scaling")
    return isinstance(given, Mapping) and any(is_layer_type(k, v) for k, v in given.items())


def rotating_layers(fields: Fields) -> tuple[bool, ...]:
    """Whether each layer has RoPE, in their order; all have it but in families that say otherwise.

    Raises `InvalidArgument` where the configuration does not say it for every layer.
    """
    count, family = layer_count(fields), FAMILIES.get(str(fields.get("model_type")))
    if family is not None and family.other_layers:
        return tuple(kind not in family.other_layers for kind in _layer_types(fields, count))
    if family is None or family.no_rope is None:
        return (True,) * count
    if family.no_rope == "flags":
        return _by_flags(fields, count, family)
    if family.no_rope == "beside windows":
        if fields.get("sliding_window") is None:
            return (True,) * count
        return tuple(kind == "sliding_attention" for kind in _layer_types(fields, count))
    if fields.get("sliding_window", True) is None:
        return (False,) * count  # its layers ask for the window and not for their own type
    if fields.get("layer_types") is not None:
        return tuple(kind == "sliding_attention" for kind in _layer_types(fields, count))
    return _by_interval(fields, "sliding_window_pattern", count, family)


def _by_flags(fields: Fields, count: int, family: Family) -> tuple[bool, ...]:
    flags = fields.get("no_rope_layers")
    if flags is None or flags == []:
        return _by_interval(fields, "no_rope_layer_interval", count, family)
    if (
        not isinstance(flags, list | tuple)
        or len(flags) < count
        or any(type(flag) not in (int, bool) or flag not in (0, 1) for flag in flags)
    ):
        allowed = f"0 or 1 for each of {count} layers, 0 for one without RoPE"
        raise InvalidArgument("config.no_rope_layers", flags, allowed)
    return tuple(bool(flag) for flag in flags[:count])


def _by_interval(fields: Fields, name: str, count: int, family: Family) -> tuple[bool, ...]:
    given = fields.get(name)
    every = family.no_rope_interval if given is None else given
    every = read_integer(f"config.{name}", every, least=1)
    return tuple((layer + 1) % every != 0 for layer in range(count))


def _layer_types(fields: Fields, count: int) -> tuple[str, ...]:
    types = fields.get("layer_types")
    if not isinstance(types, list | tuple) or len(types) != count:
        allowed = f"a layer type for each of {count} layers"
        raise InvalidArgument("config.layer_types", types, allowed)
    return tuple(str(kind) for kind in types)


def layer_type_of(fields: Fields, layer: int) -> str:
    """The layer type of a layer."""
    return _layer_types(fields, layer_count(fields))[layer]


def of_layers(field: str, value: Fields, layer_type: str | None) -> tuple[Fields, str | None]:
    """Of a mapping per layer type the one asked for, or that of all; others as they are.

    With it comes the reason why none could be chosen, if the layers differ.
    """
    for key, inner in value.items():
        if isinstance(inner, Mapping) and not is_layer_type(key, inner):
            raise InvalidArgument(f"config.{field}.{key}", inner, ROPE_PARAMETERS[key].allowed)
    per_layer = [v for v in value.values() if isinstance(v, Mapping)]
    if not per_layer:
        return value, None
    if layer_type is not None:
        chosen: Any = value.get(layer_type)
        if not isinstance(chosen, Mapping):
            known = ", ".join(sorted(str(kind) for kind in value))
            raise InvalidArgument("layer_type", layer_type, f"one of {known}")
        return chosen, None
    if len(per_layer) < len(value) or any(v != per_layer[0] for v in per_layer):
        layers = ", ".join(sorted(map(str, value)))
        return {}, f"{field} that differs between layer types ({layers})"
    return per_layer[0], None
