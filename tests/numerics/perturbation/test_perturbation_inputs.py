"""Longer inputs, and lags that are distinguished."""

from __future__ import annotations

import dataclasses
import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from perturbed_heads import SPEC, SPECS, cases, few, head

from ropeproof.numerics.bounds.perturbation import (
    apart,
    lags_apart,
    longer,
    longer_inputs,
)
from ropeproof.numerics.bounds.posgen import effective_length
from ropeproof.numerics.core import softmax
from ropeproof.numerics.core.spec import logits
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec


def kinds(count=5, dim=16, seed=3):
    random = np.random.default_rng(seed)
    return random.normal(size=dim), random.normal(size=(count, dim)), random.normal(size=(count, 2))


def enumerated(fit, length):
    """Mean squared distance over all prompts of the kinds, each as likely."""
    total = []
    for prompt in itertools.product(range(len(fit.kinds)), repeat=length):
        chosen = list(prompt)
        weights = softmax.weights(fit.lags[:length] + fit.kinds[chosen])
        total.append(((weights @ fit.values[chosen] - fit.limit) ** 2).sum())
    return float(np.mean(total))


@pytest.mark.parametrize("name", SPECS)
@pytest.mark.parametrize("length", [1, 2, 4])
def test_the_bound_is_that_of_all_prompts(name, length):
    query, keys, values = kinds()
    (found,) = longer_inputs(query, keys, values, SPECS[name], lengths=[length], draws=2)
    packed = longer.read_head(query[None], keys, SPECS[name], None)
    fit = longer._fit(packed, values, length, length)
    expected = enumerated(fit, length)
    assert expected <= found.bound
    assert expected > found.bound / 500
    assert found.key_bound == pytest.approx(np.ptp(fit.kinds) / 2)


def test_draws_come_near_the_mean_over_all_prompts():
    query, keys, values = kinds()
    (found,) = longer_inputs(query, keys, values, SPEC, lengths=[4], draws=4000)
    fit = longer._fit(longer.read_head(query[None], keys, SPEC, None), values, 4, 4)
    assert abs(found.spread - enumerated(fit, 4)) < 4 * found.spread_error
    assert found.spread_error < found.spread / 20


def test_the_fit_is_that_of_the_logits():
    query, keys, values = kinds()
    length = 50
    lags = np.arange(length)
    table = logits(np.tile(query, (length, 1)), keys, lags, [0], SPEC)
    fit = longer._fit(longer.read_head(query[None], keys, SPEC, None), values, length, length)
    rows, columns = table.mean(1, keepdims=True), table.mean(0, keepdims=True)
    left = table - rows - columns + table.mean()
    np.testing.assert_allclose(fit.lags, rows[:, 0], atol=1e-12)
    np.testing.assert_allclose(
        fit.kinds - fit.kinds.mean(), columns[0] - columns.mean(), atol=1e-12
    )
    (found,) = longer_inputs(query, keys, values, SPEC, lengths=[length], draws=2)
    assert found.residual == pytest.approx(np.sqrt((left**2).mean()))
    assert found.effective == pytest.approx(effective_length(rows[:, 0]))
    assert found.effective_bound <= found.effective <= length


def test_additive_logits_are_the_heads_own_where_nothing_turns():
    """Without rotation the logits are `g` alone, and the claim is about the head itself."""
    query, keys, values = kinds()
    still = RopeSpec(16, 100, rotary_dim=2)
    query[[0, 1]] = 0
    lengths = [1, 16, 256]
    found = longer_inputs(query, keys, values, still, lengths=lengths, draws=200)
    for row, length in zip(found, lengths, strict=True):
        assert row.residual == pytest.approx(0, abs=1e-9)
        assert row.own_spread == pytest.approx(row.spread)
        assert row.effective == pytest.approx(length)
        assert row.effective_bound == pytest.approx(length)
    # The spread falls as one over the length, as its bound does.
    assert found[2].bound == pytest.approx(found[0].bound / 256)
    assert found[1].spread / found[2].spread == pytest.approx(16, rel=0.5)


