"""Claims on shares of lags at which a sum of cosines is positive: means over lags, and their lemmas."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import mpmath
import numpy as np
import pytest

RNG = np.random.default_rng
ROOTS = np.sqrt([2.0, 3.0, 5.0, 7.0])
"""Algebraic numbers that are independent over the rationals are independent of 2 pi as well."""


def logit(angles, amplitudes, phases, count):
    """The sum of C_l cos(theta_l t + x_l) at the lags t < count."""
    lags = np.arange(count)[:, None]
    return np.cos(lags * np.array(angles) + phases) @ np.array(amplitudes, dtype=float)


@pytest.mark.parametrize("rate", [-2.0, 0.0, 0.3, 3.0])
@pytest.mark.parametrize("amplitudes", [(), (1.0,), (-1.0, 0.4), (0.5, 0.0, 2.0)])
def test_means_of_exponentials(amplitudes, rate):
    """Claim `rope.half-exponential`: means over lags against a product of Bessel functions."""
    expected = float(mpmath.fprod(mpmath.besseli(0, rate * c) for c in amplitudes))
    for seed in range(4):
        phases = RNG(seed).uniform(0, 7, len(amplitudes))
        found = np.exp(rate * logit(ROOTS[: len(amplitudes)], amplitudes, phases, 30000)).mean()
        assert abs(found / expected - 1) < 0.01


def test_means_depend_on_phases_for_a_rational_angle():
    """Claim `rope.half-exponential`: an angle that is a rational part of 2 pi is rightly excluded."""
    low, high = (np.exp(logit([np.pi], [1.0], [x], 1000)).mean() for x in (np.pi / 2, 0.0))
    assert high > 1.5 * low


@pytest.mark.parametrize(
    ("factor", "rate", "power"), [(0.1, 0.5, 1), (0.2, -0.4, 3), (-2.0, 1.0, 4)]
)
def test_means_of_powers(factor, rate, power):
    """Claim `rope.half-powers`: means of (1 - a e^(lambda D))^M against a sum over the torus."""
    amplitudes = np.array([1.0, 0.6])
    circle = 2 * np.pi * np.arange(200) / 200
    torus = amplitudes[0] * np.cos(circle)[:, None] + amplitudes[1] * np.cos(circle)
    expected = ((1 - factor * np.exp(rate * torus)) ** power).mean()
    for seed in range(4):
        found = logit(ROOTS[:2], amplitudes, RNG(seed).uniform(0, 7, 2), 30000)
        assert abs(((1 - factor * np.exp(rate * found)) ** power).mean() - expected) < 0.01 * abs(
            expected
        )


PARTS = [Fraction(0), Fraction(1, 10**6), Fraction(1, 7), Fraction(1, 2), Fraction(999, 1000)]


@pytest.mark.parametrize("p", PARTS)
@pytest.mark.parametrize("n", [0, 1, 2, 3, 17, 200])
def test_bernoulli_from_both_sides(p, n):
    """Claim `rope.half-power-bounds`: exact powers of fractions."""
    power = (1 - p) ** n
    assert 0 <= power <= 1
    assert 1 - n * p <= power
    assert power * (1 + n * p) <= 1


@pytest.mark.parametrize("power", [1, 2, 3, 10, 100])
def test_power_against_a_step(power):
    """Claim `rope.half-fall`: exact fractions p about a q with 1/2 <= M q <= 3/4."""
    for part in (Fraction(1, 2), Fraction(3, 5), Fraction(3, 4)):
        q = part / power
        for share in (
            Fraction(0),
            Fraction(1, 100),
            Fraction(1, 2),
            Fraction(1),
            Fraction(5, 4),
            Fraction(9),
        ):
            p = share * q
            if p >= 1:
                continue
            f = (1 - p) ** power
            spread = 4 * f * (1 - f)
            assert spread <= 1
            assert p > q or (1 - f <= spread and f <= 1)
            assert p < q or (f <= spread and f >= 0)
            apart = max(p / q, q / p if p else Fraction(10**9)) - 1
            assert apart == 0 or spread <= 8 / apart


@pytest.mark.parametrize(("at", "top"), [(0, 1), (0, 0), (-3, 2), (5, 5), (3, 1)])
@pytest.mark.parametrize(("window", "small"), [(1, 0.1), (0.2, 0.1), (3, 0.9)])
def test_a_power_is_nearly_a_step(at, top, window, small):
    """Claim `rope.half-step`: numbers M, a, lambda are chosen, and the four bounds hold on a grid."""
    with mpmath.workdps(200):
        rate = mpmath.log(1 + 8 / mpmath.mpf(small)) / window
        q = mpmath.exp(-rate * max(top - at, 0)) / 100
        power = int(mpmath.ceil(1 / (2 * q)))
        assert 0.5 <= power * q <= 0.75
        grid = [top - mpmath.mpf(i) * (abs(top - at) + 3 * window) / 30 for i in range(31)]
        for y in (y for y in (*grid, at, at - window, at + window) if y <= top):
            p = q * mpmath.exp(rate * (y - at))
            f = (1 - p) ** power
            spread = 4 * f * (1 - f)
            assert p < 1
            assert spread <= 1
            assert y > at or 1 - f <= spread
            assert y < at or 0 <= f <= spread
            assert abs(y - at) < window or spread <= small


@pytest.mark.parametrize("count", [3, 4, 5, 8, 13])
def test_three_points_of_a_polygon(count):
    """Claim `rope.half-three`: the best level for any three points is at half the range of their cosines."""
    phases = np.linspace(0, 2 * np.pi / count, 721)
    for three in combinations(range(count), 3):
        values = np.cos(phases[:, None] + 2 * np.pi * np.array(three) / count)
        assert (np.ptp(values, axis=1) / 2).min() >= 2 / count**2


@pytest.mark.parametrize("count", [0, 1, 2, 3, 6])
@pytest.mark.parametrize("small", [0.0, 0.3, 1.0, 2.0])
def test_two_of_three(count, small):
    """Claim `sums.two-of-three`: two numbers of 1, all others small, and any below."""
    rng = RNG(6)
    worst = np.full(count, min(small, 1.0))
    worst[:2] = 1.0
    for numbers in (worst, worst - rng.exponential(1, count), rng.permutation(worst)):
        triples = combinations(numbers, 3)
        assert all(min(three) <= small for three in triples)
        assert numbers.sum() <= small * count + 2 + 1e-12


@pytest.mark.parametrize("turns", [1, 2, 3, 5, 12])
@pytest.mark.parametrize("count", [1, 2, 7, 50])
def test_turning_one_plane_spreads_a_concentrated_function(turns, count):
    """Claim `rope.half-shifts`: F = 1 near a threshold; eta is found from the phases of all turns."""
    rng = RNG(7)
    amplitudes, angles = np.array([-0.8, 0.5]), rng.uniform(0, 3, 2)
    for level in (0.0, 0.3, -1.3, 1.3):
        near, tail = 2 * 0.8 / turns**2, rng.uniform(-0.2, 0.1)

        def mean(phases, level=level, near=near, tail=tail):
            values = logit(angles, amplitudes, phases, count)
            return np.where(np.abs(values - level) < near, 1.0, tail).mean()

        phases = rng.uniform(0, 7, (40, 2))
        worst = max(phases, key=mean)
        turned = [worst + np.array([2 * np.pi * k / turns, 0]) for k in range(turns)]
        found = [mean(x) for x in [*phases, *turned]]
        tolerance = max(0.0, tail, max(found) - min(found))
        assert max(found) <= 2 * tolerance + 2 / turns + 1e-12


@pytest.mark.parametrize("count", [0, 1, 2, 30])
def test_share_near_the_mean_of_a_step(count):
    """Claim `rope.half-mark`: any marks at equality, any function that G lets be off a step."""
    rng = RNG(8)
    for _ in range(50):
        values = rng.integers(-2, 3, count) / 2
        level = 0.5 * rng.integers(-2, 3)
        marks = np.where(
            values < level, 1.0, np.where(values > level, 0.0, rng.uniform(0, 1, count))
        )
        bound = rng.uniform(0, 2, count)
        low, high = 1 - rng.uniform(0, 1, count) * bound, rng.uniform(0, 1, count) * bound
        both = np.maximum(bound, 1)  # at equality F lies in [0, 1], and G is at least F and 1 - F
        bound = np.where(values == level, both, bound)
        f = np.where(values < level, low, np.where(values > level, high, rng.uniform(0, 1, count)))
        assert abs(f.sum() - marks.sum()) <= bound.sum() + 1e-12


HEADS = [(1.0,), (-2.0, 1e-3), (1.0, 0.3), (0.7, -1.0, 0.4), (0.0, 0.0, 1e-6, 0.0)]


@pytest.mark.parametrize("amplitudes", HEADS)
def test_shares_have_one_limit(amplitudes):
    """Claims `rope.half-law` and `rope.half`: shares of lags for drawn phases, at both signs of a level."""
    top = np.abs(amplitudes).sum()
    levels = np.array([0.0, 0.25, 0.6, 0.99]) * top
    for level in levels:
        below, above, opposite = [], [], []
        for seed in range(3):
            phases = RNG(seed).uniform(0, 7, len(amplitudes))
            values = logit(ROOTS[: len(amplitudes)], amplitudes, phases, 30000)
            below.append((values < level).mean())
            above.append((values > level).mean())
            opposite.append((values < -level).mean())
        assert np.ptp(below) < 0.01
        assert max(np.abs(np.subtract(above, opposite))) < 0.01
        if level == 0:
            assert max(np.abs(np.subtract(above, 0.5))) < 0.01


def test_share_at_a_level_that_a_cosine_attains():
    """Claim `rope.half-law`: for one plane the limit is 1 - arccos(tau/|C|)/pi, also at the edges."""
    values = logit([ROOTS[0]], [2.0], [0.3], 200000)
    for level in (-2.0, -1.0, 0.0, 1.9, 2.0):
        assert abs((values < level).mean() - (1 - np.arccos(level / 2) / np.pi)) < 1e-3


@pytest.mark.parametrize(("phase", "share"), [(0.0, 1 / 3), (np.pi / 2, 1 / 2)])
def test_one_half_needs_independent_angles(phase, share):
    """Claim `rope.half`: cos u + cos 2u is positive on a third of the circle, with a phase on a half."""
    values = logit([1.0, 2.0], [1.0, 1.0], [0.0, phase], 100000)
    assert abs((values > 0).mean() - share) < 1e-2


def test_no_share_without_amplitude():
    """Claim `rope.half`: with all amplitudes 0 marks at equality may be anything, so C_p is not 0."""
    values = logit(ROOTS[:2], [0.0, 0.0], [0.1, 0.2], 100)
    assert (values > 0).mean() == 0
    assert (values >= 0).mean() == 1
