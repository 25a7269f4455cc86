"""Files as they are released: parts of multimodal ones, layer types in older ones, names of engines."""

from __future__ import annotations

from typing import Any

import pytest
from config_fields import LLAMA
from transformers import CONFIG_MAPPING

from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.config import model_fields, parts_of
from ropeproof.theory.rotary.families import FAMILIES
from ropeproof.theory.rotary.layers import layer_kinds, layer_specs
from ropeproof.theory.rotary.spec import Linear, Llama3, RopeSpec, Yarn
from ropeproof.theory.rotary.tables.left_out_fields import LEFT_OUT

GEMMA3 = {"model_type": "gemma3_text", "num_hidden_layers": 12, "head_dim": 128}
GEMMA3 |= {"rope_scaling": {"rope_type": "linear", "factor": 8.0}, "sliding_window": 1024}
LOCAL = RopeSpec(128, 10000)
GLOBAL = RopeSpec(128, 1000000, scaling=Linear(8))


def test_gemma_3_as_released_has_two_bases_and_scales_full_attention_alone():
    assert layer_kinds(GEMMA3) == ((LOCAL, (0, 1, 2, 3, 4, 6, 7, 8, 9, 10)), (GLOBAL, (5, 11)))
    assert RopeSpec.from_config(GEMMA3, layer=5) == GLOBAL
    assert RopeSpec.from_config(GEMMA3, layer_type="sliding_attention") == LOCAL
    other = GEMMA3 | {"sliding_window_pattern": 2, "rope_theta": 5e5, "rope_local_base_freq": 7e3}
    assert layer_specs(other)[:2] == (RopeSpec(128, 7000), GLOBAL.changed(base=500000))


def test_gemma_3_inside_a_wrapper_has_the_sizes_of_its_class():
    inside = {"model_type": "gemma3_text", "hidden_size": 2560, "num_hidden_layers": 12}
    inside |= {"rope_scaling": GEMMA3["rope_scaling"]}
    whole = {"model_type": "gemma3", "text_config": inside, "vision_config": {"hidden_size": 8}}
    for fields in (whole, {**whole, "text_config": {**inside, "model_type": None} | inside}):
        local, (wide, layers) = layer_kinds(fields)
        assert local[0] == RopeSpec(256, 10000, length=131072)
        assert (wide, layers) == (
            GLOBAL.changed(head_dim=256, rotary_dim=256, length=131072),
            (5, 11),
        )
    with pytest.raises(InvalidArgument, match=r"part: got 'audio', allowed: .* \(text, vision\)"):
        RopeSpec.from_config(whole, part="audio")


def test_both_dialects_at_once_are_one_rotation_and_a_contradiction_is_named():
    both = model_fields(GEMMA3) | GEMMA3 | {"rope_theta": 1e6, "rope_local_base_freq": 1e4}
    assert layer_kinds(both) == layer_kinds(GEMMA3)
    with pytest.raises(InvalidArgument, match=r"config.rope_local_base_freq: got 20000.0"):
        layer_kinds(both | {"rope_local_base_freq": 2e4})
    wrong = {"rope_scaling": {"rope_type": "linear", "factor": 4.0}}
    with pytest.raises(InvalidArgument, match=r"config.rope_scaling.factor: got 4.0, allowed: 8.0"):
        layer_kinds(both | wrong)


@pytest.mark.parametrize("name", ["gemma3_text", "gemma3n_text", "modernbert", "olmo3"])
def test_an_older_file_by_layer_type_is_read_as_the_class_reads_it(name: str):
    older = FAMILIES[name].older
    assert older is not None
    base = {"olmo3": 5e5}.get(name, 123456.0)
    fields = {"model_type": name, "num_hidden_layers": 9, "hidden_size": 64, "head_dim": 16}
    fields |= {"num_attention_heads": 4, "max_position_embeddings": 4096}
    fields |= {"vocab_size": 32, "sliding_window": 16, older.bases["full_attention"]: base}
    if name == "gemma3n_text":
        fields |= {"layer_types": ["sliding_attention"] * 8 + ["full_attention"]}
        fields |= {"num_kv_shared_layers": 0, "intermediate_size": [8] * 9}
        fields |= {"activation_sparsity_pattern": [0.0] * 9}
    if name == "modernbert":
        del fields["head_dim"]
    fields |= {"rope_scaling": {"rope_type": "linear", "factor": 4.0}}
    theirs = CONFIG_MAPPING[name].from_dict(dict(fields)).to_dict()
    assert layer_specs(fields) == layer_specs(theirs)
    without = {k: v for k, v in fields.items() if k not in {*older.bases.values(), "rope_scaling"}}
    if older.defaults:
        theirs = CONFIG_MAPPING[name].from_dict(dict(without)).to_dict()
        assert layer_specs(without) == layer_specs(theirs)
    else:
        with pytest.raises(
            InvalidArgument, match=r"config.rope_theta: got None, allowed: the base"
        ):
            layer_specs(without)


