"""The families that the installed transformers ships with a rotary embedding, and small models of them."""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import torch
from transformers import CONFIG_MAPPING, MODEL_MAPPING
from transformers.models.auto.configuration_auto import CONFIG_MAPPING_NAMES

__all__ = [
    "Seen",
    "default_config",
    "pairs_turned",
    "rotary_class",
    "seen_by_layer",
    "shipped",
    "small_config",
]

SMALL: dict[str, Any] = {
    "vocab_size": 64,
    "intermediate_size": 32,
    "moe_intermediate_size": 16,
    "shared_expert_intermediate_size": 16,
    "expert_ffn_hidden_size": 16,
    "ffn_hidden_size": 32,
    "intermediate_size_mlp": 32,
    "num_experts": 2,
    "num_local_experts": 2,
    "n_routed_experts": 2,
    "moe_num_experts": 2,
    "num_experts_per_tok": 1,
    "moe_k": 1,
    "moe_topk": 1,
    "zero_expert_num": 1,
    "num_shared_experts": 1,
    "n_shared_experts": 1,
    "n_group": 1,
    "topk_group": 1,
    "first_k_dense_replace": 0,
    "kv_lora_rank": 16,
    "q_lora_rank": 16,
    "v_head_dim": 16,
    "vocab_size_per_layer_input": 64,
    "hidden_size_per_layer_input": 8,
    "linear_num_key_heads": 2,
    "linear_num_value_heads": 2,
    "linear_key_head_dim": 16,
    "linear_value_head_dim": 16,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "use_cache": False,
}
"""Sizes that nothing rotates by, where a class has them."""

_THREE = {"mrope_section": [24, 20, 20]}
_HALF = {"partial_rotary_factor": 0.5, "mrope_section": [8, 12, 12]}
OWN: dict[str, dict[str, Any]] = {
    "ernie4_5_vl_moe_text": {"rope_parameters": {"mrope_section": [22, 22, 20]}},
    "gemma3n_text": {
        "layer_types": ["sliding_attention"] * 4 + ["full_attention"],
        "num_hidden_layers": 5,
        "num_kv_shared_layers": 0,
        "activation_sparsity_pattern": [0.0] * 5,
        "intermediate_size": [32] * 5,
    },
    "glm4_moe": {"head_dim": 128},
    "glm4v_moe_text": {"head_dim": 128, "rope_parameters": _HALF},
    "glm4v_text": {"rope_parameters": _HALF},
    "glm_image_text": {"rope_parameters": _HALF},
    "glm_ocr_text": {"rope_parameters": {"mrope_section": [8, 12, 12]}},
    "granitemoehybrid": {
        "layer_types": ["full_attention", "linear_attention", "full_attention"],
        "num_hidden_layers": 3,
        "position_embedding_type": "rope",
    },
    "bailing_hybrid": {
        "num_attention_heads": 8,
        "num_key_value_heads": 8,
        "n_group": 1,
        "num_expert_group": 1,
        "num_experts": 16,
        "num_experts_per_tok": 2,
    },
    "chameleon": {"vocabulary_map": {"<image>": 5}},
    "diffusion_gemma_text": {"top_k_experts": 1},
    "bamba": {"attn_layer_indices": [1, 3], "num_hidden_layers": 4},
    "helium": {"hidden_size": 256},
    "hunyuan_v1_dense": {"head_dim": 64},
    "hunyuan_v1_moe": {"head_dim": 64},
    "lfm2": {"layer_types": ["conv", "full_attention"] * 3, "num_hidden_layers": 6},
    "lfm2_moe": {
        "layer_types": ["conv", "full_attention"] * 3,
        "num_hidden_layers": 6,
        "num_dense_layers": 1,
    },
    "longcat_flash": {"moe_topk": 2, "num_layers": 2},
    "ministral": {"head_dim": 64},
    "paddleocr_vl_text": {"rope_parameters": {"mrope_section": [16, 24, 24]}},
    "qwen2_5_omni_text": {"rope_parameters": {"mrope_section": [16, 24, 24]}},
    "qwen2_5_vl_text": {"rope_parameters": {"mrope_section": [16, 24, 24]}},
    "qwen2_vl_text": {"rope_parameters": {"mrope_section": [16, 24, 24]}},
    "qwen3_5_moe_text": {"rope_parameters": {"mrope_section": [11, 11, 10]}},
    "qwen3_5_text": {"rope_parameters": {"mrope_section": [11, 11, 10]}},
    "qwen3_omni_moe_text": {"head_dim": 128, "hidden_size": 64, "rope_parameters": _THREE},
    "qwen3_vl_moe_text": {"head_dim": 128, "rope_parameters": _THREE},
    "qwen3_vl_text": {"rope_parameters": _THREE},
}
"""What a class leaves to its files, or what has to fit another size, family by family."""


@functools.cache
def shipped() -> tuple[str, ...]:
    """The names of the `model_type`s whose configuration class has rotary parameters of its own."""
    found = ["cohere2_moe"]  # it has them from a class above it, under another name
    for name in CONFIG_MAPPING_NAMES:
        kind = CONFIG_MAPPING[name]
        if "rope_parameters" in {*dir(kind), *_annotations(kind), *_assigned(kind)}:
            found.append(name)
    return tuple(sorted(found))


def _annotations(kind: Any) -> set[str]:
    return {key for base in kind.__mro__ for key in getattr(base, "__annotations__", {})}


def _assigned(kind: Any) -> set[str]:
    """The names that the code of a class's own functions uses."""
    codes = [value.__code__ for value in vars(kind).values() if hasattr(value, "__code__")]
    return {name for code in codes for name in (*code.co_names, *code.co_varnames)}


