"""Heads and their tasks: every letter has evidence, and that of head sees wrong numbers."""

from __future__ import annotations

import head_sabotage
import index_sabotage
import numpy as np
import planes_sabotage
import pytest
import retrieval_sabotage
import task_sabotage
from hypothesis import given
from sabotaged_evidence import NEEDED, OURS, sabotage

from ropeproof.numerics.core.profiles import settings_for
from ropeproof.proofs_check.evidence.head import rows

few = settings_for("quick", cases=40)
TABLES = (
    head_sabotage.SABOTAGE,
    index_sabotage.SABOTAGE,
    planes_sabotage.SABOTAGE,
    retrieval_sabotage.SABOTAGE,
    task_sabotage.SABOTAGE,
)


@pytest.mark.parametrize("kind", NEEDED)
def test_every_letter_has_evidence(kind):
    found = {claim for claim, entry in OURS if entry.kind == kind}
    assert set(NEEDED[kind]) <= found


def test_every_piece_of_evidence_is_sabotaged():
    named = {(claim, kind) for table in TABLES for claim, kind, *_ in table.values()}
    assert named >= {(claim, kind) for kind, claims in NEEDED.items() for claim in claims}


@pytest.mark.usefixtures("unshrunk")
@pytest.mark.parametrize("name", head_sabotage.SABOTAGE)
def test_wrong_numbers_are_seen(monkeypatch, name):
    finding = sabotage(monkeypatch, head_sabotage.SABOTAGE[name])
    assert finding.outcome.verdict == "fails"
    assert finding.outcome.witness


@pytest.mark.parametrize(("kind", "axis"), [("symbolic", 1), ("positional", 0)])
def test_rows_are_what_their_kind_says(kind, axis):
    seen = []

    @few
    @given(rows.rows(kind=kind))
    def collect(row):
        assert row.kind == kind
        values = row.table.values
        assert np.ptp(values, axis=axis).max() <= 2 * row.rounding
        # A table that varies along neither axis would show nothing.
        seen.append(float(np.ptp(values)))

    collect()
    assert max(seen) > 0.5
