"""Every scaling as transformers' parameters and as ours, and transformers' results for them."""

from __future__ import annotations

import numpy as np
from transformers import LlamaConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

from ropeproof.theory.rotary.spec import Dynamic, Linear, Llama3, LongRope, Scaling, Yarn

LISTS = {
    "short_factor": [1 + i / 8 for i in range(32)],
    "long_factor": [1.25 + i for i in range(32)],
}
LLAMA3 = {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
ORIGINAL = {"original_max_position_embeddings": 2048}


def library(
    kind: str, parameters: dict[str, object], *, base: float, length: int | None
) -> tuple[np.ndarray, float]:
    config = LlamaConfig(
        hidden_size=128,
        num_attention_heads=2,
        max_position_embeddings=2048 if kind == "dynamic" else 16384,
        rope_parameters={"rope_type": kind, "rope_theta": base, **parameters},
    )
    found, factor = ROPE_INIT_FUNCTIONS[kind](config, "cpu", seq_len=length)
    return found.numpy(), factor


CASES: dict[str, tuple[str, dict[str, object], Scaling]] = {
    "linear": ("linear", {"factor": 4.0}, Linear(4)),
    "linear-odd": ("linear", {"factor": 2.7}, Linear(2.7)),
    "dynamic": ("dynamic", {"factor": 2.0}, Dynamic(2, 2048)),
    "yarn": ("yarn", {"factor": 8.0, **ORIGINAL}, Yarn(factor=8, original_length=2048)),
    "yarn-not-truncated": (
        "yarn",
        {"factor": 8.0, "truncate": False, "beta_fast": 16, "beta_slow": 2, **ORIGINAL},
        Yarn(factor=8, original_length=2048, truncate=False, beta_fast=16, beta_slow=2),
    ),
    "yarn-equal-betas": (
        "yarn",
        {"factor": 8.0, "truncate": False, "beta_fast": 4, "beta_slow": 4, **ORIGINAL},
        Yarn(factor=8, original_length=2048, truncate=False, beta_fast=4, beta_slow=4),
    ),
    "yarn-mscale": (
        "yarn",
        {"factor": 8.0, "mscale": 0.7, "mscale_all_dim": 1.3, **ORIGINAL},
        Yarn(factor=8, original_length=2048, mscale=0.7, mscale_all_dim=1.3),
    ),
    "yarn-attention": (
        "yarn",
        {"factor": 8.0, "attention_factor": 1.5, **ORIGINAL},
        Yarn(factor=8, original_length=2048, attention=1.5),
    ),
    "yarn-factor-1": ("yarn", {"factor": 1.0, **ORIGINAL}, Yarn(factor=1, original_length=2048)),
    # The upper end of the ramp is held at the last coordinate, not at the last plane.
    "yarn-high-clamped": (
        "yarn",
        {"factor": 8.0, "original_max_position_embeddings": 10**9, "beta_fast": 10**6},
        Yarn(factor=8, original_length=10**9, beta_fast=10**6),
    ),
    "yarn-high-beyond-planes": (
        "yarn",
        {"factor": 8.0, "original_max_position_embeddings": 10**5},
        Yarn(factor=8, original_length=10**5),
    ),
    # Every plane turns often, or none does: the library's ramp runs backwards.
    "yarn-long": (
        "yarn",
        {"factor": 8.0, "original_max_position_embeddings": 10**15},
        Yarn(factor=8, original_length=10**15),
    ),
    "yarn-short": (
        "yarn",
        {"factor": 8.0, "original_max_position_embeddings": 3},
        Yarn(factor=8, original_length=3),
    ),
    "longrope": (
        "longrope",
        {"factor": 8.0, **LISTS, **ORIGINAL},
        LongRope(factor=8, original_length=2048, **LISTS),
    ),
    "longrope-attention": (
        "longrope",
        {"factor": 8.0, "attention_factor": 1.25, **LISTS, **ORIGINAL},
        LongRope(factor=8, original_length=2048, attention=1.25, **LISTS),
    ),
    "llama3": ("llama3", {**LLAMA3, **ORIGINAL}, Llama3(original_length=2048, **LLAMA3)),
}
