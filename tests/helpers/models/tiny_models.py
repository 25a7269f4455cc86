"""Small models with random weights, one or more for every family that heads are read from."""

from __future__ import annotations

import numpy as np
import torch
import transformers
from transformers import (
    CohereConfig,
    Gemma2Config,
    Gemma3TextConfig,
    GemmaConfig,
    GPTJConfig,
    GPTNeoXConfig,
    GraniteConfig,
    LlamaConfig,
    MistralConfig,
    MixtralConfig,
    Olmo2Config,
    Olmo3Config,
    OlmoConfig,
    Phi3Config,
    PhiConfig,
    Qwen2Config,
    Qwen2MoeConfig,
    Qwen3Config,
    Qwen3MoeConfig,
    StableLmConfig,
)

transformers.logging.set_verbosity_error()
transformers.logging.disable_progress_bar()

TOKENS, LAYERS, LENGTH = 40, 2, 9
SHAPE = {"num_hidden_layers": LAYERS, "vocab_size": TOKENS, "max_position_embeddings": 64}
ONE = {**SHAPE, "hidden_size": 32, "intermediate_size": 48, "bos_token_id": None}
ONE |= {"eos_token_id": None, "pad_token_id": None, "attn_implementation": "eager"}
GROUPED = {**ONE, "num_attention_heads": 4, "num_key_value_heads": 2}
PLAIN = {"rope_type": "default", "rope_theta": 100.0}
GPTJ = {"vocab_size": TOKENS, "n_embd": 32, "n_layer": LAYERS, "n_positions": 64}
GPTJ |= {"bos_token_id": None, "eos_token_id": None, "tie_word_embeddings": False}
NEOX = {**ONE, "num_attention_heads": 2}
YARN = {"rope_type": "yarn", "rope_theta": 100.0, "factor": 4.0}
YARN |= {"original_max_position_embeddings": 16}

WINDOW = 6
TYPES = {"layer_types": ["sliding_attention", "full_attention"], "sliding_window": WINDOW}
HALF = {**PLAIN, "partial_rotary_factor": 0.5}
EXPERTS = {"num_experts_per_tok": 2, "experts_implementation": "eager"}
QWEN = {**EXPERTS, "num_experts": 4, "moe_intermediate_size": 16}
LONG = {"rope_type": "longrope", "rope_theta": 100.0, "original_max_position_embeddings": 7}
LONG |= {"short_factor": [1.0, 1.1, 1.3, 1.6], "long_factor": [1.0, 1.5, 2.5, 4.0]}
DYNAMIC = {"rope_type": "dynamic", "rope_theta": 100.0, "factor": 3.0}

