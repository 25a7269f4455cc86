"""The values that each field of a configuration may have: its type, its sign and its size.

One table for all who read configurations, so that `RopeSpec.from_config` and `ropeproof lint` refuse the same
values. An absent field and null are not judged: the code that reads a field decides whether its family needs
it. The limits of size lie far above every released model; what is above them is a slip of the pen.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from ropeproof.theory.rotary.families import FAMILIES, Family
from ropeproof.theory.rotary.layout import MOST_COORDINATES

__all__ = [
    "LEAST_SIZE",
    "MOST_LAYERS",
    "MOST_POSITIONS",
    "MOST_SIZE",
    "MOST_WIDTH",
    "ROPE_PARAMETERS",
    "FieldRule",
    "RefusedValue",
    "is_layer_type",
    "refused_values",
]

LEAST_SIZE, MOST_SIZE = 1e-30, 1e30
"""The smallest and the largest size of a nonzero number; its powers and products are still floats."""
MOST_WIDTH = 1 << 24
"""The largest width of a model, and number of heads, that is read."""
MOST_LAYERS = 1 << 16
"""The largest number of layers that is read."""
MOST_POSITIONS = 1 << 40
"""The longest context that is read."""

_ORIGINAL = "original_max_position_embeddings"
_ROPES = ("rope_parameters", "rope_scaling")


class RefusedValue(NamedTuple):
    """A value that a field may not have: the field's key path and meaning, the value, what is allowed."""

    where: str
    meaning: str
    value: object
    allowed: str


class FieldRule(NamedTuple):
    """The meaning of a field, the allowed values in words, and the predicate that accepts them."""

    meaning: str
    allowed: str
    accepts: Callable[[object], bool]


def refused_values(fields: Mapping[str, Any]) -> Iterator[RefusedValue]:
    """Yield the values in one model's configuration that no code which reads it could mean.

    `fields` are those of a text model, not of a wrapper around it. If the family of its `model_type` is
    known, only the fields that this family reads are judged. If it is not known, only the fields with
    the same meaning in all families are judged; there a list may stand for one value a layer, and a
    length may be one in seconds, a fraction.
    """
    name = fields.get("model_type")
    if name is not None and not isinstance(name, str):
        yield RefusedValue("model_type", "the name of the model's family", name, "a text")
    family = FAMILIES.get(name) if isinstance(name, str) else None
    rules = _COMMON if family is None else _of_family(family)
    for key, rule in rules.items():
        value = fields.get(key)
        if family is None and isinstance(value, list | tuple):
            continue
        if family is None and isinstance(value, float) and value > 1 and math.isfinite(value):
            value = math.floor(value)
        if value is not None and not rule.accepts(value):
            yield RefusedValue(key, rule.meaning, fields[key], rule.allowed)
    for key in _ROPES:
        value = fields.get(key)
        if isinstance(value, Mapping):
            yield from _refused_of_rope(key, value, known=family is not None)


def is_layer_type(key: str, value: object) -> bool:
    """Whether an entry of the rotary parameters is the mapping of parameters for the layers of one type."""
    return isinstance(value, Mapping) and key not in ROPE_PARAMETERS


def _refused_of_rope(at: str, rope: Mapping[str, Any], *, known: bool) -> Iterator[RefusedValue]:
    for key, value in rope.items():
        rule = ROPE_PARAMETERS.get(key)
        if rule is None and isinstance(value, Mapping):
            yield from _refused_of_rope(f"{at}.{key}", value, known=known)
        by_layer = not known and isinstance(value, list | tuple)
        if rule is not None and value is not None and not by_layer and not rule.accepts(value):
            yield RefusedValue(f"{at}.{key}", rule.meaning, value, rule.allowed)


def _whole(value: object) -> bool:
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def _integer(meaning: str, most: int, least: int = 1) -> FieldRule:
    return FieldRule(
        meaning,
        f"an integer from {least} to {most}",
        lambda value: _whole(value) and least <= value <= most,  # type: ignore[operator]
    )


def _above_zero(meaning: str) -> FieldRule:
    def accepts(value: object) -> bool:
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            return False
        return LEAST_SIZE <= value <= MOST_SIZE  # type: ignore[operator]

    return FieldRule(meaning, f"a number from {LEAST_SIZE:g} to {MOST_SIZE:g}", accepts)


def _number(meaning: str) -> FieldRule:
    def accepts(value: object) -> bool:
        if isinstance(value, bool) or not isinstance(value, numbers.Number | Decimal):
            return False
        return not isinstance(value, float) or math.isfinite(value)

    return FieldRule(meaning, "a finite number", accepts)


def _name(meaning: str) -> FieldRule:
    return FieldRule(meaning, "a text", lambda value: isinstance(value, str))


