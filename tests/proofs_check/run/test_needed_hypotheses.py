"""Pages, terminal and JSON say of a hypothesis's need what the attack recorded, and no more."""

from __future__ import annotations

import dataclasses
import io

import pytest
from certainty_claims import MONOTONE, ON_SQUARES, QUICK, claim, f, instantiated, x, y
from rich.console import Console

from ropeproof.proofs_check.attack.mutants import attack_hypotheses
from ropeproof.proofs_check.attack.needs import Need, read, recorded
from ropeproof.proofs_check.kernel.outcome import Kills, visible
from ropeproof.proofs_check.reports.claim_report import (
    not_run_json,
    show_claim,
    show_not_run,
    shown_json,
)
from ropeproof.proofs_check.run.needs import needs_of
from ropeproof.proofs_check.run.runner import ClaimResult
from ropeproof.proofs_check.run.status import Record
from ropeproof.proofs_check.site import Site
from ropeproof.proofs_check.site.pages.claim_page import claim_page
from ropeproof.theory.language.claim import Hypothesis
from ropeproof.theory.language.logic import le, lt

ID = "own.test"
ONE = instantiated(le(f(0), f(1)), {x: 0, y: 1}, MONOTONE)
MIXED = claim(
    le(0, x),
    given={
        "shown": le(0, x),
        "odd; (it seems, 2 cases)": le(0, x),
        "why | not": le(0, x),
        "a:\x1b\n\u202eb (3 decided)": le(0, x),
    },
)
MIXED = dataclasses.replace(
    MIXED,
    hypotheses=(
        *MIXED.hypotheses[:2],
        dataclasses.replace(MIXED.hypotheses[2], unshown="no drawn value shows it"),
        dataclasses.replace(MIXED.hypotheses[3], idle="it follows"),
    ),
)
FOUND = [Need("needed, it seems", 1), Need("needed"), Need("needed, not shown"), Need("idle", 3)]


def record(detail: str, outcome: str = "holds") -> Record:
    return Record("attack", "hypotheses", outcome, detail=detail)


def of_mixed() -> str:
    names = [h.name for h in MIXED.hypotheses]
    return visible(recorded(dict(zip(names, FOUND, strict=True))))


def verdict(of, *records):
    return ClaimResult(of, "tested", records, (), Kills(0, 0), ())


def printed(shown) -> str:
    out = io.StringIO()
    Console(file=out, width=200).print(shown)
    return out.getvalue()


def test_what_is_recorded_is_read_back_whatever_a_hypothesis_is_called():
    assert list(needs_of(MIXED, [record(of_mixed())]).values()) == FOUND
    for found in (Need("needed"), Need("needed, it seems", 12)):
        text = recorded({"h": found})
        assert read(ONE, text) == {"h": found}
        assert read(ONE, text + " ") == read(ONE, "needed: g") == {"h": Need()}


def test_nothing_is_known_without_a_record_that_holds():
    unknown = dict.fromkeys((h.name for h in MIXED.hypotheses), Need())
    for records in ([], [record(of_mixed(), "fails")], [record("as expected")]):
        assert needs_of(MIXED, records) == unknown
    other = Record("attack", "mutants", "holds", detail=of_mixed())
    assert needs_of(MIXED, [other]) == unknown


def test_a_need_that_rests_on_tried_values_is_called_seeming_with_its_cases():
    """That a drawn f is 0 at all squares is tried at some, and no closed form is so and negative at 2."""
    squares, h = Hypothesis("squares", ON_SQUARES), Hypothesis("h", le(0, f(2)))
    entry = dataclasses.replace(claim(le(0, f(1) + f(2))), hypotheses=(squares, h))
    found = attack_hypotheses(entry, QUICK)
    need = read(entry, found.detail)
    assert (found.verdict, need["squares"]) == ("holds", Need("needed"))
    assert (need["h"].word, need["h"].cases > 1) == ("needed, it seems", True)
    assert f"h (it seems, {need['h'].cases} cases)" in found.detail
    sure = claim(lt(0, x), given={"h": lt(0, x)})
    assert read(sure, attack_hypotheses(sure, QUICK).detail) == {"h": Need("needed")}
    idle = dataclasses.replace(
        claim(le(0, x**2)), hypotheses=(Hypothesis("h", le(0, x), idle="squares"),)
    )
    need = read(idle, attack_hypotheses(idle, QUICK).detail)["h"]
    assert (need.word, need.cases > 100) == ("idle", True)


@pytest.mark.parametrize(
    ("known", "shown"),
    [
        (Need("needed"), "needed"),
        (Need("needed, it seems", 17), "needed, it seems (17 cases)"),
        (None, "not known"),
    ],
)
def test_page_terminal_and_json_repeat_the_record(known, shown):
    records = (record(recorded({"h": known})),) if known else ()
    found = verdict(ONE, *records)
    page = "\n".join(claim_page(Site({ID: ONE}, {ID: found}), ONE))
    assert f"*h* ({shown}):" in page
    assert f"h ({shown}):" in printed(show_claim(ONE, found))
    assert f"h ({shown}):" in printed(show_not_run(ONE, "so", records))
    word, cases = (known.word, known.cases) if known else ("not known", 0)
    for entry in (shown_json(found), not_run_json(ONE, records)):
        (h,) = entry["hypotheses"]
        assert (h["need"], h["cases"], h["why"]) == (word, cases, "")


def test_the_reason_of_its_author_stands_with_the_need():
    site = Site({ID: MIXED}, {ID: verdict(MIXED, record(of_mixed()))})
    page = "\n".join(claim_page(site, MIXED))
    assert "(needed, not shown: no drawn value shows it):" in page
    assert "(idle (3 cases): it follows):" in page
    page = "\n".join(claim_page(Site({ID: MIXED}, {}), MIXED))
    assert "(not known; said to be needed, not shown: no drawn value shows it):" in page
    assert "(not known; said to be idle: it follows):" in page
    assert "(needed)" not in page
