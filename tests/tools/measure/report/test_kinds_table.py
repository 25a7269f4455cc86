"""The table of kinds that `ropeproof measure` prints first: when, where, and what it says of a head."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest
from saved_models import save_model
from typer.testing import CliRunner

from ropeproof import cli
from ropeproof.theory.errors import InvalidArgument, RopeproofError
from ropeproof.tools.measure.kinds import HeadKinds, KindOptions, kind_prompts
from ropeproof.tools.measure.kinds.decide import decided, score_of
from ropeproof.tools.measure.kinds.table import KINDS
from ropeproof.tools.measure.report.kinds_table import KindsTable, cell, layer_lines

TEXT = "Every rotary position embedding turns planes by angles. " * 40


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return save_model(tmp_path_factory.mktemp("models") / "small")


def measure(*arguments: object, code: int = 0) -> str:
    result = CliRunner().invoke(cli.app, ["measure", *map(str, arguments)])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, result.output
    return result.stdout


def a_head(layer: int, number: int, **each: list[float]) -> HeadKinds:
    scores = {
        kind.name: score_of(
            kind,
            np.array(each.get(kind.name.replace("-", "_"), [0.0] * 4)),
            null=0.0,
            options=KindOptions(),
            rows=9,
            lag=12 if kind.name == "slash" else None,
        )
        for kind in KINDS
    }
    return HeadKinds(
        layer=layer,
        head=number,
        label=decided(scores),
        confidence=0.95,
        scores=scores,
        changes=0.034,
    )


SURE, OPEN = [0.41, 0.42, 0.4, 0.41], [0.0, 0.6, 0.0, 0.6]


def test_a_cell_names_kind_lag_score_and_how_likely_it_changes():
    assert cell(a_head(3, 1, slash=SURE).as_json(), "3.1") == "  3.1 slash@12     .41  3%"
    assert cell(a_head(3, 1, previous_token=SURE).as_json(), "3.1").split()[1] == "previous"
    assert cell(a_head(3, 1, sink=OPEN).as_json(), "3.1").split()[1:3] == ["sink?", ".30"]
    assert cell(a_head(3, 1).as_json(), "3.1").split() == ["3.1", "mixed", "3%"]
    far = a_head(3, 1, sink=[0.0, 0.15, 0.0, 0.4], previous_token=[0.0, 0.1, 0.0, 0.1])
    assert cell(far.as_json(), "3.1").split() == ["3.1", "undecided", "3%"]
    two = a_head(3, 1, previous_token=[0.0, 0.2, 0.0, 0.2], duplicate_token=OPEN)
    assert cell(two.as_json(), "3.1").split()[1:3] == ["duplicate?", ".30"]
    few = a_head(3, 1, sink=[0.9] * 3).as_json() | {"changes": None}
    assert "%" not in cell(few, "3.1")


def test_lines_are_as_wide_as_the_screen_allows():
    named = [(f"3.{n}", a_head(3, n, slash=SURE).as_json()) for n in range(7)]
    assert [len(line.split("slash")) - 1 for line in layer_lines(named, 80)] == [3, 3, 1]
    assert len(layer_lines(named, 10)) == 7
    assert max(map(len, layer_lines(named, 80))) <= 80


class Screen(io.StringIO):
    """A stream that may be a terminal, and how often it was written to beside the progress."""

    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.terminal, self.times = terminal, 0

    def isatty(self) -> bool:
        return self.terminal

    @contextlib.contextmanager
    def aside(self) -> Iterator[None]:
        self.times += 1
        yield


@pytest.mark.parametrize("terminal", [True, False])
def test_layers_come_one_by_one_on_a_terminal_and_in_one_piece_elsewhere(terminal):
    screen = Screen(terminal)
    table = KindsTable(screen.aside, width=80, stream=screen)
    prompts = kind_prompts(None, vocabulary=9, length=8, count=6)
    seen = []
    table.begin("small", prompts)
    seen.append(screen.getvalue())
    for layer in range(3):
        table.first([a_head(layer, n, slash=SURE) for n in range(2)], 2 - layer)
        seen.append(screen.getvalue())
    assert "  2.1 slash@12" in seen[-1]
    assert "PROVISIONAL kinds of its heads, from 4 prompts" in seen[-1]
    assert (screen.times == 4) is terminal
    assert [("1.1 slash" in each) for each in seen] == [False, False, terminal, True]


def test_too_few_texts_are_said_to_decide_nothing():
    screen = Screen(False)
    table = KindsTable(screen.aside, width=80, stream=screen)
    texts = [[1, 2, 3, 4, 5, 6, 7, 8]] * 3
    table.begin("small", kind_prompts(texts, vocabulary=9, length=8, count=6))
    table.first([], 0)
    said = " ".join(screen.getvalue().split())
    assert "are not decided by fewer than 4 prompts: give a text of 32 tokens or more" in said


def test_the_kinds_are_printed_first_and_can_be_all(model, tmp_path):
    text, target, csv = tmp_path / "text.txt", tmp_path / "out.json", tmp_path / "out.csv"
    text.write_text(TEXT)
    common = (model, "--text", text, "--length", 12, "--prompts", 5)
    whole = measure(*common, "--no-verdicts", "--jobs", 1)
    alone = measure(*common, "--kinds-only", "--json", target, "--csv", csv)
    tables = whole[: whole.index("To come:")]
    assert alone.split() == tables.split()
    first, final = tables.split("kinds of its 8 heads at 95 % confidence")
    assert "PROVISIONAL" in first
    for part in (first, final):
        assert all(f" {layer}.{head} " in part for layer in range(2) for head in range(4))
    assert "small: llama, 2 layers" in whole[whole.index("To come:") :]
    assert "small: llama" not in alone
    (entry,) = json.loads(target.read_text())["models"]
    assert len(entry["heads"]) == 8
    assert {head["kinds"]["label"] for head in entry["heads"]} <= set(entry["kinds"]["counts"])
    assert all(0 <= head["kinds"]["changes"] <= 1 for head in entry["heads"])
    assert csv.read_text().count("\n") == 9


def test_json_on_standard_output_is_alone_there(model):
    shown = measure(model, "--kinds-only", "--length", 12, "--json", "-")
    assert json.loads(shown)["models"][0]["kinds"]["prompts"] == 8


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (["--html", "page.html"], "html"),
        (["--plots", "pictures"], "plots"),
        (["--ablate", "0.1"], "ablate"),
        (["--preference", "64"], "preference"),
        (["--all"], "all"),
        (["--prompts", "0"], "prompts"),
    ],
)
def test_kinds_only_is_refused_beside_what_needs_more(model, arguments, name):
    with pytest.raises(RopeproofError) as error:
        measure(model, "--kinds-only", *arguments)
    assert isinstance(error.value, InvalidArgument)
    assert error.value.argument == name


def test_a_run_that_goes_on_shows_the_kinds_that_it_kept(model, tmp_path):
    common = (model, "--length", 12, "--kinds-only", "--journal", tmp_path / "kept")
    code = (
        "from ropeproof.tools.measure import run, measure_and_report as m\n"
        "m.remove_journals = lambda *_: None\n"
        "from ropeproof import cli\ncli.app()\n"
    )
    command = [sys.executable, "-c", code, "measure", *map(str, common)]
    first, again = (
        subprocess.run(command, capture_output=True, text=True, check=True).stdout for _ in range(2)
    )
    assert "PROVISIONAL" in first
    assert "PROVISIONAL" not in again
    final = first[first.rindex("kinds of its") :]
    kept = [line for line in again.splitlines() if line.startswith("  0.")]
    assert kept == [line for line in final.splitlines() if line.startswith("  0.")]
