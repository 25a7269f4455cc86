"""Configurations of released models as facts, and faulty ones made from them.

The facts are those of the models' published config.json that bear on rotation. `RIGHT` has each in the
dialect of its release and in that of transformers 5; `FAULTY` names the finding that each must have.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

_O = "original_max_position_embeddings"


def _llama3(factor: float) -> dict[str, Any]:
    return {
        "rope_type": "llama3",
        "factor": factor,
        "low_freq_factor": 1.0,
        "high_freq_factor": 4.0,
        _O: 8192,
    }


def _yarn(factor: float, original: int, **more: Any) -> dict[str, Any]:
    return {"type": "yarn", "factor": factor, _O: original, **more}


def _long(planes: int) -> dict[str, Any]:
    return {"type": "longrope", "short_factor": [1.0] * planes, "long_factor": [2.0] * planes}


_MLA = {"qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "kv_lora_rank": 512}
_DEEP = {"beta_fast": 32, "beta_slow": 1, "mscale": 1.0, "mscale_all_dim": 1.0}

# name: family, width, heads, context, base, other fields
FACTS: dict[str, tuple[str, int, int, int, float | None, dict[str, Any]]] = {
    "Llama-2-7B": ("llama", 4096, 32, 4096, 10000.0, {"rope_scaling": None}),
    "Llama-2-70B": ("llama", 8192, 64, 4096, 10000.0, {}),
    "Llama-3-8B": ("llama", 4096, 32, 8192, 500000.0, {"rope_scaling": None}),
    "Llama-3.1-8B": ("llama", 4096, 32, 131072, 500000.0, {"rope_scaling": _llama3(8.0)}),
    "Llama-3.1-405B": ("llama", 16384, 128, 131072, 500000.0, {"rope_scaling": _llama3(8.0)}),
    "Llama-3.2-1B": (
        "llama",
        2048,
        32,
        131072,
        500000.0,
        {"rope_scaling": _llama3(32.0), "head_dim": 64},
    ),
    "Code-Llama-7B": ("llama", 4096, 32, 16384, 1000000.0, {}),
    "Yi-34B": ("llama", 7168, 56, 4096, 5000000.0, {}),
    "Yi-6B-200K": ("llama", 4096, 32, 200000, 5000000.0, {}),
    "TinyLlama-1.1B": ("llama", 2048, 32, 2048, 10000.0, {}),
    "SmolLM2-135M": ("llama", 576, 9, 8192, 100000.0, {}),
    "DeepSeek-Coder-6.7B": (
        "llama",
        4096,
        32,
        16384,
        100000.0,
        {"rope_scaling": {"type": "linear", "factor": 4.0}},
    ),
    "LongChat-13B-16K": (
        "llama",
        5120,
        40,
        16384,
        10000.0,
        {"rope_scaling": {"type": "linear", "factor": 8.0}},
    ),
    "Yarn-Llama-2-7B-64K": (
        "llama",
        4096,
        32,
        65536,
        10000.0,
        {"rope_scaling": _yarn(16.0, 4096, finetuned=True)},
    ),
    "Mistral-7B-v0.1": ("mistral", 4096, 32, 32768, 10000.0, {"sliding_window": 4096}),
    "Mistral-7B-v0.3": ("mistral", 4096, 32, 32768, 1000000.0, {}),
    "Mistral-Nemo": ("mistral", 5120, 32, 131072, 1000000.0, {"head_dim": 128}),
    "Mixtral-8x7B": ("mixtral", 4096, 32, 32768, 1000000.0, {}),
    "Qwen2-0.5B": ("qwen2", 896, 14, 131072, 1000000.0, {}),
    "Qwen2.5-7B": ("qwen2", 3584, 28, 32768, 1000000.0, {}),
    "Qwen2.5-7B long": ("qwen2", 3584, 28, 32768, 1000000.0, {"rope_scaling": _yarn(4.0, 32768)}),
    "Qwen1.5-MoE-A2.7B": ("qwen2_moe", 2048, 16, 8192, 1000000.0, {}),
    "Qwen3-8B": ("qwen3", 4096, 32, 40960, 1000000.0, {"head_dim": 128, "rope_scaling": None}),
    "Qwen3-30B-A3B": ("qwen3_moe", 2048, 32, 40960, 1000000.0, {"head_dim": 128}),
    "Qwen3-Next-80B": (
        "qwen3_next",
        2048,
        16,
        262144,
        10000000.0,
        {"head_dim": 256, "partial_rotary_factor": 0.25},
    ),
    "Qwen2-VL-7B": (
        "qwen2_vl",
        3584,
        28,
        32768,
        1000000.0,
        {"rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]}},
    ),
    "Qwen2.5-VL-7B": (
        "qwen2_5_vl",
        3584,
        28,
        128000,
        1000000.0,
        {"rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]}},
    ),
    "Qwen3-VL text": (
        "qwen3_vl_text",
        4096,
        32,
        262144,
        5000000.0,
        {
            "head_dim": 128,
            "rope_scaling": {
                "rope_type": "default",
                "mrope_section": [24, 20, 20],
                "mrope_interleaved": True,
            },
        },
    ),
    "Gemma-7B": ("gemma", 3072, 16, 8192, 10000.0, {"head_dim": 256}),
    "Gemma-2-9B": ("gemma2", 3584, 16, 8192, 10000.0, {"head_dim": 256}),
    "Gemma-3-1B": (
        "gemma3_text",
        1152,
        4,
        32768,
        1000000.0,
        {"head_dim": 256, "rope_local_base_freq": 10000, "rope_scaling": None},
    ),
    "Gemma-3-27B text": (
        "gemma3_text",
        5376,
        32,
        131072,
        1000000.0,
        {
            "head_dim": 128,
            "rope_local_base_freq": 10000,
            "rope_scaling": {"rope_type": "linear", "factor": 8.0},
        },
    ),
    "Phi-1.5": ("phi", 2048, 32, 2048, 10000.0, {"partial_rotary_factor": 0.5}),
    "Phi-2": ("phi", 2560, 32, 2048, 10000.0, {"partial_rotary_factor": 0.4}),
    "Phi-3-mini-4k": ("phi3", 3072, 32, 4096, 10000.0, {_O: 4096, "rope_scaling": None}),
    "Phi-3-mini-128k": ("phi3", 3072, 32, 131072, 10000.0, {_O: 4096, "rope_scaling": _long(48)}),
    "Phi-4-mini": (
        "phi3",
        3072,
        24,
        131072,
        10000.0,
        {_O: 4096, "partial_rotary_factor": 0.75, "rope_scaling": _long(48)},
    ),
    "Phi-3.5-MoE": (
        "phimoe",
        4096,
        32,
        131072,
        10000.0,
        {
            _O: 4096,
            "rope_scaling": {**_long(64), "short_mscale": 1.24, "long_mscale": 1.24, _O: 4096},
        },
    ),
    "Pythia-1.4B": (
        "gpt_neox",
        2048,
        16,
        2048,
        None,
        {"rotary_emb_base": 10000, "rotary_pct": 0.25},
    ),
    "GPT-NeoX-20B": (
        "gpt_neox",
        6144,
        64,
        2048,
        None,
        {"rotary_emb_base": 10000, "rotary_pct": 0.25},
    ),
    "GPT-J-6B": ("gptj", 4096, 16, 2048, None, {"rotary_dim": 64, "n_embd": 4096, "n_head": 16}),
    "Falcon-7B": ("falcon", 4544, 71, 2048, None, {"alibi": False}),
    "Falcon-H1": ("falcon_h1", 2048, 8, 131072, 100000000000.0, {"head_dim": 64}),
    "StableLM-2-1.6B": ("stablelm", 2048, 32, 4096, 10000.0, {"partial_rotary_factor": 0.25}),
    "StarCoder2-7B": ("starcoder2", 4608, 36, 16384, 1000000.0, {}),
    "DeepSeek-V2-Lite": (
        "deepseek_v2",
        2048,
        16,
        163840,
        10000.0,
        {
            **_MLA,
            "rope_scaling": _yarn(
                40.0, 4096, beta_fast=32, beta_slow=1, mscale=0.707, mscale_all_dim=0.707
            ),
        },
    ),
    "DeepSeek-V3": (
        "deepseek_v3",
        7168,
        128,
        163840,
        10000.0,
        {**_MLA, "rope_scaling": _yarn(40.0, 4096, **_DEEP)},
    ),
    "Kimi-K2": (
        "kimi_k2",
        7168,
        64,
        131072,
        50000.0,
        {**_MLA, "auto_map": {}, "rope_scaling": _yarn(32.0, 4096, **_DEEP)},
    ),
    "Command-R": ("cohere", 8192, 64, 131072, 8000000.0, {}),
    "Command-R7B": ("cohere2", 4096, 32, 8192, 50000.0, {"sliding_window": 4096}),
    "OLMo-7B": ("olmo", 4096, 32, 2048, 10000.0, {}),
    "OLMo-2-7B": ("olmo2", 4096, 32, 4096, 500000.0, {}),
    "OLMoE-1B-7B": ("olmoe", 2048, 16, 4096, 10000.0, {}),
    "Granite-3.0-8B": ("granite", 4096, 32, 4096, 10000.0, {}),
    "Granite-3.0-3B-A800M": ("granitemoe", 1536, 24, 4096, 10000.0, {}),
    "GLM-4-9B": ("glm", 4096, 32, 131072, 10000.0, {"head_dim": 128, "partial_rotary_factor": 0.5}),
    "GLM-4-0414": (
        "glm4",
        4096,
        32,
        32768,
        10000.0,
        {"head_dim": 128, "partial_rotary_factor": 0.5},
    ),
    "GLM-4.5": (
        "glm4_moe",
        5120,
        96,
        131072,
        1000000.0,
        {"head_dim": 128, "partial_rotary_factor": 0.5},
    ),
    "MiniCPM-2B": ("minicpm", 2304, 36, 4096, 10000.0, {"auto_map": {}}),
    "MiniCPM3-4B": (
        "minicpm3",
        2560,
        40,
        32768,
        10000.0,
        {"qk_rope_head_dim": 32, "qk_nope_head_dim": 64, "rope_scaling": {**_long(16), _O: 32768}},
    ),
    "InternLM2-7B": (
        "internlm2",
        4096,
        32,
        32768,
        1000000.0,
        {"auto_map": {}, "rope_scaling": {"type": "dynamic", "factor": 2.0}},
    ),
    "Baichuan2-7B": ("baichuan", 4096, 32, 4096, None, {"auto_map": {}}),
    "ChatGLM3-6B": ("chatglm", 4096, 32, 8192, None, {"auto_map": {}, "rope_ratio": 1}),
    "Persimmon-8B": ("persimmon", 4096, 64, 16384, 25000.0, {"partial_rotary_factor": 0.5}),
    "Nemotron-4-mini": ("nemotron", 3072, 24, 4096, 10000.0, {"partial_rotary_factor": 0.5}),
    "Zamba2-1.2B": (
        "zamba2",
        2048,
        32,
        4096,
        10000.0,
        {"use_mem_rope": True, "attention_head_dim": 128},
    ),
    "Jamba-v0.1": ("jamba", 4096, 32, 262144, None, {}),
    "Mamba-2.8B": ("mamba", 2560, 1, 2048, None, {}),
    "BERT-base": ("bert", 768, 12, 512, None, {"position_embedding_type": "absolute"}),
    "ModernBERT-base": (
        "modernbert",
        768,
        12,
        8192,
        None,
        {"global_rope_theta": 160000.0, "local_rope_theta": 10000.0},
    ),
    "gpt-oss-20b": (
        "gpt_oss",
        2880,
        64,
        131072,
        150000,
        {
            "head_dim": 64,
            "rope_scaling": {
                "rope_type": "yarn",
                "factor": 32.0,
                "beta_fast": 32.0,
                "beta_slow": 1.0,
                "truncate": False,
                _O: 4096,
            },
        },
    ),
    "SmolLM3-3B": ("smollm3", 2048, 16, 65536, 5000000.0, {"no_rope_layers": [1, 1, 1, 0]}),
    "Llama-4-Scout text": (
        "llama4_text",
        5120,
        40,
        10485760,
        500000.0,
        {"head_dim": 128, "no_rope_layers": [1, 1, 1, 0], "rope_scaling": _llama3(8.0)},
    ),
    "EXAONE-4.0-32B": (
        "exaone4",
        5120,
        40,
        131072,
        1000000.0,
        {"head_dim": 128, "rope_scaling": _llama3(16.0)},
    ),
    "MiniMax-M2": ("minimax_m2", 3072, 48, 196608, 5000000, {"head_dim": 128, "rotary_dim": 64}),
    "Seed-OSS-36B": (
        "seed_oss",
        5120,
        80,
        524288,
        10000000.0,
        {"head_dim": 128, "rope_scaling": {"rope_type": "default"}},
    ),
    "Hunyuan-7B": (
        "hunyuan_v1_dense",
        4096,
        32,
        32768,
        10000.0,
        {
            "head_dim": 128,
            "rope_scaling": {
                "type": "dynamic",
                "alpha": 1000.0,
                "factor": 1.0,
                "beta_fast": 32,
                "beta_slow": 1,
                "mscale": 1.0,
                "mscale_all_dim": 1.0,
            },
        },
    ),
    "Llama-3.3-70B": ("llama", 8192, 64, 131072, 500000.0, {"rope_scaling": _llama3(8.0)}),
    "Llama-3.2-3B": (
        "llama",
        3072,
        24,
        131072,
        500000.0,
        {"rope_scaling": _llama3(32.0), "head_dim": 128},
    ),
    "Yi-1.5-9B": ("llama", 4096, 32, 4096, 5000000.0, {}),
    "DeepSeek-LLM-7B": ("llama", 4096, 32, 4096, 10000.0, {"rope_scaling": None}),
    "Falcon3-7B": ("llama", 3072, 12, 32768, 1000042, {"head_dim": 256}),
    "SmolLM2-1.7B": ("llama", 2048, 32, 8192, 130000, {}),
    "Mistral-Small-24B": ("mistral", 5120, 32, 32768, 100000000.0, {"head_dim": 128}),
    "Ministral-8B": ("mistral", 4096, 32, 32768, 100000000.0, {"head_dim": 128}),
    "Mixtral-8x22B": ("mixtral", 6144, 48, 65536, 1000000, {}),
    "Qwen2.5-0.5B": ("qwen2", 896, 14, 32768, 1000000.0, {}),
    "Qwen2.5-72B": ("qwen2", 8192, 64, 32768, 1000000.0, {}),
    "QwQ-32B": ("qwen2", 5120, 40, 40960, 1000000.0, {}),
    "Qwen3-0.6B": ("qwen3", 1024, 16, 40960, 1000000, {"head_dim": 128}),
    "Qwen3-4B-2507": ("qwen3", 2560, 32, 262144, 5000000, {"head_dim": 128}),
    "Qwen3-235B-A22B": ("qwen3_moe", 4096, 64, 40960, 1000000.0, {"head_dim": 128}),
    "Gemma-2-2B": ("gemma2", 2304, 8, 8192, 10000.0, {"head_dim": 256}),
    "Gemma-2-27B": ("gemma2", 4608, 32, 8192, 10000.0, {"head_dim": 128}),
    "Gemma-3-270M": (
        "gemma3_text",
        640,
        4,
        32768,
        1000000.0,
        {"head_dim": 256, "rope_local_base_freq": 10000.0, "sliding_window": 512},
    ),
    "Gemma-3-12B text": (
        "gemma3_text",
        3840,
        16,
        131072,
        1000000.0,
        {
            "head_dim": 256,
            "rope_local_base_freq": 10000,
            "rope_scaling": {"rope_type": "linear", "factor": 8.0},
        },
    ),
    "Phi-4": ("phi3", 5120, 40, 16384, 250000, {_O: 16384, "rope_scaling": None}),
    "StarCoder2-3B": ("starcoder2", 3072, 24, 16384, 999999.4420358813, {}),
    "Pythia-70M": ("gpt_neox", 512, 8, 2048, None, {"rotary_emb_base": 10000, "rotary_pct": 0.25}),
    "Pythia-6.9B": (
        "gpt_neox",
        4096,
        32,
        2048,
        None,
        {"rotary_emb_base": 10000, "rotary_pct": 0.25},
    ),
    "DeepSeek-V2": (
        "deepseek_v2",
        5120,
        128,
        163840,
        10000,
        {
            **_MLA,
            "rope_scaling": _yarn(
                40, 4096, beta_fast=32, beta_slow=1, mscale=0.707, mscale_all_dim=0.707
            ),
        },
    ),
    "InternLM3-8B": (
        "internlm3",
        4096,
        32,
        32768,
        50000000,
        {"auto_map": {}, "head_dim": 128, "rope_scaling": {"factor": 6.0, "rope_type": "dynamic"}},
    ),
    "EXAONE-3.5-7.8B": (
        "exaone",
        4096,
        32,
        32768,
        1000000.0,
        {"auto_map": {}, "head_dim": 128, "rope_scaling": _llama3(8.0)},
    ),
    "Granite-3.1-8B": ("granite", 4096, 32, 131072, 10000000.0, {"rope_scaling": None}),
    "Command-A": ("cohere2", 12288, 96, 131072, 50000, {"head_dim": 128, "sliding_window": 4096}),
    "OLMo-2-13B": ("olmo2", 5120, 40, 4096, 500000, {"rope_scaling": None}),
    "OLMo-3-7B": (
        "olmo3",
        4096,
        32,
        65536,
        500000,
        {
            "rope_scaling": {
                "rope_type": "yarn",
                "factor": 8.0,
                _O: 8192,
                "beta_fast": 32.0,
                "beta_slow": 1.0,
                "attention_factor": 1.2079441541679836,
            }
        },
    ),
    "LFM2-1.2B": ("lfm2", 2048, 32, 128000, 1000000.0, {"conv_bias": False}),
}


def right() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each configuration as released and, where it has a base, in the form of transformers 5.

    Some are also nested in a wrapper.
    """
    for name, (family, width, heads, context, base, more) in FACTS.items():
        fields = {"model_type": family, "hidden_size": width, "num_attention_heads": heads}
        fields |= {"max_position_embeddings": context, **copy.deepcopy(more)}
        yield name, fields if base is None else {**fields, "rope_theta": base}
        if base is None or "rope_local_base_freq" in more:
            continue
        rope = dict(fields.pop("rope_scaling", None) or {})
        rope["rope_type"] = rope.pop("type", rope.get("rope_type", "default"))
        if rope["rope_type"] == "mrope":
            rope["rope_type"] = "default"
        yield f"{name} (5)", {**fields, "rope_parameters": {**rope, "rope_theta": base}}
    text = {
        "model_type": "gemma3_text",
        "hidden_size": 2560,
        "num_attention_heads": 8,
        "head_dim": 256,
    }
    text |= {
        "layer_types": ["sliding_attention", "full_attention"],
        "rope_parameters": {
            "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
            "full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1000000.0},
        },
    }
    yield "Gemma-3-4B nested", {"model_type": "gemma3", "text_config": text, "vision_config": {}}


