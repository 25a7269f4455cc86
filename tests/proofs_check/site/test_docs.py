"""The generator of the site: what its pages say is what a run found, and refusals are clear."""

from __future__ import annotations

import importlib.util
import re
import shutil
import threading
import urllib.error
import urllib.request
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from command_line import run
from needs import needs
from site_pages import broken_links, pages_of, verdict

from ropeproof.proofs_check.present.claim_view import ShownClaim
from ropeproof.proofs_check.run.library import Library, load
from ropeproof.proofs_check.site import Site, anchor_of, build, extension, file_of, page_of
from ropeproof.proofs_check.site.code import Ran, run_code, with_output
from ropeproof.proofs_check.site.pages.catalogue import overview_page
from ropeproof.proofs_check.site.pages.claim_page import claim_page, claim_section
from ropeproof.proofs_check.site.pages.graph import graph_svg
from ropeproof.proofs_check.site.pages.printed import errata_page
from ropeproof.proofs_check.site.pages.rules import rules_page
from ropeproof.proofs_check.site.pages.topic_page import topic_page
from ropeproof.proofs_check.site.parts import Making
from ropeproof.proofs_check.site.serve import server
from ropeproof.proofs_check.site.sources import ClaimPlaces
from ropeproof.theory import CLAIMS, Derivation
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.papers.errata import by_weight

pytestmark = needs("sphinx", "myst_parser")

ROOT = Path(__file__).resolve().parents[3]
PAGES = ROOT / "docs"
ID = "softmax.margin-needed"
TOPIC = "conform"  # four claims, which use five of other topics


@cache
def ready(id: str = ID):
    return verdict(CLAIMS[id])


def text(lines) -> str:
    return "\n".join(lines)


def site(*verdicts) -> Site:
    return Site(CLAIMS, {found.claim.id: found for found in verdicts})


def test_every_claim_has_a_place_an_anchor_and_a_number(monkeypatch):
    # What a claim states is the same on its topic's page and in the volume: made once.
    known = {}
    monkeypatch.setattr(
        "ropeproof.proofs_check.site.site.ShownClaim",
        lambda claim: known.get(claim.id) or known.setdefault(claim.id, ShownClaim(claim)),
    )
    whole = site()
    placed = [claim.id for claims in whole.by_topic.values() for claim in claims]
    assert sorted(placed) == sorted(CLAIMS)
    assert len({anchor_of(id) for id in CLAIMS}) == len(CLAIMS)
    assert len(set(whole.number_of.values())) == len(CLAIMS)
    volume = Site(CLAIMS, {}, paper=True)
    for topic in whole.by_topic:
        page, chapter = text(topic_page(whole, topic, "")), text(topic_page(volume, topic, ""))
        for claim in whole.by_topic[topic]:
            assert page.count(f'<span class="place" id="{anchor_of(claim.id)}">') == 1
            assert whole.href(claim.id) == f"claims/{claim.id}.html"
            assert f"\n({anchor_of(claim.id)})=\n" in chapter
            assert volume.target(claim.id) == f"{page_of(topic)}.md#{anchor_of(claim.id)}"


def test_every_claim_says_where_it_is_written():
    places = ClaimPlaces(CLAIMS).claims
    assert set(places) == set(CLAIMS)
    for id, place in places.items():
        lines = (ROOT / place.file).read_text(encoding="utf-8").split("\n")
        assert id.split(".")[0] in text(lines[place.line - 1 : place.line + 3]), place


def test_a_status_comes_from_a_verdict_only():
    for found in (None, ready(), verdict(CLAIMS[ID], "tested")):
        status = found.status if found else "not run"
        whole = site(*filter(None, [found]))
        page = text(claim_page(whole, CLAIMS[ID]))
        assert text(claim_section(whole, CLAIMS[ID])).count(f"{{.status .status-{status}}}") <= 1
        shown = set(re.findall(r"\{\.status \.status-([\w-]+)\}", page)) - {"holds"}
        assert shown == {status.replace(" ", "-")}
        assert ("Derivation" in page) == (found is not None)
        assert f'class="node status-{status.replace(" ", "-")}" href="{whole.href(ID)}"' in (
            graph_svg(whole)
        )
        (row,) = [line for line in overview_page(whole) if line.startswith(f"| {whole.link(ID)}")]
        assert f"[{status}]" in row
    assert f"{len(CLAIMS)} claims: {len(CLAIMS)} [not run]" in text(overview_page(site()))


def test_a_changed_derivation_changes_its_page():
    claim = CLAIMS[ID]
    first, *others = claim.derivation.steps
    changed = replace(
        claim, derivation=Derivation((replace(first, because="A reason that is new."), *others))
    )
    before = text(claim_page(site(ready()), claim))
    after = text(
        claim_page(Site(CLAIMS | {ID: changed}, {ID: replace(ready(), claim=changed)}), changed)
    )
    assert "A reason that is new." in after
    assert "A reason that is new." not in before
    shorter = replace(claim, derivation=Derivation((first,)))
    page = text(claim_page(Site(CLAIMS | {ID: shorter}, {ID: ready()}), shorter))
    assert "Derivation, 1 step<" in page


