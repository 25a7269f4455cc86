"""Limits of several planes: against scans, linear programmes and random heads."""

from __future__ import annotations

import doctest
import importlib
import itertools
import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ropeproof.numerics.bounds import planes
from ropeproof.numerics.bounds.index import index_margin, one_plane_limit
from ropeproof.numerics.bounds.planes import (
    angles_drawn,
    digit_angles,
    digits_margin,
    frozen_margins,
    limits,
    one_plane_against_all,
    planes_enough,
    planes_needed,
    read_arithmetic,
    upper_margin,
    whole_root,
)
from ropeproof.numerics.bounds.planes.longest import longest
from ropeproof.numerics.bounds.planes.sums import decays, least_cold, least_temperature, running
from ropeproof.numerics.bounds.slash.budget.rows import exponential, exponential_of
from ropeproof.numerics.core.profiles import settings_for
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec

few = settings_for("quick", cases=40)
SPEC = RopeSpec(128, 10000)
MODULES = ("aligned", "limits", "longest", "returns", "rounding", "spectrum", "sums")


@pytest.mark.parametrize("name", MODULES)
def test_doctests(name):
    module = importlib.import_module(f"ropeproof.numerics.bounds.planes.{name}")
    assert doctest.testmod(module).failed == 0


# --- limits -----------------------------------------------------------------------------------


def test_digits_and_limit_have_the_same_power_of_the_length():
    """Both are `Theta(n^{-2/m})`: their ratio stays within constants of the number of planes."""
    for count, parts in itertools.product((2, 3), (4, 8, 16, 32)):
        reached = digits_margin(planes=count, parts=parts).lower
        limit = upper_margin(planes=count, reach=parts**count).upper
        assert limit / reached == pytest.approx(count)


@pytest.mark.parametrize("loss", [0.3, 0.5, 1])
@pytest.mark.parametrize("length", [2, 17, 1024])
def test_planes_enough_is_the_next_integer(length, loss):
    found = planes_enough(length, loss=loss)
    with mpmath.workdps(40):
        bound = 2 * mpmath.log(length) / mpmath.mpf(loss) ** 2
        assert found - 1 <= bound < found


@few
@given(st.integers(4, 400), st.floats(0.05, 1.9))
def test_planes_needed_is_what_no_head_undercuts(length, share):
    count = planes_needed(length, share=share)
    with mpmath.workdps(40):
        bound = mpmath.log(mpmath.mpf(length - 1) / 2) / mpmath.log(
            1 + 2 * mpmath.pi / mpmath.acos(1 - mpmath.mpf(share))
        )
        assert count >= bound > count - 1 or count == 1
    if share <= 1:
        random = np.random.default_rng(length)
        fewer = max(count - 1, 1)
        if fewer < count:
            sizes = random.random(fewer)
            sizes /= sizes.sum()
            found = index_margin(random.uniform(0, 7, fewer), sizes, length=length)
            assert found.lower < share * (1 + 1e-12)


@few
@given(st.integers(1, 10**18), st.integers(1, 9))
def test_whole_roots(value, degree):
    root = whole_root(value, degree)
    assert root**degree <= value < (root + 1) ** degree


# --- one plane against all --------------------------------------------------------------------


def test_the_frozen_spectrum_of_sixteen():
    rows = frozen_margins(SPEC, [16, 64, 256, 1024], optimal_at=16)
    digits = [f"{row.frozen.lower:.3f}" for row in rows[:3]] + [f"{rows[3].frozen.lower:.4f}"]
    assert digits == ["0.404", "0.085", "0.046", "0.0044"]
    assert all(row.frozen.width < 1e-12 for row in rows)
    assert rows[0].frozen.lower == rows[0].best.lower
    for row in rows[1:]:
        assert row.best.lower > 3 * row.frozen.upper
    theta = frequencies_float64(SPEC)
    assert rows[3].lag == 377
    assert len(theta) == 64


def test_all_planes_pass_the_one_plane_limit():
    rows = one_plane_against_all(SPEC, [3, 17, 257])
    for row in rows:
        assert row.one_plane == one_plane_limit(row.length)
        assert row.all_planes.lower > 0.3
        assert row.any_planes is None
    assert rows[2].all_planes.lower > 1000 * rows[2].one_plane.upper
    small = RopeSpec(4, 10000)
    (row,) = one_plane_against_all(small, [65])
    assert row.all_planes.upper <= row.any_planes.upper


# --- parts ------------------------------------------------------------------------------------


