"""A model as it lies on disk or on the hub, with a clear message for what cannot be measured."""

from __future__ import annotations

from ropeproof.numerics.models.load import (
    TYPES,
    LoadedModel,
    load_model,
    load_tokenizer,
    read_config,
)

__all__ = ["TYPES", "LoadedModel", "load_model", "load_tokenizer", "read_config"]
