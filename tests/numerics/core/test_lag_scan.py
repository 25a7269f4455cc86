"""Lag scan: the enclosure contains the logits, and a broken scan does not pass."""

from __future__ import annotations

import ctypes
import math
import platform
import sys
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from flint import arb
from hypothesis import assume, given
from hypothesis import strategies as st
from lag_scan_definition import DIGITS, assert_contained, heads, logit_mp, modest, rope, some_lags

from ropeproof.numerics.core.lag_scan import (
    LagLogits,
    circle,
    logit_enclosure,
    logit_rows,
    logits_and_gap,
    minimum_gap,
    scan,
)
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.spec import RopeSpec


def rope_mp(planes, base=10000):
    return [mpmath.mpf(base) ** (mpmath.mpf(-plane) / planes) for plane in range(planes)]


# --- containment -------------------------------------------------------------------------------


@modest
@given(heads(), st.integers(1, 5000), st.sampled_from([1, 2, 64, 1024, 4096]))
def test_enclosure_contains_the_logits(head, lags, block):
    assume(lags <= 500 * block)
    logits = logit_enclosure(*head, lags=lags, block=block)
    assert logits.mid.shape == (lags,)
    assert_contained(logits, *head, some_lags(logits))


@modest
@given(heads(), st.integers(0, 2**62 - 1), st.integers(1, 300))
def test_enclosure_contains_the_logits_at_huge_lags(head, first, lags):
    logits = logit_enclosure(*head, lags=lags, first=first)
    assert logits.first == first
    assert_contained(logits, *head, some_lags(logits, 4))


@modest
@given(heads(), st.sampled_from([1, 3, 1024, 1500, 3000]), st.integers(1, 3))
def test_heads_of_many_phases_are_scanned_as_one_by_one(head, lags, count):
    amplitudes, phases, frequencies = head
    rows = np.array(phases) * np.linspace(-1, 1, count)[:, np.newaxis]
    found = logit_rows(amplitudes, rows, frequencies, lags=lags)
    assert found.mid.shape == (count, lags)
    for row, mid in zip(rows, found.mid, strict=True):
        alone = logit_enclosure(amplitudes, row, frequencies, lags=lags)
        assert np.abs(mid - alone.mid).max() <= alone.radius
        assert alone.radius <= found.radius <= alone.radius * (1 + 1e-6)
        assert_contained(
            LagLogits(mid, found.radius), amplitudes, row, frequencies, some_lags(alone, 8)
        )


def test_phases_that_are_no_table_are_refused():
    for phases in ([0.0], np.empty((0, 1)), [[0.0, 1.0]], [[math.nan]]):
        with pytest.raises(InvalidArgument, match="phases"):
            logit_rows([1.0], phases, [1], lags=3)


@pytest.mark.parametrize(("planes", "lags"), [(64, 70_001), (7, 300_000), (128, 2_000)])
def test_standard_frequencies(planes, lags):
    random = np.random.default_rng(planes)
    amplitudes, phases = random.random(planes), random.uniform(-4, 4, planes)
    logits = logit_enclosure(amplitudes, phases, rope(planes), lags=lags)
    with mpmath.workdps(DIGITS):
        frequencies = rope_mp(planes)
    assert_contained(logits, amplitudes, phases, frequencies, some_lags(logits, 40))


def test_a_wave_of_more_than_one_super_block():
    lags = 2**21 + 5
    logits = logit_enclosure([1.0, 2.0], [0.5, -1.0], [1, Fraction(1, 7)], lags=lags)
    assert_contained(logits, [1, 2], [0.5, -1], [1, Fraction(1, 7)], [0, 2**20, 2**21, lags - 1])


def test_cancellation_leaves_the_enclosure_sound():
    # The two large planes nearly cancel: the logit is 1e-8 of the amplitude or less.
    amplitudes, phases = [1e8, 1e8, 1.0], [0.0, math.pi, 0.3]
    frequencies = [1, 1, Fraction(1, 3)]
    logits = logit_enclosure(amplitudes, phases, frequencies, lags=3000)
    assert_contained(logits, amplitudes, phases, frequencies, range(0, 3000, 37))


def test_every_rounding_error_is_within_the_radius_with_room():
    # The a-priori radius is pessimistic; if it were exceeded even in part, it would be wrong.
    amplitudes, phases = np.ones(64), np.zeros(64)
    logits = logit_enclosure(amplitudes, phases, rope(64), lags=4096)
    with mpmath.workdps(40):
        frequencies = rope_mp(64)
        worst = max(
            abs(float(logit_mp(amplitudes, phases, frequencies, lag) - float(logits.mid[lag])))
            for lag in range(0, 4096, 31)
        )
    assert 0 < worst < logits.radius / 5


def test_radius_is_about_one_unit_in_the_fourteenth_digit_of_the_amplitude():
    logits = logit_enclosure(np.ones(64), np.zeros(64), rope(64), lags=4096)
    assert 1.4e-14 < logits.radius / 64 < 1.46e-14
    assert logit_enclosure([1.0], [0.0], [1], lags=9).radius < 6e-16


def test_wide_frequency_balls_widen_the_radius_and_hold_for_all_members():
    ball = arb(1, 1e-14)
    logits = logit_enclosure([1.0], [0.5], [ball], lags=90)
    assert 90e-14 < logits.radius < 1e-11
    for member in (1 - Fraction(1, 10**14), 1 + Fraction(1, 10**14)):
        assert_contained(logits, [1], [0.5], [member], range(90))


