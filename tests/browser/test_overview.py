"""The table of all claims filters, sorts and is there without scripts."""

from __future__ import annotations

import pytest
from site_visitor import PHONE, Visitor

from ropeproof.theory import CLAIMS
from ropeproof.theory.topics.contents import CONTENTS


def shown(page) -> list[list[str]]:
    """The cells of the rows of the overview that are to be seen."""
    return page.evaluate(
        "[...document.querySelectorAll('.catalogue tbody tr')].filter(r => r.checkVisibility())"
        ".map(r => [...r.cells].map(c => c.textContent.trim()))"
    )


def without_titles(rows: list[list[str]]) -> list[list[str]]:
    """The rows without their titles, whose formulas are set while the page is read."""
    return [[row[0], *row[2:]] for row in rows]


def test_the_table_filters(visitor):
    page = visitor.open("overview.html")
    rows = shown(page)
    assert {row[0] for row in rows} >= set(CLAIMS)
    output = page.locator(".filters output")
    assert output.inner_text() == f"{len(rows)} of {len(rows)} claims"
    page.locator(".filters [name=text]").fill("SANDWICH slash")
    found = [row[0] for row in shown(page)]
    assert found
    assert all("slash" in " ".join(row).lower() for row in shown(page))
    assert found == [
        row[0] for row in rows if all(w in " ".join(row).lower() for w in ("sandwich", "slash"))
    ]
    assert output.inner_text() == f"{len(found)} of {len(rows)} claims"
    page.locator(".filters [name=text]").fill("no such claim")
    assert shown(page) == []
    assert output.inner_text().startswith("0 of ")
    page.locator(".filters [name=text]").fill("")
    page.locator(".filters [name=topic]").select_option("softmax")
    assert {row[2] for row in shown(page)} == {"softmax"}
    page.locator(".filters [name=role]").select_option("printed")
    assert {(row[2], row[3]) for row in shown(page)} <= {("softmax", "printed")}
    page.locator(".filters [name=topic]").select_option("")
    page.locator(".filters [name=role]").select_option("")
    status = rows[0][4]
    page.locator(".filters [name=status]").focus()
    page.keyboard.type(status)
    assert {row[4] for row in shown(page)} == {status}
    page.locator(".filters [name=status]").select_option("")
    assert without_titles(shown(page)) == without_titles(rows)


@pytest.mark.parametrize("how", ["mouse", "keyboard"])
def test_the_table_sorts(visitor, how):
    page = visitor.open("overview.html")
    rows = shown(page)
    names = page.locator(".catalogue th").all_inner_texts()

    def heading(name: str) -> str:
        return f".catalogue th:nth-child({names.index(name) + 1})"

    def press(name: str) -> None:
        button = page.locator(f"{heading(name)} button")
        if how == "mouse":
            button.click()
        else:
            button.focus()
            page.keyboard.press("Enter")

    def direction(name: str) -> str:
        return page.locator(heading(name)).get_attribute("aria-sort")

    press("falls")
    numbers = [int(row[8]) for row in shown(page)]
    assert numbers == sorted(numbers) != numbers[::-1]
    assert direction("falls") == "ascending"
    press("falls")
    assert [int(row[8]) for row in shown(page)] == sorted(numbers, reverse=True)
    assert direction("falls") == "descending"
    press("claim")
    ids = [row[0] for row in shown(page)]
    assert ids[0] == min(ids)
    assert ids[-1] == max(ids)
    assert (direction("falls"), direction("claim")) == ("none", "ascending")
    assert sorted(without_titles(shown(page))) == sorted(without_titles(rows))


def test_the_table_is_whole_on_a_desk(visitor):
    page = visitor.open("overview.html")
    wrapper = page.locator(".catalogue .table-wrapper").first
    assert wrapper.evaluate("e => e.scrollWidth <= e.clientWidth + 1")


def test_a_wide_table_scrolls_by_keyboard(browser, address):
    visitor = Visitor(browser, address, PHONE)
    page = visitor.open("overview.html")
    place = page.locator(".catalogue .table-wrapper").first
    page.wait_for_function("document.querySelector('.catalogue .table-wrapper').tabIndex === 0")
    place.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.querySelector('.catalogue .table-wrapper').scrollLeft > 0")
    visitor.context.close()


def test_the_table_is_all_there_without_scripts(browser, address):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/overview.html")
    assert page.locator(".catalogue tbody tr").count() >= len(CLAIMS)
    assert not page.locator("form.filters").is_visible()
    page.goto(f"{address}/softmax.html#softmax-entropy")
    assert page.locator("#softmax-entropy a").first.is_visible()
    lemma = next(
        id for id, entry in CONTENTS.items() if (entry.topic, entry.role) == ("softmax", "lemma")
    )
    page.goto(f"{address}/softmax.html#{lemma.replace('.', '-')}")
    assert page.locator(f"#{lemma.replace('.', '-')} a").first.is_visible()
    page.goto(f"{address}/claims/softmax.entropy.html")
    assert page.locator("details.derivation > summary").first.is_visible()
    context.close()
