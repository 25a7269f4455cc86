"""Every page in a real browser: it shows its formulas, nothing is too wide, nothing fails."""

from __future__ import annotations

import pytest
from site_visitor import (
    DESK,
    FULL,
    KINDS,
    LEFT,
    LOOKS,
    OVERFLOW,
    UNSET,
    Visitor,
    names_of,
    names_on_a_desk,
)

TOGETHER = 8
"""How many pages are opened one after the other in one context. A page's memory goes with its context; a
new one starts a process and compiles all scripts anew, which takes longer than most pages."""


@pytest.mark.parametrize("look", LOOKS)
def test_every_page_shows_what_it_holds(folder, address, browser, look):
    """No error, no failed request, no formula left as LaTeX, nothing wider than the window.

    On the phone, where room is scarce, with every derivation open and, in each kind of place of a
    page, its longest formulas set: what is too wide shows there first. That each formula can be set
    is asked of all of them at once, in `test_parsed.py`.
    """
    found = []
    thorough = look.startswith("phone")
    chosen = names_of if thorough else names_on_a_desk
    names = chosen(folder) if FULL else [f"{kind}.html" for kind in KINDS]
    for first in range(0, len(names), TOGETHER):
        visitor = Visitor(browser, address, *LOOKS[look])
        for name in names[first : first + TOGETHER]:
            page = visitor.open(name, all_parts=thorough)
            if thorough:
                visitor.set_formulas(widest=3)
            wrong = page.evaluate(OVERFLOW) + (page.evaluate(UNSET) if thorough else [])
            found += [f"{name}: {fault}" for fault in wrong + visitor.take_faults()]
            page.goto("about:blank")
            visitor.take_faults()  # what the page still asked for when it was left
        visitor.context.close()
    assert not found, "\n".join(found[:40])


def test_formulas_are_set_where_the_reader_is(browser, address):
    visitor = Visitor(browser, address, *LOOKS["phone, dark"])
    page = visitor.open("claims/softmax.entropy.html")
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    last = page.locator("details.derivation div.math").last
    assert last.locator("mjx-container").count() == 0, "set although nobody is near"
    last.scroll_into_view_if_needed()
    last.locator("mjx-container").wait_for()
    visitor.wait()
    assert page.evaluate(LEFT) > 0
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(LEFT) == 0, "a printed page shows LaTeX"
    assert page.evaluate(UNSET) == []
    assert visitor.take_faults() == []
    visitor.context.close()


def test_a_page_opens_from_the_disk(folder, browser):
    """Without a server: the formulas are set, and nothing is asked of a network."""
    visitor = Visitor(browser, folder.resolve().as_uri())
    page = visitor.open("claims/softmax.entropy.html", all_parts=True)
    visitor.set_formulas()
    assert page.evaluate(UNSET) == []
    assert page.locator("mjx-container svg").count() > 20
    assert visitor.take_faults() == []
    visitor.context.close()


def test_the_pictures_of_the_other_look_are_hidden(folder, browser, address):
    for scheme in ("light", "dark"):
        visitor = Visitor(browser, address, DESK, scheme)
        page = visitor.open("softmax.html")
        seen = [e for e in page.locator("article figure img").all() if e.is_visible()]
        assert seen
        assert all(f"-{scheme}." in e.get_attribute("src") for e in seen)
        visitor.context.close()