def test_inputs_are_drawn_anew_with_the_seed():
    query, keys, values = kinds()
    args = query, keys, values, SPEC
    first, again, other = (
        longer_inputs(*args, lengths=[8, 64], draws=8, seed=s) for s in (0, 0, 1)
    )
    assert [r.spread for r in first] == [r.spread for r in again]
    assert first[0].spread != other[0].spread
    assert [r.bound for r in first] == [r.bound for r in other]
    (window,) = longer_inputs(*args, lengths=[8], window=64)
    assert (window.bound, window.residual) == (first[0].bound, first[0].residual)
    (narrow,) = longer_inputs(*args, lengths=[8])
    assert narrow.residual < window.residual


@pytest.mark.parametrize(
    ("change", "argument"),
    [
        ({"query": np.ones((2, 16))}, "query"),
        ({"query": np.ones(3)}, "query"),
        ({"query": np.full(16, np.inf)}, "query"),
        ({"keys": np.ones(16)}, "keys"),
        ({"values": np.ones((3, 2))}, "values"),
        ({"values": np.ones(5)}, "values"),
        ({"lengths": []}, "lengths"),
        ({"lengths": [4, 0]}, "lengths"),
        ({"window": 0}, "window"),
        ({"draws": 1}, "draws"),
        ({"seed": -1}, "seed"),
        ({"spec": None}, "query"),
    ],
)
def test_bad_longer_inputs_are_refused(change, argument):
    query, keys, values = kinds()
    given = {"query": query, "keys": keys, "values": values, "spec": SPEC, "lengths": [4]}
    with pytest.raises(InvalidArgument) as error:
        longer_inputs(**(given | change))
    assert error.value.argument == argument


# --- lags that are distinguished ------------------------------------------------------------------------


@pytest.mark.parametrize("name", SPECS)
def test_distances_are_those_of_all_pairs(name):
    spec, (queries, keys) = SPECS[name], head(6)
    lags = np.arange(12)
    tables = [logits(np.tile(q, (len(lags), 1)), keys, lags, [0], spec, scale=0.4) for q in queries]
    rows = np.hstack(tables)
    expected = ((rows[:, None] - rows[None]) ** 2).mean(2)
    features = apart._features(apart.read_head(queries, keys, spec, 0.4), 12)
    found = ((features[:, None] - features[None]) ** 2).sum(2)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


@given(case=cases(), gap=st.floats(0.02, 4.0))
@few
def test_no_more_lags_are_apart_than_there_can_be(case, gap):
    queries, keys, spec, _ = case
    found = lags_apart(queries, keys, spec, length=200, gap=gap)
    assert found.holds
    assert len(found.lags) >= 1
    assert not dataclasses.replace(found, bound=len(found.lags) - 1).holds


def test_lags_on_one_circle():
    """One plane and equal keys: the lags are on a circle of radius `s |q||k|`, less a factor."""
    size, spec = 3.0, RopeSpec(2, 10000)
    queries, keys = size * np.eye(2), np.array([[1.0, 0.0]])
    found = lags_apart(queries, keys, spec, length=4000, gap=0.25, scale=1.0)
    # Both quadratures: the mean square of the difference is half of the squared chord.
    fitting = math.pi / math.asin(math.sqrt(2 * 0.25) / (2 * size))
    assert len(found.lags) <= fitting
    assert len(found.lags) > 0.9 * fitting
    assert len(found.lags) > 0.6 * found.bound
    assert (found.length, found.gap) == (4000, 0.25)


@pytest.mark.parametrize(
    ("change", "argument"),
    [({"gap": 0}, "gap"), ({"gap": -1.0}, "gap"), ({"length": 0}, "length")],
)
def test_bad_gaps_are_refused(change, argument):
    queries, keys = head()
    with pytest.raises(InvalidArgument) as error:
        lags_apart(queries, keys, SPEC, **({"length": 4, "gap": 1.0} | change))
    assert error.value.argument == argument
