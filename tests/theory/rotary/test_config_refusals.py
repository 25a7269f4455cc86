"""Model configurations that are refused: by the field, the family, or the file."""

from __future__ import annotations

import contextlib
import copy
import json
from pathlib import Path

import pytest
from config_fields import L3, LAYERS, LISTS, LLAMA, SMALL
from hypothesis import given
from hypothesis import strategies as st
from lint_corpus import FAULTY
from transformers import LlamaConfig

from ropeproof.numerics.core.profiles import settings_for
from ropeproof.theory.errors import InvalidArgument, RopeproofError, Unsupported
from ropeproof.theory.rotary.families import FAMILIES, UNSUPPORTED
from ropeproof.theory.rotary.readers import lint_fields, lint_file
from ropeproof.theory.rotary.spec import RopeSpec

QWEN2 = {**LLAMA, "model_type": "qwen2"}
NEOX = {**LLAMA, "model_type": "gpt_neox", "rotary_pct": 0.25}
GPTJ = {"model_type": "gptj", "n_embd": 64, "n_head": 4, "n_positions": 64, "rotary_dim": 8}
PHI = {**LLAMA, "model_type": "phi"}
DROP = object()
YARN = {
    "rope_type": "yarn",
    "factor": 4.0,
    "original_max_position_embeddings": 1024,
    "beta_fast": 32,
    "beta_slow": 1,
}


