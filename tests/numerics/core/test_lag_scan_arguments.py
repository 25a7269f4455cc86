"""Lag scan: what it refuses, and the records that it gives."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st
from lag_scan_definition import modest

from ropeproof.numerics.core import lag_scan
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.lag_scan import (
    largest_logit,
    largest_step,
    logit_blocks,
    logit_enclosure,
    margin,
    minimum_gap,
)
from ropeproof.theory.errors import InvalidArgument

GOOD = {"amplitudes": [1.0, 2.0], "phases": [0.0, 0.0], "frequencies": [1, 2], "lags": 5}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"amplitudes": [1.0, -2.0]}, "amplitudes: got -2.0, allowed: numbers >= 0"),
        ({"amplitudes": [1.0, math.nan]}, "amplitudes: got nan, allowed: finite numbers"),
        ({"amplitudes": [math.inf, 1.0]}, "amplitudes: got inf, allowed: finite numbers"),
        (
            {"amplitudes": [1.7e308, 1.7e308]},
            "amplitudes: got 'a sum above 2**1000', allowed: a sum of at most 2**1000",
        ),
        (
            {"amplitudes": [[1.0, 2.0]]},
            "amplitudes: got 'shape (1, 2)', allowed: a non-empty one-dimensional array",
        ),
        (
            {"amplitudes": []},
            "amplitudes: got 'shape (0,)', allowed: a non-empty one-dimensional array",
        ),
        (
            {"amplitudes": [1.0, [2.0]]},
            "amplitudes: got [1.0, [2.0]], allowed: a one-dimensional array of real numbers",
        ),
        (
            {"amplitudes": [1j, 2.0]},
            "amplitudes: got 'dtype complex128', allowed: float64, or numbers exact in float64",
        ),
        (
            {"amplitudes": [True, False]},
            "amplitudes: got 'dtype bool', allowed: float64, or numbers exact in float64",
        ),
        (
            {"amplitudes": [2**53 + 1, 1]},
            "amplitudes: got 'an integer above 2**53', allowed: numbers exact in float64",
        ),
        ({"phases": [0.0]}, "phases: got (1,), allowed: shape (2,), as amplitudes"),
        ({"phases": [0.0, -math.inf]}, "phases: got -inf, allowed: finite numbers"),
        ({"frequencies": [1]}, "frequencies: got '1 planes', allowed: 2, as amplitudes"),
        ({"frequencies": [1, math.nan]}, "frequencies: got nan, allowed: finite numbers"),
        (
            {"frequencies": [1, "2"]},
            "frequencies: got '2', allowed: arb, int, Fraction or float entries",
        ),
        (
            {"frequencies": [1, True]},
            "frequencies: got True, allowed: arb, int, Fraction or float entries",
        ),
        (
            {"frequencies": "12"},
            "frequencies: got '12', allowed: a sequence of real numbers, a function of bits or a "
            "RopeSpec",
        ),
        ({"lags": 0}, f"lags: got 0, allowed: an integer from 1 to {2**62}"),
        ({"lags": 2.0}, f"lags: got 2.0, allowed: an integer from 1 to {2**62}"),
        ({"lags": True}, f"lags: got True, allowed: an integer from 1 to {2**62}"),
        ({"first": -1}, f"first: got -1, allowed: an integer from 0 to {2**62}"),
        ({"block": 48}, "block: got 48, allowed: a power of two"),
        ({"block": 0}, "block: got 0, allowed: an integer from 1 to 1048576"),
    ],
)
def test_bad_arguments_of_a_scan(change, message):
    for function in (logit_enclosure, logit_blocks):
        with pytest.raises(InvalidArgument) as caught:
            function(**{**GOOD, **change})
        assert str(caught.value) == message


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: minimum_gap(**GOOD, target=5),
            "target: got 5, allowed: an integer from 0 to 4",
        ),
        (
            lambda: minimum_gap(**GOOD, target=-1),
            "target: got -1, allowed: an integer from 0 to 4",
        ),
        (
            lambda: minimum_gap(**{**GOOD, "lags": 1}, target=0),
            f"lags: got 1, allowed: an integer from 2 to {2**62}",
        ),
        (
            lambda: largest_step(**{**GOOD, "lags": 1}),
            f"lags: got 1, allowed: an integer from 2 to {2**62}",
        ),
        (
            lambda: largest_logit(**{**GOOD, "lags": 0}),
            f"lags: got 0, allowed: an integer from 1 to {2**62}",
        ),
        (
            lambda: margin([1.0], [1], reach=0),
            f"reach: got 0, allowed: an integer from 1 to {2**62 - 1}",
        ),
        (lambda: margin([-1.0], [1], reach=3), "amplitudes: got -1.0, allowed: numbers >= 0"),
    ],
)
def test_bad_arguments_of_the_extrema(call, message):
    with pytest.raises(InvalidArgument) as caught:
        call()
    assert str(caught.value) == message


def test_numpy_integers_are_integers():
    gap = minimum_gap([1.0], [0.0], [1], target=np.int64(3), lags=np.int32(9))
    assert type(gap.lag) is int
    assert gap == minimum_gap([1.0], [0.0], [1], target=3, lags=9)


def test_results_cannot_be_changed():
    logits = logit_enclosure([1.0], [0.0], [1], lags=3)
    with pytest.raises(ValueError, match="read-only"):
        logits.mid[0] = 7
    with pytest.raises(AttributeError):
        logits.radius = 0.0


def test_input_arrays_are_not_changed():
    amplitudes, phases = np.array([1.0, 0.0]), np.array([0.5, 0.5])
    largest_logit(amplitudes, phases, [1, 2], lags=100)
    assert amplitudes.tolist() == [1.0, 0.0]
    assert phases.tolist() == [0.5, 0.5]


@modest
@given(st.fractions(-4, 4, max_denominator=10**9), st.integers(30, 200))
def test_enclosures_of_balls_are_tight_and_ordered(value, bits):
    with ctx.workprec(bits):
        ball = arb(fmpq(value.numerator, value.denominator))
    found = Enclosure.of(ball, ball)
    assert value in found
    exact = [Fraction(int(m)) * Fraction(2) ** int(e) for m, e in (ball.lower().man_exp(),)]
    if bits >= 60 and ball.is_exact():
        assert found.width <= math.ulp(found.upper)
    assert all(math.nextafter(found.lower, math.inf) > low or low > value for low in exact)


def test_an_unbounded_ball_gives_an_unbounded_enclosure():
    found = Enclosure.of(arb("nan"), arb(2))
    assert (found.lower, found.upper) == (-math.inf, 2.0)


def test_public_names():
    assert all(hasattr(lag_scan, name) for name in lag_scan.__all__)
