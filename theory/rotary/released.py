"""Configurations of current models as their files have them, each with the source it was read from.

`RELEASED` stands beside `ropeproof.theory.rotary.presets.PRESETS`, on which the evidence of claims runs: here
layers may rotate differently, heads may be latent, and positions may have axes.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["RELEASED", "ReleasedModel"]


@dataclass(frozen=True, kw_only=True)
class ReleasedModel:
    """One released model, with the fields of its configuration that bear on rotation, as first published.

    `source` says where the fields were read: a public copy of the model's own file. `full_layer` is a
    layer of full attention that rotates, if layers rotate differently.
    """

    name: str
    model: str
    source: str
    full_layer: int | None
    fields: Mapping[str, Any]

    def to_config(self) -> dict[str, Any]:
        """A copy of the fields as a `config.json` mapping, which `RopeSpec.from_config` reads."""
        return deepcopy(dict(self.fields))

    @property
    def spec(self) -> RopeSpec:
        """The rotation of layer `full_layer`, or of all layers if that is None."""
        return RopeSpec.from_config(self.fields, layer=self.full_layer)

    @property
    def context(self) -> int:
        """The number of positions that the model was released for."""
        length = self.spec.length
        assert length is not None
        return length


def _pattern(layers: int, every: int, others: str = "sliding_attention") -> list[str]:
    return ["full_attention" if (n + 1) % every == 0 else others for n in range(layers)]


_PHI_LONG = """
    1 1.118320672 1.250641126 1.398617824 1.564103225 1.74916897 1.956131817 2.187582649 2.446418898
    2.735880826 3.059592084 3.421605075 3.826451687 4.279200023 4.785517845 5.351743533 5.984965424
    6.693110555 7.485043894 8.370679318 9.36110372 10.4687158 11.70738129 13.09260651 14.64173252
    16.37415215 18.31155283 20.47818807 22.90118105 25.61086418 28.64115884 32.03 32.1 32.13 32.23 32.6
    32.61 32.64 32.66 32.7 32.71 32.93 32.97 33.28 33.49 33.5 44.16 47.77
