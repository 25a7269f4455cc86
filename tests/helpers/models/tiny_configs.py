"""Tiny configurations of transformers' families, the code of their models, and vectors to rotate."""

from __future__ import annotations

import importlib
from typing import Any

import torch
from transformers import AutoConfig

from ropeproof.theory.rotary.spec import RopeSpec

TINY: dict[str, Any] = {"hidden_size": 96, "num_attention_heads": 4, "num_key_value_heads": 4}
TINY |= {"num_hidden_layers": 5, "max_position_embeddings": 512, "vocab_size": 32}
TINY |= {"pad_token_id": 0}
STACK: dict[str, Any] = {"hidden_size": 64, "num_attention_heads": 4, "num_key_value_heads": 4}
STACK |= {"num_hidden_layers": 4, "max_position_embeddings": 300, "vocab_size": 16}
STACK |= {"intermediate_size": 16, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
"""Smaller still, for models that are built."""


def code(name: str) -> Any:
    return importlib.import_module(f"transformers.models.{name}.modeling_{name}")


def config_of(name: str, base: float = 5000.0, **fields: Any) -> Any:
    rope = {"rope_type": "default", "rope_theta": base, **fields.pop("rope", {})}
    return AutoConfig.for_model(name, **(TINY | fields), rope_parameters=rope)


def vectors(spec: RopeSpec, length: int) -> Any:
    seed = torch.Generator().manual_seed(0)
    return torch.randn(2, 1, 4, length, spec.head_dim, dtype=torch.float64, generator=seed)


def agree(ours: Any, theirs: Any) -> None:
    torch.testing.assert_close(ours, theirs.double(), rtol=0, atol=1e-4)


def tiny(name: str, rope: dict[str, Any] | None = None, **fields: Any) -> Any:
    """A tiny configuration of a family, with four layers."""
    parameters = {"rope_type": "default", "rope_theta": 5000.0, **(rope or {})}
    return AutoConfig.for_model(name, **(STACK | {"rope_parameters": parameters} | fields))
