"""Families with positions on several axes: sections of time, height and width, and images."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import transformers
from tiny_configs import TINY, agree, code, config_of, vectors
from transformers import AutoConfig

from ropeproof.numerics.core.spec import rotate, rotation_tables
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.spec import Axes, RopeSpec, Yarn

# -- sections of time, height and width --------------------------------------------------

VIDEO = torch.tensor([[0, 0, 0], [1, 1, 1], [2, 7, 3], [2, 9, 30], [60, 5, 2]])


@pytest.mark.parametrize(
    ("name", "home", "rotary"),
    [
        ("qwen2_vl_text", "qwen2_vl", "Qwen2VLRotaryEmbedding"),
        ("qwen2_5_vl_text", "qwen2_5_vl", "Qwen2_5_VLRotaryEmbedding"),
        ("glm4v_text", "glm4v", "Glm4vTextRotaryEmbedding"),
        ("qwen3_vl_text", "qwen3_vl", "Qwen3VLTextRotaryEmbedding"),
        ("qwen3_vl_moe_text", "qwen3_vl_moe", "Qwen3VLMoeTextRotaryEmbedding"),
    ],
)
@pytest.mark.parametrize("sizes", [(4, 4, 4), (6, 3, 3)])
def test_sections_agree_with_the_model_code(name, home, rotary, sizes):
    config = config_of(name, head_dim=24, rope={"mrope_section": list(sizes)})
    spec = RopeSpec.from_config(config)
    assert spec.axes == Axes.sections(sizes, interleaved="qwen3" in name)
    q, k = vectors(spec, len(VIDEO))
    module = code(home)
    cos, sin = getattr(module, rotary)(config)(q, VIDEO.T[:, None])
    theirs = module.apply_rotary_pos_emb(q, k, cos, sin)
    for x, y in zip((q, k), theirs, strict=True):
        agree(rotate(x, VIDEO, spec), y)


def test_sections_of_a_part_of_a_head():
    rope = {"mrope_section": [2, 2, 2], "partial_rotary_factor": 0.5}
    config, module = config_of("glm4v_moe_text", head_dim=24, rope=rope), code("glm4v_moe")
    spec = RopeSpec.from_config(config)
    axes = Axes.sections((2, 2, 2))
    assert spec == RopeSpec(24, 5000, rotary_dim=12, length=512, axes=axes)
    q, k = vectors(spec, len(VIDEO))
    cos, sin = module.Glm4vMoeTextRotaryEmbedding(config)(q, VIDEO.T[:, None])
    agree(rotate(q, VIDEO, spec), module.apply_rotary_pos_emb(q, k, cos, sin)[0])


def test_equal_coordinates_are_text():
    spec = RopeSpec(24, 5000, axes=Axes.sections((6, 3, 3), interleaved=True))
    plain = RopeSpec(24, 5000)
    assert spec.on_text() == plain
    assert plain.on_text() is plain
    q, _ = vectors(spec, 9)
    place = np.arange(9)
    agree(rotate(q, np.stack([place] * 3, -1), spec), rotate(q, place, plain))


def test_yarn_scales_the_planes_whatever_their_axis():
    rope = {"mrope_section": [4, 4, 4], "rope_type": "yarn", "factor": 4.0}
    rope |= {"original_max_position_embeddings": 128}
    spec = RopeSpec.from_config(config_of("qwen2_vl_text", head_dim=24, rope=rope))
    assert spec.scaling == Yarn(factor=4, original_length=128)
    assert spec.frequencies() == spec.on_text().frequencies()


def test_a_flat_configuration_of_the_hub_is_that_of_its_text():
    rope = {"type": "mrope", "mrope_section": [4, 4, 4]}
    flat = {**TINY, "model_type": "qwen2_vl", "rope_theta": 1e6, "rope_scaling": rope}
    spec = RopeSpec.from_config({**flat, "vision_config": {}})
    assert spec == RopeSpec(24, 10**6, length=512, axes=Axes.sections((4, 4, 4)))
    assert RopeSpec.from_config({**flat, "rope_theta": 1e4, "text_config": flat}) == spec


@pytest.mark.parametrize(
    ("name", "rope", "said"),
    [
        ("qwen2_vl_text", {}, "mrope_section: got None, allowed: three numbers of planes"),
        ("qwen2_vl_text", {"mrope_section": [4, 4]}, "mrope_section: got [4, 4], allowed: three"),
        ("qwen2_vl_text", {"mrope_section": [16, 24, 24]}, "time, height and width, 12 together"),
        ("qwen2_vl_text", {"mrope_section": [4, 4, 4.0]}, "got [4, 4, 4.0]"),
        ("qwen2_vl_text", {"mrope_section": [14, -1, -1]}, "got [14, -1, -1]"),
        ("qwen3_vl_text", {"mrope_section": [2, 5, 5]}, "sections that interleave on 12 planes"),
        (
            "qwen3_vl_text",
            {"mrope_section": [4, 4, 4], "mrope_interleaved": False},
            "mrope_interleaved: got False, allowed: true: qwen3_vl_text models read nothing else",
        ),
        (
            "qwen2_vl_text",
            {"mrope_section": [4, 4, 4], "mrope_interleaved": True},
            "mrope_interleaved: got True, allowed: false",
        ),
    ],
)
def test_sections_that_are_not_understood_are_named(name, rope, said):
    rope = {"rope_type": "default", "rope_theta": 5000.0, **rope}
    fields = {**TINY, "head_dim": 24, "model_type": name, "rope_parameters": rope}
    with pytest.raises(InvalidArgument) as caught:
        RopeSpec.from_config(fields)
    assert said in str(caught.value)


def test_positions_of_another_number_of_axes_are_refused():
    spec = RopeSpec(24, 5000, axes=Axes.sections((6, 3, 3)))
    for wrong in (np.arange(5), np.zeros((5, 2))):
        with pytest.raises(InvalidArgument, match="a position is time, height, width"):
            rotation_tables(spec, wrong)


# -- images ------------------------------------------------------------------------------

PATCHES = torch.tensor([[0, 0], [0, 1], [3, 0], [7, 5], [30, 2]])


@pytest.mark.parametrize(
    ("name", "home", "rotary", "width"),
    [
        ("qwen2_vl_vision", "qwen2_vl", "Qwen2VLVisionRotaryEmbedding", "embed_dim"),
        ("qwen2_5_vl_vision", "qwen2_5_vl", "Qwen2_5_VLVisionRotaryEmbedding", "hidden_size"),
        ("qwen3_vl_vision", "qwen3_vl", "Qwen3VLVisionRotaryEmbedding", "hidden_size"),
        ("qwen3_vl_moe_vision", "qwen3_vl_moe", "Qwen3VLMoeVisionRotaryEmbedding", "hidden_size"),
    ],
)
def test_an_image_tower_agrees_with_the_model_code(name, home, rotary, width):
    module = code(home)
    config = AutoConfig.for_model(name, **{width: 96, "num_heads": 4})
    spec = RopeSpec.from_config(config)
    assert spec == RopeSpec(24, 10000, axes=Axes.grid(12))
    q, k = vectors(spec, len(PATCHES))
    cos, sin = getattr(module, rotary)(config)(q, PATCHES)
    theirs = module.apply_rotary_pos_emb_vision(
        q[0].transpose(0, 1), k[0].transpose(0, 1), cos, sin
    )
    agree(rotate(q, PATCHES, spec)[0].transpose(0, 1), theirs[0])
    with pytest.raises(Unsupported, match="positions on axes height, width"):
        spec.on_text()


def test_pixtral_deals_its_frequencies():
    config = transformers.PixtralVisionConfig(hidden_size=96, num_attention_heads=4)
    spec = RopeSpec.from_config(config)
    assert spec == RopeSpec(24, 10000, axes=Axes.grid(12, dealt=True))
    module = code("pixtral")
    q, k = vectors(spec, len(PATCHES))
    cos, sin = module.PixtralVisionRotaryEmbedding(config)(q, PATCHES)
    agree(rotate(q, PATCHES, spec), module.apply_rotary_pos_emb(q, k, cos, sin, 0)[0])


def test_llama4_counts_patches_from_one_and_width_first():
    module = code("llama4")
    config = transformers.models.llama4.configuration_llama4.Llama4VisionConfig(
        hidden_size=96, num_attention_heads=4, image_size=56, patch_size=14
    )
    spec = RopeSpec.from_config(config)
    names = ("width", "height")
    assert spec == RopeSpec(24, 10000, layout="interleaved", axes=Axes.grid(12, names=names))
    side = torch.arange(16)
    patches = torch.stack((side % 4 + 1, side // 4 + 1), -1)
    places = torch.cat((patches, torch.zeros(1, 2, dtype=torch.int64)))
    q, k = vectors(spec, 17)
    turns = module.Llama4VisionRotaryEmbedding(config)(q)
    theirs = module.vision_apply_rotary_emb(q.transpose(1, 2), k.transpose(1, 2), turns)[0]
    agree(rotate(q, places, spec), theirs.transpose(1, 2))


def test_an_image_tower_has_no_scaling():
    fields = {"model_type": "qwen2_vl_vision", "embed_dim": 96, "num_heads": 4}
    rope = {"rope_type": "linear", "factor": 2.0, "rope_theta": 1e4}
    with pytest.raises(Unsupported, match="rope_type 'linear' for positions in an image"):
        RopeSpec.from_config({**fields, "rope_parameters": rope})
    with pytest.raises(InvalidArgument, match="a multiple of 4"):
        RopeSpec.from_config({**fields, "embed_dim": 24})
    assert RopeSpec.from_config(fields).base == 10000
