"""Faults put into a right configuration, each with the finding that lint must make.

A fault goes wherever the configuration has a place for it: into each section (a model of text, nested or
not) and into each of its dictionaries of rotary parameters, flat or by layer type.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator
from typing import Any

_O = "original_max_position_embeddings"
_DICTS = ("rope_parameters", "rope_scaling")
_BASES = ("rope_theta", "rotary_emb_base")
_FRACTIONS = ("partial_rotary_factor", "rotary_pct")
NAN = math.nan

Path = tuple[str, ...]
Fault = tuple[str, str, dict[str, Any]]


def _at(fields: dict[str, Any], path: Path) -> Any:
    for key in path:
        fields = fields[key]
    return fields


def _set(fields: dict[str, Any], path: Path, **values: Any) -> dict[str, Any]:
    """A copy of a configuration with these values at a path; `...` removes a key."""
    found = copy.deepcopy(fields)
    place = _at(found, path)
    for key, value in values.items():
        if value is ...:
            place.pop(key, None)
        else:
            place[key] = value
    return found


def sections(fields: dict[str, Any], path: Path = ()) -> Iterator[Path]:
    """Yield the paths of the text models in a configuration."""
    inner = [k for k in ("text_config", "llm_config") if isinstance(fields.get(k), dict)]
    if not inner:
        yield path
    for key in inner:
        yield from sections(fields[key], (*path, key))


def ropes(section: dict[str, Any]) -> Iterator[Path]:
    """Yield the paths of the dictionaries of rotary parameters within a section."""
    for key in _DICTS:
        value = section.get(key)
        if isinstance(value, dict) and value:
            nested = [k for k, v in value.items() if isinstance(v, dict)]
            yield from ((key, kind) for kind in nested) if nested else ((key,),)


def faults(fields: dict[str, Any]) -> Iterator[Fault]:
    """Yield the id of the required finding, what was changed, and the faulty configuration."""
    for path in sections(fields):
        section = _at(fields, path)

        def change(id: str, *below: str, _path: Path = path, **values: Any) -> Fault:
            told = ".".join((*_path, *below)) + f" {values}"
            return id, told, _set(fields, (*_path, *below), **values)

        yield from _of_section(section, change)
        for below in ropes(section):
            yield from _of_rope(section, _at(section, below), below, change)
        yield from _of_layers(section, change)


def _of_section(section: dict[str, Any], change: Callable[..., Fault]) -> Iterator[Fault]:
    for key in _BASES:
        if isinstance(base := section.get(key), int | float):
            yield change("value-string", **{key: str(base)})
            yield change("value-not-finite", **{key: NAN})
            yield change("value-range", **{key: -base})
            yield change("value-range", **{key: 0})
            yield change("value-type", **{key: [[base]]})
            yield change("base-improbable", **{key: 3})
            yield change(
                "base-conflict", rope_parameters={"rope_type": "default", "rope_theta": base / 50}
            )
            if not any(section.get(k) for k in _DICTS):
                yield change("base-missing", **{key: ...})
                yield change("type-missing", rope_scaling={"factor": 4.0})
                yield change("value-type", rope_scaling="linear")
                yield change("key-missing", rope_scaling={"type": "linear"})
                if section.get(_O) is None:
                    yield change("original-missing", rope_scaling={"type": "yarn", "factor": 4.0})
    if "rope_theta" in section and section.get("rotary_emb_base") is None:
        yield change("base-conflict", rotary_emb_base=section["rope_theta"] * 2)
    for key in ("rope_theta", "rope_scaling", "rope_parameters"):
        if section.get(key):
            swapped = key[:-2] + key[-1] + key[-2]
            yield change("key-unknown", **{key: ..., swapped: section[key]})
    for key in _FRACTIONS:
        if isinstance(section.get(key), float):
            yield change("partial-range", **{key: 1.5})
            yield change("partial-range", **{key: -0.25})
            yield change("value-string", **{key: str(section[key])})
    turns = any(section.get(k) for k in (*_DICTS, *_BASES))
    if turns and "qk_rope_head_dim" not in section and type(section.get("head_dim")) is int:
        yield change("head-dim", head_dim=section["head_dim"] + 1)
    if "qk_rope_head_dim" in section:
        yield change("head-dim", qk_rope_head_dim=section["qk_rope_head_dim"] + 1)
    if "rotary_dim" in section:
        yield change("head-dim", rotary_dim=section["rotary_dim"] + 1)


def _of_rope(
    section: dict[str, Any], rope: dict[str, Any], below: Path, change: Callable[..., Fault]
) -> Iterator[Fault]:
    name = next((k for k in ("rope_type", "type") if k in rope), None)
    kind = rope.get(name) if name else None
    other = {"rope_type": "type", "type": "rope_type"}.get(name or "")
    if name is not None and kind is not None and other not in rope:
        wrong = "llama3" if kind != "llama3" else "linear"
        yield change("type-conflict", *below, **{str(other): wrong})
    if kind is not None:
        yield change("type-unknown", *below, **{str(name): f"{kind}x"})
        yield change("value-type", *below, **{str(name): 7})
    for key, value in rope.items():
        if key in ("type", "rope_type", "finetuned", "mrope_interleaved"):
            continue
        if len(key) > 5:
            swapped = key[:-2] + key[-1] + key[-2]
            if swapped != key:
                yield change("key-unknown", *below, **{key: ..., swapped: value})
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield change("value-string", *below, **{key: str(value)})
            yield change("value-not-finite", *below, **{key: math.inf})
            if key not in ("mscale", "mscale_all_dim", "partial_rotary_factor"):
                yield change("value-range", *below, **{key: -1.0})
    if isinstance(rope.get("factor"), int | float):
        yield change("value-range", *below, factor=0.25)
        twin = "rope_parameters" if below == ("rope_scaling",) else "rope_scaling"
        if len(below) == 1 and section.get(twin) is None:
            yield change("dialect-conflict", **{twin: {**rope, "factor": rope["factor"] * 2}})
    if "rope_theta" in rope and len(below) == 1:
        yield change("base-conflict", rope_theta=rope["rope_theta"] * 50)
    if kind in ("yarn", "deepseek_yarn"):
        yield change("betas-crossed", *below, beta_fast=1, beta_slow=32)
        yield change("key-missing", *below, factor=...)
        if section.get(_O) is None:
            yield change("original-missing", *below, **{_O: ...})
        context = section.get("max_position_embeddings")
        if context and rope.get(_O) and rope[_O] != context:
            yield change("original-mismatch", *below, factor=rope["factor"] * 3)
        yield change(
            "attention-conflict", *below, attention_factor=3.0, mscale=1.0, mscale_all_dim=0.5
        )
    if kind == "llama3":
        yield change("frequencies-crossed", *below, low_freq_factor=4.0, high_freq_factor=1.0)
        for key in ("factor", "low_freq_factor", "high_freq_factor"):
            yield change("key-missing", *below, **{key: ...})
        yield change("original-missing", *below, **{_O: ...})
    for key in ("short_factor", "long_factor"):
        if isinstance(rope.get(key), list):
            yield change("list-length", *below, **{key: rope[key][:-1]})
            yield change("key-missing", *below, **{key: ...})
            yield change("value-string", *below, **{key: [str(rope[key][0]), *rope[key][1:]]})
            yield change("value-range", *below, **{key: [-1.0, *rope[key][1:]]})
    if isinstance(rope.get("mrope_section"), list):
        first, *rest = rope["mrope_section"]
        yield change("sections-sum", *below, mrope_section=[first + 1, *rest])
    if isinstance(rope.get("partial_rotary_factor"), float):
        yield change("partial-range", *below, partial_rotary_factor=2.0)


def _of_layers(section: dict[str, Any], change: Callable[..., Fault]) -> Iterator[Fault]:
    types = section.get("layer_types")
    rope = section.get("rope_parameters")
    if not isinstance(types, list) or not isinstance(rope, dict):
        return
    kinds = [k for k, v in rope.items() if isinstance(v, dict) and k in types]
    for kind in kinds:
        others = [k for k in types if k != kind]
        if others and len(kinds) > 1 and kind in ("full_attention", "sliding_attention"):
            yield change("layer-type-absent", layer_types=[others[0]] * len(types))
            yield change("layer-without-parameters", "rope_parameters", **{kind: ...})
