"""Reading the RoPE of a released model from its configuration.

Accepts the `config.json` of any family in `ropeproof.theory.families.FAMILIES`, in the older form (base
and `rope_scaling` at the top) and in that of transformers 5 (`rope_parameters`). Nothing is
guessed: a missing base, two fields that disagree, or a family that is not known are refused by
name, because a silently wrong base makes every later number wrong.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.exact import read_integer, read_rational
from ropeproof.theory.families import FAMILIES, UNSUPPORTED, Family
from ropeproof.theory.scaling import Dynamic, Linear, Llama3, LongRope, Scaling, Yarn

__all__ = ["read_fields", "spec_fields"]

Fields: TypeAlias = Mapping[str, Any]

_LATENT_FIELDS = ("qk_rope_head_dim", "kv_lora_rank")
_ORIGINAL = "original_max_position_embeddings"
_PLAIN_KEYS = frozenset({"rope_type", "type", "rope_theta", "partial_rotary_factor"})
# A note some checkpoints carry; no model code reads it.
_NOTE_KEYS = frozenset({"finetuned"})


def spec_fields(
    config: str | PathLike[str] | Mapping[str, Any] | object,
    *,
    length: int | None = None,
    layer_type: str | None = None,
) -> dict[str, Any]:
    """The arguments of the `RopeSpec` of a model configuration (`RopeSpec.from_config`).

    `config` is the path of a `config.json` or of a directory that contains one, a mapping, or an
    object with a `to_dict()` method such as a transformers configuration. `length` is the number
    of positions the spec is for (only dynamic and longrope scaling depend on it); by default the
    configuration's own context length. `layer_type` picks one of the layer types of a family whose
    rotary parameters are given per layer type; without it they must be the same for all.

    Raises `InvalidArgument` if the file cannot be read, a field is missing, has a value outside
    what it allows or contradicts another; `Unsupported` if the family, the rope type or a
    parameter is real but not handled here.
    """
    fields = read_fields(config)
    name, family = _family(fields)
    rope = _rope_parameters(fields, name, family, layer_type)
    head_dim = _head_dim(fields, name, family)
    context = _optional_integer(fields, family.context)
    scaling = _scaling(fields, rope, family, context)
    return {
        "head_dim": head_dim,
        "base": _base(fields, rope, family),
        "rotary_dim": _rotary_dim(fields, rope, name, family, head_dim),
        "layout": family.layout,
        "scaling": scaling,
        "length": context if length is None else length,
    }


def read_fields(config: object) -> Fields:
    """The fields of a configuration in any of the forms of `spec_fields`, with its errors."""
    if isinstance(config, Mapping):
        return config
    if isinstance(config, str | PathLike):
        return _read_file(Path(config))
    to_dict = getattr(config, "to_dict", None)
    fields = to_dict() if callable(to_dict) and not isinstance(config, type) else None
    if not isinstance(fields, Mapping):
        allowed = "a path, a mapping, or an object whose to_dict() gives a mapping"
        raise InvalidArgument("config", config, allowed)
    return fields


def _read_file(path: Path) -> Fields:
    file = path / "config.json" if path.is_dir() else path
    try:
        fields = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        allowed = f"a file that can be read ({error.strerror})"
        raise InvalidArgument("config", str(file), allowed) from None
    except (ValueError, RecursionError) as error:
        raise InvalidArgument("config", str(file), f"a file of valid JSON ({error})") from None
    if not isinstance(fields, dict):
        allowed = "a file whose JSON is an object"
        raise InvalidArgument("config", f"{type(fields).__name__} in {file}", allowed)
    return fields


def _family(fields: Fields) -> tuple[str, Family]:
    latent = [name for name in _LATENT_FIELDS if fields.get(name) is not None]
    name = fields.get("model_type")
    if isinstance(name, str) and name in UNSUPPORTED:
        raise Unsupported(f"model_type {name!r}: {UNSUPPORTED[name]}")
    if latent:
        raise Unsupported(f"multi-head latent attention (the configuration has {latent[0]})")
    if not isinstance(name, str):
        raise InvalidArgument("config.model_type", name, "the name of a model family")
    if name not in FAMILIES:
        raise Unsupported(f"model_type {name!r}: not one of {', '.join(sorted(FAMILIES))}")
    if fields.get("alibi"):
        raise Unsupported(f"model_type {name!r} with alibi: position biases, no RoPE")
    return name, FAMILIES[name]


def _rope_parameters(fields: Fields, name: str, family: Family, layer_type: str | None) -> Fields:
    """The one mapping of rotary parameters, `{}` if there is none."""
    found = {}
    for field in ("rope_parameters", "rope_scaling"):
        value = fields.get(field)
        if value is not None and not isinstance(value, Mapping):
            raise InvalidArgument(f"config.{field}", value, "a mapping or null")
        if value:
            found[field] = _of_layers(field, value, layer_type)
    if found and family.fixed_base is not None:
        raise Unsupported(f"model_type {name!r} does not read {next(iter(found))}")
    nested = [isinstance(v, Mapping) for f in found for v in fields[f].values()]
    if family.per_layer and not any(nested):
        raise Unsupported(f"model_type {name!r} without rope_parameters per layer type")
    old, new = found.get("rope_scaling", {}), found.get("rope_parameters", {})
    for key in old.keys() & new.keys():
        if old[key] != new[key]:
            allowed = f"{new[key]!r}, as in rope_parameters"
            raise InvalidArgument(f"config.rope_scaling.{key}", old[key], allowed)
    return {**new, **old}


def _of_layers(field: str, value: Fields, layer_type: str | None) -> Fields:
    """Of a mapping per layer type the one asked for, or that of all; others as they are."""
    per_layer = [v for v in value.values() if isinstance(v, Mapping)]
    if not per_layer:
        return value
    if layer_type is not None:
        chosen = value.get(layer_type)
        if not isinstance(chosen, Mapping):
            known = ", ".join(sorted(str(kind) for kind in value))
            raise InvalidArgument("layer_type", layer_type, f"one of {known}")
        return chosen
    if len(per_layer) < len(value) or any(v != per_layer[0] for v in per_layer):
        layers = ", ".join(sorted(map(str, value)))
        raise Unsupported(f"{field} that differs between layer types ({layers})")
    return per_layer[0]


def _head_dim(fields: Fields, name: str, family: Family) -> int:
    given = fields.get("head_dim")
    if given is not None:
        return read_integer("config.head_dim", given, least=1)
    if family.head_dim == "required":
        allowed = f"an integer; {name} models do not derive it"
        raise InvalidArgument("config.head_dim", None, allowed)
    width = read_integer(f"config.{family.width}", _field(fields, family.width), least=1)
    heads = read_integer(f"config.{family.heads}", _field(fields, family.heads), least=1)
    if width % heads:
        raise InvalidArgument(f"config.{family.width}", width, f"a multiple of {heads} heads")
    return width // heads


def _field(fields: Fields, name: str) -> Any:
    """A top-level field, by its own name or by the name all configurations share."""
    shared = {
        "n_embd": "hidden_size",
        "n_head": "num_attention_heads",
        "n_positions": "max_position_embeddings",
    }
    value = fields.get(name)
    return fields.get(shared.get(name, name)) if value is None else value


def _base(fields: Fields, rope: Fields, family: Family) -> Any:
    at_top, in_rope = family.base_field, rope.get("rope_theta")
    given = {f"config.{at_top}": fields.get(at_top), "config.rope_parameters.rope_theta": in_rope}
    stated = {field: _number(field, v) for field, v in given.items() if v is not None}
    if family.fixed_base is not None:
        stated = {"the model code": read_rational("base", family.fixed_base), **stated}
    if not stated:
        allowed = f"the base of the frequencies, at the top ({at_top}) or in rope_parameters"
        raise InvalidArgument(f"config.{at_top}", None, allowed)
    # A field that this family does not read must not contradict those that it reads.
    if fields.get("rope_theta") is not None:
        stated["config.rope_theta"] = _number("config.rope_theta", fields["rope_theta"])
    return _agreed(stated)


def _rotary_dim(fields: Fields, rope: Fields, name: str, family: Family, head_dim: int) -> int:
    if family.dim_field is not None:
        return _stated_rotary_dim(fields, family, head_dim)
    field = family.fraction_field or "partial_rotary_factor"
    given = {
        f"config.{field}": fields.get(field),
        "config.partial_rotary_factor": fields.get("partial_rotary_factor"),
        "config.rope_parameters.partial_rotary_factor": rope.get("partial_rotary_factor"),
    }
    stated = {at: _number(at, value) for at, value in given.items() if value is not None}
    if family.fraction_field is None:
        if any(value != 1 for value in stated.values()):
            raise Unsupported(f"model_type {name!r} with {_where(stated)}: it rotates whole heads")
        return head_dim
    if not stated:
        if family.fraction_default is None:
            allowed = (
                f"the rotated fraction of the head, at the top ({field}) or in rope_parameters"
            )
            raise InvalidArgument(f"config.{field}", None, allowed)
        return head_dim
    fraction = _agreed(stated)
    if not 0 < fraction <= 1:
        raise InvalidArgument(_where(stated), fraction, "a fraction > 0 and <= 1")
    # As the library has it: the product in float64, then cut.
    rotary_dim = int(head_dim * float(fraction))
    if rotary_dim % 2 or rotary_dim < 2:
        allowed = f"a fraction of head_dim {head_dim} that gives an even number >= 2"
        raise InvalidArgument(_where(stated), float(fraction), f"{allowed}, not {rotary_dim}")
    return rotary_dim


def _stated_rotary_dim(fields: Fields, family: Family, head_dim: int) -> int:
    field = f"config.{family.dim_field}"
    value = fields.get(family.dim_field or "")
    if value is None and family.dim_field in fields and _field(fields, family.heads) == 1:
        return head_dim  # null means the whole width, which fits a single head only
    return read_integer(field, value, least=2)


def _scaling(fields: Fields, rope: Fields, family: Family, context: int | None) -> Scaling | None:
    kind = _rope_type(rope)
    kind = "longrope" if kind in family.longrope_names else kind
    if kind != "default" and kind not in _SCALINGS:
        known = ", ".join(["default", *_SCALINGS])
        raise Unsupported(f"rope_type {kind!r}: not one of {known}")
    keys, make = _SCALINGS.get(kind, (frozenset(), _no_scaling))
    if strange := sorted(rope.keys() - keys - _PLAIN_KEYS - _NOTE_KEYS):
        raise Unsupported(f"rope_parameters.{strange[0]} with rope_type {kind!r}")
    return make(_Reader(fields, rope, context))


def _rope_type(rope: Fields) -> str:
    """The name of the scaling; `default` only where no other parameter asks for one."""
    field = "config.rope_parameters.rope_type"
    stated = [rope[key] for key in ("rope_type", "type") if rope.get(key) is not None]
    for kind in stated:
        if not isinstance(kind, str):
            raise InvalidArgument(field, kind, "the name of a rope type")
        if kind != stated[0]:
            raise InvalidArgument(
                "config.rope_parameters.type", kind, f"{stated[0]!r}, as rope_type"
            )
    if stated:
        return str(stated[0])
    if unread := sorted(rope.keys() - _PLAIN_KEYS - _NOTE_KEYS):
        raise InvalidArgument(field, None, f"the name of the rope type that has {unread[0]}")
    return "default"


class _Reader:
    """The fields of one scaling, each refused by its name if it is missing or not a number."""

    def __init__(self, fields: Fields, rope: Fields, context: int | None) -> None:
        self.fields, self.rope, self.context = fields, rope, context

    def number(self, key: str) -> Any:
        value = self.rope.get(key)
        return _number(f"config.rope_parameters.{key}", value)

    def optional(self, key: str) -> Any:
        return None if self.rope.get(key) is None else self.number(key)

    def numbers(self, key: str) -> Any:
        field, values = f"config.rope_parameters.{key}", self.rope.get(key)
        if not isinstance(values, list | tuple):
            raise InvalidArgument(field, values, "a list of numbers")
        return tuple(_number(f"{field}[{i}]", value) for i, value in enumerate(values))

    def original_length(self) -> int:
        given = {
            f"config.{_ORIGINAL}": self.fields.get(_ORIGINAL),
            f"config.rope_parameters.{_ORIGINAL}": self.rope.get(_ORIGINAL),
        }
        stated = {
            field: read_integer(field, value, least=1)
            for field, value in given.items()
            if value is not None
        }
        if not stated:
            allowed = "the length before scaling, an integer >= 1"
            raise InvalidArgument(f"config.rope_parameters.{_ORIGINAL}", None, allowed)
        return int(_agreed(stated))

    def context_length(self) -> int:
        if self.context is None:
            allowed = "an integer >= 1, which this scaling needs"
            raise InvalidArgument("config.max_position_embeddings", None, allowed)
        return self.context


def _no_scaling(_reader: _Reader) -> None:
    return None


def _linear(reader: _Reader) -> Linear:
    return Linear(reader.number("factor"))


def _dynamic(reader: _Reader) -> Dynamic:
    return Dynamic(reader.number("factor"), reader.context_length())


def _yarn(reader: _Reader) -> Yarn:
    fast, slow = reader.optional("beta_fast"), reader.optional("beta_slow")
    truncate = reader.rope.get("truncate")
    return Yarn(
        factor=reader.number("factor"),
        original_length=reader.original_length(),
        beta_fast=32 if fast is None else fast,
        beta_slow=1 if slow is None else slow,
        truncate=True if truncate is None else truncate,
        attention=reader.optional("attention_factor"),
        mscale=reader.optional("mscale"),
        mscale_all_dim=reader.optional("mscale_all_dim"),
    )


def _longrope(reader: _Reader) -> LongRope:
    original, factor = reader.original_length(), reader.optional("factor")
    if factor is None:
        context = read_rational("context", reader.context_length())
        factor = context / original
    return LongRope(
        short_factor=reader.numbers("short_factor"),
        long_factor=reader.numbers("long_factor"),
        original_length=original,
        factor=factor,
        attention=reader.optional("attention_factor"),
    )


def _llama3(reader: _Reader) -> Llama3:
    return Llama3(
        factor=reader.number("factor"),
        low_freq_factor=reader.number("low_freq_factor"),
        high_freq_factor=reader.number("high_freq_factor"),
        original_length=reader.original_length(),
    )


_SCALINGS: Mapping[str, tuple[frozenset[str], Callable[[_Reader], Scaling | None]]] = {
    "linear": (frozenset({"factor"}), _linear),
    "dynamic": (frozenset({"factor"}), _dynamic),
    "yarn": (
        frozenset({"factor", _ORIGINAL, "beta_fast", "beta_slow", "truncate"})
        | {"attention_factor", "mscale", "mscale_all_dim"},
        _yarn,
    ),
    "longrope": (
        frozenset({"factor", _ORIGINAL, "short_factor", "long_factor", "attention_factor"}),
        _longrope,
    ),
    "llama3": (frozenset({"factor", _ORIGINAL, "low_freq_factor", "high_freq_factor"}), _llama3),
}


def _optional_integer(fields: Fields, name: str) -> int | None:
    value = _field(fields, name)
    return None if value is None else read_integer(f"config.{name}", value, least=1)


def _number(name: str, value: object) -> Any:
    if value is None or isinstance(value, str):
        raise InvalidArgument(name, value, "a number")
    return read_rational(name, value)


def _agreed(stated: Mapping[str, Any]) -> Any:
    """The value that all fields state; refused by name if two differ."""
    (first, value), *others = stated.items()
    for field, other in others:
        if other != value:
            raise InvalidArgument(field, other, f"{value}, as {first} says")
    return value


def _where(stated: Mapping[str, Any]) -> str:
    return next(iter(stated))
