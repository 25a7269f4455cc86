"""Reading a claim: old addresses lead to its page, its parts open, it can be cited and found."""

from __future__ import annotations

import pytest
from site_visitor import DESK, LOOKS, PHONE, Visitor

CLAIM = "claims/softmax.margin-needed.html"


def test_an_address_within_a_closed_derivation_opens_it(visitor: Visitor):
    page = visitor.open(CLAIM)
    step = page.locator("details.derivation .step").last
    name = step.get_attribute("id")
    assert not step.is_visible()
    visitor.open(f"{CLAIM}#{name}")
    page.wait_for_function("id => document.getElementById(id).checkVisibility()", arg=name)
    page.wait_for_function(
        "id => document.getElementById(id).getBoundingClientRect().top < innerHeight", arg=name
    )


@pytest.mark.parametrize(
    ("part", "name"),
    [
        ("", ""),
        ("-step-2", "#softmax-margin-needed-step-2"),
        ("-proof", "#softmax-margin-needed-proof"),
    ],
)
def test_an_address_from_when_all_claims_stood_on_one_page_leads_to_the_claim(visitor, part, name):
    page = visitor.page
    page.goto(f"{visitor.address}/softmax.html#softmax-margin-needed{part}")
    page.wait_for_url(f"**/{CLAIM}{name}")
    if name:
        page.wait_for_function("id => document.querySelector(id).checkVisibility()", arg=name)
    visitor.wait()


def test_all_parts_open_by_one_button(visitor: Visitor):
    page = visitor.open(CLAIM)
    button = page.locator("button.open-all")
    count = page.locator("article details").count()
    assert count >= 2
    assert str(count) in button.inner_text()
    button.focus()
    page.keyboard.press("Enter")
    assert page.locator("article details[open]").count() == count
    visitor.wait()
    button.click()
    assert page.locator("article details[open]").count() == 0


def test_prose_and_formula_stand_side_by_side_and_on_a_phone_one_below_the_other(browser, address):
    for size, beside in ((DESK, True), (PHONE, False)):
        visitor = Visitor(browser, address, size)
        page = visitor.open("claims/slash.head.html")
        stated = [
            [box.bounding_box() for box in page.locator(f".stated > .{name}").all()]
            for name in ("claim", "formal")
        ]
        assert len(stated[0]) == len(stated[1]) == 4  # what is given, and the parts (a), (b), (c)
        table = page.locator(".where table").bounding_box()
        for words, formal in zip(*stated, strict=True):
            assert (formal["x"] >= words["x"] + words["width"]) == beside
            assert (formal["y"] >= words["y"] + words["height"]) == (not beside)
            assert table["y"] >= formal["y"] + formal["height"]
        visitor.context.close()


def test_a_citation_has_the_address_of_the_server_and_can_be_copied(visitor: Visitor):
    page = visitor.open(CLAIM)
    whole = f"{visitor.address}/{CLAIM}"
    assert page.locator(".cite .address").inner_text() == whole
    entry = page.locator(".cite pre").first.inner_text().rstrip()
    assert entry.endswith(f"  url = {{{whole}}},\n}}")
    assert entry.count("{") == entry.count("}")
    page.locator(".cite button.copy").click()
    page.wait_for_function(
        "['Copied', 'Selected'].includes(document.querySelector('.copy').innerText)"
    )
    assert page.evaluate("getSelection().toString()").startswith(
        "@misc{ropeproof:softmax.margin-needed,"
    )


@pytest.mark.parametrize("look", LOOKS)
def test_the_search_leads_to_claims(browser, address, look):
    visitor = Visitor(browser, address, *LOOKS[look])
    page = visitor.open("search.html?q=margin+needed")
    first = page.locator(".results li").first
    assert first.locator("code").inner_text() == "softmax.margin-needed"
    assert "margin" in first.locator("mark").first.inner_text().lower()
    assert page.locator(".found").inner_text()[0].isdigit()
    page.get_by_label("Words, or the id of a claim").fill("slash.score")
    assert page.locator(".results li code").first.inner_text() == "slash.score"
    page.get_by_label("Words, or the id of a claim").fill("<b>no such words</b>")
    assert page.locator(".found").inner_text().startswith("0 claims")
    page.get_by_label("Words, or the id of a claim").fill("softmax.entropy")
    page.locator(".results a").first.click()
    page.wait_for_url("**/claims/softmax.entropy.html")
    visitor.wait()
    assert visitor.take_faults() == []
    visitor.context.close()


def test_the_search_beside_every_page_finds_claims(visitor: Visitor):
    page = visitor.open(CLAIM)
    page.locator(".sidebar-search").fill("rope.lipschitz")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=rope.lipschitz*")
    page.locator(".results a").first.click()
    page.wait_for_url("**/claims/rope.lipschitz.html")
    assert page.locator(".current-page").inner_text().strip() == "Rope"


def test_the_search_works_on_pages_from_the_disk(folder, browser):
    visitor = Visitor(browser, folder.resolve().as_uri())
    page = visitor.open("search.html?q=slash.head")
    assert page.locator(".results a").first.get_attribute("href") == "claims/slash.head.html"
    assert visitor.take_faults() == []
    visitor.context.close()


CUT = """() => [...document.querySelectorAll('.claim span.math')].filter(
  e => e.querySelector('svg') && e.scrollWidth > e.clientWidth && e.clientWidth > 0
).map(e => e.textContent.slice(0, 80))"""


def test_a_formula_a_little_wider_than_a_phone_is_set_smaller(browser, address):
    visitor = Visitor(browser, address, PHONE)
    page = visitor.open("claims/slash.head.html")
    assert page.locator(".claim span.math svg").count() > 20
    assert page.evaluate(CUT) == []
    assert page.locator(".claim span.math.wide").count() == 0
    assert visitor.take_faults() == []
    visitor.context.close()


TO_THE_LONGEST = """() => [...document.querySelectorAll('div.math')].filter(e => e.offsetParent !== null)
  .sort((a, b) => b.textContent.length - a.textContent.length)[0].scrollIntoView()"""
"""A formula is set when the reader comes near; the longest is certainly wider than a phone."""


def test_a_formula_too_wide_for_a_phone_shows_on_which_side_there_is_more(browser, address):
    visitor = Visitor(browser, address, PHONE)
    page = visitor.open("claims/slash.head.html")
    page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true; })")
    page.evaluate(TO_THE_LONGEST)
    page.wait_for_selector(".math.more-right")
    wide = page.locator(".math.more-right").first
    assert page.locator(".math.more-left").count() == 0
    assert "inset" in wide.evaluate("element => getComputedStyle(element).boxShadow")
    element = wide.element_handle()
    element.evaluate("element => { element.scrollLeft = element.scrollWidth; }")
    page.wait_for_function("element => !element.classList.contains('more-right')", arg=element)
    assert element.evaluate("element => element.classList.contains('more-left')")
    visitor.context.close()


def test_the_search_beside_every_page_shows_that_it_has_the_focus(visitor: Visitor):
    page = visitor.open("index.html")
    for _ in range(10):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.name") == "q":
            break
    assert page.evaluate("document.activeElement.name") == "q"
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
