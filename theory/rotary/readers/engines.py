"""What each engine makes of a configuration: small declared models of their readers.

Each says where it was read. They model the base and the scaling of a flat configuration; where an
engine's code for a family was not read, the engine is not listed for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["READERS", "Reader", "Reading"]

_ORIGINAL = "original_max_position_embeddings"
_BASES = ("rope_theta", "rotary_emb_base")
_PARAMETERS = (
    "factor",
    _ORIGINAL,
    "low_freq_factor",
    "high_freq_factor",
    "beta_fast",
    "beta_slow",
    "attention_factor",
)


@dataclass(frozen=True)
class Reading:
    """The rotation that a reader takes, as sorted pairs; or why it refuses the file."""

    rotation: tuple[tuple[str, Any], ...] = ()
    refused: str = ""

    def __str__(self) -> str:
        if self.refused:
            return f"refuses: {self.refused}"
        found = dict(self.rotation)
        rest = ", ".join(f"{k} {v:g}" for k, v in found.items() if k not in ("base", "type"))
        scaling = (
            ""
            if found["type"] == "default"
            else f", {found['type']}" + (f" ({rest})" if rest else "")
        )
        return f"base {found['base']:g}{scaling}"

    def as_json(self) -> dict[str, Any]:
        """The reading for `--json`."""
        return {"refused": self.refused} if self.refused else dict(self.rotation)


@dataclass(frozen=True)
class Reader:
    """One engine, its version, and where its reader was read."""

    name: str
    version: str
    source: str
    families: frozenset[str]
    read: Callable[[Mapping[str, Any]], Reading]
    unknown: frozenset[str] = frozenset()
    """What it makes of these is not modelled: types of scaling, and YaRN's parameters."""

    def reads(self, fields: Mapping[str, Any]) -> bool:
        """Whether the engine's code for this family and this scaling is modelled.

        It is not if bases differ by layer, nor if a base is no number: what an engine makes of such a
        file is not known.
        """
        family = fields.get("model_type")
        if not isinstance(family, str) or family not in self.families:
            return False
        inner = (_rope(fields, key) for key in ("rope_parameters", "rope_scaling"))
        bases = [rope["rope_theta"] for rope in inner if "rope_theta" in rope]
        bases += [v for k in _BASES if (v := fields.get(k)) is not None]
        if not all(type(base) in (int, float) for base in bases):
            return False
        if self.unknown & _special(fields):
            return False
        nested = any(
            isinstance(value, Mapping)
            for key in ("rope_parameters", "rope_scaling")
            if isinstance(fields.get(key), Mapping)
            for value in fields[key].values()
        )
        return not nested


_YARN = frozenset({"attention_factor", "mscale", "mscale_all_dim", "truncate"})
"""Parameters of YaRN that engines take in ways of their own, or not at all."""


def _special(fields: Mapping[str, Any]) -> set[str]:
    """The types of scaling that a file names, and the parameters of YaRN in which engines differ."""
    found: set[str] = set()
    for key in ("rope_parameters", "rope_scaling"):
        rope = _rope(fields, key)
        kinds = {str(rope[name]) for name in ("rope_type", "type") if rope.get(name) is not None}
        found |= kinds
        if "yarn" in kinds:
            found |= {name for name in _YARN if rope.get(name) is not None}
            if rope.get("truncate") is True:  # as it is without the key
                found.discard("truncate")
    return found


