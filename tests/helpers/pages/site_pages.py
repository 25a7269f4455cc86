"""Helpers shared by the tests of the site: ready verdicts, parsed pages, and targets of links."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from ropeproof.proofs_check.kernel.outcome import Kills
from ropeproof.proofs_check.run.items import items_of
from ropeproof.proofs_check.run.library import load
from ropeproof.proofs_check.run.runner import ClaimResult
from ropeproof.proofs_check.run.status import Record, Status
from ropeproof.theory.language.claim import Claim

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
UNSEEN = {"script", "style", "template"}


def verdict(claim: Claim, status: Status | None = None, **changes: object) -> ClaimResult:
    """A verdict as a successful run gives it, made without a run, for tests of what the pages show."""
    known: Mapping[str, Status] = {
        **{"printed": "refuted", "conjecture": "conjecture", "definition": "definition"}
    }
    records = tuple(
        Record(item.kind, item.name, "holds", "all values", 3, 0.1, "as expected", None)
        for item in items_of(load(), claim.id)
    )
    tried = len(claim.mutants)
    ready = ClaimResult(
        claim, status or known.get(claim.kind, "proved"), records, (), Kills(tried, tried), ()
    )
    return ClaimResult(**{**vars(ready), **changes})


@dataclass
class Element:
    """A start tag that tests ask about, with the position of its text in the page."""

    tag: str
    attributes: Mapping[str, str]
    line: int
    page: list[str] = field(repr=False)
    begin: int
    end: int | None = None

    @property
    def text(self) -> str:
        """The text between this tag and its end, without scripts and styles."""
        return "".join(self.page[self.begin : self.end])


@dataclass
class Parsed:
    """A parsed page: its anchors, its links and other files, and its elements in order."""

    ids: set[str] = field(default_factory=set)
    doubled: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    elements: list[Element] = field(default_factory=list)

    def all(self, *tags: str) -> list[Element]:
        """The elements with one of these tags."""
        return [element for element in self.elements if element.tag in tags]

    def by_class(self, name: str) -> list[Element]:
        """The elements with a class."""
        return [e for e in self.elements if name in e.attributes.get("class", "").split()]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.page = Parsed()
        self.open: list[Element] = []
        self.said: list[str] = []
        self.unseen = 0  # how many of the open elements are scripts and the like

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        element = Element(tag, attributes, self.getpos()[0], self.said, len(self.said))
        self.page.elements.append(element)
        if "id" in attributes:
            (self.page.doubled if attributes["id"] in self.page.ids else self.page.ids).add(
                attributes["id"]
            )
        if tag == "a" and "name" in attributes:
            self.page.ids.add(attributes["name"])
        self.page.links += [attributes[name] for name in ("href", "src") if name in attributes]
        if tag in VOID:
            element.end = element.begin
        else:
            self.open.append(element)
            self.unseen += tag in UNSEEN

    def handle_endtag(self, tag: str) -> None:
        for at in range(len(self.open) - 1, -1, -1):
            if self.open[at].tag == tag:
                for closed in self.open[at:]:
                    closed.end = len(self.said)
                    self.unseen -= closed.tag in UNSEEN
                del self.open[at:]
                return

    def handle_data(self, data: str) -> None:
        if not self.unseen:
            self.said.append(data)


def parse(text: str) -> Parsed:
    """The parsed form of a page of the site, by Python's own HTML parser."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    return reader.page


@cache
def pages_of(folder: Path) -> Mapping[str, Parsed]:
    """The parsed pages of a site by their name, such as `code/theory/topics/slash/game.html`."""
    return {
        path.relative_to(folder).as_posix(): parse(path.read_text(encoding="utf-8"))
        for path in sorted(folder.rglob("*.html"))
        if "_static" not in path.relative_to(folder).parts
    }


def broken_links(folder: Path, pages: Mapping[str, Parsed]) -> Iterable[str]:
    """The links within a site that lead nowhere, as `page: link`."""
    for name, page in pages.items():
        for link in sorted(set(page.links)):
            if urlsplit(link).scheme or link.startswith("//"):
                continue
            path, fragment = urldefrag(urljoin(f"/{name}", link))
            target = unquote(urlsplit(path).path).lstrip("/") or "index.html"
            if target in pages:
                known = pages[target].ids
                if fragment and unquote(fragment) not in known:
                    yield f"{name}: {link} (no such anchor)"
            elif not (folder / target).is_file():
                yield f"{name}: {link} (no such file)"
