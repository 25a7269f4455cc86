"""Slash scores of every lag, of attention and of queries and keys, against the double loop."""

from __future__ import annotations

import doctest
import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from oracle_values import attention_rows
from refused_vectors import refused_vectors

from ropeproof.numerics.bounds.slash import score
from ropeproof.numerics.bounds.slash.score import (
    dominant_lags,
    slash_scores,
    slash_scores_of,
)
from ropeproof.numerics.core.profiles import settings_for
from ropeproof.numerics.core.spec import logits
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec, Yarn

few = settings_for("quick", cases=40)
SPEC = RopeSpec(8, 100)
SPECS = {
    "half": SPEC,
    "interleaved": RopeSpec(8, 100, layout="interleaved"),
    "partial": RopeSpec(8, 100, rotary_dim=4, layout="interleaved"),
    "attention factor": RopeSpec(8, 100, scaling=Yarn(factor=4, original_length=16), length=64),
}


def by_definition(weights):
    """The mean of `S[i, i - lag]` over the rows that have that key, one entry at a time."""
    length = len(weights)
    return np.array(
        [
            sum(float(weights[row, row - lag]) for row in range(lag, length)) / (length - lag)
            for lag in range(length)
        ]
    )


def random_attention(*shape, seed=0):
    """Causal attention weights, `(*shape, shape[-1])` float64."""
    numbers = np.random.default_rng(seed).normal(size=(*shape, shape[-1])) * 3
    sizes = np.tril(np.exp(numbers))
    return sizes / sizes.sum(-1, keepdims=True)


def attention_of(queries, keys, spec, scale=None):
    """Attention by the masked softmax of `ropeproof.numerics.core.spec.logits`, float64."""
    places = np.arange(queries.shape[-2])
    return attention_rows(logits(queries, keys, places, places, spec, scale=scale))


# --- from attention matrices ------------------------------------------------------------------


@pytest.mark.parametrize("length", [1, 2, 3, 7, 16, 33])
@pytest.mark.parametrize("block", [1, 2, 5, 16, 128])
def test_all_lags_are_the_definition(length, block):
    weights = random_attention(length, seed=length)
    found = slash_scores(weights, block=block)
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, by_definition(weights), rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize(
    ("dtype", "tolerance"),
    [
        (torch.float64, 1e-14),
        (torch.float32, 1e-6),
        (torch.float16, 1e-6),
        (torch.bfloat16, 1e-6),
    ],
)
def test_torch_of_every_type(dtype, tolerance):
    weights = torch.from_numpy(random_attention(2, 3, 12)).to(dtype)
    found = slash_scores(weights, block=5)
    assert isinstance(found, torch.Tensor)
    assert found.dtype == torch.float64
    assert found.shape == (2, 3, 12)
    for place in np.ndindex(2, 3):
        expected = by_definition(weights[place].double().numpy())
        np.testing.assert_allclose(found[place].numpy(), expected, rtol=0, atol=tolerance)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16])
def test_numpy_of_every_type(dtype):
    weights = random_attention(9).astype(dtype)
    found = slash_scores(weights)
    assert isinstance(found, np.ndarray)
    assert found.dtype == np.float64
    expected = by_definition(weights.astype(np.float64))
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-6)


def test_strided_and_read_only_arrays():
    weights = random_attention(2, 10)
    expected = slash_scores(weights)
    mirrored = np.ascontiguousarray(weights[:, :, ::-1])[:, :, ::-1]
    swapped = np.asfortranarray(weights)
    weights.flags.writeable = False
    for same in (mirrored, swapped, weights):
        np.testing.assert_array_equal(slash_scores(same), expected)


@pytest.mark.parametrize("axis", [0, 1])
def test_prompts_are_averaged_and_heads_kept(axis):
    weights = random_attention(4, 3, 7)
    each = np.array([[by_definition(w) for w in row] for row in weights])
    assert slash_scores(weights).shape == (4, 3, 7)
    found = slash_scores(weights, prompts=axis)
    np.testing.assert_allclose(found, each.mean(axis), rtol=1e-13)


