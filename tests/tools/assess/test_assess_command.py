"""What is to be served, read from models and scalings; the answers, and the command."""

from __future__ import annotations

import json
import math

import pytest
from typer.testing import CliRunner

from ropeproof.cli import app
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.presets import PRESETS
from ropeproof.theory.rotary.scaling import Dynamic, Linear, Llama3, Yarn
from ropeproof.tools.assess import Serving, as_json, read_scaling, read_setting, serve
from ropeproof.tools.assess.answers import down, up


def test_models_of_other_kinds(tmp_path):
    config = tmp_path / "config.json"
    sections = {"rope_type": "default", "mrope_section": [2, 3, 3]}
    fields = {"model_type": "qwen2_vl", "rope_theta": 10000.0, "rope_scaling": sections}
    fields |= {"hidden_size": 64, "num_attention_heads": 4, "max_position_embeddings": 64}
    config.write_text(json.dumps(fields))
    assert read_setting(str(config), None, length=64).after.axes is None  # as on text
    still = {"model_type": "smollm3", "hidden_size": 64, "num_attention_heads": 4}
    still |= {"rope_theta": 10000.0, "max_position_embeddings": 64, "num_hidden_layers": 4}
    config.write_text(json.dumps(still | {"no_rope_layers": [1, 1, 1, 0]}))
    assert read_setting(str(config), None, length=64, layer=0).after.rotary_dim == 16
    with pytest.raises(Unsupported, match="without RoPE"):
        read_setting(str(config), None, length=64, layer=3)


def test_a_scaling_is_read():
    assert read_scaling("none", original=None) is None
    assert read_scaling("linear:2.5", original=None) == Linear("2.5")
    assert read_scaling("dynamic:2", original=64) == Dynamic(2, 64)
    assert read_scaling("yarn:factor=4,original=128,beta_fast=16", original=64) == Yarn(
        factor=4, original_length=128, beta_fast=16
    )
    assert read_scaling("llama3:8,low=1,high=4,original=8192", original=None) == Llama3(
        factor=8, low_freq_factor=1, high_freq_factor=4, original_length=8192
    )
    bad = ("", "linear", "linear:", "yarn:x", "longrope:4", "yarn:4,gamma=1", "yarn:4,4", "none:2")
    for text in (*bad, "linear:4,original=3", "yarn:4,original=x", "linear:0.5", "yarn:original=4"):
        with pytest.raises(InvalidArgument):
            read_scaling(text, original=64)
    with pytest.raises(InvalidArgument, match="original=LENGTH"):
        read_scaling("yarn:4", original=None)


def test_a_setting_says_how_the_model_was_trained():
    own = read_setting(None, "llama-3.1-8b", length=65536)
    assert (own.trained, own.before.scaling) == (8192, None)
    assert own.after.scaling == PRESETS["llama-3.1-8b"].spec.scaling
    longer = read_setting(None, "llama-3.1-8b", length=65536, trained=131072)
    assert longer.before.scaling == own.after.scaling
    other = read_setting(None, "llama-3-8b", length=32768, scaling="yarn:4")
    assert (other.trained, other.before.scaling) == (8192, None)
    assert other.after.scaling == Yarn(factor=4, original_length=8192)
    assert read_setting(None, "llama-3.1-8b", length=64, scaling="none").after.scaling is None


def test_digits_are_rounded_to_the_safe_side():
    assert (up(0.12341), down(0.12349), up(1234.5), down(2.0), up(0.0)) == (
        "0.124",
        "0.123",
        "1.24e+03",
        "2",
        "0",
    )
    assert (up(-0.12349), down(-0.12341)) == ("-0.123", "-0.124")
    assert down(0.9) == "0.9"
    assert up(math.inf) == "inf"


TINY = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_attention_heads": 1,
    "max_position_embeddings": 64,
    "rope_theta": 10000.0,
}
IDS = [
    "angles",
    "neighbours",
    "returns",
    "criterion",
    "turns",
    "sink",
    "slash-1",
    "slash-32",
    "index",
]
IDS += ["retrieval", "rerotation"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "config.json").write_text(json.dumps(TINY))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def tiny(tmp_path_factory) -> Serving:
    path = tmp_path_factory.mktemp("tiny") / "config.json"
    path.write_text(json.dumps(TINY))
    return serve(read_setting(str(path), None, length=128, scaling="linear:2"), dtype="bfloat16")


