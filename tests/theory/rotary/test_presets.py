"""The eight presets, their configurations and the table they come from."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
from transformers import AutoConfig
from transformers.models.gpt_neox.modeling_gpt_neox import GPTNeoXRotaryEmbedding
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.rotary.presets import PRESETS
from ropeproof.theory.rotary.spec import Llama3, RopeSpec

# heads, kv heads, head_dim, rotary_dim, layout, base, context, hidden size, window
TABLE = {
    "gpt-j-6b": (16, 16, 256, 64, "interleaved", 10000, 2048, 4096, None),
    "pythia-1.4b": (16, 16, 128, 32, "half", 10000, 2048, 2048, None),
    "llama-2-7b": (32, 32, 128, 128, "half", 10000, 4096, 4096, None),
    "llama-3-8b": (32, 8, 128, 128, "half", 500000, 8192, 4096, None),
    "llama-3.1-8b": (32, 8, 128, 128, "half", 500000, 131072, 4096, None),
    "qwen2.5-7b": (28, 4, 128, 128, "half", 1000000, 32768, 3584, None),
    "gemma-7b": (16, 16, 256, 256, "half", 10000, 8192, 3072, None),
    "mistral-7b-v0.1": (32, 8, 128, 128, "half", 10000, 32768, 4096, 4096),
}


def test_presets_are_the_table():
    found = {
        name: (
            *(p.heads, p.kv_heads, p.spec.head_dim, p.spec.rotary_dim, p.spec.layout),
            *(p.spec.base, p.context, p.hidden_size, p.sliding_window),
        )
        for name, p in PRESETS.items()
    }
    assert found == TABLE
    assert [p.name for p in PRESETS.values()] == list(TABLE)
    scalings = {name: p.spec.scaling for name, p in PRESETS.items() if p.spec.scaling}
    llama3 = Llama3(factor=8, low_freq_factor=1, high_freq_factor=4, original_length=8192)
    assert scalings == {"llama-3.1-8b": llama3}


def test_presets_are_immutable():
    with pytest.raises(TypeError):
        PRESETS["mine"] = PRESETS["gpt-j-6b"]  # type: ignore[index]
    with pytest.raises(dataclasses.FrozenInstanceError):
        PRESETS["gpt-j-6b"].heads = 1  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        PRESETS["gpt-j-6b"].spec.base = 2  # type: ignore[misc]


@pytest.mark.parametrize("name", TABLE)
def test_config_file_round_trip(name: str, tmp_path: Path):
    preset = PRESETS[name]
    file = tmp_path / "config.json"
    file.write_text(json.dumps(preset.to_config()))
    assert RopeSpec.from_config(file) == preset.spec
    assert RopeSpec.from_config(str(tmp_path)) == preset.spec
    assert RopeSpec.from_config(json.loads(file.read_text())) == preset.spec


@pytest.mark.parametrize("name", TABLE)
def test_transformers_reads_the_same_model(name: str, tmp_path: Path):
    """The library understands our file, and what it writes back is the same spec."""
    preset = PRESETS[name]
    (tmp_path / "config.json").write_text(json.dumps(preset.to_config()))
    config = AutoConfig.from_pretrained(tmp_path)
    assert config.num_attention_heads == preset.heads
    assert config.hidden_size == preset.hidden_size
    assert config.num_hidden_layers == preset.layers
    assert config.max_position_embeddings == preset.context
    assert getattr(config, "num_key_value_heads", preset.heads) == preset.kv_heads
    assert getattr(config, "sliding_window", None) == preset.sliding_window
    config.save_pretrained(tmp_path / "again")
    assert RopeSpec.from_config(config) == preset.spec
    assert RopeSpec.from_config(tmp_path / "again") == preset.spec


@pytest.mark.parametrize("name", [name for name in TABLE if name != "gpt-j-6b"])
def test_frequencies_agree_with_the_models_own(name: str):
    preset = PRESETS[name]
    config = AutoConfig.for_model(**preset.to_config())
    make = GPTNeoXRotaryEmbedding if preset.model_type == "gpt_neox" else LlamaRotaryEmbedding
    theirs = make(config).inv_freq.numpy()
    ours = frequencies_float64(preset.spec)[: preset.spec.rotary_planes]
    np.testing.assert_allclose(ours, theirs, rtol=2e-6, atol=0)
