"""The kit on layers of models of transformers, built small: what their own code does."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
import torch
from needs import need
from tiny_configs import STACK, tiny
from typer.testing import CliRunner

from ropeproof.cli import app
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.layers import layer_kinds, layer_specs
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform import check
from ropeproof.tools.conform.subjects.layer import attention_of
from ropeproof.tools.conform.subjects.load import built_model, family_model, family_module, load

transformers = need("transformers")

CASTS = ("buffers.bfloat16", "buffers.float16")
SPLIT: dict[str, Any] = {"qk_nope_head_dim": 20, "qk_rope_head_dim": 12, "v_head_dim": 10}
SPLIT |= {"kv_lora_rank": 8, "first_k_dense_replace": 4, "n_routed_experts": 2}
SPLIT |= {"moe_intermediate_size": 8}


LINEAR = ["linear_attention", "full_attention"] * 2
MIXED = {f"linear_{part}_head_dim": 8 for part in ("key", "value")}
MIXED |= {f"linear_num_{part}_heads": 2 for part in ("key", "value")}
WINDOWS = {"layer_types": ["sliding_attention", "full_attention"] * 2, "sliding_window": 8}


HALF: dict[str, Any] = {"partial_rotary_factor": 0.5}
SCALED: dict[str, Any] = {"llama_4_scaling_beta": 0.1, "original_max_position_embeddings": 128}
WOVEN: dict[str, Any] = HALF | {"mrope_section": [2, 1, 1]}


def report_of(config: Any, layer: int | None, **options: Any) -> Any:
    def build() -> Any:
        return built_model(config)

    options = {"dtypes": ("float32",), "skip": CASTS, **options}
    return check(build(), config, layer=layer, build=build, **options)


@pytest.mark.parametrize(
    ("config", "layer"),
    [
        (tiny("llama"), 1),
        (tiny("smollm3"), 0),
        (tiny("smollm3"), 3),
        (tiny("cohere2"), 0),
        (tiny("cohere2"), 3),
        (tiny("llama4_text", head_dim=16, num_local_experts=2), 0),
        (tiny("llama4_text", head_dim=16, num_local_experts=2), 3),
        (tiny("deepseek_v2", q_lora_rank=None, **SPLIT), None),
        (tiny("deepseek_v3", q_lora_rank=8, n_group=1, topk_group=1, **SPLIT), None),
        (tiny("qwen2_vl_text", {"mrope_section": [2, 3, 3]}), None),
        (tiny("qwen2_5_vl_text", {"mrope_section": [2, 3, 3]}), 1),
        (tiny("qwen3_vl_text", {"mrope_section": [3, 3, 2]}, head_dim=16), 1),
        (tiny("ernie4_5_vl_moe_text", {"mrope_section": [3, 3, 2]}, moe_num_experts=2, moe_k=1), 2),
        (tiny("exaone4", **WINDOWS), 0),
        (tiny("exaone4", **WINDOWS), 1),
        (tiny("exaone4", **WINDOWS | {"sliding_window": None}), 1),
        (tiny("lfm2", layer_types=["conv", "full_attention"] * 2), 1),
        (tiny("moshi", head_dim=16), 2),
        (tiny("qwen3_next", HALF, head_dim=16, layer_types=LINEAR, num_experts=2, **MIXED), 1),
        (tiny("qwen3_5_text", WOVEN, head_dim=16, layer_types=LINEAR, **MIXED), 3),
    ],
    ids=lambda value: getattr(value, "model_type", str(value)),
)
def test_a_layer_conforms_and_so_when_it_is_made_on_meta(config, layer):
    report = report_of(config, layer)
    assert report.passed, report
    assert report["buffers.meta"].result == "holds"
    assert report["keys"].result == "holds"


def test_layers_that_are_no_attention_are_left_out_and_refused():
    config = tiny("lfm2", layer_types=["conv", "full_attention"] * 2)
    assert [layers for _, layers in layer_kinds(config)] == [(1, 3)]
    with pytest.raises(Unsupported, match="layer 2 of 'lfm2' is 'conv': no attention"):
        RopeSpec.from_config(config, layer=2)
    with pytest.raises(
        Unsupported, match=r"layers are no attention \(conv, linear_attention, mamba\)"
    ):
        layer_specs(config)
    every = tiny("lfm2", layer_types=["full_attention"] * 4)
    assert [layers for _, layers in layer_kinds(every)] == [()]
    assert len(layer_specs(every)) == 4
    raw = {k: v for k, v in config.to_dict().items() if k != "layer_types"}
    assert [layers for _, layers in layer_kinds(raw)] == [()]  # it does not say which
    with pytest.raises(InvalidArgument, match=r"config\.layer_types"):
        RopeSpec.from_config(raw, layer=1)
    model = built_model(config)
    with pytest.raises(Unsupported, match="Lfm2DecoderLayer 0: it has no attention known here"):
        attention_of(model, 0)


def test_queries_that_are_scaled_by_position_are_refused_and_their_rotation_can_be_tried():
    for name in ("ministral3", "mistral4"):
        with pytest.raises(
            Unsupported, match=f"'{name}': queries are also scaled by their position"
        ):
            RopeSpec.from_config({"model_type": name})
    config = tiny("ministral3", SCALED, head_dim=16)
    options = {"dtypes": ("float32",), "skip": (*CASTS, "buffers.meta")}
    # Up to the original length nothing is scaled; beyond it queries are, and keys are not.
    report = check(built_model(config), RopeSpec(16, 5000, length=64), layer=1, **options)
    assert {t.name for t in report.failures} <= {"positions.beyond"}
    report = check(built_model(config), RopeSpec(16, 5000, length=300), layer=1, **options)
    assert report["rotation.float32"].result == "fails"
    assert report["keys"].result == "holds"


def test_a_layer_that_the_adapter_does_not_know_is_refused_by_name():
    config = tiny("jetmoe", kv_channels=16, num_local_experts=2, num_key_value_heads=2)
    assert check(built_model(config), config, dtypes=("float32",), skip=CASTS).passed
    with pytest.raises(Unsupported, match="JetMoeAttention: it has neither q_proj nor latent keys"):
        check(built_model(config), config, layer=0)
    config = tiny("diffllama", head_dim=16)
    with pytest.raises(Unsupported, match="its code does not run on given queries and keys"):
        check(built_model(config), RopeSpec(16, 5000, length=300), layer=0)


def test_a_tower_whose_heads_are_two_halves_is_refused_by_name():
    config = transformers.Gemma4VisionConfig(hidden_size=64, num_attention_heads=4, head_dim=16)
    with pytest.raises(
        Unsupported, match="'gemma4_vision': each half of a head is paired by itself"
    ):
        check(family_module(config), config)


def test_layer_types_of_gemma4_have_heads_and_frequencies_of_their_own():
    kinds = ["sliding_attention", "full_attention"] * 2
    fields = STACK | {"head_dim": 16, "global_head_dim": 32, "layer_types": kinds}
    config = transformers.AutoConfig.for_model(
        "gemma4_text", **fields, vocab_size_per_layer_input=16, hidden_size_per_layer_input=8
    )
    for layer in (0, 1):
        report = report_of(config, layer)
        assert report.passed, report
        assert report.spec.head_dim == (16, 32)[layer]


def test_a_rotated_layer_where_none_should_be_is_named():
    config = tiny("smollm3")
    model = transformers.AutoModel.from_config(config)
    model.layers[3].self_attn.use_rope = 1
    report = check(model, config, layer=3, dtypes=("float32",), skip=CASTS)
    assert report.cause is not None
    assert report.cause.id == "rotated"
    assert "base 5000 in half layout" in report.cause.text
    # The model is as it was: neither its projections nor its attention were replaced.
    assert isinstance(model.layers[3].self_attn.q_proj, torch.nn.Linear)
    assert model(torch.tensor([[1, 2, 3]])).last_hidden_state.shape == (1, 3, 64)


def test_sections_that_the_model_does_not_have_are_named():
    config = tiny("qwen2_vl_text", {"mrope_section": [2, 3, 3]})
    model = transformers.AutoModel.from_config(config)
    model.rotary_emb.mrope_section = [3, 2, 3]
    report = check(model, config, dtypes=("float32",), skip=CASTS)
    assert report.cause is not None
    assert report.cause.text == "sections of 3, 2, 3 planes instead of 2, 3, 3"


def test_the_function_of_deepseek_v3_alone_leaves_half_order():
    """As found: the layer's permutation is common to queries and keys, the function's is seen."""
    from transformers.models.deepseek_v3 import modeling_deepseek_v3 as code

    thetas = 10000.0 ** -(torch.arange(0, 32, 2).float() / 32)

    def pair(q, k, p):
        angles = p[..., None].float() * thetas
        both = torch.cat((angles, angles), -1)
        both = both if both.ndim == 3 else both[None]
        c, s = both.cos().to(q.dtype), both.sin().to(q.dtype)
        return code.apply_rotary_pos_emb_interleave(q, k, c, s)

    spec = RopeSpec(32, 10000, layout="interleaved", length=300)
    report = check(pair, spec, form="pair", dtypes=("float32",))
    assert report.cause is not None
    assert report.cause.text == "the result is left in half order"


def test_nanochat_turns_the_other_way():
    """As found: its sine has the opposite sign."""
    config = tiny("nanochat")
    model = transformers.AutoModel.from_config(config)
    spec = RopeSpec(16, 5000, length=300)
    report = check(model, spec, layer=1, dtypes=("float32",), skip=CASTS)
    assert report.cause is not None
    assert report.cause.text == "sine with the opposite sign"


@pytest.mark.parametrize("most", [1 << 25, 0])
def test_what_is_left_uninitialised_by_meta_is_seen(most, monkeypatch):
    """In a model that gets memory as a whole, and in one so large that only its rotation does."""
    monkeypatch.setattr("ropeproof.tools.conform.named_tests.buffers._MOST_WEIGHTS", most)
    config = tiny("smollm3")

    def build():
        return transformers.AutoModel.from_config(config)

    def without():
        model = build()
        model.init_weights = lambda: None
        model._init_weights = lambda _: None
        return model

    options = {"dtypes": ("float32",), "skip": CASTS}
    assert check(build(), config, layer=0, build=build, **options)["buffers.meta"].result == "holds"
    report = check(without(), config, layer=0, build=without, **options)
    assert [t.name for t in report.failures] == ["buffers.meta"]


@pytest.mark.parametrize("name", ["qwen2_vl_vision", "qwen3_vl_vision", "pixtral"])
def test_a_tower_of_images_conforms(name):
    sizes = {"hidden_size": 64, "num_attention_heads": 4, "num_heads": 4, "embed_dim": 64}
    config = transformers.AutoConfig.for_model(name, **sizes)
    options: dict[str, Any] = {"dtypes": ("float32",), "skip": CASTS, "context": 64}
    report = check(family_module(config), config, build=lambda: built_model(config), **options)
    assert report.passed, report
    assert report["axes.each"].result == "holds"
    assert report["buffers.meta"].result == "holds"

    def without() -> Any:
        model = built_model(config)
        model.init_weights = lambda: None
        return model

    report = check(built_model(config), config, build=without, **options)
    assert [t.name for t in report.failures] == ["buffers.meta"]


def test_a_tower_with_a_table_of_its_own_is_refused_by_name():
    config = transformers.AutoConfig.for_model(
        "llama4_vision_model", hidden_size=64, num_attention_heads=4
    )
    with pytest.raises(Unsupported, match="its tables are not made from positions"):
        check(family_module(config), config)


def test_a_model_without_memory_has_its_rotation():
    config = tiny("deepseek_v2", q_lora_rank=8, **SPLIT)
    model = family_model(config)
    assert model.layers[0].self_attn.o_proj.weight.device.type == "meta"
    report = check(model, config, layer=2, dtypes=("float32",), skip=CASTS)
    assert report.passed, report
    with pytest.raises(InvalidArgument, match="layer: got 4, allowed: an integer below 4"):
        attention_of(model, 4)


def test_the_command_tries_a_layer_of_each_kind(tmp_path):
    folder = tmp_path / "model"
    tiny("smollm3").save_pretrained(folder)
    command = ["conform", str(folder), "--type", "float32", *(f"--skip={n}" for n in CASTS)]
    run = CliRunner().invoke(app, [*command, "--every"])
    assert run.exit_code == 0, run.output
    said = " ".join(run.output.split())  # a long path is folded
    assert "layer 0 conforms" in said
    assert "layer 3 conforms" in said
    assert len(re.findall(r"buffers\.meta +holds", run.output)) == 2
    run = CliRunner().invoke(app, [*command, "--layer", "2", "--json", "-"])
    found = json.loads(run.output)
    assert found["subject"].endswith("layer 2")
    assert "other_layers" not in found


def test_the_command_on_the_parts_of_a_model_with_images(tmp_path):
    text = tiny("qwen2_vl_text", {"mrope_section": [2, 3, 3]}).to_dict()
    vision = {"embed_dim": 64, "num_heads": 4, "model_type": "qwen2_vl_vision"}
    whole = transformers.Qwen2VLConfig(text_config=text, vision_config=vision)
    folder = tmp_path / "model"
    whole.save_pretrained(folder)
    common = ["conform", str(folder), "--type", "float32", *(f"--skip={n}" for n in CASTS)]
    for more in ([], ["--part", "vision", "--context", "64"]):
        run = CliRunner().invoke(app, [*common, *more, "--every"])
        assert run.exit_code == 0, run.output
        assert "axes.each" in run.output
    run = CliRunner().invoke(app, [*common, "--part", "audio"])
    assert isinstance(run.exception, InvalidArgument)
    tiny("llama").save_pretrained(tmp_path / "text")
    with pytest.raises(InvalidArgument, match="part: got 'vision', allowed: text"):
        load(str(tmp_path / "text"), part="vision")
