"""Main results and lemmas are distinguished by one rule, wherever claims are listed."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from ropeproof.cli import app
from ropeproof.proofs_check.reports.listing import roles_of
from ropeproof.proofs_check.site.pages.catalogue import overview_page
from ropeproof.proofs_check.site.pages.graph import graph_svg
from ropeproof.proofs_check.site.site import Site
from ropeproof.theory import CLAIMS, InvalidClaim
from ropeproof.theory.annotations.roles import ROLES, roles
from ropeproof.theory.papers.citations import PAPERS, TEXTBOOK


@pytest.fixture(scope="module")
def found():
    """The role of each claim of the catalogue; whatever a proof uses is found by writing it."""
    return roles(CLAIMS)


@pytest.fixture(scope="module")
def used():
    """What the proofs of the catalogue use."""
    return {other for claim in CLAIMS.values() for other in claim.uses}


def run(*args: str) -> str:
    result = CliRunner().invoke(app, list(args))
    assert result.exit_code == 0, result.output
    return result.output


def test_each_claim_has_one_role_and_a_lemma_is_used(found, used):
    assert set(found) == set(CLAIMS)
    assert set(found.values()) == set(ROLES)
    for id, role in found.items():
        assert (role in ("main result", "lemma")) == (CLAIMS[id].kind == "theorem"), id
        if role == "lemma" and CLAIMS[id].source.paper != TEXTBOOK.paper:
            assert id in used, f"{id} is called a lemma although no proof uses it"


def test_what_a_paper_states_and_what_repairs_it_is_a_main_result(found):
    cited = {paper.cited for paper in PAPERS}
    for claim in CLAIMS.values():
        if claim.kind == "theorem" and claim.source.paper in cited:
            assert found[claim.id] == "main result", claim.id
        if claim.repaired_by and CLAIMS[claim.repaired_by].kind == "theorem":
            assert found[claim.repaired_by] == "main result", claim.repaired_by


def test_a_declared_role_says_what_the_rule_does_not():
    bare = roles({id: replace(claim, role=None) for id, claim in CLAIMS.items()})
    for id, claim in CLAIMS.items():
        assert claim.role is None or claim.role != bare[id], f"{id}: declares what follows anyway"


def test_only_a_theorem_has_a_declared_role():
    definition = next(claim for claim in CLAIMS.values() if claim.kind == "definition")
    with pytest.raises(InvalidClaim, match="only a theorem is a main result or a lemma"):
        replace(definition, role="lemma")


def test_a_users_claims_make_no_lemmas_of_the_catalogues(found, used):
    last = next(id for id, role in found.items() if role == "main result" and id not in used)
    own = replace(CLAIMS[last], id="own.claim", uses=(last,), derivation=None)
    assert roles_of({**CLAIMS, "own.claim": own})[last] == "main result"
    assert roles_of({**CLAIMS, "own.claim": own})["own.claim"] == "main result"


def test_the_list_shows_and_filters_roles(found):
    listed = json.loads(run("list", "--json", "-"))["claims"]
    assert {entry["id"]: entry["role"] for entry in listed} == found
    kept = json.loads(run("list", "--main", "--json", "-"))["claims"]
    assert [e["id"] for e in kept] == [id for id in CLAIMS if found[id] == "main result"]
    assert "lemma" in run("list", "slash.*")
    assert "lemma" not in run("list", "--main", "slash.gd.*")
    assert run("list", "--main", "sums.cycle") == ""


def test_the_graph_and_the_overview_show_roles(found):
    nodes = json.loads(run("graph", "--format", "json"))["nodes"]
    assert {node["id"]: node["role"] for node in nodes} == found
    assert '("slash.row-emergence")' in run("graph", "slash.*")
    assert '["slash.emergence"]' in run("graph", "slash.*")
    assert '"slash.row-emergence" [style=rounded];' in run("graph", "slash.*", "--format", "dot")
    site = Site(CLAIMS, {})
    drawn = graph_svg(site)
    for id, role in found.items():
        assert f'data-claim="{id}" data-role="{role}"' in drawn
    rows = {line.split("|")[1].strip(): line for line in overview_page(site) if "|" in line}
    assert f"| {found['slash.emergence']} |" in rows[site.link("slash.emergence")]
    assert site.word(CLAIMS["slash.row-emergence"]) == "Lemma"
    assert site.word(CLAIMS["slash.emergence"]) == "Theorem"
