"""The kit on layers of models of transformers, built small: what their own code does."""

from __future__ import annotations

import json
from typing import Any

import pytest
import torch
from typer.testing import CliRunner

from ropeproof.numerics.conform import check
from ropeproof.numerics.conform.layer import attention_of
from ropeproof.numerics.conform.load import family_model, family_module, load
from ropeproof.proofs_check.cli import app
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.spec import RopeSpec

transformers = pytest.importorskip("transformers", reason="needs the extra 'hf'")

CASTS = ("buffers.bfloat16", "buffers.float16")
TINY: dict[str, Any] = {
    "hidden_size": 64,
    "num_attention_heads": 4,
    "num_key_value_heads": 4,
    "num_hidden_layers": 4,
    "intermediate_size": 16,
    "vocab_size": 16,
    "max_position_embeddings": 300,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
}
SPLIT: dict[str, Any] = {"qk_nope_head_dim": 20, "qk_rope_head_dim": 12, "v_head_dim": 10}
SPLIT |= {"kv_lora_rank": 8, "first_k_dense_replace": 4, "n_routed_experts": 2}
SPLIT |= {"moe_intermediate_size": 8}


def tiny(name: str, rope: dict[str, Any] | None = None, **fields: Any) -> Any:
    parameters = {"rope_type": "default", "rope_theta": 5000.0, **(rope or {})}
    fields = TINY | {"rope_parameters": parameters} | fields
    return transformers.AutoConfig.for_model(name, **fields)


def report_of(config: Any, layer: int | None, **options: Any) -> Any:
    def build() -> Any:
        return transformers.AutoModel.from_config(config).eval()

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
    ],
    ids=lambda value: getattr(value, "model_type", str(value)),
)
def test_a_layer_conforms_and_so_when_it_is_made_on_meta(config, layer):
    report = report_of(config, layer)
    assert report.passed, report
    assert report["buffers.meta"].result == "holds"
    assert report["keys"].result == "holds"


def test_layer_types_of_gemma4_have_heads_and_frequencies_of_their_own():
    kinds = ["sliding_attention", "full_attention"] * 2
    fields = TINY | {"head_dim": 16, "global_head_dim": 32, "layer_types": kinds}
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


def test_what_is_left_uninitialised_by_meta_is_seen():
    config = tiny("smollm3")

    def build():
        model = transformers.AutoModel.from_config(config)
        model.init_weights = lambda: None
        return model

    report = check(build(), config, layer=0, build=build, dtypes=("float32",), skip=CASTS)
    assert [t.name for t in report.failures] == ["buffers.meta"]


@pytest.mark.parametrize("name", ["qwen2_vl_vision", "qwen3_vl_vision", "pixtral"])
def test_a_tower_of_images_conforms(name):
    sizes = {"hidden_size": 64, "num_attention_heads": 4, "num_heads": 4, "embed_dim": 64}
    config = transformers.AutoConfig.for_model(name, **sizes)
    report = check(family_module(config), config, dtypes=("float32",), skip=CASTS, context=64)
    assert report.passed, report
    assert report["axes.each"].result == "holds"


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
    run = CliRunner().invoke(app, command)
    assert run.exit_code == 0, run.output
    assert "layer 0 conforms" in run.output.replace("\n", " ")
    assert "layer 3 conforms" in run.output.replace("\n", " ")
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
        run = CliRunner().invoke(app, [*common, *more])
        assert run.exit_code == 0, run.output
        assert "axes.each" in run.output
    run = CliRunner().invoke(app, [*common, "--part", "audio"])
    assert isinstance(run.exception, InvalidArgument)
    tiny("llama").save_pretrained(tmp_path / "text")
    with pytest.raises(InvalidArgument, match="part: got 'vision', allowed: text"):
        load(str(tmp_path / "text"), part="vision")