def default_config(name: str, **changes: Any) -> Any:
    """A configuration of the class's defaults, with the fields that the class leaves to its files."""
    kept = (
        "head_dim",
        "hidden_size",
        "position_embedding_type",
        "layer_types",
        "num_hidden_layers",
    )
    own = {k: v for k, v in OWN.get(name, {}).items() if k in kept}
    return _with_rope(name, own | changes)


def _with_rope(name: str, fields: dict[str, Any]) -> Any:
    kind = CONFIG_MAPPING[name]
    more = OWN.get(name, {}).get("rope_parameters")
    if more is None or "rope_parameters" in fields:
        return kind(**fields)
    given = dict(kind().rope_parameters or {})
    return kind(**fields, rope_parameters={**given, **more})


def small_config(name: str, layers: int = 6) -> Any:
    """A configuration with small sizes, and defaults for everything that determines the rotation."""
    kind = CONFIG_MAPPING[name]
    plain = kind().to_dict()
    fields = {
        k: [v] * len(plain[k]) if isinstance(plain[k], list | tuple) else v
        for k, v in SMALL.items()
        if k in plain
    }
    heads, width, head_dim = (
        plain.get(k) for k in ("num_attention_heads", "hidden_size", "head_dim")
    )
    if width is not None and isinstance(heads, int):
        fields["num_attention_heads"] = 2
        if "num_key_value_heads" in plain:
            fields["num_key_value_heads"] = 2
        fields["hidden_size"] = 64 if head_dim is not None else 2 * (width // heads)
    count = plain.get("num_hidden_layers")
    if count is not None:
        fields["num_hidden_layers"] = min(layers, count)
        for key, value in plain.items():
            if isinstance(value, list | tuple) and len(value) == count > 3:
                fields[key] = list(value)[: min(layers, count)]
    fields |= {k: v for k, v in OWN.get(name, {}).items() if k != "rope_parameters"}
    return _with_rope(name, fields)


def code_of(config: Any) -> ModuleType:
    """The module that defines the model class of a configuration."""
    file = type(config).__module__.replace(".configuration_", ".modeling_")
    return importlib.import_module(file)


def rotary_class(config: Any) -> Any:
    """The class of the rotary embedding in the family's own file, or the one that the file imports."""
    stem = type(config).__name__.removesuffix("Config")
    try:
        home = code_of(config)
    except ImportError:  # the family has a configuration of its own, and another one's code
        home = importlib.import_module(MODEL_MAPPING[type(config)].__module__)
    found = [
        value
        for key, value in vars(home).items()
        if key.endswith("RotaryEmbedding") and isinstance(value, type)
    ]
    own = [one for one in found if one.__name__.startswith(stem)]
    text = [one for one in found if "Vision" not in one.__name__]
    if not own and not text:
        raise LookupError(f"{home.__name__}: no rotary class")
    return (own or text)[0]


def pairs_turned(model: Any, positions: list[int]) -> list[tuple[tuple[Any, Any], tuple[Any, Any]]]:
    """The arguments and the results of the function that rotates, call by call.

    For families whose attention is not one of the interchangeable functions of transformers.
    """
    found: list[tuple[tuple[Any, Any], tuple[Any, Any]]] = []
    list(seen_by_layer(model, positions, found))
    return found


@dataclass(frozen=True)
class Seen:
    """The queries and keys of one layer at some positions, `(heads, length, head_dim)` in float64.

    `given` are the queries and keys that the function that rotates was given, and `turned` what it
    returned, of the rotated part alone where that is what it is given.
    """

    layer: int
    queries: Any
    keys: Any
    given: tuple[Any, Any] | None
    turned: tuple[Any, Any] | None


def seen_by_layer(
    model: Any, positions: list[int], turns: list[Any] | None = None
) -> Iterator[Seen]:
    """Yield the queries and keys that each layer's attention gets, while attention adds nothing.

    So the vectors before rotation are the same for all positions, and those at position 0 are the
    vectors themselves, times the attention factor.
    """
    modules = {sys.modules[type(m).__module__] for m in model.modules()}
    seen: list[Seen] = []
    last: list[tuple[tuple[Any, Any], tuple[Any, Any]]] = []

    def attend(module: Any, query: Any, key: Any, value: Any, *_: Any, **__: Any) -> Any:
        number = getattr(module, "layer_idx", None)
        number = len(seen) if number is None else number
        pair = last.pop() if last else (None, None)
        seen.append(Seen(number, query[0].detach().double(), key[0].detach().double(), *pair))
        last.clear()
        return query.new_zeros(1, query.shape[2], query.shape[1], value.shape[-1]), None

    def watched(function: Any) -> Any:
        @functools.wraps(function)
        def turn(*args: Any, **options: Any) -> Any:
            found = function(*args, **options)
            # The indexer of sparse attention has the length before the heads, and a rotation of its own.
            if isinstance(found, tuple) and len(args) > 1 and options.get("unsqueeze_dim", 1) == 1:
                last.append(((_double(args[0]), _double(args[1])), tuple(map(_double, found))))
                if turns is not None:
                    turns.append(last[-1])
            return found

        return turn

    patched = []
    try:
        for module in modules:
            for key, function in list(vars(module).items()):
                if key == "eager_attention_forward":
                    patched.append((module, key, function))
                    setattr(module, key, attend)
                elif key.startswith("apply_rotary") and callable(function):
                    patched.append((module, key, function))
                    setattr(module, key, watched(function))
        tokens = (torch.arange(len(positions)) % 40 + 3)[None]
        with torch.no_grad():
            model(input_ids=tokens, position_ids=torch.tensor([positions]), use_cache=False)
    finally:
        for module, key, function in patched:
            setattr(module, key, function)
    yield from seen


def _double(x: Any) -> Any:
    return x[0].detach().double()
