"""Bounds of a logit and of its steps, against mpmath and at their edges."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from ropeproof.numerics.bounds.rope import rope
from ropeproof.numerics.core.spec import (
    amplitudes_and_phases,
    attention_factor_float64,
    frequencies_float64,
    logits,
)
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.presets import PRESETS
from ropeproof.theory.rotary.spec import Linear, LongRope, RopeSpec, Yarn

RNG = np.random.default_rng(3)


def test_the_band_is_the_claims_at_a_largest_frequency_of_1():
    sizes = [0.5, 0.0, 2.0, 1.25]
    band, unit = rope.step_bounds(sizes, RopeSpec(8, 10000)).band, rope.band_constant()
    assert band.lower == pytest.approx(unit.lower * sum(sizes), rel=1e-15)
    assert band.upper == pytest.approx(unit.upper * sum(sizes), rel=1e-15)


def test_a_step_in_float64_is_the_one_in_balls():
    spec, sizes = RopeSpec(8, 10000), RNG.random((3, 4))
    found = rope.step_bound(sizes, frequencies_float64(spec))
    for own, bound in zip(sizes, found, strict=True):
        assert bound == pytest.approx(rope.step_bounds(own, spec).sines.upper, rel=1e-14)


def test_the_order_of_the_bounds():
    for preset in PRESETS.values():
        bounds = rope.step_bounds(RNG.random(preset.spec.planes), preset.spec)
        assert bounds.sines.upper < bounds.frequencies.lower
        assert bounds.sines.upper < bounds.band.lower


def test_one_plane_attains_the_sine_bound():
    """The step that straddles the zero of the cosine."""
    spec = RopeSpec(2, 10000)
    found = rope.steps([1.0], [np.pi / 2 - 0.5], spec, 0)
    assert abs(found) == pytest.approx(rope.step_bounds([1.0], spec).sines.upper, rel=1e-14)


def test_steps_are_differences_without_cancellation():
    spec = RopeSpec(8, 10000)
    sizes, phases = np.array([0, 0, 0, 1.0]), np.zeros(4)
    found = rope.steps(sizes, phases, spec, 0)
    with mpmath.workdps(60):
        true = mpmath.cos(mpmath.mpf(1) / 1000) - 1
    assert found == pytest.approx(float(true), rel=1e-14)
    values = rope.cosine_logits(sizes, phases, spec, [0, 1])
    assert found == pytest.approx(values[1] - values[0], abs=1e-15)


def test_largest_frequency():
    for preset in PRESETS.values():
        found = rope.largest_frequency(preset.spec)
        assert found.lower == found.upper == 1
    assert rope.largest_frequency(RopeSpec(4, 100, scaling=Linear(8))).upper == 0.125
    fast = LongRope(short_factor=("0.1", 1), long_factor=(1, 1), original_length=9, factor=1)
    spec = RopeSpec(4, 100, scaling=fast)
    assert 9.99 < rope.largest_frequency(spec).lower <= 10 <= rope.largest_frequency(spec).upper
    assert rope.step_bounds([1.0, 1.0], spec).band is None


SCALED = [
    RopeSpec(8, 100, scaling=Yarn(factor=4, original_length=64)),
    RopeSpec(8, 100, rotary_dim=4, layout="interleaved"),
    RopeSpec(8, 100, rotary_dim=4, scaling=Yarn(factor=4, original_length=64, attention="0.5")),
]


@pytest.mark.parametrize("spec", SCALED)
def test_amplitude_and_norm_bound(spec):
    q, k = RNG.normal(size=(2, 5, 8))
    total, most = rope.amplitude(q, k, spec), rope.norm_bound(q, k, spec)
    assert (total <= most * (1 + 1e-12)).all()
    for t in range(50):
        found = [logits(q[[i]], k[[i]], [t], [0], spec)[0, 0] for i in range(5)]
        assert (np.abs(found) <= total * (1 + 1e-12)).all()
    # Equal vectors on the plane with the largest factor attain the bound.
    factor = max(attention_factor_float64(spec) ** 2, float(spec.rotary_dim < spec.head_dim))
    plane = 0 if attention_factor_float64(spec) >= 1 or factor != 1 else spec.planes - 1
    x = np.zeros(8)
    x[list(spec.plane_coordinates()[plane])] = 3.0, 4.0
    assert rope.amplitude(x, x, spec) == pytest.approx(rope.norm_bound(x, x, spec), rel=1e-14)


@pytest.mark.parametrize("spec", SCALED)
def test_cosine_form(spec):
    q, k = RNG.normal(size=(2, 8))
    sizes, phases = amplitudes_and_phases(q, k, spec)
    places = np.arange(40)
    table = logits(np.tile(q, (40, 1)), k[np.newaxis], places, [0], spec)[:, 0]
    np.testing.assert_allclose(
        rope.cosine_logits(sizes, phases, spec, places), table, rtol=0, atol=1e-13
    )


@pytest.mark.parametrize(
    ("argument", "call"),
    [
        ("amplitudes", lambda: rope.step_bounds([-1.0, 1.0], RopeSpec(4, 100))),
        ("amplitudes", lambda: rope.step_bounds([1.0], RopeSpec(4, 100))),
        ("phases", lambda: rope.cosine_logits([1.0], [np.inf], RopeSpec(2, 100), 0)),
        ("lags", lambda: rope.cosine_logits([1.0], [0.0], RopeSpec(2, 100), "far")),
        ("spec", lambda: rope.steps([1.0], [0.0], 10000, 0)),
    ],
)
def test_bad_arguments_are_refused_by_name(argument, call):
    with pytest.raises(InvalidArgument) as caught:
        call()
    assert caught.value.argument == argument
