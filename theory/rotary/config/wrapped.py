"""Choosing one model in a configuration file that holds several: text, images, sound."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.config.fields import Fields
from ropeproof.theory.rotary.families import FAMILIES
from ropeproof.theory.rotary.tables.left_out_fields import LEFT_OUT

__all__ = ["part_of", "parts_of"]

_TEXT = ("text_config", "llm_config", "language_config")
_WITHIN = ("thinker_config",)
"""Keys of a model that itself contains the text and image models, as in Qwen's omni models."""

_UNNAMED: Mapping[str, str] = {
    "aria": "aria_text",
    "aya_vision": "cohere2",
    "cohere2_vision": "cohere2",
    "emu3": "emu3_text_model",
    "fuyu": "persimmon",
    "gemma3": "gemma3_text",
    "gemma3n": "gemma3n_text",
    "gemma4": "gemma4_text",
    "glm4v": "glm4v_text",
    "glm4v_moe": "glm4v_moe_text",
    "got_ocr2": "qwen2",
    "granite_speech": "granite",
    "idefics2": "mistral",
    "idefics3": "llama",
    "internvl": "qwen2",
    "janus": "llama",
    "lfm2_vl": "lfm2",
    "llama4": "llama4_text",
    "llava": "llama",
    "llava_next": "llama",
    "llava_next_video": "llama",
    "llava_onevision": "qwen2",
    "mistral3": "mistral",
    "mllama": "mllama_text_model",
    "ovis2": "qwen2",
    "paligemma": "gemma",
    "perception_lm": "llama",
    "qwen2_5_vl": "qwen2_5_vl_text",
    "qwen2_audio": "qwen2",
    "qwen2_vl": "qwen2_vl_text",
    "qwen3_5": "qwen3_5_text",
    "qwen3_5_moe": "qwen3_5_moe_text",
    "qwen3_vl": "qwen3_vl_text",
    "qwen3_vl_moe": "qwen3_vl_moe_text",
    "shieldgemma2": "gemma3_text",
    "smolvlm": "llama",
    "video_llava": "llama",
    "vipllava": "llama",
    "voxtral": "llama",
}
"""The family of a text part that does not name its own, as the class of the wrapper has it."""


def parts_of(fields: Fields) -> dict[str, Fields]:
    """The models inside a configuration, by name: `text`, `vision` and others.

    The mapping is empty if the configuration is of one model.
    """
    found: dict[str, Fields] = {}
    for key in _WITHIN:
        if isinstance(fields.get(key), Mapping):
            found |= parts_of(fields[key])
            found.setdefault(key.removesuffix("_config"), fields[key])
    for key, value in fields.items():
        inside = str(key).endswith("_config") and isinstance(value, Mapping) and value
        if inside and key not in _WITHIN and "quantization" not in str(key):
            found.setdefault("text" if key in _TEXT else key.removesuffix("_config"), value)
    return found


def part_of(fields: Fields, part: str | None = None) -> Fields:
    """The fields of one model of a configuration.

    Without a `part` this is the text model where the configuration has one inside, else the whole. A part
    that does not name its family gets the name that the wrapper's class has for it; a vision tower
    under the wrapper's own name gets the tower's.

    Raises `InvalidArgument`, naming the parts that there are, if there is no such part.
    """
    parts = parts_of(fields)
    if part is None:
        if "text" not in parts:
            return fields
        part = "text"
    elif part == "text" and "text" not in parts and "vision" not in parts:
        return fields  # a model of text alone is its own part
    elif part == "text" and "text" not in parts and fields.get("hidden_size") is not None:
        return fields  # older files have the text model at the top, beside a vision_config
    if part not in parts:
        known = ", ".join(sorted(parts)) or "none: the configuration is one model"
        raise InvalidArgument("part", part, f"a part of the configuration ({known})")
    return _named(parts[part], fields, part)


def _named(found: Fields, whole: Fields, part: str) -> Fields:
    """The part under the name of its family, with the class's defaults for the fields that it leaves out."""
    found = _under_its_name(found, whole, part)
    missing = LEFT_OUT.get(str(found.get("model_type")), {})
    ropes = (found.get(key) for key in ("rope_parameters", "rope_scaling"))
    based = any("rope_theta" in rope for rope in ropes if isinstance(rope, Mapping))
    filled = {
        k: v for k, v in missing.items() if k not in found and (k != "rope_theta" or not based)
    }
    return {**found, **filled}


def _under_its_name(found: Fields, whole: Fields, part: str) -> Fields:
    name: Any = found.get("model_type")
    outer = whole.get("model_type")
    if part == "vision" and isinstance(name or outer, str):
        own = f"{name or outer}_vision"
        if own in FAMILIES and (name not in FAMILIES or name == outer):
            return {**found, "model_type": own}
    if part == "text" and name is None and isinstance(outer, str) and outer in _UNNAMED:
        return {**found, "model_type": _UNNAMED[outer]}
    return found