def test_no_heads_is_no_scores():
    assert slash_scores(np.zeros((0, 4, 4))).shape == (0, 4)


def test_exact_cases():
    identity = np.eye(6)
    assert slash_scores(identity).tolist() == [1, 0, 0, 0, 0, 0]
    previous = np.eye(6, k=-1)
    previous[0, 0] = 1
    assert slash_scores(previous).tolist() == [1 / 6, 1, 0, 0, 0, 0]
    first = np.zeros((6, 6))
    first[:, 0] = 1
    assert slash_scores(first).tolist() == [1 / 6, 1 / 5, 1 / 4, 1 / 3, 1 / 2, 1]


# --- from queries and keys --------------------------------------------------------------------


@few
@given(st.sampled_from(list(SPECS.values())), st.integers(1, 20), st.integers(1, 25), st.data())
def test_any_length_block_and_scale(spec, length, block, data):
    seed, scale = data.draw(st.integers(0, 10**6)), data.draw(st.floats(-3, 3))
    queries, keys = np.random.default_rng(seed).normal(size=(2, length, spec.head_dim))
    expected = by_definition(attention_of(queries, keys, spec, scale))
    found = slash_scores_of(queries, keys, spec, scale=scale, block=block)
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-14)


def test_the_layouts_differ():
    """Otherwise the cases above would prove nothing of the layout."""
    queries, keys = np.random.default_rng(2).normal(size=(2, 13, 8)) * 2
    first, second, third, _ = (slash_scores_of(queries, keys, spec) for spec in SPECS.values())
    assert abs(first - second).max() > 1e-3
    assert abs(second - third).max() > 1e-3


@pytest.mark.parametrize("kind", [np.asarray, torch.from_numpy])
def test_grouped_heads_share_their_keys(kind):
    random = np.random.default_rng(3)
    queries, keys = random.normal(size=(2, 4, 3, 11, 8)), random.normal(size=(2, 4, 1, 11, 8))
    found = slash_scores_of(kind(queries), kind(keys), SPEC, block=4)
    assert type(found) is type(kind(queries))
    assert tuple(found.shape) == (2, 4, 3, 11)
    for place in np.ndindex(2, 4, 3):
        weights = attention_of(queries[place], keys[(*place[:2], 0)], SPEC)
        np.testing.assert_allclose(found[place], by_definition(weights), rtol=1e-11)


@pytest.mark.parametrize(
    ("dtype", "tolerance"),
    [(torch.float32, 1e-5), (torch.float16, 2e-3), (torch.bfloat16, 2e-2)],
)
def test_lower_precision_is_near(dtype, tolerance):
    queries, keys = np.random.default_rng(4).normal(size=(2, 40, 8))
    exact = slash_scores_of(queries, keys, SPEC)
    q, k = (torch.from_numpy(x).to(dtype) for x in (queries, keys))
    found = slash_scores_of(q, k, SPEC)
    assert found.dtype == torch.float64
    np.testing.assert_allclose(found.numpy(), exact, rtol=0, atol=tolerance)


