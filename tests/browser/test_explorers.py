"""The explorers answer to every slider."""

from __future__ import annotations

import pytest
from site_visitor import LOOKS, Visitor


@pytest.mark.parametrize(
    ("name", "look"), [("slash", "desk, light"), ("index-heads", "phone, dark")]
)
def test_every_slider_of_an_explorer_changes_what_it_says(browser, address, name, look):
    visitor = Visitor(browser, address, *LOOKS[look])
    page = visitor.open(f"{name}.html")
    page.wait_for_selector("[data-explorer] .explorer-summary")
    sliders = page.locator("[data-explorer] input[type=range]")
    summary = page.locator("[data-explorer] .explorer-summary").first
    plots = "[...document.querySelectorAll('[data-explorer] svg')].map(e => e.outerHTML).join()"
    drawn = 0
    assert sliders.count() >= 3
    for number in range(sliders.count()):
        slider = sliders.nth(number)
        assert slider.evaluate("e => e.labels.length + !!e.ariaLabel") > 0
        if slider.is_disabled():
            continue
        before = (summary.inner_text(), slider.input_value(), page.evaluate(plots))
        slider.focus()
        for key in ("ArrowRight", "ArrowRight", "PageUp", "PageDown", "ArrowLeft", "End"):
            page.keyboard.press(key)
            if slider.input_value() != before[1] and summary.inner_text() != before[0]:
                break
        assert slider.input_value() != before[1], f"slider {number} does not move by keyboard"
        assert summary.inner_text() != before[0], f"slider {number} changes no word"
        drawn += page.evaluate(plots) != before[2]
        assert "NaN" not in summary.inner_text() + page.evaluate(plots)
    assert drawn >= 3, "the pictures do not follow the sliders"
    assert visitor.take_faults() == []
    visitor.context.close()
