"""Heads and their tasks: evidence is there, fails on wrong numbers and never holds on vague ones."""

from __future__ import annotations

from dataclasses import replace

import head_sabotage
import index_sabotage
import numpy as np
import planes_sabotage
import pytest
import retrieval_sabotage
import task_sabotage
from hypothesis import given
from sabotaged_evidence import NEEDED, OURS, change_results, run, sabotage, widened

from ropeproof.numerics.core.profiles import settings_for
from ropeproof.proofs_check.evidence.head import rows
from ropeproof.proofs_check.evidence.index import certified as index_certified
from ropeproof.proofs_check.evidence.planes import certified as planes_certified
from ropeproof.proofs_check.evidence.retrieval import margins as retrieval_margins
from ropeproof.proofs_check.evidence.task import induction

few = settings_for("quick", cases=40)
TABLES = (
    head_sabotage.SABOTAGE,
    index_sabotage.SABOTAGE,
    planes_sabotage.SABOTAGE,
    retrieval_sabotage.SABOTAGE,
    task_sabotage.SABOTAGE,
)
CASES = [case for table in TABLES for case in table.values()]
NAMES = [f"{case[0]} {name}" for table in TABLES for name, case in table.items()]
WIDE = {
    "index limit": ("index.margin", index_certified.index, "one_plane_limit", widened),
    "index margin": ("index.margin", index_certified.index, "index_margin", widened),
    "index temperature": (
        "index.temperature",
        index_certified.index,
        "index_temperature",
        widened,
    ),
    "staircase": (
        "index.staircase",
        index_certified.index,
        "staircase",
        lambda found: replace(
            found, drops=tuple(replace(d, margin=widened(d.margin)) for d in found.drops)
        ),
    ),
    "digits": ("planes.digits", planes_certified, "index_margin", widened),
    "frozen": (
        "planes.frozen",
        planes_certified,
        "frozen_margins",
        lambda found: tuple(replace(row, frozen=widened(row.frozen)) for row in found),
    ),
    "retrieval margin": ("retrieval.margin", retrieval_margins, "retrieval_margin", widened),
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


@pytest.mark.parametrize("kind", NEEDED)
def test_every_letter_has_evidence(kind):
    found = {claim for claim, entry in OURS if entry.kind == kind}
    assert set(NEEDED[kind]) <= found


def test_every_piece_of_evidence_is_sabotaged():
    named = {(claim, kind) for table in TABLES for claim, kind, *_ in table.values()}
    assert named >= {(claim, kind) for kind, claims in NEEDED.items() for claim in claims}


@pytest.mark.usefixtures("unshrunk")
@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_wrong_numbers_are_seen(monkeypatch, case):
    finding = sabotage(monkeypatch, case)
    assert finding.outcome.verdict == "fails"
    assert finding.outcome.witness


@pytest.mark.parametrize("name", WIDE)
def test_what_is_not_certain_never_holds(monkeypatch, name):
    claim, module, target, change = WIDE[name]
    change_results(monkeypatch, module, target, change)
    assert run(claim, "certified").outcome.verdict == "unknown"


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
