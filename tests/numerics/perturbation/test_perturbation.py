"""Displaced keys: every quantity by its definition, every bound kept, a false one caught."""

from __future__ import annotations

import dataclasses
import doctest
import math
import sys
import tracemalloc

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from perturbed_heads import SPEC, SPECS, cases, few, head

from ropeproof.numerics.bounds.perturbation import (
    displaced,
    neighbour_swaps,
    uniform_moves,
    window_shuffles,
)
from ropeproof.numerics.bounds.perturbation import displaced as _function
from ropeproof.numerics.bounds.posgen import displacement_tilt, transposition_bound
from ropeproof.numerics.core import softmax
from ropeproof.numerics.core.profiles import settings_for
from ropeproof.numerics.core.spec import logits
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec

module = sys.modules[_function.__module__]


def by_rows(queries, keys, spec, shifts, soft_cap=None, **options):
    """Attention before and after, each row on its own, as lists of rows."""
    found = []
    for i in range(len(queries)):
        here, rows = np.arange(i + 1), []
        for places in (here, here + shifts[: i + 1]):
            row = logits(queries[i : i + 1], keys[: i + 1], [i], places, spec, **options)[0]
            rows.append(row if soft_cap is None else soft_cap * np.tanh(row / soft_cap))
        found.append(rows)
    return found


# --- displacements ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["moves", "displaced", "longer", "apart", "losses"])
def test_documented_numbers(name):
    found = doctest.testmod(sys.modules[f"ropeproof.numerics.bounds.perturbation.{name}"])
    assert found.failed == 0
    assert found.attempted == {"moves": 3, "displaced": 2, "losses": 2}.get(name, 0)


@pytest.mark.parametrize("length", [1, 2, 7, 64])
@pytest.mark.parametrize("seed", range(3))
def test_moves_stay_within_their_limits(length, seed):
    swaps = neighbour_swaps(length, 0.5, seed=seed)
    assert set(swaps.tolist()) <= {-1, 0, 1}
    assert sorted(np.arange(length) + swaps) == list(range(length))
    for most in (0, 1, 3, 100):
        shuffled = window_shuffles(length, most, seed=seed)
        assert abs(shuffled).max() <= most
        assert sorted(np.arange(length) + shuffled) == list(range(length))
        free = uniform_moves(length, most, seed=seed)
        assert abs(free).max() <= most
        assert free.shape == shuffled.shape == swaps.shape == (length,)


def test_moves_are_those_asked_for():
    assert neighbour_swaps(6).tolist() == [1, -1, 1, -1, 1, -1]
    assert not neighbour_swaps(6, 0).any()
    share = (neighbour_swaps(20_000, 0.1, seed=1) != 0).mean()
    # A start is free of the swap before it with probability 1/(1 + p): 2p/(1 + p) are moved.
    assert abs(share - 0.2 / 1.1) < 0.02
    assert set(uniform_moves(200, 2).tolist()) == {-2, -1, 0, 1, 2}
    assert len({tuple(window_shuffles(9, 8, seed=s).tolist()) for s in range(5)}) == 5
    assert abs(window_shuffles(1000, 4)).max() == 4
    # In windows of two every position moves now and then.
    assert np.any([window_shuffles(8, 1, seed=s) for s in range(20)], axis=0).all()
    assert (uniform_moves(50, 3, seed=1) == uniform_moves(50, 3, seed=1)).all()


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: neighbour_swaps(0), "length"),
        (lambda: neighbour_swaps(3, 1.5), "probability"),
        (lambda: neighbour_swaps(3, -0.5), "probability"),
        (lambda: neighbour_swaps(3, seed=-1), "seed"),
        (lambda: uniform_moves(3, -1), "most"),
        (lambda: uniform_moves(2.5, 1), "length"),
        (lambda: window_shuffles(3, -1), "most"),
        (lambda: window_shuffles(3, 1, seed=0.5), "seed"),
    ],
)
def test_bad_moves_are_refused(call, argument):
    with pytest.raises(InvalidArgument) as error:
        call()
    assert error.value.argument == argument


# --- displaced keys -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SPECS)
@pytest.mark.parametrize("soft_cap", [None, 1.5])
def test_every_quantity_is_that_of_its_row(name, soft_cap):
    spec, (queries, keys) = SPECS[name], head()
    shifts = uniform_moves(20, 3, seed=2)
    found = displaced(queries, keys, spec, shifts, scale=0.4, soft_cap=soft_cap)
    rows = by_rows(queries, keys, spec, shifts, soft_cap, scale=0.4)
    far = int(abs(shifts).max())
    assert (found.displacement, found.moved) == (far, int((shifts != 0).sum()))
    for i, (before, after) in enumerate(rows):
        gone = np.flatnonzero(shifts[: i + 1])
        weights = softmax.weights(before)
        distance = softmax.total_variation(weights, softmax.weights(after))
        assert found.observed[i] == pytest.approx(distance, abs=1e-12)
        assert found.mass[i] == pytest.approx(weights[gone].sum(), abs=1e-12)
        assert found.true_tilt[i] == pytest.approx(abs(after - before).max(), abs=1e-12)
        tilt = 0.0
        if gone.size:
            tilt = displacement_tilt(queries[i], keys[gone], spec, displacement=far, scale=0.4)
        assert found.tilt[i] == pytest.approx(tilt, rel=1e-12)
    assert found.holds
    assert found.rounding.max() < 1e-10


