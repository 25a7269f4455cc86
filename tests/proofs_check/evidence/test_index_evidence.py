"""The evidence of index fails on wrong numbers, and never holds on vague ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from flint import arb, ctx
from index_sabotage import SABOTAGE
from sabotaged_evidence import change_results, run, sabotage, widened

from ropeproof.proofs_check.evidence.index import boxes
from ropeproof.proofs_check.evidence.index import certified as index_certified


@pytest.mark.usefixtures("unshrunk")
@pytest.mark.parametrize("name", SABOTAGE)
def test_wrong_numbers_are_seen(monkeypatch, name):
    finding = sabotage(monkeypatch, SABOTAGE[name])
    assert finding.outcome.verdict == "fails"
    assert finding.outcome.witness


WIDE = {
    "index limit": ("index.margin", index_certified, "one_plane_limit", widened),
    "index margin": ("index.margin", index_certified, "index_margin", widened),
    "index temperature": (
        "index.temperature",
        index_certified,
        "index_temperature",
        widened,
    ),
    "staircase": (
        "index.staircase",
        index_certified,
        "staircase",
        lambda found: replace(
            found, drops=tuple(replace(d, margin=widened(d.margin)) for d in found.drops)
        ),
    ),
}


@pytest.mark.parametrize("name", WIDE)
def test_what_is_not_certain_never_holds(monkeypatch, name):
    claim, module, target, change = WIDE[name]
    change_results(monkeypatch, module, target, change)
    assert run(claim, "certified").outcome.verdict == "unknown"


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
