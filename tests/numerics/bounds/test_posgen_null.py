"""Null, floor, prediction and closed forms of additive fits, and what is refused."""

from __future__ import annotations

import doctest
import math
from fractions import Fraction

import numpy as np
import pytest
from posgen_definition import SPEC, SPECS, find, grid, head

from ropeproof.numerics.bounds import posgen
from ropeproof.numerics.bounds.posgen import (
    additive_fits,
    additive_fits_on_grid,
    axes,
    bounds,
    capacity_bound,
    displacement_tilt,
    effective_length,
    effective_length_bound,
    fit_axes,
    lag_means,
    noise_floor,
    null_correlation,
    null_r_squared,
    output_spread_bound,
    pearson_bound,
    plane_pattern,
    transposition_bound,
    triangle_rank,
    window,
)
from ropeproof.numerics.core import softmax
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec

# --- null, floor, prediction ------------------------------------------------------------------


@pytest.mark.parametrize("name", ["half", "partial", "attention factor"])
def test_random_features_have_the_null(name):
    spec, length, draws = SPECS[name], 48, 60
    sums = {}
    for seed in range(draws):
        queries, keys = head(length, seed=seed, mean=0.0)
        fits = additive_fits(queries, keys, spec) + additive_fits_on_grid(queries, keys, spec)
        for fit in fits:
            row = (fit.variance, fit.residual**2, fit.correlation)
            sums.setdefault((fit.domain, fit.kind, fit.centred), [fit]).append(row)
    for fit, *rows in sums.values():
        variance, residual, correlation = np.array(rows).T
        share = 1 - residual.mean() / variance.mean()
        assert share == pytest.approx(fit.null_r_squared, abs=0.015), fit
        assert correlation.mean() == pytest.approx(fit.null_correlation, abs=0.03), fit


def test_noise_floor_is_the_claim():
    for length in (2, 3, 10, 8192):
        pairs = length * (length + 1) // 2
        assert noise_floor(length) == Fraction(3 * length - 4, pairs - 1)
        assert noise_floor(length, axes=2) == Fraction(2 * length - 2, pairs - 1)
        assert triangle_rank(length) == 3 * length - 3
    assert triangle_rank(1) == triangle_rank(1, axes=2) == 1


def test_angles_of_any_size():
    angles = np.array([0.0, 1e-320, 1e-9, math.pi, -2.5, 2 * math.pi, 7.0, 2 * math.pi + 1e-9])
    for length in (1, 2, 9):
        expected = np.exp(1j * np.arange(length)[:, np.newaxis] * angles).mean(0)
        np.testing.assert_allclose(window.angle_means(angles, length), expected, atol=1e-14)


def test_prediction_and_planes():
    queries, keys = head(40)
    pattern = plane_pattern(queries, keys, SPEC)
    assert pattern.speed == pytest.approx(frequencies_float64(SPEC) * 19.5)
    assert pattern.share.sum() == pytest.approx(1)
    assert ((pattern.key_concentration > 0) & (pattern.key_concentration < 1)).all()
    assert pattern.lag_mean == pytest.approx(np.abs(lag_means(SPEC, 40)))
    fit = find(additive_fits_on_grid(queries, keys, SPEC), "optimal", True)
    # P and all energies are what the fast energy is a share of.
    total = float(pattern.fast_energy.sum()) / (1 - fit.predicted)
    lag = grid(queries, keys, SPEC, 40).mean(2).var(1).mean()
    assert total == pytest.approx(2 * lag + pattern.energy.sum())
    same = np.ones((5, 16))
    steady = plane_pattern(same, same, SPEC)
    assert (steady.key_concentration == 1).all()
    assert not steady.energy.any()
    assert not steady.share.any()


def test_constant_logits_have_no_correlation():
    for fits in (
        additive_fits(np.zeros((6, 16)), np.ones((6, 16)), SPEC),
        additive_fits_on_grid(np.zeros((6, 16)), np.ones((6, 16)), SPEC),
        additive_fits(*(np.tile(np.eye(16)[8], (6, 1)),) * 2, RopeSpec(16, 100, rotary_dim=8)),
    ):
        for fit in fits:
            assert fit.r_squared is None
            assert fit.correlation is None
            assert fit.predicted is None
            assert fit.guaranteed == 0
            assert "correlation none (null" in str(fit)


def test_no_correlation_without_null_and_floor():
    for fit in additive_fits(*head(), SPEC) + additive_fits_on_grid(*head(), SPEC):
        text = str(fit)
        assert all(word in text for word in ("null", "noise floor", "predicted", "guaranteed"))
        assert 0 <= fit.floor <= 1
        assert fit.null_r_squared <= 1


# --- closed forms -----------------------------------------------------------------------------


def test_effective_length():
    assert effective_length(np.zeros(7)) == pytest.approx(7)
    assert effective_length([1000.0, 0.0]) == 1
    row = np.array([0.3, -1.0, 2.0])
    weights = softmax.weights(row)
    assert effective_length(row) == pytest.approx(1 / (weights @ weights))


def test_capacity():
    assert capacity_bound(RopeSpec(2, 100), query_norm=1, key_norm=1, gap=1, scale=1) == 7
    assert capacity_bound(RopeSpec(6, 100), query_norm=1, key_norm=1, gap=1, scale=1) == 343
    partial = RopeSpec(6, 100, rotary_dim=4)
    assert capacity_bound(partial, query_norm=1, key_norm=1, gap=1, scale=1) == 49
    assert capacity_bound(SPEC, query_norm=0, key_norm=1, gap=1) == 1
    # More norm, more planes, or a smaller gap tell more lags apart.
    small = capacity_bound(SPEC, query_norm=1, key_norm=1, gap=1)
    assert small < capacity_bound(SPEC, query_norm=2, key_norm=1, gap=1)
    assert small < capacity_bound(SPEC, query_norm=1, key_norm=1, gap="0.5")


