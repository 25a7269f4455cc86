"""The parts of a configuration that are given layer by layer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.config.fields import Fields
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.families import FAMILIES, Family
from ropeproof.theory.rotary.layer_types import LayerTypes
from ropeproof.theory.rotary.tables.allowed_values import (
    MOST_LAYERS,
    ROPE_PARAMETERS,
    is_layer_type,
)

__all__ = [
    "any_base",
    "by_layer_type",
    "is_nested",
    "is_null",
    "layer_count",
    "layer_type_of",
    "of_layers",
    "rotating_layers",
]

_PATTERNS: Mapping[str, str] = {
    "cohere2": "sliding_window_pattern",
    "cohere2_moe": "sliding_window_pattern",
    "exaone4": "sliding_window_pattern",
    "exaone_moe": "sliding_window_pattern",
    "afmoe": "global_attn_every_n_layers",
}
"""The field with the distance between layers of full attention, where `layer_types` is left out."""


_INTERVALS = frozenset({"qwen3_next", "qwen3_5_text", "qwen3_5_moe_text"})
"""Families in which one layer in `full_attention_interval` (4 if absent) has attention that rotates."""


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


def is_null(fields: Fields, layer_type: str) -> bool:
    """Whether rotary parameters are given per layer type and null for this one: its layers do not rotate."""
    given: Any = fields.get("rope_parameters") or fields.get("rope_scaling")
    return is_nested(fields) and layer_type in given and given[layer_type] is None


def any_base(fields: Fields) -> Any:
    """The base of the first layer type that has one, to fill in for layers of a type without rotation."""
    given: Any = fields.get("rope_parameters") or fields.get("rope_scaling")
    return next(v["rope_theta"] for v in given.values() if isinstance(v, Mapping))


def by_layer_type(fields: Fields) -> Fields:
    """The fields with rotary parameters per layer type, also where an older file has them at its top.

    The values are those that the classes of transformers read: each layer type has the base of its own field,
    and `rope_scaling` belongs to some types only. Fields of other families are returned unchanged, and so
    are flat `rope_parameters`, which no class of such a family reads. Raises `InvalidArgument` where the
    top and `rope_parameters` contradict each other, or there is no base.
    """
    family = FAMILIES.get(str(fields.get("model_type")))
    older = None if family is None else family.older
    if str(fields.get("model_type")) in _INTERVALS and fields.get("layer_types") is None:
        return _by_interval_field(fields)
    new: Any = fields.get("rope_parameters")
    old: Any = fields.get("rope_scaling")
    given = isinstance(new, Mapping) and new and not _is_flat(new)
    if older is None or (new and not given) or not (old is None or isinstance(old, Mapping)):
        return fields
    if old and not _is_flat(old):
        return fields
    types = {}
    for kind, key in older.bases.items():
        rope: dict[str, Any] = {}
        if given:
            if not isinstance(new.get(kind), Mapping):
                continue
            rope = dict(new[kind])
        stated = fields.get(key)
        if stated is not None and rope.get("rope_theta") not in (None, stated):
            allowed = f"{rope['rope_theta']!r}, as in rope_parameters.{kind}"
            raise InvalidArgument(f"config.{key}", stated, allowed)
        base = rope.get("rope_theta", stated)
        base = older.defaults.get(kind) if base is None else base
        if base is None:
            allowed = f"the base of layers of {kind}, at the top ({key}) or in rope_parameters"
            raise InvalidArgument(f"config.{key}", None, allowed)
        if old and kind in older.scaled:
            for name, value in old.items():
                if rope.get(name, value) != value:
                    allowed = f"{rope[name]!r}, as in rope_parameters.{kind}"
                    raise InvalidArgument(f"config.rope_scaling.{name}", value, allowed)
            rope |= old
        types[kind] = {**rope, "rope_theta": base}
    gone = {"rope_scaling", *older.bases.values()}
    kept = {key: value for key, value in fields.items() if key not in gone}
    kinds = kept.get("layer_types")
    if kinds is None:
        kinds = _by_distance(fields, older)
    if isinstance(kinds, list | tuple):
        kept["layer_types"] = list(kinds)
        types = {kind: rope for kind, rope in types.items() if kind in kinds} or types
    others = {k: v for k, v in new.items() if k not in types} if given else {}
    return {**kept, "rope_parameters": {**others, **types}}


def _by_interval_field(fields: Fields) -> Fields:
    """The fields with the layer types that the class derives; unchanged without a number of layers."""
    if fields.get("num_hidden_layers") is None:
        return fields
    given = fields.get("full_attention_interval")
    every = 4 if given is None else read_integer("config.full_attention_interval", given, least=1)
    kinds = [
        "full_attention" if (layer + 1) % every == 0 else "linear_attention"
        for layer in range(layer_count(fields))
    ]
    return {**fields, "layer_types": kinds}


def _is_flat(rope: Mapping[str, Any]) -> bool:
    return not any(isinstance(value, Mapping) for value in rope.values())


def _by_distance(fields: Fields, older: LayerTypes) -> list[str] | None:
    """The layer types that the class derives, None if it derives none or the file has no layer count."""
    if not older.distance or fields.get("num_hidden_layers") is None:
        return None
    given = fields.get(older.every) if older.every else None
    at = f"config.{older.every}"
    every = older.distance if given is None else read_integer(at, given, least=1)
    return [older.type_of(layer, every) for layer in range(layer_count(fields))]


def rotating_layers(fields: Fields) -> tuple[bool, ...]:
    """Whether each layer of a model has RoPE, in the order of the layers.

    All layers have it, except in families whose configurations say otherwise. Raises `InvalidArgument` where
    the configuration does not say it for every layer.
    """
    count, family = layer_count(fields), FAMILIES.get(str(fields.get("model_type")))
    if family is None:
        return (True,) * count
    if family.no_rope == "position type" and fields.get("position_embedding_type") != "rope":
        return (False,) * count
    if family.no_rope == "cross attention":
        crossing = fields.get("cross_attention_layers")
        if not isinstance(crossing, list | tuple) or any(type(n) is not int for n in crossing):
            allowed = "the numbers of the layers that attend to images"
            raise InvalidArgument("config.cross_attention_layers", crossing, allowed)
        return tuple(layer not in crossing for layer in range(count))
    if family.other_layers:
        return tuple(kind not in family.other_layers for kind in _layer_types(fields, count))
    if family.no_rope in (None, "position type"):
        return (True,) * count
    if family.no_rope == "flags":
        return _by_flags(fields, count, family)
    windowless = fields.get("sliding_window", True) is None
    if family.no_rope == "beside windows":
        if "sliding_window" not in fields:
            allowed = "a window, or null for none: the class has one of its own"
            raise InvalidArgument("config.sliding_window", None, allowed)
        if fields.get("sliding_window") is None:
            return (True,) * count
        return tuple(kind == "sliding_attention" for kind in _layer_types(fields, count))
    if windowless and fields.get("model_type") in ("cohere2", "cohere2_moe", "flint"):
        return (False,) * count  # its layers ask for the window and not for their own type
    if fields.get("layer_types") is not None:
        return tuple(kind == "sliding_attention" for kind in _layer_types(fields, count))
    return _by_interval(fields, _PATTERNS[str(fields["model_type"])], count, family)


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
    if types is None and str(fields.get("model_type")) in _PATTERNS:
        types = _by_letters(fields, count)
    if not isinstance(types, list | tuple) or len(types) != count:
        allowed = f"a layer type for each of {count} layers"
        raise InvalidArgument("config.layer_types", types, allowed)
    return tuple(str(kind) for kind in types)


def _by_letters(fields: Fields, count: int) -> list[str] | None:
    """Layer types from a distance, or from one letter a layer, L for local and G for global."""
    pattern = fields.get(_PATTERNS[str(fields["model_type"])])
    if isinstance(pattern, str) and pattern and set(pattern) <= {"L", "G"}:
        letters = (pattern[layer % len(pattern)] for layer in range(count))
        return ["sliding_attention" if one == "L" else "full_attention" for one in letters]
    if type(pattern) is int and pattern >= 1:
        turns = ((layer + 1) % pattern != 0 for layer in range(count))
        return ["sliding_attention" if one else "full_attention" for one in turns]
    return None


def layer_type_of(fields: Fields, layer: int) -> str:
    """The name of the type of layer number `layer`, from 0."""
    return _layer_types(fields, layer_count(fields))[layer]


def of_layers(field: str, value: Fields, layer_type: str | None) -> tuple[Fields, str | None]:
    """The rotary parameters of one layer type, and the reason why none could be chosen, or None.

    `value` is the mapping in `field`. If it is flat it is returned unchanged. If it is by layer type,
    the entry of `layer_type` is returned; without a `layer_type`, the entry that all types share, or
    `{}` with the reason if they differ. Raises `InvalidArgument` for a `layer_type` that it does not
    have.
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
        return {}, f"{field} that differs between layer types ({layers}); layer= says of which"
    return per_layer[0], None