"""

_ALL = (
    ReleasedModel(
        name="qwen3-8b",
        model="Qwen3-8B",
        source="github.com/sanjithudupa/compute-aware-arch-search, Qwen3-8B/config.json",
        full_layer=None,
        fields={
            "model_type": "qwen3",
            "head_dim": 128,
            "hidden_size": 4096,
            "num_attention_heads": 32,
            "num_key_value_heads": 8,
            "num_hidden_layers": 36,
            "max_position_embeddings": 40960,
            "rope_scaling": None,
            "rope_theta": 1000000,
            "sliding_window": None,
            "use_sliding_window": False,
        },
    ),
    ReleasedModel(
        name="qwen3.5-27b",
        model="Qwen3.5-27B",
        source="github.com/THUDM/slime, scripts/models/qwen3.5-27B.sh, for sizes and base; a public "
        "copy of the text_config of the same shape, for sections and context",
        full_layer=None,
        fields={
            "model_type": "qwen3_5",
            "text_config": {
                "model_type": "qwen3_5_text",
                "head_dim": 256,
                "hidden_size": 5120,
                "num_attention_heads": 24,
                "num_key_value_heads": 4,
                "num_hidden_layers": 64,
                "layer_types": _pattern(64, 4, "linear_attention"),
                "max_position_embeddings": 262144,
                "rope_parameters": {
                    "mrope_interleaved": True,
                    "mrope_section": [11, 11, 10],
                    "partial_rotary_factor": 0.25,
                    "rope_theta": 10000000,
                    "rope_type": "default",
                },
            },
        },
    ),
    ReleasedModel(
        name="gemma-3-12b",
        model="Gemma-3-12B",
        source="a public copy of the text_config of gemma-3-12b-it (transformers 4.51.3, by unsloth)",
        full_layer=5,
        fields={
            "model_type": "gemma3",
            "text_config": {
                "model_type": "gemma3_text",
                "head_dim": 256,
                "hidden_size": 3840,
                "num_attention_heads": 16,
                "num_key_value_heads": 8,
                "num_hidden_layers": 48,
                "max_position_embeddings": 131072,
                "query_pre_attn_scalar": 256,
                "rope_local_base_freq": 10000,
                "rope_scaling": {"factor": 8.0, "rope_type": "linear"},
                "rope_theta": 1000000,
                "sliding_window": 1024,
                "sliding_window_pattern": 6,
            },
        },
    ),
    ReleasedModel(
        name="gemma-4-31b",
        model="Gemma-4-31B",
        source="two public copies of its text_config of 60 layers, alike",
        full_layer=5,
        fields={
            "model_type": "gemma4",
            "text_config": {
                "model_type": "gemma4_text",
                "head_dim": 256,
                "global_head_dim": 512,
                "hidden_size": 5376,
                "num_attention_heads": 32,
                "num_key_value_heads": 16,
                "num_global_key_value_heads": 4,
                "num_hidden_layers": 60,
                "layer_types": _pattern(60, 6),
                "max_position_embeddings": 262144,
                "rope_parameters": {
                    "full_attention": {
                        "partial_rotary_factor": 0.25,
                        "rope_theta": 1000000.0,
                        "rope_type": "proportional",
                    },
                    "sliding_attention": {"rope_theta": 10000.0, "rope_type": "default"},
                },
            },
        },
    ),
    ReleasedModel(
        name="llama-4-scout",
        model="Llama-4-Scout-17B-16E",
        source="two public tests: one has the sizes of its text_config, one its rotary fields",
        full_layer=0,
        fields={
            "model_type": "llama4",
            "text_config": {
                "model_type": "llama4_text",
                "attention_chunk_size": 8192,
                "head_dim": 128,
                "hidden_size": 5120,
                "num_attention_heads": 40,
                "num_key_value_heads": 8,
                "num_hidden_layers": 48,
                "max_position_embeddings": 10485760,
                "no_rope_layers": [],
                "rope_scaling": {
                    "factor": 16.0,
                    "high_freq_factor": 1.0,
                    "low_freq_factor": 1.0,
                    "original_max_position_embeddings": 8192,
                    "rope_type": "llama3",
                },
                "rope_theta": 500000.0,
            },
        },
    ),
    ReleasedModel(
        name="deepseek-v3",
        model="DeepSeek-V3",
        source="a public copy of its config.json (transformers 4.46.3), quoted whole in an article",
        full_layer=None,
        fields={
            "model_type": "deepseek_v3",
            "hidden_size": 7168,
            "num_attention_heads": 128,
            "num_key_value_heads": 128,
            "num_hidden_layers": 61,
            "kv_lora_rank": 512,
            "q_lora_rank": 1536,
            "qk_nope_head_dim": 128,
            "qk_rope_head_dim": 64,
            "v_head_dim": 128,
            "max_position_embeddings": 163840,
            "rope_scaling": {
                "beta_fast": 32,
                "beta_slow": 1,
                "factor": 40,
                "mscale": 1.0,
                "mscale_all_dim": 1.0,
                "original_max_position_embeddings": 4096,
                "type": "yarn",
            },
            "rope_theta": 10000,
        },
    ),
    ReleasedModel(
        name="gpt-oss-20b",
        model="gpt-oss-20b",
        source="github.com/jihengzhang/jihz-gpt-oss-20b, gpt-oss-20b/config.json",
        full_layer=None,
        fields={
            "model_type": "gpt_oss",
            "head_dim": 64,
            "hidden_size": 2880,
            "num_attention_heads": 64,
            "num_key_value_heads": 8,
            "num_hidden_layers": 24,
            "layer_types": _pattern(24, 2),
            "max_position_embeddings": 131072,
            "rope_scaling": {
                "beta_fast": 32.0,
                "beta_slow": 1.0,
                "factor": 32.0,
                "original_max_position_embeddings": 4096,
                "rope_type": "yarn",
                "truncate": False,
            },
            "rope_theta": 150000,
            "sliding_window": 128,
        },
    ),
    ReleasedModel(
        name="mistral-small-24b",
        model="Mistral-Small-24B-2501",
        source="two public copies of its config.json as tests have them, alike",
        full_layer=None,
        fields={
            "model_type": "mistral",
            "head_dim": 128,
            "hidden_size": 5120,
            "num_attention_heads": 32,
            "num_key_value_heads": 8,
            "num_hidden_layers": 40,
            "max_position_embeddings": 32768,
            "rope_theta": 100000000.0,
            "sliding_window": None,
        },
    ),
    ReleasedModel(
        name="smollm3-3b",
        model="SmolLM3-3B",
        source="three public copies of its config.json as tests have them, alike",
        full_layer=0,
        fields={
            "model_type": "smollm3",
            "hidden_size": 2048,
            "num_attention_heads": 16,
            "num_key_value_heads": 4,
            "num_hidden_layers": 36,
            "max_position_embeddings": 65536,
            "no_rope_layer_interval": 4,
            "no_rope_layers": [1, 1, 1, 0] * 9,
            "rope_theta": 5000000.0,
            "sliding_window": None,
            "use_sliding_window": False,
        },
    ),
    ReleasedModel(
        name="phi-4-mini",
        model="Phi-4-mini-instruct",
        source="two public copies of its config.json, one of them in 4 bits for MLX",
        full_layer=None,
        fields={
            "model_type": "phi3",
            "hidden_size": 3072,
            "num_attention_heads": 24,
            "num_key_value_heads": 8,
            "num_hidden_layers": 32,
            "max_position_embeddings": 131072,
            "original_max_position_embeddings": 4096,
            "partial_rotary_factor": 0.75,
            "rope_scaling": {
                "type": "longrope",
                "long_factor": [float(number) for number in _PHI_LONG.split()],
                "short_factor": [1.0] * 48,
            },
            "rope_theta": 10000.0,
            "sliding_window": 262144,
        },
    ),
)

RELEASED: Mapping[str, ReleasedModel] = MappingProxyType({model.name: model for model in _ALL})
"""Models of today by the names that `--preset` knows."""
