"""Cosines and sines of angles that are known up to a radius: enclosed, and with an angle's own slope."""

from __future__ import annotations

import numpy as np
import pytest

from ropeproof.numerics.rounding.possible import Possible, Rules, known, operate

DRAWN = np.random.default_rng(3)


@pytest.mark.parametrize("op", ["cos", "sin"])
@pytest.mark.parametrize("radius", [0.0, 1e-15, 1e-9, 1e-4, 0.1, 1.0, 3.0])
def test_every_angle_within_the_radius_is_enclosed(op, radius):
    middle = np.concatenate((DRAWN.uniform(-40, 40, 500), np.arange(-8, 9) * np.pi / 2))
    given = Possible(middle - radius, middle + radius) if radius else known(middle)
    found = operate(op, (given,), "float64", Rules())
    function = np.cos if op == "cos" else np.sin
    for share in np.linspace(0, 1, 33):
        angle = given.low.astype(np.longdouble) + share * (given.high - given.low)
        angle = np.minimum(angle, given.high)
        value = function(angle)
        assert np.all((found.low <= value) & (value <= found.high))


def test_at_0_cosine_and_sine_are_known():
    for op, value in (("cos", 1.0), ("sin", 0.0)):
        found = operate(op, (known(np.array([0.0, 1.0])),), "float64", Rules())
        assert found.low[0] == found.high[0] == value
        assert found.low[1] < found.high[1]


def test_at_the_top_of_a_wave_a_small_radius_hardly_counts():
    found = operate("cos", (Possible(np.array([-1e-9]), np.array([1e-9])),), "float64", Rules())
    assert found.high[0] - found.low[0] < 1e-14
