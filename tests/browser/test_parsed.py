"""The pages as they are written: links, anchors, headings, pictures and every formula."""

from __future__ import annotations

import itertools

from site_pages import broken_links, pages_of
from site_visitor import Visitor

from ropeproof.proofs_check.site import page_of
from ropeproof.theory import CLAIMS, TOPICS
from ropeproof.theory.lazy_topics import claims_of

PAGE_OF = {
    claim.id: page_of(topic) for topic, module in TOPICS.items() for claim in claims_of(module)
}


def test_every_link_leads_somewhere(folder):
    found = list(broken_links(folder, pages_of(folder)))
    assert not found, "\n".join(found[:40])
    doubled = {name: page.doubled for name, page in pages_of(folder).items() if page.doubled}
    assert not doubled, "anchors that occur twice"


def test_headings_are_in_order_and_pictures_have_a_text(folder):
    for name, page in pages_of(folder).items():
        levels = [int(e.tag[1]) for e in page.all("h1", "h2", "h3", "h4", "h5", "h6")]
        assert levels[:1] == [1], name
        assert levels.count(1) == 1, name
        steps = itertools.pairwise(levels)
        assert all(after <= before + 1 for before, after in steps), f"{name}: {levels}"
        for image in page.all("img"):
            assert "alt" in image.attributes, f"{name}: {image.attributes}"
        for figure in page.by_class("only-light") + page.by_class("only-dark"):
            assert figure.tag != "img" or len(figure.attributes["alt"]) > 20, name
    assert any(page.all("img") for page in pages_of(folder).values()), "no picture on any page"


def test_the_graph_has_a_node_for_every_claim(folder):
    nodes = pages_of(folder)["graph.html"].by_class("node")
    where = {e.attributes["data-claim"]: e.attributes["href"] for e in nodes}
    assert set(where) >= set(CLAIMS)
    for id, target in where.items():
        assert target == f"claims/{id}.html"
        assert target in pages_of(folder)
        assert id.replace(".", "-") in pages_of(folder)[f"{PAGE_OF[id]}.html"].ids


FAULTY = """formulas => formulas.flatMap(formula => {
  const found = MathJax.tex2mml(formula.slice(2, -2), { display: formula.startsWith('\\\\[') });
  const fault = found.match(/data-mjx-error="[^"]*"/);
  return fault ? [`${fault[0]}: ${formula}`] : [];
})"""


def test_every_formula_can_be_set(folder, browser, address):
    """Each of the site's formulas is read by the MathJax of its pages, those in derivations too."""
    formulas = {e.text.strip() for page in pages_of(folder).values() for e in page.by_class("math")}
    assert len(formulas) > 300
    assert all(f[:2] + f[-2:] in (r"\(\)", r"\[\]") for f in formulas)
    visitor = Visitor(browser, address)
    page = visitor.open("softmax.html")
    wrong = [r"\(\frac{a\)", r"\[\nothing\]"]
    assert len(page.evaluate(FAULTY, [r"\(a\)", *wrong])) == 2
    found = page.evaluate(FAULTY, sorted(formulas))
    assert not found, "\n".join(found[:40])
    assert visitor.take_faults() == []
    visitor.context.close()
