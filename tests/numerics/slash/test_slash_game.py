"""The slash game: reference values, closed forms, and both bounds against brute force."""

from __future__ import annotations

import doctest
import math

import mpmath
import numpy as np
import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st
from oracle_values import game_value

from ropeproof.numerics.bounds.slash import game as game_module
from ropeproof.numerics.bounds.slash.game import bands, frozen_margin, optimal_slash
from ropeproof.numerics.bounds.slash.game.programme import Programme
from ropeproof.numerics.bounds.slash.game.window import Window
from ropeproof.numerics.core.profiles import settings_for
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import Dynamic, Llama3, LongRope, RopeSpec, Yarn

SPEC = RopeSpec(128, 10000)
REFERENCE = {16: 0.404, 64: 0.364, 256: 0.347, 1024: 0.328, 4096: 0.313, 16384: 0.306}
PARTIAL = RopeSpec(16, 10000, rotary_dim=8, layout="interleaved")
SPECS = [
    RopeSpec(2, 10000),
    RopeSpec(8, 10000),
    PARTIAL,
    RopeSpec(16, 500000),
    RopeSpec(
        16,
        500000,
        scaling=Llama3(factor=8, low_freq_factor=1, high_freq_factor=4, original_length=64),
        length=512,
    ),
    RopeSpec(16, 10000, scaling=Yarn(factor=4, original_length=64), length=256),
    RopeSpec(8, 10000, scaling=Dynamic(factor=2, original_length=64), length=256),
    RopeSpec(
        4,
        10000,
        scaling=LongRope(short_factor=(1, 1), long_factor=(1, 3), original_length=64, factor=4),
        length=256,
    ),
]


def gaps(theta, displacements, phases):
    """`cos(phi) - cos(theta e + phi)` for every displacement, plane and phase."""
    angles = np.multiply.outer(displacements, theta)[:, :, None] + phases
    return (np.cos(phases) - np.cos(angles)).reshape(len(displacements), -1)


def window_of(before, after):
    return np.array([e for e in range(-before, after + 1) if e])


# --- values ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("reach", "value"), REFERENCE.items())
def test_reference_values(reach, value):
    game = optimal_slash(SPEC, reach)
    # Published to three digits, the last of which may be cut instead of rounded.
    assert math.isclose(game.lower, value, abs_tol=1e-3)
    assert game.converged
    assert game.gap < 1e-7


def test_a_million_lags():
    game = optimal_slash(SPEC, 2**20)
    assert game.gap < 1e-7
    assert 0.284 < game.lower <= game.upper < 0.286
    assert (game.amplitudes >= 0).all()
    assert game.amplitudes.sum() == pytest.approx(1, abs=1e-14)
    assert not game.phases.any()


@pytest.mark.parametrize("reach", [1, 2, 6, 43, 44, 354, 710])
def test_one_plane_two_sided_is_the_nearest_return(reach):
    game = optimal_slash(RopeSpec(2, 10000), reach)
    with mpmath.workdps(60):
        exact = min(1 - mpmath.cos(t) for t in range(1, reach + 1))
        assert game.lower <= exact <= game.upper
    assert game.gap < 1e-12


def test_one_plane_one_competitor_on_one_side_has_a_closed_form():
    """The best phase turns the one gap to the chord `|1 - e^{i theta}| = 2 sin(theta/2)`."""
    game = optimal_slash(RopeSpec(2, 10000), before=0, after=1)
    with mpmath.workdps(60):
        exact = 2 * mpmath.sin(mpmath.mpf(1) / 2)
        assert game.lower <= exact <= game.upper
    assert game.converged
    # The logit rises towards the target, the maximum of the cosine is as far behind it.
    assert game.phases[0] == pytest.approx(math.pi / 2 - 0.5, abs=1e-6)


def test_one_lag_two_sided_is_the_fastest_plane():
    game = optimal_slash(RopeSpec(8, 10000), 1)
    with mpmath.workdps(60):
        assert game.lower <= 1 - mpmath.cos(1) <= game.upper
    assert game.amplitudes.tolist() == [1, 0, 0, 0]


@pytest.mark.parametrize("spec", SPECS, ids=lambda s: f"{s.head_dim}-{s.rotary_dim}-{s.scaling}")
@pytest.mark.parametrize("reach", [3, 90])
def test_two_sided_enclosure_contains_brute_force(spec, reach):
    game = optimal_slash(spec, reach)
    rows = gaps(frequencies_float64(spec), np.arange(1, reach + 1), np.zeros(1))
    value = game_value(rows)
    assert game.lower - 1e-8 <= value <= game.upper + 1e-8
    assert game.converged
    # The amplitudes attain the lower bound.
    assert (rows @ game.amplitudes).min() == pytest.approx(game.lower, rel=1e-9, abs=1e-12)
    assert not game.amplitudes[spec.rotary_planes :].any()


