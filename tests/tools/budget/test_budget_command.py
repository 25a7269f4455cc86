"""The command 'budget': what it prints, writes and refuses."""

from __future__ import annotations

import doctest
import json
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import run

from ropeproof.numerics.bounds.slash import budget as budget_module
from ropeproof.numerics.bounds.slash.soft import soft_optimum
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.presets import PRESETS
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.budget import slash as shown

# --- the command -------------------------------------------------------------------------------


SMALL = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_attention_heads": 4,
    "rope_theta": 10000.0,
    "max_position_embeddings": 48,
}


@pytest.fixture
def config(tmp_path):
    def write(**changes):
        path = tmp_path / "config.json"
        fields = {k: v for k, v in {**SMALL, **changes}.items() if v is not None}
        path.write_text(json.dumps(fields))
        return str(path)

    return write


def test_json_has_the_keys_and_says_what_is_certified(config):
    code, text = run(
        "budget", "--config", config(), "--offset", "3", "--score", "0.8", "--json", "-"
    )
    assert code == 0
    data = json.loads(text)
    assert set(data) == {
        "schema",
        "offset",
        "length",
        "score",
        "amplitude",
        "amplitude_needed",
        "margin_per_amplitude",
        "query_key_norm_product",
        "planes",
        "longer",
        "window",
        "certified",
    }
    assert (data["offset"], data["length"], data["score"]) == (3, 48, 0.8)
    assert data["amplitude_needed"] <= data["amplitude"]
    assert data["margin_per_amplitude"]["lower"] <= data["margin_per_amplitude"]["upper"]
    keys = {"index", "frequency", "wavelength", "share", "band"}
    assert all(set(plane) == keys for plane in data["planes"])
    assert sum(plane["share"] for plane in data["planes"]) == pytest.approx(1)
    assert [row["length"] for row in data["longer"]] == [96, 192, 384]
    assert all(set(r) == {"length", "score_reoptimised", "score_frozen"} for r in data["longer"])
    # Every number is spoken of, and nothing else is.
    named = {key for key in data if key not in ("schema", "certified")}
    assert {key.partition(".")[0] for key in data["certified"]} == named


def test_the_price_of_a_row_with_keys_on_both_sides_from_both_sides(config):
    code, text = run("budget", "--config", config(), "--length", "33", "--json", "-")
    assert code == 0
    found = json.loads(text)["window"]
    assert found["reach"] == 16
    best = soft_optimum(RopeSpec(16, 10000), reach=16, score=0.9)
    assert found["amplitude"] == best.amplitude
    assert found["amplitude_needed"] == best.amplitude_needed
    assert 6.28 < found["needed_by_neighbours"] < found["amplitude_needed"] <= found["amplitude"]
    assert found["amplitude"] < found["amplitude_by_margin"]["lower"]
    code, text = run("budget", "--config", config(), "--length", "33", "--reach", "4")
    assert code == 0
    assert "a target with 4 keys on each side" in text
    less = soft_optimum(RopeSpec(16, 10000), reach=4, score=0.9)
    assert f"{less.amplitude_needed:.3f}" in text


def test_a_prompt_without_such_a_row_has_no_price(config):
    code, text = run("budget", "--config", config(), "--length", "2", "--json", "-")
    assert code == 0
    data = json.loads(text)
    assert data["window"] is None
    assert data["certified"]["window"] == "no such row"


def test_more_keys_on_each_side_than_the_length_has_are_refused(config):
    code, text = run("budget", "--config", config(), "--length", "33", "--reach", "17")
    assert code == 2
    assert "reach: got 17" in text
    code, text = run("budget", "--config", config(), "--reach", "0")
    assert code == 2
    assert "reach: got 0" in text
    code, text = run("budget", "--config", config(), "--task", "index", "--reach", "2")
    assert code == 2
    assert "only with --task slash" in text


def test_an_unrotated_plane_has_no_wavelength(config):
    neox = {"model_type": "gpt_neox", "rotary_emb_base": 10000, "rotary_pct": 0.5}
    _, text = run("budget", "--config", config(rope_theta=None, **neox), "--json", "-")
    planes = json.loads(text)["planes"]
    assert [plane["wavelength"] is None for plane in planes] == [False] * 4 + [True] * 4
    assert planes[7] == {
        "index": 7,
        "frequency": 0.0,
        "wavelength": None,
        "share": 0.0,
        "band": "unrotated",
    }


def test_tables_and_a_picture(config, tmp_path):
    picture = tmp_path / "budget.png"
    code, text = run("budget", "--config", config(), "--plot", str(picture))
    assert code == 0
    for word in ("amplitude", "|query| |key|", "wavelength", "share of amplitude", "384", "frozen"):
        assert word in text
    assert picture.read_bytes().startswith(b"\x89PNG")
    for offset in ("0", "24", "47"):
        assert (
            run("budget", "--config", config(), "--offset", offset, "--plot", str(picture))[0] == 0
        )