def _list(meaning: str) -> FieldRule:
    return FieldRule(meaning, "a list of numbers", lambda value: isinstance(value, list | tuple))


def _bool(meaning: str) -> FieldRule:
    return FieldRule(meaning, "true or false", lambda value: isinstance(value, bool))


def _texts(meaning: str) -> FieldRule:
    def accepts(value: object) -> bool:
        return isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)

    return FieldRule(meaning, "a list of names, one for each layer", accepts)


_WIDTH = _integer("the width of the model", MOST_WIDTH)
_HEADS = _integer("the number of query heads", MOST_WIDTH)
_LAYERS = _integer("the number of layers", MOST_LAYERS)
_CONTEXT = _integer("the number of positions that the model is made for", MOST_POSITIONS)
_BEFORE = _integer("the number of positions before scaling", MOST_POSITIONS)
_BASE = _number("the base of the frequencies")

_COMMON: Mapping[str, FieldRule] = {
    "hidden_size": _WIDTH,
    "num_attention_heads": _HEADS,
    "num_key_value_heads": _integer("the number of key heads", MOST_WIDTH),
    "num_hidden_layers": _LAYERS,
    "max_position_embeddings": _CONTEXT,
    _ORIGINAL: _BEFORE,
}
"""Fields that mean the same in every family."""

ROPE_PARAMETERS: Mapping[str, FieldRule] = {
    _ORIGINAL: _BEFORE,
    "rope_type": _name("the kind of scaling"),
    "type": _name("the kind of scaling"),
    "truncate": _bool("whether the ends of YaRN's ramp are rounded to planes"),
    "mrope_interleaved": _bool("whether the planes of the axes take turns"),
    "mrope_section": _list("the number of planes of each axis"),
    "short_factor": _list("the divisors of short prompts, one for each plane"),
    "long_factor": _list("the divisors of long prompts, one for each plane"),
    "rope_theta": _BASE,
    "partial_rotary_factor": _number("the part of a head that rotates"),
    "factor": _number("how many times the length is extended"),
    "beta_fast": _number("the turns of the planes that YaRN leaves alone"),
    "beta_slow": _number("the turns of the planes that YaRN divides by the factor"),
    "attention_factor": _number("what cosines and sines are multiplied by"),
    "mscale": _number("a weight in the attention factor"),
    "mscale_all_dim": _number("a weight in the attention factor"),
    "low_freq_factor": _number("the turns below which a plane is divided by the factor"),
    "high_freq_factor": _number("the turns above which a plane is left alone"),
}
"""Rotary parameters; the range of a number depends on the scaling, and is judged where that is read."""


def _of_family(family: Family) -> dict[str, FieldRule]:
    """The rules of the fields that the code of a family reads."""
    size = _integer("a number of coordinates of a head", MOST_COORDINATES)
    found = dict(_COMMON)
    found |= {family.width: _WIDTH, family.heads: _HEADS, family.context: _CONTEXT}
    found |= {family.base_field: _BASE, "rope_theta": _BASE}
    for key in ("partial_rotary_factor", family.fraction_field):
        if key is not None:
            found[key] = _number("the part of a head that rotates")
    found |= {"n_layer": _LAYERS, "layer_types": _texts("the type of each layer")}
    if family.width == "n_embd":  # GPT-J reads neither name of the others
        found |= {"n_head": _HEADS, "n_positions": _CONTEXT}
    if not family.latent:
        found[family.head_field] = size
    else:
        found |= dict.fromkeys(("qk_nope_head_dim", "qk_rope_head_dim", "qk_head_dim"), size)
    if family.global_head_dim:
        found["global_head_dim"] = size
    for key in (family.dim_field, family.part_field):
        if key is not None:
            found[key] = size
    if family.layout_field is not None:
        found[family.layout_field] = _bool("whether the pairs of coordinates are interleaved")
    if family.grid is not None:
        found["depth"] = _LAYERS
    if family.no_rope is not None:
        found["sliding_window"] = _integer("the positions that a window shows", MOST_POSITIONS)
    if family.no_rope == "flags":
        found["no_rope_layer_interval"] = _integer("one layer in so many has no RoPE", MOST_LAYERS)
    if family.no_rope == "full attention":
        found["sliding_window_pattern"] = _integer("one layer in so many has no RoPE", MOST_LAYERS)
    if family.scale in ("query_pre_attn_scalar", "attention_multiplier"):
        found[family.scale] = _above_zero("what the logits are scaled by")
    if family.capped:
        found["attn_logit_softcapping"] = _above_zero("what the logits are capped at")
    if family.default_base is not None:
        found["alibi"] = _bool("whether positions are biases in place of RoPE")
    return found
