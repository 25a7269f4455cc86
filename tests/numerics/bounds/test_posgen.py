"""Additive fits on the triangle and on the grid are what they are defined to be."""

from __future__ import annotations

import math
import tracemalloc
from dataclasses import fields

import numpy as np
import pytest
import torch
from largest_tensor import LargestTensor
from posgen_definition import KINDS, SPEC, SPECS, find, grid, head

from ropeproof.numerics.bounds import posgen
from ropeproof.numerics.bounds.posgen import (
    additive_fits,
    additive_fits_on_grid,
    fit_axes,
    lag_means,
    noise_floor,
    triangle_rank,
)
from ropeproof.numerics.bounds.posgen.triangle import _axes as axes_of
from ropeproof.numerics.bounds.posgen.vectors import read_head
from ropeproof.numerics.core.spec import frequencies_float64, logits
from ropeproof.theory.rotary.spec import RopeSpec


def triangle(queries, keys, spec, **options):
    """The causal logits and their pairs."""
    places = np.arange(len(queries))
    values = logits(queries, keys, places, places, spec, **options)
    pairs = [(i, j) for i in range(len(places)) for j in range(i + 1)]
    return values, pairs


def design(length, number):
    """The dense design of two or three axes on the triangle."""
    rows = []
    for i in range(length):
        for j in range(i + 1):
            row = np.zeros(3 * length)
            row[length + j] = row[2 * length + i - j] = 1
            row[i] = number == 3
            rows.append(row)
    return np.array(rows)


def centred(values, pairs):
    """Values per pair after subtraction of the mean of each query's."""
    rows = np.array([i for i, _ in pairs])
    means = np.bincount(rows, values) / np.bincount(rows)
    return values - means[rows]


def query_specific(queries, keys, spec, phasors):
    """`w(t, q, kbar) + Re sum q conj(kappa) u` on the triangle, from `logits`, no streaming."""
    places = np.arange(len(queries))
    mean = np.broadcast_to(keys.mean(0), keys.shape).copy()
    lag = logits(queries, mean, places, places, spec)
    real, imaginary = (list(x) for x in zip(*spec.plane_coordinates(), strict=True))
    q, k = (x[:, real] + 1j * x[:, imaginary] for x in (queries, keys - keys.mean(0)))
    factor = np.full(spec.planes, 1 / math.sqrt(spec.head_dim))
    factor[: spec.rotary_planes] *= float(spec.attention_factor()) ** 2
    return lag + ((q * factor * phasors) @ k.conj().T).real


# --- the triangle -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", SPECS)
@pytest.mark.parametrize("block", [1, 3, 7, 64])
def test_query_specific_fits_are_their_definition(name, block):
    spec, length = SPECS[name], 20
    queries, keys = head(length)
    values, pairs = triangle(queries, keys, spec)
    w = np.array([values[p] for p in pairs])
    theta, middle = frequencies_float64(spec), (length - 1) / 2
    slow = np.where(theta * middle <= 1, np.exp(1j * theta * middle), 0)
    found = additive_fits(queries, keys, spec, block=block)
    for kind, phasors in (("reference", slow), ("optimal", lag_means(spec, length))):
        table = query_specific(queries, keys, spec, phasors)
        p = np.array([table[x] for x in pairs])
        for by_row in (False, True):
            fit = find(found, kind, by_row)
            a, b = (centred(x, pairs) if by_row else x for x in (w, p))
            rest = a - b
            assert fit.observations == len(pairs)
            assert fit.variance == pytest.approx(a.var(), rel=1e-12)
            assert fit.residual**2 == pytest.approx((rest**2).mean(), rel=1e-11)
            assert fit.r_squared == pytest.approx(1 - (rest**2).mean() / a.var(), abs=1e-11)
            assert fit.correlation == pytest.approx(np.corrcoef(a, b)[0, 1], abs=1e-11)
            assert fit.largest_residual == pytest.approx(np.abs(w - p).max(), rel=1e-12)
            assert fit.largest_residual <= fit.largest_bound
            assert fit.residual <= fit.bound
            assert fit.correlation >= fit.guaranteed - 1e-12