def test_each_question_has_one_answer_and_there_is_no_grade(tiny):
    data = as_json(tiny)
    assert [q["id"] for q in data["questions"]] == IDS
    assert {q["verdict"] for q in data["questions"]} <= {"yes", "no", "not known"}
    assert set(data) == {
        *("schema", "name", "dtype", "length", "trained", "served", "trained_as", "questions")
    }
    json.dumps(data, allow_nan=False)
    assert tiny["turns"].verdict is True  # the last of 128 positions at half the speed, against 64
    assert tiny["turns"].numbers["partial_planes"]
    assert tiny["turns"].numbers["new_angles"] == []
    assert tiny["criterion"].text.count("not monotone") == 1


def test_the_command(folder):
    args = ["assess", "config.json", "--length", "96", "--dtype", "float32"]
    run = CliRunner().invoke(app, [*args, "--json", "s.json", "--plot", "s.png"])
    assert run.exit_code == 0, run.output
    text = " ".join(run.output.split())
    assert "config.json at 96 positions in float32" in text
    assert (folder / "s.png").stat().st_size > 50_000
    data = json.loads((folder / "s.json").read_text())
    assert [q["id"] for q in data["questions"]] == IDS
    assert data["questions"][0]["verdict"] == "yes"


def test_an_answer_is_a_line_its_reason_comes_on_demand_and_a_no_may_fail(folder):
    """Three runs on one small model, its configuration given in both ways."""
    asked = ["--length", "96", "--dtype", "float32"]
    brief = CliRunner().invoke(
        app, ["assess", "--config", "config.json", *asked, "--json", "s.json"]
    )
    whole = CliRunner().invoke(app, ["assess", "config.json", *asked, "--why", "--fail-on", "no"])
    data = json.loads((folder / "s.json").read_text())["questions"]
    lines = [line.rstrip() for line in brief.output.splitlines()]
    for question in data:
        row = f"{question['verdict']:<16}{question['question']}"
        assert row in lines
        assert question["text"].split()[-1] in whole.output
    assert brief.exit_code == 0
    assert len(brief.output.split()) < len(whole.output.split()) / 2
    assert any(question["verdict"] == "no" for question in data)
    assert whole.exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["config.json", "--length", "96", "--fail-on", "maybe"], "never, no, not-known"),
        (["config.json", "--length", "96", "--recommend", "--fail-on", "no"], "fail-on: got 'no'"),
        (["config.json", "--length", "96", "--config", "other.json"], "one configuration"),
        (["config.json"], "--length N"),
        (["--length", "96"], "either CONFIG or --preset"),
        (["config.json", "--length", "1"], "length"),
        (["config.json", "--length", "99999999"], "every lag is looked at"),
        (["config.json", "--length", "96", "--dtype", "int8"], "float32, bfloat16"),
        (["config.json", "--length", "96", "--scaling", "ntk"], "yarn:FACTOR"),
        (["config.json", "--length", "96", "--trained", "1"], "trained"),
        (["config.json", "--length", "96", "--trained", "99999999"], "trained: got 99999999"),
        (["config.json", "--length", "96", "--scaling", "linear:1e308"], "size 1e-30 to 1e+30"),
        (["config.json", "--length", "96", "--plot", "s.txt"], "s.txt"),
        (["config.json", "--length", "96", "--score", "1.5"], "score"),
        (["config.json", "--length", "96", "--share", "1"], "share"),
        (["none.json", "--length", "96"], "none.json"),
    ],
)
def test_bad_input_is_named(arguments, said, folder):
    run = CliRunner().invoke(app, ["assess", *arguments])
    assert isinstance(run.exception, InvalidArgument), run.output
    assert said in str(run.exception)


def test_the_former_name_works_and_says_so():
    wrong = ["--preset", "llama-3-8b", "--length", "1"]
    now, before = (CliRunner().invoke(app, [name, *wrong]) for name in ("assess", "serve"))
    assert type(now.exception) is type(before.exception) is InvalidArgument
    assert str(now.exception) == str(before.exception)
    assert (now.stderr, now.stdout) == ("", "")
    assert "`serve` is now called `assess`" in before.stderr
    assert before.stdout == ""
    listed = CliRunner().invoke(app, ["--help"]).stdout
    assert "assess" in listed
    assert " serve " not in listed


@pytest.mark.parametrize("length", [2, 3, 4, 31, 33])
def test_a_length_below_the_trained_one_is_judged(folder, length):
    found = serve(read_setting("config.json", None, length=length), dtype="float32")
    said = {q["id"]: q["verdict"] for q in as_json(found)["questions"]}
    assert said["slash-1"] in ("yes", "no", "not known")
    short = length <= 32
    assert (said["slash-32"] == "does not apply") is short
    assert (f"slash-{max(length // 2, 1)}" in said) is (short or length == 2)
    if short:
        assert "No query has a key 32 back" in found["slash-32"].text
        assert found["slash-32"].verdict is None
        assert not found["slash-32"].applies
