"""Attention rows against mpmath, and every bound at its edge."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given

from ropeproof.numerics.core import softmax
from ropeproof.numerics.core.profiles import settings_for
from ropeproof.numerics.strategies import distributions, logit_rows
from ropeproof.theory.errors import InvalidArgument

few = settings_for("quick", cases=60)
UNIT = 2.0**-52


def exact(logits):
    with mpmath.workdps(60):
        sizes = [mpmath.exp(mpmath.mpf(w)) for w in logits]
        total = mpmath.fsum(sizes)
        return [size / total for size in sizes]


@few
@given(logit_rows(keys=9, bound=200.0))
def test_rows_agree_with_mpmath(logits):
    true = exact(logits.tolist())
    found = softmax.weights(logits)
    enclosed = softmax.weights_enclosed(logits)
    spread = float(np.ptp(logits))
    with mpmath.workdps(60):
        for j, share in enumerate(true):
            assert abs(found[j] - share) <= UNIT * (len(logits) + spread + 4) * share + 1e-300
            assert mpmath.mpf(float(enclosed.lower[j])) <= share
            assert share <= mpmath.mpf(float(enclosed.upper[j]))
        odds = [mpmath.log(p / mpmath.fsum(r for r in true if r is not p)) for p in true]
        direct = -mpmath.fsum(p * mpmath.log(p) for p in true)
    np.testing.assert_allclose(
        softmax.log_odds(logits), [float(x) for x in odds], rtol=0, atol=1e-12
    )
    assert softmax.entropy(logits) == pytest.approx(float(direct), abs=1e-12)


def test_a_weight_near_one_keeps_its_odds():
    assert softmax.log_odds([800.0, 0.0, 0.0])[0] == pytest.approx(800 - math.log(2), rel=1e-15)
    assert softmax.log_odds([800.0, 0.0, 0.0])[1] == -800
    assert softmax.weights([800.0, 0.0, 0.0])[0] == 1.0


def test_rows_work_along_the_last_axis():
    table = np.random.default_rng(1).normal(size=(2, 3, 5))
    for function in (softmax.weights, softmax.log_odds, softmax.entropy):
        stacked = function(table)
        for i, j in np.ndindex(2, 3):
            np.testing.assert_array_equal(stacked[i, j], function(table[i, j]))
    np.testing.assert_array_equal(
        softmax.margin(table, 2)[1, 0], table[1, 0, 2] - np.delete(table[1, 0], 2).max()
    )


def test_margin_is_to_the_best_other_key():
    assert softmax.margin([1.0, 5.0, 3.0], 1) == 2
    assert softmax.margin([1.0, 5.0, 3.0], 0) == -4


def test_masked_keys():
    row = [1.0, -math.inf, 2.0]
    np.testing.assert_allclose(softmax.weights(row), [1 / (1 + math.e), 0, math.e / (1 + math.e)])
    np.testing.assert_allclose(softmax.log_odds(row), [-1, -math.inf, 1])
    assert softmax.entropy(row) == pytest.approx(softmax.entropy([1.0, 2.0]))
    assert softmax.log_odds([3.0]).tolist() == [math.inf]
    assert softmax.weights([3.0]).tolist() == [1.0]


@few
@given(distributions(keys=5), distributions(keys=5))
def test_total_variation(p, r):
    found = softmax.total_variation(p, r)
    assert found == softmax.total_variation(r, p)
    assert 0 <= found <= 1 + 1e-12
    best = max(sum(p[j] - r[j] for j in range(5) if subset >> j & 1) for subset in range(32))
    assert found == pytest.approx(best, abs=1e-12)


def test_margin_and_weight_are_inverse():
    for weight in (0.001, 0.5, 0.999):
        for keys in (2, 1000):
            needed = softmax.margin_needed(weight, keys)
            assert softmax.weight_bound(needed.lower, keys).lower <= weight
            assert softmax.weight_bound(needed.upper, keys).upper >= weight


def test_no_temperature_is_needed_when_hard_and_soft_cannot_differ():
    """Values that agree, no competitor, or a gap that no mixture can close."""
    for options in (
        {"keys": 5, "gap": 1, "diameter": 0},
        {"keys": 3, "ties": 3, "gap": 1, "diameter": 1},
        {"keys": 2, "gap": 2, "diameter": 1},
    ):
        found = softmax.inverse_temperature_needed(1, **options)
        assert found.lower == found.upper == 0


def test_the_needed_temperature_decodes_and_half_of_it_does_not():
    """Two values one apart, 1000 competitors: the output must move by at most gap/2."""
    keys, margin, gap = 1001, 0.1, 0.5
    needed = softmax.inverse_temperature_needed(margin, keys, gap=gap, diameter=1)
    scores = np.array([0.0] + [-margin] * (keys - 1))

    def moved(beta):
        return 1 - softmax.weights(beta * scores)[0]

    assert moved(needed.upper) <= gap / 2
    assert moved(needed.lower / 2) > gap / 2


REFUSED = [
    ("logits", lambda: softmax.weights([])),
    ("logits", lambda: softmax.weights(3.0)),
    ("logits", lambda: softmax.weights([0.0, math.nan])),
    ("logits", lambda: softmax.weights([0.0, math.inf])),
    ("logits", lambda: softmax.weights([[0.0, 1.0], [-math.inf, -math.inf]])),
    ("logits", lambda: softmax.weights([1j])),
    ("logits", lambda: softmax.weights([[1.0], [1.0, 2.0]])),
    ("logits", lambda: softmax.weights_enclosed([0.0, -math.inf])),
    ("logits", lambda: softmax.margin([1.0], 0)),
    ("target", lambda: softmax.margin([1.0, 2.0], 2)),
    ("p", lambda: softmax.total_variation([0.5, 0.6], [0.5, 0.5])),
    ("r", lambda: softmax.total_variation([0.5, 0.5], [1.0])),
    ("p", lambda: softmax.total_variation([-0.5, 1.5], [0.5, 0.5])),
    ("margin", lambda: softmax.weight_bound(math.nan, 3)),
    ("keys", lambda: softmax.weight_bound(1, 0)),
    ("weight", lambda: softmax.margin_needed(1, 3)),
    ("keys", lambda: softmax.margin_needed(0.5, 1)),
    ("shift", lambda: softmax.odds_factor(-1)),
    ("tilt", lambda: softmax.distance_bound(-0.1)),
    ("mass", lambda: softmax.distance_bound_partial(1.5, 1)),
    ("bound", lambda: softmax.entropy_bound(-1, 3)),
    ("ties", lambda: softmax.top_weight_bounds(1, 1, 3, ties=4)),
    ("gap", lambda: softmax.inverse_temperature_needed(1, 3, gap=0, diameter=1)),
    ("margin", lambda: softmax.inverse_temperature_needed(0, 3, gap=1, diameter=1)),
]


@pytest.mark.parametrize(("argument", "call"), REFUSED)
def test_bad_arguments_are_refused_by_name(argument, call):
    with pytest.raises(InvalidArgument) as caught:
        call()
    assert caught.value.argument == argument
    assert str(caught.value).startswith(f"{argument}: got ")