def test_a_failing_claim_shows_as_failing_where_it_stands_and_in_the_overview():
    reason = "needs proof evidence: the last step does not follow"
    bad = verdict(CLAIMS[ID], "open", shortfalls=(reason,))
    whole = site(bad, ready("softmax.partition"))
    assert whole.failing == (bad,)
    page = text(claim_page(whole, CLAIMS[ID]))
    assert "**Not as expected.**" in page
    assert f"- {reason}" in page
    overview = text(overview_page(whole))
    assert "**Not as expected in this build:**" in overview
    assert f"- {whole.link(ID)} [open]" in overview
    assert reason in overview
    assert "Not as expected" not in text(overview_page(site(ready())))


def test_the_errata_have_a_witness_and_a_repair():
    printed = [claim for claim in CLAIMS.values() if claim.kind == "printed"]
    assert len(printed) >= 5
    whole = site(*map(ready, CLAIMS))
    page = text(errata_page(whole))
    parts = page.split("\n## ")[1:]
    assert len(parts) == len(printed)
    ordered = [CLAIMS[id] for id in by_weight(claim.id for claim in printed)]
    for claim, part in zip(ordered, parts, strict=True):
        assert whole.link(claim.id) in part
        assert whole.link(claim.repaired_by) in part
        assert part.count("**Witness** (re-checked in this build)") == len(claim.readings)
        assert ("**Refuted:**" in part) == (claim.derivation is not None)
    assert "re-checked in this build)" not in text(errata_page(site())).replace("not re-", "")


def test_the_rules_count_their_uses():
    page = text(rules_page(site(replace(ready(), axioms=("exponential at least tangent",)))))
    steps = [s for c in CLAIMS.values() if c.derivation for s in c.derivation.steps]
    counts = [int(n) for n in re.findall(r"Used in (\d+) steps\.", page)]
    assert sum(counts) == len(steps)


@pytest.fixture
def pages(tmp_path) -> Path:
    """A folder of pages with nothing but its first page, for a build in seconds."""
    folder = tmp_path / "pages"
    folder.mkdir()
    shutil.copyfile(PAGES / "conf.py", folder / "conf.py")
    (folder / "_static").mkdir()
    shutil.copyfile(PAGES / "_static/search.js", folder / "_static/search.js")
    (folder / "trust.md").write_text("---\norphan: true\n---\n# Trust\n")
    (folder / "index.md").write_text("# Small\n\n```{toctree}\n:glob:\n\n*\n```\n")
    return folder


def test_the_command_ends_with_1_and_shows_a_false_claim_as_failing(pages, tmp_path, monkeypatch):
    # Without the pages of code and the pictures, and with one topic: quicker.
    monkeypatch.setattr(ClaimPlaces, "files", lambda self: {})
    monkeypatch.setattr("ropeproof.proofs_check.site.pictures.draw_topic", lambda *_: ())
    builder = importlib.import_module("ropeproof.proofs_check.site.build")
    monkeypatch.setattr(builder, "load", lambda modules: few(load(modules)))
    (pages / "how_to.md").write_text(HOW_TO + "```python\nprint(6 * x)\n```\n")
    code, said = run(
        *("docs", "own.*", "--module", str(ROOT / "examples/false_claim.py"), "--jobs", "1"),
        *("--pages", str(pages), "--output", str(tmp_path / "html")),
    )
    assert code == 1, said
    assert "NOT AS EXPECTED own.false" in said
    built = pages_of(tmp_path / "html")
    (box,) = list(built["claims/own.false.html"].by_class("failing"))
    assert box.tag == "div"
    assert "own-false" in built["own.html"].ids
    broken = [link for link in broken_links(tmp_path / "html", built) if "/code/" not in link]
    assert not broken  # but for the pages of code, which are left out here
    assert built["overview.html"].by_class("failing")
    assert [e.text.strip() for e in built["how_to.html"].all("pre")] == [
        "x = 7",
        "print(6 * x)",
        "42",
    ]
    topic_of = site().topic_of
    shown = [id for id in CLAIMS if topic_of[id] == TOPIC]
    assert shown
    for id in shown:
        assert anchor_of(id) in built[f"{TOPIC}.html"].ids
        assert f"claims/{file_of(id)}.html" in built[f"{TOPIC}.html"].links
        assert f"claims/{file_of(id)}.html" in built


def few(library: Library) -> Library:
    """A user's claims, those of one topic, and all that these use."""
    kept: set[str] = set()

    def keep(id: str) -> None:
        kept.add(id)
        for other in library.claims[id].uses:
            keep(other)

    for id in library.claims:
        if id.startswith(f"{TOPIC}.") or id not in CLAIMS:
            keep(id)
    return replace(library, claims={id: c for id, c in library.claims.items() if id in kept})