@pytest.mark.parametrize("name", SPECS)
@pytest.mark.parametrize("length", [2, 3, 5, 17])
def test_least_squares_are_dense_least_squares(name, length):
    spec = SPECS[name]
    queries, keys = head(length, seed=length)
    values, pairs = triangle(queries, keys, spec)
    w = np.array([values[p] for p in pairs])
    found = additive_fits(queries, keys, spec, block=4)
    for kind, number in (("query-free", 2), ("three-axis", 3)):
        matrix = design(length, number)
        best = matrix @ np.linalg.lstsq(matrix, w, rcond=None)[0]
        assert np.linalg.matrix_rank(matrix) == triangle_rank(length, axes=number)
        fit = find(found, kind)
        left = ((w - best) ** 2).mean()
        assert fit.residual**2 == pytest.approx(left, rel=1e-9, abs=1e-20)
        assert fit.correlation == pytest.approx(math.sqrt(fit.r_squared), abs=1e-9)
        assert fit.residual <= fit.bound
        own = axes_of(read_head(queries, keys, spec, None))[number - 1].matrix()
        np.testing.assert_allclose([own[p] for p in pairs], best, atol=1e-11)
        dense = fit_axes(values, axes=number).matrix()
        np.testing.assert_allclose(dense, own, atol=1e-11)
    # Of row-centred logits the query axis is nothing: both are least squares of what is left.
    matrix = design(length, 2)
    matrix = np.array([centred(column, pairs) for column in matrix.T]).T
    a = centred(w, pairs)
    left = a - matrix @ np.linalg.lstsq(matrix, a, rcond=None)[0]
    for kind in ("query-free", "three-axis"):
        fit = find(found, kind, True)
        assert fit.residual**2 == pytest.approx((left**2).mean(), rel=1e-9, abs=1e-20)
        assert fit.floor == float(noise_floor(length, centred=True))


@pytest.mark.parametrize("name", SPECS)
@pytest.mark.parametrize(("block", "reference"), [(1, 4), (6, 9.5), (20, -2)])
def test_bounds_of_the_fits_are_those_of_single_logits(name, block, reference):
    spec, length = SPECS[name], 20
    queries, keys = head(length, seed=7)
    pairs = np.tril_indices(length)
    found = additive_fits(queries, keys, spec, block=block, reference=reference)
    single = posgen.two_axis_bound(queries, keys, spec, length=length, reference=reference)
    fit = find(found, "reference")
    assert fit.largest_bound == pytest.approx(single[pairs].max(), rel=1e-12)
    assert fit.bound == pytest.approx(math.sqrt((single[pairs] ** 2).mean()), rel=1e-12)
    on_grid = find(additive_fits_on_grid(queries, keys, spec, reference=reference), "reference")
    assert on_grid.bound == pytest.approx(math.sqrt((single**2).mean()), rel=1e-12)
    # Least squares may use c_l too, where that is nearer than the middle of the window.
    three = posgen.three_axis_bound(queries, keys, spec, length=length)
    found_three = find(found, "three-axis").bound
    assert 0.5 < found_three / math.sqrt((three[pairs] ** 2).mean()) <= 1 + 1e-12
    # Without the query's own term more is left; with row means taken out it is the same.
    assert find(found, "query-free").bound > found_three
    assert find(found, "query-free", True).bound == found_three


def test_a_slow_head_is_additive_and_guaranteed():
    queries, keys = head(24, seed=1)
    slow = RopeSpec(16, 10**30, rotary_dim=2)
    for fits in (additive_fits(queries, keys, slow), additive_fits_on_grid(queries, keys, slow)):
        # The plane of frequency 1 is all that turns.
        fit = find(fits, "optimal")
        assert fit.r_squared > 0.8
    still = queries.copy(), keys.copy()
    for vectors in still:
        vectors[:, :2] = 0.0
    for kind in KINDS[:2]:
        fit = find(additive_fits(*still, slow), kind)
        assert fit.r_squared == pytest.approx(1, abs=1e-12)
        assert fit.guaranteed == fit.correlation == pytest.approx(1, abs=1e-12)
        assert fit.predicted == pytest.approx(1, abs=1e-12)


