"""The expected score of a slash head on independent tokens, enclosed, beside the measured one."""

from __future__ import annotations

import numpy as np
import pytest

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.measure import HeadVectors, MeasureOptions
from ropeproof.tools.measure.head.attention import logit_blocks
from ropeproof.tools.measure.head.race import WIDTH, race_measure

SPEC = RopeSpec(8, 100)


def vectors(length=40, *, window=None, soft_cap=None, seed=0):
    draw = np.random.default_rng(seed)
    sides = (draw.normal(size=(length, 8)) + 1 for _ in range(2))
    queries, keys = sides
    return HeadVectors(
        queries=queries, keys=keys, tokens=np.arange(length), spec=SPEC, scale=0.5,
        soft_cap=soft_cap, window=window, layer=0, head=0, key_head=0, first=True, prompt="text",
    )  # fmt: skip


def attention(head):
    rows = np.full((head.length, head.length), -np.inf)
    for start, logits in logit_blocks(head):
        for place, row in enumerate(logits.numpy()):
            at = start + place
            first = max(0, at + 1 - head.reach)
            rows[at, first : at + 1] = row[first : at + 1]
    weights = np.exp(rows - rows.max(1, keepdims=True))
    return weights / weights.sum(1, keepdims=True)


@pytest.mark.parametrize("how", [{}, {"window": 12}, {"soft_cap": 2.0}])
def test_what_is_measured_is_the_heads_own_weight(how):
    head = vectors(**how)
    found = race_measure(head, 3)
    weights = attention(head)
    assert len(found.rows) == 8
    own = [weights[row, row - 3] for row in found.rows]
    np.testing.assert_allclose(found.each[:, 2], own, rtol=1e-9)
    assert found.measured == pytest.approx(np.mean(own))
    assert found.upper - found.lower <= WIDTH


@pytest.mark.parametrize("how", [{}, {"window": 12}, {"soft_cap": 2.0}])
def test_the_enclosure_holds_the_mean_over_draws(how):
    head = vectors(**how)
    found = race_measure(head, 3, rows=2)
    draw = np.random.default_rng(1)
    sampled, errors = [], []
    for row in found.rows:
        seen = min(row + 1, head.reach)
        each = []
        for _ in range(4000):
            keys = head.keys.copy()
            drawn = draw.integers(head.length, size=seen - 1)
            keys[row + 1 - seen : row] = head.keys[drawn]
            each.append(weight(head, keys, row, seen, 3))
        sampled.append(np.mean(each))
        errors.append(np.std(each) / np.sqrt(len(each)))
    slack = 4 * float(np.hypot(*errors)) / 2
    assert found.lower - slack <= np.mean(sampled) <= found.upper + slack


def weight(head, keys, row, seen, lag):
    planes = SPEC.plane_coordinates()
    real, imaginary = (list(side) for side in zip(*planes, strict=True))
    theta = 100.0 ** (-np.arange(4) / 4)
    query = head.queries[row, real] + 1j * head.queries[row, imaginary]
    lags = np.arange(seen)
    key = keys[row - lags][:, real] + 1j * keys[row - lags][:, imaginary]
    logits = (query * np.exp(1j * theta * lags[:, None]) * key.conj()).real.sum(1) * head.scale
    if head.soft_cap is not None:
        logits = head.soft_cap * np.tanh(logits / head.soft_cap)
    powers = np.exp(logits - logits.max())
    return powers[lag] / powers.sum()


def test_what_order_adds_is_the_difference():
    found = race_measure(vectors(), 3)
    low, high = found.added
    assert low <= high
    assert low == pytest.approx(found.measured - found.upper)
    assert found.as_json()["added"] == [low, high]
    assert found.error > 0
    assert race_measure(vectors(length=5), 4).error == 0.0


def test_rows_are_an_option():
    assert MeasureOptions(race=0).race == 0
    with pytest.raises(InvalidArgument, match="race"):
        MeasureOptions(race=-1)
