"""Additivity along a training: marks, the same training with and without looking, summary and record."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from made_up_sources import write_sources

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "experiments"))

import additivity_in_training as command  # noqa: E402
from additive_course import course, shapes, summary  # noqa: E402
from small_lm.training import Settings, train  # noqa: E402

TINY = Settings(steps=3, length=16, layers=1, heads=2, width=16, vocabulary=40, threads=1)


@pytest.fixture(scope="module")
def tokens():
    return np.random.default_rng(0).integers(1, 40, size=2_000)


@pytest.fixture(scope="module")
def courses(tokens):
    shape = shapes.CourseShape(TINY, (0, 1, 3))
    return [
        course.course("tiny", shape, seed, tokens, tokens[:600], end=0, prompts=4)
        for seed in (0, 1)
    ]


def test_every_mark_is_measured_once(courses):
    for run in courses:
        assert [mark["step"] for mark in run["marks"]] == [0, 1, 3]
        for mark in run["marks"]:
            for fits in mark["additive"].values():
                assert all(len(fit["heads"]) == 2 and 0 < fit["null"] < 1 for fit in fits.values())
            assert sum(mark["kinds"].values()) == 2
            assert mark["dummy"]["heads whose key term changes by more than its bound"] == 0
    losses = [[mark["loss"] for mark in run["marks"]] for run in courses]
    assert losses[0] != losses[1]


def test_looking_changes_nothing_about_the_training(courses, tokens):
    for seed, run in enumerate(courses):
        shape = shapes.CourseShape(replace(TINY, seed=seed), ())
        model = shapes.new_model(shape, seed, 0)
        before = [parameter.clone() for parameter in model.parameters()]
        train(model, tokens, shape.settings)
        found = course.measured(
            command_subject(model, tokens[:600]), tokens[:600], length=16, prompts=4
        )
        assert found == {key: run["marks"][-1][key] for key in found}
        assert any(
            not torch.equal(one, other)
            for one, other in zip(before, model.parameters(), strict=True)
        )


def command_subject(model, text):
    from released.subject import Subject

    from ropeproof.theory.rotary.spec import RopeSpec

    return Subject(model, RopeSpec.from_config(model.config), torch.from_numpy(text))


def test_a_shape_starts_with_the_weights_that_it_asks_for():
    one, other = (
        shapes.new_model(shapes.CourseShape(replace(TINY, width=64), (), start), 0, 0)
        for start in (None, 0.02)
    )
    assert one.model.layers[0].self_attn.q_proj.weight.detach().std() == pytest.approx(
        1 / 8, rel=0.05
    )
    assert other.model.layers[0].self_attn.q_proj.weight.detach().std() == pytest.approx(
        0.02, rel=0.05
    )
    again = shapes.new_model(shapes.CourseShape(replace(TINY, width=64), (), 0.02), 0, 0)
    assert torch.equal(again.model.embed_tokens.weight, other.model.embed_tokens.weight)


def test_the_summary_is_over_the_seeds(courses):
    found = summary.table(courses)["loss"]
    firsts = [run["marks"][0]["loss"] for run in courses]
    changes = [run["marks"][-1]["loss"] - run["marks"][0]["loss"] for run in courses]
    assert found["before"]["least"] == min(firsts)
    assert found["before"]["n"] == 2
    assert found["change"]["mean"] == pytest.approx(np.mean(changes))
    # Student's t with one degree of freedom has .975 below 12.706.
    half = 12.706 * np.std(changes, ddof=1) / np.sqrt(2)
    assert found["change"]["high"] - found["change"]["mean"] == pytest.approx(half, rel=1e-3)
    assert summary.interval([1.0]) == {
        "least": 1.0, "mean": 1.0, "most": 1.0, "low": None, "high": None, "n": 1,
    }  # fmt: skip


def test_half_of_the_way_is_the_first_mark_beyond_it(courses):
    run = json.loads(json.dumps(courses[0]))
    for mark, loss in zip(run["marks"], (4.0, 2.9, 2.0), strict=True):
        mark["loss"] = loss
    assert summary.half_way(run, "loss") == 1
    run["marks"][1]["loss"] = 3.1
    assert summary.half_way(run, "loss") == 3
    run["marks"][-1]["loss"] = 4.0
    assert summary.half_way(run, "loss") is None


def test_the_command_writes_a_record_and_goes_on(tmp_path, capsys):
    sources = tmp_path / "sources"
    sources.mkdir()
    write_sources(sources)
    threads = torch.get_num_threads()
    options = ["--quick", "--seeds=1", f"--sources={sources}", f"--output={tmp_path / 'new'}"]
    command.main([*options, "--shape=12 layers"])
    told = capsys.readouterr()
    assert "step 4 of 4: loss" in told.err
    assert "not asked" in told.out
    command.main(options)
    told = capsys.readouterr()
    torch.set_num_threads(threads)
    assert "12 layers, seed 0, step" not in told.err  # kept
    record = json.loads((tmp_path / "new" / "additive_training.json").read_text())
    assert list(record["courses"]) == ["4 layers", "12 layers"]
    rows = record["predictions"]["rows"]
    assert rows
    assert all(row["same"] in (True, False) for row in rows)
    assert f"of {len(rows)} as predicted" in told.out
