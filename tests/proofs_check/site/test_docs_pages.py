"""The written pages: their code runs, and what they say of the catalogue is so."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest
from needs import need

import ropeproof.theory.language.notation
from ropeproof.proofs_check.kernel.rules import RULES
from ropeproof.theory import CLAIMS, TOPICS
from ropeproof.theory.language import derivation
from ropeproof.theory.lazy_topics import claims_of

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "docs"
PAGE_OF = {
    claim.id: "index-heads" if topic == "index" else topic
    for topic, module in TOPICS.items()
    for claim in claims_of(module)
}
LINK = re.compile(r"\[([^\]]+)\]\(((?:claims/)?[\w.=-]+\.md)?(?:#([\w-]+))?\)")
WRITTEN = [*(f"topics/{topic}.md" for topic in TOPICS), "notation.md", "remarks.md"]
EXPLORERS = {"slash", "index"}


def read(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def prose(topic: str) -> str:
    """The introduction without the explorer's element."""
    return re.sub(r"^```.*?^```\n?", "", read(f"topics/{topic}.md"), flags=re.S | re.M)


@pytest.mark.parametrize("page", ["plug_in.md", "add_a_claim.md"])
def test_the_code_of_the_page_runs(page, monkeypatch):
    if page == "plug_in.md":
        need("transformers")
    monkeypatch.chdir(ROOT)  # the page names files of a checkout
    blocks = re.findall(r"^```python\n(.*?)^```", read(page), flags=re.S | re.M)
    assert len(blocks) >= 5
    names: dict[str, object] = {"__name__": page}
    for number, block in enumerate(blocks, 1):
        exec(compile(block, f"{page}, block {number}", "exec"), names)


@pytest.mark.parametrize("topic", TOPICS)
def test_an_introduction_is_a_short_fragment_without_headings(topic):
    text = prose(topic)
    assert 250 <= len(text.split()) <= 750
    assert not re.search(r"^#|^(=+|-+)$", text, flags=re.M)
    assert not re.search(r"^\s*(?:[-+*>|]|\d+[.)])\s", text, flags=re.M), (
        "a line that reads as a list"
    )
    assert text.count("$") % 2 == 0


@pytest.mark.parametrize("topic", TOPICS)
def test_links_lead_on_from_where_the_site_has_the_page(topic):
    """An introduction stands on a page beside the others, not in the folder of its source."""
    targets = re.findall(r"\]\(([^)#:]+\.(?:md|html))", prose(topic))
    generated = {f"{name}.md" for name in (*PAGE_OF.values(), "rules", "errata")}
    pages = [t for t in targets if not t.startswith("claims/") and t not in generated]
    assert all((DOCS / t).is_file() and ".." not in t for t in pages), pages


@pytest.mark.parametrize("topic", TOPICS)
def test_each_claim_that_a_page_leads_to_is_mentioned(topic):
    """Lemmas, which another claim of the page uses, may stay without a mention."""
    claims = claims_of(TOPICS[topic])
    used = {other for claim in claims for other in claim.uses}
    told = {claim.id for claim in claims if claim.id not in used or claim.kind != "theorem"}
    told |= {claim.repaired_by for claim in claims if claim.repaired_by}
    mentioned = {text for text, _, _ in LINK.findall(prose(topic))}
    assert not told - mentioned


def headings(file):
    """The anchors of a written page's headings, as the site forms them; none for a generated page."""
    path = DOCS / file
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    titles = re.findall(r"^#+ (.+)$", text, flags=re.M)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", [*WRITTEN, "add_a_claim.md", "plug_in.md"])
def test_links_lead_to_the_claims_that_they_name(page):
    here = {f"topics/{t}.md": "index-heads" if t == "index" else t for t in TOPICS}.get(page)
    generated = {*PAGE_OF.values(), "rules", "errata"}
    for text, file, anchor in LINK.findall(read(page)):
        target = file.removesuffix(".md") or here
        if target.startswith("claims/"):
            assert (text, not anchor) == (target.removeprefix("claims/"), True), f"{page}: {file}"
            assert text in CLAIMS, f"{page}: no claim {text}"
            continue
        if not anchor:
            assert target in generated or (DOCS / file).is_file(), f"{page}: {file}"
            continue
        if anchor in headings(file or page):
            continue
        found = [id for id in CLAIMS if id.replace(".", "-") == anchor]
        assert len(found) == 1, f"{page}: no claim {anchor}"
        assert target == PAGE_OF[found[0]], f"{page}: {anchor} is on {PAGE_OF[found[0]]}"
        assert bool(file) == (target != here), f"{page}: {anchor} is on this very page"
        assert text == found[0], f"{page}: {text} leads to {anchor}"


@pytest.mark.parametrize("topic", TOPICS)
def test_numbers_in_the_introductions_are_those_of_the_statements(topic):
    """Each decimal is one of a statement's, perhaps with fewer digits."""

    def decimals(text: str) -> list[str]:
        return re.findall(r"(?<![\d.])\d*\.\d+(?![\d.])", text)

    stated = [float(number) for claim in CLAIMS.values() for number in decimals(claim.statement)]
    for number in decimals(prose(topic)):
        digits = len(number.split(".")[1])
        assert any(abs(value - float(number)) <= 0.51 * 10.0**-digits for value in stated), number


@pytest.mark.parametrize("topic", TOPICS)
def test_the_explorers_stand_on_their_pages(topic):
    found = re.findall(r'data-explorer="(\w+)"', read(f"topics/{topic}.md"))
    assert found == ([topic] if topic in EXPLORERS else [])


def test_the_notation_page_has_every_shared_symbol():
    text = read("notation.md")
    code = " ".join(re.findall(r"`([^`\n]+)`", text))
    for name in set(ropeproof.theory.language.notation.__all__) - {"i", "j", "n", "t"}:
        assert re.search(rf"\b{name}\b", code), name
    for symbol in ("$i$, $j$", "$N$, $n$", "$t=i-j"):
        assert symbol in text


AS_METHODS = {"by_claim": "lemma", "generalise": "for_all", "instance": "use"}
"""How a proof calls the rules that have another name there."""


def test_every_rule_has_an_example_that_runs():
    code = "".join(re.findall(r"^```python\n(.*?)^```", read("add_a_claim.md"), re.S | re.M))
    for name in derivation.__all__:
        rule = getattr(derivation, name)
        if inspect.isfunction(rule):
            assert re.search(rf"\b{AS_METHODS.get(name, name)}\(", code), name
    assert {"by_claim", "axiom"}.isdisjoint(RULES)  # they are the two that look up other things


def test_the_messages_are_those_that_the_checker_prints():
    rows = re.findall(r"^\| `([^`]+)` \|", read("add_a_claim.md"), flags=re.M)
    assert len(rows) >= 8
    files = [ROOT / "theory/language/derivation.py", *(ROOT / "proofs_check").rglob("*.py")]
    sources = [p.read_text(encoding="utf-8") for p in files]
    for message in rows:
        assert any(message in source for source in sources), message
