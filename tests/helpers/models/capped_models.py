"""Small models of the families whose distances can be capped, and a record of their state."""

from __future__ import annotations

import tiny_models
import torch
import transformers
from tiny_models import GROUPED, HALF, ONE, PLAIN, QWEN
from transformers import GPTNeoXConfig, Qwen2MoeConfig, Qwen3MoeConfig

SHARED = ("llama", "llama, yarn", "mistral", "qwen2", "qwen3", "gemma", "gemma2", "phi3")
SHARED += ("granite", "mixtral", "olmo, clipped", "olmo2", "phi, normed", "stablelm")
CONFIGS = {
    **{name: tiny_models.CONFIGS[name] for name in SHARED},
    "gpt_neox": lambda: GPTNeoXConfig(**ONE, num_attention_heads=2, rope_parameters=HALF),
    "qwen2_moe": lambda: Qwen2MoeConfig(
        **GROUPED, **QWEN, rope_parameters=PLAIN, shared_expert_intermediate_size=16
    ),
    "qwen3_moe": lambda: Qwen3MoeConfig(**GROUPED, **QWEN, rope_parameters=PLAIN, head_dim=8),
}


def make_model(name="llama", dtype=torch.float32, attention="eager"):
    """A model with random weights, large enough for logits that differ, and nonzero biases and norms."""
    torch.manual_seed(1)
    model = transformers.AutoModelForCausalLM.from_config(CONFIGS[name]()).double().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.15)
    model.set_attn_implementation(attention)
    return model.to(dtype)


@torch.no_grad()
def run(model, tokens, **named):
    return model(tokens, use_cache=False, **named)


def state(model):
    hooks = [(len(m._forward_hooks), len(m._forward_pre_hooks)) for m in model.modules()]
    kind = model.config._attn_implementation, model.base_model.config._attn_implementation
    tables = {name: value.clone() for name, value in model.named_buffers()}
    return hooks, kind, model.config.to_dict(), [m.training for m in model.modules()], tables


def same(one, other):
    assert one[:4] == other[:4]
    assert one[4].keys() == other[4].keys()
    assert all(torch.equal(one[4][name], other[4][name]) for name in one[4])


def from_config(config):
    return transformers.AutoModelForCausalLM.from_config(config)
