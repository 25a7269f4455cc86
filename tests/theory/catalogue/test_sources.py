"""Sources: what was read may be quoted, what was not is as reported, by whom."""

from __future__ import annotations

import pytest

from ropeproof import CLAIMS
from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language.claim import Paper, Source
from ropeproof.theory.papers.citations import DECOUPLE, HEADS, LMINF, PAPERS, POSGEN, SLASH

READ = Paper("A paper", version="v2")
NOT_READ = Paper("Another paper", reported="its abstract")


def test_where_the_text_was_read_a_statement_is_as_printed_and_names_the_version():
    assert READ.at("Theorem 1") == Source("A paper", "v2, Theorem 1", "as printed")
    assert READ.at("Theorem 1", "repaired").fidelity == "repaired"


def test_where_it_was_not_read_a_statement_is_as_reported_and_says_by_whom():
    source = NOT_READ.at("Theorem 1")
    assert (source.fidelity, source.where_read) == ("as reported", "its abstract")
    assert NOT_READ.at("Theorem 1", "own").where_read == ""


@pytest.mark.parametrize(
    ("paper", "fidelity"),
    [(NOT_READ, "as printed"), (NOT_READ, "repaired"), (READ, "as reported")],
)
def test_a_fidelity_that_the_reading_does_not_allow_is_refused(paper, fidelity):
    with pytest.raises(InvalidClaim, match=f"'{fidelity}', but its text was"):
        paper.at("Theorem 1", fidelity)


def test_a_source_is_refused_that_is_reported_by_nobody():
    with pytest.raises(InvalidClaim, match="says in `where_read` who reports it"):
        Source("A paper", "Theorem 1", "as reported")
    with pytest.raises(InvalidClaim, match="says in `where_read` who reports it"):
        Source("A paper", "Theorem 1", "as printed", "its abstract")
    with pytest.raises(InvalidClaim, match="allowed: as printed, as reported, repaired, own"):
        Source("A paper", "Theorem 1", "as remembered")
    for versions in ({}, {"version": "v1", "reported": "its abstract"}):
        with pytest.raises(InvalidClaim, match="either a version of the text was read"):
            Paper("A paper", **versions)


def test_nothing_of_a_paper_that_was_not_read_is_as_printed():
    read = {paper.cited for paper in (HEADS, DECOUPLE)}
    known = {paper.cited: paper for paper in PAPERS}
    for claim in CLAIMS.values():
        paper = known.get(claim.source.paper)
        if paper is None:
            continue
        assert (claim.source.fidelity in {"as printed", "repaired"}) <= (paper.cited in read)
        if claim.source.fidelity != "as reported":
            continue
        assert claim.source.where_read == paper.reported
    for paper in (SLASH, POSGEN, LMINF):
        assert paper.reported
        assert not paper.version


def test_entries_of_papers_that_were_read_name_the_version():
    for claim in CLAIMS.values():
        if claim.source.paper in {HEADS.cited, DECOUPLE.cited}:
            assert claim.source.locator.startswith("v1, "), claim.id


def test_show_says_who_reports_a_statement(capsys):
    from ropeproof.proofs_check.reports.claim_report import _source

    line = _source(CLAIMS["slash.score"])
    assert "as reported (its text was not read; known from its abstract" in line
    assert "alphaxiv" in line
