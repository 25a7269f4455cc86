"""The built site in a real browser: it shows its formulas, its links lead somewhere, it can be used.

The site is the one in the folder ROPEPROOF_SITE, every page of which is opened (CI does), or a small one
that this module builds: all pages, ready verdicts for one topic, no reference of the code. Of that one
a page of each kind is opened. Every request beyond the site is refused.
"""

from __future__ import annotations

import itertools
import os
import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from site_pages import broken_links, pages_of, verdict

from ropeproof.theory import CLAIMS

playwright = pytest.importorskip(
    "playwright.sync_api", reason="the tests of the site need the extra 'browser': playwright"
)
axe = pytest.importorskip(
    "axe_playwright_python.sync_playwright",
    reason="the tests of the site need the extra 'browser': axe-playwright-python",
)
pytest.importorskip("sphinx", reason="the site needs the extra 'docs'")

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
if CHROMIUM is None:
    pytest.skip("Chromium is not installed; on Debian: apt-get install chromium", True)

ROOT = Path(__file__).resolve().parents[2]
FULL = os.environ.get("ROPEPROOF_SITE")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 30_000
"""Milliseconds that the formulas in sight may take, far more than they need."""

DESK, PHONE = {"width": 1300, "height": 900}, {"width": 390, "height": 844}
LOOKS = {"desk, light": (DESK, "light"), "phone, dark": (PHONE, "dark")}

KINDS = [
    "index",
    "overview",
    "graph",
    "errata",
    "softmax",
    "slash",
    "index-heads",
    "rules",
    "notation",
    "trust",
    "plug_in",
    "measure",
    "api-proofs-check",
    "genindex",
    "search",
]
"""A page of each kind, for the checks that take long."""

MADE = ["index", "overview", "graph", "softmax", "slash"]
"""The kinds that differ most: of a small site axe reads these, of a given one all kinds."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """The site under test; the processes of pytest-xdist share one that the first of them builds."""
    if FULL:
        assert (Path(FULL) / "index.html").is_file(), f"ROPEPROOF_SITE={FULL} holds no index.html"
        return Path(FULL)
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    place, failed = shared / "site", shared / "site-failed"
    try:
        (shared / "site-lock").mkdir()
    except FileExistsError:
        while not place.exists():
            assert not failed.exists(), "the site could not be built; see the other process"
            time.sleep(0.2)
        return place
    try:
        _build_small(shared / "site-part")
    except BaseException:
        failed.mkdir()
        raise
    return (shared / "site-part").rename(place)


def _build_small(output: Path) -> None:
    from ropeproof.proofs_check.docs import build, pictures

    def draw(folder: Path, *, form: str = "svg") -> object:
        return real(folder, ["softmax"], form=form)

    real = pictures.draw
    ready = [verdict(CLAIMS[id]) for id in CLAIMS if id.startswith("softmax.")]
    reason = "the drawn instances fail: a <b>witness</b> was found"
    ready[0] = verdict(ready[0].claim, "open", shortfalls=(reason,))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "draw", draw)
        build(output, ROOT / "docs", verdicts=ready, reference=False, code=False)


@pytest.fixture(scope="module")
def address(folder) -> Iterator[str]:
    from ropeproof.proofs_check.docs.serve import server

    with server(folder, 0) as running:
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{running.server_address[1]}"
        running.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    with playwright.sync_playwright() as started:
        found = started.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield found
        found.close()


class Visitor:
    """A browser's page that notes what goes wrong, and refuses every request beyond the site."""

    def __init__(self, browser, address: str, viewport: object = DESK, scheme: str = "light"):
        self.address, self.faults = address, []
        self.context = browser.new_context(
            viewport=viewport, color_scheme=scheme, reduced_motion="reduce"
        )
        self.context.set_default_timeout(PATIENCE)
        self.context.route(lambda url: not url.startswith((address, "data:")), self._refuse)
        self.page = self.context.new_page()
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        self.page.on("requestfailed", lambda r: self.faults.append(f"failed request: {r.url}"))
        self.page.on("response", self._response)

    def _refuse(self, route) -> None:
        self.faults.append(f"request beyond the site: {route.request.url}")
        route.abort()

    def _console(self, message) -> None:
        if message.type in ("error", "warning"):
            self.faults.append(f"console: {message.text}")

    def _response(self, response) -> None:
        if response.status >= 400:
            self.faults.append(f"{response.status}: {response.url}")

    def open(self, name: str, *, all_formulas: bool = False, all_parts: bool = False):
        """Go to a page and wait for the formulas in sight.

        `all_formulas` sets those further down too, `all_parts` also those in derivations.
        """
        self.page.goto(f"{self.address}/{name}")
        self.wait()
        if all_parts:
            self.page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        if all_formulas or all_parts:
            self.page.evaluate("() => window.setAllFormulas()")
            if self.page.evaluate(LEFT):
                self.faults.append("some formulas were never set")
        return self.page

    def wait(self) -> None:
        """Wait for the formulas in sight."""
        try:
            self.page.wait_for_function(SET)
        except playwright.TimeoutError:
            self.faults.append("the formulas in sight were never set")

    def take_faults(self) -> list[str]:
        """What went wrong since the last call."""
        found, self.faults[:] = list(self.faults), []
        return found