_YARN = {
    "model_type": "qwen2",
    "hidden_size": 3584,
    "num_attention_heads": 28,
    "rope_theta": 1e6,
    "max_position_embeddings": 131072,
    "rope_scaling": {"rope_type": "yarn", "factor": 4.0, _O: 32768},
}
_L3 = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "rope_theta": 5e5,
    "max_position_embeddings": 131072,
    "rope_scaling": _llama3(8.0),
}
_LONG = {
    "model_type": "phi3",
    "hidden_size": 3072,
    "num_attention_heads": 32,
    "rope_theta": 1e4,
    "max_position_embeddings": 131072,
    _O: 4096,
    "rope_scaling": _long(48),
}
_VL = {
    "model_type": "qwen2_vl",
    "hidden_size": 3584,
    "num_attention_heads": 28,
    "rope_theta": 1e6,
    "rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]},
}
_PART = {
    "model_type": "phi",
    "hidden_size": 2560,
    "num_attention_heads": 32,
    "rope_theta": 1e4,
    "partial_rotary_factor": 0.4,
}
_TYPES = {
    "model_type": "gemma3_text",
    "hidden_size": 2560,
    "num_attention_heads": 8,
    "head_dim": 256,
    "layer_types": ["sliding_attention", "full_attention"],
    "rope_parameters": {
        "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
        "full_attention": {"rope_type": "default", "rope_theta": 1e6},
    },
}
_NAN, _GONE = float("nan"), "GONE"
_S = "rope_scaling."
_CHANGES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("value-string", _L3, {"rope_theta": "500000"}),
    ("value-string", _L3, {_S + "factor": "8"}),
    ("value-string", _YARN, {_S + _O: "32768"}),
    ("value-string", _PART, {"partial_rotary_factor": "0.4"}),
    ("value-string", _YARN, {_S + "beta_fast": "32"}),
    ("value-not-finite", _L3, {"rope_theta": _NAN}),
    ("value-not-finite", _YARN, {_S + "factor": float("inf")}),
    ("value-type", _L3, {"rope_scaling": "llama3"}),
    ("value-type", _L3, {_S + "factor": [8]} | {_S + "low_freq_factor": [1]}),
    ("value-type", _L3, {_S + "rope_type": 3}),
    ("value-type", _LONG, {_S + "short_factor": 1.0}),
    ("value-type", _L3, {"rope_theta": True}),
    ("value-range", _L3, {"rope_theta": 0}),
    ("value-range", _L3, {"rope_theta": -10000.0}),
    ("value-range", _L3, {_S + "factor": 0.125}),
    ("value-range", _YARN, {_S + "factor": 0.25}),
    ("value-range", _YARN, {_S + "attention_factor": -1.0}),
    ("value-range", _YARN, {_S + _O: 0}),
    ("base-missing", _L3, {"rope_theta": _GONE}),
    ("base-missing", _YARN, {"rope_theta": _GONE}),
    ("base-missing", _PART, {"rope_theta": None}),
    ("base-conflict", _L3, {_S + "rope_theta": 10000.0}),
    (
        "base-conflict",
        _YARN,
        {"rope_parameters": {"rope_type": "yarn", "factor": 4.0, _O: 32768, "rope_theta": 1e4}},
    ),
    ("base-conflict", _L3, {"rotary_emb_base": 10000}),
    ("base-conflict", _TYPES, {"rope_local_base_freq": 20000.0}),
    ("base-conflict", _TYPES, {"rope_theta": 10000.0}),
    ("dialect-conflict", _TYPES, {"rope_scaling": {"rope_type": "linear", "factor": 8.0}}),
    ("base-improbable", _L3, {"rope_theta": 1e14}),
    ("base-improbable", _L3, {"rope_theta": 10}),
    (
        "dialect-conflict",
        _YARN,
        {"rope_parameters": {"rope_type": "yarn", "factor": 8.0, _O: 32768, "rope_theta": 1e6}},
    ),
    (
        "dialect-conflict",
        _YARN,
        {"rope_parameters": {"rope_type": "linear", "factor": 4.0, "rope_theta": 1e6}},
    ),
    (
        "dialect-new",
        _L3,
        {
            "rope_parameters": {**_llama3(8.0), "rope_theta": 5e5},
            "rope_scaling": _GONE,
            "rope_theta": _GONE,
        },
    ),
    ("type-conflict", _L3, {_S + "type": "linear"}),
    ("type-conflict", _YARN, {_S + "type": "dynamic"}),
    ("type-unknown", _YARN, {_S + "rope_type": "yarnn"}),
    ("type-unknown", _L3, {_S + "rope_type": "lama3"}),
    ("type-unknown", _L3, {_S + "rope_type": "something"}),
    ("type-missing", _YARN, {_S + "rope_type": _GONE}),
    ("key-unknown", _YARN, {_S + "beta_fsat": 32}),
    ("key-unknown", _L3, {_S + "low_freq_facter": 1.0}),
    ("key-unknown", _YARN, {_S + "orignal_max_position_embeddings": 32768}),
    ("key-unread", _L3, {_S + "beta_fast": 32}),
    ("key-unread", _YARN, {_S + "high_freq_factor": 4.0}),
    ("key-missing", _L3, {_S + "factor": _GONE}),
    ("key-missing", _L3, {_S + "low_freq_factor": _GONE}),
    ("key-missing", _LONG, {_S + "long_factor": _GONE}),
    ("key-missing", _YARN, {_S + "factor": None}),
    ("original-missing", _YARN, {_S + _O: _GONE}),
    ("original-missing", _L3, {_S + _O: _GONE}),
    ("original-missing", _LONG, {_O: _GONE}),
    ("original-mismatch", _YARN, {_S + "factor": 8.0}),
    ("original-mismatch", _YARN, {_S + _O: 262144}),
    ("original-mismatch", _LONG, {_S + _O: 8192}),
    ("original-mismatch", _L3, {_S + _O: 131072}),
    ("betas-crossed", _YARN, {_S + "beta_fast": 1, _S + "beta_slow": 32}),
    ("betas-crossed", _YARN, {_S + "beta_slow": 64}),
    ("frequencies-crossed", _L3, {_S + "low_freq_factor": 4.0, _S + "high_freq_factor": 1.0}),
    ("list-length", _LONG, {_S + "short_factor": [1.0] * 47}),
    ("list-length", _LONG, {_S + "long_factor": [1.0] * 96}),
    ("sections-sum", _VL, {_S + "mrope_section": [16, 24, 23]}),
    ("sections-sum", _VL, {_S + "mrope_section": [64]}),
    ("partial-range", _PART, {"partial_rotary_factor": 1.5}),
    ("partial-range", _PART, {"partial_rotary_factor": 0.0}),
    ("head-dim", _L3, {"head_dim": 127}),
    ("head-dim", _L3, {"hidden_size": 4100}),
    ("head-dim", _L3, {"hidden_size": 4128}),
    ("head-dim", _PART, {"partial_rotary_factor": 0.39}),
    ("head-dim", _L3, {"rotary_dim": 256}),
    (
        "attention-conflict",
        _YARN,
        {_S + "attention_factor": 2.0, _S + "mscale": 1.0, _S + "mscale_all_dim": 0.5},
    ),
    ("mscale-alone", _YARN, {_S + "mscale": 0.707}),
    ("layer-type-absent", _TYPES, {"layer_types": ["full_attention", "full_attention"]}),
    (
        "layer-type-absent",
        _TYPES,
        {"rope_parameters.ful_attention": {"rope_type": "default", "rope_theta": 1e6}},
    ),
    ("layer-without-parameters", _TYPES, {"rope_parameters.full_attention": _GONE}),
    (
        "readers-differ",
        _L3,
        {
            "rope_parameters": {"rope_type": "default", "rope_theta": 5e5},
            "rope_scaling": _GONE,
            "rope_theta": _GONE,
        },
    ),
    (
        "family-unknown",
        {"model_type": "never_seen", "hidden_size": 64, "num_attention_heads": 2},
        {},
    ),
]


def _changed(fields: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    found = copy.deepcopy(fields)
    for path, value in changes.items():
        *above, key = path.split(".")
        place = found
        for name in above:
            place = place[name]
        if value == _GONE:
            place.pop(key)
        else:
            place[key] = value
    return found


def faulty() -> Iterator[tuple[str, str]]:
    """Yield the id of the finding that must be made, and the text of the faulty file."""
    for id, fields, changes in _CHANGES:
        yield id, json.dumps(_changed(fields, changes), indent=1)
    whole = json.dumps(_L3, indent=1)
    yield "file-invalid", whole[: len(whole) // 2]
    yield "file-invalid", "[]"
    yield "file-invalid", "[" * 1000
    yield "duplicate-key", whole.replace('"rope_theta"', '"rope_theta": 10000.0,\n "rope_theta"')


RIGHT = list(right())
FAULTY = list(faulty())
