"""What `ropeproof measure` says first, what it writes, and what it refuses before a model is read."""

from __future__ import annotations

import csv
import importlib.util
import io
import json
import re

import pytest
import torch
from fake_reports import fake_report, with_inconsistency, with_kinds, with_nothing
from rich.console import Console
from saved_models import save_model
from tiny_models import make_model, make_prompts
from typer.testing import CliRunner

from ropeproof import cli
from ropeproof.theory.errors import InvalidArgument, RopeproofError, Unsupported
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.measure import MeasureOptions, measure_model, run
from ropeproof.tools.measure.report import compact, html, overview


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return save_model(tmp_path_factory.mktemp("models") / "small")


def measure(*arguments):
    result = CliRunner().invoke(cli.app, ["measure", *map(str, arguments), "--jobs", "1"])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


# --- one screen -------------------------------------------------------------------------------------


def shown(report, width=140):
    console = Console(width=width, highlight=False)
    with console.capture() as captured:
        console.print(overview.overview(report))
    return captured.get()


@pytest.mark.parametrize("change", [lambda report: report, with_kinds, with_inconsistency])
def test_the_first_screen_has_eighty_columns(change):
    report = change(fake_report("a-model-with-a-name-that-is-rather-long-for-one-line", layers=20))
    lines = shown(report).splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 45
    assert sum(bool(re.match(r" *\d+\.\d+ ", line)) for line in lines) == 10


def test_the_first_screen_says_what_one_wants_to_know():
    said = " ".join(shown(with_kinds(fake_report(layers=6, heads=3))).split())
    # Two of most labels, in turn; a uniform or mixed head and one that is not decided have no kind.
    assert "14 of 18 heads have a kind at 95 % confidence (8 prompts; 4 of repeated" in said
    assert "nothing learned" not in said
    assert "2 induction, 2 duplicate-token, 2 previous-token, 2 slash, 2 sink" in said
    assert "2 uniform, 2 positional, 2 symbolic, 1 mixed, 1 not decided." in said
    assert "(null 0.600, noise floor of R² 0.012)" in said
    assert "measured score 0.600, expected on independent tokens 0.500 (enclosed" in said
    assert "the order of the tokens adds +0.100" in said
    assert "No theorem guarantees more than is observed." in said


@pytest.mark.parametrize(
    ("mixed", "uniform", "undecided"),
    [(8, 0, 0), (5, 3, 0), (0, 8, 0), (7, 0, 1), (0, 7, 1), (0, 0, 8)],
)
def test_a_model_of_mixed_heads_has_no_kinds(mixed, uniform, undecided):
    """An untrained model is such: its heads fail every score. What is not decided is no such finding."""
    report = with_kinds(fake_report(layers=2, heads=4))
    counts = {"uniform": uniform, "mixed": mixed, "not decided": undecided}
    report["models"][0]["kinds"]["counts"] = counts
    said = " ".join(shown(report).split())
    assert "0 of 8 heads have a kind" in said
    seen = "No head has a pattern: nothing learned that these scores can see." in said
    assert seen == (undecided == 0)


def test_a_guarantee_is_shown_beside_what_it_is_about():
    lines = shown(with_kinds(fake_report(layers=6, heads=3))).splitlines()
    promised = [line for line in lines if ">=0." in line]
    assert promised
    for line in promised:
        assert re.search(r"0\.\d\d@\d+ +0\.50[01] +\+0\.10±0\.02 +>=0\.\d\d of 0\.\d\d", line)
        promised, about = re.search(r">=(\S+) of (\S+)", line).groups()
        assert float(promised) < float(about)


def test_the_strongest_of_each_kind_come_first():
    found = overview.leading_heads(with_kinds(fake_report(layers=6, heads=6))["models"][0])
    labels = [head["kinds"]["label"] for head in found]
    assert len(found) == 10
    assert len(set(labels)) == 7
    first = found[0]["kinds"]
    assert first["label"] == "induction"
    assert first["scores"]["induction"]["mean"] == max(0.3 + n / 1000 for n in range(0, 36, 10))


