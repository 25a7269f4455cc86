"""Index heads in numbers: margins by definition, and what is refused."""

from __future__ import annotations

import doctest
import importlib
import itertools
import math

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from index_definition import by_definition

from ropeproof.numerics.bounds.index import (
    decode_length,
    index_margin,
    index_odds,
    index_reach,
    staircase,
    temperature_needed,
)
from ropeproof.numerics.core import lag_scan
from ropeproof.numerics.core.profiles import settings_for
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec

few = settings_for("quick", cases=40)
SPEC = RopeSpec(16, 10000)
MODULES = ("margin", "staircase", "temperature", "decode")


@pytest.mark.parametrize("name", MODULES)
def test_doctests(name):
    module = importlib.import_module(f"ropeproof.numerics.bounds.index.{name}")
    assert doctest.testmod(module).failed == 0


def test_the_printed_bounds_counterexample():
    theta = sympy.pi / 2 + sympy.Rational(1, 100)
    found = index_margin(theta, length=7, integers=6, inputs=3)
    bound = min(1 - math.cos(float(theta)), 2 * math.pi**2 / 49)
    assert f"{found.lower:.3f}" == "0.970"
    assert f"{bound:.4f}" == "0.4028"
    assert found.lower > bound
    assert all(index_margin(theta, length=7, inputs=query).lower > 0 for query in range(7))


@few
@given(data=st.data())
def test_margins_are_the_definition(data):
    length, integers = data.draw(st.integers(2, 14)), data.draw(st.integers(1, 14))
    kind = data.draw(st.sampled_from(["turns", "floats", "mixed", "roots"]))
    planes = data.draw(st.integers(1, 3))
    random = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    turns = [sympy.Rational(int(a), int(b)) for a, b in random.integers(1, 30, (planes, 2))]
    floats = [float(x) for x in random.uniform(0.01, 7, planes)]
    thetas = {
        "turns": [2 * sympy.pi * t for t in turns],
        "floats": floats,
        "mixed": [2 * sympy.pi * turns[0], *floats[1:]],
        "roots": [sympy.sqrt(t) for t in turns],
    }[kind]
    sizes = [float(x) for x in random.uniform(0.1, 3, planes)]
    exact = by_definition(thetas, sizes, length, integers)
    pairs = [("worst", min(exact.values())), ("best", max(exact.values())), *exact.items()]
    for inputs, value in pairs:
        # The worst input over a small alphabet is still the letter's own query.
        found = index_margin(thetas, sizes, length=length, integers=integers, inputs=inputs)
        assert found.lower - mpmath.mpf("1e-50") <= value <= found.upper + mpmath.mpf("1e-50")
        assert found.width <= 1e-14


def test_reach_is_that_of_the_definition():
    for length, integers in itertools.product(range(2, 12), range(1, 12)):
        reaches = [max(i, length - 1 - i) for i in range(min(integers, length - 1) + 1)]
        assert index_reach(length=length, integers=integers) == max(reaches)
        assert index_reach(length=length, integers=integers, inputs="best") == min(reaches)


def test_several_planes_are_the_scan():
    sizes = np.linspace(0.1, 1, SPEC.planes)
    scanned = lag_scan.margin(sizes, SPEC, reach=4999)
    found = index_margin(SPEC, sizes, length=5000)
    assert (found.lower, found.upper) == (scanned.lower, scanned.upper)


def test_rational_multiples_of_pi_return_exactly():
    assert index_margin(2 * sympy.pi / 3, length=4).upper == 0
    assert index_margin(2 * sympy.pi / 3, length=3).lower == pytest.approx(1.5)
    thetas = [2 * sympy.pi / 6, 2 * sympy.pi / 4]
    assert index_margin(thetas, [1, 1], length=12).lower > 0
    assert index_margin(thetas, [1, 1], length=13).upper == 0
    # The float nearest to a third of a turn does not return.
    near = index_margin(2 * math.pi / 3, length=4)
    assert 0 < near.lower <= near.upper < 1e-30


def test_unrotated_planes_add_nothing():
    partial = RopeSpec(16, 10000, rotary_dim=8)
    assert index_margin(partial, [0, 0, 0, 0, 1, 1, 1, 1], length=3).upper == 0
    with_and_without = [
        index_margin(partial, [1, 1, 1, 1, size, 0, 0, 0], length=50) for size in (0, 5)
    ]
    assert with_and_without[0] == with_and_without[1]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: index_margin(1, length=1), "length: got 1, allowed: an integer >= 2"),
        (lambda: index_margin(1, length=True), "length: got True, allowed: an integer >= 2"),
        (lambda: index_margin(math.nan, length=3), "frequencies: got nan"),
        (lambda: index_margin(-1, length=3), "frequencies: got -1, allowed: numbers >= 0"),
        (lambda: index_margin([], length=3), "frequencies: got"),
        (lambda: index_margin([1, 2], length=3), "amplitudes: got None, allowed: 2 numbers"),
        (lambda: index_margin([1, 2], [1], length=3), r"amplitudes: got 'shape \(1,\)'"),
        (lambda: index_margin([1], [-1.0], length=3), "amplitudes: got .*one of them > 0"),
        (lambda: index_margin([1], [0.0], length=3), "amplitudes: got .*one of them > 0"),
        (lambda: index_margin([1], [math.inf], length=3), "amplitudes: got inf"),
        (lambda: index_margin(1, length=3, integers=0), "integers: got 0"),
        (lambda: index_margin(1, length=5, integers=2, inputs=3), "inputs: got 3.*from 0 to 2"),
        (lambda: index_margin(1, length=5, inputs="all"), "inputs: got 'all', allowed: 'worst'"),
        (lambda: staircase(1, []), r"lengths: got \(\)"),
        (lambda: staircase(1, 5), "lengths: got 5, allowed: integers >= 2"),
        (lambda: staircase(1, [5]).at(6), "length: got 6, allowed: an integer from 2 to 5"),
        (lambda: index_odds(-1, 1, length=3), "inverse_temperature: got -1"),
        (lambda: temperature_needed(2), "length: got 2, allowed: an integer >= 3"),
        (
            lambda: decode_length(1, arithmetic="int8"),
            "arithmetic: got 'int8', allowed: exact, float64, float32, float16, bfloat16",
        ),
        (
            lambda: decode_length(1, arithmetic="float32", angles="bfloat16"),
            "angles: got 'bfloat16', allowed: float64, float32",
        ),
        (lambda: decode_length(1, inverse_temperature=math.nan), "inverse_temperature: got nan"),
    ],
)
def test_bad_arguments_are_refused(call, message):
    with pytest.raises(InvalidArgument, match=message):
        call()