def test_frequencies_too_wide_for_the_lags_are_refused():
    with pytest.raises(InvalidArgument, match=r"frequencies: got 'balls that leave angles uncert"):
        logit_enclosure([1.0], [0.0], [arb(1, 1e-9)], lags=10_000)


# --- what must not pass ------------------------------------------------------------------------


def standard_check():
    random = np.random.default_rng(3)
    amplitudes, phases = random.random(8), random.uniform(-4, 4, 8)
    logits = logit_enclosure(amplitudes, phases, rope(8), lags=5000)
    with mpmath.workdps(DIGITS):
        frequencies = rope_mp(8)
    assert_contained(logits, amplitudes, phases, frequencies, some_lags(logits, 60))


def test_the_unbroken_scan_passes_the_check():
    standard_check()


def test_a_radius_a_million_times_too_small_is_caught(monkeypatch):
    honest = scan.radius_bound
    monkeypatch.setattr(scan, "radius_bound", lambda *args: honest(*args) / 1e6)
    with pytest.raises(AssertionError):
        standard_check()


def test_a_table_rounded_to_float32_is_caught(monkeypatch):
    honest = scan.table

    def rounded(*args):
        points = honest(*args)
        coarse = points.cos_head.astype(np.float32).astype(np.float64)
        return points._replace(cos_head=coarse, cos_tail=np.zeros_like(coarse))

    monkeypatch.setattr(scan, "table", rounded)
    with pytest.raises(AssertionError):
        standard_check()


def test_a_dropped_tail_is_caught(monkeypatch):
    honest = circle.turn

    def without_tail(z, w):
        return honest(z, w._replace(sin_tail=np.zeros_like(w.sin_tail)))

    monkeypatch.setattr(circle, "turn", without_tail)
    with pytest.raises(AssertionError):
        standard_check()


def test_seeds_from_float64_angles_are_caught(monkeypatch):
    honest = scan.seed

    def careless(angles, bits):
        return honest([arb(float(angle)) for angle in angles], bits)

    monkeypatch.setattr(scan, "seed", careless)
    monkeypatch.setattr(circle, "seed", careless)
    with pytest.raises(AssertionError):
        standard_check()


def test_the_representation_stays_within_its_stated_error():
    frequencies = rope(5)
    points = circle.table(frequencies, 3, 256, 200)
    assert points.error < 2.0**-71
    assert np.abs(points.cos_head).max() <= 1
    assert (points.sin_head * 2**26 == np.round(points.sin_head * 2**26)).all()
    assert max(np.abs(p).max() for p in (points.cos_tail, points.sin_tail)) <= 2**-27 * (1 + 2**-20)
    with mpmath.workdps(DIGITS):
        for plane, theta in enumerate(rope_mp(5)):
            for row in (0, 1, 100, 255):
                exact = mpmath.expj(3 * row * theta)
                cosine = mpmath.mpf(points.cos_head[row, plane]) + points.cos_tail[row, plane]
                sine = mpmath.mpf(points.sin_head[row, plane]) + points.sin_tail[row, plane]
                assert abs(mpmath.mpc(cosine, sine) - exact) <= points.error


@pytest.mark.skipif(
    platform.machine() != "x86_64" or not sys.platform.startswith("linux"),
    reason="the numbers of the rounding modes are those of Linux on x86-64",
)
@pytest.mark.parametrize("mode", [0x400, 0x800, 0xC00], ids=["down", "up", "to zero"])
def test_directed_rounding_is_refused(mode):
    libm = ctypes.CDLL("libm.so.6")
    libm.fesetround(mode)
    try:
        with pytest.raises(Unsupported, match="does not round to nearest"):
            scan.check_arithmetic()
    finally:
        libm.fesetround(0)
    scan.check_arithmetic()


def test_a_matrix_product_in_float32_is_refused(monkeypatch):
    honest = np.matmul

    def single(x, y, **options):
        return honest(x.astype(np.float32), y.astype(np.float32), **options).astype(np.float64)

    monkeypatch.setattr(np, "matmul", single)
    with pytest.raises(Unsupported):
        logit_enclosure([1.0], [0.0], [1], lags=3)


def test_one_scan_gives_the_logits_and_the_gap():
    spec = RopeSpec(16, 10000, rotary_dim=12)
    amplitudes, phases = np.random.default_rng(0).uniform(0, 2, (2, 8))
    for target, lags in ((0, 2), (5, 40), (39, 40), (1500, 3000)):
        logits, gap = logits_and_gap(amplitudes, phases, spec, target=target, lags=lags)
        alone = logit_enclosure(amplitudes, phases, spec, lags=lags)
        assert np.array_equal(logits.mid, alone.mid)
        assert logits.radius == alone.radius
        assert gap == minimum_gap(amplitudes, phases, spec, target=target, lags=lags)


def test_kept_tables_are_those_of_their_own_frequencies():
    for _ in range(3):  # other balls at what may be the same addresses
        for frequency in (Fraction(1, 3), Fraction(1, 7), Fraction(2, 5)):
            found = logit_enclosure([1.0], [0.0], [frequency], lags=40)
            exact = np.cos(float(frequency) * np.arange(40))
            assert np.abs(found.mid - exact).max() < 1e-13
