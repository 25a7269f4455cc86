"""The benchmark of labels: scores that go on where they stopped, and a rule that is chosen and judged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from example_programs import load_example
from tiny_models import make_model

from ropeproof.tools.measure.kinds import LABELS, KindOptions, ModelKinds, kind_prompts
from ropeproof.tools.measure.kinds.model import HeadRecord, measure_kinds

stability = load_example("label_stability")


def planted(*, sink: float, spread: float, heads: int = 20, prompts: int = 16) -> ModelKinds:
    """Heads that score `sink` on the first token, give or take `spread`, and nothing else."""
    draw = np.random.default_rng(1)
    records = {
        (0, head): HeadRecord(
            lags=[np.zeros(17) for _ in range(prompts)],
            sink=(sink + spread * draw.standard_normal(prompts)).tolist(),
            share=[0.1] * prompts,
            swaps=[np.zeros((2, 8)) for _ in range(prompts)],
            repeated=[np.zeros(2) for _ in range(prompts)],
            control=[np.zeros(2) for _ in range(prompts)],
        )
        for head in range(heads)
    }
    asked = kind_prompts(None, vocabulary=9, length=32, count=prompts)
    return ModelKinds((), asked, KindOptions(), records, {0: None}, {})


def judged(found: ModelKinds, options: KindOptions, splits: int) -> np.ndarray:
    return stability.halves_of(found, splits).judged(options)


def test_heads_far_from_a_threshold_keep_their_label():
    table = judged(planted(sink=0.9, spread=0.01), KindOptions(), 5)
    np.testing.assert_array_equal(table, [[0, 0, 0, 100]] * 5)


@pytest.mark.parametrize("sink", [0.02, 0.28, 0.3, 0.4])
def test_labels_are_those_of_the_rule(sink):
    found = planted(sink=sink, spread=0.1)
    options = KindOptions(confidence=0.9, thresholds=(("sink", 0.28), ("positional", 0.1)))
    halves = stability.halves_of(found, 3)
    labels = halves.labels(options)
    draw = np.random.default_rng(0)
    for split in range(3):
        order = draw.permutation(16).tolist()
        for half, part in enumerate((order[:8], order[8:])):
            wanted = [head.label for head in replace(found, options=options).some(part).heads]
            assert [LABELS[number] for number in labels[split, half]] == wanted
    differ, contradict, alone, labelled = halves.judged(options).T
    np.testing.assert_allclose(differ, contradict + alone)
    np.testing.assert_allclose(differ, 100 * (labels[:, 0] != labels[:, 1]).mean(-1))
    known = labels != LABELS.index("not decided")
    np.testing.assert_allclose(labelled, 100 * known.mean(-1).min(-1))


def test_the_rule_moves_a_threshold_away_from_the_heads(monkeypatch):
    monkeypatch.setattr(stability, "CONFIDENCES", (0.95,))
    halves = stability.halves_of(planted(sink=0.3, spread=0.05), 10)
    rule = stability.chosen_rule(halves)
    assert dict(rule.thresholds)["sink"] != 0.3
    before, after = (halves.judged(each)[:, 0].mean() for each in (KindOptions(), rule))
    assert after < before


def test_halves_may_be_smaller():
    found = planted(sink=0.5, spread=0.3)
    few, all_of_them = (stability.halves_of(found, 5, half) for half in (4, None))
    assert (few.prompts, all_of_them.prompts) == (4, 8)
    assert few.mean.shape == all_of_them.mean.shape
    labelled = [each.judged(KindOptions())[:, 3].mean() for each in (few, all_of_them)]
    assert labelled[0] < labelled[1]


def test_a_higher_confidence_labels_fewer_heads_and_a_shared_spread_is_that_of_both_halves():
    halves = stability.halves_of(planted(sink=0.33, spread=0.1, heads=60), 5)
    tables = dict(stability.traded(halves))
    labelled = [table[:, 3].mean() for name, table in tables.items() if "confidence" in name]
    assert len(labelled) == len(stability.TRADED)
    assert labelled == sorted(labelled, reverse=True)
    assert labelled[0] > labelled[-1]
    jointly, shared = (tables[name][:, 3].mean() for name in list(tables)[-2:])
    assert labelled[4] >= jointly >= labelled[5]
    assert abs(shared - labelled[3]) < 10


def test_the_default_stays_where_no_rule_labels_enough(monkeypatch):
    monkeypatch.setattr(stability, "LEAST", 101.0)
    halves = stability.halves_of(planted(sink=0.9, spread=0.01), 2)
    assert stability.chosen_rule(halves) == KindOptions()


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


def test_a_head_near_a_threshold_takes_more_prompts_than_a_clear_one(capsys):
    near, clear = (planted(sink=sink, spread=0.05, heads=4) for sink in (0.3, 0.9))
    order = list(range(16))
    for found, more in ((near, True), (clear, False)):
        taken = [
            stability.as_measured(record, order, found.prompts, None)
            for record in found.records.values()
        ]
        assert any(texts > 8 for _, _, texts, _ in taken) is more
        assert all(pairs == 4 for _, _, _, pairs in taken)
        alone = stability.as_measured(
            found.records[0, 0], order, found.prompts, None, further=False
        )
        assert alone[2:] == (8, 4)
    stability.show_as_measured("clear", clear, 2)
    shown = capsys.readouterr().out
    assert "differ 0.0, one half labels 0.0, contradict 0.00, labelled, the fewer 100.0" in shown
    assert "said to change 0.0; 8.0 texts and 4.0 pairs a head" in shown
    assert "100.0 % of heads, on average  0.0, changed  0.0" in shown
