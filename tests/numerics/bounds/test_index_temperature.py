"""Index heads: the inverse temperatures at which they start to decode."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from index_definition import decodes, odds_mp

from ropeproof.numerics.bounds.index import (
    index_odds,
    index_temperature,
)
from ropeproof.numerics.core.profiles import settings_for

few = settings_for("quick", cases=40)


@pytest.mark.parametrize(
    ("theta", "length", "integers"),
    [
        *((2 * sympy.pi / n, n, integers) for n in (3, 4, 5) for integers in (1, n - 1)),
        (1.3, 5, 2),
    ],
)
def test_the_temperature_is_where_the_construction_starts_to_decode(theta, length, integers):
    found = index_temperature(theta, length=length, integers=integers)
    assert found.width <= 1e-12 * found.upper
    assert decodes(float(theta), found.upper * (1 + 1e-6), length, integers)
    assert not decodes(float(theta), found.lower * (1 - 1e-6), length, integers)


@few
@given(data=st.data())
def test_temperatures_and_odds_enclose_the_criterion(data):
    length, integers = data.draw(st.integers(2, 60)), data.draw(st.integers(1, 60))
    theta = data.draw(st.floats(0.02, 3.1))
    beta = data.draw(st.floats(0.0, 300.0))
    odds = index_odds(beta, theta, length=length, integers=integers)
    assert odds.lower <= odds_mp(theta, beta, length, integers) <= odds.upper
    found = index_temperature(theta, length=length, integers=integers)
    if math.isfinite(found.upper):
        assert found.width <= 1e-6 * found.upper + 1e-9
        above = odds_mp(theta, found.upper, length, integers)
        assert above < 1
        if found.lower > 0:
            assert odds_mp(theta, found.lower, length, integers) >= 1


def test_no_temperature_is_enough_for_a_tie():
    found = index_temperature(2 * sympy.pi / 3, length=4)
    assert found.lower == found.upper == math.inf
    # With one integer the far end of the window is not seen.
    assert math.isfinite(index_temperature(2 * sympy.pi / 3, length=4, integers=1).upper)


def test_amplitudes_and_temperatures_trade():
    one = index_temperature([1, 0.2], [1.0, 2.0], length=20)
    two = index_temperature([1, 0.2], [2.0, 4.0], length=20)
    assert two.lower == pytest.approx(one.lower / 2, rel=1e-12)


def test_a_margin_too_small_for_float64_sums_leaves_a_wide_enclosure():
    found = index_temperature(Fraction(104348, 33215), length=4, integers=1)  # almost pi
    assert 0 <= found.lower < 20 < found.upper < math.inf