@pytest.mark.parametrize("task", ["slash", "index", "retrieval"])
def test_a_pipe_gets_no_colours_and_no_bar(config, task):
    tool = Path(sys.executable).with_name("ropeproof")
    done = subprocess.run(
        [tool, "budget", "--config", config(), "--length", "20", "--task", task],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert done.stderr == ""


def test_the_models_own_scale_is_taken():
    base = {"hidden_size": 64, "num_attention_heads": 4, "head_dim": 16, "rope_theta": 10000.0}
    base["attn_logit_softcapping"] = None
    gemma = {"model_type": "gemma2", "query_pre_attn_scalar": 64, **base}
    assert shown._scale(gemma) == 1 / 8
    assert shown._scale({"model_type": "granite", "attention_multiplier": 0.02}) == 0.02
    for like in ("granitemoe", "granitemoeshared", "granite_docling_text", "hyperclovax"):
        assert shown._scale({"model_type": like, "attention_multiplier": 0.02}) == 0.02
    assert shown._scale({**gemma, "model_type": "vaultgemma"}) == 1 / 8
    assert shown._scale({"model_type": "gemma4_text"}) == 1.0
    assert shown._scale({"model_type": "llama"}) is None
    for fields, error, word in (
        ({"model_type": "gemma2", **base}, InvalidArgument, "query_pre_attn_scalar"),
        ({**gemma, "attn_logit_softcapping": 50.0}, Unsupported, "capped"),
        ({"model_type": "gemma2"}, InvalidArgument, "without the field caps"),
        ({"model_type": "vaultgemma"}, InvalidArgument, "without the field caps"),
        ({"model_type": "granite", "attention_multiplier": "x"}, InvalidArgument, "a number > 0"),
        ({"model_type": "granitemoe"}, InvalidArgument, "attention_multiplier"),
        ({"model_type": "gpt_oss"}, Unsupported, "sink"),
        ({"model_type": "granite_swa", "attention_multiplier": 0.02}, Unsupported, "sink"),
    ):
        with pytest.raises(error, match=word):
            shown._scale(fields)


def test_a_sliding_window_is_noted():
    assert "4096" in shown.read_model(None, "mistral-7b-v0.1", None).notes[0]
    assert not shown.read_model(None, "qwen2.5-7b", None).notes
    assert shown.read_model(None, "llama-3-8b", None).length == PRESETS["llama-3-8b"].context


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "either --config FILE or --preset NAME"),
        (["--preset", "gpt-5"], "preset: got 'gpt-5'"),
        (["--preset", "gpt-j-6b", "--config", "x.json"], "config: got 'both'"),
        (["--config", "no/such.json"], "such.json"),
        (["--preset", "gpt-j-6b", "--length", "1"], "length: got 1"),
        (["--preset", "gpt-j-6b", "--length", "9", "--offset", "9"], "offset: got 9"),
        (["--preset", "gpt-j-6b", "--length", "9", "--score", "1.5"], "score: got 1.5"),
        (["--preset", "gpt-j-6b", "--length", "9", "--plot", "x.doc"], "plot: got 'x.doc'"),
        (["--preset", "gpt-j-6b", "--length", "9", "--plot", "no/x.png"], "plot: got 'no/x.png'"),
    ],
)
def test_bad_usage_is_named(args, message):
    code, text = run("budget", *args)
    assert code == 2
    assert message in text


def test_a_model_without_a_context_needs_a_length(config):
    code, text = run("budget", "--config", config(max_position_embeddings=None))
    assert code == 2
    assert "length: got None" in text
    assert run("budget", "--config", config(max_position_embeddings=None), "--length", "9")[0] == 0


@pytest.mark.parametrize("task", ["index", "retrieval"])
def test_a_decoding_heads_budget(config, tmp_path, task):
    own = {"index": ("--integers", "5"), "retrieval": ("--letters", "3")}[task]
    picture = tmp_path / "budget.png"
    code, text = run("budget", "--config", config(), "--task", task, *own, "--json", "-")
    assert code == 0
    data = json.loads(text)
    assert (data["task"], data["length"], data["alphabet"]) == (task, 48, int(own[1]))
    assert 0 < data["amplitude_needed"] <= data["amplitude"]
    assert data["longest"] >= 48
    assert [row["length"] for row in data["longer"]] == [96, 192, 384]
    code, text = run("budget", "--config", config(), "--task", task, "--plot", str(picture))
    assert code == 0
    wanted = {"index": "every integer query 1 .. 47", "retrieval": "8 letters"}[task]
    for word in (wanted, "at 48 positions", "|query| |key|", "bfloat16", "certified"):
        assert word in text
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_slash_budget_is_the_default_task(config):
    arguments = ("budget", "--config", config(), "--json", "-")
    plain = run(*arguments)
    assert plain[0] == 0
    assert run(*arguments, "--task", "slash", "--offset", "1", "--score", "0.9") == plain
    assert json.loads(plain[1])["offset"] == 1


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--task", "copy"], "task: got 'copy', allowed: slash, index, retrieval"),
        (
            ["--task", "index", "--offset", "3"],
            "offset: got 3, allowed: only with --task slash, not --task index",
        ),
        (["--task", "retrieval", "--score", "0.5"], "score: got 0.5, allowed: only with --task sl"),
        (["--task", "index", "--letters", "8"], "letters: got 8, allowed: only with --task retri"),
        (["--task", "retrieval", "--integers", "8"], "only with --task index, not --task retr"),
        (["--integers", "8"], "integers: got 8, allowed: only with --task index, not --task slash"),
        (["--letters", "0"], "letters: got 0, allowed: only with --task retrieval"),
        (["--task", "index", "--integers", "0"], "integers: got 0"),
        (["--task", "retrieval", "--letters", "1"], "letters: got 1"),
        (["--task", "index", "--length", "2"], "length: got 2, allowed: an integer >= 3"),
        (["--task", "index", "--plot", "x.doc"], "plot: got 'x.doc'"),
        (["--task", "index", "--preset", "gpt-j-6b"], "config: got 'both'"),
    ],
)
def test_bad_usage_of_the_tasks_is_named(config, args, message):
    code, text = run("budget", "--config", config(), *args)
    assert code == 2
    assert message in text


def test_doctests():
    assert doctest.testmod(budget_module).failed == 0