def test_blocks_and_torch_change_nothing():
    queries, keys = head(33)
    whole = additive_fits(queries, keys, SPEC, block=33)
    tensors = additive_fits(torch.from_numpy(queries), torch.from_numpy(keys), SPEC)
    for one in (additive_fits(queries, keys, SPEC, block=5), tensors):
        for a, b in zip(whole, one, strict=True):
            for field in fields(a):
                left, right = getattr(a, field.name), getattr(b, field.name)
                expected = (
                    right if isinstance(right, str) or right is None else pytest.approx(right)
                )
                assert left == expected, field.name


def test_memory_grows_with_the_block_and_not_with_the_square():
    length = 1200
    queries, keys = head(length)
    square = length**2
    with LargestTensor() as small:
        additive_fits(queries, keys, SPEC, block=16)
    with LargestTensor() as whole:
        additive_fits(queries, keys, SPEC, block=length)
    assert whole.numbers >= square  # the check can fail: one block of everything
    assert small.numbers < square / 4
    tracemalloc.start()
    try:
        additive_fits(queries, keys, SPEC, block=16)
        _, arrays = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert arrays < 4 * square
    # At 8192 tokens of dimension 128 the same count of arrays is far below 2 GB: 30 of 64 rows,
    # and 30 of the size of the queries.
    assert arrays < 30 * 8 * length * (16 + 16)


@pytest.mark.parametrize("name", SPECS)
@pytest.mark.parametrize("shape", [(5, 7, 9), (1, 4, 6), (3, 1, 8), (4, 5, 1)])
def test_the_grid_is_brute_force(name, shape):
    count, keys_count, length = shape
    spec = SPECS[name]
    queries, keys = head(count, keys=keys_count)
    w = grid(queries, keys, spec, length)
    theta, middle = frequencies_float64(spec), (length - 1) / 2
    slow = np.where(theta * middle <= 1, np.exp(1j * theta * middle), 0)
    real, imaginary = (list(x) for x in zip(*spec.plane_coordinates(), strict=True))
    q, k = (x[:, real] + 1j * x[:, imaginary] for x in (queries, keys - keys.mean(0)))
    factor = np.full(spec.planes, 1 / math.sqrt(spec.head_dim))
    factor[: spec.rotary_planes] *= float(spec.attention_factor()) ** 2
    lag, key = w.mean(2, keepdims=True), w.mean(1, keepdims=True)
    row = w.mean((1, 2), keepdims=True)
    of_lag, of_key = w.mean((0, 2), keepdims=True), w.mean((0, 1), keepdims=True)
    fits = {
        "reference": lag + ((q * factor * slow) @ k.conj().T).real[:, np.newaxis],
        "optimal": lag + key - row,
        "query-free": of_lag + of_key - w.mean(),
        "three-axis": of_lag + of_key + row - 2 * w.mean(),
    }
    found = additive_fits_on_grid(queries, keys, spec, length=length)
    assert [f.kind for f in found] == KINDS * 2
    for kind, part in fits.items():
        table = np.broadcast_to(part, w.shape)
        for by_row in (False, True):
            a, b = (x - (x.mean((1, 2), keepdims=True) if by_row else 0) for x in (w, table))
            fit = find(found, kind, by_row)
            assert fit.observations == w.size
            assert fit.variance == pytest.approx(a.var(), rel=1e-10, abs=1e-13)
            assert fit.residual**2 == pytest.approx(((a - b) ** 2).mean(), rel=1e-9, abs=1e-12)
            assert fit.residual <= fit.bound + 1e-9
            if fit.correlation is not None and a.var() > 1e-9 and b.var() > 1e-9:
                corr = np.corrcoef(a.ravel(), b.ravel())[0, 1]
                assert fit.correlation == pytest.approx(corr, abs=1e-9)
