"""Reading a spec from model configurations: every family, and every refusal."""

from __future__ import annotations

import copy
import importlib
import json
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import AutoConfig, GemmaConfig, LlamaConfig, Phi3Config

from ropeproof.numerics.profiles import settings_for
from ropeproof.numerics.spec import logits
from ropeproof.theory.errors import InvalidArgument, RopeproofError, Unsupported
from ropeproof.theory.families import FAMILIES, UNSUPPORTED
from ropeproof.theory.layers import layer_specs
from ropeproof.theory.spec import Dynamic, Linear, Llama3, LongRope, RopeSpec, Yarn

LLAMA: dict[str, Any] = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_attention_heads": 4,
    "max_position_embeddings": 256,
    "rope_theta": 10000.0,
}


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


def has_one_position_and_one_rotation(family: str) -> bool:
    """Families of other kinds are in test_config_kinds.py."""
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


LISTS = {"short_factor": [1.0] * 8, "long_factor": [2.0] * 8}
SMALL = {"original_max_position_embeddings": 64}
L3 = {"factor": 4.0, "low_freq_factor": 1.0, "high_freq_factor": 2.0, **SMALL}


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


NEOX = {**LLAMA, "model_type": "gpt_neox", "rotary_pct": 0.25}
GPTJ = {"model_type": "gptj", "n_embd": 64, "n_head": 4, "n_positions": 64, "rotary_dim": 8}
PHI = {**LLAMA, "model_type": "phi"}
DROP = object()


