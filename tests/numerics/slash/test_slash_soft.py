"""The soft optimum: its two sides against their definitions, and that they meet on settings of all kinds."""

from __future__ import annotations

import doctest
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle_values import entropy, mp_amplitude_needed, mp_window_weight

from ropeproof.numerics.bounds.slash import soft
from ropeproof.numerics.bounds.slash.budget.needed import needed_by_row
from ropeproof.numerics.bounds.slash.budget.rows import rows_of
from ropeproof.numerics.bounds.slash.budget.tables import PlanePoints
from ropeproof.numerics.bounds.slash.game.window import Window
from ropeproof.numerics.bounds.slash.soft import (
    amplitude_needed_window,
    prices,
    soft_ceiling,
    soft_optimum,
)
from ropeproof.numerics.core.compiled import Stated
from ropeproof.numerics.core.profiles import settings_for
from ropeproof.numerics.core.spec import frequencies_ball
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.scaling import Linear, Llama3, Yarn
from ropeproof.theory.rotary.spec import RopeSpec

STANDARD = RopeSpec(128, 10000)
YARN = RopeSpec(32, 10000, rotary_dim=16, scaling=Yarn(factor=4, original_length=64))
LLAMA3 = RopeSpec(
    32,
    500000,
    scaling=Llama3(factor=8, low_freq_factor=1, high_freq_factor=4, original_length=64),
)


def thetas(spec):
    """The frequencies at 60 digits."""
    with mpmath.workdps(60):
        return [mpmath.mpf(ball.mid().str(60, radius=False)) for ball in frequencies_ball(spec)]


SETTINGS = [
    (STANDARD, 1, "9/10"),
    (STANDARD, 2, "9/10"),
    (STANDARD, 24, "9/10"),
    (STANDARD, 60, "1/100"),
    (STANDARD, 24, "0.999999999999"),
    (RopeSpec(2, 10000), 1, "1/2"),
    (RopeSpec(2, 10000), 60, "9/10"),
    (RopeSpec(4, 10000), 44, "999/1000"),
    (RopeSpec(6, 2), 60, "9/10"),
    (RopeSpec(128, Fraction(3, 2)), 40, "9/10"),
    (RopeSpec(64, 10**9), 40, "7/10"),
    (RopeSpec(24, 10000, rotary_dim=12), 60, "9/10"),
    (YARN, 40, "9/10"),
    (LLAMA3, 40, "9/10"),
    (RopeSpec(16, 10000, scaling=Linear(1000)), 5, "9/10"),
]


@pytest.mark.parametrize(("spec", "reach", "score"), SETTINGS)
def test_both_sides_are_as_defined_and_meet(spec, reach, score):
    score = Fraction(score)
    found = soft_optimum(spec, reach=reach, score=score)
    assert found.converged
    weight = mp_window_weight(thetas(spec), found.amplitudes, reach)
    assert found.attained.lower <= weight <= found.attained.upper
    with mpmath.workdps(50):
        assert weight * score.denominator >= score.numerator * (1 - mpmath.mpf(10) ** -40)
    assert float(np.sum(found.amplitudes)) <= found.amplitude * (1 + 1e-14)
    assert (found.amplitudes >= 0).all()
    exact = mp_amplitude_needed(thetas(spec), found.weights, score)
    assert found.amplitude_needed <= exact
    assert exact == pytest.approx(found.amplitude_needed, rel=1e-12)
    assert found.amplitude_needed <= found.amplitude <= found.amplitude_needed * (1 + 1e-6)


@given(data=st.data())
@settings_for("quick", cases=25)
def test_the_bounds_are_those_of_the_claims(data):
    spec = data.draw(st.sampled_from([RopeSpec(8, 100), RopeSpec(4, 10000), YARN]))
    reach = data.draw(st.integers(1, 9))
    random = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    weights = random.random(reach) * (random.random(reach) < 0.8)
    weights[random.integers(reach)] = 1.0
    score = Fraction(data.draw(st.integers(1, 99)), 100)
    exact = mp_amplitude_needed(thetas(spec), weights, score)
    found = amplitude_needed_window(weights, spec, score=score)
    assert found.lower <= exact <= found.upper
    assert found.width <= 1e-13 * max(1.0, abs(found.upper))

    def earned(y):
        return max(
            sum(float(w) * (1 - math.cos(float(angle) * t)) for t, w in enumerate(y, start=1))
            for angle in thetas(spec)
        )

    y = weights / weights.sum()
    both = {"weights": [0.0, *y.tolist()], "reach": reach, "most": earned(y)}
    names = {"weights": "y", "reach": "M", "most": "U"}
    claimed = Stated("slash.amplitude-needed-window", "below", {**names, "score": "kappa"})
    if weights.all():  # a ball of 0 ln 0 is no number
        with precision(128):
            theirs = float(claimed.ball(score=float(score), **both))
        assert theirs == pytest.approx(found.lower, rel=1e-9, abs=1e-9)
    ceiling = soft_ceiling(weights, spec, amplitude=3)
    assert ceiling.upper == pytest.approx(
        1 / (1 + 2 * math.exp(entropy(y) - 3 * earned(y))), rel=1e-12
    )