def test_a_screen_of_what_is_missing():
    said = shown(with_nothing(fake_report()))
    assert "nan" not in said
    assert "No head has logits with a variance to fit additively." in said
    report = fake_report()
    report["models"][0]["heads"] = []
    assert "Nothing was measured" in shown(report)


def test_every_head_on_demand(model):
    plain = measure(model, "--length", 8, "--no-verdicts").stdout
    whole = measure(model, "--length", 8, "--no-verdicts", "--all").stdout
    assert max(map(len, plain.splitlines())) <= 80
    assert "The theorems were not asked (--no-verdicts)." in " ".join(plain.split())
    whole = whole[whole.index("To come:") :]  # behind the table of kinds
    rows = [line for line in whole.splitlines() if re.match(r" *[01]\.[0-3] ", line)]
    assert len(rows) == 8


# --- files ------------------------------------------------------------------------------------------


def test_json_is_short_and_whole_on_demand(model, tmp_path):
    target = tmp_path / "out.json"
    measure(model, "--length", 20, "--json", target)
    short = json.loads(target.read_text())
    statistics = short["models"][0]["heads"][0]["prompts"]["random"]
    assert "planes" not in statistics
    assert "scores" not in statistics["slash"]
    assert len(statistics["additive"]) <= 2
    assert short["models"][0]["heads"][0]["kinds"]["label"]
    measure(model, "--length", 20, "--json", target, "--full")
    whole = json.loads(target.read_text())["models"][0]["heads"][0]["prompts"]["random"]
    assert len(whole["slash"]["scores"]) == 20
    assert whole["planes"]
    with pytest.raises(InvalidArgument, match="only with --json"):
        measure(model, "--full")


def test_json_has_what_the_report_has():
    report = with_kinds(fake_report("a", "b", layers=1, heads=2))
    assert json.loads(compact.json_text(report)) == report


def test_the_sizes_of_a_model_of_270_heads():
    report = with_kinds(fake_report(layers=30, heads=9))
    assert len(str(html.page(report)).encode()) < 3_000_000
    for head in report["models"][0]["heads"]:
        head["verdicts"] = []
    assert len(compact.json_text(compact.shortened(report)).encode()) < 2_000_000


