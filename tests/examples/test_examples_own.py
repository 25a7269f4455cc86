"""The claims of `examples/`: proved and attacked, and their false neighbours refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from ropeproof import check
from ropeproof.proofs_check.authoring.session import Session
from ropeproof.proofs_check.authoring.trial import try_file

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
OWN = ("cosine_progression", "margin_weight", "two_planes")


@pytest.mark.parametrize("name", OWN)
def test_own_claims_are_proved_and_attacked(name):
    path = EXAMPLES / f"{name}.py"
    (verdict,) = check("own.*", modules=str(path), profile_name="quick")
    assert (verdict.claim.id, verdict.status) == (f"own.{name.replace('_', '-')}", "proved")
    assert verdict.shortfalls == ()
    assert verdict.kills.killed == verdict.kills.tried >= 1
    assert len(path.read_text().splitlines()) < 40


def test_their_false_neighbours_are_refuted_with_a_witness_and_both_sides():
    path = str(EXAMPLES / "false_neighbours.py")
    found = check("own.*", modules=path, profile_name="quick")
    assert [v.claim.id for v in found] == [
        "own.false-progression",
        "own.false-weight",
        "own.false-planes",
    ]
    for verdict in found:
        assert verdict.status == "refuted"
        assert verdict.witness
        details = [r.detail for r in verdict.records if r.outcome == "fails"]
        assert any("left side" in d and "right side" in d for d in details)


def test_trying_a_false_neighbour_shows_where_it_is_false():
    path = EXAMPLES / "false_neighbours.py"
    trial = try_file(str(path), session=Session(keep=False))
    lines = path.read_text().splitlines()
    (line,) = [number for number, text in enumerate(lines, 1) if "This is what is claimed" in text]
    assert not trial.holds
    for tried in trial.claims:
        (step,) = tried.steps
        assert step.refusal is not None
        assert step.place.endswith(f"false_neighbours.py:{line}")
        assert tried.false_at is not None
        assert len(tried.false_at.sides) == 2