@given(data=st.data())
@settings_for("quick", cases=25)
def test_the_budget_of_a_row_with_as_many_lags_on_both_sides_is_that_of_the_claim(data):
    """Claim `slash.amplitude-needed-window` is one row of the bound that `slash_budget` has for all rows."""
    spec = data.draw(st.sampled_from([RopeSpec(8, 100), RopeSpec(4, 10000), YARN, STANDARD]))
    reach = data.draw(st.integers(1, 60))
    later = data.draw(st.integers(0, 20))
    random = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    score = data.draw(st.integers(1, 99)) / 100
    window = Window(spec, reach, reach + later, tuple(range(spec.rotary_planes)))
    amplitudes = random.random(len(window.planes)) ** 3 * data.draw(st.sampled_from([0.1, 1, 8]))
    head = rows_of(window, amplitudes, np.zeros(len(amplitudes)))
    row = needed_by_row(head, PlanePoints(window), reach + 1, score)
    weights = np.exp(head.before)
    claimed = amplitude_needed_window(weights, spec, score=Fraction(score))
    assert row <= max(claimed.upper, 0.0)
    assert row == pytest.approx(max(claimed.lower, 0.0), rel=1e-7, abs=1e-7)


def test_a_weight_that_even_attention_has_is_free():
    for score in (Fraction(1, 201), 1e-9, 5e-324):
        found = soft_optimum(STANDARD, reach=100, score=score)
        assert found.amplitude == found.amplitude_needed == 0
        assert not found.amplitudes.any()
        assert found.attained.lower <= 1 / 201 <= found.attained.upper


@pytest.mark.parametrize("above", [Fraction(1, 10**40), Fraction(1, 10**20), 1e-9, 1e-5])
def test_a_weight_little_above_that_of_even_attention_is_nearly_free(above):
    score = Fraction(1, 201) + Fraction(above)
    found = soft_optimum(STANDARD, reach=100, score=score)
    assert 0 < found.amplitude_needed <= found.amplitude
    assert found.amplitude <= found.amplitude_needed * (1 + 1e-6)


def test_the_figures_of_the_page():
    wanted = {16: 8.9334, 64: 10.9238, 256: 12.6478, 1024: 14.4990}
    for reach, value in wanted.items():
        found = soft_optimum(STANDARD, reach=reach, score=0.9)
        assert found.amplitude_needed == pytest.approx(value, abs=6e-5)
        assert found.amplitude == pytest.approx(value, abs=6e-5)


def test_the_three_prices_are_in_order():
    found = prices.window_prices(STANDARD, reach=64, score=0.9)
    assert found.neighbours is not None
    assert found.neighbours.upper < found.optimum.amplitude_needed
    assert found.optimum.amplitude < found.margin.lower
    assert prices.window_prices(STANDARD, reach=3, score=0.1).margin.upper == 0


def test_progress_brackets_the_optimum():
    told = []
    found = soft_optimum(STANDARD, reach=64, score=0.9, progress=lambda *step: told.append(step))
    assert len(told) > 2
    for needed, amplitude in told:
        assert needed <= found.amplitude
        assert amplitude >= found.amplitude_needed * (1 - 1e-9)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"spec": "llama"}, "spec: got 'llama'"),
        ({"reach": 0}, "reach: got 0"),
        ({"reach": 2.0}, "reach: got 2.0"),
        ({"reach": 2**20 + 1}, "reach: got 1048577"),
        ({"score": 0}, "score: got 0"),
        ({"score": 1}, "score: got 1"),
        ({"score": math.nan}, "score: got nan"),
        ({"tolerance": 0}, "tolerance: got 0"),
    ],
)
def test_bad_input_is_named(arguments, message):
    with pytest.raises(InvalidArgument) as error:
        soft_optimum(**{"spec": STANDARD, "reach": 4, "score": 0.9, **arguments})
    assert message in str(error.value)


@pytest.mark.parametrize("weights", [[], [0.0], [-1.0, 2.0], [math.nan], [[1.0]]])
def test_weights_that_are_none_are_refused(weights):
    with pytest.raises(InvalidArgument):
        amplitude_needed_window(weights, STANDARD, score=0.9)


def test_lags_that_no_amplitude_tells_apart_are_refused():
    with pytest.raises(Unsupported, match="do not tell its lags apart"):
        soft_optimum(RopeSpec(4, 10000, scaling=Linear(10**9)), reach=2, score=0.9)


def test_docstrings():
    for module in (soft, prices):
        assert doctest.testmod(module).failed == 0
