"""The certified lag scan against mpmath, which shares no code with it."""

from __future__ import annotations

import ctypes
import math
import platform
import sys
from fractions import Fraction
from types import SimpleNamespace

import mpmath
import numpy as np
import pytest
from flint import arb, ctx, fmpq
from hypothesis import assume, given
from hypothesis import strategies as st

from ropeproof.numerics import lag_scan
from ropeproof.numerics.enclosure import Enclosure, Extremum
from ropeproof.numerics.lag_scan import (
    circle,
    extrema,
    largest_logit,
    largest_step,
    logit_blocks,
    logit_enclosure,
    margin,
    minimum_gap,
    scan,
)
from ropeproof.numerics.profiles import settings_for
from ropeproof.theory.errors import InvalidArgument, Unsupported

DIGITS = 80
modest = settings_for("quick", cases=60)


def rope(planes, base=10000, bits=160):
    """Standard frequencies `base^(-l/planes)` as balls."""
    with ctx.workprec(bits):
        return [arb(base) ** arb(fmpq(-plane, planes)) for plane in range(planes)]


def rope_mp(planes, base=10000):
    return [mpmath.mpf(base) ** (mpmath.mpf(-plane) / planes) for plane in range(planes)]


def to_mp(value):
    if isinstance(value, Fraction):
        return mpmath.mpf(value.numerator) / value.denominator
    return mpmath.mpf(value)


def logit_mp(amplitudes, phases, frequencies, lag):
    """The reference: a plain sum at 80 digits, with room for lags and phases up to 1e30."""
    planes = zip(amplitudes, phases, frequencies, strict=True)
    return mpmath.fsum(
        mpmath.mpf(float(a)) * mpmath.cos(to_mp(f) * lag + mpmath.mpf(float(p)))
        for a, p, f in planes
    )


def assert_contained(logits, amplitudes, phases, frequencies, lags):
    with mpmath.workdps(DIGITS):
        for lag in lags:
            true = logit_mp(amplitudes, phases, frequencies, lag)
            index = lag - logits.first
            assert abs(true - mpmath.mpf(float(logits.mid[index]))) <= logits.radius, lag
            assert mpmath.mpf(float(logits.lower[index])) <= true, lag
            assert true <= mpmath.mpf(float(logits.upper[index])), lag


