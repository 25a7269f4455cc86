"""Sources: what was read may be quoted, what was not is as reported, by whom."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, replace

import pytest
from typer.testing import CliRunner

from ropeproof import CLAIMS
from ropeproof.cli import app
from ropeproof.proofs_check.reports.listing import claim_json
from ropeproof.proofs_check.site.markup.text import plain
from ropeproof.proofs_check.site.pages.claim_page import claim_page
from ropeproof.proofs_check.site.site import Site
from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language.claim import Paper, PriorWork, Source
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


def test_show_says_who_reports_a_statement():
    (line,) = CLAIMS["slash.score"].source.lines
    assert "as reported (its text was not read; known from its abstract" in line
    assert "alphaxiv" in line


# -- prior work on the same ground ---------------------------------------------------------


def test_a_work_to_compare_with_says_what_of_it_was_read():
    read, unread = READ.compared("It has one plane."), NOT_READ.compared("It has two.")
    assert read.line == "A paper (v2): It has one plane."
    assert unread.line == (
        "Another paper (its text was not read; known from its abstract): It has two."
    )
    source = NOT_READ.at("Theorem 1").beside(read).beside(unread)
    assert source.lines[1:] == (f"Compare: {read.line}", f"Compare: {unread.line}")
    assert replace(source, compare=()) == NOT_READ.at("Theorem 1")


@pytest.mark.parametrize(
    "fields",
    [
        {"words": "It has one plane."},
        {"words": "It has one plane.", "version": "v1", "where_read": "its abstract"},
        {"words": " ", "version": "v1"},
    ],
)
def test_a_comparison_without_a_reading_or_without_words_is_refused(fields):
    with pytest.raises(InvalidClaim, match="compared with A paper"):
        PriorWork("A paper", **fields)


def test_what_is_no_comparison_is_refused():
    with pytest.raises(InvalidClaim, match=r"allowed: PriorWork\(paper, words"):
        Source("A paper", compare=("Doe et al.",))


def test_a_source_comes_back_from_a_cache():
    source = CLAIMS["rope.only"].source
    assert len(source.compare) == 2
    assert Source.of_data(json.loads(json.dumps(asdict(source)))) == source
    for wrong in ({"paper": 3}, {"paper": "x", "compare": [{"paper": "y", "words": 1}]}):
        with pytest.raises(TypeError):
            Source.of_data(wrong)


def test_every_comparison_of_the_catalogue_is_of_a_known_work():
    for claim in CLAIMS.values():
        for work in claim.source.compare:
            assert re.search(r"arXiv \d{4}\.\d{5}|Lean", work.paper), claim.id
            assert len(work.words.split()) >= 15, claim.id
            known = {paper.cited: paper for paper in PAPERS}.get(work.paper)
            if known is not None:
                assert (work.version, work.where_read) == (known.version, known.reported)


@pytest.mark.parametrize(
    ("id", "numbers"),
    [
        ("rope.only", {"2504.06308", "2605.04217"}),
        ("rope.only-two-sided-planes", {"2605.04217", "2606.05345"}),
        ("slash.gd.offset-found", {"2409.10559", "2511.01033"}),
        ("slash.emergence", {"2601.21709"}),
        ("rope.no-forced-decay", {"2410.06205", "2509.12635"}),
        ("slash.sandwich", {"2603.18017"}),
        ("rope.rerotation", {"2602.10959"}),
        ("softmax.race", {"2502.06038"}),
        ("rope.lipschitz", {"2609.39929"}),
        ("task.induction", {"2605.24033"}),
    ],
)
def test_who_else_was_there_is_said(id, numbers):
    claim = CLAIMS[id]
    assert numbers <= set(
        re.findall(r"\d{4}\.\d{5}", " ".join(w.paper for w in claim.source.compare))
    )
    entry = claim_json(claim, "main result")["source"]["compare"]
    assert [work["paper"] for work in entry] == [work.paper for work in claim.source.compare]
    assert {tuple(work) for work in entry} == {("paper", "version", "where_read", "words")}


def test_show_and_the_page_have_a_line_for_each():
    site = Site(CLAIMS, {})
    claim = CLAIMS["rope.only"]
    page = "\n".join(claim_page(site, claim))
    done = CliRunner().invoke(app, ["show", "rope.only"])
    assert done.exit_code == 0, done.output
    for work in claim.source.compare:
        assert f"- **Compare:** {plain(work.line)}" in page
    assert done.stdout.count("Compare: ") == len(claim.source.compare)
