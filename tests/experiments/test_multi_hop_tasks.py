"""The experiment on the number and letter task: data, that it goes on where it was, what it leaves."""

import json
import sys
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
import torch

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "experiments"))

import train_multi_hop_tasks  # noqa: E402
from multi_hop_tasks.data import chain_of, drawn, longer  # noqa: E402
from multi_hop_tasks.foreseen import foresee  # noqa: E402
from multi_hop_tasks.look import last_rows, look  # noqa: E402
from multi_hop_tasks.model import fresh_model  # noqa: E402
from multi_hop_tasks.settings import PRESETS, TASKS, Settings  # noqa: E402
from multi_hop_tasks.train import model_at, read_run, train  # noqa: E402

from ropeproof.numerics.task import solve_number  # noqa: E402
from ropeproof.proofs_check.site.pictures.recorded import multi_hop  # noqa: E402
from ropeproof.theory.errors import InvalidArgument  # noqa: E402

TINY = PRESETS["tiny"]


class Stopped(Exception):
    pass


def quiet(run):
    pass


@pytest.mark.parametrize("task", TASKS)
def test_a_run_that_was_stopped_ends_with_the_same_bits(task, tmp_path):
    def stop(run):
        if run.steps[-1] == 10:
            raise Stopped

    torch.set_num_threads(1)
    whole = train(task, 3, TINY, tmp_path / "whole", "cpu", quiet)
    with pytest.raises(Stopped):
        train(task, 3, TINY, tmp_path / "parts", "cpu", stop)
    assert not read_run(task, 3, tmp_path / "parts").done
    torch.rand(7)  # whatever else was drawn meanwhile
    parts = train(task, 3, TINY, tmp_path / "parts", "cpu", quiet)
    assert (parts.steps, parts.losses) == (whole.steps, whole.losses)
    assert whole.steps == TINY.marks() == [0, 10, 20]
    same, other = (
        model_at(whole, tmp_path / where, 20).state_dict() for where in ("whole", "parts")
    )
    before = model_at(whole, tmp_path / "whole", 10).state_dict()
    for name, weights in same.items():
        assert torch.equal(weights, other[name]), name
        assert not torch.equal(weights, before[name]), name
    with pytest.raises(InvalidArgument, match="the settings of what it holds"):
        train(task, 3, Settings(**asdict(TINY) | {"rate": 0.1}), tmp_path / "parts", "cpu", quiet)


@pytest.mark.parametrize("task", TASKS)
def test_longer_sequences_have_the_same_answer_and_nothing_new_on_the_chain(task):
    data = drawn(task, 400, TINY, seed=5)
    more = longer(data, 30, seed=6)
    assert (more.tokens[:, -data.length :] == data.tokens).all()
    chain = chain_of(data)
    assert (chain.sum(1) == data.hops).all()
    assert chain[:, -1].all()
    assert (chain_of(more)[:, -data.length :] == chain).all()
    if task == "number":
        assert (solve_number(more.tokens, more.vocabulary) == data.answers).all()
    else:
        vocabulary = data.vocabulary
        for row, on, answer, front in zip(
            data.tokens, chain, data.answers, more.tokens[:, : -data.length], strict=True
        ):
            named = vocabulary.right(row[on])
            assert vocabulary.left(answer) in named
            assert not np.isin(vocabulary.left(front), named).any()
            assert (vocabulary.digit(front) > 0).all()


def test_planes_and_weights_are_those_of_the_model():
    torch.manual_seed(1)
    model = fresh_model("letter", TINY).eval()
    data = drawn("letter", 5, TINY, seed=0)
    tokens = torch.from_numpy(data.tokens.copy())
    heads, answers = last_rows(model, tokens)
    told = model(tokens, output_attentions=True)
    assert torch.allclose(answers, told.logits[:, -1], atol=1e-6)
    for head, attention in zip(heads, told.attentions, strict=True):
        weights = head.parts.sum(-1).softmax(-1)
        assert torch.allclose(weights.float(), attention[:, 0, -1], atol=1e-6)
    found = look(model, data, data)
    entropy = -(weights * weights.log()).sum(-1).mean() / np.log(TINY.length)
    assert found.entropy[-1] == pytest.approx(float(entropy), abs=1e-4)
    assert len(found.right) == TINY.hops


def test_the_mean_head_is_exact_where_every_key_is_the_mean_one():
    torch.manual_seed(1)
    model = fresh_model("number", TINY).eval()
    with torch.no_grad():
        for block in model.transformer.h:
            block.attn.k_proj.weight.zero_()  # all logits are 0, all keys the mean one
    found = foresee(model, "number", TINY, seed=2, most=60)
    assert found.lengths == [TINY.length, 20, 60]
    assert found.weight == found.mean_head
    assert found.weight[2] == pytest.approx([1 / 60] * 2, rel=1e-3)
    assert found.limit == [1, 1]


def test_when_heads_become_pure():
    run = {
        "steps": [0, 1, 2, 3],
        "positional": [[1, 1, 0.5], [0.95, 0.95, 0.5], [0.05, 0.97, 0.5], [0.05, 0.99, 0.5]],
        "symbolic": [[1, 1, 0.5], [0.05, 0.05, 0.5], [0.95, 0.04, 0.5], [0.99, 0.05, 0.5]],
        "right": [[0, 0], [1, 0], [10, 5], [10, 5]],
        "of": [10, 10],
    }
    assert multi_hop.became_pure(run, 0.1) == [(2, "symbolic"), (1, "positional"), None]
    assert multi_hop.became_pure(run, 0.03) == [None, None, None]
    assert multi_hop.accuracy_reached(run) == 2
    assert multi_hop.pure_before(run, 0.1) == (2, 2)


def test_the_command_leaves_a_record_and_pictures(tmp_path, monkeypatch, capsys):
    options = ["train", "--output", str(tmp_path), "--preset", "tiny", "--task", "letter"]
    monkeypatch.setattr("sys.argv", options)
    train_multi_hop_tasks.main()
    record = json.loads((tmp_path / "multi_hop_tasks-tiny.json").read_text())
    assert list(record["runs"]) == ["letter-0"]
    assert {p.stem for p in tmp_path.glob("*-light.png")} == {
        f"{d.picture.stem}-light" for d in multi_hop.pictures_of(record)
    }
    assert "looked at step 20" in capsys.readouterr().out
    monkeypatch.setattr("sys.argv", [*options, "--so-far"])
    train_multi_hop_tasks.main()  # everything is kept: nothing is run again
    assert "looked" not in capsys.readouterr().out
    again = json.loads((tmp_path / "multi_hop_tasks-tiny.json").read_text())
    assert again.pop("command") == record.pop("command") + " --so-far"
    assert again == record


@pytest.mark.parametrize(
    "wrong",
    [["--seeds", "0"], ["--preset", "huge"], ["--device", "cuda"], ["--task", "copy"]],
    ids=lambda option: option[0],
)
def test_a_bad_option_is_named(wrong, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    monkeypatch.setattr("sys.argv", ["train", "--output", str(tmp_path), *wrong])
    with pytest.raises(SystemExit) as ended:
        train_multi_hop_tasks.main()
    assert ended.value.code == 2
    assert wrong[0] in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "value"),
    [("layers", 0), ("width", 5), ("dropout", 1.0), ("rate", 0.0), ("warm_up", 20)],
)
def test_a_bad_setting_is_named(name, value):
    with pytest.raises(InvalidArgument, match=name):
        Settings(**asdict(TINY) | {name: value})
