"""Families that are read by a row of the table alone, each against its model code by the kit."""

from __future__ import annotations

from typing import Any

import pytest
import transformers
from tiny_configs import tiny

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.config import rotating_layers
from ropeproof.theory.rotary.layers import layer_specs
from ropeproof.theory.rotary.spec import Axes, RopeSpec
from ropeproof.tools.conform import check
from ropeproof.tools.conform.subjects.load import built_model, family_module

EXPERTS: dict[str, Any] = {"moe_intermediate_size": 8, "num_experts": 2, "num_experts_per_tok": 1}
WINDOWS: dict[str, Any] = {"sliding_window": 8}
WINDOWS |= {"layer_types": ["sliding_attention", "full_attention"] * 2}
QUICK: dict[str, Any] = {"dtypes": ("float32",), "explain": False}
QUICK |= {"skip": ("buffers.bfloat16", "buffers.float16", "buffers.meta")}


@pytest.mark.parametrize(
    ("name", "base"),
    [
        ("cohere_compass_vision", 10000),
        ("ernie4_5_vl_moe_vision", 10000),
        ("exaone4_5_vision", 10000),
        ("glm4v_moe_vision", 10000),
        ("glm4v_vision", 10000),
        ("glm5_next_vision", 10000),
        ("glm_ocr_vision", 10000),
        ("lfm3_vl_vision", 1000000),
        ("muse_glimmer_vision", 10000),
        ("muse_spark_vision", 10000),
        ("paddleocr_vl_vision", 10000),
        ("qwen2_5_omni_vision_encoder", 10000),
        ("qwen3_5_moe_vision", 10000),
        ("qwen3_5_vision", 10000),
        ("qwen3_omni_moe_vision_encoder", 10000),
        ("qwen4_exp_vision", 10000),
        ("video_llama_3_vision", 10000),
    ],
)
def test_a_tower_of_images_agrees_with_its_code(name, base):
    sizes = {"hidden_size": 64, "num_attention_heads": 4, "num_heads": 4}
    config = transformers.AutoConfig.for_model(name, **sizes)
    spec = RopeSpec.from_config(config)
    assert spec.changed(length=None) == RopeSpec(16, base, axes=Axes.grid(8))
    report = check(family_module(config), config, context=48, **QUICK)
    assert report.passed, report


@pytest.mark.parametrize(
    ("name", "window"),
    # The others refuse a configuration without a window.
    [("exaone4", 8), ("exaone4", None), ("exaone_moe", 8), ("kolibri1", 8)],
)
def test_layers_beside_windows_have_no_rope(name, window):
    fields = {"head_dim": 16, "first_k_dense_replace": 4} | EXPERTS if name != "exaone4" else {}
    config = tiny(name, **fields | WINDOWS | {"sliding_window": window})
    theirs = (True, window is None) * 2
    assert rotating_layers(config.to_dict()) == theirs
    assert tuple(spec.rotary_dim == 16 for spec in layer_specs(config)) == theirs
    model = built_model(config)
    for layer in (0, 1):
        assert check(model, config, layer=layer, context=48, **QUICK).passed
    if window:
        raw = {
            k: v
            for k, v in config.to_dict().items()
            if k not in ("layer_types", "sliding_window_pattern")
        }
        with pytest.raises(InvalidArgument, match=r"config\.layer_types"):
            rotating_layers(raw)


@pytest.mark.parametrize(
    ("name", "sizes", "axes"),
    [
        ("ernie4_5_vl_moe_text", [3, 3, 2], (1, 2, 1, 2, 1, 2, 0, 0)),
        ("qwen3_5_text", [2, 1, 1], (0, 1, 2, 0)),
        ("qwen3_5_moe_text", [2, 1, 1], (0, 1, 2, 0)),
    ],
)
def test_sections_agree_with_the_code_of_a_layer(name, sizes, axes):
    rope: dict[str, Any] = {"mrope_section": sizes}
    fields: dict[str, Any] = {"moe_num_experts": 2, "moe_k": 1}
    if name.startswith("qwen"):
        rope["partial_rotary_factor"] = 0.5
        fields = EXPERTS | {"head_dim": 16, "layer_types": ["full_attention"] * 4}
    config = tiny(name, rope, **fields)
    spec = RopeSpec.from_config(config)
    assert spec.axes is not None
    assert spec.axes.planes == axes
    assert spec.axes.of_text
    assert check(built_model(config), config, layer=2, context=48, **QUICK).passed


def test_height_and_width_in_turn_have_as_many_planes():
    config = tiny("ernie4_5_vl_moe_text", {"mrope_section": [3, 2, 3]}).to_dict()
    with pytest.raises(InvalidArgument, match="as many planes of height as of width"):
        RopeSpec.from_config(config)


def test_latent_heads_of_minicpm3_are_in_half_layout():
    parts = {"qk_nope_head_dim": 20, "qk_rope_head_dim": 12, "v_head_dim": 10, "kv_lora_rank": 8}
    config = tiny("minicpm3", **parts, q_lora_rank=8)
    spec = RopeSpec.from_config(config)
    assert spec == RopeSpec(32, 5000, rotary_dim=12, rotary_start=20, length=300)
    assert check(built_model(config), config, layer=1, context=48, **QUICK).passed
