"""Families whose rotation is of another kind: split heads, layers without RoPE, and layer types."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from shipped_families import shipped
from tiny_configs import TINY, agree, code, config_of, vectors
from transformers import AutoConfig

from ropeproof.numerics.core.profiles import settings_for
from ropeproof.numerics.core.spec import frequencies_float64, logits, rotate
from ropeproof.theory.errors import InvalidArgument, RopeproofError, Unsupported
from ropeproof.theory.rotary.config import rotating_layers
from ropeproof.theory.rotary.families import FAMILIES
from ropeproof.theory.rotary.layers import layer_specs
from ropeproof.theory.rotary.spec import Linear, Proportional, RopeSpec

# -- latent attention --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "fields", "layout"),
    [
        ("deepseek_v2", {}, "interleaved"),
        ("deepseek_v3", {"rope_interleave": True}, "interleaved"),
        ("deepseek_v3", {"rope_interleave": False}, "half"),
        ("glm4_moe_lite", {}, "interleaved"),
        ("youtu", {"rope_interleave": False}, "half"),
    ],
)
def test_the_last_part_of_a_latent_head_rotates(name, fields, layout):
    config = config_of(name, qk_nope_head_dim=20, qk_rope_head_dim=12, **fields)
    spec = RopeSpec.from_config(config)
    assert spec == RopeSpec(32, 5000, rotary_dim=12, rotary_start=20, layout=layout, length=512)
    module, places = code(name), torch.tensor([[0, 1, 5, 60]])
    q, k = vectors(spec, 4)
    rotary = next(v for n, v in vars(module).items() if n.endswith("RotaryEmbedding"))
    tables = rotary(config)(q, places)
    parts = q[..., 20:], k[..., 20:]
    if name == "deepseek_v2":
        turned = module.apply_rotary_emb(*parts, tables)
    else:
        end = "_interleave" if layout == "interleaved" else ""
        turned = getattr(module, f"apply_rotary_pos_emb{end}")(*parts, *tables)
    # The interleaved one leaves its results in half order: a permutation that no logit sees.
    whole = [torch.cat((x[..., :20], y), -1) for x, y in zip((q, k), turned, strict=True)]
    theirs = whole[0] @ whole[1].transpose(-1, -2) / 32**0.5
    agree(logits(q, k, places[0], places[0], spec), theirs)
    kept = rotate(q, places[0], spec)
    assert torch.equal(kept[..., :20], q[..., :20])
    assert sorted(sum(spec.plane_coordinates(), ())) == list(range(32))
    assert sorted(spec.layout_permutation()) == list(range(32))
    assert spec.layout_permutation()[:20] == tuple(range(20))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"qk_nope_head_dim": None}, "config.qk_nope_head_dim: got None"),
        ({"qk_rope_head_dim": 7}, "config.qk_rope_head_dim: got 7, allowed: an even integer"),
        ({"qk_head_dim": 30}, "config.qk_head_dim: got 30, allowed: 32, the sum of both"),
        ({"rope_interleave": 1}, "config.rope_interleave: got 1, allowed: true or false"),
        # transformers makes a table of so many coordinates, which fits no head.
        ({"head_dim": 32}, "config.head_dim: got 32, allowed: 12, as qk_rope_head_dim"),
        ({"partial_rotary_factor": 0.5}, "config.partial_rotary_factor: all of qk_rope_head_dim"),
        (
            {"rope_parameters": {"rope_type": "default", "partial_rotary_factor": 0.5}},
            "config.rope_parameters.partial_rotary_factor: all of qk_rope_head_dim rotates",
        ),
    ],
)
def test_a_latent_head_that_does_not_fit_is_named(changes, said):
    fields = {**TINY, "model_type": "deepseek_v3", "rope_theta": 1e4}
    fields |= {"qk_nope_head_dim": 20, "qk_rope_head_dim": 12, **changes}
    with pytest.raises((InvalidArgument, Unsupported)) as caught:
        RopeSpec.from_config(fields)
    assert said in str(caught.value)


# -- layers without RoPE -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("smollm3", {}),
        ("smollm3", {"no_rope_layer_interval": 2}),
        ("smollm3", {"no_rope_layers": [0, 1, 1, 0, 0]}),
        ("llama4_text", {"head_dim": 24}),
        ("llama4_text", {"head_dim": 24, "no_rope_layers": [1, 0, 0, 1, 1]}),
        ("cohere2", {}),
        ("cohere2", {"sliding_window": None}),
        ("cohere2", {"layer_types": ["full_attention"] + 4 * ["sliding_attention"]}),
    ],
)
def test_layers_without_rope_are_those_of_the_model_code(name, fields):
    config = config_of(name, **fields)
    module = code("llama4" if name == "llama4_text" else name)
    attention = next(
        v for n, v in vars(module).items() if n.endswith("Attention") and "Vision" not in n
    )
    layers = [attention(config, number) for number in range(5)]
    flag = "sliding_window" if name == "cohere2" else "use_rope"
    theirs = tuple(bool(getattr(layer, flag)) for layer in layers)
    assert rotating_layers(config.to_dict()) == theirs
    specs = layer_specs(config)
    assert tuple(spec.rotary_dim > 0 for spec in specs) == theirs
    still = [spec for spec in specs if not spec.rotary_dim]
    for spec in still:
        assert not frequencies_float64(spec).any()
        assert np.array_equal(rotate(np.eye(24), np.arange(24), spec), np.eye(24))
    if any(theirs):
        with pytest.raises(Unsupported, match="only some of its layers use RoPE"):
            RopeSpec.from_config(config)
    else:
        assert RopeSpec.from_config(config).rotary_dim == 0
    assert RopeSpec.from_config(config, layer=2) == specs[2]


def test_a_raw_configuration_of_layers_without_rope():
    raw = {**TINY, "model_type": "cohere2", "rope_theta": 1e4, "sliding_window_pattern": 2}
    assert rotating_layers(raw) == (True, False, True, False, True)
    flags = {**TINY, "model_type": "smollm3", "rope_theta": 1e4, "no_rope_layers": [1, 2, 0, 1, 1]}
    for wrong in ([1, 2, 0, 1, 1], [1, 0], "11111", [1.0] * 5):
        with pytest.raises(InvalidArgument, match=r"config\.no_rope_layers: .* of 5 layers"):
            rotating_layers({**flags, "no_rope_layers": wrong})
    with pytest.raises(InvalidArgument, match="layer: got 5, allowed: an integer below 5"):
        RopeSpec.from_config(raw, layer=5)


# -- layer types and proportional RoPE ---------------------------------------------------


def gemma4() -> Any:
    return AutoConfig.for_model(
        "gemma4_text", **(TINY | {"head_dim": 24}), global_head_dim=32, sliding_window=8,
        layer_types=2 * ["sliding_attention", "full_attention"] + ["full_attention"],
    )  # fmt: skip


def test_proportional_rope_and_heads_that_differ_between_layer_types():
    config, module = gemma4(), code("gemma4")
    local = RopeSpec(24, 10000, length=512)
    whole = RopeSpec(32, 10**6, scaling=Proportional(4), length=512)
    assert layer_specs(config) == (local, whole, local, whole, whole)
    assert whole.frequencies()[4:] == (0,) * 12
    assert whole.frequencies()[1] == RopeSpec(32, 10**6).frequencies()[1]
    places = torch.tensor([[0, 1, 5, 60]])
    rotary = module.Gemma4TextRotaryEmbedding(config)
    for kind, spec in (("sliding_attention", local), ("full_attention", whole)):
        assert RopeSpec.from_config(config, layer_type=kind) == spec
        q, _ = vectors(spec, 4)
        theirs = module.apply_rotary_pos_emb(q, *rotary(q, places, kind))
        agree(rotate(q, places[0], spec), theirs)
    raw = copy.deepcopy(config.to_dict())
    del raw["per_layer_config"]
    assert layer_specs({**raw, "global_head_dim": 32}) == layer_specs(config)
    for wrong in ({"1": "wide"}, {"1": {"head_dim": [32]}}, {"1": {"head_dim": 0}}):
        with pytest.raises(InvalidArgument, match=r"config\.per_layer_config"):
            layer_specs({**raw, "per_layer_config": wrong})
    with pytest.raises(InvalidArgument, match=r"config\.global_head_dim: got None"):
        layer_specs(raw)


def test_proportional_rope_is_partial_rope_of_another_base():
    """On `k` of `m` planes: `2k` coordinates with the base `base**(k/m)`."""
    spec = RopeSpec(16, 10**4, scaling=Proportional(4))
    partial = RopeSpec(16, 100, rotary_dim=8)
    assert spec.frequencies() == partial.frequencies()
    slower = RopeSpec(16, 10**4, scaling=Proportional(4, 2))
    assert slower.frequencies()[:4] == RopeSpec(8, 100, scaling=Linear(2)).frequencies()
    fields = {**TINY, "model_type": "llama"}
    rope = {"rope_type": "proportional", "rope_theta": 1e4, "partial_rotary_factor": 0.5}
    assert RopeSpec.from_config({**fields, "rope_parameters": rope}).scaling == Proportional(6)
    for wrong in (1.5, -0.5, None):
        with pytest.raises(InvalidArgument, match="partial_rotary_factor"):
            RopeSpec.from_config(
                {**fields, "rope_parameters": {**rope, "partial_rotary_factor": wrong}}
            )


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 300),
    st.floats(),
    st.sampled_from(["", "mrope", [], [4, 4, 4], [1, 0, 1, 0, 1], ["a"] * 5, {}, {"5": {}}]),
)


@settings_for("quick", cases=150)
@given(data=st.data())
def test_a_mangled_config_gives_a_spec_or_an_error_of_ours(data: st.DataObject):
    """One field of a good configuration replaced: never a foreign exception."""
    rope = {"rope_type": "default", "rope_theta": 5000.0}
    text = {**TINY, "head_dim": 24, "rope_parameters": rope | {"mrope_section": [4, 4, 4]}}
    split = {"qk_nope_head_dim": 20, "qk_rope_head_dim": 12, "rope_interleave": True}
    flags = {"no_rope_layers": [1, 0, 1, 1, 0], "no_rope_layer_interval": 4}
    windows = {"sliding_window": 8, "sliding_window_pattern": 4, "layer_types": None}
    good = [
        {**text, "model_type": data.draw(st.sampled_from(["qwen2_vl_text", "qwen3_vl_text"]))},
        {**TINY, **split, "model_type": "deepseek_v3", "rope_theta": 1e4},
        {**TINY, **flags, "model_type": "smollm3", "rope_theta": 1e4},
        {**TINY, **windows, "model_type": "cohere2", "rope_theta": 1e4},
        {"model_type": "pixtral", **TINY, "rope_theta": 1e4},
        gemma4().to_dict(),
    ]
    config = copy.deepcopy(data.draw(st.sampled_from(good)))
    config["per_layer_config"] = config.get("per_layer_config")
    nested = config.get("rope_parameters")
    target = data.draw(st.sampled_from([config, nested] if nested else [config]))
    target[data.draw(st.sampled_from(sorted(target)))] = data.draw(VALUES)
    try:
        specs = layer_specs(config)
    except RopeproofError:
        return
    assert all(len(spec.frequencies()) == spec.planes for spec in specs)


def test_every_family_of_another_kind_is_here():
    other = {
        name
        for name, family in FAMILIES.items()
        if family.no_rope
        or family.sections
        or family.grid
        or family.latent
        or family.global_head_dim
    }
    names = ("test_config_axes.py", "test_config_code.py")
    files = (Path(__file__), *(Path(__file__).with_name(name) for name in names))
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    named = {name for name in other if f'"{name}"' in text or name == "pixtral"}
    # Every model of text is tried layer by layer in test_families_code.py.
    named |= {name for name in other if FAMILIES[name].grid is None and name in shipped()}
    assert other - named <= {"qwen2_5_vl", "llama4_vision_model"}
