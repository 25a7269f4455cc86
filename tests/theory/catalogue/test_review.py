"""Every main result is reviewed: each part of its prose and of its formula has its counterpart."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ropeproof.proofs_check.present.statement import labels as labels_of
from ropeproof.proofs_check.site.pages.reviewed import review_page
from ropeproof.proofs_check.site.site import Site
from ropeproof.theory import CLAIMS
from ropeproof.theory.annotations.review import Part, review
from ropeproof.theory.language.claim import Claim
from ropeproof.theory.topics.contents import CONTENTS

MAIN = [id for id, entry in CONTENTS.items() if entry.role == "main result"]


def faults(claim: Claim, parts: tuple[Part, ...]) -> list[str]:
    """What is wrong with a claim's entry: unknown carriers, and what no part names."""
    found = []
    labels = [label or "conclusion" for label in labels_of(claim)]
    needed = [*labels, *(f"hypothesis {h.name}" for h in claim.hypotheses)]
    for part in parts:
        if part.words not in claim.statement:
            found.append(f"not in the statement: {part.words}")
        for carrier in part.carriers:
            other = carrier.removeprefix("claim ")
            if not (carrier in needed or (other != carrier and other in CLAIMS)):
                found.append(f"no such carrier: {carrier}")
    named = {carrier for part in parts for carrier in part.carriers}
    return found + [f"carries nothing: {n}" for n in needed if n not in named]


def test_main_results_and_no_others_have_an_entry():
    assert sorted(review()) == sorted(MAIN)


@pytest.mark.parametrize("id", MAIN)
def test_prose_and_formula_match_part_by_part(id):
    assert faults(CLAIMS[id], review()[id]) == []


def test_each_kind_of_fault_is_found():
    claim, parts = CLAIMS["rope.lipschitz"], review()["rope.lipschitz"]
    assert faults(claim, parts) == []
    assert faults(claim, parts[:1]) == [
        f"carries nothing: hypothesis {h.name}" for h in claim.hypotheses
    ]
    assert "carries nothing: conclusion" in faults(claim, parts[1:])
    assert faults(replace(claim, statement="Other words."), parts)
    wrong = ("(a)", "hypothesis of none", "claim no.such", "remark: what no formula says")
    assert len(faults(claim, (*parts, Part("for", wrong)))) == len(wrong)


def test_the_page_has_a_line_for_each_main_result():
    lines = [line for line in review_page(Site(CLAIMS, {})) if line.startswith("| [")]
    assert len(lines) == len(MAIN)
