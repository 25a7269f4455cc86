"""`ropeproof measure --ablate`: the table, its cost, and heads that there are not."""

from __future__ import annotations

import json

import pytest
from saved_models import save_model
from typer.testing import CliRunner

from ropeproof.proofs_check import cli
from ropeproof.theory.errors import InvalidArgument


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return save_model(tmp_path_factory.mktemp("models") / "small")


def run(*arguments):
    some = ["measure", *map(str, arguments), "--jobs", "1", "--length", "12", "--no-verdicts"]
    result = CliRunner().invoke(cli.app, some)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_table_has_its_cost_and_fits_a_screen(model, tmp_path):
    target = tmp_path / "out.json"
    shown = run(model, "--prompts", 4, "--ablate", "1.3,0.0", "--json", target)
    found = json.loads(target.read_text())["models"][0]["ablation"]
    assert [(head["layer"], head["head"]) for head in found["heads"]] == [(1, 3), (0, 0)]
    assert found["passes"] == 16 + 4 * (1 + 3 * 2)
    assert f"{found['passes']} forward passes" in " ".join(shown.split())
    assert max(map(len, shown.splitlines())) <= 80


def test_top_takes_the_heads_that_are_shown(model):
    found = json.loads(run(model, "--prompts", 4, "--ablate", "top", "--json", "-"))
    assert 1 <= len(found["models"][0]["ablation"]["heads"]) <= 10


@pytest.mark.parametrize("heads", ["9.0", "0.9", "3", "a.b", "", "-1.0"])
def test_heads_that_there_are_not(model, heads):
    with pytest.raises(InvalidArgument, match="ablate"):
        run(model, "--ablate", heads)
