"""Class defaults for the fields that the configuration of a model inside another one leaves out.

transformers writes of a model inside another one only the fields that differ from the class's own. Listed are
families that occur so, with the fields that bear on rotation and on which versions 4 and 5 agree; a field
in which they differ is not here, and its absence is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["LEFT_OUT"]


def _sizes(
    width: int, heads: int, layers: int, context: int | None, base: float | None, **more: int
) -> Mapping[str, float]:
    found: dict[str, float | None] = {"hidden_size": width, "num_attention_heads": heads}
    found |= {"num_hidden_layers": layers, "max_position_embeddings": context, "rope_theta": base}
    return MappingProxyType({k: v for k, v in (found | more).items() if v is not None})


LEFT_OUT: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "aria_text": _sizes(4096, 32, 32, 2048, 10000.0, head_dim=128),
        "cohere": _sizes(8192, 64, 40, 8192, None),
        "cohere2": _sizes(8192, 64, 40, 8192, 10000.0),
        "gemma": _sizes(3072, 16, 28, 8192, 10000.0, head_dim=256),
        "gemma2": _sizes(2304, 8, 26, 8192, 10000.0, head_dim=256),
        "gemma3_text": _sizes(2304, 8, 26, 131072, None, head_dim=256),
        "gemma3n_text": _sizes(2048, 8, 35, 32768, None, head_dim=256),
        "glm4v_text": _sizes(4096, 32, 40, 32768, 10000.0),
        "granite": _sizes(4096, 32, 32, 2048, 10000.0),
        "lfm2": _sizes(2560, 32, 32, 128000, 1000000.0),
        "llama": _sizes(4096, 32, 32, 2048, 10000.0),
        "llama4_text": _sizes(5120, 40, 48, 131072, 500000.0, head_dim=128),
        "mistral": _sizes(4096, 32, 32, 131072, 10000.0),
        "persimmon": _sizes(4096, 64, 36, 16384, None),
        "pixtral": _sizes(1024, 16, 24, None, 10000.0, head_dim=64),
        "qwen2": _sizes(4096, 32, 32, 32768, 10000.0),
        "qwen2_5_vl_text": _sizes(8192, 64, 80, 32768, 1000000.0),
        "qwen2_vl_text": _sizes(8192, 64, 80, 32768, 1000000.0),
        "qwen3": _sizes(4096, 32, 32, 32768, 10000.0, head_dim=128),
        "qwen3_vl_moe_text": _sizes(2048, 16, 24, 128000, None, head_dim=128),
        "qwen3_vl_text": _sizes(4096, 32, 32, 128000, None, head_dim=128),
    }
)
