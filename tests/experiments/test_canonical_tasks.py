"""The experiment on canonical tasks: what it draws, that it goes on where it was, what it leaves."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "experiments"))

import train_canonical_tasks  # noqa: E402
from canonical_tasks.data import CONTEXT, INTEGERS, PAIRS, SYMBOLS, TASKS, VOCABULARY, draw  # noqa: E402
from canonical_tasks.model import Heads  # noqa: E402
from canonical_tasks.scores import mean_scores  # noqa: E402
from canonical_tasks.train import RUNS, Settings, angles_of, heads_at, marks, train  # noqa: E402

from ropeproof.numerics.bounds.head.scores import vector_scores  # noqa: E402
from ropeproof.proofs_check.site.pictures.recorded import canonical  # noqa: E402
from ropeproof.theory.errors import InvalidArgument  # noqa: E402
from ropeproof.theory.rotary.spec import RopeSpec  # noqa: E402

SMALL = Settings(epochs=2, training=256, validation=128, seeds=2)


def quiet(step, run):
    pass


@pytest.mark.parametrize("task", TASKS)
def test_every_answer_is_what_the_task_says(task):
    drawn = draw(task, 300, np.random.default_rng(0))
    assert drawn.tokens.shape == (300, CONTEXT + 1)
    assert drawn.tokens[:, :-1].max() < PAIRS
    assert drawn.tokens.max() < VOCABULARY
    for row, answer, place in zip(drawn.tokens, drawn.answers, drawn.places, strict=True):
        symbols, integers = np.divmod(row[:-1], INTEGERS)
        query = row[-1] - PAIRS
        if task == "index":
            assert query - SYMBOLS == place
            assert answer == INTEGERS + symbols[place]
        else:
            found = np.flatnonzero(symbols == query)
            assert len(found) == (1 if task == "retrieval" else 2)
            assert found[-1] == place
            assert answer == integers[place]
            assert len(set(integers[found])) == len(found)


def test_the_models_attend_as_the_definition_says():
    heads = Heads(angles_of("induction-2", 1), 6, [0] * 10)
    tokens = torch.from_numpy(draw("retrieval", 3, np.random.default_rng(1)).tokens).expand(
        10, -1, -1
    )
    with torch.no_grad():
        weights, told = heads.weights(tokens), heads(tokens)
    model, row = 7, 2
    x = heads.embed[model][tokens[model, row]]
    k = (x @ heads.key[model]).unflatten(1, (2, 2)).detach().numpy()
    q = (x[-1] @ heads.query[model]).unflatten(0, (2, 2)).detach().numpy()
    logits = np.zeros(CONTEXT + 1)
    for plane, angle in enumerate(angles_of("induction-2", 1)[model]):
        for place in range(CONTEXT + 1):
            t = angle * (CONTEXT - place)
            turned = np.array([[np.cos(t), np.sin(t)], [-np.sin(t), np.cos(t)]]) @ k[place, plane]
            logits[place] += q[plane] @ turned
    wanted = np.exp(logits) / np.exp(logits).sum()
    assert weights[model, row].numpy() == pytest.approx(wanted, abs=1e-5)
    read = (wanted @ x.detach().numpy()) @ heads.read[model].detach().numpy()
    assert told[model, row].numpy() == pytest.approx(read, abs=1e-4)


def test_scores_are_those_of_the_head_itself():
    heads = Heads([[1.0]], 6, [3])
    found = mean_scores(heads, "retrieval", 5, seed=4)
    tokens = torch.from_numpy(draw("retrieval", 5, np.random.default_rng([4, 1])).tokens)
    q, k = (torch.view_as_real(t[0][tokens]).flatten(2).detach() for t in heads.tables())
    again = vector_scores(q, k, RopeSpec(2, 10_000), rows="last", scale=1)
    assert found[0][0] == pytest.approx(float(again.positional.mean()), abs=1e-4)
    assert found[1][0] == pytest.approx(float(again.symbolic.mean()), abs=1e-4)


def test_a_run_goes_on_where_it_was(tmp_path):
    class Stopped(Exception):
        pass

    def stop(step, run):
        if step > SMALL.steps:
            raise Stopped

    whole = train("index", SMALL, tmp_path / "whole", "cpu", quiet)
    with pytest.raises(Stopped):
        train("index", SMALL, tmp_path / "parts", "cpu", stop)
    parts = train("index", SMALL, tmp_path / "parts", "cpu", quiet)
    assert (whole.steps, whole.losses, whole.right) == (parts.steps, parts.losses, parts.right)
    assert whole.steps == marks(SMALL)
    first, last = (heads_at("index", SMALL, tmp_path / "whole", s) for s in (4, 8))
    assert not torch.equal(first.embed, last.embed)
    with pytest.raises(InvalidArgument, match="the settings of what it holds"):
        train(
            "index",
            Settings(epochs=3, training=256, validation=128),
            tmp_path / "parts",
            "cpu",
            quiet,
        )


def test_the_command_leaves_a_record_and_pictures(tmp_path, monkeypatch, capsys):
    small = ["--epochs", "1", "--training", "128", "--validation", "64", "--seeds", "1"]
    monkeypatch.setattr("sys.argv", ["train", "--output", str(tmp_path), *small])
    train_canonical_tasks.main()
    assert "learned" in capsys.readouterr().out
    record = json.loads((tmp_path / "canonical_tasks.json").read_text())
    assert list(record["runs"]) == list(RUNS)
    assert {p.stem for p in tmp_path.glob("*-light.png")} == {
        f"{d.picture.stem}-light" for d in canonical.pictures_of(record)
    }


@pytest.mark.parametrize(
    "wrong",
    [["--epochs", "0"], ["--training", "100"], ["--device", "cuda"], ["--only", "copy"]],
    ids=lambda option: option[0],
)
def test_a_bad_option_is_named(wrong, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    monkeypatch.setattr("sys.argv", ["train", "--output", str(tmp_path), *wrong])
    with pytest.raises(SystemExit) as ended:
        train_canonical_tasks.main()
    assert ended.value.code == 2
    assert wrong[0] in capsys.readouterr().err
