"""Reading a spec from model configurations: every family, scaling and layer type."""

from __future__ import annotations

import importlib
import json
from typing import Any

import pytest
import torch
from config_fields import L3, LAYERS, LISTS, LLAMA, SMALL
from transformers import AutoConfig, GemmaConfig, LlamaConfig, Phi3Config

from ropeproof.numerics.core.spec import logits
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.families import FAMILIES
from ropeproof.theory.rotary.layers import layer_specs
from ropeproof.theory.rotary.spec import Dynamic, Linear, Llama3, LongRope, RopeSpec, Yarn


def small(family: str) -> Any:
    """A small transformers configuration of a family, with values that are not its defaults."""
    fields: dict[str, Any] = {"max_position_embeddings": 512, "num_hidden_layers": 8}
    fields |= {"hidden_size": 96, "num_attention_heads": 4, "num_key_value_heads": 4}
    if FAMILIES[family].head_dim == "required":
        fields[FAMILIES[family].head_field] = 32
    rope: dict[str, Any] = {"rope_type": "default", "rope_theta": 5000.0}
    if FAMILIES[family].fraction_field:
        rope["partial_rotary_factor"] = 0.5
    if FAMILIES[family].fixed_base:
        return AutoConfig.for_model(family, n_embd=96, n_head=4, rotary_dim=12, n_positions=512)
    if FAMILIES[family].per_layer:
        layers = ("sliding_attention", "full_attention")
        rope = {layer: dict(rope) for layer in layers}
    return AutoConfig.for_model(family, **fields, rope_parameters=rope)


OWN_FIELDS = {"bamba", "gemma3n_text", "granite4_vision_text", "internlm3", "iquestcoder"}


def has_one_position_and_one_rotation(family: str) -> bool:
    """Families of other kinds are in test_config_kinds.py and test_config_axes.py.

    Those whose code needs fields of its own are in test_families_code.py, as all others are.
    """
    if family in OWN_FIELDS:
        return False
    own = FAMILIES[family]
    kinds = (own.no_rope, own.sections, own.grid, own.latent or None, own.global_head_dim or None)
    return not any(kinds)


@pytest.mark.parametrize("family", sorted(filter(has_one_position_and_one_rotation, FAMILIES)))
def test_every_family_agrees_with_its_model_code(family: str):
    config = small(family)
    spec = RopeSpec.from_config(config)
    assert spec == RopeSpec.from_config(json.loads(json.dumps(config.to_dict())))
    home = type(config).__module__.replace(".configuration_", ".modeling_")
    module = importlib.import_module(home)
    places = torch.tensor([[0, 1, 5, 60]])
    seed = torch.Generator().manual_seed(0)
    q, k = torch.randn(2, 1, 2, 4, spec.head_dim, dtype=torch.float64, generator=seed)
    if FAMILIES[family].fixed_base:
        table = module.create_sinusoidal_positions(512, config.rotary_dim)[places]
        sin, cos = table.double().chunk(2, dim=-1)
        heads = (x.transpose(1, 2)[..., : config.rotary_dim] for x in (q, k))
        turned = [module.apply_rotary_pos_emb(x, sin, cos).transpose(1, 2) for x in heads]
    else:
        (rotary,) = (
            getattr(module, name)
            for name in vars(module)
            if name.endswith("RotaryEmbedding") and "Scaling" not in name and "Vision" not in name
        )
        extra = ("full_attention",) if FAMILIES[family].per_layer else ()
        cos, sin = rotary(config)(q, places, *extra)
        width = spec.rotary_dim
        turned = module.apply_rotary_pos_emb(q[..., :width], k[..., :width], cos, sin)
    whole = [
        torch.cat([t.double(), x[..., t.shape[-1] :]], dim=-1)
        for t, x in zip(turned, (q, k), strict=True)
    ]
    theirs = whole[0] @ whole[1].transpose(-1, -2) / spec.head_dim**0.5
    torch.testing.assert_close(logits(q, k, places[0], places[0], spec), theirs, rtol=0, atol=1e-4)


def test_default_objects_of_transformers():
    assert RopeSpec.from_config(LlamaConfig()) == RopeSpec(128, 10000, length=2048)
    assert RopeSpec.from_config(LlamaConfig().to_dict()) == RopeSpec(128, 10000, length=2048)
    assert RopeSpec.from_config(GemmaConfig()) == RopeSpec(256, 10000, length=8192)
    assert RopeSpec.from_config(Phi3Config(), length=7) == RopeSpec(96, 10000, length=7)


