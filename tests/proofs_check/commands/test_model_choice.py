"""What people have, by command: parts, layers that differ, two sets of factors, models of today by name."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from config_fields import LLAMA
from typer.testing import CliRunner

from ropeproof.cli import app
from ropeproof.proofs_check.commands.check import _without_config
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec, Yarn
from ropeproof.theory.rotary.wording import layers_said, rotation_said

GEMMA: dict[str, Any] = {"model_type": "gemma3_text", "num_hidden_layers": 6, "head_dim": 16}
GEMMA |= {"rope_scaling": {"rope_type": "linear", "factor": 8.0}, "max_position_embeddings": 256}
GEMMA |= {"query_pre_attn_scalar": 16, "attn_logit_softcapping": None}
SMOL = {**LLAMA, "model_type": "smollm3", "num_hidden_layers": 4, "no_rope_layers": [1, 1, 1, 0]}
PHI = {**LLAMA, "model_type": "phi3", "original_max_position_embeddings": 64}
PHI |= {"rope_scaling": {"type": "longrope", "short_factor": [1.0] * 8, "long_factor": [2.0] * 8}}


def run(*arguments: str) -> tuple[int, str]:
    found = CliRunner().invoke(app, list(arguments))
    return found.exit_code, found.output + (str(found.exception) if found.exit_code else "")


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def wrote(name: str, fields: dict[str, Any]) -> str:
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(fields))
        return str(path)

    return wrote


def test_diff_goes_through_the_layers(write: Any) -> None:
    inverted = {**SMOL, "no_rope_layers": [0, 0, 0, 1]}
    one, other = write("one", SMOL), write("other", inverted)
    assert run("diff", one, one) == (
        0,
        "the same rotation\nlayers 0-2: the same, base 10000, 16 coordinates, half layout, no scaling\n"
        "layer 3: the same, no rotation, heads of 16 coordinates\n",
    )
    code, text = run("diff", one, other)
    assert code == 1
    assert text.startswith(
        "not the same rotation in layers 0-3\nlayers 0-2: A base 10000, 16 coord"
    )
    assert "rotary_dim 16 and 0" in text
    code, text = run("diff", one, other, "--layer", "3", "--json", "-")
    assert code == 1
    assert [pair["layers"] for pair in json.loads(text[: text.rindex("}") + 1])["layers"]] == [[3]]


def test_diff_says_which_scaling_is_missing_and_of_which_layers(write: Any) -> None:
    plain = {key: value for key, value in GEMMA.items() if key != "rope_scaling"}
    code, text = run("diff", write("one", GEMMA), write("other", plain))
    assert code == 1
    assert text.startswith(
        "not the same rotation in layer 5\nlayer 5: A base 1000000, 16 coordinates,"
    )
    assert (
        "linear scaling (factor 8); B base 1000000, 16 coordinates, half layout, no scaling" in text
    )
    assert "layers 0-4: the same" in text


def test_diff_takes_both_sets_of_factors(write: Any) -> None:
    short = {**PHI, "rope_scaling": {**PHI["rope_scaling"], "short_factor": [1.5] * 8}}
    code, text = run("diff", write("one", PHI), write("other", short))
    assert code == 1
    assert "all layers, sequences of 64 positions: " in text
    assert "all layers, sequences of 256 positions: the same" in text


def test_a_part_of_a_wrapper_is_the_text_without_a_word(write: Any) -> None:
    vision = {"model_type": "qwen2_5_vl", "hidden_size": 64, "num_heads": 4}
    whole = write("whole", {"model_type": "x", "text_config": LLAMA, "vision_config": vision})
    assert run("diff", whole, write("inside", LLAMA)) == (0, "the same rotation\n")
    code, text = run("diff", whole, whole, "--part", "audio")
    assert code != 0
    assert "part: got 'audio'" in text


def test_golden_writes_both_sets_of_longrope(write: Any, tmp_path: Path) -> None:
    target = tmp_path / "phi.json"
    code, text = run("golden", write("phi", PHI), "--output", str(target), "--dtype", "float32")
    assert code == 0, text
    assert "the long factors, of sequences of more than 64 positions" in text
    assert "the short factors, of sequences of up to 64 positions" in text
    long, short = (json.loads(p.read_text()) for p in (target, tmp_path / "phi.short.json"))
    assert long["rope"]["length"] == 256
    assert short["rope"]["length"] == 64
    assert max(short["positions"]["values"]) < 64


def test_layers_that_differ_are_listed_where_one_is_needed(write: Any, tmp_path: Path) -> None:
    path, target = write("gemma", GEMMA), str(tmp_path / "out.json")
    code, text = run("golden", path, "--output", target)
    assert code != 0
    assert "layer: got None, allowed: --layer N, as layers differ (layers 0-4: base 10000" in text
    assert run("golden", path, "--output", target, "--layer", "5", "--dtype", "float32")[0] == 0
    code, text = run("golden", write("smol", SMOL), "--output", target, "--dtype", "float32")
    assert code == 0, text
    assert "of layers 0-2; the others do not rotate" in text


def test_check_takes_one_layer_or_all(write: Any) -> None:
    arguments = ("check", "rope.bounded", "--profile", "quick", "--json", "-")
    code, text = run(*arguments, "--config", write("gemma", GEMMA))
    assert code == 0
    found = json.loads(text)
    assert found["model"]["layers"] == [0, 1, 2, 3, 4]
    code, text = run(*arguments, "--config", write("gemma", GEMMA), "--layer", "5")
    assert json.loads(text)["model"]["scaling"] == "Linear(factor=8)"
    code, text = run("check", "rope.bounded", "--layer", "5")
    assert code != 0
    assert "layer: got 5, allowed: none without --config" in text


def test_a_model_of_today_by_name(tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    arguments = ("--output", str(target), "--dtype", "float32", "--positions", "0-2")
    assert run("golden", "--preset", "gpt-oss-20b", *arguments)[0] == 0
    assert json.loads(target.read_text())["rope"]["head_dim"] == 64


def test_how_layers_and_rotations_are_said() -> None:
    assert layers_said(range(0, 40, 3)) == "layers 0, 3, 6, 9, 12, 15, ... (14 in all)"
    yarn = Yarn(factor=4, original_length=64, truncate=False)
    spec = RopeSpec(
        32, "10000.5", rotary_dim=16, rotary_start=16, layout="interleaved", scaling=yarn
    )
    assert rotation_said(spec) == (
        "base 10000.5, the last 16 of 32 coordinates, interleaved layout, yarn scaling (factor 4, "
        "original length 64, truncate False)"
    )


def test_a_configuration_is_given_with_or_without_its_option(write: Any, tmp_path: Path) -> None:
    """Every command that takes one takes it in both ways, and refuses two of them."""
    file, other = write("config", LLAMA), write("other", LLAMA)
    golden = ("--output", str(tmp_path / "golden.json"), "--positions", "0-1", "--dtype", "float32")
    commands = {
        "golden": golden,
        "lint": ("--json", "-"),
        "check": ("rope.lipschitz", "--profile", "quick", "--jobs", "1", "--json", "-"),
    }
    for name, options in commands.items():
        alone, named = run(name, file, *options), run(name, "--config", file, *options)
        assert alone[0] == named[0] == 0, (name, alone[1], named[1])
        drop = re.compile(r'"seconds": .*|"kept": .*| \(cached\)')
        assert drop.sub("", alone[1]) == drop.sub("", named[1]), name
    two = {"golden": golden, "budget": (), "assess": ("--length", "64"), "check": ()}
    for name, options in two.items():
        code, said = run(name, file, "--config", other, *options)
        assert code != 0, name
        assert f"one configuration; {file} is another" in said or "one configuration" in said, name
    assert run("diff", file, "--config", other)[0] == run("diff", file, other)[0] == 0
    code, said = run("diff", file)
    assert code != 0
    assert "two configurations, A and B" in said


def test_a_folder_or_a_file_among_ids_is_a_configuration(write: Any, tmp_path: Path) -> None:
    file = write("config", LLAMA)
    assert _without_config(["rope.*", file], None) == (["rope.*"], file)
    assert _without_config([str(tmp_path), "rope.band"], None) == (["rope.band"], str(tmp_path))
    assert _without_config(["rope.band"], file) == (["rope.band"], file)
    assert _without_config(["no/such.json"], None) == ([], "no/such.json")  # refused by name later
    with pytest.raises(InvalidArgument, match="one configuration"):
        _without_config([file, str(tmp_path)], None)