def test_one_exponential_is_that_of_an_array_bit_for_bit():
    random = np.random.default_rng(3)
    points = np.concatenate(
        (
            random.uniform(-700, 700, 4000),
            random.normal(0, 1e-3, 500),
            [0.0, -0.0, 1e-300, 700, -700],
        )
    )
    assert [exponential_of(x) for x in points.tolist()] == exponential(points).tolist()


def test_sums_of_exponentials_enclose():
    random = np.random.default_rng(0)
    gaps = np.concatenate((random.uniform(0, 4, 500), [0.0, 1e-9, -0.3]))
    for beta in (0.0, 0.7, 40.0, 1e4):
        down, up = running(decays(gaps, 1e-12, beta))
        with mpmath.workdps(50):
            total = mpmath.mpf(0)
            for place, gap in enumerate(gaps.tolist(), start=1):
                for off in (0, 1e-12, -1e-12):
                    one = mpmath.exp(-mpmath.mpf(beta) * (mpmath.mpf(gap) + mpmath.mpf(off)))
                    assert down[place] <= total + one + mpmath.mpf("1e-250")
                    assert total + one <= up[place]
                total += mpmath.exp(-mpmath.mpf(beta) * mpmath.mpf(gap))


def test_roots_are_enclosed():
    def odds(beta):
        return 5 * math.exp(-beta) * (1 - 1e-12), 5 * math.exp(-beta) * (1 + 1e-12)

    found = least_temperature(odds, 10.0)
    assert found.lower < math.log(5) < found.upper
    assert found.width < 1e-10
    flat = least_temperature(lambda beta: (0.5, 0.6), 1.0)
    assert flat.lower == 0
    assert flat.upper <= 1
    rising = least_cold(lambda beta: 5 * math.exp(-beta) + 0.2 * beta - 1, math.log(5))
    assert 5 * math.exp(-rising) + 0.2 * rising < 1
    assert 5 * math.exp(-rising * 0.999) + 0.2 * rising * 0.999 > 1
    assert least_cold(lambda beta: 1.0, 1.0) == math.inf


@few
@given(st.integers(0, 3000), st.integers(2, 4000))
def test_longest_finds_the_last(last, most):
    found = longest(lambda n: n <= last, least=2, most=most)
    assert found == max(min(last, most), 1)


def test_arithmetics():
    exact = read_arithmetic("exact")
    assert exact.exact
    assert exact.odds_allowed(10**6, 100.0) == 1
    assert exact.logit_error(np.ones(2), np.ones(2), length=10, head_dim=4) == 0
    odds = [read_arithmetic(k).odds_allowed(100, 10.0) for k in ("float64", "float32", "bfloat16")]
    assert 1 > odds[0] > odds[1] > odds[2] > 0.9
    assert read_arithmetic("float32").odds_allowed(10**8, 10.0) < 0
    assert read_arithmetic("bfloat16", "float32").angle == 2.0**-24
    assert sorted(planes.ARITHMETICS) == ["bfloat16", "exact", "float16", "float32", "float64"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: upper_margin(planes=3, reach=7), r"reach: got 7, allowed: an integer >= 2\^3"),
        (lambda: upper_margin(planes=0, reach=7), "planes: got 0"),
        (lambda: upper_margin(planes=1, reach=7, amplitude=-1), "amplitude: got -1"),
        (lambda: digit_angles(planes=1, parts=1), "parts: got 1, allowed: an integer >= 2"),
        (lambda: planes_enough(10, loss=0), "loss: got 0, allowed: a number > 0"),
        (lambda: planes_enough(10, loss=1.5), "loss: got 1.5, allowed: 0 < number <= 1"),
        (lambda: planes_needed(10, share=2), "share: got 2"),
        (lambda: angles_drawn(0, seed=0), "planes: got 0"),
        (lambda: frozen_margins(SPEC, [], optimal_at=16), r"reaches: got \(\)"),
        (lambda: one_plane_against_all(SPEC, [1]), "lengths: got 1"),
        (lambda: read_arithmetic("half"), "arithmetic: got 'half'"),
    ],
)
def test_bad_arguments_are_refused(call, message):
    with pytest.raises(InvalidArgument, match=message):
        call()


def test_sabotage_goes_red(monkeypatch):
    """A limit with one part too many is passed by the digits, which attain theirs."""
    monkeypatch.setattr(limits, "whole_root", lambda value, degree: whole_root(value, degree) + 9)
    with pytest.raises(AssertionError):
        test_digits_and_limit_have_the_same_power_of_the_length()