SET = """() => document.documentElement.dataset.math === 'done' &&
  [...document.querySelectorAll('.math')].every(e => {
    const box = e.getBoundingClientRect();
    const seen = e.checkVisibility() && box.bottom > 0 && box.top < innerHeight;
    return !seen || e.querySelector('mjx-container');
  })"""

LEFT = """() => [...document.querySelectorAll('.math')].filter(
    e => !e.closest('details:not([open])') && !e.querySelector('mjx-container')).length"""

UNSET = r"""() => {
  const found = [...document.querySelectorAll('mjx-merror, [data-mjx-error], [data-mml-node=merror]')]
    .map(e => 'error in a formula: ' + (e.getAttribute('data-mjx-error') || e.textContent));
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode.textContent;
    const place = walk.currentNode.parentElement;
    if (place.closest('code, pre, script, style, mjx-container, textarea, template')) continue;
    if (place.closest('details:not([open])') && place.closest('.math')) continue;
    if (/\$|\\\(|\\\[|\\[a-z]{2,}/i.test(text)) found.push('not set: ' + text.trim().slice(0, 80));
  }
  return found;
}"""

OVERFLOW = """() => {
  // The theme hides what is too wide for the window and lets the column of text scroll instead.
  const room = innerWidth;
  let wide = document.scrollingElement.scrollWidth;
  for (let up = document.querySelector('article'); up; up = up.parentElement) {
    if (getComputedStyle(up).overflowX === 'visible') continue;
    if (up.scrollWidth > up.clientWidth) wide = Math.max(wide, room + up.scrollWidth - up.clientWidth);
  }
  if (wide <= room) return [];
  const clipped = e => {
    for (let up = e.parentElement; up && up.tagName !== 'ARTICLE'; up = up.parentElement) {
      if (getComputedStyle(up).overflowX !== 'visible') return true;
    }
    return false;
  };
  const culprits = [...document.querySelectorAll('article *')].filter(
    e => e.getBoundingClientRect().right > room + 1 && !clipped(e));
  const first = culprits.slice(0, 3).map(e => e.outerHTML.slice(0, 120));
  return [`${wide} pixels wide on ${room}: ${first.join(' ... ')}`];
}"""


def names_of(folder: Path) -> list[str]:
    """The pages of a site; of the many alike that show code the largest three."""
    names = sorted(pages_of(folder))
    code = [name for name in names if name.startswith("code/")]
    code.sort(key=lambda name: -(folder / name).stat().st_size)
    left_out = set(code[3:])
    return [name for name in names if name not in left_out]


@pytest.mark.parametrize("look", LOOKS)
def test_every_page_shows_what_it_holds(folder, address, browser, look):
    """No error, no failed request, no formula left as LaTeX, nothing wider than the window.

    On the phone, where room is scarce, with every derivation open and every formula set.
    """
    found = []
    thorough = look.startswith("phone")
    names = names_of(folder) if FULL else [f"{kind}.html" for kind in KINDS]
    for name in names:
        visitor = Visitor(browser, address, *LOOKS[look])  # a page's memory goes with its context
        page = visitor.open(name, all_parts=thorough)
        wrong = page.evaluate(OVERFLOW) + (page.evaluate(UNSET) if thorough else [])
        found += [f"{name}: {fault}" for fault in wrong + visitor.take_faults()]
        visitor.context.close()
    assert not found, "\n".join(found[:40])


def test_formulas_are_set_where_the_reader_is(browser, address):
    visitor = Visitor(browser, address, *LOOKS["phone, dark"])
    page = visitor.open("softmax.html")
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


def test_every_link_leads_somewhere(folder):
    found = list(broken_links(folder, pages_of(folder)))
    assert not found, "\n".join(found[:40])
    doubled = {name: page.doubled for name, page in pages_of(folder).items() if page.doubled}
    assert not doubled, "anchors that occur twice"


def test_headings_are_in_order_and_pictures_have_a_text(folder):
    for name, page in pages_of(folder).items():
        levels = [int(e.tag[1]) for e in page.all("h1", "h2", "h3", "h4", "h5", "h6")]
        if name == "search.html":  # a script writes its heading
            continue
        assert levels[:1] == [1], name
        assert levels.count(1) == 1, name
        steps = itertools.pairwise(levels)
        assert all(after <= before + 1 for before, after in steps), f"{name}: {levels}"
        for image in page.all("img"):
            assert "alt" in image.attributes, f"{name}: {image.attributes}"
        for figure in page.by_class("only-light") + page.by_class("only-dark"):
            assert figure.tag != "img" or len(figure.attributes["alt"]) > 20, name
    assert any(page.all("img") for page in pages_of(folder).values()), "no picture on any page"