def _rope(fields: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    for key in keys:
        if isinstance(fields.get(key), Mapping) and fields[key]:
            return dict(fields[key])
    return {}


def _rotation(base: object, kind: object, rope: Mapping[str, Any]) -> Reading:
    if kind in (None, "mrope") or (kind in ("linear", "dynamic") and rope.get("factor") == 1):
        kind = "default"
    kind = "longrope" if kind == "su" else kind
    found: dict[str, Any] = {"base": float(str(base)), "type": str(kind)}
    if kind != "default":
        found |= {k: float(rope[k]) for k in _PARAMETERS if isinstance(rope.get(k), int | float)}
    if kind == "yarn":
        found = {"beta_fast": 32.0, "beta_slow": 1.0, **found}
    return Reading(tuple(sorted(found.items())))


# `default_theta` of the families' configuration classes in transformers 5.23.0, where it is not 10000.
_FIVE = {
    "apertus": 12e6,
    "bitnet": 500000.0,
    "cohere": 500000.0,
    "ernie4_5": 500000.0,
    "ernie4_5_moe": 500000.0,
    "gpt_oss": 150000.0,
    "helium": 100000.0,
    "minimax": 1e6,
    "mixtral": 1e6,
    "phimoe": 1e6,
    "smollm3": 2e6,
}


# Families that take any scaling from the file, with the default base in the classes of transformers 4.57.1.
_FOUR = {
    "llama": 10000.0,
    "mistral": 10000.0,
    "mixtral": 1e6,
    "qwen2": 10000.0,
    "qwen2_moe": 10000.0,
    "qwen3": 10000.0,
    "qwen3_moe": 10000.0,
    "gemma": 10000.0,
    "gemma2": 10000.0,
    "olmoe": 10000.0,
    "granite": 10000.0,
    "granitemoe": 10000.0,
    "starcoder2": 10000.0,
    "cohere": 10000.0,
    "smollm3": 2e6,
    "glm": 10000.0,
    "glm4": 10000.0,
    "helium": 100000.0,
}


# Families that only the reader of transformers 5 is modelled for, each with its default base.
_MORE = {
    "arcee": 10000.0,
    "aria_text": 10000.0,
    "cohere2": 10000.0,
    "cwm": 1000000.0,
    "ernie4_5_vl_moe_text": 500000.0,
    "eurobert": 10000.0,
    "exaone_moe": 10000.0,
    "falcon_h1": 10000.0,
    "flex_olmo": 500000.0,
    "glm4_moe_lite": 10000.0,
    "glm4v_moe_text": 10000.0,
    "glm4v_text": 10000.0,
    "granite_docling_text": 10000.0,
    "granite_swa": 10000.0,
    "granitemoe_swa": 10000.0,
    "granitemoeshared": 10000.0,
    "higgs_audio_v2": 500000.0,
    "hunyuan_v1_dense": 10000.0,
    "hunyuan_v1_moe": 10000.0,
    "hy_v3": 11158840.0,
    "hyperclovax": 10000.0,
    "jais2": 10000.0,
    "jetmoe": 10000.0,
    "kolibri1": 10000.0,
    "lfm2": 1000000.0,
    "llama4_text": 500000.0,
    "minicpm3": 10000.0,
    "minimax_m2": 5000000.0,
    "ministral": 10000.0,
    "molmo2_text": 10000.0,
    "moshi": 10000.0,
    "olmo": 10000.0,
    "olmo_hybrid": 10000.0,
    "persimmon": 10000.0,
    "qwen2_5_vl_text": 1000000.0,
    "qwen2_vl_text": 1000000.0,
    "qwen3_5_moe_text": 10000.0,
    "qwen3_5_text": 10000.0,
    "qwen3_next": 10000.0,
    "qwen3_vl_moe_text": 500000.0,
    "qwen3_vl_text": 500000.0,
    "seed_oss": 10000.0,
    "solar_open": 1000000.0,
    "stablelm": 10000.0,
    "vaultgemma": 10000.0,
    "youtu": 10000.0,
}


def _transformers5(fields: Mapping[str, Any]) -> Reading:
    rope = _rope(fields, "rope_scaling", "rope_parameters")
    default = {**_MORE, **_FIVE}.get(str(fields.get("model_type")), 10000.0)
    top = fields.get("rope_theta")
    base = rope.get("rope_theta", default if top is None else top)
    kind = rope.get("rope_type", rope.get("type", "default"))
    own = ("default", "longrope", "su", "yarn")
    if fields.get("model_type") in ("phi3", "phimoe") and kind not in own:
        return Reading(refused=f"this family has no scaling {kind!r}")
    if kind in ("llama3", "yarn", "longrope") or kind == "su":
        at_top = fields.get(_ORIGINAL)
        if at_top is not None:
            rope[_ORIGINAL] = at_top
        rope.setdefault(_ORIGINAL, fields.get("max_position_embeddings"))
    return _rotation(base, kind, rope)


def _transformers4(fields: Mapping[str, Any]) -> Reading:
    # rope_parameters is an unknown attribute to it, kept and never read.
    top = fields.get("rope_theta")
    rope = _rope(fields, "rope_scaling")
    kind = rope.get("type", rope.get("rope_type", "default"))
    if kind == "yarn":
        rope.setdefault(_ORIGINAL, fields.get("max_position_embeddings"))
    if kind in ("longrope", "su") and fields.get(_ORIGINAL) is not None:
        rope[_ORIGINAL] = fields[_ORIGINAL]
    if kind == "llama3" and rope.get(_ORIGINAL) is None:
        return Reading(refused=f"llama3 needs {_ORIGINAL} in rope_scaling")
    return _rotation(_FOUR[str(fields.get("model_type"))] if top is None else top, kind, rope)


def _vllm(fields: Mapping[str, Any]) -> Reading:
    rope = _rope(fields, "rope_scaling", "rope_parameters")
    kinds = {rope.get("rope_type"), rope.get("type")} - {None}
    if len(kinds) > 1 and kinds not in ({"su", "longrope"}, {"mrope", "default"}):
        return Reading(refused="rope_type and type differ")
    return _transformers5(fields)


_MLX = {
    "llama": 10000.0,
    "qwen2": 1e6,
    "qwen2_moe": 1e6,
    "mixtral": 1e6,
    "phi": 10000.0,
    "phi3": 10000.0,
    "gemma": 10000.0,
    "gemma2": 10000.0,
    "olmo2": 10000.0,
    "olmoe": 10000.0,
    "cohere": 8e6,
    "gpt_oss": 150000.0,
    "bitnet": 10000.0,
    "deepseek_v2": 10000.0,
    "deepseek_v3": 10000.0,
    "nemotron": 10000.0,
    "glm": 10000.0,
    "phimoe": 10000.0,
    "nanochat": 10000.0,
}
_MLX_REQUIRED = frozenset(
    {"apertus", "dots1", "ernie4_5", "ernie4_5_moe", "exaone4", "glm4", "glm4_moe", "granite"}
    | {"granitemoe", "helium", "minimax", "olmo3"}
)


# Families whose mlx-lm code has no field rope_scaling: a scaling is ignored without a word.
_MLX_UNSCALED = frozenset(
    {"cohere", "ernie4_5", "ernie4_5_moe", "gemma", "gemma2", "glm", "glm4", "helium", "minimax"}
    | {"nanochat", "phi"}
)


def _mlx(fields: Mapping[str, Any]) -> Reading:
    name = str(fields.get("model_type"))
    base = fields.get("rope_theta")
    if base is None and name in _MLX_REQUIRED:
        return Reading(refused="it needs rope_theta at the top")
    rope = {} if name in _MLX_UNSCALED else _rope(fields, "rope_scaling")
    if name == "phi3" and rope and not {"type", "long_factor"} <= rope.keys():
        return Reading(refused="rope_scaling needs type and long_factor")
    kind = rope.get("type") or rope.get("rope_type", "default")
    if kind in ("yarn", "llama3"):
        rope.setdefault(_ORIGINAL, 4096 if kind == "yarn" else 8192)
    return _rotation(_MLX.get(name, 10000.0) if base is None else base, kind, rope)


def _converter(fields: Mapping[str, Any]) -> Reading:
    rope = _rope(fields, "rope_parameters") or _rope(fields, "rope_scaling")
    base = rope.get("rope_theta", fields.get("rope_theta", fields.get("rotary_emb_base")))
    kind = rope.get("rope_type", rope.get("type"))
    if kind not in (None, "default", "linear", "yarn", "longrope", "su", "llama3"):
        kind = "default"  # logged, and nothing is written
    if kind == "llama3":  # generate_extra_tensors looks for it at the top only
        rope[_ORIGINAL] = fields.get(_ORIGINAL, 8192)
    if kind == "yarn" and rope.get(_ORIGINAL) is None:
        return Reading(refused=f"yarn needs {_ORIGINAL}")
    return _rotation(10000.0 if base is None else base, kind, rope)


def _ollama(fields: Mapping[str, Any]) -> Reading:
    base, rope = fields.get("rope_theta"), _rope(fields, "rope_scaling")
    kind = "llama3" if rope.get("rope_type") == "llama3" and base else "default"
    if rope.get("type") == "linear":
        kind = "linear"
    return _rotation(base or 10000.0, kind, rope)


def _onnx(fields: Mapping[str, Any]) -> Reading:
    read = _transformers5(fields)
    if read.refused:
        return read
    kind = dict(read.rotation)["type"]
    if kind in ("default", "linear") or fields.get("model_type") in ("llama", "phi3"):
        return read
    return Reading(refused=f"no scaling {kind!r}")


_TEXT = frozenset(_MLX) | _MLX_REQUIRED | {"mistral", "qwen3", "qwen3_moe", "starcoder2", "smollm3"}
_FLAT = _TEXT - {"nanochat", "olmo3"}
READERS: tuple[Reader, ...] = (
    Reader(
        "transformers 5",
        "5.23.0",
        "huggingface/transformers: modeling_rope_utils.py, RotaryEmbeddingConfigMixin",
        _FLAT | frozenset(_MORE),
        _transformers5,
    ),
    Reader(
        "transformers 4",
        "4.57.1",
        "huggingface/transformers: modeling_rope_utils.py and configuration_*.py",
        frozenset(_FOUR),
        _transformers4,
    ),
    Reader(
        "SGLang",
        "0.5.23",
        "sglang/srt/models/llama.py, LlamaDecoderLayer; sglang/srt/layers/rotary_embedding/factory.py",
        frozenset({"llama", "mistral"}),
        _transformers5,
        _YARN,
    ),
    Reader(
        "vLLM",
        "0.33.0",
        "vllm/transformers_utils/config.py, patch_rope_parameters; "
        "vllm/model_executor/layers/rotary_embedding/__init__.py, get_rope",
        frozenset({"llama", "mistral", "mixtral", "qwen2", "qwen3"}),
        _vllm,
        _YARN,
    ),
    Reader(
        "mlx-lm",
        "0.32.2",
        "mlx_lm/models/*.py, ModelArgs; mlx_lm/models/rope_utils.py, initialize_rope",
        frozenset(_MLX) | _MLX_REQUIRED - {"olmo3"},
        _mlx,
        _YARN,
    ),
    Reader(
        "llama.cpp converter",
        "2026",
        "ggml-org/llama.cpp: conversion of Hugging Face models, TextModel.set_gguf_parameters",
        frozenset({"llama", "mistral", "mixtral", "qwen2", "qwen3"}),
        _converter,
        _YARN,
    ),
    Reader(
        "Ollama",
        "fb307609",
        "ollama/ollama: convert/convert_llama.go",
        frozenset({"llama"}),
        _ollama,
    ),
    Reader(
        "onnxruntime-genai",
        "0.18.0",
        "onnxruntime_genai/models/builders/base.py, make_rope_init",
        frozenset({"llama", "mistral", "qwen2", "qwen3"}),
        _onnx,
        frozenset({"yarn"}),  # its correction range is not rounded, unlike that of the others
    ),
)
