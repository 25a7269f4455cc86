"""Reading a claim: derivations open by an address and by one button."""

from __future__ import annotations

from site_visitor import Visitor


def test_an_address_within_a_closed_derivation_opens_it(folder, visitor: Visitor):
    page = visitor.open("softmax.html")
    step = page.locator("details.derivation .step").last
    name = step.get_attribute("id")
    assert not step.is_visible()
    visitor.open(f"softmax.html#{name}")
    page.wait_for_function("id => document.getElementById(id).checkVisibility()", arg=name)
    page.wait_for_function(
        "id => document.getElementById(id).getBoundingClientRect().top < innerHeight", arg=name
    )


def test_all_derivations_open_by_one_button(visitor: Visitor):
    page = visitor.open("softmax.html")
    button = page.locator("button.open-all")
    parts = page.locator("details.derivation")
    count = parts.count()
    assert count >= 2
    assert str(count) in button.inner_text()
    button.focus()
    page.keyboard.press("Enter")
    assert page.locator("details.derivation[open]").count() == count
    visitor.wait()
    button.click()
    assert page.locator("details.derivation[open]").count() == 0
