"""The evidence of task fails on wrong numbers, and never holds on vague ones."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sabotaged_evidence import change_results, run, sabotage, widened
from task_sabotage import SABOTAGE

from ropeproof.proofs_check.evidence.task import induction


@pytest.mark.usefixtures("unshrunk")
@pytest.mark.parametrize("name", SABOTAGE)
def test_wrong_numbers_are_seen(monkeypatch, name):
    finding = sabotage(monkeypatch, SABOTAGE[name])
    assert finding.outcome.verdict == "fails"
    assert finding.outcome.witness


WIDE = {
    "recency": (
        "task.partial-induction-sharp",
        induction,
        "sharp_recency",
        lambda found: replace(found, upper=1.0) if found.upper < 0.9 else found,
    ),
    "symbols": (
        "task.partial-induction-sharp",
        induction,
        "sharp_partial_induction",
        lambda found: replace(found, symbol=widened(found.symbol)),
    ),
}


@pytest.mark.parametrize("name", WIDE)
def test_what_is_not_certain_never_holds(monkeypatch, name):
    claim, module, target, change = WIDE[name]
    change_results(monkeypatch, module, target, change)
    assert run(claim, "certified").outcome.verdict == "unknown"
