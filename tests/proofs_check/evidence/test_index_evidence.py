"""Balls of angles cover a range, and what decides on them is heard."""

from __future__ import annotations

import numpy as np
from flint import arb, ctx

from ropeproof.proofs_check.evidence.index import boxes


def test_balls_cover_every_angle():
    seen = []

    def decide(angle):
        seen.append((float(angle.lower()), float(angle.upper())))
        return bool(angle.rad() < 0.05) or None

    with ctx.workprec(boxes.BITS):
        found, count = boxes.cover(decide, arb.pi())
        assert found is None
        assert count < len(seen)
        assert boxes.cover(lambda angle: False, arb.pi())[0].verdict == "fails"
        # A number that no ball is clear of, and one at which the middle contradicts.
        outcome, _ = boxes.cover(lambda angle: True if angle > 1 or angle < 1 else None, arb.pi())
        assert outcome.verdict == "unknown"
        outcome, _ = boxes.cover(
            lambda angle: False if angle > 3 else (True if angle < 3 else None), arb.pi()
        )
        assert outcome.verdict == "fails"
    ends = sorted(seen)
    reached = 0.0
    for low, high in ends:
        assert low <= reached + 1e-12
        reached = max(reached, high)
    assert reached >= np.pi
