"""The scalings of the frequencies: against transformers, by their definitions, and refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sympy
from scaling_cases import CASES, LLAMA3, ORIGINAL, library

from ropeproof.numerics.core.spec import attention_factor_float64, frequencies_float64
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import Dynamic, Linear, Llama3, LongRope, RopeSpec, Yarn


@pytest.mark.parametrize("length", [None, 2048, 2049, 16384])
@pytest.mark.parametrize("base", [10000.0, 500000.0, 1234.5])
@pytest.mark.parametrize("name", CASES)
def test_every_scaling_agrees_with_transformers(name: str, base: float, length: int | None):
    kind, parameters, scaling = CASES[name]
    ours = RopeSpec(64, base, scaling=scaling, length=length)
    theirs, factor = library(kind, parameters, base=base, length=length)
    # float32 has 24 bits; the power loses about log(base) times that.
    np.testing.assert_allclose(frequencies_float64(ours), theirs, rtol=3e-6, atol=0)
    assert attention_factor_float64(ours) == pytest.approx(factor, rel=1e-15)


def test_the_scalings_change_something():
    plain = frequencies_float64(RopeSpec(64, 10000))
    for kind, _, scaling in CASES.values():
        scaled = frequencies_float64(RopeSpec(64, 10000, scaling=scaling, length=16384))
        unchanged = kind == "yarn" and (scaling.factor == 1 or scaling.original_length == 3)
        assert np.array_equal(plain, scaled) == unchanged


def test_yarn_with_an_empty_ramp_has_one_of_a_thousandth():
    """Both ends lie 0.0005 below plane 16, so that plane is halfway up."""
    turns = 2048 / (2 * math.pi) * 10000 ** (-(16 - 0.0005) / 32)
    betas = {"beta_fast": turns, "beta_slow": turns, "truncate": False}
    spec = RopeSpec(64, 10000, scaling=Yarn(factor=8, original_length=2048, **betas))
    theirs, _ = library("yarn", {"factor": 8.0, **betas, **ORIGINAL}, base=10000.0, length=None)
    slowed = frequencies_float64(spec) / frequencies_float64(RopeSpec(64, 10000))
    np.testing.assert_allclose(slowed[15:18], [1, 9 / 16, 1 / 8], rtol=1e-9)
    # float32 knows the distance 0.0005 to three digits.
    np.testing.assert_allclose(frequencies_float64(spec), theirs, rtol=2e-3)


def test_yarn_ramp_runs_backwards_where_no_clamp_holds_it():
    """As in the library; the docstring of `Yarn` says so."""
    plain = RopeSpec(64, 10000).frequencies()
    fast = RopeSpec(64, 10000, scaling=Yarn(factor=8, original_length=10**15)).frequencies()
    slow = RopeSpec(64, 10000, scaling=Yarn(factor=8, original_length=3)).frequencies()
    assert fast == tuple(theta / 8 for theta in plain)
    assert slow == plain


@pytest.mark.parametrize(
    ("scaling", "low", "high"),
    [
        (Yarn(factor=4, original_length=32768), 23, 40),
        (Yarn(factor=4, original_length=32768, truncate=False), None, None),
    ],
)
def test_yarn_correction_range(scaling: Yarn, low: int | None, high: int | None):
    found = scaling.correction_range(sympy.Integer(1000000), 64)
    expected = [64 * math.log(32768 / (n * 2 * math.pi)) / math.log(1000000) for n in (32, 1)]
    if low is None:
        assert [float(x) for x in found] == pytest.approx(expected, rel=1e-14)
    else:
        assert found == (low, high) == (math.floor(expected[0]), math.ceil(expected[1]))


@pytest.mark.parametrize("scaling", [Linear(4), Llama3(original_length=8192, **LLAMA3)])
def test_pointwise_map_is_the_map_of_the_planes(scaling: Linear | Llama3):
    theta = sympy.Symbol("theta", positive=True)
    plain, scaled = RopeSpec(64, 500000), RopeSpec(64, 500000, scaling=scaling)
    for before, after in zip(plain.frequencies(), scaled.frequencies(), strict=True):
        mapped = scaling.map(theta).subs(theta, before)
        assert abs(sympy.N(mapped - after, 40)) < 1e-30


YARN = {"factor": 4, "original_length": 64}
LONG = {"short_factor": [1], "long_factor": [1], "original_length": 64, "factor": 2}
L3 = {**LLAMA3, "original_length": 64}


@pytest.mark.parametrize(
    ("make", "arguments", "message"),
    [
        (Linear, {"factor": 0.5}, "factor: got 0.5, allowed: a number >= 1"),
        (Linear, {"factor": math.nan}, "factor: got nan, allowed: a finite number"),
        (Dynamic, {"factor": 2, "original_length": 0}, "original_length: got 0, allowed"),
        (Dynamic, {"factor": 0, "original_length": 1}, "factor: got 0, allowed"),
        (Yarn, {**YARN, "beta_fast": 0.5}, "beta_fast: got 0.5, allowed: at least beta_slow, 1"),
        (Yarn, {**YARN, "beta_slow": 0}, "beta_slow: got 0, allowed: a number > 0"),
        (Yarn, {**YARN, "truncate": 1}, "truncate: got 1, allowed: True or False"),
        (Yarn, {**YARN, "attention": 0}, "attention: got 0, allowed: a number > 0"),
        (Yarn, {**YARN, "mscale": -1}, "mscale: got -1, allowed: a number > 0"),
        (Yarn, {**YARN, "factor": None}, "factor: got None, allowed: a finite number"),
        (LongRope, {**LONG, "short_factor": []}, "short_factor: got [], allowed: a non-empty"),
        (LongRope, {**LONG, "short_factor": 2}, "short_factor: got 2, allowed: a non-empty"),
        (LongRope, {**LONG, "long_factor": [0]}, "long_factor[0]: got 0, allowed: a number > 0"),
        (LongRope, {**LONG, "long_factor": [1, 2]}, "long_factor: got '2 numbers', allowed: as"),
        (LongRope, {**LONG, "original_length": 1}, "original_length: got 1, allowed"),
        (LongRope, {**LONG, "factor": 0}, "factor: got 0, allowed: a number > 0"),
        (
            Llama3,
            {**L3, "high_freq_factor": "0.5"},
            "high_freq_factor: got '0.5', allowed: at least",
        ),
        (Llama3, {**L3, "low_freq_factor": 0}, "low_freq_factor: got 0, allowed: a number > 0"),
    ],
)
def test_bad_scaling_is_refused_by_name(make: type, arguments: dict[str, object], message: str):
    with pytest.raises(InvalidArgument) as caught:
        make(**arguments)
    assert str(caught.value).startswith(message)