def test_gradients_and_arguments_are_left_alone():
    queries = torch.randn(9, 8, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    queries.requires_grad_()
    before = queries.detach().clone()
    found = slash_scores_of(queries, queries, SPEC)
    assert not found.requires_grad
    assert torch.equal(queries.detach(), before)


def test_large_logits_do_not_overflow():
    """Aligned at lag 1, with logits far beyond where `exp` overflows."""
    spec = RopeSpec(2, 10000)
    keys = np.tile([1e3, 0.0], (20, 1))
    queries = np.tile([1e3 * math.cos(-1), 1e3 * math.sin(-1)], (20, 1))
    found = slash_scores_of(queries, keys, spec)
    assert found[1] == pytest.approx(1, abs=1e-12)


def test_logits_beyond_the_type_are_refused():
    huge = np.full((3, 8), 1e200)
    with pytest.raises(InvalidArgument, match="queries"):
        slash_scores_of(huge, huge, SPEC)


# --- dominance --------------------------------------------------------------------------------


def test_dominance_is_at_least_the_threshold():
    scores = np.array([0.1, 0.5, 0.25, 0.75])
    assert dominant_lags(scores, 0.5) == [1, 3]
    assert dominant_lags(scores, 0.5000001) == [3]
    assert dominant_lags(torch.from_numpy(scores), 0.25) == [1, 2, 3]
    assert dominant_lags(scores, 0.8) == []


def test_lags_of_too_few_rows_are_left_out():
    first = np.zeros((6, 6))
    first[:, 0] = 1  # attends to the first token: no slash head
    scores = slash_scores(first)
    assert dominant_lags(scores, 0.5) == [4, 5]
    assert dominant_lags(scores, 0.5, least_rows=2) == [4]
    assert dominant_lags(scores, 0.5, least_rows=3) == []
    assert dominant_lags(scores, 0.1, least_rows=6) == [0]


# --- what is refused --------------------------------------------------------------------------

GOOD = random_attention(4)


def changed(place, value):
    weights = GOOD.copy()
    weights[place] = value
    return weights


@pytest.mark.parametrize(
    ("attention", "options", "argument"),
    [
        (GOOD[0], {}, "attention"),
        (GOOD[:3], {}, "attention"),
        (np.zeros((0, 0)), {}, "attention"),
        ([[1.0]], {}, "attention"),
        (np.eye(3, dtype=int), {}, "attention"),
        (np.eye(3, dtype=complex), {}, "attention"),
        (torch.eye(3, dtype=torch.int64), {}, "attention"),
        (changed((2, 1), np.nan), {}, "attention"),
        (changed((2, 1), np.inf), {}, "attention"),
        (changed((2, 1), -0.1), {}, "attention"),
        (changed((1, 3), 0.1), {}, "attention"),
        (changed((3, 0), 0.99), {}, "attention"),
        (GOOD / 2, {}, "attention"),
        (np.full((4, 4), 0.25), {}, "attention"),
        (GOOD, {"prompts": 0}, "prompts"),
        (GOOD[np.newaxis], {"prompts": 1}, "prompts"),
        (GOOD[np.newaxis], {"prompts": -1}, "prompts"),
        (np.zeros((0, 4, 4)), {"prompts": 0}, "attention"),
        (GOOD, {"block": 0}, "block"),
        (GOOD, {"block": 2.5}, "block"),
    ],
)
def test_bad_attention_is_refused(attention, options, argument):
    with pytest.raises(InvalidArgument) as error:
        slash_scores(attention, **options)
    assert error.value.argument == argument


Q = np.ones((4, 8))


@pytest.mark.parametrize(
    ("queries", "keys", "options", "argument"),
    [
        *refused_vectors(Q),
        (Q[:0], Q[:0], {}, "queries"),
        (Q, Q, {"block": 0}, "block"),
    ],
)
def test_bad_queries_and_keys_are_refused(queries, keys, options, argument):
    with pytest.raises(InvalidArgument) as error:
        slash_scores_of(queries, keys, **{"spec": SPEC, **options})
    assert error.value.argument == argument


@pytest.mark.parametrize("threshold", [0, -0.5, 1.5, math.nan, "much"])
def test_bad_thresholds_are_refused(threshold):
    scores = np.array([0.5, 0.5])
    with pytest.raises(InvalidArgument) as error:
        dominant_lags(scores, threshold)
    assert error.value.argument == "threshold"


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: dominant_lags(np.array([np.nan]), 0.5), "scores"),
        (lambda: dominant_lags(np.float64(0.5), 0.5), "scores"),
        (lambda: dominant_lags(np.array([[0.5]]), 0.5), "scores"),
        (lambda: dominant_lags(np.array([]), 0.5), "scores"),
        (lambda: dominant_lags(np.array([0.5]), 0.5, least_rows=0), "least_rows"),
        (lambda: dominant_lags(np.array([0.5]), 0.5, least_rows=2), "least_rows"),
    ],
)
def test_bad_scores_are_refused(call, argument):
    with pytest.raises(InvalidArgument) as error:
        call()
    assert error.value.argument == argument


def test_doctests():
    assert doctest.testmod(score).failed == 0
