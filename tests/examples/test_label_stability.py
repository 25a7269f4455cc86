"""The benchmark of labels: scores that go on where they stopped, and a rule that is chosen and judged."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import torch
from tiny_models import make_model

from ropeproof.numerics.kinds import KindOptions, ModelKinds, kind_prompts
from ropeproof.numerics.kinds.model import HeadRecord, measure_kinds

PATH = Path(__file__).resolve().parents[2] / "benchmarks/label_stability.py"


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("label_stability", PATH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["label_stability"] = module
    spec.loader.exec_module(module)
    return module


stability = load()


def planted(*, sink: float, spread: float, heads: int = 20, prompts: int = 16) -> ModelKinds:
    """Heads that score `sink` on the first token, give or take `spread`, and nothing else."""
    draw = np.random.default_rng(1)
    records = {
        (0, head): HeadRecord(
            lags=[np.zeros(17) for _ in range(prompts)],
            sink=(sink + spread * draw.standard_normal(prompts)).tolist(),
            swaps=[np.zeros((2, 8)) for _ in range(prompts)],
            repeated=[np.zeros(2) for _ in range(prompts)],
            control=[np.zeros(2) for _ in range(prompts)],
        )
        for head in range(heads)
    }
    asked = kind_prompts(None, vocabulary=9, length=32, count=prompts)
    return ModelKinds((), asked, KindOptions(), records, {0: None}, {})


def test_heads_far_from_a_threshold_keep_their_label():
    table = stability.judged(planted(sink=0.9, spread=0.01), KindOptions(), 5)
    np.testing.assert_array_equal(table, [[0, 0, 0, 100]] * 5)


def test_heads_at_a_threshold_are_counted_by_what_their_halves_say():
    found = planted(sink=0.3, spread=0.1)
    differ, contradict, alone, labelled = stability.judged(found, KindOptions(), 20).T
    np.testing.assert_allclose(differ, contradict + alone)
    assert 0 < differ.mean() < 100
    assert labelled.mean() < 50
    orders = np.random.default_rng(0)
    order = orders.permutation(16).tolist()
    halves = [[head.label for head in found.some(part).heads] for part in (order[:8], order[8:])]
    wanted = 100 * np.mean([a != b for a, b in zip(*halves, strict=True)])
    assert stability.compared(found, order)[0] == pytest.approx(wanted)


def test_the_rule_moves_a_threshold_away_from_the_heads(monkeypatch):
    monkeypatch.setattr(stability, "CONFIDENCES", (0.95,))
    found = planted(sink=0.3, spread=0.05)
    rule = stability.chosen_rule(found, 5)
    assert dict(rule.thresholds)["sink"] != 0.3
    before, after = (stability.judged(found, each, 10)[:, 0] for each in (KindOptions(), rule))
    assert after.mean() < before.mean()


def test_the_default_stays_where_no_rule_labels_enough(monkeypatch):
    monkeypatch.setattr(stability, "LEAST", 101.0)
    assert stability.chosen_rule(planted(sink=0.9, spread=0.01), 2) == KindOptions()


@pytest.mark.parametrize("count", [1, 2, 6, 16])
def test_every_beginning_of_an_order_is_spread(count):
    order = stability.spread_order(count)
    assert sorted(order) == list(range(count))
    assert order[:2] in ([0], [0, 1], [0, 4], [0, 8])


def test_scores_go_on_where_they_stopped(tmp_path):
    model = make_model("llama", torch.float32)
    words = len(model.get_input_embeddings().weight)
    prompts = kind_prompts(None, vocabulary=words, length=12, count=8)
    kept = tmp_path / "labels"
    some = stability.scored(model, prompts, kept, "some", until=0.0)
    assert len(some.prompts.texts) == 4
    found = stability.scored(model, prompts, kept, "all")
    wanted = measure_kinds(model, prompts)
    np.testing.assert_array_equal(found.prompts.texts, prompts.texts)
    order = list(range(8))
    for mine, theirs in zip(found.some(order).heads, wanted.heads, strict=True):
        assert mine.label == theirs.label
        for kind, score in theirs.scores.items():
            assert mine.scores[kind].mean == pytest.approx(score.mean, abs=1e-6)
    assert len(some.some(order[:4]).heads) == len(wanted.heads)
