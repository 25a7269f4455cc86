"""A short window keeps its angles and gaps: they are those that a long window computes."""

from __future__ import annotations

import numpy as np
import pytest

from ropeproof.numerics.bounds.slash.game import window as module
from ropeproof.numerics.bounds.slash.game.window import Window
from ropeproof.theory.rotary.spec import RopeSpec

SPEC = RopeSpec(16, 10000, rotary_dim=12)


@pytest.mark.parametrize(("before", "after"), [(30, 30), (0, 45), (7, 20)])
def test_kept_angles_and_gaps_are_the_computed_ones(before, after, monkeypatch):
    window = Window(SPEC, before, after, (0, 2, 5))
    places = np.array([*range(-before, 0), *range(1, after + 1)])
    beyond = np.array([0, 1, 46])
    random = np.random.default_rng(0)
    sizes, phases = random.uniform(0, 1, 3), random.uniform(-3, 3, 3)
    if window.symmetric:
        phases[:] = 0
    kept = window.half_angles(places), window.violated(sizes, phases, 0.5, 50)
    far = window.half_angles(beyond)
    monkeypatch.setattr(module, "_MOST_KEPT", 0)
    computed = window.half_angles(places), window.violated(sizes, phases, 0.5, 50)
    assert np.array_equal(kept[0], computed[0])
    assert np.array_equal(far, window.half_angles(beyond))
    assert np.array_equal(kept[1][0], computed[1][0])
    assert kept[1][1] == pytest.approx(computed[1][1], abs=1e-13)