@given(mass=st.floats(0, 1), tilt=st.floats(0, 60))
@few
def test_the_bound_is_that_of_the_theory_rounded_up(mass, tilt):
    (found,) = module._bound(np.array([mass]), np.array([tilt]))
    exact = transposition_bound(mass, tilt)
    assert exact.lower <= found
    assert found <= exact.upper * (1 + 1e-12)


@given(case=cases(), soft_cap=st.sampled_from((None, 0.5, 4.0)))
@settings_for("default")
def test_no_row_moves_by_more_than_its_bounds(case, soft_cap):
    found = displaced(*case, soft_cap=soft_cap)
    assert found.holds
    assert (found.bound <= 1 + 1e-9).all()
    assert (found.true_bound <= found.bound + found.rounding).all()


SABOTAGE = {
    "a tanh that is too small": lambda mass, tilt: np.minimum(
        mass * np.expm1(tilt), np.tanh(tilt / 4)
    ),
    "half of the mass": lambda mass, tilt: np.minimum(mass / 2 * np.expm1(tilt), np.tanh(tilt / 2)),
    "no exponential": lambda mass, tilt: np.minimum(mass * tilt / 2, np.tanh(tilt / 2)),
}


def turned_over(size, others, back):
    """A key moves by almost a whole number of half turns, 22 is nearly 7 pi, maybe another back.

    Those between have the logit `others` for the last query.
    """
    spec, lags = RopeSpec(2, 10000), np.arange(22, -1, -1)
    keys = np.stack([np.cos(lags), np.sin(lags)], 1) * others / size * math.sqrt(2)
    keys[[0, 22]] = 1.0, 0.0
    shifts = np.zeros(23, dtype=int)
    shifts[[0, 22]] = 22, -22 if back else 0
    return np.full((23, 2), [size, 0.0]), keys, spec, shifts


@pytest.mark.parametrize("name", SABOTAGE)
def test_a_sabotaged_bound_is_caught(monkeypatch, name):
    case = turned_over(1.5, -30.0, True) if "tanh" in name else turned_over(1.5, 4.0, False)
    found = displaced(*case)
    assert found.holds
    assert found.observed[-1] > 0.98 * found.bound[-1]
    monkeypatch.setattr(module, "_bound", SABOTAGE[name])
    assert not displaced(*case).holds


def test_a_tilt_that_is_too_small_is_caught():
    found = displaced(*head(), SPEC, uniform_moves(20, 3))
    assert not dataclasses.replace(found, tilt=found.true_tilt / 2).holds
    assert not dataclasses.replace(found, bound=found.observed / 2).holds
    assert not dataclasses.replace(found, true_bound=found.observed / 2).holds


def test_rows_in_blocks_of_any_size_and_tensors_too():
    queries, keys = head()
    shifts = window_shuffles(20, 4)
    whole = displaced(queries, keys, SPEC, shifts, block=20)
    for block in (1, 7, 64):
        part = displaced(queries, keys, SPEC, shifts, block=block)
        np.testing.assert_allclose(part.observed, whole.observed, rtol=0, atol=1e-13)
        np.testing.assert_allclose(part.bound, whole.bound, rtol=0, atol=1e-13)
    tensors = displaced(torch.tensor(queries), torch.tensor(keys), SPEC, shifts.tolist())
    np.testing.assert_allclose(tensors.observed, whole.observed, rtol=0, atol=1e-13)
    names = whole.summary()
    assert names["observed_max"] == whole.observed.max()
    assert names["bound_mean"] == whole.bound.mean()


def test_no_array_of_all_pairs_is_held():
    length = 2048
    queries, keys = head(length, 8)
    tracemalloc.start()
    displaced(queries, keys, RopeSpec(8, 100), neighbour_swaps(length), block=32)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < length * length * 8 / 2


@pytest.mark.parametrize(
    ("change", "argument", "text"),
    [
        ({"queries": np.ones((3, 16))}, "keys", "3 tokens, as queries"),
        ({"queries": np.ones((20, 3))}, "queries", "head_dim 16"),
        ({"keys": np.full((20, 16), np.nan)}, "keys", "finite"),
        ({"displacements": [1, 2]}, "displacements", "shape (20,)"),
        ({"displacements": np.full(20, 0.5)}, "displacements", "integers"),
        ({"displacements": np.full(20, 2.0**60)}, "displacements", "2^40"),
        ({"displacements": np.full(20, np.nan)}, "displacements", "finite"),
        ({"soft_cap": 0}, "soft_cap", "> 0"),
        ({"block": 0}, "block", ">= 1"),
        ({"spec": "rope"}, "spec", "a RopeSpec"),
    ],
)
def test_bad_heads_are_refused(change, argument, text):
    queries, keys = head()
    given = {"queries": queries, "keys": keys, "spec": SPEC, "displacements": np.zeros(20)}
    with pytest.raises(InvalidArgument) as error:
        displaced(**(given | change))
    assert error.value.argument == argument
    assert text in str(error.value)
