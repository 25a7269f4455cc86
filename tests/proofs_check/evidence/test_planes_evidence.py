"""The evidence of planes fails on wrong numbers, and never holds on vague ones."""

from __future__ import annotations

from dataclasses import replace

import pytest
from planes_sabotage import SABOTAGE
from sabotaged_evidence import change_results, run, sabotage, widened

from ropeproof.proofs_check.evidence.planes import certified as planes_certified


@pytest.mark.usefixtures("unshrunk")
@pytest.mark.parametrize("name", SABOTAGE)
def test_wrong_numbers_are_seen(monkeypatch, name):
    finding = sabotage(monkeypatch, SABOTAGE[name])
    assert finding.outcome.verdict == "fails"
    assert finding.outcome.witness


WIDE = {
    "digits": ("planes.digits", planes_certified, "index_margin", widened),
    "frozen": (
        "planes.frozen",
        planes_certified,
        "frozen_margins",
        lambda found: tuple(replace(row, frozen=widened(row.frozen)) for row in found),
    ),
}


@pytest.mark.parametrize("name", WIDE)
def test_what_is_not_certain_never_holds(monkeypatch, name):
    claim, module, target, change = WIDE[name]
    change_results(monkeypatch, module, target, change)
    assert run(claim, "certified").outcome.verdict == "unknown"
