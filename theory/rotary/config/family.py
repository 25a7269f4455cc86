"""The family whose code a configuration is for, and the fields of one model in it."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from os import PathLike
from typing import Any

from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.config.fields import Fields, read_fields
from ropeproof.theory.rotary.config.layers import by_layer_type
from ropeproof.theory.rotary.config.wrapped import part_of
from ropeproof.theory.rotary.families import FAMILIES, UNSUPPORTED, Family

__all__ = ["LATENT_FIELDS", "family_of", "model_fields", "named_fields", "part_fields"]

LATENT_FIELDS = ("kv_lora_rank", "qk_nope_head_dim", "qk_rope_head_dim")
"""The fields of every configuration of multi-head latent attention, whatever its family is called."""

_CODE: Mapping[str, str] = {
    "DeepseekV2ForCausalLM": "deepseek_v2",
    "DeepseekV3ForCausalLM": "deepseek_v3",
    "Gemma2ForCausalLM": "gemma2",
    "GemmaForCausalLM": "gemma",
    "LlamaForCausalLM": "llama",
    "MistralForCausalLM": "mistral",
    "MixtralForCausalLM": "mixtral",
    "Qwen2ForCausalLM": "qwen2",
    "Qwen2MoeForCausalLM": "qwen2_moe",
    "Qwen3ForCausalLM": "qwen3",
    "Qwen3MoeForCausalLM": "qwen3_moe",
}
"""The family whose code an architecture is; engines choose their code by it, not by `model_type`."""

_SPELT: Mapping[str, str] = {"Glm4vMoe_text": "glm4v_moe_text"}
"""Other spellings of a `model_type`, by version 4 of transformers."""


def part_fields(
    config: str | PathLike[str] | Mapping[str, Any] | object, *, part: str | None = None
) -> Fields:
    """The fields of one model as the file states them, under the name of its family's code.

    Arguments and errors as in `ropeproof.theory.rotary.config.spec_fields`.
    """
    return named_fields(part_of(read_fields(config), part))


def model_fields(
    config: str | PathLike[str] | Mapping[str, Any] | object, *, part: str | None = None
) -> Fields:
    """The fields of one model, with rotary parameters per layer type where layer types differ.

    The parameters then stand under `rope_parameters` by layer type, the form of transformers 5, also if
    the file has an older form.
    Arguments and errors as in `ropeproof.theory.rotary.config.spec_fields`.
    """
    return by_layer_type(part_fields(config, part=part))


def named_fields(fields: Fields) -> Fields:
    """The fields of a configuration with `model_type` set to the family whose code they are for.

    An unknown `model_type` is replaced by the family whose code the file names as its architecture. With
    an `auto_map` the code comes with the file: then that is done only for DeepSeek's, whose published
    files of latent attention are one code.
    """
    name = fields.get("model_type")
    if not isinstance(name, str) or name in FAMILIES or name in UNSUPPORTED:
        return fields
    if name in _SPELT:
        return {**fields, "model_type": _SPELT[name]}
    named = fields.get("architectures")
    first = named[0] if isinstance(named, list | tuple) and named else None
    family = _CODE.get(first) if isinstance(first, str) else None
    if family is None:
        return fields
    own = fields.get("auto_map")
    files = own.values() if isinstance(own, Mapping) else ()
    if own is not None and not all(str(one).startswith(_DEEPSEEK) for one in files):
        return fields
    latent = all(fields.get(key) is not None for key in LATENT_FIELDS)
    if FAMILIES[family].latent is not latent:
        return fields
    return {**fields, "model_type": family}


_DEEPSEEK = ("configuration_deepseek.", "modeling_deepseek.")


def family_of(fields: Fields) -> tuple[str, Family]:
    """The name of a configuration's family and the facts about it.

    Raises `Unsupported` for a family that is not known or not handled, with the next step in the message, and
    `InvalidArgument` if `model_type` is no name.
    """
    name = fields.get("model_type")
    if isinstance(name, str) and name in UNSUPPORTED:
        raise Unsupported(f"model_type {name!r}: {UNSUPPORTED[name]}")
    known = FAMILIES.get(name) if isinstance(name, str) else None
    latent = [key for key in LATENT_FIELDS if fields.get(key) is not None]
    if known is not None and not known.latent and latent:
        told = f"the configuration has {latent[-1]}), which the code of model_type {name!r} has not"
        raise Unsupported(f"multi-head latent attention ({told}")
    if name is None and isinstance(fields.get("_class_name"), str):
        own = "its axes are read in code of diffusers that is not modelled here"
        by_hand = "RopeSpec(..., axes=...) by hand describes one"
        raise Unsupported(f"{fields['_class_name']}, a model of diffusers: {own}; {by_hand}")
    if not isinstance(name, str):
        raise InvalidArgument("config.model_type", name, "the name of a model family")
    if known is None:
        near = difflib.get_close_matches(name, [*FAMILIES, *UNSUPPORTED], 3, 0.8)
        hint = f" (known are {', '.join(near)})" if near else ""
        raise Unsupported(f"model_type {name!r}: a family that is not known{hint}; {_next(fields)}")
    alibi = fields.get("alibi")
    if alibi is not None and not isinstance(alibi, bool):
        raise InvalidArgument("config.alibi", alibi, "true or false")
    if alibi:
        raise Unsupported(f"model_type {name!r} with alibi: position biases, no RoPE")
    return name, known


def _next(fields: Fields) -> str:
    """The advice for an unknown family: a `RopeSpec` to write yourself, as far as the file gives it."""
    told, by_hand = "its code says what rotates, and then a RopeSpec by hand does", _by_hand(fields)
    return f"{told}, here {by_hand}" if by_hand else f"{told}: RopeSpec(head_dim, base, ...)"


def _by_hand(fields: Fields) -> str:
    """The `RopeSpec(...)` call as far as the file determines it; empty if it has no head dimension."""
    inside = next(
        (v for k in ("rope_parameters", "rope_scaling") if isinstance(v := fields.get(k), Mapping)),
        {},
    )
    base = next((b for b in (fields.get("rope_theta"), inside.get("rope_theta")) if b), "BASE")
    more = []
    sizes: list[Any] = [fields.get(key) for key in LATENT_FIELDS[1:]]
    if all(type(size) is int for size in sizes):
        still, rotated = sizes
        head: Any = still + rotated
        more += [f"rotary_dim={rotated}", f"rotary_start={still}"]
    else:
        head = fields.get("head_dim")
        width, heads = fields.get("hidden_size"), fields.get("num_attention_heads")
        if head is None and type(width) is int and type(heads) is int and heads > 0:
            head = width // heads
        if type(head) is not int:
            return ""
        fraction = fields.get("partial_rotary_factor", inside.get("partial_rotary_factor"))
        rotated = fields.get("rotary_dim")
        if rotated is None and isinstance(fraction, int | float) and 0 < fraction < 1:
            rotated = int(head * fraction)
        more += [f"rotary_dim={rotated}"] if type(rotated) is int else []
    kind = inside.get("rope_type") or inside.get("type") or "default"
    more.append("layout='half' or 'interleaved'")
    more += [] if kind == "default" else [f"scaling=... ({kind})"]
    return f"RopeSpec({head}, {base}, {', '.join(more)})"
