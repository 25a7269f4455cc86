"""The fields of a small Llama configuration, and parameters of scalings that fit it."""

from __future__ import annotations

from typing import Any

LLAMA: dict[str, Any] = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_attention_heads": 4,
    "max_position_embeddings": 256,
    "rope_theta": 10000.0,
}

LISTS = {"short_factor": [1.0] * 8, "long_factor": [2.0] * 8}
SMALL = {"original_max_position_embeddings": 64}
L3 = {"factor": 4.0, "low_freq_factor": 1.0, "high_freq_factor": 2.0, **SMALL}

LAYERS = {
    "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
    "full_attention": {"rope_type": "default", "rope_theta": 1000000.0},
}