@pytest.mark.parametrize(
    ("config", "changes", "message"),
    [
        (LLAMA, {"model_type": DROP}, "config.model_type: got None, allowed: the name of a model"),
        (LLAMA, {"model_type": ["llama"]}, "config.model_type: got ['llama'], allowed"),
        (QWEN2, {"rope_theta": DROP}, "config.rope_theta: got None, allowed: the base"),
        (QWEN2, {"rope_theta": None}, "config.rope_theta: got None, allowed: the base"),
        (LLAMA, {"rope_theta": float("nan")}, "config.rope_theta: got nan, allowed: a finite"),
        (LLAMA, {"rope_theta": "10000"}, "config.rope_theta: got '10000', allowed: a number"),
        (LLAMA, {"rope_theta": True}, "config.rope_theta: got True, allowed: a finite number"),
        (LLAMA, {"rope_theta": 0.5}, "config.rope_theta: got 1/2, allowed: a base above 1"),
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
        # Of these the class has a default that the file does not show.
        (
            LLAMA,
            {"model_type": "apertus"},
            "config.rope_parameters: got None, allowed: the scaling",
        ),
        (
            {**LLAMA, "head_dim": 16},
            {"model_type": "gpt_oss", "rope_scaling": None},
            "config.rope_parameters: got None, allowed: the scaling, or the rope type 'default': the "
            "class of gpt_oss has one of its own, which not all code reads",
        ),
        (
            NEOX,
            {"rotary_pct": DROP, "partial_rotary_factor": 0.5},
            "config.rotary_pct: got None, allowed: the rotated fraction of the head: gpt_neox does",
        ),
        (
            LLAMA,
            {
                "model_type": "phi3",
                "rope_scaling": {
                    "type": "longrope",
                    "original_max_position_embeddings": 32,
                    "short_factor": [1.0] * 8,
                    "long_factor": [2.0] * 8,
                },
            },
            "config.rope_parameters.original_max_position_embeddings: got 32, allowed: 4096, as the "
            "model code says",
        ),
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


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"model_type": "gpt2"}, "model_type 'gpt2': learned absolute positions"),
        ({"qk_rope_head_dim": 64}, "multi-head latent attention (the configuration has qk_rope"),
        (
            {"model_type": "mystery"},
            "model_type 'mystery': a family that is not known; its code says what rotates, and then a "
            "RopeSpec by hand does, here RopeSpec(16, 10000.0, layout='half' or 'interleaved')",
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
            {"model_type": "gemma3_text", "head_dim": 16, "rope_parameters": {"rope_theta": 1e4}},
            "model_type 'gemma3_text' without rope_parameters per layer type",
        ),
        (
            {"model_type": "gemma4_text", "head_dim": 16},
            "model_type 'gemma4_text' without rope_parameters per layer type",
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
    for impossible in ("9" * 5000, "\0"):
        with pytest.raises(InvalidArgument, match="allowed: a file that can be read"):
            RopeSpec.from_config(impossible)
        with pytest.raises(InvalidArgument, match="a file or a folder that exists"):
            lint_file(impossible)
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


def test_what_a_family_means_by_leaving_a_field_out():
    """Falcon's base was a number in its code; MiniMax-M2 gives the rotated coordinates, not a fraction."""
    falcon = {"model_type": "falcon", "hidden_size": 4544, "num_attention_heads": 71}
    assert RopeSpec.from_config(falcon).base == 10000
    assert RopeSpec.from_config({**falcon, "rope_theta": 5e5}).base == 500000
    minimax = {"model_type": "minimax_m2", "head_dim": 128, "rope_theta": 5000000}
    assert RopeSpec.from_config(minimax).rotary_dim == 128
    assert RopeSpec.from_config({**minimax, "rotary_dim": 64}).rotary_dim == 64
    assert RopeSpec.from_config({**minimax, "partial_rotary_factor": 0.5}).rotary_dim == 64
    both = {**minimax, "rotary_dim": 64, "partial_rotary_factor": 0.25}
    with pytest.raises(
        InvalidArgument, match=r"config.partial_rotary_factor: got 1/4, allowed: 1/2"
    ):
        RopeSpec.from_config(both)
    for wrong in (0, 63, 130, 64.0, "64"):
        with pytest.raises(InvalidArgument, match=r"rotary_dim: got"):
            RopeSpec.from_config({**minimax, "rotary_dim": wrong})


def test_what_lint_calls_an_error_is_refused_with_the_same_findings():
    tried = 0
    for _, text in FAULTY:
        fields = None
        with contextlib.suppress(ValueError, RecursionError):  # not JSON: no fields to compare
            fields = json.loads(text)
        if not isinstance(fields, dict):
            continue
        errors = [f"{f.id}: {f.where}" for f in lint_fields(fields) if f.level == "error"]
        if errors:
            tried += 1
            with pytest.raises((InvalidArgument, Unsupported)) as refused:
                RopeSpec.from_config(fields)
            notes = "\n".join(refused.value.__notes__)
            assert all(error in notes for error in errors), (errors, notes)
    assert tried > 30


@pytest.mark.parametrize(
    ("change", "argument"),
    [
        ({"head_dim": 10**30}, "config.head_dim"),
        ({"head_dim": None, "hidden_size": 10**399}, "config.head_dim"),
        ({"rope_theta": 1e308}, "config.rope_theta"),
        ({"rope_theta": 5e-324}, "config.rope_theta"),
        ({"rope_scaling": YARN | {"factor": 1e308}}, "config.rope_parameters.factor"),
        ({"rope_scaling": YARN | {"beta_fast": 1e308}}, "config.rope_parameters.beta_fast"),
        ({"rope_scaling": YARN | {"attention_factor": 5e-324}}, "rope_parameters.attention_factor"),
    ],
)
def test_numbers_that_no_float_computes_with_are_refused_by_name(tmp_path, change, argument):
    config = {"model_type": "qwen3", "hidden_size": 64, "num_attention_heads": 4, "head_dim": 16}
    config |= {"rope_theta": 1e6, "max_position_embeddings": 4096}
    assert RopeSpec.from_config(config | {"rope_scaling": YARN}).head_dim == 16
    with pytest.raises(InvalidArgument) as caught:
        RopeSpec.from_config(config | change)
    assert argument in str(caught.value)
    file = tmp_path / "config.json"
    file.write_text(json.dumps(config | change))
    (linted,) = lint_file(file)  # says so, too, and does not fall over it
    assert {"value-range", "head-dim"} & {f.id for f in linted.findings if f.level == "error"}


def test_a_factor_of_another_kind_is_refused_by_every_reader_that_needs_it(tmp_path):
    config = {"model_type": "qwen2", "hidden_size": 64, "num_attention_heads": 4}
    config |= {"rope_theta": 1e6, "max_position_embeddings": 4096, "rope_scaling": YARN}
    file = tmp_path / "config.json"
    file.write_text(json.dumps(config | {"rope_scaling": YARN | {"factor": []}}))
    (linted,) = lint_file(file)
    assert all(reading.refused or reading.rotation for reading in linted.readers.values())


def test_an_empty_path_is_not_the_current_folder(tmp_path, monkeypatch):
    config = {"model_type": "qwen2", "hidden_size": 64, "num_attention_heads": 4}
    (tmp_path / "config.json").write_text(json.dumps(config | {"rope_theta": 1e6}))
    monkeypatch.chdir(tmp_path)
    assert RopeSpec.from_config(".").head_dim == 16
    for read in (RopeSpec.from_config, lint_file):
        with pytest.raises(InvalidArgument, match="got ''"):
            read("")


@pytest.mark.parametrize("key", ["text_config", "thinker_config", "llm_config"])
@pytest.mark.parametrize("name", ["qwen2_5_omni_thinker", "a_name_that_nobody_knows"])
def test_the_text_model_of_an_unknown_wrapper_is_read(name, key):
    inside = {"text_config": LLAMA} if key == "thinker_config" else LLAMA
    assert RopeSpec.from_config({"model_type": name, key: inside}) == RopeSpec.from_config(LLAMA)
