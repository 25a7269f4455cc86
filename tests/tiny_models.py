"""Small models with random weights, one or more of every family that heads are read from."""

from __future__ import annotations

import numpy as np
import torch
import transformers
from transformers import (
    Gemma2Config,
    GemmaConfig,
    GPTJConfig,
    GPTNeoXConfig,
    LlamaConfig,
    MistralConfig,
    Phi3Config,
    Qwen2Config,
    Qwen3Config,
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
    "phi3": lambda: Phi3Config(
        **GROUPED, rope_parameters={**PLAIN, "partial_rotary_factor": 0.5}, sliding_window=None
    ),
}


def make_model(name, dtype=torch.float64):
    """Random weights, large enough for logits that differ, and biases and norms that are not 0."""
    torch.manual_seed(1)
    model = transformers.AutoModelForCausalLM.from_config(CONFIGS[name]()).double().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.15)
    return model.to(dtype)


def make_prompts(batch=2, length=LENGTH):
    return torch.from_numpy(np.random.default_rng(0).integers(0, TOKENS, size=(batch, length)))
