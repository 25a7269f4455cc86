"""A page for each claim: its address, what stands on it, how to cite it, and how it is found."""

from __future__ import annotations

import importlib
import json
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from needs import need_program, needs
from site_pages import broken_links, pages_of, verdict

from ropeproof import __version__
from ropeproof.proofs_check.present import SymbolEntry
from ropeproof.proofs_check.run.library import Library
from ropeproof.proofs_check.site import Site, anchor_of, build, file_of, search
from ropeproof.proofs_check.site.markup.addresses import from_folder
from ropeproof.proofs_check.site.markup.breaking import breakable
from ropeproof.proofs_check.site.markup.citation import RELEASED, bibtex, cff
from ropeproof.proofs_check.site.markup.text import first_sentence
from ropeproof.proofs_check.site.pages import generated
from ropeproof.proofs_check.site.pages.claim_page import claim_page
from ropeproof.proofs_check.site.pages.stated import where, where_in_lines
from ropeproof.proofs_check.site.pages.topic_page import lemmas_of, lemmas_page, topic_page
from ropeproof.proofs_check.site.sources import ClaimPlaces
from ropeproof.theory import CLAIMS
from ropeproof.theory.language.claim import Claim, Source

ROOT = Path(__file__).resolve().parents[3]
STATIC = ROOT / "docs/_static"
SITE = Site(CLAIMS, {})
ODD = ["own.a-b", "own.a.b", "own.a_b", "own.T", "own.t", "aux.lemma"]
"""Ids that a file system or an address may take for one another, or for something else."""
NOT_ALLOWED = ["own.a/b?c#d", "own.ä", ".own", "own.x'"]
"""What no claim may be called; a file of that name is safe all the same."""


def own(id: str) -> Claim:
    return Claim(id, f"The claim {id}", "It *says* $1<2$.", Source("test"), kind="definition")


def text(lines) -> str:
    return "\n".join(lines)


def test_names_of_files_are_the_ids_wherever_they_can_be():
    for id in CLAIMS:
        assert file_of(id) == id
    names = [file_of(id) for id in [*ODD, *NOT_ALLOWED, "own." + "x" * 500, "own." + "x" * 501]]
    assert len({name.lower() for name in names}) == len(names)
    for name in names:
        assert re.fullmatch(r"[a-z0-9._=-]{1,130}", name), name
        assert not name.startswith((".", "aux."))


def test_anchors_are_unique_even_where_ids_differ_in_a_dot():
    claims = {id: own(id) for id in ODD}
    anchors = Site(claims, {}).anchors
    assert len(set(anchors.values())) == len(ODD)
    assert anchors["own.a-b"] == "own-a-b"
    assert {id: SITE.anchors[id] for id in CLAIMS} == {id: anchor_of(id) for id in CLAIMS}
    assert all(re.fullmatch(r"[\w.-]{1,100}", anchor, flags=re.A) for anchor in anchors.values())


@pytest.mark.parametrize(
    "id", ["slash.head", "slash.score", "index.printed-bound", "rope.relative"]
)
def test_a_page_has_prose_formula_proof_source_and_citation(id):
    claim = CLAIMS[id]
    page = text(claim_page(Site(CLAIMS, {id: verdict(claim)}), claim))
    words = re.findall(r'aria-label="(?:In|\([a-z]\) in) words">\n\n(.*?)\n', page)
    assert " ".join(words).replace("$ ${}", "") == claim.statement
    assert page.index('class="stated') < page.index("**Source:**") < page.index("## Cite this")
    words, formal = page.index('aria-label="In words"'), page.find('aria-label="As it is checked"')
    assert (words < formal) == (bool(claim.hypotheses) or claim.conclusion is not None)
    for hypothesis in claim.hypotheses:
        assert f"*{hypothesis.name}* (" in page
    assert ("Derivation, " in page) == (claim.kind != "printed" and claim.derivation is not None)
    assert page.startswith("---\norphan: true\n")
    links = re.findall(r'\]\(([^)#]+\.md)|href="([^"#]+\.html)', page)
    assert links
    assert all((one or other).startswith("../") for one, other in links)
    for other in claim.uses:
        assert f"[`{other}`](../claims/{other}.md)" in page


