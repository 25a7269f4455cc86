"""The graph of the claims by mouse and by keyboard."""

from __future__ import annotations

from functools import cache

import pytest
from site_visitor import Visitor

from ropeproof.theory import CLAIMS


def test_a_node_of_the_graph_leads_to_its_claim(visitor: Visitor):
    page = visitor.open("graph.html")
    page.locator("[data-claim='softmax.margin-needed']").click()
    page.wait_for_url("**/claims/softmax.margin-needed.html")
    assert page.locator(".stated").is_visible()
    page.go_back()
    page.locator("[data-claim='rope.lipschitz']").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/claims/rope.lipschitz.html")


@cache
def dependants(id: str) -> frozenset[str]:
    """All claims that use a claim, directly or not."""
    above = {other for other, claim in CLAIMS.items() if id in claim.uses}
    return frozenset(above.union(*map(dependants, above)))


@pytest.mark.parametrize("how", ["hover", "focus"])
def test_the_graph_shows_what_would_fall(visitor: Visitor, how):
    page = visitor.open("graph.html")
    says = page.locator(".graph-says")
    before = says.inner_text()
    id = "rope.lipschitz"
    getattr(page.locator(f"[data-claim='{id}']"), how)()
    marked = page.locator(".graph .node.falls")
    found = {node.get_attribute("data-claim") for node in marked.all()}
    assert found == dependants(id)
    assert len(found) >= 2
    assert says.inner_text().startswith(f"{id} rests on ")
    assert f"{len(found)} claims would fall with it" in says.inner_text()
    assert page.locator(".graph .node.here").get_attribute("data-claim") == id
    rests = {e.get_attribute("data-claim") for e in page.locator(".graph .node.rests").all()}
    assert rests == {other for other in CLAIMS if id in dependants(other)}
    if how == "hover":
        page.mouse.move(2, 2)
    else:
        page.evaluate("document.activeElement.blur()")
    assert marked.count() == 0
    assert says.inner_text() == before


def test_the_graph_finds_a_claim_by_name(visitor: Visitor):
    page = visitor.open("graph.html")
    assert not page.locator("datalist option").first.is_visible()
    assert page.locator(".graph").bounding_box()["y"] < 500, "the graph is not at the top"
    page.get_by_label("Find a claim").fill("slash.sandwich")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.dataset.claim") == "slash.sandwich"
    assert page.locator(".graph-says").inner_text().startswith("slash.sandwich rests on ")
    assert page.locator("[data-claim='slash.sandwich']").evaluate(
        "e => { const b = e.getBoundingClientRect(); return b.left > 0 && b.right < innerWidth; }"
    )