def test_a_head_takes_few_bytes(model, tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("a few words, a few more words, " * 200)
    target = tmp_path / "out.json"
    some = "--text", text, "--length", 128
    assert not measure(model, *some, "--json", target, "--no-verdicts").exit_code
    # A file of 270 heads without verdicts has at most 2 MB.
    (heads,) = (each["heads"] for each in json.loads(target.read_text())["models"])
    assert all(set(head["prompts"]) == {"text", "random"} for head in heads)
    lines = [line for line in target.read_text().splitlines() if line.startswith('   {"layer"')]
    assert len(lines) == len(heads)
    assert max(len(line.encode()) for line in lines) < 2_000_000 / 270


def test_csv_has_a_line_for_each_head_and_prompt(model, tmp_path):
    target = tmp_path / "heads.csv"
    measure(model, "--length", 12, "--csv", target, "--no-verdicts")
    rows = list(csv.DictReader(io.StringIO(target.read_text())))
    assert len(rows) == 8
    assert {row["model"] for row in rows} == {"small"}
    assert {row["prompt"] for row in rows} == {"random"}
    for row in rows:
        assert 0 <= float(row["slash_score"]) <= 1
        assert row["kind"]
        assert 0 <= float(row["sink_mean"]) <= 1


def test_a_result_is_a_table_with_a_short_repr():
    tiny = make_model("llama", torch.float32)
    prompts = {"random": make_prompts(length=12)[0].tolist()}
    spec = RopeSpec.from_config(tiny.config, length=12)
    found = measure_model(tiny, prompts, spec, options=MeasureOptions(verdicts=False), workers=1)
    assert repr(found) == "<8 heads of 2 layers measured on random>"
    assert all(head["verdicts"] == [] for head in found["heads"])
    table = found.heads
    assert len(table) == 8
    assert repr(table).startswith("<table of 8 rows: layer, head, key_head, prompt")
    assert table[1]["head"] == 1
    assert len(table[:3]) == 3
    if importlib.util.find_spec("pandas") is None:
        with pytest.raises(Unsupported, match="pip install pandas"):
            table.to_frame()
    else:
        assert table.to_frame().shape[0] == 8


# --- the page ---------------------------------------------------------------------------------------


def test_the_map_has_a_cell_for_each_head():
    text = str(html.page(with_kinds(fake_report(layers=3, heads=6))))
    assert text.index('id="map"') < text.index('id="summary"')
    cells = re.findall(r'<a href="#(m0-l\d-h\d)" title="([^"]*)"[^>]*class="key kind-(\d)"', text)
    assert len(cells) == 18
    assert cells[0][0] == "m0-l2-h0"  # the last layer on top
    assert "layer 0, head 0: induction 0.30" in {said for _, said, _ in cells}
    assert "position: sticky; left: 0" in text


def test_a_map_without_kinds_shows_slash_heads():
    text = str(html.page(fake_report(layers=3, heads=6)))
    assert len(re.findall(r'class="key kind-[39]" style', text)) == 18


def test_theorems_that_hold_for_every_head_are_folded():
    report = fake_report()
    for head in report["models"][0]["heads"]:
        for verdict in head["verdicts"]:
            if verdict["claim"] == "posgen.two-axis":
                verdict |= {"verdict": "guaranteed"}
    text = str(html.page(report))
    start = text.index('<details id="m0-c-all">')
    inside = text[start : text.index('id="details"')]
    assert "1 theorems guarantee something for every head" in inside
    assert "posgen.two-axis: the hypothesis" in inside
    assert "posgen.two-axis: the hypothesis" not in text[:start]
    assert "slash.sandwich: the hypothesis" in text[:start]


# --- refusals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "argument"),
    [
        (["--text", "none"], "text"),
        (["--text", "short", "--length", "60"], "text"),
        (["--text", "bytes"], "text"),
        (["--tokens", "none"], "tokens"),
        (["--tokens", "short"], "tokens"),
        (["--tokens", "many", "--length", "8"], "tokens"),
        (["--tokens", "few", "--length", "8"], "tokens"),
        (["--layers", "0,5"], "layers"),
        (["--layers", "x"], "layers"),
        (["--type", "int8"], "type"),
        (["--length", "3"], "length"),
        (["--prompts", "-1"], "prompts"),
        (["--race", "-1"], "race"),
        (["--jobs", "0"], "jobs"),
        (["--csv", "none/out.csv"], "csv"),
    ],
)
def test_what_is_wrong_is_said_before_a_model_is_read(
    model, tmp_path, monkeypatch, arguments, argument
):
    def loaded(*_arguments, **_options):
        raise AssertionError("the model was read")

    monkeypatch.setattr(run.load, "load_model", loaded)
    monkeypatch.chdir(tmp_path)
    for name, text in (("short", "one two"), ("many", "1 2 3 4 5 6 7 999"), ("few", "1 2 3")):
        (tmp_path / name).write_text(text)
    (tmp_path / "bytes").write_bytes(b"\xff\xfe" * 99)
    command = ["measure", str(model), *arguments, *(["--jobs", "1"] * ("--jobs" not in arguments))]
    result = CliRunner().invoke(cli.app, command)
    assert isinstance(result.exception, RopeproofError), result.exception
    assert result.exception.argument == argument


def test_prompts_are_spread_over_the_text(model, tmp_path):
    text = tmp_path / "text"
    text.write_text("".join(chr(97 + n % 26) for n in range(100)))
    config = run.load.read_config(str(model))
    asked = run.prompts_for(str(model), config, 20, text=str(text), prompts=3)
    assert asked.kinds.texts.shape == (3, 20)
    assert [prompt.name for prompt in asked.prompts] == ["text", "random"]
    assert asked.kinds.texts[0].tolist() == list(asked.prompts[0].tokens)
    letters = asked.kinds.texts[:, 0] - asked.kinds.texts[0, 0]
    assert (letters % 26).tolist() == [0, 40 % 26, 80 % 26]
    assert (
        run.prompts_for(str(model), config, 20, text=str(text), prompts=9).kinds.texts.shape[0] == 5
    )
    assert run.prompts_for(str(model), config, 20, prompts=0).kinds is None
