"""Pages by paper: each item, the claims that state it here, and what is not covered and why."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from ropeproof.proofs_check.reports.paper_coverage import CoverageRow, rows, summary
from ropeproof.proofs_check.site.markup.addresses import from_folder, page_of
from ropeproof.proofs_check.site.markup.text import badge, plain
from ropeproof.proofs_check.site.site import Site
from ropeproof.theory.language.claim import Claim
from ropeproof.theory.papers.coverage import COVERAGE, Illustration, PaperCoverage

__all__ = ["FOLDER", "paper_pages", "papers_page"]

FOLDER = "coverage"
"""The folder of the pages, one per paper."""

_WORDS = {"stated": "stated", "beside": "claims beside it", "not covered": "not covered"}


def papers_page(site: Site) -> Iterator[str]:
    """The overview of the papers' pages, with how much of each is covered."""
    yield "# Papers"
    yield ""
    yield "With a paper in hand: each of its theorems, figures and tables, told in our words, with the claims"
    yield "that state it and how they came out in this build, or the reason why no claim does."
    yield "`ropeproof coverage` says the same."
    yield ""
    for paper in COVERAGE:
        yield f"- [{plain(paper.title)}]({FOLDER}/{paper.key}.md), {plain(_cited(paper))}."
        yield f"  {_counted(summary(rows(paper, site.claims)))}"
    yield ""
    yield "```{toctree}"
    yield ":hidden:"
    yield ""
    yield from (f"{FOLDER}/{paper.key}" for paper in COVERAGE)
    yield "```"


def paper_pages(site: Site, written: Collection[str]) -> Iterator[tuple[str, Iterator[str]]]:
    """The name and the lines of each paper's page; `written` are the files that it may link to."""
    for paper in COVERAGE:
        lines = _page(site, paper, written)
        yield f"{FOLDER}/{paper.key}", (from_folder(line) for line in lines)


def _cited(paper: PaperCoverage) -> str:
    return paper.paper.cited.split("] ", 1)[-1]


def _counted(counts: Mapping[str, int]) -> str:
    items = "1 item" if counts["items"] == 1 else f"{counts['items']} items"
    return (
        f"{items}: {counts['stated']} [stated]{{.covered .covered-stated}} by claims, "
        f"{counts['beside']} with [claims beside]{{.covered .covered-beside}} them, "
        f"{counts['not covered']} [not covered]{{.covered}}."
    )


def _page(site: Site, paper: PaperCoverage, written: Collection[str]) -> Iterator[str]:
    listed = rows(paper, site.claims)
    counts = summary(listed)
    yield f"# {plain(paper.title)}"
    yield ""
    yield f"{plain(_cited(paper))}. *Read:* {plain(paper.read)}"
    yield ""
    yield f"{_counted(counts)} What the paper states is told in our words."
    yield f"`ropeproof coverage {paper.key}` prints this page. [All papers](papers.md)."
    named = paper.compared(site.claims)
    if named:
        yield ""
        yield "Named as prior work, with what differs, by: " + ", ".join(
            site.link(claim.id) for claim in named
        )
    part = ""
    for row in listed:
        place = _part(row.item.place)
        if place != part:
            part = place
            yield ""
            yield f"## {plain(part[:1].upper() + part[1:])}"
        yield from _item(site, row, written)


def _part(place: str) -> str:
    """The section or appendix of the paper in an item's place.

    >>> _part("section 3.4, proof in appendix F.2"), _part("abstract")
    ('section 3.4', 'abstract')
    """
    return place.split(",", maxsplit=1)[0]


def _item(site: Site, row: CoverageRow, written: Collection[str]) -> Iterator[str]:
    item = row.item
    yield ""
    yield f"### {plain(item.name[:1].upper() + item.name[1:])}"
    yield ""
    kind = row.covered.replace(" ", "-")
    where = f" {plain(item.place)}." if item.place != _part(item.place) else ""
    yield f"[{_WORDS[row.covered]}]{{.covered .covered-{kind}}}{where} {item.states}"
    yield ""
    for claim in row.stating:
        yield f"- {_claim(site, claim)}{_fidelity(claim)}"
    if row.because:
        word = "No claim states it" if row.beside else "Not covered"
        yield f"- {word}, because {plain(row.because)}."
    if row.beside:
        yield f"- Beside it: {'; '.join(_claim(site, claim) for claim in row.beside)}"
    if item.shown:
        yield f"- Shown by: {', '.join(_shown(shown, written) for shown in item.shown)}"
    yield ""


def _claim(site: Site, claim: Claim) -> str:
    return f"{site.link(claim.id)} {badge(site.status(claim.id))} {site.title(claim)}"


def _fidelity(claim: Claim) -> str:
    return {
        "as printed": " (as printed)",
        "as reported": f" (as reported by {plain(claim.source.where_read)})",
        "repaired": " (repaired: stated more precisely than in print)",
        "own": " (our own statement of it)",
    }[claim.source.fidelity]


def _shown(shown: Illustration, written: Collection[str]) -> str:
    if shown.kind == "page" and shown.what in written:
        return f"[{shown.what.removesuffix('.md').replace('_', ' ')}]({shown.what})"
    if shown.kind == "picture":
        topic = shown.what.split("-", maxsplit=1)[0]
        return f"the picture [{shown.what}]({page_of(topic)}.md)"
    return f"`{shown.what}`"
