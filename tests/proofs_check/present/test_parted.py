"""A statement part by part: the sentences that mark its parts, and the formulas that they state."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from certainty_claims import claim, x

from ropeproof.proofs_check.present.statement import labels, parted, sentences, statement_of
from ropeproof.proofs_check.site import Site
from ropeproof.proofs_check.site.pages.claim_page import claim_page
from ropeproof.theory import CLAIMS
from ropeproof.theory.language.logic import Both, le

BY_PART = {
    "slash.head": (1, 1, 1),
    "slash.gd.head-cone": (2, 1, 1),
    "head.robust-exclusion": (1, 1),
}
"""How many formulas each marked part of these claims states."""
AS_A_WHOLE = {"posgen.pattern": (3, 4)}
"""Claims shown as a whole: so many parts are marked in words, and so many stand in the conclusion."""


def test_each_claim_that_marks_its_parts_is_shown_by_them_or_listed_with_the_reason():
    marked = {id: words for id, c in CLAIMS.items() if (words := sentences(c.statement)[1])}
    found = {id: told.sizes for id in marked if (told := parted(CLAIMS[id])) is not None}
    assert found == BY_PART
    others = {
        id: (len(words), len(statement_of(CLAIMS[id]).parts))
        for id, words in marked.items()
        if id not in found
    }
    assert others == AS_A_WHOLE


@pytest.mark.parametrize("id", BY_PART)
def test_a_claim_s_page_pairs_each_sentence_with_what_it_states(id):
    entry = CLAIMS[id]
    page = "\n".join(claim_page(Site(CLAIMS, {}), entry)).split("**Where**")[0]
    boxes = re.findall(r'<section class="(claim|formal)[^>]*>\n(.*?)</section>', page, flags=re.S)
    told, shown = parted(entry), iter(statement_of(entry).parts)
    assert told is not None
    first = bool(told.before or entry.hypotheses)
    assert [kind for kind, _ in boxes] == ["claim", "formal"] * (first + len(BY_PART[id]))
    words = " ".join(text.strip() for kind, text in boxes if kind == "claim").strip()
    assert words.replace("$ ${}", "") == entry.statement
    assert "**Conclusion**" not in page
    for (mark, sentence), size, (_, text), (_, formulas) in zip(
        told.words, told.sizes, boxes[2 * first :: 2], boxes[2 * first + 1 :: 2], strict=True
    ):
        assert text.replace("$ ${}", "").strip() == f"{mark} {sentence}"
        for _ in range(size):
            part = next(shown)
            assert part.name in formulas
            assert all(line in formulas for _, line in part.latex_lines)
    assert next(shown, None) is None


@pytest.mark.parametrize(
    ("prose", "words"),
    [
        ("Let $x>0$. (a) One. (b) Two.", {"(a)": "One.", "(b)": "Two."}),
        ("(i) One; (ii) two.", {"(i)": "One;", "(ii)": "two."}),
        (
            "Let $x=1.$ (a) One, $f(b) = (b) $. (b) Two.",
            {"(a)": "One, $f(b) = (b) $.", "(b)": "Two."},
        ),
        ("As there. (a) Alone.", {}),
        ("It leads (there, (a)) and so (b) there.", {}),
        ("Then. (b) One. (a) Two.", {}),
        ("Then. (a) One. (c) Two.", {}),
    ],
)
def test_markers_begin_sentences_and_come_in_order(prose, words):
    before, found = sentences(prose)
    assert dict(found) == words
    assert " ".join([before, *(f"{m} {w}" for m, w in found)]).strip() == prose


@pytest.mark.parametrize(
    ("conclusion", "sizes", "named"),
    [
        (Both(le(0, x), le(x, 3)), None, [""]),  # one chain
        (Both(le(0, x), le(1, x**2)), (1, 1), ["(a)", "(b)"]),
        (Both(Both(le(0, x), le(1, x**2)), le(2, x**4)), (2, 1), ["(a1)", "(a2)", "(b)"]),
        (Both(le(0, x), le(1, x**2), le(2, x**4)), None, ["(i)", "(ii)", "(iii)"]),
        (le(0, x), None, [""]),
    ],
)
def test_a_marker_belongs_to_one_part_or_to_one_conjunction(conclusion, sizes, named):
    entry = replace(claim(conclusion), statement="(a) One. (b) Two.")
    told = parted(entry)
    assert (told and told.sizes) == sizes
    assert labels(entry) == named == [part.name for part in statement_of(entry).parts]
