"""Paper by paper: the tables fit the catalogue, nothing is unexplained, pages and command say so."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from site_pages import verdict
from typer.testing import CliRunner

from ropeproof.cli import COMMANDS, app
from ropeproof.proofs_check.reports import paper_coverage as coverage
from ropeproof.proofs_check.site.pages.papers import paper_pages, papers_page
from ropeproof.proofs_check.site.site import Site
from ropeproof.theory import CLAIMS
from ropeproof.theory.errors import InvalidArgument, InvalidClaim
from ropeproof.theory.papers.citations import PAPERS
from ropeproof.theory.papers.coverage import COVERAGE, coverage_of
from ropeproof.theory.papers.coverage.item import PaperCoverage, PaperItem

ROOT = Path(__file__).resolve().parents[3]
WRITTEN = {path.name for path in (ROOT / "docs").glob("*.md")}
KEYS = [paper.key for paper in COVERAGE]
COUNTED = {
    "heads": {"Theorem 3.": 2, "Remark 3.": 2, "Figure ": 8, "Table ": 4, "Definition F.": 3},
    "decouple": {"Theorem ": 8, "Lemma ": 6, "Definition ": 2, "Corollary ": 1, "Figure ": 12},
}
"""How many numbered items of each kind the papers have that were read as a whole."""


def test_every_paper_has_a_table():
    assert [paper.paper for paper in COVERAGE] == list(PAPERS)
    sources = [claim.source for claim in CLAIMS.values()]
    cited = {source.paper for source in sources}
    cited |= {work.paper for source in sources for work in source.compare}
    assert {paper.cited for paper in PAPERS} <= cited


@pytest.mark.parametrize("key", KEYS)
def test_every_locator_names_an_item_and_every_item_is_explained(key):
    paper = coverage_of(key)
    assert not [c.id for c in paper.astray(CLAIMS)], "their locator names no item of the table"
    assert not [i.name for i in paper.unexplained(CLAIMS)], "neither a claim nor a reason"
    assert not paper.unknown(CLAIMS)
    stated = [item for item in paper.items if paper.stating(item, CLAIMS)]
    assert not [i.name for i in stated if i.because], "a claim states it: the reason is out of date"


@pytest.mark.parametrize("key", COUNTED)
def test_no_number_of_a_paper_that_was_read_is_missing(key):
    paper = coverage_of(key)
    assert paper.complete
    assert {p.key for p in COVERAGE if p.complete} == set(COUNTED)
    names = " ".join(item.name for item in paper.items)
    for prefix, count in COUNTED[key].items():
        found = {int(n) for n in re.findall(rf"{re.escape(prefix)}(\d+)", names)}
        if prefix == "Figure ":
            found |= {int(n) for n in re.findall(r"Figures? (\d+)", names)}
        assert found == set(range(1, count + 1)), prefix


def test_the_rules_can_fail():
    claim = next(c for c in CLAIMS.values() if c.source.paper == PAPERS[0].cited)
    moved = replace(claim, source=replace(claim.source, locator="Theorem 3.10"))
    table = PaperCoverage(
        "k", PAPERS[0], "t", "r", (PaperItem("Theorem 3.1", "section 3", "Something."),)
    )
    assert table.astray({claim.id: moved}) == (moved,)
    assert [i.name for i in table.unexplained({claim.id: moved})] == ["Theorem 3.1"]
    assert not table.unexplained({claim.id: replace(moved, source=PAPERS[0].at("Theorem 3.1"))})
    assert replace(table, items=(replace(table.items[0], see=("no.claim",)),)).unknown(CLAIMS)
    with pytest.raises(InvalidClaim, match=r"twice: Theorem 3\.1"):
        replace(table, items=table.items * 2)
    with pytest.raises(InvalidClaim, match="has no states"):
        PaperItem("Theorem 3.1", "section 3", " ")


@pytest.mark.parametrize(
    ("name", "locator", "named"),
    [
        ("Theorem 3", "section 4, Theorem 3", True),
        ("Theorem 3", "section 4, Theorem 3.1", False),
        ("Theorem 3", "section 4, Theorem 31", False),
        ("Theorem 3", "Theorem 3; its proof", True),
        ("B.6", "appendix B.6", True),
        ("B.6", "appendix B.61", False),
        ("Lemma 1", "B.2, Lemma 1.", True),
    ],
)
def test_a_locator_names_an_item_by_its_whole_name(name, locator, named):
    assert PaperItem(name, "p", "s").named_in(locator) is named


def test_what_shows_an_item_is_there():
    pictures = "".join(
        path.read_text(encoding="utf-8")
        for path in (ROOT / "proofs_check/site/pictures").rglob("*.py")
    )
    commands = set(COMMANDS)
    for paper in COVERAGE:
        for item in paper.items:
            for shown in item.shown:
                if shown.kind == "picture":
                    assert f'"{shown.what}"' in pictures, shown
                elif shown.kind == "page":
                    assert (ROOT / "docs" / shown.what).is_file(), shown
                elif shown.kind == "example":
                    assert (ROOT / shown.what).is_file(), shown
                else:
                    programme, name = shown.what.split()[:2]
                    assert programme == "ropeproof"
                    assert name in commands, shown


def test_a_row_has_the_claims_that_name_it_and_what_repairs_them():
    rows = {row.item.name: row for row in coverage.rows(coverage_of("heads"), CLAIMS)}
    printed = next(c for c in CLAIMS.values() if c.id == "index.printed-bound")
    assert printed in rows["Theorem 3.2"].stating
    assert printed.repaired_by in [c.id for c in rows["Theorem 3.2"].beside]
    assert rows["Theorem 3.2"].covered == "stated"
    assert not rows["Theorem 3.2"].because
    assert rows["Table 4"].covered == "beside"
    assert rows["Table 4"].because
    assert rows["Table 3"].covered == "not covered"
    assert rows["Table 3"].because
    counts = coverage.summary(tuple(rows.values()))
    assert counts["items"] == counts["stated"] + counts["beside"] + counts["not covered"]


@pytest.mark.parametrize("key", KEYS)
def test_a_page_shows_every_item_with_computed_statuses(key):
    paper = coverage_of(key)
    ids = coverage.ids_of([paper], CLAIMS)
    ready = {id: verdict(CLAIMS[id]) for id in ids[::2]}
    site = Site(CLAIMS, ready)
    page = "\n".join(dict(paper_pages(site, WRITTEN))[f"coverage/{key}"])
    for item in paper.items:
        assert item.states in page
    for id in ids:
        status = ready[id].status if id in ready else "not run"
        assert f"[`{id}`](../" in page
        shown = status.replace(" ", "-")
        assert re.search(
            rf"`{re.escape(id)}`\]\(\S+\) \[{status}\]\{{\.status \.status-{shown}", page
        )
    assert not re.search(r"\]\((?!\.\./)[\w-]+\.md", page), "a link that starts in the wrong folder"
    assert f"coverage/{key}.md" in "\n".join(papers_page(site))


def test_the_command_prints_statuses_of_a_run(tmp_path, monkeypatch):
    monkeypatch.setenv(
        "ROPEPROOF_CACHE", str(tmp_path)
    )  # the second run shows what the first found
    told = ["coverage", "lminf", "--profile", "quick", "--jobs", "1"]
    result = CliRunner().invoke(app, [*told, "--json", "-"])
    assert result.exit_code == 0, result.output
    (paper,) = json.loads(result.output)["papers"]
    assert paper["key"] == "lminf"
    assert paper["summary"]["stated"] == 1
    (item,) = paper["items"]
    (claim,) = item["claims"]
    assert claim["id"] == "softmax.entropy"
    assert claim["status"] == "proved"
    text = CliRunner().invoke(app, told).output
    assert "softmax.entropy proved" in text
    assert "entropy of attention" in text


def test_an_unknown_paper_is_refused_by_name():
    with pytest.raises(InvalidArgument, match="heads, decouple, slash"):
        coverage_of("attention")


def test_a_page_that_is_not_there_is_named_and_not_linked():
    site = Site(CLAIMS, {})
    whole, bare = ("\n".join(dict(paper_pages(site, w))["coverage/heads"]) for w in (WRITTEN, ()))
    assert "(../decoding.md)" in whole
    assert "(../decoding.md)" not in bare
    assert "`decoding.md`" in bare
