"""The families of models that are trained here, each with the sizes of the same settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from transformers import (
    AutoModelForCausalLM,
    GPTNeoXConfig,
    LlamaConfig,
    PreTrainedModel,
    Qwen3Config,
)

if TYPE_CHECKING:
    from small_lm.training import Settings

__all__ = ["BASE", "FAMILIES", "fresh_model", "rotated"]

BASE = 10_000.0
QUARTER = 0.25

FAMILIES = {
    "llama": "RMS norms, no biases, gated perceptrons",
    "qwen3": "as llama, with norms on queries and keys",
    "gpt-neox": "as Pythia: a quarter of each head is rotated, biases, perceptron beside attention",
}
"""The families by name, with what sets each apart."""


def rotated(family: str, head_dim: int) -> float:
    """The number of rotated coordinates of a head; it has to be an even integer."""
    return QUARTER * head_dim if family == "gpt-neox" else head_dim


def fresh_model(settings: Settings, end: int = 0) -> PreTrainedModel:
    """The model before training: the same weights for the same settings, whatever ran before.

    `end` is the id of the token that ends a text. Raises `KeyError` for a family that is not in `FAMILIES`.
    """
    make = {"llama": _llama, "qwen3": _llama, "gpt-neox": _neox}[settings.family]
    shared: dict[str, Any] = {
        "vocab_size": settings.vocabulary,
        "hidden_size": settings.width,
        "num_hidden_layers": settings.layers,
        "num_attention_heads": settings.heads,
        "max_position_embeddings": settings.length,
        "tie_word_embeddings": True,
        "initializer_range": settings.width**-0.5,
        "bos_token_id": end,
        "eos_token_id": end,
        "pad_token_id": None,
    }
    config = make(settings, shared)
    torch.manual_seed(settings.seed)
    model = AutoModelForCausalLM.from_config(config)
    assert isinstance(model, PreTrainedModel)
    return model.eval()


def _llama(settings: Settings, shared: dict[str, Any]) -> LlamaConfig | Qwen3Config:
    kind = Qwen3Config if settings.family == "qwen3" else LlamaConfig
    return kind(
        **shared,
        intermediate_size=max(1, settings.width * 8 // 3 // 32) * 32,
        num_key_value_heads=settings.heads,
        head_dim=settings.width // settings.heads,
        rope_parameters={"rope_type": "default", "rope_theta": BASE},
    )


def _neox(settings: Settings, shared: dict[str, Any]) -> GPTNeoXConfig:
    return GPTNeoXConfig(
        **shared,
        intermediate_size=4 * settings.width,
        rope_parameters={
            "rope_type": "default",
            "rope_theta": BASE,
            "partial_rotary_factor": QUARTER,
        },
    )