@pytest.mark.parametrize("spec", SPECS, ids=lambda s: f"{s.head_dim}-{s.rotary_dim}-{s.scaling}")
@pytest.mark.parametrize(("before", "after"), [(0, 90), (3, 60), (60, 3), (30, 31)])
def test_enclosure_with_phases_contains_brute_force(spec, before, after):
    """A polygon of `K` phases is inside the circle, which is inside it enlarged by `1/cos(pi/K)`."""
    game = optimal_slash(spec, before=before, after=after)
    sides = 64
    phases = 2 * np.pi * np.arange(sides) / sides
    inner = game_value(gaps(frequencies_float64(spec), window_of(before, after), phases))
    assert inner <= game.upper + 1e-8
    assert game.lower <= inner / math.cos(math.pi / sides) + 1e-8
    assert game.converged
    e = window_of(before, after)
    angles = np.multiply.outer(e, frequencies_float64(spec)) + game.phases
    found = ((np.cos(game.phases) - np.cos(angles)) @ game.amplitudes).min()
    assert found == pytest.approx(game.lower, rel=1e-9, abs=1e-12)


@given(data=st.data())
@settings_for("quick")
def test_weak_duality_with_any_head_and_any_probabilities(data):
    """Every head is below every dual bound, in balls as in float64."""
    spec = data.draw(st.sampled_from(SPECS))
    before, after = data.draw(st.integers(0, 40)), data.draw(st.integers(0, 40))
    if before == after == 0:
        after = 1
    planes = tuple(np.flatnonzero(frequencies_float64(spec)).tolist())
    window = Window(spec, before, after, planes)
    random = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    sizes, angles = random.random(len(planes)), random.uniform(-4, 4, len(planes))
    if window.symmetric:
        angles[:] = 0
    places = window_of(before, after) if not window.symmetric else np.arange(1, after + 1)
    weights = random.random(len(places)) ** 3
    margin = window.margin(sizes, angles)
    bound = window.dual_bound(places, weights)
    assert arb(margin.lower) <= bound.upper()
    rough = np.abs(window.slopes(places, weights / weights.sum())).max()
    assert float(bound) == pytest.approx(rough, rel=1e-12)
    game = optimal_slash(spec, before=before, after=after)
    assert margin.lower <= game.upper
    assert game.lower <= float(bound.upper())


@pytest.mark.parametrize(("before", "after"), [(0, 100), (3, 100), (50, 100), (99, 100)])
def test_phases_help_and_a_shorter_side_helps(before, after):
    """A window has the value of the two-sided game with the longer reach at least, and is at most
    that of the shorter one."""
    game = optimal_slash(SPEC, before=before, after=after)
    assert optimal_slash(SPEC, after).lower <= game.upper
    if before:
        assert game.lower <= optimal_slash(SPEC, before).upper
    mirror = optimal_slash(SPEC, before=after, after=before)
    assert mirror.lower <= game.upper
    assert game.lower <= mirror.upper


def test_the_dual_of_the_record_certifies_the_upper_bound():
    game = optimal_slash(RopeSpec(16, 10000), before=2, after=80)
    assert game.weights.sum() == pytest.approx(1)
    assert (game.weights >= 0).all()
    assert set(game.lags.tolist()) <= set(window_of(2, 80).tolist())
    phases = np.exp(1j * np.multiply.outer(game.lags, frequencies_float64(game.spec)))
    assert np.abs(1 - game.weights @ phases).max() == pytest.approx(game.upper, rel=1e-9)


# --- parts of the spectrum, other windows ------------------------------------------------------


def test_bands_and_their_games():
    found = bands(SPEC, 1024)
    parts = {
        name: optimal_slash(SPEC, 1024, planes=[i for i, band in enumerate(found) if band in name])
        for name in (("high",), ("medium",), ("low",), ("high", "medium"))
    }
    assert parts["high",].lower == pytest.approx(0.300, abs=5e-4)
    assert parts["medium",].lower == pytest.approx(0.063, abs=5e-4)
    assert parts["low",].lower == pytest.approx(3.75e-6, rel=1e-3)
    everything = optimal_slash(SPEC, 1024)
    assert parts["high", "medium"].lower == pytest.approx(everything.lower, rel=1e-7)
    assert all(part.converged for part in parts.values())
    assert bands(PARTIAL, 10)[4:] == ("unrotated",) * 4


def test_band_edges_are_decided_exactly():
    # Wavelengths 2 pi b^(-l): plane 1 of base 2 pi / 16 is at 16 but for rounding.
    slow = RopeSpec(4, mpmath.mp.mpf(256 / (4 * math.pi**2)).__float__())
    assert 2 * math.pi / frequencies_float64(slow)[1] == pytest.approx(16, rel=1e-12)
    exact = slow.wavelengths()[1] - 16
    assert bands(slow, 10)[1] == ("high" if exact <= 0 else "medium")


def test_tiny_values_keep_their_digits():
    slow = RopeSpec(64, 10**9)
    for planes, best in (([30, 31], 30), ([28, 31], 28)):
        game = optimal_slash(slow, 1024, planes=planes)
        assert game.converged
        theta = mpmath.mpf(10) ** (-9 * mpmath.mpf(best) / 32)
        with mpmath.workdps(60):
            assert abs((1 - mpmath.cos(theta)) / game.lower - 1) < 1e-6