HOW_TO = "# How to\n\n```python\nx = 7\n```\n\n"


def test_the_code_of_a_page_runs_where_the_page_says(pages):
    text = (
        HOW_TO + "```python\nfrom pathlib import Path\n\nprint(x, Path.cwd().name)\n```\n\nWords.\n"
    )
    ran = run_code("how_to.md", text, pages.parent)
    assert ran.printed == ("", f"7 {pages.parent.name}\n")
    assert Path.cwd() != pages.parent
    page = with_output(text, ran)
    assert page.count("*This prints*") == 1
    assert f"```text\n7 {pages.parent.name}\n```\n\nWords." in page
    missing = run_code("how_to.md", HOW_TO + "```python\nimport no_such.thing\n```\n", pages)
    assert "has not run the code of this page: `no_such`" in with_output(HOW_TO, missing)
    partial = with_output(text, Ran(left_out=True))
    count = text.count("```python\n")
    assert f"it is a partial one; the outputs of {count} block" in partial
    assert partial.index("{note}") < partial.index("```python")
    assert "*This prints*" not in partial


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("assert x == 8", "AssertionError"),
        ("import ropeproof.theory.no_such_module", "ropeproof.theory.no_such_module"),
        ("x +", "SyntaxError"),
    ],
)
def test_a_page_whose_code_fails_is_refused(tmp_path, pages, code, said):
    (pages / "how_to.md").write_text(f"{HOW_TO}```python\n{code}\n```\n")
    found = refusal(tmp_path, pages, pictures=False)
    assert "the code of how_to.md, block 2 fails" in found
    assert said in found


def refusal(tmp_path, pages=PAGES, **options) -> str:
    with pytest.raises((InvalidArgument, Unsupported)) as caught:
        build(tmp_path / "out", pages, verdicts=[], **options)
    assert not (tmp_path / "out" / "index.html").exists()
    return str(caught.value)


def test_refusals_name_what_is_wrong(tmp_path, pages):
    assert "conf.py" in refusal(tmp_path, tmp_path) or "pages" in refusal(tmp_path, tmp_path)
    assert str(tmp_path) in refusal(tmp_path, tmp_path)
    said = refusal(tmp_path, form="epub")
    assert "format" in said
    assert "'epub'" in said
    assert "html, pdf" in said
    (pages / "topics").mkdir()
    (pages / "topics" / "spirals.md").write_text("Words.")
    said = refusal(tmp_path, pages)
    assert "topics/spirals.md" in said
    assert "name of a topic" in said
    (tmp_path / "out").write_text("")
    with pytest.raises(InvalidArgument, match=r"output.*a folder"):
        build(tmp_path / "out", PAGES, verdicts=[])


def test_a_missing_package_or_latex_is_named(tmp_path, monkeypatch):
    real = importlib.util.find_spec
    module = importlib.import_module("ropeproof.proofs_check.site.build")

    def without(missing: str):
        return lambda name, *rest: None if name == missing else real(name, *rest)

    with monkeypatch.context() as patch:
        patch.setattr(module, "find_spec", without("sphinx"))
        assert "pip install 'ropeproof[docs]'" in refusal(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(extension, "find_spec", without("sphinx-mathjax-offline"))
        assert "pip install 'ropeproof[docs]'" in refusal(tmp_path)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    said = refusal(tmp_path, form="pdf")
    assert "a PDF needs LaTeX" in said
    assert "apt-get install" in said


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--format", "epub"], "format"),
        (["--port", "70000"], "an integer from 0 to 65535"),
        (["--profile", "thorough"], "quick"),
        (["--format", "pdf", "--serve"], "serve"),
        (["no.such-claim"], "an id or glob that matches a claim"),
        (["--pages", "nowhere"], "the docs folder of a checkout"),
    ],
)
def test_the_command_refuses_before_any_work(options, message, tmp_path, monkeypatch):
    def begun(*args, **more):
        raise AssertionError("something was begun")

    for name in ("pictures", "records", "code"):
        monkeypatch.setattr(Making, name, begun)
    code, said = run("docs", *options, "--output", str(tmp_path / "html"))
    assert code == 2, said
    assert message in said


def test_a_port_that_is_taken_is_said(tmp_path):
    with server(tmp_path, 0) as first, pytest.raises(InvalidArgument, match="a free port"):
        server(tmp_path, first.server_address[1])


def test_an_address_that_leads_nowhere_gets_a_page_with_ways_on(tmp_path):
    (tmp_path / "index.html").write_text("first page")
    with server(tmp_path, 0) as running:
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        address = f"http://127.0.0.1:{running.server_address[1]}"
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(f"{address}/claims/none<b>.html")
        body = caught.value.read().decode()
        running.shutdown()
        thread.join()
    assert caught.value.code == 404
    assert '<html lang="en">' in body
    assert "<b>" not in body
    assert all(f'"/{name}.html"' in body for name in ("index", "overview", "genindex", "search"))
