"""Rank statistics against numpy's singular values, the sandwich against attention itself."""

from __future__ import annotations

import doctest
import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from oracle_values import attention_rows

from ropeproof.numerics.bounds.slash.game import bands
from ropeproof.numerics.bounds.slash.learned import rank
from ropeproof.numerics.bounds.slash.learned.rank import (
    band_shares,
    mean_fit,
    rank_statistics,
    sandwich,
)
from ropeproof.numerics.bounds.slash.score import slash_scores
from ropeproof.numerics.core.profiles import settings_for
from ropeproof.numerics.core.spec import logits
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec, Yarn

few = settings_for("quick", cases=40)
SPEC = RopeSpec(8, 100)
SPECS = [
    SPEC,
    RopeSpec(8, 100, layout="interleaved"),
    RopeSpec(8, 100, rotary_dim=4),
    RopeSpec(8, 100, scaling=Yarn(factor=4, original_length=16), length=64),
]


def attention_of(queries, keys, spec, scale=None):
    places = np.arange(len(queries))
    return attention_rows(logits(queries, keys, places, places, spec, scale=scale))


def nearly_rank_one(length, spec, spread, seed):
    """Queries and keys, `(length, head_dim)` each, around one vector each."""
    random = np.random.default_rng(seed)
    means = random.normal(size=(2, 1, spec.head_dim)) * 2
    return means + spread * random.normal(size=(2, length, spec.head_dim))


# --- singular values --------------------------------------------------------------------------


@few
@given(st.integers(1, 12), st.integers(1, 8), st.integers(0, 10**6))
def test_statistics_are_numpys_singular_values(length, columns, seed):
    matrix = np.random.default_rng(seed).normal(size=(length, columns))
    found = rank_statistics(matrix)
    expected = np.linalg.svd(matrix, compute_uv=False)
    np.testing.assert_allclose(found.singular_values, expected, rtol=1e-12)
    squares = expected**2 / (expected**2).sum()
    np.testing.assert_allclose(found.shares, squares, rtol=1e-12)
    assert found.r1 == pytest.approx(squares[0], rel=1e-12)
    for level in (0.5, 0.95, 0.999):
        least = next(r for r in range(1, len(squares) + 1) if squares[:r].sum() >= level)
        assert found.rank_at(level) == least
    assert found.r095 == found.rank_at(0.95)
    # From 1/rank to 1; the shares sum to 1.
    assert 1 / min(length, columns) - 1e-12 <= found.r1 <= 1
    assert found.shares.sum() == pytest.approx(1, rel=1e-14)


def test_rank_one_is_one():
    random = np.random.default_rng(0)
    found = rank_statistics(np.outer(random.normal(size=20), random.normal(size=8)))
    assert found.r1 == pytest.approx(1, abs=1e-15)
    assert found.r095 == 1
    assert rank_statistics(np.array([[-3.0]])).r1 == 1


def test_the_matrix_is_not_centred():
    """Equal rows would be 0 once centred; here they are rank one."""
    assert rank_statistics(np.ones((5, 3))).r1 == pytest.approx(1)


def test_levels_are_reached_exactly():
    found = rank_statistics(np.diag([3.0, 4.0, 0.0]))
    assert found.shares.tolist() == [0.64, 0.36, 0]
    assert (found.rank_at(0.64), found.rank_at(0.6400001), found.rank_at(1)) == (1, 2, 2)


@pytest.mark.parametrize("scale", [1e-300, 1e-200, 1e200, 1e300])
def test_squares_neither_overflow_nor_vanish(scale):
    found = rank_statistics(np.diag([4.0, 3.0]) * scale)
    assert found.r1 == pytest.approx(0.64, rel=1e-12)
    assert found.rank_at(0.65) == 2


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_tensors_are_read_as_float64(dtype):
    matrix = torch.randn(6, 4, generator=torch.Generator().manual_seed(0)).to(dtype)
    matrix.requires_grad_()
    found = rank_statistics(matrix).singular_values
    assert found.dtype == np.float64
    expected = np.linalg.svd(matrix.detach().double().numpy(), compute_uv=False)
    np.testing.assert_array_equal(found, expected)


# --- means ------------------------------------------------------------------------------------