@pytest.mark.parametrize(
    ("config", "changes", "message"),
    [
        (LLAMA, {"model_type": DROP}, "config.model_type: got None, allowed: the name of a model"),
        (LLAMA, {"model_type": ["llama"]}, "config.model_type: got ['llama'], allowed"),
        (LLAMA, {"rope_theta": DROP}, "config.rope_theta: got None, allowed: the base"),
        (LLAMA, {"rope_theta": None}, "config.rope_theta: got None, allowed: the base"),
        (LLAMA, {"rope_theta": float("nan")}, "config.rope_theta: got nan, allowed: a finite"),
        (LLAMA, {"rope_theta": "10000"}, "config.rope_theta: got '10000', allowed: a number"),
        (LLAMA, {"rope_theta": True}, "config.rope_theta: got True, allowed: a finite number"),
        (LLAMA, {"rope_theta": 0.5}, "base: got 1/2, allowed: a number > 1"),
        (
            LLAMA,
            {"rope_parameters": {"rope_type": "default", "rope_theta": 5e5}},
            "config.rope_parameters.rope_theta: got 500000, allowed: 10000, as config.rope_theta",
        ),
        (LLAMA, {"head_dim": 15}, "head_dim: got 15, allowed: an even integer"),
        (LLAMA, {"head_dim": 16.0}, "config.head_dim: got 16.0, allowed: an integer"),
        (LLAMA, {"hidden_size": 66}, "config.hidden_size: got 66, allowed: a multiple of 4 heads"),
        (LLAMA, {"hidden_size": DROP}, "config.hidden_size: got None, allowed: an integer"),
        (LLAMA, {"num_attention_heads": 0}, "config.num_attention_heads: got 0, allowed"),
        (LLAMA, {"model_type": "gemma"}, "config.head_dim: got None, allowed: an integer; gemma"),
        (LLAMA, {"max_position_embeddings": -1}, "config.max_position_embeddings: got -1"),
        (LLAMA, {"rope_scaling": 4.0}, "config.rope_scaling: got 4.0, allowed: a mapping or null"),
        (LLAMA, {"rope_scaling": {"factor": 4.0}}, "config.rope_parameters.rope_type: got None"),
        (LLAMA, {"rope_scaling": {"type": 3}}, "config.rope_parameters.rope_type: got 3"),
        (
            LLAMA,
            {"rope_scaling": {"type": "mrope", "rope_type": "default"}},
            "config.rope_parameters.type: got 'mrope', allowed: 'default', as rope_type",
        ),
        (
            LLAMA,
            {"rope_scaling": {"type": "linear"}},
            "config.rope_parameters.factor: got None, allowed: a number",
        ),
        (
            LLAMA,
            {"rope_scaling": {"type": "linear", "factor": 2}, "rope_parameters": {"factor": 4}},
            "config.rope_scaling.factor: got 2, allowed: 4, as in rope_parameters",
        ),
        (
            LLAMA,
            {"rope_scaling": {"type": "yarn", "factor": 4.0}},
            "config.rope_parameters.original_max_position_embeddings: got None, allowed",
        ),
        (
            {**LLAMA, "original_max_position_embeddings": 32},
            {"rope_scaling": {"type": "yarn", "factor": 4.0, **SMALL}},
            "config.rope_parameters.original_max_position_embeddings: got 64, allowed: 32",
        ),
        (
            LLAMA,
            {"rope_scaling": {"type": "longrope", **SMALL, "factor": 2}},
            "config.rope_parameters.short_factor: got None, allowed: a list of numbers",
        ),
        (
            LLAMA,
            {"rope_scaling": {"type": "longrope", **SMALL, **LISTS, "short_factor": [None]}},
            "config.rope_parameters.short_factor[0]: got None, allowed: a number",
        ),
        (
            LLAMA,
            {"rope_scaling": {"type": "dynamic", "factor": 2}, "max_position_embeddings": DROP},
            "config.max_position_embeddings: got None, allowed: an integer >= 1, which",
        ),
        (NEOX, {}, "config.rotary_emb_base: got None, allowed: the base of the frequencies"),
        (
            NEOX,
            {"rotary_emb_base": 500},
            "config.rope_theta: got 10000, allowed: 500, as config.rotary_emb_base",
        ),
        (
            {**NEOX, "rotary_emb_base": 10000},
            {"rotary_pct": DROP},
            "config.rotary_pct: got None, allowed: the rotated fraction",
        ),
        (PHI, {}, "config.partial_rotary_factor: got None, allowed: the rotated fraction"),
        (PHI, {"partial_rotary_factor": 0}, "config.partial_rotary_factor: got 0, allowed"),
        (PHI, {"partial_rotary_factor": 1.5}, "config.partial_rotary_factor: got 3/2, allowed"),
        (PHI, {"partial_rotary_factor": 0.2}, "config.partial_rotary_factor: got 0.2, allowed"),
        (GPTJ, {"rotary_dim": DROP}, "config.rotary_dim: got None, allowed: an integer"),
        (GPTJ, {"rotary_dim": 18}, "rotary_dim: got 18, allowed: an even integer from 0 to 16"),
        (GPTJ, {"rope_theta": 500}, "config.rope_theta: got 500, allowed: 10000, as the model"),
    ],
)
def test_bad_config_is_refused_by_name(config, changes, message):
    config = {k: v for k, v in {**config, **changes}.items() if v is not DROP}
    with pytest.raises(InvalidArgument) as caught:
        RopeSpec.from_config(config)
    assert str(caught.value).startswith(message)