@pytest.mark.parametrize("look", LOOKS)
def test_axe_has_no_serious_finding(folder, address, browser, look):
    visitor = Visitor(browser, address, *LOOKS[look])
    found = []
    code = next(name for name in pages_of(folder) if name.startswith("code/"))
    for name in [*(f"{kind}.html" for kind in (KINDS if FULL else MADE)), code]:
        page = visitor.open(name)
        page.evaluate(
            "for (const kind of ['derivation', 'attacks', 'evidence'])"
            " document.querySelector(`details.${kind}`)?.setAttribute('open', '')"
        )
        visitor.wait()
        results = axe.Axe().run(page, None, {"resultTypes": ["violations"]})
        found += [
            f"{name}: {violation['impact']} {violation['id']}: {node['html'][:160]}"
            for violation in results.response["violations"]
            if violation["impact"] in ("serious", "critical")
            for node in violation["nodes"][:3]
        ]
    visitor.context.close()
    assert not found, "\n".join(found[:40])


@pytest.fixture
def visitor(browser, address) -> Iterator[Visitor]:
    found = Visitor(browser, address)
    yield found
    found.context.close()
    assert not found.faults


def test_a_page_opens_from_the_disk(folder, browser):
    """Without a server: the formulas are set, and nothing is asked of a network."""
    visitor = Visitor(browser, folder.resolve().as_uri())
    page = visitor.open("softmax.html", all_formulas=True)
    assert page.evaluate(UNSET) == []
    assert page.locator("mjx-container svg").count() > 20
    assert visitor.take_faults() == []
    visitor.context.close()


def test_an_address_within_a_closed_derivation_opens_it(folder, visitor):
    page = visitor.open("softmax.html")
    step = page.locator("details.derivation .step").last
    name = step.get_attribute("id")
    assert not step.is_visible()
    visitor.open(f"softmax.html#{name}")
    page.wait_for_function("id => document.getElementById(id).checkVisibility()", arg=name)
    page.wait_for_function(
        "id => document.getElementById(id).getBoundingClientRect().top < innerHeight", arg=name
    )


def test_all_derivations_open_by_one_button(visitor):
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


def shown(page) -> list[list[str]]:
    """The cells of the rows of the overview that are to be seen."""
    return page.evaluate(
        "[...document.querySelectorAll('.catalogue tbody tr')].filter(r => r.checkVisibility())"
        ".map(r => [...r.cells].map(c => c.textContent.trim()))"
    )


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
    assert shown(page) == rows


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
    assert sorted(shown(page)) == sorted(rows)


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
    page.goto(f"{address}/softmax.html")
    assert page.locator("details.derivation > summary").first.is_visible()
    context.close()


def test_the_graph_has_a_node_for_every_claim(folder):
    nodes = pages_of(folder)["graph.html"].by_class("node")
    where = {e.attributes["data-claim"]: e.attributes["href"] for e in nodes}
    assert set(where) >= set(CLAIMS)
    for id, target in where.items():
        name, _, anchor = target.partition("#")
        assert anchor == id.replace(".", "-")
        assert anchor in pages_of(folder)[name].ids


def test_a_node_of_the_graph_leads_to_its_claim(visitor):
    page = visitor.open("graph.html")
    page.locator("[data-claim='softmax.margin-needed']").click()
    page.wait_for_url("**/softmax.html#softmax-margin-needed")
    page.wait_for_function(
        "document.getElementById('softmax-margin-needed').getBoundingClientRect().top < innerHeight"
    )
    page.go_back()
    page.locator("[data-claim='rope.lipschitz']").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/rope.html#rope-lipschitz")


def dependants(id: str) -> set[str]:
    """All claims that use a claim, directly or not."""
    above = {other for other, claim in CLAIMS.items() if id in claim.uses}
    return above.union(*map(dependants, above))


@pytest.mark.parametrize("how", ["hover", "focus"])
def test_the_graph_shows_what_would_fall(visitor, how):
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


def test_the_graph_finds_a_claim_by_name(visitor):
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


def test_the_pictures_of_the_other_look_are_hidden(folder, browser, address):
    for scheme in ("light", "dark"):
        visitor = Visitor(browser, address, DESK, scheme)
        page = visitor.open("softmax.html")
        seen = [e for e in page.locator("article figure img").all() if e.is_visible()]
        assert seen
        assert all(f"-{scheme}." in e.get_attribute("src") for e in seen)
        visitor.context.close()
