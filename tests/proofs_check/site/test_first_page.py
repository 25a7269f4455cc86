"""The first page says what is known: ten sentences, each a link to a claim that is proved."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from site_pages import verdict

from ropeproof.proofs_check.kernel.check import check_derivation
from ropeproof.proofs_check.site.pages.first_page import KNOWN, MARK, PICTURE, with_known
from ropeproof.proofs_check.site.pictures import Picture
from ropeproof.proofs_check.site.site import Site
from ropeproof.theory import CLAIMS
from ropeproof.theory.annotations.roles import roles
from ropeproof.theory.errors import InvalidArgument

ROOT = Path(__file__).resolve().parents[3]
WRITTEN = (ROOT / "docs/index.md").read_text(encoding="utf-8")
DRAWN = [Picture("rope-cost", "other", "other"), Picture(PICTURE, "two lines", "caption")]


@pytest.mark.parametrize("id", KNOWN)
def test_what_the_first_page_calls_known_is_proved(id):
    found = check_derivation(CLAIMS[id], CLAIMS.__getitem__)
    assert found.outcome.verdict == "holds", found.outcome.detail


def test_the_sentences_are_eleven_short_main_results():
    assert len(KNOWN) == 11
    role = roles(CLAIMS)
    for id, sentence in KNOWN.items():
        assert role[id] == "main result", id
        assert sentence.count(".") == 1
        assert sentence.endswith(".")
        assert len(sentence.split()) <= 25, sentence


def test_the_page_has_them_as_links_beside_the_picture():
    site = Site(CLAIMS, {id: verdict(CLAIMS[id]) for id in KNOWN})
    page = with_known(site, WRITTEN, DRAWN)
    assert MARK not in page
    items = re.findall(r"^1\. \[(.+?)\]\(claims/([\w.-]+)\.md\)(.*)$", page, flags=re.M)
    assert [sentence for sentence, *_ in items] == list(KNOWN.values())
    assert [id for _, id, _ in items] == list(KNOWN)
    assert {after for *_, after in items} == {""}
    assert "11 of 11 [proved]" in page
    assert page.count(f"pictures/{PICTURE}-light.svg") == 1
    assert "rope-cost" not in page


def test_what_is_not_proved_in_a_build_says_so():
    ready = {id: verdict(CLAIMS[id]) for id in KNOWN}
    ready["head.exclusion"] = verdict(CLAIMS["head.exclusion"], "open", shortfalls=("no",))
    del ready["slash.head"]
    page = with_known(Site(CLAIMS, ready), WRITTEN, [])
    assert "9 of 11 [proved]" in page
    assert "(claims/head.exclusion.md) [open]" in page
    assert "(claims/slash.head.md) [not run]" in page
    assert "{figure} pictures/" not in page
    assert page.count("{figure}") == WRITTEN.count("{figure}") == 2  # the head's, in light and dark


def test_each_reader_is_told_where_to_go():
    for page in ("overview", "graph", "trust", "papers", "errata", "measure", "budget", "plug_in"):
        assert f"({page}.md)" in WRITTEN


def test_a_first_page_without_its_mark_is_refused():
    with pytest.raises(InvalidArgument, match=r"index\.md"):
        with_known(Site(CLAIMS, {}), "# Empty\n", [])


def test_the_question_the_picture_and_the_commands_are_those_of_readme():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    question = re.search(r"^\*\*.*?\?\*\*", readme, flags=re.M)
    assert question is not None
    commands = readme.split("```bash\n", 1)[1].split("```", 1)[0]
    places = [WRITTEN.index(t) for t in (question[0], "slash-head-light.svg", commands, MARK)]
    assert places == sorted(places)
    assert "slash-head-dark.svg" in WRITTEN


def test_the_side_bar_has_the_four_entrances_of_the_page_and_the_theory_before_the_guides():
    captions = re.findall(r"^:caption: (.+)$", WRITTEN, flags=re.M)
    entrances = [
        entrance.rstrip(".") for entrance in re.findall(r"^\*\*(You .+?)\*\*", WRITTEN, flags=re.M)
    ]
    assert len(entrances) == 4
    assert captions == [
        "Begin here",
        f"{entrances[0]}: the theory",
        f"{entrances[0]}: how to",
        *entrances[1:],
        "Reference",
    ]


def test_no_sentence_has_a_term_that_a_newcomer_cannot_know():
    """Or it says what the term means in the same sentence."""
    told = {
        "slash head": "attends a fixed distance back",
        "inverse temperature": "logits scaled up",
    }
    for sentence in KNOWN.values():
        for word in (
            "plane",
            "positional",
            "symbolic",
            "circular",
            "margin",
            "retrieval",
            "two-sided",
        ):
            assert word not in sentence, sentence
        for term, meaning in told.items():
            assert term not in sentence or meaning in sentence, sentence
