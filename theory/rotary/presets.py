"""Rotary position embedding of eight released models, and their configurations.

`PRESETS` maps a name such as `"llama-3.1-8b"` to what the model's makers published: its spec,
heads, context length and the fields of its `config.json` that bear on attention.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.released import RELEASED, ReleasedModel
from ropeproof.theory.rotary.scaling import Llama3
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["PRESETS", "Preset", "preset_named"]


@dataclass(frozen=True, kw_only=True)
class Preset:
    """One released model.

    `heads` query heads share `kv_heads` key-value heads; `context` and `sliding_window` (None if
    attention is not windowed) are numbers of positions. The spec's length is the context.
    """

    name: str
    model: str
    model_type: str
    spec: RopeSpec
    heads: int
    kv_heads: int
    hidden_size: int
    layers: int
    sliding_window: int | None = None

    @property
    def context(self) -> int:
        """The number of positions the model was released for."""
        assert self.spec.length is not None
        return self.spec.length

    def to_config(self) -> dict[str, Any]:
        """A `config.json` mapping with the field names of the model's family.

        It has the fields that bear on attention, in the form in which the model was released:
        base and `rope_scaling` at the top. `ropeproof.theory.rotary.spec.RopeSpec.from_config`
        gives `spec` back.
        """
        common = {"model_type": self.model_type, "tie_word_embeddings": False}
        if self.model_type == "gptj":
            return {**common, **self._gptj()}
        common |= {
            "hidden_size": self.hidden_size,
            "num_attention_heads": self.heads,
            "num_hidden_layers": self.layers,
            "max_position_embeddings": self.context,
        }
        if self.model_type == "gpt_neox":
            return {**common, **self._gpt_neox()}
        return {**common, **self._llama_like()}

    def _gptj(self) -> dict[str, Any]:
        # The base is not a field: the model code has 10000.
        return {
            "n_embd": self.hidden_size,
            "n_head": self.heads,
            "n_layer": self.layers,
            "n_positions": self.context,
            "rotary_dim": self.spec.rotary_dim,
        }

    def _gpt_neox(self) -> dict[str, Any]:
        return {
            "rotary_emb_base": int(self.spec.base),
            "rotary_pct": self.spec.rotary_dim / self.spec.head_dim,
        }

    def _llama_like(self) -> dict[str, Any]:
        fields: dict[str, Any] = {
            "num_key_value_heads": self.kv_heads,
            "rope_theta": float(self.spec.base),
        }
        if self.model_type == "gemma":
            fields["head_dim"] = self.spec.head_dim
            fields["tie_word_embeddings"] = True
        if self.model_type in ("mistral", "qwen2"):
            fields["sliding_window"] = self.sliding_window
        if self.model_type == "qwen2":
            fields["use_sliding_window"] = self.sliding_window is not None
        if self.model_type in ("llama", "qwen2"):
            fields["rope_scaling"] = _rope_scaling(self.spec)
        return fields


def _rope_scaling(spec: RopeSpec) -> dict[str, Any] | None:
    scaling = spec.scaling
    if scaling is None:
        return None
    assert isinstance(scaling, Llama3)
    return {
        "rope_type": "llama3",
        "factor": float(scaling.factor),
        "low_freq_factor": float(scaling.low_freq_factor),
        "high_freq_factor": float(scaling.high_freq_factor),
        "original_max_position_embeddings": scaling.original_length,
    }


_ALL = (
    Preset(
        name="gpt-j-6b",
        model="GPT-J-6B",
        model_type="gptj",
        spec=RopeSpec(256, 10000, rotary_dim=64, layout="interleaved", length=2048),
        heads=16,
        kv_heads=16,
        hidden_size=4096,
        layers=28,
    ),
    Preset(
        name="pythia-1.4b",
        model="Pythia-1.4B",
        model_type="gpt_neox",
        spec=RopeSpec(128, 10000, rotary_dim=32, length=2048),
        heads=16,
        kv_heads=16,
        hidden_size=2048,
        layers=24,
    ),
    Preset(
        name="llama-2-7b",
        model="Llama-2-7B",
        model_type="llama",
        spec=RopeSpec(128, 10000, length=4096),
        heads=32,
        kv_heads=32,
        hidden_size=4096,
        layers=32,
    ),
    Preset(
        name="llama-3-8b",
        model="Llama-3-8B",
        model_type="llama",
        spec=RopeSpec(128, 500000, length=8192),
        heads=32,
        kv_heads=8,
        hidden_size=4096,
        layers=32,
    ),
    Preset(
        name="llama-3.1-8b",
        model="Llama-3.1-8B",
        model_type="llama",
        spec=RopeSpec(
            128,
            500000,
            scaling=Llama3(factor=8, low_freq_factor=1, high_freq_factor=4, original_length=8192),
            length=131072,
        ),
        heads=32,
        kv_heads=8,
        hidden_size=4096,
        layers=32,
    ),
    Preset(
        name="qwen2.5-7b",
        model="Qwen2.5-7B",
        model_type="qwen2",
        spec=RopeSpec(128, 1000000, length=32768),
        heads=28,
        kv_heads=4,
        hidden_size=3584,
        layers=28,
    ),
    Preset(
        name="gemma-7b",
        model="Gemma-7B",
        model_type="gemma",
        spec=RopeSpec(256, 10000, length=8192),
        heads=16,
        kv_heads=16,
        hidden_size=3072,
        layers=28,
    ),
    Preset(
        name="mistral-7b-v0.1",
        model="Mistral-7B-v0.1",
        model_type="mistral",
        spec=RopeSpec(128, 10000, length=32768),
        heads=32,
        kv_heads=8,
        hidden_size=4096,
        layers=32,
        sliding_window=4096,
    ),
)

PRESETS: Mapping[str, Preset] = MappingProxyType({preset.name: preset for preset in _ALL})


def preset_named(name: str) -> Preset | ReleasedModel:
    """The model of that name in `PRESETS` or `RELEASED`; raises `InvalidArgument`, listing the names."""
    found = PRESETS.get(name) or RELEASED.get(name)
    if found is None:
        raise InvalidArgument("preset", name, ", ".join([*PRESETS, *RELEASED]))
    return found