def test_the_volume_has_all_of_a_claim_in_the_chapter_of_its_topic():
    claim = CLAIMS["rope.lipschitz"]
    volume = Site(CLAIMS, {claim.id: verdict(claim)}, paper=True)
    chapter = text(topic_page(volume, "rope", "See [it](#rope-lipschitz)."))
    assert "See [it](rope.md#rope-lipschitz)." in chapter
    section = chapter.split("(rope-lipschitz)=")[1].split("\n## ")[1]
    for part in (claim.statement, "**Hypotheses**", "**Conclusion**", "**Where**", "Derivation, "):
        assert part in section
    assert "claims/" not in chapter
    assert 'class="stated' not in chapter
    assert "Cite this" not in chapter


def test_a_claim_without_a_formula_stands_alone():
    page = text(claim_page(Site({"own.T": own("own.T")}, {}), own("own.T")))
    assert 'class="stated alone"' in page
    assert "As it is checked" not in page


def test_the_table_of_symbols_keeps_its_cells():
    entries = (
        SymbolEntry("a|b", "|a|", "real | number", "the size $\\|q\\|$", "x", "|x|"),
        SymbolEntry("n", "n", "integer", "a number"),
    )
    rows = [line for line in where(entries) if line.startswith("|")]
    assert rows[2] == (
        r"| $\vert a\vert $ | real \| number | the size $\Vert q\Vert $: $\vert a\vert  = \vert x\vert $ |"
    )
    assert rows[3] == "| $n$ | integer | a number |"
    assert list(where(())) == list(where_in_lines(())) == []
    listed = text(where_in_lines(entries))
    assert "- $|a|$, real | number: the size $\\|q\\|$\n\n  $$\n  |a| = |x|\n  $$" in listed
    assert "- $n$, integer: a number" in listed


def test_a_topic_tells_its_story_and_lists_its_claims():
    ready = {"slash.head": verdict(CLAIMS["slash.head"])}
    page = text(topic_page(Site(CLAIMS, ready), "slash", "A story of [one](#slash-head)."))
    assert "A story of [one](claims/slash.head.md)." in page
    (row,) = [line for line in page.splitlines() if "](claims/slash.head.md)</span> |" in line]
    assert row.endswith("| [proved]{.status .status-proved} |")
    assert '| <span class="place" id="slash-head">[' in row
    order = [
        page.index(f"## {h}") for h in ("Main results", "Lemmas", "Definitions", "Conjectures")
    ]
    assert order == sorted(order)
    assert len(page) < 40_000
    assert "**Hypotheses**" not in page


def test_lemmas_have_a_page_of_their_own_in_groups():
    """The page of slash had 133 entries of several lines; a reader looked for the theorems among them."""
    site = Site(CLAIMS, {"slash.cone-mean": verdict(CLAIMS["slash.cone-mean"])})
    page, story = text(lemmas_page(site, "slash")), text(topic_page(site, "slash", "A story."))
    lemmas = lemmas_of(site, "slash")
    assert len(lemmas) > 50
    rows = text(line for line in story.splitlines() if line.startswith("|"))
    by_id = story.split("<details>")[1].split("</details>")[0]
    for lemma in lemmas:
        assert page.count(f"](claims/{lemma.id}.md)\n[") == 1
        assert f"](claims/{lemma.id}.md)" not in rows
        own = f'<span class="place" id="{site.anchors[lemma.id]}">[`{lemma.id}`](claims/{lemma.id}.md)</span>'
        assert own in by_id  # a former address still leads there
    assert {"## Ceiling", "## Descent", "## Game", "## Spaced"} <= set(page.splitlines())
    assert f"[Lemmas](slash-lemmas.md) ({len(lemmas)})" in story
    head = page.split("](claims/slash.cone-mean.md)")[1].split("</li>")[0]
    assert first_sentence(CLAIMS["slash.cone-mean"].statement) in head.replace("$ ${}", "")


@pytest.mark.parametrize("id", CLAIMS)
def test_the_line_of_a_list_has_whole_formulas(id):
    line = first_sentence(CLAIMS[id].statement)
    assert line.count("$") % 2 == 0
    assert len(line) < 500
    assert " ".join(CLAIMS[id].statement.split()).startswith(line.removesuffix(" …"))


@pytest.mark.parametrize("id", CLAIMS)
def test_a_formula_that_is_cut_is_the_same_formula(id):
    statement = CLAIMS[id].statement
    cut = breakable(statement)
    assert re.sub(r"\s*\$ \$\{\}", "", cut) == re.sub(r"\s+(?=\\|[=<>+-])", "", statement) or (
        re.sub(r"\s", "", cut.replace("$ ${}", "")) == re.sub(r"\s", "", statement)
    )
    for formula in re.findall(r"\$([^$]+)\$", cut):
        assert formula.count("{") == formula.count("}")
        assert len(re.findall(r"\\left\b", formula)) == len(re.findall(r"\\right\b", formula))


