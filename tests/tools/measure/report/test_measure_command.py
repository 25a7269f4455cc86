"""`ropeproof measure` as it is run: reports, bad input, interruption."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
import safetensors.torch
import torch
from nearly import assert_nearly
from saved_models import WORDS, save_model
from typer.testing import CliRunner

from ropeproof import cli
from ropeproof.theory.errors import InvalidArgument, RopeproofError, Unsupported
from ropeproof.tools.measure.measure_and_report import read_layers
from ropeproof.tools.measure.run import inconsistent

TEXT = "Every rotary position embedding turns planes by angles. " * 4


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return save_model(tmp_path_factory.mktemp("models") / "small")


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text(TEXT)
    return path


def run(*arguments, code=0):
    result = CliRunner().invoke(cli.app, ["measure", *map(str, arguments), "--jobs", "1"])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, result.output
    return result


def refused(*arguments, kind=InvalidArgument):
    with pytest.raises(RopeproofError) as error:
        run(*arguments)
    assert isinstance(error.value, kind)
    return str(error.value)


# --- reports ----------------------------------------------------------------------------------------


def test_a_report_of_text_and_random_tokens(model, text, tmp_path):
    target = tmp_path / "out.json"
    html, plots = tmp_path / "out.html", tmp_path / "plots"
    arguments = (model, "--text", text, "--length", 20, "--json", target)
    shown = run(*arguments, "--html", html, "--plots", plots, "--full").stdout
    found = json.loads(target.read_text())
    (entry,) = found["models"]
    assert (entry["name"], entry["family"]) == ("small", "llama")
    assert [entry[k] for k in ("layers", "query_heads", "key_heads", "context")] == [2, 4, 2, 64]
    assert [p["name"] for p in entry["prompts"]] == ["text", "random"]
    assert all(p["loss"] > 1 and p["tokens"] == 20 for p in entry["prompts"])
    assert len(entry["heads"]) == 8
    assert all(len(h["prompts"]["text"]["slash"]["scores"]) == 20 for h in entry["heads"])
    assert all(h["verdicts"] for h in entry["heads"])
    assert found["options"]["length"] == 20
    assert inconsistent(found) == []
    assert "small" in shown
    assert html.read_text().rstrip().endswith("</html>")
    assert list(plots.iterdir())
    assert not [p for p in tmp_path.iterdir() if "journal" in p.name or p.suffix == ".part"]


def test_json_alone_in_a_pipe(model):
    shown = run(model, "--random-tokens", "--length", 12, "--layers", "1", "--json", "-").stdout
    (entry,) = json.loads(shown)["models"]
    assert [p["name"] for p in entry["prompts"]] == ["random"]
    assert {h["layer"] for h in entry["heads"]} == {1}


def test_two_models_side_by_side(model, tmp_path):
    other = save_model(tmp_path / "small", seed=1)
    shown = run(model, other, "--length", 8, "--layers", "0", "--json", "-").stdout
    found = json.loads(shown)["models"]
    assert [m["name"] for m in found] == [str(model), str(other)]  # the short names are the same
    assert found[0]["heads"] != found[1]["heads"]


def test_tokens_of_a_file(model, tmp_path):
    tokens = tmp_path / "tokens"
    reports = []
    for text in ("[" + ", ".join(map(str, range(30))) + "]", "\n".join(map(str, range(30)))):
        tokens.write_text(text)
        reports.append(run(model, "--tokens", tokens, "--length", 9, "--json", "-").stdout)
    assert reports[0] == reports[1]


def test_the_default_length_is_the_context(model):
    shown = run(model, "--layers", "0", "--json", "-").stdout
    assert json.loads(shown)["options"]["length"] == 64


def test_more_tokens_than_positions_is_a_warning(model):
    shown = run(model, "--length", 70, "--layers", "0", "--json", "-").stdout
    (entry,) = json.loads(shown)["models"]
    assert entry["warnings"] == ["70 tokens are more than the 64 positions of the model"]


def test_processes_find_the_same(model):
    plain = run(model, "--length", 10, "--json", "-").stdout
    result = CliRunner().invoke(
        cli.app, ["measure", str(model), "--length", "10", "--json", "-", "--jobs", "2"]
    )
    assert result.exit_code == 0
    assert_nearly(json.loads(result.stdout), json.loads(plain))


def test_a_contradicted_theorem_is_told(model, monkeypatch):
    from ropeproof.tools.measure import measure_and_report as command

    def wrong(sources, **options):
        found = measure(sources, **options)
        verdict = found["models"][0]["heads"][3]["verdicts"][0]
        verdict |= {"consistent": False, "observed": 0.25}
        verdict["guaranteed"] = {"relation": ">=", "value": 0.5, "unit": "weight"}
        return found

    measure = command.measure_models
    monkeypatch.setattr(command, "measure_models", wrong)
    result = run(model, "--length", 8, "--layers", "0", code=1)
    assert "a theorem is contradicted, which is a bug: small, layer 0, head 3" in result.stderr
    assert ">= 0.5, observed 0.25" in result.stderr


def test_heads_with_a_window_are_in_the_report(tmp_path):
    folder = save_model(tmp_path / "windowed", family="mistral", sliding_window=9)
    found = json.loads(run(folder, "--length", 20, "--json", "-").stdout)
    assert [head["prompts"]["random"]["window"] for head in found["models"][0]["heads"]] == [9] * 8
    assert "on the first 9 tokens" in found["models"][0]["heads"][0]["verdicts"][0]["about"]


def test_a_base_for_each_type_of_layer(tmp_path):
    """As Gemma 3 is released: neither layer types nor parameters per layer type in the file."""
    folder = save_model(
        tmp_path / "gemma", family="gemma3_text", head_dim=8, rope_parameters=None, sliding_window=9,
        layer_types=["sliding_attention", "full_attention"],
    )  # fmt: skip
    config = json.loads((folder / "config.json").read_text())
    del config["rope_parameters"], config["layer_types"]
    config |= {"rope_theta": 1e6, "rope_local_base_freq": 100.0, "sliding_window_pattern": 2}
    (folder / "config.json").write_text(json.dumps(config))
    result = run(folder, "--length", 20, "--json", "-")
    (entry,) = json.loads(result.stdout)["models"]
    assert entry["rope"]["base"] == "100 and 1000000"
    assert entry["rope"]["table_difference"] < 1e-5
    windows = [head["prompts"]["random"]["window"] for head in entry["heads"]]
    assert windows == [9] * 4 + [None] * 4


def test_a_run_that_measures_nothing_says_so(tmp_path):
    folder = save_model(tmp_path / "windowed", family="mistral", sliding_window=1)
    page, pictures = tmp_path / "out.html", tmp_path / "plots"
    result = run(folder, "--length", 8, "--html", page, "--plots", pictures, code=2)
    why = "the first one for a sliding window of the query's own position alone"
    assert f"nothing was measured: every layer of windowed was skipped, {why}" in result.stderr
    assert "Nothing was measured" in result.stdout
    assert "Nothing was measured" in page.read_text()


# --- bad input --------------------------------------------------------------------------------------


def test_not_a_model(tmp_path):
    assert "a directory of a model, with a config.json" in refused(tmp_path)
    allowed = "a directory of a model, a .gguf file, or the id of a model on the hub"
    assert allowed in refused(tmp_path / "nothing")
    (tmp_path / "config.json").write_text("{")
    assert "a file of valid JSON" in refused(tmp_path)
    (tmp_path / "config.json").write_text("[]")
    assert "a file whose JSON is an object" in refused(tmp_path)


def test_an_unsupported_family(tmp_path):
    (tmp_path / "config.json").write_text('{"model_type": "gpt2"}')
    assert "model_type 'gpt2': not one of cohere, gemma, gemma2" in refused(
        tmp_path, kind=Unsupported
    )


def test_a_text_that_is_too_short(model, tmp_path):
    text = tmp_path / "short"
    text.write_text("short")
    message = refused(model, "--text", text, "--length", 20)
    assert message.startswith("text: got ")
    assert "short of 5 tokens" in message
    assert "at least 20" in message
    text.write_bytes(b"\xff\xfe" * 30)
    assert "a text in UTF-8" in refused(model, "--text", text)
    assert "a file (No such file" in refused(model, "--text", tmp_path / "none")


def test_wrong_tokens(model, tmp_path):
    tokens = tmp_path / "tokens"
    for text, message in (
        ("1 2 three", "a file of integers"),
        ("[1, 2.5, 3]", "a file of integers"),
        (f"1 2 3 4 5 {WORDS}", f"token ids from 0 to {WORDS - 1}"),
        ("1 2 3", "at least 6"),
    ):
        tokens.write_text(text)
        assert message in refused(model, "--tokens", tokens, "--length", 6)


def test_a_model_without_a_tokenizer(tmp_path, text):
    bare = save_model(tmp_path / "bare", tokenizer=False)
    message = refused(bare, "--text", text, "--length", 8)
    assert "a model with a tokenizer; --tokens and --random-tokens need none" in message
    run(bare, "--random-tokens", "--length", 8, "--layers", "0")


@pytest.fixture
def broken(model, tmp_path):
    return shutil.copytree(model, tmp_path / "broken")


def test_weights_cut_short(broken, tmp_path):
    weights = broken / "model.safetensors"
    for size in (weights.stat().st_size // 2, 5, 0):
        weights.write_bytes(weights.read_bytes()[:size])
        assert "weights that can be read" in refused(broken, "--length", 8)
    weights.unlink()
    target = tmp_path / "out.json"
    assert "weights that can be read" in refused(broken, "--json", target)
    assert not list(tmp_path.glob("out.json*"))


def change(folder, edit):
    path = folder / "model.safetensors"
    weights = safetensors.torch.load_file(path)
    edit(weights)
    safetensors.torch.save_file(weights, path, metadata={"format": "pt"})


def test_weights_that_are_no_numbers(broken):
    name = "model.layers.1.self_attn.q_proj.weight"

    def edit(weights):
        weights[name][3, 2] = torch.nan

    change(broken, edit)
    assert f"{name} has numbers that are not finite" in refused(broken, "--length", 8)


def test_weights_that_are_missing(broken):
    name = "model.layers.1.self_attn.q_proj.weight"
    change(broken, lambda weights: weights.pop(name))
    message = refused(broken, "--length", 8)
    assert f"1 weights are missing or have another shape, {name} first" in message


def test_a_scaling_without_a_base(broken):
    """Each reader takes a base of its own there; without any scaling all of them take 10000."""
    fields = json.loads((broken / "config.json").read_text())
    fields["rope_parameters"] = {
        "rope_type": "yarn",
        "factor": 4.0,
        "original_max_position_embeddings": 16,
    }
    fields.pop("rope_theta", None)
    (broken / "config.json").write_text(json.dumps(fields))
    assert "rope" in refused(broken, "--length", 8)


def test_targets_that_cannot_be_written(model, tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    for option, target in (
        ("--json", tmp_path / "none" / "out.json"),
        ("--html", tmp_path),
        ("--plots", file),
    ):
        assert option[2:] in refused(model, "--length", 8, option, target)


def test_options_that_do_not_go_together(model, text):
    assert "one of them" in refused(model, "--text", text, "--random-tokens")
    assert "length" in refused(model, "--length", 3)
    assert "threshold" in refused(model, "--threshold", 2)
    assert "layers" in refused(model, "--layers", "5", "--length", 8)
    assert "type" in refused(model, "--type", "int8", "--length", 8)
    with pytest.raises(InvalidArgument, match="only without --scheduler"):
        run(model, "--scheduler", "tcp://127.0.0.1:1")


def test_layers_are_read():
    assert read_layers(None) is None
    assert read_layers("0,2-4,3") == [0, 2, 3, 4]
    for wrong in ("", "a", "4-2", "1-", "-"):
        if wrong != "1-":
            with pytest.raises(InvalidArgument, match="numbers and ranges"):
                read_layers(wrong)


# --- interruption -----------------------------------------------------------------------------------


def test_an_interrupted_run_goes_on(model, tmp_path, monkeypatch):
    from ropeproof.tools.measure import model as heads

    target = tmp_path / "out.json"
    plain = heads.measure_and_judge
    calls = []

    def until(*arguments):
        if len(calls) == 3:
            raise KeyboardInterrupt
        calls.append(arguments[0].head)
        return plain(*arguments)

    monkeypatch.setattr(heads, "measure_and_judge", until)
    result = run(model, "--length", 10, "--json", target, code=130)
    assert "interrupted; the same command goes on from" in result.stderr
    assert not target.exists()
    assert len(list(tmp_path.glob("*.journal.0"))) == 1
    again = []
    monkeypatch.setattr(heads, "measure_and_judge", lambda *a: again.append(a[0].head) or plain(*a))
    run(model, "--length", 10, "--json", target)
    assert (len(calls), len(again)) == (3, 5)
    assert target.exists()
    assert not list(tmp_path.glob("*.journal*"))
    monkeypatch.undo()
    whole = run(model, "--length", 10, "--json", "-").stdout
    assert_nearly(json.loads(whole), json.loads(target.read_text()))


def test_the_code_of_the_page_runs():
    page = Path(__file__).resolve().parents[4] / "docs" / "measure.md"
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(), flags=re.S | re.M)
    assert len(blocks) == 3
    names: dict[str, object] = {}  # a block goes on where the one before it ended
    for block in blocks:
        exec(compile(block, "measure.md", "exec"), names)


def test_the_page_names_the_options_that_there_are():
    page = Path(__file__).resolve().parents[4] / "docs" / "measure.md"
    ours = re.sub(r"`(pip|python) [^`]*`", "", page.read_text())  # the options of other programs
    named = set(re.findall(r"--[a-z]+", ours))
    assert named <= set(
        re.findall(
            r"--[a-z]+",
            CliRunner().invoke(cli.app, ["measure", "--help"], env={"COLUMNS": "200"}).stdout,
        )
    )
