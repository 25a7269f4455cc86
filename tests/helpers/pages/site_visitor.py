"""Helpers shared by the browser tests of the site: the site, its pages, and a page that notes faults.

The site is the one in the folder ROPEPROOF_SITE, or a small one that `build_small` makes: all pages, ready
verdicts for one topic, no reference of the code. Of the small one a page of each kind is opened; of a given
one (CI does) every page but those of claims, of which every sixteenth and the longest stand for the others;
in a wide window every fourth of all these, and one of each kind. If ROPEPROOF_PAGES is `all`, every page is
opened (.ci/slow does). Every request beyond the site is refused.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from needs import need, need_program
from site_pages import verdict

from ropeproof.theory import CLAIMS

playwright = need("playwright.sync_api")
axe = need("axe_playwright_python.sync_playwright")
need("sphinx")

CHROMIUM = need_program("chromium")

ROOT = Path(__file__).resolve().parents[3]
FULL = os.environ.get("ROPEPROOF_SITE")
ALL = os.environ.get("ROPEPROOF_PAGES") == "all"
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
    "papers",
    "coverage/heads",
    "softmax",
    "slash",
    "index-heads",
    "claims/softmax.margin-needed",
    "claims/slash.head",
    "claims/slash.score",
    "claims/index.printed-bound",
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

MADE = [
    "index",
    "overview",
    "graph",
    "softmax",
    "claims/softmax.margin-needed",
    "claims/slash.head",
    "search",
]
"""The kinds that differ most: of a small site axe reads these, of a given one all kinds."""


def build_small(output: Path) -> None:
    """Build the small site in a new folder."""
    from ropeproof.proofs_check.site import build, pictures

    def draw(folder: Path, topic: str, form: str = "svg") -> object:
        return real(folder, topic, form) if topic == "softmax" else ()

    real = pictures.draw_topic
    ready = [verdict(CLAIMS[id]) for id in CLAIMS if id.startswith("softmax.")]
    reason = "the drawn instances fail: a <b>witness</b> was found"
    ready[0] = verdict(ready[0].claim, "open", shortfalls=(reason,))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "draw_topic", draw)
        build(output, ROOT / "docs", verdicts=ready, reference=False, code=False)


class Visitor:
    """A browser page that records what goes wrong, and refuses every request beyond the site."""

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

    def open(self, name: str, *, all_parts: bool = False):
        """Go to a page and wait for the visible formulas; `all_parts` opens all that is closed."""
        self.page.goto(f"{self.address}/{name}")
        self.wait()
        if all_parts:
            self.page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        return self.page

    def set_formulas(self, widest: int | None = None) -> None:
        """Typeset the formulas of all open parts, or only the longest in each kind of place."""
        chosen = self.page.evaluate_handle(CHOSEN, widest)
        self.page.evaluate("chosen => window.setFormulas(chosen)", chosen)
        if self.page.evaluate(
            "chosen => chosen.some(e => !e.querySelector('mjx-container'))", chosen
        ):
            self.faults.append("some formulas were never set")

    def wait(self) -> None:
        """Wait until the visible formulas are typeset."""
        try:
            self.page.wait_for_function(SET)
        except playwright.TimeoutError:
            self.faults.append("the formulas in sight were never set")

    def take_faults(self) -> list[str]:
        """The faults recorded since the last call."""
        found, self.faults[:] = list(self.faults), []
        return found


SET = """() => document.documentElement.dataset.math === 'done' &&
  [...document.querySelectorAll('.math')].every(e => {
    const box = e.getBoundingClientRect();
    const across = box.right > 0 && box.left < innerWidth;  // not in a drawer that is closed
    const seen = e.checkVisibility() && across && box.bottom > 0 && box.top < innerHeight;
    return !seen || e.querySelector('mjx-container');
  })"""

LEFT = """() => [...document.querySelectorAll('.math')].filter(
    e => !e.closest('details:not([open])') && !e.querySelector('mjx-container')).length"""

CHOSEN = """widest => {
  const places = new Map();
  for (const e of document.querySelectorAll('.math')) {
    if (e.closest('details:not([open])') || e.querySelector('mjx-container')) continue;
    let place = e.tagName;
    for (let up = e.parentElement; up && up.tagName !== 'ARTICLE'; up = up.parentElement) {
      place += ` ${up.tagName}.${up.className}`;
    }
    if (!places.has(place)) places.set(place, []);
    places.get(place).push(e);
  }
  const length = e => e.textContent.length;
  return [...places.values()].flatMap(
    alike => alike.sort((one, other) => length(other) - length(one)).slice(0, widest ?? alike.length));
}"""

UNSET = r"""() => {
  const found = [...document.querySelectorAll('mjx-merror, [data-mjx-error], [data-mml-node=merror]')]
    .map(e => 'error in a formula: ' + (e.getAttribute('data-mjx-error') || e.textContent));
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode.textContent;
    const place = walk.currentNode.parentElement;
    if (place.closest('code, pre, .sig, script, style, mjx-container, textarea, template')) continue;
    if (place.closest('.math')) continue;  // not near the reader yet: `set_formulas` and LEFT see to these
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
    """The names of the pages of a site to open: all but most pages of code and of claims.

    Of the pages of code the largest three are opened, of claims' pages every sixteenth and the longest
    five, or all if ROPEPROOF_PAGES is `all`.
    """
    pages = [path.relative_to(folder) for path in sorted(folder.rglob("*.html"))]
    names = [path.as_posix() for path in pages if "_static" not in path.parts]
    code = [name for name in names if name.startswith("code/")]
    code.sort(key=lambda name: -(folder / name).stat().st_size)
    left_out = set(code[3:])
    if not ALL:
        claims = [name for name in names if name.startswith("claims/")]
        longest = sorted(claims, key=lambda name: -(folder / name).stat().st_size)[:5]
        left_out |= set(claims) - set(claims[::16]) - set(longest)
    return [name for name in names if name not in left_out]


def names_on_a_desk(folder: Path) -> list[str]:
    """The pages to open in a wide window: of `names_of` every fourth and one of each kind, or all.

    A phone, where there is less room, opens them all and looks for more.
    """
    kinds = {f"{kind}.html" for kind in KINDS}
    names = enumerate(names_of(folder))
    return [name for number, name in names if ALL or number % 4 == 0 or name in kinds]
