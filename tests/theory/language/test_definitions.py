"""A definition is shown as one, whatever was checked of it; its checks count all the same."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from command_line import run
from site_pages import verdict

from ropeproof.proofs_check.reports.report import COLOURS
from ropeproof.proofs_check.run.library import LOADED, Library
from ropeproof.proofs_check.run.runner import check
from ropeproof.proofs_check.run.status import (
    ORDER,
    Record,
    compute_status,
    counted,
    established,
    expected_status,
    shortfalls,
)
from ropeproof.proofs_check.site.pages.catalogue import overview_page
from ropeproof.proofs_check.site.pages.graph import graph_svg
from ropeproof.proofs_check.site.pages.papers import paper_pages
from ropeproof.proofs_check.site.site import Site
from ropeproof.theory import CLAIMS
from ropeproof.theory.language.claim import Claim, Mutant, Source, catalogue
from ropeproof.theory.language.derivation import Derivation, Step, by_claim, smt
from ropeproof.theory.language.logic import Negation, le, lt, real

DEFINITIONS = [id for id, claim in CLAIMS.items() if claim.kind == "definition"]
x = real("x")


def stated(id, goal, rule, *, kind="theorem", uses=(), needs="PX"):
    step = Step("only", goal, rule, "A reason.")
    return Claim(
        id, "a title", "a statement", Source("test"), kind=kind, needs=frozenset(needs), uses=uses,
        conclusion=goal, derivation=Derivation((step,)), mutants=(Mutant("not", Negation(goal)),),
    )  # fmt: skip


def verdicts(monkeypatch, *claims):
    monkeypatch.setitem(LOADED, (), Library(catalogue(claims), {}))
    return {v.claim.id: v for v in check(profile_name="quick")}


SQUARE = le(0, x**2)
DEFINED = stated("own.defined", SQUARE, smt(), kind="definition")
TOP = stated("own.top", SQUARE, by_claim("own.defined"), uses=("own.defined",))


def test_the_catalogue_has_definitions():
    assert set(DEFINITIONS) >= {"slash.score", "slash.dominance", "slash.rank-statistics"}
    assert set(ORDER) == set(COLOURS)


def test_a_definition_is_no_proved_claim_and_a_ground_for_others(monkeypatch):
    found = verdicts(monkeypatch, DEFINED, TOP)
    assert found["own.defined"].status == "definition"
    assert found["own.defined"].proved
    assert (found["own.top"].status, found["own.top"].shortfalls) == ("proved", ())


@pytest.mark.parametrize("word", ["holds", "fails", "unknown", "unsupported"])
def test_the_status_does_not_depend_on_what_was_checked(word):
    records = [Record("proof", "derivation", word, detail="why"), Record("attack", "m", "holds")]
    assert compute_status(DEFINED, records, {}) == expected_status(DEFINED) == "definition"
    assert established(DEFINED, records, {}) == ("proved" if word == "holds" else "open")
    said = shortfalls(DEFINED, records, "definition", {})
    assert (said == []) == (word == "holds")
    if word != "holds":
        assert said[-1] == "what is checked of the definition gives open, expected proved"


def test_a_definition_whose_check_fails_fails_the_run_and_grounds_nothing(monkeypatch):
    wrong = replace(DEFINED, derivation=Derivation((Step("only", SQUARE, smt(), "", ("gone",)),)))
    found = verdicts(monkeypatch, wrong, TOP)
    assert found["own.defined"].status == "definition"
    assert found["own.defined"].shortfalls
    assert not found["own.defined"].proved
    assert found["own.top"].status != "proved"
    assert "rests on own.defined, which is tested" in found["own.top"].shortfalls


def test_a_definition_that_is_certified_only_is_no_ground_for_a_proof():
    records = [Record("proof", "derivation", "holds"), Record("attack", "m", "holds")]
    for word, status in (("proved", "proved"), ("certified", "open"), ("definition", "open")):
        assert compute_status(TOP, records, {"own.defined": word}) == status


def test_a_definition_that_says_something_false_fails_the_run(monkeypatch):
    false = stated("own.defined", lt(0, x), smt(), kind="definition", needs="PTX")
    found = verdicts(monkeypatch, false)["own.defined"]
    assert (found.status, bool(found.shortfalls)) == ("definition", True)
    assert set(found.witness) == {"x"}


def test_the_command_counts_definitions_apart(tmp_path):
    target = tmp_path / "report.json"
    code, text = run(
        *("check", "slash.dominance", "slash.score", "--profile", "quick", "--jobs", "1"),
        *("--json", str(target)),
    )
    assert code == 0, text
    assert "2 claims: 2 definitions;" in text
    found = json.loads(target.read_text())
    assert (found["summary"]["definition"], found["summary"]["proved"]) == (2, 0)
    assert {claim["status"] for claim in found["claims"]} == {"definition"}
    code, text = run("show", "slash.score", "--run", "--profile", "quick")
    assert code == 0
    assert text.startswith("slash.score  definition\n")
    assert counted(["proved", "definition"]) == "1 proved, 1 definition"


def test_every_page_that_shows_a_status_says_definition():
    site = Site(CLAIMS, {id: verdict(CLAIMS[id]) for id in DEFINITIONS})
    rows = [line for line in overview_page(site) if line.startswith("| [")]
    drawn = graph_svg(site)
    papers = "\n".join(line for _, page in paper_pages(site, ()) for line in page)
    for id in DEFINITIONS:
        (row,) = [line for line in rows if line.startswith(f"| {site.link(id)}")]
        assert "[definition]{.status .status-definition}" in row
        assert f'status-definition" href="{site.href(id)}" data-claim="{id}"' in drawn
        assert f"`{id}`" not in papers or f"`{id}`](../claims/{id}.md) [definition]" in papers
    assert "5 [definition]{.status .status-definition}" in "\n".join(overview_page(site))