def test_a_frozen_spectrum_fails_at_length():
    game = optimal_slash(SPEC, 16)
    kept = [frozen_margin(game.amplitudes, game.phases, SPEC, reach=n) for n in (16, 64, 256, 1024)]
    assert [m.lower for m in kept] == pytest.approx([0.404, 0.085, 0.046, 0.0044], abs=5e-4)
    assert kept[0].lower == game.lower
    # Any unit will do, and phases of the wrong sign hurt on one side.
    twice = frozen_margin(2 * game.amplitudes, game.phases, SPEC, reach=64)
    assert twice.lower == pytest.approx(kept[1].lower, rel=1e-12)
    one_sided = optimal_slash(SPEC, before=0, after=30)
    wrong = frozen_margin(one_sided.amplitudes, one_sided.phases, SPEC, reach=30)
    assert wrong.upper < 0
    assert wrong.lag < 0


def test_a_window_that_was_not_finished_still_has_an_enclosure(monkeypatch):
    monkeypatch.setattr(game_module, "_MOST_ROUNDS", 2)
    rough = optimal_slash(SPEC, before=3, after=4000)
    assert not rough.converged
    exact = 0.3148
    assert rough.lower < exact < rough.upper


def test_the_solver_is_not_trusted(monkeypatch):
    """A solver that lies about value and dual changes what is found, never what is certified."""
    real = Programme.solve

    def lie(self, scale):
        solution = real(self, scale)
        assert solution is not None
        random = np.random.default_rng(len(self.rows))
        weights = random.random(len(solution.weights))
        vector = solution.vector * random.random(len(solution.vector))
        return type(solution)(2.0, vector, weights / weights.sum(), solution.shares)

    windows = ({"reach": 64}, {"before": 2, "after": 64})
    honest = [optimal_slash(RopeSpec(16, 10000), **window) for window in windows]
    monkeypatch.setattr(Programme, "solve", lie)
    monkeypatch.setattr(game_module, "_MOST_ROUNDS", 3)
    for window, true in zip(windows, honest, strict=True):
        game = optimal_slash(RopeSpec(16, 10000), **window)
        assert game.lower <= true.upper
        assert true.lower <= game.upper
        assert not game.converged


@pytest.mark.parametrize("good", [0, 2])
def test_a_solver_that_fails_leaves_an_enclosure(monkeypatch, good):
    real, calls = Programme.solve, []

    def fail(self, scale):
        calls.append(scale)
        return real(self, scale) if len(calls) <= good else None

    true = optimal_slash(SPEC, before=1, after=200)
    monkeypatch.setattr(Programme, "solve", fail)
    game = optimal_slash(SPEC, before=1, after=200)
    assert not game.converged
    assert game.lower <= true.upper
    assert true.lower <= game.upper


def test_progress_is_told_of_every_round():
    told = []
    game = optimal_slash(SPEC, 300, progress=lambda *values: told.append(values))
    assert [number for number, _, _ in told] == list(range(1, game.rounds + 1))
    assert told[-1][1] <= told[-1][2] * (1 + 1e-9)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"spec": 3, "reach": 4}, "spec: got 3, allowed: a RopeSpec"),
        ({"reach": 0}, "reach: got 0"),
        ({"reach": 2.5}, "reach: got 2.5"),
        ({"reach": True}, "reach: got True"),
        ({}, "before: got None"),
        ({"before": 2}, "after: got None"),
        ({"before": 0, "after": 0}, "a window with at least one displacement"),
        ({"before": -1, "after": 3}, "before: got -1"),
        ({"reach": 3, "after": 3}, "either reach, or before and after"),
        ({"reach": 3, "planes": [64]}, "planes: got 64"),
        ({"reach": 3, "planes": []}, "at least one plane that rotates"),
        ({"reach": 3, "spec": PARTIAL, "planes": [5]}, "at least one plane that rotates"),
        ({"reach": 3, "tolerance": 0}, "tolerance: got 0, allowed: a number > 0"),
        ({"reach": 3, "tolerance": math.nan}, "tolerance: got nan"),
    ],
)
def test_bad_input_is_named(arguments, message):
    with pytest.raises(InvalidArgument) as error:
        optimal_slash(**{"spec": SPEC, **arguments})
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("amplitudes", "message"),
    [
        (np.ones(3), "amplitudes: got 'shape (3,)'"),
        (np.zeros(64), "one > 0 on a rotated plane"),
        (-np.ones(64), "numbers >= 0"),
    ],
)
def test_bad_heads_are_named(amplitudes, message):
    with pytest.raises(InvalidArgument) as error:
        frozen_margin(amplitudes, np.zeros(64), SPEC, reach=5)
    assert message in str(error.value)


def test_doctests():
    assert doctest.testmod(game_module).failed == 0
