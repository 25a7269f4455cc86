"""Which scaling serves a length, and the setting that was judged as an engine takes it."""

from __future__ import annotations

import json

import pytest
from needs import need
from typer.testing import CliRunner

from ropeproof.cli import app
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.presets import PRESETS
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.assess import emit, read_setting, recommend, recommended_json

TINY = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_attention_heads": 2,
    "num_hidden_layers": 1,
    "max_position_embeddings": 64,
    "rope_theta": 10000.0,
}
SCALINGS = ("linear:2", "dynamic:2", "yarn:2.5,beta_fast=16", "llama3:4", "yarn:2,attention=1")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "config.json").write_text(json.dumps(TINY))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def merged(fields, changes):
    gone = ("rope_theta", "rope_scaling", "rope_parameters")
    return {k: v for k, v in fields.items() if k not in gone} | changes


@pytest.mark.parametrize("scaling", [*SCALINGS, "none"])
def test_what_is_written_is_what_was_judged(folder, scaling):
    setting = read_setting("config.json", None, length=128, scaling=scaling)
    changes = json.loads(emit(setting, "hf"))
    found = RopeSpec.from_config(merged(TINY, changes), length=128)
    assert found == setting.after
    if scaling != "dynamic:2":  # its context is a parameter
        assert changes["max_position_embeddings"] == 128


# Not dynamic: transformers keeps frequencies of the longest sequence (docs/conformance.md).
@pytest.mark.parametrize("scaling", ["linear:2", "yarn:2.5,beta_fast=16", "llama3:4"])
def test_transformers_takes_it_for_the_same(folder, scaling):
    transformers = need("transformers")
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

    from ropeproof import conform

    setting = read_setting("config.json", None, length=128, scaling=scaling)
    whole = merged(TINY, json.loads(emit(setting, "hf")))
    whole.pop("model_type")
    module = LlamaRotaryEmbedding(transformers.LlamaConfig(**whole))
    report = conform.check(module, setting.after, dtypes=("float32",), context=128)
    assert report.passed, report


def test_flags_of_engines(folder):
    setting = read_setting("config.json", None, length=128, scaling="yarn:2")
    flags = emit(setting, "llama.cpp")
    assert flags == (
        "--ctx-size 128 --rope-scaling yarn --rope-scale 2 --yarn-orig-ctx 64 "
        "--yarn-beta-fast 32 --yarn-beta-slow 1"
    )
    assert '"rope_type": "yarn"' in emit(setting, "vllm")
    assert emit(setting, "vllm").endswith("--max-model-len 128")
    shorter = read_setting("config.json", None, length=32)
    assert emit(shorter, "vllm") == "--max-model-len 32"
    assert emit(shorter, "llama.cpp") == "--ctx-size 32"


@pytest.mark.parametrize(
    ("preset", "scaling", "kind", "said"),
    [
        ("llama-3-8b", "dynamic:2", "llama.cpp", "no flag for Dynamic"),
        ("llama-3-8b", "llama3:2", "llama.cpp", "no flag for Llama3"),
        ("llama-3-8b", "yarn:2,attention=1", "llama.cpp", "attention factor"),
        ("llama-3.1-8b", "yarn:2", "llama.cpp", "a tensor of the file"),
        ("gpt-j-6b", "linear:2", "hf", "does not read rope_parameters"),
        ("pythia-1.4b", "linear:2", "vllm", "not known here"),
        ("llama-3-8b", "linear:2", "tgi", "hf, vllm, llama.cpp"),
    ],
)
def test_what_a_format_cannot_state_is_refused(preset, scaling, kind, said):
    setting = read_setting(None, preset, length=4096, scaling=scaling)
    with pytest.raises((Unsupported, InvalidArgument), match=said):
        emit(setting, kind)


@pytest.fixture(scope="module")
def chosen():
    return recommend(None, "llama-2-7b", length=512, trained=128, dtype="float32")


def test_candidates_are_certified_and_the_rule_holds(chosen):
    by_name = {one.said: one for one in chosen.candidates}
    assert set(by_name) == {
        "none",
        *(f"{k}:{f}" for k in ("linear", "dynamic", "yarn", "llama3") for f in (4, 8)),
    }
    spec = PRESETS["llama-2-7b"].spec
    for one in chosen.candidates:
        assert 0 <= one.least <= one.most <= 1
        # Against float64: the furthest angle of a plane with less than one turn, in steps.
        old, new = frequencies_float64(spec), frequencies_float64(one.setting.after)
        slow = old * 128 < 6.283185
        assert one.reach == pytest.approx((new[slow] * 511 / old[slow]).max(), rel=1e-9)
        assert one.seen is bool(one.reach < 128)
    assert by_name["linear:4"].seen
    assert not by_name["none"].seen
    seen = [one.seen for one in chosen.candidates]
    assert seen == sorted(seen, reverse=True)
    allowed = [one for one in chosen.candidates if one.seen]
    assert chosen.best.least == max(one.least for one in allowed)
    for one in chosen.close:
        assert one.most >= chosen.best.least
    data = recommended_json(chosen)
    json.dumps(data, allow_nan=False)
    assert data["recommended"] == chosen.best.said


def test_within_the_trained_length_nothing_is_scaled():
    found = recommend(None, "llama-3-8b", length=96, trained=128, dtype="float32")
    assert [one.said for one in found.candidates] == ["none"]
    assert found.best.seen
    own = recommend(None, "llama-3.1-8b", length=96, trained=128, dtype="float32")
    assert {one.said for one in own.candidates} == {"the model's own", "none"}


def test_the_command_recommends_and_writes(folder):
    args = ["assess", "config.json", "--length", "128", "--recommend", "--emit", "hf"]
    run = CliRunner().invoke(app, [*args, "--json", "r.json"])
    assert run.exit_code == 0, run.output
    data = json.loads((folder / "r.json").read_text())
    assert f"Recommended: {data['recommended']}" in " ".join(run.output.split())
    written = json.loads(run.stdout[run.stdout.rindex("\n{") :])
    kind = data["recommended"].partition(":")[0].replace("none", "default")
    assert written["rope_parameters"]["rope_type"] == kind


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--recommend", "--scaling", "yarn:4"], "compares scalings"),
        (["--recommend", "--plot", "a.png"], "none with --recommend"),
        (["--emit", "hf", "--json", "-"], "both write"),
        (["--emit", "tgi"], "hf, vllm, llama.cpp"),
    ],
)
def test_options_that_contradict_are_named(folder, arguments, said):
    run = CliRunner().invoke(app, ["assess", "config.json", "--length", "128", *arguments])
    assert isinstance(run.exception, InvalidArgument), run.output
    assert said in str(run.exception)