def test_addresses_lead_from_old_to_new():
    old = (
        "[a](#slash-head) [b](slash.md#slash-head) [c](claims/slash.head.md) [d](rules.md#rule-smt)"
    )
    page = "claims/slash.head.md"
    assert SITE.placed(old) == f"[a]({page}) [b]({page}) [c]({page}) [d](rules.md#rule-smt)"
    volume = Site(CLAIMS, {}, paper=True)
    assert volume.placed("[c](claims/slash.head.md)") == "[c](slash.md#slash-head)"
    assert (
        from_folder("[x](https://e.org/a.html) [y](#here)")
        == "[x](https://e.org/a.html) [y](#here)"
    )


def test_bibtex_has_title_id_year_version_command_and_paper():
    entry = bibtex(CLAIMS["slash.score"])
    lines = entry.splitlines()
    assert lines[0] == "@misc{ropeproof:slash.score,"
    assert lines[-1] == "}"
    fields = dict(re.match(r"  (\w+) += \{(.*)\},$", line).groups() for line in lines[1:-1])
    assert fields["title"] == "{The average slash score}"
    assert fields["howpublished"] == r"\texttt{ropeproof show slash.score}"
    assert (fields["year"], fields["version"]) == (RELEASED[:4], __version__)
    assert fields["note"] == (
        f"Claim slash.score of ropeproof {__version__}, after reports of Cheng et al., arXiv 2601.08297, "
        "average slash score"
    )
    assert "," not in bibtex(CLAIMS["rope.relative"]).split("note")[1].split("}")[0]
    odd = replace(own("own.fifty_x"), title="50% of θ_l² & {more}")
    assert r"50\% of $\theta$\_l$^2$ \& \{more\}" in bibtex(odd)


@pytest.mark.parametrize("id", CLAIMS)
def test_every_claim_can_be_cited(id):
    entry = bibtex(CLAIMS[id])
    assert entry.count("{") == entry.count("}")
    bare = re.sub(r"\$[^$]*\$|\\[#$%&_]|\\url\{[^}]*\}", "", entry)
    assert not re.search(r"[#$%&_]", bare), bare
    assert "ropeproof show" in entry
    assert ".html" not in entry  # an address within the site says nothing to a reader of a paper


def test_the_citation_file_of_a_claim_agrees_with_the_projects():
    own_file = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    entry = cff(CLAIMS["slash.score"])
    for line in entry.splitlines():
        if line.startswith(
            ("cff-version", "type", "authors", "  - name", "version", "date-released")
        ):
            assert line in own_file.splitlines(), line
    assert 'title: "The average slash score (claim slash.score of ropeproof)"' in entry


@pytest.mark.parametrize(
    ("latex", "read"),
    [
        (r"$\frac1\lambda$", "1/λ"),
        (r"$\tanh\frac{a+b}2$", "tanh (a+b)/2"),
        (r"$\tfrac\pi2\le\sqrt{x+1}$", "π/2≤√(x+1)"),
        (r"$\bar q_{l,1}e^{-\gamma}$", "q̄_(l,1)e^(-γ)"),
        (r"$\frac{\frac{1}{2}}{x}$", "(1/2)/x"),
        (r"$\binom nk\unheardof x$", "(n choose k) unheardof x"),
        (r"$\mathbb E\bigl[X\bigr]\,y$", "E[X] y"),
    ],
)
def test_the_search_shows_a_formula_as_it_is(latex, read):
    assert search.readable(latex) == read


def test_the_search_drops_no_function_of_any_statement():
    for claim in CLAIMS.values():
        text = search.readable(claim.statement)
        for name in re.findall(r"\\(a?r?c?(?:sin|cos|tan)h?|arg|exp|ln)\b", claim.statement):
            assert re.search(rf"\b{name}\b", text), (claim.id, name)