@few
@given(st.integers(1, 12), st.integers(1, 12), st.integers(0, 10**6))
def test_the_fit_is_the_mean_and_the_largest_deviation(tokens, others, seed):
    random = np.random.default_rng(seed)
    queries, keys = random.normal(size=(tokens, 6)) + 1, random.normal(size=(others, 6)) - 2
    fit = mean_fit(queries, keys)
    for vectors, mean, epsilon in (
        (queries, fit.mean_query, fit.epsilon_query),
        (keys, fit.mean_key, fit.epsilon_key),
    ):
        middle = sum(vectors) / len(vectors)
        np.testing.assert_allclose(mean, middle, rtol=1e-12, atol=1e-14)
        distances = [math.dist(v, middle) / math.hypot(*middle) for v in vectors]
        assert epsilon == pytest.approx(max(distances), rel=1e-9, abs=1e-13)


def test_the_fit_of_equal_vectors_and_of_a_known_deviation():
    same = mean_fit(np.tile([1.0, 2.0], (5, 1)), np.tile([3.0, 4.0], (2, 1)))
    assert (same.epsilon_query, same.epsilon_key) == (0, 0)
    # Mean (2, 0); deviation 1.5 across.
    fit = mean_fit(np.array([[2.0, 1.5], [2.0, -1.5]]), np.array([[3.0, 4.0], [3.0, 4.0]]))
    assert fit.mean_query.tolist() == [2, 0]
    assert (fit.epsilon_query, fit.epsilon_key) == (0.75, 0)
    # s|q||k| = 2 * 5 with scale 1, times 0.75.
    assert fit.eta(RopeSpec(2, 100), scale=1) == pytest.approx(7.5, rel=1e-14)


@pytest.mark.parametrize("spec", SPECS)
def test_no_logit_is_further_than_eta_from_the_mean_head(spec):
    queries, keys = nearly_rank_one(16, spec, 0.2, seed=5)
    fit = mean_fit(queries, keys)
    sizes, phases = fit.amplitudes_and_phases(spec)
    places = np.arange(16)
    lags = places[:, None] - places
    means = rank.cosine_logits(sizes, phases, spec, lags.reshape(-1)).reshape(lags.shape)
    off = abs(logits(queries, keys, places, places, spec) - means).max()
    assert 0.05 * fit.eta(spec) < off <= fit.eta(spec)


# --- sandwich ---------------------------------------------------------------------------------


@few
@given(
    st.sampled_from(SPECS),
    st.integers(1, 24),
    st.data(),
    st.sampled_from([0.0, 1e-3, 0.05, 0.3]),
    st.integers(0, 10**6),
)
def test_the_sandwich_holds_the_weights(spec, length, data, spread, seed):
    offset = data.draw(st.integers(0, length - 1))
    queries, keys = nearly_rank_one(length, spec, spread, seed)
    bounds = sandwich(queries, keys, spec, offset)
    attention = attention_of(queries, keys, spec)
    weights = attention.diagonal(-offset)
    assert bounds.lower.shape == bounds.mean.shape == bounds.upper.shape == weights.shape
    rounding = 1 + 1e-11
    assert (bounds.lower <= weights * rounding).all()
    assert (weights <= bounds.upper * rounding).all()
    assert (bounds.lower <= bounds.mean).all()
    assert (bounds.mean <= bounds.upper).all()
    low, high = bounds.score_bounds
    assert low <= slash_scores(attention)[offset] * rounding
    assert slash_scores(attention)[offset] <= high * rounding


@pytest.mark.parametrize("spec", SPECS)
def test_the_sandwich_is_sharp_for_one_vector_each(spec):
    queries, keys = nearly_rank_one(12, spec, 0.0, seed=3)
    weights = attention_of(queries, keys, spec, scale=0.7).diagonal(-4)
    bounds = sandwich(queries, keys, spec, 4, scale=0.7)
    assert bounds.eta < 1e-13
    for side in (bounds.lower, bounds.mean, bounds.upper):
        np.testing.assert_allclose(side, weights, rtol=1e-11)


def test_the_sandwich_tells_something():
    """For nearly equal vectors it is far from (0, 1), and it widens with the deviation."""
    widths = []
    for spread in (0.001, 0.01, 0.1):
        bounds = sandwich(*nearly_rank_one(12, SPEC, spread, seed=2), SPEC, 1)
        widths.append((bounds.upper - bounds.lower).max())
    assert widths[0] < 0.05
    assert widths[0] < widths[1] < widths[2]


