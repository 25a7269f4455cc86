"""The page of a report in a real browser, without a network."""

from __future__ import annotations

from typing import Any

import pytest
from fake_reports import fake_report, with_inconsistency, with_kinds
from needs import need, need_program

from ropeproof.tools.measure.report import html, reading


@pytest.fixture(scope="module")
def browser():
    sync_api = need("playwright.sync_api")
    program = need_program("chromium")
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_in_a_browser_without_a_network(browser, tmp_path, scheme):
    report = with_inconsistency(fake_report())
    target = html.write(report, tmp_path / "report.html")
    size = {"width": 390, "height": 844}
    context = browser.new_context(viewport=size, color_scheme=scheme, offline=True)
    page = context.new_page()
    wrong: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(target.as_uri())
    rows = page.locator("#heads-0 tbody tr:visible")
    scores = [head["prompts"]["text"]["slash"]["largest"]["score"] for head in heads_of(report)]

    # Sorting, by keyboard.
    button, header = (page.locator(f"#heads-0 thead {tag}").nth(1) for tag in ("button", "th"))
    for direction, expected in (
        ("ascending", sorted(scores)),
        ("descending", sorted(scores)[::-1]),
    ):
        button.focus()
        page.keyboard.press("Enter")
        assert header.get_attribute("aria-sort") == direction
        shown = [float(row.split("\t")[1]) for row in rows.all_inner_texts()]
        assert shown == pytest.approx(expected)

    # The explained share sorts as well, next to the null.
    page.locator("#heads-0 thead button").nth(4).click()
    shown = [row.split("\t")[4] for row in rows.all_inner_texts()]
    shares = [float(share) for share in shown if share != "none"]
    assert shares == sorted(shares) and len(shares) == sum(score >= 0.1 for score in scores)  # noqa: PT018

    # Filtering.
    assert page.get_by_role("status").inner_text() == "12 of 12 heads shown"
    page.get_by_label("inconsistent only").focus()
    page.keyboard.press("Space")
    assert [row.split()[0] for row in rows.all_inner_texts()] == ["1.1"]
    assert page.get_by_role("status").inner_text() == "1 of 12 heads shown"
    page.get_by_label("inconsistent only").uncheck()
    page.get_by_label("Purity").select_option("both")
    kinds = [head["prompts"]["text"]["scores"]["purity"] for head in heads_of(report)]
    assert rows.count() == kinds.count("both") > 0
    page.get_by_label("Purity").select_option("any")
    page.get_by_label("Words in the row").fill("query-free SYMBOLIC")
    fits = [reading.headline_fit(head["prompts"]["text"])["kind"] for head in heads_of(report)]
    wanted = sum(pair == ("query-free", "symbolic") for pair in zip(fits, kinds, strict=True))
    assert rows.count() == wanted > 0
    page.get_by_label("Words in the row").fill("")

    # A link opens the box of its head.
    box = page.locator("#m0-l1-h1")
    assert not box.evaluate("box => box.open")
    page.locator("#heads-0 a", has_text="1.1").click()
    page.wait_for_function("document.getElementById('m0-l1-h1').open")
    page.evaluate("for (const box of document.querySelectorAll('details')) box.open = true")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    bad = box.locator("p.bad").evaluate("it => getComputedStyle(it).color")
    assert bad == {"light": "rgb(176, 0, 32)", "dark": "rgb(255, 154, 148)"}[scheme]
    assert wrong == []
    assert [url.partition("#")[0] for url in asked] == [target.as_uri()]
    context.close()


def heads_of(report: dict[str, Any]) -> list[dict[str, Any]]:
    return report["models"][0]["heads"]


@pytest.mark.parametrize("width", [390, 1400])
def test_the_map_is_on_top_and_names_stay_in_sight(browser, tmp_path, width):
    target = html.write(with_kinds(fake_report(layers=4, heads=9)), tmp_path / "report.html")
    page = browser.new_page(viewport={"width": width, "height": 844})
    page.goto(target.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    top, below = (
        page.locator(f"#{key}").evaluate("it => it.getBoundingClientRect().top")
        for key in ("map", "summary")
    )
    assert top < below
    assert page.locator("table.map a").count() == 36
    # The table of heads is wider than the screen: its first column stays where it is.
    box = page.locator(".scroll:has(#heads-0)")
    name = page.locator("#heads-0 tbody th").first
    left = "it => it.getBoundingClientRect().left"
    before = name.evaluate(left)
    box.evaluate("it => { it.scrollLeft = 300 }")
    assert box.evaluate("it => it.scrollLeft") == 300
    assert abs(name.evaluate(left) - before) < 2
    # A cell leads to the box of its head, where that is shown in full.
    key = page.locator("#details details[id]").first.get_attribute("id")
    page.locator(f'table.map a[href="#{key}"]').click()
    page.locator(f"details#{key}[open]").wait_for(timeout=120_000)
    page.close()
