"""Several seeds of the number and letter task: what is counted of a run, intervals, the command."""

import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "experiments"))

import multi_hop_seeds as command  # noqa: E402
from multi_hop_tasks.seeds import interval, observed, summary_of  # noqa: E402
from predicted import file_hash, read_predictions  # noqa: E402

from ropeproof.proofs_check.site.pictures.recorded import multi_hop_seeds as pictures  # noqa: E402


def run_of(task, seed, right, positional, symbolic):
    return {
        "task": task,
        "seed": seed,
        "steps": [0, 50, 100, 150],
        "of": [10, 10],
        "right": right,
        "positional": positional,
        "symbolic": symbolic,
        "longer": {"lengths": [60, 1000], "right": [8, 1], "of": [10, 10]},
    }


EARLY = run_of(
    "letter",
    1,
    [[0, 0], [2, 0], [10, 6], [10, 10]],
    [[0.5, 0.5], [0.05, 0.5], [0.05, 0.05], [0.05, 0.05]],
    [[0.5, 0.5], [0.95, 0.5], [0.95, 0.95], [0.95, 0.95]],
)
"""Two heads, symbolic from 50 and 100 on; one hop from 100 on, all of it solved at 150."""
LATE = run_of(
    "letter",
    2,
    [[0, 0], [10, 10], [10, 10], [10, 10]],
    [[0.5, 0.5], [0.5, 0.5], [0.5, 0.5], [0.95, 0.5]],
    [[0.5, 0.5], [0.5, 0.5], [0.5, 0.5], [0.05, 0.5]],
)
"""Solved at 50, with one of two heads positional at the end."""


def test_what_is_counted_of_a_run():
    found = summary_of(EARLY)
    assert found["solved at"] == 150
    assert found["learned at"] == [100, 150]
    assert found["ends"] == ["symbolic", "symbolic"]
    assert found["pure from"] == [50, 100]
    assert found["lead"] == 75
    assert found["rank correlation"] == pytest.approx(0.948683)
    assert found["longer"] == {"60": 0.8, "1000": 0.1}
    found = summary_of(LATE)
    assert (found["solved at"], found["lead"]) == (50, -100)
    assert found["ends"] == ["positional", None]


def test_counts_and_means_over_runs():
    both = [summary_of(EARLY), summary_of(LATE)]
    found, intervals = observed({"letter": both, "number": both[::-1]})
    counted = {
        "solved": 2,
        "with the second hop later": 1,
        "with all heads symbolic": 1,
        "with a positional head": 1,
        "with the last layer symbolic": 1,
        "with a head that ends impure": 1,
        "with all purity first": 1,
    }
    assert {k: found[f"letter: runs {k}"] for k in counted} == counted
    assert found["letter: mean of lead"] == -12.5
    assert intervals["letter"]["share of pure heads before"]["mean"] == 0.5
    # By seed: 50 less 0 and 0 less 50.
    assert found["mean: steps from first to second hop, number less letter"] == 0


def test_an_interval_is_students():
    found = interval([1.0, 2.0, None, 3.0])
    assert (found["mean"], found["of"]) == (2, 3)
    assert found["high"] - 2 == pytest.approx(4.302653 / 3**0.5)
    assert interval([1.0]) == {"mean": 1, "low": None, "high": None, "of": 1}
    assert interval([None]) == {"mean": None, "low": None, "high": None, "of": 0}


def test_the_command_leaves_a_record_and_pictures(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["seeds", "--output", str(tmp_path), "--quick"])
    command.main()
    said = capsys.readouterr()
    assert "predictions against 2 runs" in said.out
    assert "letter-2: step 20 of 20" in said.err
    found = json.loads((tmp_path / "multi_hop_seeds.json").read_text())
    assert list(found["runs"]) == ["number-1", "letter-1", "number-2", "letter-2"]
    assert found["predictions sha256"] == file_hash(command.PREDICTIONS)
    assert {p.stem for p in tmp_path.glob("*-light.png")} == {
        f"{d.picture.stem}-light" for d in pictures.pictures_of(found)
    }
    command.main()  # everything is kept: nothing is trained again
    assert "step" not in capsys.readouterr().err.replace("followed to step", "")
    # Every quantity of the predictions is one that a whole run computes.
    longer = {"60": 0.5, "1000": 0.5}
    summaries = {
        task: [each | {"longer": longer} for each in runs]
        for task, runs in found["summaries"].items()
    }
    assert {p.quantity for p in read_predictions(command.PREDICTIONS)} <= set(
        observed(summaries)[0]
    )


@pytest.mark.parametrize("wrong", [["--threads", "0"], ["--device", "cuda"]], ids=lambda w: w[0])
def test_a_bad_option_is_named(wrong, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    monkeypatch.setattr("sys.argv", ["seeds", "--output", str(tmp_path), *wrong])
    with pytest.raises(SystemExit) as ended:
        command.main()
    assert ended.value.code == 2
    assert wrong[0] in capsys.readouterr().err