# --- bad input --------------------------------------------------------------------------------

GOOD = np.ones((4, 16))


NAN = np.full((4, 16), np.nan)


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: additive_fits(GOOD, GOOD[:3], SPEC), "keys"),
        (lambda: additive_fits(GOOD[:1], GOOD[:1], SPEC), "keys"),
        (lambda: additive_fits(NAN, GOOD, SPEC), "queries"),
        (lambda: additive_fits(GOOD, GOOD[:, :8], SPEC), "keys"),
        (lambda: additive_fits(GOOD > 0, GOOD, SPEC), "queries"),
        (lambda: additive_fits(GOOD, GOOD * 1j, SPEC), "keys"),
        (lambda: additive_fits(GOOD, GOOD, "rope"), "spec"),
        (lambda: additive_fits(GOOD, GOOD, SPEC, block=0), "block"),
        (lambda: additive_fits(GOOD, GOOD, SPEC, block=True), "block"),
        (lambda: additive_fits(GOOD, GOOD, SPEC, reference=float("nan")), "reference"),
        (lambda: additive_fits(GOOD, GOOD, SPEC, scale=float("inf")), "scale"),
        (lambda: additive_fits_on_grid(GOOD[:0], GOOD, SPEC), "queries"),
        (lambda: additive_fits_on_grid(GOOD, GOOD, SPEC, length=0), "length"),
        (lambda: plane_pattern(GOOD, NAN, SPEC), "keys"),
        (lambda: plane_pattern(GOOD, GOOD, SPEC, length=0), "length"),
        (lambda: fit_axes(np.ones((3, 2))), "logits"),
        (lambda: fit_axes(np.ones((1, 1))), "logits"),
        (lambda: fit_axes(np.full((3, 3), np.nan)), "logits"),
        (lambda: fit_axes(np.ones((3, 3)), axes=1), "axes"),
        (lambda: fit_axes(np.ones((3, 3)), axes=True), "axes"),
        (lambda: null_r_squared(SPEC, 0), "length"),
        (lambda: null_correlation("rope", 9), "spec"),
        (lambda: noise_floor(1), "length"),
        (lambda: noise_floor(9, axes=4), "axes"),
        (lambda: noise_floor(9, centred=1), "centred"),
        (lambda: triangle_rank(True), "length"),
        (lambda: pearson_bound(1), "ratio"),
        (lambda: pearson_bound(-0.1), "ratio"),
        (lambda: transposition_bound(1.5, 1), "mass"),
        (lambda: transposition_bound(0.5, -1), "tilt"),
        (lambda: displacement_tilt(GOOD[0], GOOD, SPEC, displacement=-1), "displacement"),
        (lambda: displacement_tilt(GOOD, GOOD, SPEC, displacement=1), "query"),
        (lambda: effective_length([]), "logits"),
        (lambda: effective_length([0.0, float("inf")]), "logits"),
        (lambda: effective_length_bound(3, -1), "bound"),
        (lambda: output_spread_bound(-1, 1, 1), "second_moment"),
        (lambda: output_spread_bound(1, 1, 0.5), "effective"),
        (lambda: capacity_bound(SPEC, query_norm=-1, key_norm=1, gap=1), "query_norm"),
        (lambda: capacity_bound(SPEC, query_norm=1, key_norm=1, gap=0), "gap"),
        (lambda: posgen.two_axis_bound(GOOD, GOOD, SPEC, length=0), "length"),
        (lambda: posgen.two_axis_bound(GOOD, GOOD, SPEC, length=3, mean_key=GOOD), "mean_key"),
        (lambda: posgen.three_axis_bound(GOOD, GOOD, SPEC, length=3, mean_query=1), "mean_query"),
        (lambda: posgen.two_axis_parts(GOOD, GOOD, SPEC, [np.nan], length=3), "lags"),
    ],
)
def test_bad_arguments_never_yield_a_number(call, argument):
    with pytest.raises(InvalidArgument) as error:
        call()
    assert error.value.argument == argument


def test_the_text_of_messages():
    with pytest.raises(InvalidArgument, match=r"keys: got '3 tokens', allowed: 4 tokens, as quer"):
        additive_fits(GOOD, GOOD[:3], SPEC)
    with pytest.raises(InvalidArgument, match=r"allowed: shape \(tokens, head_dim\), head_dim 16"):
        additive_fits(GOOD[0], GOOD, SPEC)


@pytest.mark.parametrize("module", [window, bounds, axes])
def test_doctests(module):
    result = doctest.testmod(module)
    assert result.failed == 0
    assert result.attempted > 0


@pytest.mark.parametrize("axes", [2, 3])
def test_logits_that_are_additive_are_fitted_to_rounding(axes):
    random = np.random.default_rng(0)
    for _ in range(500):
        length = int(random.integers(2, 14))
        query, key, lag = random.normal(size=(3, length))
        row, column = np.indices((length, length))
        table = 10.0 ** random.integers(-3, 8) * key[column] + lag[abs(row - column)]
        table = np.tril(table + (query[row] if axes == 3 else 0))
        found = fit_axes(table, axes=axes).matrix()
        np.testing.assert_allclose(found, table, rtol=0, atol=1e-13 * abs(table).max())
