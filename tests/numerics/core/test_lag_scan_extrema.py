"""Lag scan: extrema, ties, and two ways to say the same thing."""

from __future__ import annotations

import math
import sys
from fractions import Fraction
from types import SimpleNamespace

import mpmath
import numpy as np
import pytest
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st
from lag_scan_definition import assert_contained, heads, logit_mp, modest, rope, some_lags

from ropeproof.numerics.core import lag_scan
from ropeproof.numerics.core.enclosure import Extremum
from ropeproof.numerics.core.lag_scan import (
    extrema,
    largest_logit,
    largest_step,
    logit_blocks,
    logit_enclosure,
    margin,
    minimum_gap,
)


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
    leaders = extrema.LeadingLags()
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
    monkeypatch.setitem(sys.modules, "ropeproof.numerics.core.spec", module)
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