def test_a_row_without_competitors_attends_to_its_only_key():
    bounds = sandwich(*nearly_rank_one(5, SPEC, 0.1, seed=2), SPEC, 0)
    assert bounds.lower[0] == bounds.mean[0] == bounds.upper[0] == 1


# --- bands ------------------------------------------------------------------------------------


@few
@given(
    st.sampled_from([RopeSpec(16, 10000), RopeSpec(16, 500000, rotary_dim=8)]),
    st.integers(1, 10**5),
    st.integers(0, 10**6),
)
def test_band_shares_sum_to_one(spec, length, seed):
    sizes = np.random.default_rng(seed).random(spec.planes) ** 4
    found = band_shares(sizes, spec, length)
    parts = (found.high, found.medium, found.low, found.unrotated)
    assert sum(parts) == pytest.approx(1, abs=1e-14)
    of_plane = bands(spec, length)
    for name, part in zip(("high", "medium", "low", "unrotated"), parts, strict=True):
        mine = sum(size for size, band in zip(sizes, of_plane, strict=True) if band == name)
        assert part == pytest.approx(mine / sizes.sum(), abs=1e-13)


def test_band_shares_do_not_depend_on_the_unit():
    spec = RopeSpec(8, 10000)
    first = band_shares([1.0, 2.0, 3.0, 4.0], spec, 100)
    for unit in (1e-300, 1e300):
        assert band_shares(np.array([1.0, 2.0, 3.0, 4.0]) * unit, spec, 100) == first
    assert band_shares([0, 0, 0, 2], RopeSpec(8, 10000, rotary_dim=4), 100).unrotated == 1


# --- what is refused --------------------------------------------------------------------------

Q = np.ones((4, 8))
BALANCED = np.concatenate((Q[:2], -Q[:2]))


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: rank_statistics(np.zeros((3, 2))), "matrix"),
        (lambda: rank_statistics(np.zeros((0, 2))), "matrix"),
        (lambda: rank_statistics(np.ones(3)), "matrix"),
        (lambda: rank_statistics(np.ones((2, 2), dtype=int)), "matrix"),
        (lambda: rank_statistics(np.array([[1.0, np.nan]])), "matrix"),
        (lambda: rank_statistics(torch.ones(2, 2, dtype=torch.int64)), "matrix"),
        (lambda: rank_statistics(Q).rank_at(0), "level"),
        (lambda: rank_statistics(Q).rank_at(1.01), "level"),
        (lambda: rank_statistics(Q).rank_at(math.nan), "level"),
        (lambda: mean_fit(BALANCED, Q), "queries"),
        (lambda: mean_fit(Q, BALANCED), "keys"),
        (lambda: mean_fit(Q, np.zeros((4, 8))), "keys"),
        (lambda: mean_fit(Q, Q[:, :6]), "keys"),
        (lambda: mean_fit(Q * np.inf, Q), "queries"),
        (lambda: sandwich(Q, Q, "half", 1), "spec"),
        (lambda: sandwich(Q[:, :6], Q[:, :6], SPEC, 1), "queries"),
        (lambda: sandwich(Q, Q[:3], SPEC, 1), "keys"),
        (lambda: sandwich(Q, Q, SPEC, 4), "offset"),
        (lambda: sandwich(Q, Q, SPEC, -1), "offset"),
        (lambda: sandwich(Q, BALANCED, SPEC, 1), "keys"),
        (lambda: sandwich(Q, Q, SPEC, 1, scale=math.inf), "scale"),
        (lambda: band_shares([1, 1], SPEC, 10), "amplitudes"),
        (lambda: band_shares([1, 1, 1, -1], SPEC, 10), "amplitudes"),
        (lambda: band_shares([0, 0, 0, 0], SPEC, 10), "amplitudes"),
        (lambda: band_shares([1, 1, 1, np.nan], SPEC, 10), "amplitudes"),
        (lambda: band_shares([1, 1, 1, 1], SPEC, 0), "length"),
    ],
)
def test_bad_arguments_are_refused(call, argument):
    with pytest.raises(InvalidArgument) as error:
        call()
    assert error.value.argument == argument


def test_doctests():
    assert doctest.testmod(rank).failed == 0