CONFIGS = {
    "gptj": lambda: GPTJConfig(**GPTJ, n_head=2, rotary_dim=8),
    "gptj, one head": lambda: GPTJConfig(**GPTJ, n_head=1, rotary_dim=32),
    "gpt_neox": lambda: GPTNeoXConfig(
        **NEOX, rope_parameters={**PLAIN, "partial_rotary_factor": 0.25}
    ),
    "gpt_neox, all rotated": lambda: GPTNeoXConfig(
        **NEOX,
        rope_parameters={**PLAIN, "partial_rotary_factor": 1.0},
        use_parallel_residual=False,
    ),
    "llama": lambda: LlamaConfig(**GROUPED, rope_parameters=PLAIN),
    "llama, yarn": lambda: LlamaConfig(**GROUPED, rope_parameters=YARN),
    "llama, own head_dim": lambda: LlamaConfig(
        **GROUPED, rope_parameters=PLAIN, head_dim=12, attention_bias=True
    ),
    "mistral": lambda: MistralConfig(**GROUPED, rope_parameters=PLAIN, sliding_window=LENGTH),
    "qwen2": lambda: Qwen2Config(**GROUPED, rope_parameters=PLAIN),
    "qwen3": lambda: Qwen3Config(**GROUPED, rope_parameters=PLAIN, head_dim=8),
    "gemma": lambda: GemmaConfig(**GROUPED, rope_parameters=PLAIN, head_dim=10),
    "gemma2": lambda: Gemma2Config(
        **GROUPED,
        rope_parameters=PLAIN,
        head_dim=10,
        sliding_window=LENGTH,
        query_pre_attn_scalar=7,
        attn_logit_softcapping=2.0,
    ),
    "phi3": lambda: Phi3Config(**GROUPED, rope_parameters=HALF, sliding_window=None),
    # Frequencies of the prompt's length, which is past what each was made for.
    "llama, dynamic": lambda: LlamaConfig(
        **{**GROUPED, "max_position_embeddings": 7}, rope_parameters=DYNAMIC
    ),
    "llama, longrope": lambda: LlamaConfig(**GROUPED, rope_parameters=LONG),
    # Windows shorter than the prompt, of all layers or of some.
    "mistral, window": lambda: MistralConfig(
        **GROUPED, rope_parameters=PLAIN, sliding_window=WINDOW
    ),
    "phi3, window": lambda: Phi3Config(**GROUPED, rope_parameters=HALF, sliding_window=WINDOW),
    "qwen2, window": lambda: Qwen2Config(
        **GROUPED, rope_parameters=PLAIN, use_sliding_window=True, max_window_layers=1, **TYPES
    ),
    "gemma2, window": lambda: Gemma2Config(
        **GROUPED, rope_parameters=PLAIN, head_dim=10, attn_logit_softcapping=2.0, **TYPES
    ),
    "mixtral": lambda: MixtralConfig(
        **GROUPED, **EXPERTS, rope_parameters=PLAIN, num_local_experts=4
    ),
    "mixtral, window": lambda: MixtralConfig(
        **GROUPED, **EXPERTS, rope_parameters=PLAIN, num_local_experts=4, sliding_window=WINDOW
    ),
    "qwen2_moe": lambda: Qwen2MoeConfig(
        **GROUPED,
        **QWEN,
        **TYPES,
        rope_parameters=PLAIN,
        shared_expert_intermediate_size=16,
        use_sliding_window=True,
    ),
    # Its layer types are not read: all layers have the window.
    "qwen3_moe": lambda: Qwen3MoeConfig(
        **GROUPED, **QWEN, **TYPES, rope_parameters=PLAIN, head_dim=8, use_sliding_window=True
    ),
    "olmo": lambda: OlmoConfig(**GROUPED, rope_parameters=PLAIN),
    "olmo, clipped": lambda: OlmoConfig(**GROUPED, rope_parameters=PLAIN, clip_qkv=0.5),
    "olmo2": lambda: Olmo2Config(**GROUPED, rope_parameters=PLAIN),
    "olmo3": lambda: Olmo3Config(
        **GROUPED,
        **TYPES,
        rope_parameters={"sliding_attention": PLAIN, "full_attention": YARN},
    ),
    "phi": lambda: PhiConfig(**GROUPED, rope_parameters=HALF),
    "phi, normed": lambda: PhiConfig(**GROUPED, rope_parameters=HALF, qk_layernorm=True),
    "stablelm": lambda: StableLmConfig(**GROUPED, rope_parameters=HALF),
    "stablelm, normed": lambda: StableLmConfig(**GROUPED, rope_parameters=HALF, qk_layernorm=True),
    "granite": lambda: GraniteConfig(
        **GROUPED,
        rope_parameters=PLAIN,
        attention_multiplier=0.3,
        embedding_multiplier=2.0,
        residual_multiplier=0.5,
        logits_scaling=3.0,
    ),
    "cohere": lambda: CohereConfig(**GROUPED, rope_parameters=PLAIN),
    "cohere, normed": lambda: CohereConfig(**GROUPED, rope_parameters=PLAIN, use_qk_norm=True),
    # A base for each type of layer; its soft cap of the logits is not read by its code.
    "gemma3_text": lambda: Gemma3TextConfig(
        **GROUPED,
        **TYPES,
        rope_parameters={
            "sliding_attention": PLAIN,
            "full_attention": {**PLAIN, "rope_theta": 5000.0},
        },
        head_dim=10,
        query_pre_attn_scalar=7,
        attn_logit_softcapping=2.0,
    ),
}


def make_model(name, dtype=torch.float64):
    """A model with random weights, large enough for logits that differ, and nonzero biases and norms."""
    torch.manual_seed(1)
    model = transformers.AutoModelForCausalLM.from_config(CONFIGS[name]()).double().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.15)
    return model.to(dtype)


def make_prompts(batch=2, length=LENGTH):
    return torch.from_numpy(np.random.default_rng(0).integers(0, TOKENS, size=(batch, length)))


def state(model):
    """The hooks and modes of a model and its configuration, which a measurement must leave unchanged."""
    hooks = [(len(m._forward_hooks), len(m._forward_pre_hooks)) for m in model.modules()]
    return hooks, [m.training for m in model.modules()], model.config.to_dict()