def some_lags(logits, count=12):
    size = len(logits.mid)
    picked = {0, size - 1, size // 2, *np.random.default_rng(size).integers(0, size, count)}
    return [logits.first + int(index) for index in picked]


amplitude = st.floats(0, 1e6) | st.sampled_from([0.0, 1.0, 1e-300, 5e-324])
phase = st.floats(-10, 10) | st.sampled_from([0.0, math.pi, 1e17, -3e22])
frequency = (
    st.floats(0, 7)
    | st.floats(1e-12, 1e-6)
    | st.fractions(0, 4, max_denominator=10**6)
    | st.sampled_from([0, 1, 3, Fraction(1, 2), 5e-324, 1e-40])
)


@st.composite
def heads(draw, most=5):
    planes = draw(st.integers(1, most))
    column = [st.lists(s, min_size=planes, max_size=planes) for s in (amplitude, phase, frequency)]
    return tuple(draw(values) for values in column)


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


# --- extrema -----------------------------------------------------------------------------------


def assert_extremum(found, values, pick, size):
    """`values` maps lags to mpmath numbers of at most about `size`; `pick` is min or max."""
    best = pick(values.values())
    slack = size * mpmath.eps * 1e10
    assert mpmath.mpf(found.lower) - slack <= best <= mpmath.mpf(found.upper) + slack
    near = {lag for lag, value in values.items() if abs(value - best) <= size * mpmath.eps * 1e30}
    assert near & set(found.ties)
    if found.certified:
        assert set(found.ties) <= near
    else:
        assert set(found.ties) >= near
    assert found.lag == found.ties[0]


@modest
@given(heads(most=3), st.integers(2, 40), st.data())
def test_extrema_against_brute_force(head, lags, data):
    target = data.draw(st.integers(0, lags - 1))
    # Subnormal amplitudes and frequencies tell lags apart only after a thousand digits.
    with mpmath.workdps(2000):
        g = {lag: logit_mp(*head, lag) for lag in range(lags)}
        gaps = {lag: g[target] - g[lag] for lag in g if lag != target}
        steps = {lag: abs(g[lag + 1] - g[lag]) for lag in range(lags - 1)}
        size = sum(head[0])
        sizes = {lag: abs(value) for lag, value in g.items()}
        assert_extremum(minimum_gap(*head, target=target, lags=lags), gaps, min, size)
        assert_extremum(largest_step(*head, lags=lags), steps, max, size)
        assert_extremum(largest_logit(*head, lags=lags), sizes, max, size)


@pytest.mark.parametrize(
    ("reach", "lag", "shown"),
    [(43, 25, "8.8e-03"), (44, 44, "1.6e-04"), (709, 333, "3.9e-05"), (710, 710, "1.8e-09")],
)
def test_one_plane_repeats_itself(reach, lag, shown):
    # slash.alias: 44 and 710 are close to multiples of 2 pi.
    found = margin([1.0], [1], reach=reach)
    assert found.lag == lag
    assert found.certified
    assert f"{found.upper:.1e}" == shown
    assert found.width <= 2 * math.ulp(found.upper)
    with mpmath.workdps(40):
        assert mpmath.mpf(found.lower) <= 1 - mpmath.cos(lag) <= mpmath.mpf(found.upper)


def test_margin_is_the_gap_of_zero_phases():
    amplitudes = np.random.default_rng(0).random(16)
    gap = minimum_gap(amplitudes, np.zeros(16), rope(16), target=0, lags=1001)
    assert margin(amplitudes, rope(16), reach=1000) == gap


def test_uniform_head_reaches_every_lag():
    # slash.uniform: the margin of equal amplitudes is at least that of the first plane at lag 1.
    found = margin(np.ones(16), rope(16), reach=5000)
    assert found.lower >= 1 - math.cos(1)
    assert found.certified


def test_largest_step_respects_the_band_bound():
    # rope.band: at most 2 sin(1/2) A.
    random = np.random.default_rng(4)
    amplitudes, phases = random.random(64), random.uniform(-3, 3, 64)
    step = largest_step(amplitudes, phases, rope(64), lags=2**17)
    assert 0 < step.lower <= step.upper < 2 * math.sin(0.5) * amplitudes.sum()
    logits = logit_enclosure(amplitudes, phases, rope(64), lags=2**17)
    observed = np.abs(np.diff(logits.mid))
    assert step.lag == int(observed.argmax())
    assert abs(step.upper - observed.max()) < 2.1 * logits.radius
    size = largest_logit(amplitudes, phases, rope(64), lags=2**17)
    assert size.lag == int(np.abs(logits.mid).argmax())
    assert size.upper <= amplitudes.sum()


def test_small_steps_of_large_logits_keep_their_digits():
    step = largest_step([1e6], [1.0], [Fraction(1, 10**12)], lags=1000)
    with mpmath.workdps(60):
        theta = mpmath.mpf(10) ** -12
        true = 1e6 * abs(mpmath.cos(1 + 1000 * theta - theta) - mpmath.cos(1 + 998 * theta))
        assert mpmath.mpf(step.lower) <= true <= mpmath.mpf(step.upper)
    assert step.lag == 998
    assert step.width < 1e-15 * step.upper


# --- ties --------------------------------------------------------------------------------------


def test_a_tie_that_arithmetic_cannot_prove_is_named_and_not_certified():
    with ctx.workprec(2000):
        quarter = arb.pi() / 2
    gap = minimum_gap([1.0, 2.0], [0.0, 0.0], [quarter, quarter], target=0, lags=14)
    assert gap.ties == (4, 8, 12)
    assert gap.lag == 4
    assert not gap.certified
    assert 0 in gap
    assert gap.width < 1e-200


def test_balls_that_never_get_sharper_end_the_search():
    with ctx.workprec(128):
        quarter = arb.pi() / 2
    gap = minimum_gap([1.0], [0.0], [quarter], target=0, lags=14)
    assert gap.ties == (4, 8, 12)
    assert not gap.certified
    assert 0 in gap
    assert gap.width < 1e-30


def test_more_ties_than_can_be_named():
    def quarter(bits):
        with ctx.workprec(bits):
            return (arb.pi() / 2,)

    gap = minimum_gap([1.0], [0.0], quarter, target=0, lags=2**15)
    assert len(gap.ties) + gap.omitted == 2**13 - 1
    assert gap.ties[:3] == (4, 8, 12)
    assert not gap.certified
    assert 0 in gap
    assert gap.width < 1e-14


def test_symmetric_lags_of_a_rational_head_are_a_proved_tie():
    gap = minimum_gap([1.0, 0.5], [-20.0, -10.0], [1, Fraction(1, 2)], target=20, lags=41)
    assert gap.ties == (7, 33)  # 13 is close to two periods
    assert gap.certified
    assert gap.width <= math.ulp(gap.upper)


def test_a_constant_head_ties_everywhere_at_exactly_zero():
    gap = minimum_gap([1.0, 3.0], [0.2, 0.4], [0, 0.0], target=2, lags=5)
    assert gap == Extremum(lower=0.0, upper=0.0, lag=0, ties=(0, 1, 3, 4), certified=True)
    step = largest_step([1.0], [0.2], [0], lags=4)
    assert step == Extremum(lower=0.0, upper=0.0, lag=0, ties=(0, 1, 2), certified=True)
    nothing = largest_logit([0.0, 0.0], [1.0, 2.0], [1, 2], lags=3)
    assert nothing == Extremum(lower=0.0, upper=0.0, lag=0, ties=(0, 1, 2), certified=True)


def test_opposite_steps_tie_in_size():
    # cos(t - 1) rises by 1 - cos 1 and falls by as much.
    step = largest_step([1.0], [-1.0], [1], lags=3)
    assert step.ties == (0, 1)
    assert step.certified
    assert step.lower <= 1 - math.cos(1) <= step.upper


def test_a_near_tie_far_below_double_precision_is_settled():
    # cos(theta 4 - 3) and cos(theta 2 - 3) differ by about 1e-60.
    theta = 1 + Fraction(1, 2**200)
    gap = minimum_gap([1.0], [-3.0], [theta], target=3, lags=7)
    assert gap.ties == (2,)
    assert gap.certified
    nearer = minimum_gap([1.0], [-3.0], [1 + Fraction(1, 2**5000)], target=3, lags=7)
    assert set(nearer.ties) == {2, 4}
    assert not nearer.certified


def test_leaders_forget_what_a_better_block_outdoes():
    leaders = extrema.Leaders()
    leaders.feed(np.zeros(3000), 0, 1e-3)
    assert (len(leaders.lags), leaders.omitted) == (1024, 1976)
    leaders.feed(np.array([0.0005, 1.0]), 3000, 1e-3)
    assert (leaders.lags.tolist(), leaders.omitted) == ([3001], 0)
    leaders.feed(np.array([0.9985, 0.9]), 3002, 1e-3)
    assert leaders.lags.tolist() == [3001, 3002]
    assert leaders.ceiling >= 1.001


def test_a_block_of_the_target_alone_names_no_leader():
    blocks = [
        lag_scan.LagLogits(np.array([value]), 0.1, lag) for lag, value in enumerate([5.0, 3.0])
    ]
    leaders = extrema.leaders_of(iter(blocks), skip=0)
    assert leaders.lags.tolist() == [1]


# --- two ways to say the same thing --------------------------------------------------------------


@modest
@given(heads(), st.integers(1, 3000), st.sampled_from([16, 256, 2048]))
def test_blocks_of_any_width_agree_and_stream_alike(head, lags, block):
    one, other = logit_enclosure(*head, lags=lags), logit_enclosure(*head, lags=lags, block=block)
    assert (np.abs(one.mid - other.mid) <= one.radius + other.radius).all()
    pieces = list(logit_blocks(*head, lags=lags, block=block))
    assert [piece.first for piece in pieces] == list(range(0, lags, 256 * min(block, 4096)))
    joined = np.concatenate([piece.mid for piece in pieces])
    assert (np.abs(joined - one.mid) <= one.radius + pieces[-1].radius).all()


def test_streamed_blocks_are_not_overwritten():
    first, *rest = logit_blocks([1.0], [0.0], [1], lags=5000, block=4)
    assert len(rest) == 4
    assert_contained(first, [1], [0], [1], some_lags(first))


@modest
@given(heads(), st.integers(1, 50), st.integers(1, 50))
def test_a_later_start_is_a_shift(head, first, lags):
    whole = logit_enclosure(*head, lags=first + lags)
    part = logit_enclosure(*head, lags=lags, first=first)
    assert (np.abs(whole.mid[first:] - part.mid) <= whole.radius + part.radius).all()


def test_frequencies_may_be_given_in_any_exact_form():
    forms = [[1, 0.5], [Fraction(1), Fraction(1, 2)], [arb(1), arb(0.5)], np.array([1.0, 0.5])]
    forms += [np.array([1.0, 0.5], dtype=np.float32), lambda bits: [arb(1), 0.5]]
    results = {minimum_gap([1.0, 1.0], [0.1, 0.2], form, target=3, lags=50) for form in forms}
    assert len(results) == 1


def test_a_spec_stands_for_its_frequencies(monkeypatch):
    spec = SimpleNamespace(head_dim=8)

    def frequencies_ball(given_spec, bits):
        assert given_spec is spec
        return tuple(rope(4, bits=bits))

    module = SimpleNamespace(frequencies_ball=frequencies_ball)
    monkeypatch.setitem(sys.modules, "ropeproof.numerics.spec", module)
    assert margin(np.ones(4), spec, reach=99) == margin(np.ones(4), rope(4), reach=99)


def test_amplitudes_scale_by_powers_of_two():
    one = minimum_gap([0.3, 0.7], [1.0, 2.0], [1, 0.1], target=5, lags=500)
    eight = minimum_gap([2.4, 5.6], [1.0, 2.0], [1, 0.1], target=5, lags=500)
    assert (eight.lower, eight.upper, eight.lag) == (8 * one.lower, 8 * one.upper, one.lag)


def test_precision_of_the_process_is_left_alone():
    before = ctx.prec
    for _ in logit_blocks([1.0], [0.0], [1], lags=4096, block=4):
        assert ctx.prec == before
    minimum_gap([1.0], [0.0], [1], target=0, lags=50)
    assert ctx.prec == before


# --- arguments and records -----------------------------------------------------------------------

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