@pytest.mark.parametrize("name", LEFT_OUT)
def test_what_a_part_leaves_out_is_what_the_class_has(name: str):
    config = CONFIG_MAPPING[name]().to_dict()
    for key, value in LEFT_OUT[name].items():
        found = config["rope_parameters"][key] if key == "rope_theta" else config[key]
        assert found == value, key


def test_a_text_part_without_a_name_has_that_of_its_wrapper():
    llava = {"model_type": "llava", "text_config": {"vocab_size": 32064}}
    assert RopeSpec.from_config(llava) == RopeSpec(128, 10000, length=2048)
    odd = {"model_type": "nobody", "text_config": {"vocab_size": 32064}}
    with pytest.raises(InvalidArgument, match=r"config.model_type: got None"):
        RopeSpec.from_config(odd)


def test_the_parts_of_a_wrapper_and_of_a_wrapper_inside_it():
    thinker = {
        "model_type": "qwen2_5_omni_thinker",
        "text_config": LLAMA,
        "vision_config": {"a": 1},
    }
    whole = {"model_type": "qwen2_5_omni", "thinker_config": thinker, "talker_config": {"b": 2}}
    assert set(parts_of(whole)) == {"text", "vision", "thinker", "talker"}
    assert RopeSpec.from_config(whole) == RopeSpec.from_config(LLAMA)
    assert RopeSpec.from_config(LLAMA, part="text") == RopeSpec.from_config(LLAMA)
    with pytest.raises(InvalidArgument, match=r"part: got 'vision', allowed: .*one model"):
        RopeSpec.from_config(LLAMA, part="vision")


def test_a_vision_tower_under_the_name_of_its_wrapper():
    vision = {"model_type": "qwen2_5_vl", "hidden_size": 1280, "num_heads": 16}
    whole = {"model_type": "qwen2_5_vl", "vision_config": vision, "text_config": LLAMA}
    spec = RopeSpec.from_config(whole, part="vision")
    assert (spec.head_dim, spec.base) == (80, 10000)
    assert spec.axes is not None
    siglip = {**whole, "vision_config": {"model_type": "siglip_vision_model"}}
    with pytest.raises(Unsupported, match=r"siglip_vision_model.*no RoPE"):
        RopeSpec.from_config(siglip, part="vision")