@pytest.mark.parametrize("named", ["type", "rope_type"])
@pytest.mark.parametrize("field", ["rope_scaling", "rope_parameters"])
@pytest.mark.parametrize(
    ("parameters", "scaling"),
    [
        ({"name": "default"}, None),
        ({"name": "linear", "factor": 2.0}, Linear(2)),
        ({"name": "dynamic", "factor": 2.0}, Dynamic(2, 256)),
        ({"name": "yarn", "factor": 4.0, **SMALL}, Yarn(factor=4, original_length=64)),
        (
            {"name": "yarn", "factor": 4.0, **SMALL, "finetuned": True, "attention_factor": 2.0},
            Yarn(factor=4, original_length=64, attention=2),
        ),
        (
            {"name": "yarn", "factor": 4, **SMALL, "beta_fast": 8, "beta_slow": 2, "mscale": 1.5}
            | {"mscale_all_dim": 0.5, "truncate": False},
            Yarn(
                factor=4,
                original_length=64,
                beta_fast=8,
                beta_slow=2,
                mscale=1.5,
                mscale_all_dim=0.5,
                truncate=False,
            ),
        ),
        (
            {"name": "longrope", **LISTS, **SMALL},
            LongRope(factor=4, original_length=64, **LISTS),
        ),
        (
            {"name": "longrope", "factor": 3.0, **LISTS, **SMALL, "attention_factor": 1.5},
            LongRope(factor=3, original_length=64, attention=1.5, **LISTS),
        ),
        ({"name": "llama3", **L3}, Llama3(original_length=64, **dict(list(L3.items())[:3]))),
    ],
)
def test_every_rope_type_in_both_forms(named, field, parameters, scaling):
    rope = {named if key == "name" else key: value for key, value in parameters.items()}
    config = {**LLAMA, field: rope}
    if field == "rope_parameters":
        rope["rope_theta"] = config.pop("rope_theta")
    assert RopeSpec.from_config(config) == RopeSpec(16, 10000, scaling=scaling, length=256)


def test_phi3_field_outside_the_mapping():
    scaling = {"type": "su", **LISTS}
    config = {**LLAMA, "model_type": "phi3", "rope_scaling": scaling}
    config |= SMALL
    expected = LongRope(factor=4, original_length=64, **LISTS)
    assert RopeSpec.from_config(config) == RopeSpec(16, 10000, scaling=expected, length=256)


@pytest.mark.parametrize(("head_dim", "factor", "rotary_dim"), [(20, 0.7, 14), (100, 0.3, 30)])
def test_fraction_is_cut_as_the_library_cuts_it(head_dim: int, factor: float, rotary_dim: int):
    """0.7 is below 7/10 as a double, yet 0.7 * 20 rounds to 14.0 before it is cut."""
    config = {**LLAMA, "model_type": "phi", "head_dim": head_dim, "partial_rotary_factor": factor}
    assert RopeSpec.from_config(config).rotary_dim == rotary_dim == int(head_dim * factor)


def test_same_parameters_for_every_layer_type_are_one():
    rope = {"rope_type": "linear", "factor": 2.0, "rope_theta": 500.0}
    nested = {"sliding_attention": rope, "full_attention": dict(rope)}
    config = {**LLAMA, "rope_parameters": nested}
    del config["rope_theta"]
    expected = RopeSpec(16, 500, scaling=Linear(2), length=256)
    assert RopeSpec.from_config(config) == expected


def test_a_layer_type_picks_its_parameters():
    config = {**LLAMA, "rope_parameters": LAYERS, "num_hidden_layers": 3}
    del config["rope_theta"]
    local, whole = RopeSpec(16, 10000, length=256), RopeSpec(16, 10**6, length=256)
    assert RopeSpec.from_config(config, layer_type="sliding_attention") == local
    assert RopeSpec.from_config(config, layer_type="full_attention") == whole
    with pytest.raises(InvalidArgument) as caught:
        RopeSpec.from_config(config, layer_type="chunked_attention")
    assert str(caught.value) == (
        "layer_type: got 'chunked_attention', allowed: one of full_attention, sliding_attention"
    )
    types = ["sliding_attention", "full_attention", "sliding_attention"]
    assert layer_specs({**config, "layer_types": types}) == (local, whole, local)
    for wrong in (None, types[:2], "full_attention"):
        with pytest.raises(InvalidArgument, match=r"config\.layer_types.*each of 3 layers"):
            layer_specs({**config, "layer_types": wrong})


def test_other_models_have_one_rope_for_all_layers():
    spec = RopeSpec(16, 10000, length=7)
    assert layer_specs({**LLAMA, "num_hidden_layers": 2}, length=7) == (spec, spec)
    gptj = {"model_type": "gptj", "n_embd": 64, "n_head": 4, "rotary_dim": 8, "n_layer": 2}
    assert [found.rotary_dim for found in layer_specs(gptj)] == [8, 8]
    with pytest.raises(InvalidArgument, match=r"config\.num_hidden_layers: got None"):
        layer_specs(LLAMA)


def test_gptj_null_rotary_dim_means_the_whole_single_head():
    config = {"model_type": "gptj", "n_embd": 128, "n_head": 1, "rotary_dim": None}
    assert RopeSpec.from_config(config) == RopeSpec(128, 10000, layout="interleaved")
    with pytest.raises(InvalidArgument, match=r"config.rotary_dim: got None"):
        RopeSpec.from_config({**config, "n_head": 2})
