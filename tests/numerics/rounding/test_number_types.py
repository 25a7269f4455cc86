"""Rounding to the number types of models, and exact turns."""

import math

import mpmath
import numpy as np
import pytest
import torch

from ropeproof.numerics.rounding.exact_turns import TurnsInARow, exact_turns
from ropeproof.numerics.rounding.number_types import NUMBER_TYPES, rounded, spacing
from ropeproof.numerics.rounding.possible import Possible, Rules, known, operate, total
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.scaling import Yarn
from ropeproof.theory.rotary.spec import RopeSpec

TYPES = list(NUMBER_TYPES)


def _drawn(dtype, count=20000, spread=12):
    drawn = np.random.default_rng(3)
    values = drawn.standard_normal(count) * 2.0 ** drawn.integers(-spread, spread, count)
    return rounded(values, dtype)


@pytest.mark.parametrize("dtype", TYPES)
def test_rounding_is_that_of_torch(dtype):
    drawn = np.random.default_rng(0)
    values = drawn.standard_normal(100_000) * 10.0 ** drawn.integers(-45, 39, 100_000)
    right = torch.from_numpy(values).float() if dtype != "float64" else torch.from_numpy(values)
    right = right.to(getattr(torch, dtype)).double().numpy()
    assert np.array_equal(rounded(values, dtype), right)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("op", ["add", "sub", "mul", "div"])
def test_an_operation_on_known_numbers_is_known(dtype, op):
    one, two = _drawn(dtype), _drawn(dtype)[::-1].copy()
    own = getattr(torch, dtype)
    right = getattr(torch, op)(torch.from_numpy(one).to(own), torch.from_numpy(two).to(own))
    found = operate(op, (known(one), known(two)), dtype, Rules())
    assert found.known
    assert np.array_equal(found.low, right.double().numpy())


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("op", ["cos", "sin", "exp", "log", "sqrt", "tan"])
def test_elementary_functions_are_within_what_is_assumed(dtype, op):
    values = np.abs(_drawn(dtype))
    values = np.minimum(values, 8.0) if op == "exp" else values
    right = getattr(torch, op)(torch.from_numpy(values).to(getattr(torch, dtype)))
    found = operate(op, (known(values),), dtype, Rules())
    assert np.all(found.low <= right.double().numpy())
    assert np.all(right.double().numpy() <= found.high)
    # Not by being wide: four units in the last place to each side, of exponentials six.
    finite = np.isfinite(found.low) & np.isfinite(found.high)
    width = (found.high - found.low)[finite]
    assert np.all(width <= 12 * spacing(right.double().numpy()[finite], dtype))


@pytest.mark.parametrize("function", ["cos", "sin"])
def test_the_own_sine_and_cosine_are_good_to_one_unit(function):
    values = np.random.default_rng(1).uniform(-1e5, 1e5, 3000)
    mpmath.mp.prec = 160
    for value, found in zip(values, getattr(np, function)(values), strict=True):
        off = abs(getattr(mpmath, function)(mpmath.mpf(value)) - mpmath.mpf(found))
        assert off <= spacing(np.array(found), "float64")


@pytest.mark.parametrize("op", ["add", "sub", "mul", "div", "maximum", "atan2"])
def test_possible_numbers_hold_what_comes_of_any_of_them(op):
    drawn = np.random.default_rng(5)
    low = [_drawn("float32", 3000, 3), _drawn("float32", 3000, 3) + 20]
    high = [v + np.abs(v) * 0.1 for v in low]
    found = operate(op, tuple(map(Possible, low, high)), "float32", Rules())
    for _ in range(20):
        own = [
            rounded(l + (h - l) * drawn.random(len(l)), "float32")
            for l, h in zip(low, high, strict=True)
        ]
        own = [np.clip(o, l, h) for o, l, h in zip(own, low, high, strict=True)]
        one, two = (torch.from_numpy(o).float() for o in own)
        right = getattr(torch, op)(one, two).double().numpy()
        assert np.all((found.low <= right) & (right <= found.high))


def test_a_sum_holds_every_order():
    terms = _drawn("float32", 4000, 6).reshape(500, 8)
    found = total(known(terms), "float32", Rules(), products=False)
    drawn = np.random.default_rng(2)
    for _ in range(30):
        ordered = torch.from_numpy(terms[:, drawn.permutation(8)]).float()
        right = ordered[:, 0]
        for n in range(1, 8):
            right = right + ordered[:, n]
        assert np.all(
            (found.low <= right.double().numpy()) & (right.double().numpy() <= found.high)
        )


def test_integers_that_overflow_are_refused():
    big = known(np.array([2**31 - 1]))
    with pytest.raises(Unsupported, match="int32"):
        operate("add", (big, known(np.array([1]))), "int32", Rules())
    with pytest.raises(Unsupported, match="int64"):
        operate("mul", (known(np.array([2**40])), known(np.array([2**40]))), "int64", Rules())
    with pytest.raises(InvalidArgument, match="float8"):
        rounded(np.zeros(1), "float8")


@pytest.mark.parametrize(
    "spec",
    [
        RopeSpec(8, 500000),
        RopeSpec(8, 10000, scaling=Yarn(factor=4, original_length=128), length=600),
    ],
)
def test_turns_are_within_their_error(spec):
    positions = np.array([0, 1, 7, 1000, 131071, 10**7, 2**32 - 1])
    c, s, error = exact_turns(spec, positions)
    mpmath.mp.prec = 300
    factor = mpmath.mpf(str(spec.attention_factor().evalf(60)))
    thetas = [mpmath.mpf(str(t.evalf(80))) for t in spec.frequencies()]
    assert error < 2**-50 * float(factor)
    row = TurnsInARow(spec, 16)
    for n, place in enumerate(positions):
        near, up, wider = row.at(max(int(place) - 3, 0), 4)
        for plane, theta in enumerate(thetas):
            angle = theta * int(place)
            right = factor * mpmath.cos(angle), factor * mpmath.sin(angle)
            own = float(c[n, plane]), float(s[n, plane])
            assert max(abs(r - mpmath.mpf(o)) for r, o in zip(right, own, strict=True)) <= error
            last = min(3, int(place))
            own = float(near[last, plane]), float(up[last, plane])
            assert max(abs(r - mpmath.mpf(o)) for r, o in zip(right, own, strict=True)) <= wider
    assert wider < 2**-48


def test_positions_beyond_four_thousand_million_are_refused():
    with pytest.raises(InvalidArgument, match="positions"):
        exact_turns(RopeSpec(8, 10000), np.array([2**32]))
    assert math.isfinite(NUMBER_TYPES["float64"].largest)