MLA: dict[str, Any] = {"kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64}
KIMI = {"model_type": "kimi_k2", "architectures": ["DeepseekV3ForCausalLM"], **MLA}
KIMI |= {"auto_map": {"AutoConfig": "configuration_deepseek.DeepseekV3Config"}, "rope_theta": 5e4}


def test_an_unknown_name_is_read_by_the_code_that_the_file_names():
    spec = RopeSpec(192, 50000, rotary_dim=64, rotary_start=128, layout="interleaved")
    assert RopeSpec.from_config(KIMI) == spec
    own = {"model_type": "mine", "architectures": ["LlamaForCausalLM"]}
    assert RopeSpec.from_config(LLAMA | own) == RopeSpec.from_config(LLAMA)


@pytest.mark.parametrize(
    "changes",
    [
        {"architectures": ["MineForCausalLM"]},
        {"architectures": None},
        {"auto_map": {"AutoModel": "modeling_mine.MineModel"}},
        {"kv_lora_rank": None},
    ],
)
def test_code_of_its_own_is_refused_with_the_spec_to_write(changes: dict[str, Any]):
    with pytest.raises(Unsupported, match=r"a family that is not known.*RopeSpec\(") as caught:
        RopeSpec.from_config(KIMI | changes)
    assert "RopeSpec(192, 50000.0, rotary_dim=64, rotary_start=128, layout=" in str(caught.value)


def test_a_file_of_diffusers_says_that_it_is_one():
    flux = {"_class_name": "FluxTransformer2DModel", "axes_dims_rope": [16, 56, 56]}
    with pytest.raises(
        Unsupported, match=r"FluxTransformer2DModel, a model of diffusers: .*by hand"
    ):
        RopeSpec.from_config(flux)


def test_equal_frequency_factors_are_a_step():
    rope = {"rope_type": "llama3", "factor": 16.0, "original_max_position_embeddings": 64}
    rope |= {"low_freq_factor": 1.0, "high_freq_factor": 1.0}
    spec = RopeSpec.from_config(LLAMA | {"rope_scaling": rope})
    assert isinstance(spec.scaling, Llama3)
    plain = spec.changed(scaling=None).frequencies()
    ratios = [a / b for a, b in zip(plain, spec.frequencies(), strict=True)]
    assert sorted(set(ratios)) == [1, 16]
    assert ratios == sorted(ratios)
    assert spec.scaling.map(plain[0]) == plain[0]
    assert spec.scaling.map(plain[-1]) == plain[-1] / 16
    with pytest.raises(InvalidArgument, match=r"high_freq_factor: got .* allowed: at least"):
        RopeSpec.from_config(LLAMA | {"rope_scaling": rope | {"low_freq_factor": 2.0}})


def test_the_recipe_of_a_card_is_read():
    rope = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}
    qwen = {"model_type": "qwen3", "head_dim": 128, "rope_theta": 1000000, "rope_scaling": rope}
    qwen |= {"max_position_embeddings": 40960}
    wanted = RopeSpec(128, 10**6, scaling=Yarn(factor=4, original_length=32768), length=40960)
    assert RopeSpec.from_config(qwen) == wanted


def test_a_base_that_all_code_has_need_not_be_there():
    old = {k: v for k, v in LLAMA.items() if k != "rope_theta"}
    assert RopeSpec.from_config(old) == RopeSpec.from_config(LLAMA)


def test_layers_that_rotate_or_not_all_alike_need_no_number():
    exaone = {"model_type": "exaone4", "hidden_size": 64, "num_attention_heads": 4}
    exaone |= {"num_hidden_layers": 4, "rope_theta": 1e6, "sliding_window": None}
    assert RopeSpec.from_config(exaone).rotary_dim == 16
    mixed = exaone | {"sliding_window": 8, "sliding_window_pattern": "LLLG"}
    assert [kind[1] for kind in layer_kinds(mixed)] == [(0, 1, 2), (3,)]
    granite = {"model_type": "granitemoehybrid", "hidden_size": 64, "num_attention_heads": 4}
    granite |= {"layer_types": ["mamba", "attention"], "num_hidden_layers": 2, "rope_theta": 1e4}
    assert RopeSpec.from_config(granite | {"position_embedding_type": "nope"}).rotary_dim == 0
    rotating = granite | {"position_embedding_type": "rope"}
    assert layer_kinds(rotating) == ((RopeSpec(16, 10000), (1,)),)


def test_layers_of_linear_attention_are_those_of_the_class():
    fields = {"model_type": "qwen3_next", "num_hidden_layers": 8, "head_dim": 16}
    fields |= {"rope_theta": 1e7, "partial_rotary_factor": 0.25}
    for more in ({}, {"full_attention_interval": 2}):
        theirs = CONFIG_MAPPING["qwen3_next"].from_dict(fields | more).to_dict()
        ours, found = layer_kinds(fields | more), layer_kinds(theirs)
        assert [layers for _, layers in ours] == [layers for _, layers in found]
    assert layer_kinds(fields)[0][1] == (3, 7)


def test_numbers_of_layers_may_be_padded_with_zeros():
    fields = {"model_type": "gemma4_text", "head_dim": 16, "num_hidden_layers": 2}
    fields |= {"layer_types": ["sliding_attention", "full_attention"]}
    kinds = {"sliding_attention": {"rope_type": "default", "rope_theta": 1e4}}
    kinds |= {"full_attention": {"rope_type": "default", "rope_theta": 1e6}}
    fields |= {"rope_parameters": kinds, "per_layer_config": {"01": {"head_dim": 32}}}
    assert [spec.head_dim for spec in layer_specs(fields)] == [16, 32]
