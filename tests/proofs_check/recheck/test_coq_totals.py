"""How much Coq accepts, topic by topic."""

from __future__ import annotations

from rich.console import Console

from ropeproof.proofs_check.recheck.coq.answers.rechecked import Rechecked
from ropeproof.proofs_check.recheck.coq.answers.totals import (
    by_topic,
    refusals,
    summary_json,
    topics_table,
)
from ropeproof.proofs_check.reports import report
from ropeproof.proofs_check.run.runner import ClaimResult
from ropeproof.proofs_check.run.running import run

WHOLE = Rechecked("rope.relative", 4, 4, (), (), compiled=True)
PART = Rechecked("softmax.perturb", 9, 8, (("7", "No product."),), ("step_7",), compiled=True)
NONE = Rechecked("rope.group", 0, 0, (), (), compiled=False, reason="too large")
TOPICS = {"rope.relative": "rope", "rope.group": "rope", "softmax.perturb": "softmax"}
FOUND = (WHOLE, PART, NONE)


def test_each_topic_has_its_counts() -> None:
    counts = by_topic(FOUND, TOPICS)
    assert list(counts) == ["rope", "softmax"]
    assert counts["rope"] == {
        "claims": 2,
        "re-checked": 1,
        "partly": 0,
        "not exported": 1,
        "steps": 4,
        "accepted": 4,
    }
    assert counts["softmax"]["partly"] == 1
    assert summary_json(FOUND, TOPICS)["summary"]["accepted"] == 12


def test_the_table_ends_with_all() -> None:
    screen = Console(width=120, record=True)
    screen.print(topics_table(FOUND, TOPICS))
    lines = [line.split() for line in screen.export_text().splitlines() if line.strip()]
    assert lines[1:] == [
        ["rope", "2", "1", "0", "1", "4", "4"],
        ["softmax", "1", "0", "1", "0", "9", "8"],
        ["all", "3", "1", "1", "1", "13", "12"],
    ]


def test_what_is_refused_is_said_with_its_reason() -> None:
    assert list(refusals(FOUND)) == [
        "softmax.perturb: partly: step 7",
        "    7: No product.",
        "rope.group: not exported: too large",
    ]


def test_check_tells_it_in_its_table_and_its_json() -> None:
    from dataclasses import replace

    (verdict,) = run(["rope.relative"], [], "quick", 1)
    said: ClaimResult = replace(verdict, coq=WHOLE)
    screen = Console(width=120, record=True)
    screen.print(report.table([said], 120))
    assert "re-checked by Coq" in screen.export_text()
    assert report.as_json([said])["coq"]["topics"]["rope"]["accepted"] == 4
    assert "coq" not in report.as_json([verdict])