def find(query: str, entries=None) -> list[str]:
    """The claims that the script of the search finds, the best first."""
    node = need_program("node")
    index = {"claims": entries or list(search.claim_entries(SITE)), "pages": []}
    code = f"const s = require({json.dumps(str(STATIC / 'search.js'))});"
    code += "const [index, query] = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
    code += "process.stdout.write(JSON.stringify(s.find(index, query).claims.map(c => c.id)));"
    done = subprocess.run(
        [node, "-e", code],
        input=json.dumps([index, query]),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def test_the_index_has_an_entry_for_each_claim():
    entries = {entry["id"]: entry for entry in search.claim_entries(SITE)}
    assert set(entries) == set(CLAIMS)
    entry = entries["slash.emergence"]
    assert entry["href"] == "claims/slash.emergence.html"
    assert entry["title"] == CLAIMS["slash.emergence"].title
    assert (entry["status"], entry["word"].split()[0]) == ("not run", "Theorem")
    assert "slash-dominant for every distribution" in entry["text"]
    assert not any("$" in e["text"] or "\\" in e["text"] for e in entries.values())
    script = search.index_script(SITE, [search.Section("T", "t.html", "a </script> b")])
    assert "</" not in script
    assert json.loads(script.removeprefix("window.SEARCH_INDEX = ").strip().rstrip(";"))[
        "pages"
    ] == [{"title": "T", "href": "t.html", "text": "a </script> b"}]


def test_the_search_finds_claims_by_id_title_and_words():
    assert find("slash.head")[0] == "slash.head"
    assert find("slash head")[:2] == ["slash.head", "slash.head-typical"]
    assert find("average slash SCORE")[0] == "slash.score"
    assert "slash.emergence" in find("every prompt distribution")
    assert "rope.lipschitz" in find("unit step theta")
    assert find("arXiv 2308.16137") == ["softmax.entropy"]
    assert find("no such words anywhere") == []
    assert find("") == []


def test_the_search_lists_no_more_than_holds_every_word():
    for id in find("gradient rate"):
        claim = CLAIMS[id]
        known = f"{id} {claim.title} {claim.statement} {claim.source.paper} {claim.source.locator}".lower()
        assert "gradient" in known, id
        assert "rate" in known, id


@needs("sphinx", "myst_parser")
def test_odd_ids_have_pages_that_every_link_reaches(tmp_path, monkeypatch):
    pages = tmp_path / "pages"
    shutil.copytree(STATIC, pages / "_static")
    shutil.copyfile(ROOT / "docs/conf.py", pages / "conf.py")
    (pages / "trust.md").write_text("# Trust\n\nAs `own.T` and [it](#own-a-b) say.\n")
    (pages / "index.md").write_text("# Small\n\n```{toctree}\n:glob:\n\n*\n```\n")
    claims = {id: own(id) for id in ODD}
    module = importlib.import_module("ropeproof.proofs_check.site.build")
    monkeypatch.setattr(module, "load", lambda modules: Library(claims, {}))
    monkeypatch.setattr(generated, "paper_pages", lambda *rest: iter(()))
    monkeypatch.setattr(generated, "papers_page", lambda site: iter(["# Papers"]))
    monkeypatch.setattr(ClaimPlaces, "claims", {})
    monkeypatch.setattr(ClaimPlaces, "code", {})
    monkeypatch.setattr(ClaimPlaces, "files", lambda self: {})
    out = tmp_path / "html"
    build(out, pages, verdicts=[], pictures=False, reference=False, code=False)
    built = pages_of(out)
    assert not list(broken_links(out, built))
    for id in ODD:
        page = built[f"claims/{file_of(id)}.html"]
        assert f"The claim {id}" in page.all("h1")[0].text.replace("’", "'")
        assert page.by_class("cite")
    assert {Site(claims, {}).anchors[id] for id in ODD} <= built["own.html"].ids
    assert "claims/own.=54.html" in [link.replace("%3D", "=") for link in built["trust.html"].links]
    assert "claims/own.a-b.html" in built["trust.html"].links
    script = (out / "_static" / search.INDEX).read_text(encoding="utf-8")
    index = json.loads(script.removeprefix("window.SEARCH_INDEX = ").strip().rstrip(";"))
    assert {entry["id"] for entry in index["claims"]} == set(ODD)
    assert all((out / entry["href"]).is_file() for entry in index["claims"])
    assert {s["href"] for s in index["pages"]} >= {"trust.html", "own.html"}
    assert not any(s["href"].startswith("claims/") for s in index["pages"])
    assert find("own.T", index["claims"])[0] == "own.T"
    assert built["search.html"].by_class("search")
    assert not (out / "searchindex.js").exists()
