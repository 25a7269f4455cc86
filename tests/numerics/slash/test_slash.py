"""Bounds on slash heads: against high precision and their definitions."""

from __future__ import annotations

import doctest
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ropeproof.numerics.bounds.slash import ceiling, cone, emergence, null, returns
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.lag_scan import margin
from ropeproof.numerics.core.profiles import settings_for
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.scaling import Linear
from ropeproof.theory.rotary.spec import RopeSpec

few = settings_for("quick", cases=40)
STANDARD = RopeSpec(128, 10000)


def close(enclosure, value):
    """The enclosure holds an mpmath number and is as sharp as doubles allow."""
    low, high = mpmath.mpf(enclosure.lower), mpmath.mpf(enclosure.upper)
    return low <= value <= high and enclosure.width <= 1e-15 * max(1.0, abs(enclosure.upper))


@few
@given(st.floats(0.01, 0.99), st.integers(2, 10**6), st.floats(0.0, 5.0))
def test_the_needed_margin_gives_back_the_score(score, length, deviation):
    needed = emergence.emergence_margin(score, length, deviation)
    again = emergence.emergence_score(needed.upper, length, deviation)
    assert again.lower >= score * (1 - 1e-14)


def test_closed_forms_are_as_sharp_as_doubles_allow():
    with mpmath.workdps(60):
        kappa, rate = mpmath.mpf(0.9), mpmath.mpf(1.25)
        needed = mpmath.log(2 * kappa / (1 - kappa)) / (1 - mpmath.cos(1))
        assert close(ceiling.amplitude_needed(0.9), needed)
        for offset in (0, 3, 40):
            row = 1 / sum(mpmath.exp(-rate * abs(lag)) for lag in range(-offset, offset + 1))
            assert close(ceiling.lipschitz_two_sided(1.25, offset=offset), row)
        assert close(ceiling.lipschitz_limit(1.25), mpmath.tanh(rate / 2))
        assert close(returns.uniform_floor(), 1 - mpmath.cos(1))


def test_the_number_of_near_lags_is_exact():
    def lags(amplitude, frequency, reach=10**6):
        limit = ceiling.low_only_ceiling(amplitude, frequency, reach=reach).upper
        return round((1 / limit - 1) / 2 * math.exp(0.5))

    assert lags(16, "0.01") == 25
    # The double nearest to 0.01 is a little larger, so 25 lags are too far.
    assert lags(16, 0.01) == 24
    assert lags(16, 0.01, reach=7) == 7
    assert lags(0, 1, reach=9) == lags(1, 0, reach=9) == 9
    assert lags(2, 1) == 0
    assert lags(1, 1) == 1


def test_returns_are_bounded_and_found():
    assert returns.alias_bound(3, 2) == Enclosure(lower=6.0, upper=6.0)
    assert returns.alias_bound(2, 6).upper == pytest.approx(1.0, rel=1e-15)
    found = returns.nearest_return([1.0, 2.0], [1, Fraction(1, 7)], parts=30)
    assert found == margin([1.0, 2.0], [1, Fraction(1, 7)], reach=899)
    with pytest.raises(Unsupported, match=r"100\^8"):
        returns.nearest_return(np.ones(8), RopeSpec(16, 10000), parts=100)


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: cone.rank_one_share(1.5), "epsilon"),
        (lambda: cone.relative_radius(0.5, -1), "unevenness"),
        (lambda: cone.cone_epsilon(float("nan"), 1), "spread"),
        (lambda: emergence.logit_deviation(1, -0.1, 0), "query_radius"),
        (lambda: emergence.emergence_margin(1, 8), "score"),
        (lambda: emergence.emergence_margin(0.5, 1), "length"),
        (lambda: emergence.emergence_score("x", 8), "margin"),
        (lambda: emergence.sandwich_bounds(-1, 0), "competition"),
        (lambda: emergence.prompt_odds_factor(-1), "deviation"),
        (lambda: emergence.copy_error(0.1, -1), "diameter"),
        (lambda: null.null_bound(4, 0), "offset"),
        (lambda: null.null_bound(4, 4), "offset"),
        (lambda: ceiling.slash_ceiling([-1.0], [1], reach=1), "amplitudes"),
        (lambda: ceiling.slash_ceiling([1.0], [1], reach=-1), "reach"),
        (lambda: ceiling.aligned_score([1.0], [1], offset=3, row=3), "offset"),
        (lambda: ceiling.amplitude_needed(0), "score"),
        (lambda: ceiling.low_only_ceiling(-1, 1, reach=1), "amplitude"),
        (lambda: ceiling.low_only_ceiling(1, -1, reach=1), "largest_frequency"),
        (lambda: ceiling.lipschitz_ceiling(-1, offset=0, row=1), "rate"),
        (lambda: ceiling.lipschitz_two_sided(0, offset=0), "rate"),
        (lambda: ceiling.lipschitz_limit(float("inf")), "rate"),
        (lambda: returns.alias_bound(1, 1), "parts"),
        (lambda: returns.nearest_return([1.0], [1], parts=True), "parts"),
        (lambda: returns.uniform_length(RopeSpec(4, 10000)), "spec"),
        (lambda: returns.uniform_length(RopeSpec(128, 10000, rotary_dim=64)), "spec"),
        (lambda: returns.uniform_margin(RopeSpec(64, 100, scaling=Linear(2)), 9), "spec"),
        (lambda: returns.uniform_margin(STANDARD, 1), "length"),
        (lambda: returns.uniform_length(10000), "spec"),
    ],
)
def test_bad_arguments_never_yield_a_number(call, argument):
    with pytest.raises(InvalidArgument) as error:
        call()
    assert error.value.argument == argument


@pytest.mark.parametrize("module", [cone, emergence, null, ceiling, returns])
def test_doctests(module):
    result = doctest.testmod(module)
    assert result.failed == 0
    assert result.attempted > 0