LAYERS = {
    "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
    "full_attention": {"rope_type": "default", "rope_theta": 1000000.0},
}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"model_type": "gpt2"}, "model_type 'gpt2': learned absolute positions"),
        ({"qk_rope_head_dim": 64}, "multi-head latent attention (the configuration has qk_rope"),
        (
            {"model_type": "mystery"},
            "model_type 'mystery': not one of apertus, arcee, aria_text, bitnet",
        ),
        ({"model_type": "gemma3"}, "model_type 'gemma3': a multimodal wrapper"),
        ({"model_type": "nanochat"}, "model_type 'nanochat': its code turns the other way"),
        ({"model_type": "falcon", "alibi": True}, "model_type 'falcon' with alibi"),
        ({"partial_rotary_factor": 0.5}, "model_type 'llama' with config.partial_rotary_factor"),
        ({"rope_scaling": {"type": "ntk", "factor": 2}}, "rope_type 'ntk': not one of default"),
        (
            {"rope_scaling": {"type": "proportional", "mrope_section": [1]}},
            "rope_parameters.mrope_section with rope_type 'proportional'",
        ),
        (
            {"rope_scaling": {"type": "default", "mrope_section": [1, 1]}},
            "rope_parameters.mrope_section with rope_type 'default'",
        ),
        (
            {"rope_parameters": LAYERS},
            "rope_parameters that differs between layer types (full_attention, sliding_attention)",
        ),
        (
            {"rope_parameters": {**LAYERS, "full_attention": None}},
            "rope_parameters that differs between layer types",
        ),
        (
            {"model_type": "gemma3_text", "head_dim": 16},
            "model_type 'gemma3_text' without rope_parameters per layer type",
        ),
        (
            {**GPTJ, "rope_scaling": {"type": "linear", "factor": 2}},
            "model_type 'gptj' does not read rope_scaling",
        ),
    ],
)
def test_unsupported_config_is_refused_by_name(changes, message):
    with pytest.raises(Unsupported) as caught:
        RopeSpec.from_config({**LLAMA, **changes})
    assert str(caught.value).startswith(message)


def test_the_two_tables_are_apart():
    assert not FAMILIES.keys() & UNSUPPORTED.keys()


def test_unreadable_files(tmp_path: Path):
    cases = {
        "nothing.json": (None, "a file that can be read (No such file"),
        "broken.json": (b"{", "a file of valid JSON"),
        "binary.json": (b"\xff\xfe\x00", "a file of valid JSON"),
        "deep.json": (b"[" * 100000, "a file of valid JSON"),
        "list.json": (b"[]", "a file whose JSON is an object"),
    }
    for name, (content, message) in cases.items():
        file = tmp_path / name
        if content is not None:
            file.write_bytes(content)
        with pytest.raises(InvalidArgument, match=r"^config: ") as caught:
            RopeSpec.from_config(file)
        assert name in str(caught.value)
        assert message in str(caught.value)
    with pytest.raises(InvalidArgument, match=r"config.json', allowed: a file that can be read"):
        RopeSpec.from_config(tmp_path)
    nan = tmp_path / "nan.json"
    nan.write_text(json.dumps({**LLAMA, "rope_theta": float("nan")}))
    with pytest.raises(InvalidArgument, match=r"config.rope_theta: got nan"):
        RopeSpec.from_config(nan)


@pytest.mark.parametrize("config", [None, 3, [], LlamaConfig, True])
def test_not_a_config(config: object):
    with pytest.raises(InvalidArgument, match=r"allowed: a path, a mapping, or an object"):
        RopeSpec.from_config(config)


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 300),
    st.floats(),
    st.sampled_from(["", "yarn", "linear", "gptj", "phi", [], [1.0] * 8, {}, {"a": {}}]),
)


@settings_for("quick", cases=150)
@given(data=st.data())
def test_a_mangled_config_gives_a_spec_or_an_error_of_ours(data: st.DataObject):
    """One field of a good configuration replaced: never a foreign exception."""
    scalings = [{"type": "yarn", "factor": 4.0, **SMALL}, {"type": "longrope", **LISTS, **SMALL}]
    scalings += [{"type": "dynamic", "factor": 2.0}, {"type": "llama3", **L3}]
    config = copy.deepcopy({**LLAMA, "rope_scaling": data.draw(st.sampled_from(scalings))})
    target = data.draw(st.sampled_from([config, config["rope_scaling"]]))
    target[data.draw(st.sampled_from(sorted(target)))] = data.draw(VALUES)
    try:
        spec = RopeSpec.from_config(config)
    except RopeproofError:
        return
    assert len(spec.frequencies()) == spec.planes
    assert all(theta.is_positive for theta in spec.frequencies()[: spec.rotary_planes])
