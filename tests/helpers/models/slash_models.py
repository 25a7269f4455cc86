"""Slash heads for transformers models, prompts, and the attention that the models show."""

from __future__ import annotations

import numpy as np
import torch
import transformers
from transformers import LlamaConfig, LlamaForCausalLM

from ropeproof.constructions import certify_head, slash_head
from ropeproof.theory.rotary.spec import RopeSpec

transformers.logging.set_verbosity_error()
transformers.logging.disable_progress_bar()

OFFSET, LENGTH, TOKENS = 3, 48, 16
SPECS = {
    "llama": RopeSpec(32, 10000),
    "gpt_neox": RopeSpec(32, 10000, rotary_dim=16),
    "gptj": RopeSpec(32, 10000, rotary_dim=24, layout="interleaved"),
}


def slash_heads():
    """A slash head for each spec."""
    return {family: slash_head(spec, OFFSET, LENGTH, 0.9) for family, spec in SPECS.items()}


def prompts(tokens=TOKENS, length=LENGTH, seed=0):
    """Prompts of uniform tokens, then out of distribution: half of the vocabulary, one token, repeats."""
    rng = np.random.default_rng(seed)
    return torch.tensor(
        np.array(
            [
                *rng.integers(0, tokens, (6, length)),
                rng.integers(tokens // 2, tokens, length),
                np.full(length, tokens - 1),
                np.resize(rng.permutation(tokens)[:2], length),
                np.repeat([0, tokens - 1], [length // 2, length - length // 2]),
            ]
        )
    )


def on_target(model, ids, *, layer=0, head_index=0, offset=OFFSET):
    """The attention weights at the offset in the model's own attention, `(prompts, rows)` in float64."""
    with torch.no_grad():
        rows = model(ids, output_attentions=True, use_cache=False).attentions[layer][:, head_index]
    return torch.diagonal(rows.double(), -offset, dim1=1, dim2=2).numpy()


def certificate(model, *, layer=0, head_index=0, offset=OFFSET, length=LENGTH):
    return certify_head(
        model, layer=layer, head_index=head_index, offset=offset, length=length
    ).quantities


def random_llama(seed=0, **changes):
    fields = {
        "vocab_size": 40,
        "hidden_size": 128,
        "intermediate_size": 64,
        "num_hidden_layers": 3,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 32,
        "max_position_embeddings": 64,
        "rope_parameters": {"rope_theta": 10000.0, "rope_type": "default"},
        "attention_bias": True,
        "mlp_bias": True,
    }
    torch.manual_seed(seed)
    config = LlamaConfig(**{**fields, **changes})
    model = LlamaForCausalLM._from_config(config, attn_implementation="eager").eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(std=0.2)
    return model
