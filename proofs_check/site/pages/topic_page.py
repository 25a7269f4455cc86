"""The page of a topic: its story, its pictures, and a table of its main results; and that of its lemmas.

Each claim has a page of its own, except in the printed volume, where the claims stand in the
chapter of their topic. Lemmas stand on a second page, in groups by where they are written.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from pathlib import Path

from ropeproof.proofs_check.run.status import ORDER, Status
from ropeproof.proofs_check.site.markup.addresses import lemmas_page_of, page_of
from ropeproof.proofs_check.site.markup.breaking import breakable
from ropeproof.proofs_check.site.markup.pictures_shown import DrawnPicture, picture_lines
from ropeproof.proofs_check.site.markup.text import badge, first_sentence
from ropeproof.proofs_check.site.pages.claim_page import claim_section
from ropeproof.proofs_check.site.site import Site
from ropeproof.theory.annotations.roles import ROLES
from ropeproof.theory.language.claim import Claim

__all__ = ["lemmas_of", "lemmas_page", "topic_page"]

_HEADINGS = {
    "main result": "Main results",
    "lemma": "Lemmas",
    "definition": "Definitions",
    "printed": "False as printed",
    "conjecture": "Conjectures",
}


def topic_page(
    site: Site, topic: str, introduction: str, pictures: Sequence[DrawnPicture] = ()
) -> Iterator[str]:
    """The lines of a topic's page, in MyST Markdown.

    `introduction` is the written text, without a heading of its own.
    """
    claims = site.by_topic[topic]
    yield f"# {site.topic_title(topic)}"
    yield ""
    if site.paper:
        yield from _summary(site, claims)
        yield ""
        yield site.placed(introduction.strip())
        for picture in pictures:
            yield from picture_lines(site, picture)
        for claim in claims:
            yield from claim_section(site, claim)
        return
    story, _, more = site.placed(introduction.strip()).partition("\n\n")
    yield from _first_screen(site, story, pictures[:1])
    yield from _summary(site, claims)
    yield ""
    yield _contents(site, topic)
    yield ""
    yield more
    for picture in pictures[1:]:
        yield from picture_lines(site, picture)
    yield from _listed(site, topic)


def _first_screen(site: Site, story: str, pictures: Sequence[DrawnPicture]) -> Iterator[str]:
    """The story, which is the introduction's first paragraph, beside the first picture, if there is one."""
    if not pictures:
        yield from (story, "")
        return
    yield from ('<div class="first story">', "<div>", "", story, "", "</div>", "<div>", "")
    for picture in pictures:
        yield from picture_lines(site, picture)
    yield from ("", "</div>", "</div>", "")


def lemmas_page(site: Site, topic: str) -> Iterator[str]:
    """The lines of the page with a topic's lemmas, whose name is `addresses.lemmas_page_of`."""
    groups = _groups(site, lemmas_of(site, topic))
    yield from ("---", "orphan: true", "---", "")  # the topic's page leads here
    yield f"# {site.topic_title(topic)}: lemmas"
    yield ""
    here = f"[{site.topic_title(topic)}]({page_of(topic)}.md)"
    yield f"What the proofs of the main results of {here} are made of."
    for heading, claims in groups.items():
        yield ""
        yield f"## {heading}"
        yield ""
        yield '<ul class="listed">'
        for claim in claims:
            yield from _entry(site, claim)
        yield "</ul>"
        yield ""


def lemmas_of(site: Site, topic: str) -> list[Claim]:
    """The lemmas of a topic that stand on a page of their own, in the topic's order.

    A topic that has nothing but lemmas shows them on its own page.
    """
    lemmas = [claim for claim in site.by_topic[topic] if site.roles[claim.id] == "lemma"]
    return lemmas if len(lemmas) < len(site.by_topic[topic]) else []


def _groups(site: Site, claims: Sequence[Claim]) -> dict[str, list[Claim]]:
    """Claims by the part of their topic that they are written in, or by "General" if that is no folder."""
    found: dict[str, list[Claim]] = {}
    for claim in claims:
        place = site.sources.claims.get(claim.id)
        parts = Path(place.file).parts[:-1] if place is not None else ()
        below = parts[parts.index("topics") + 2 :] if "topics" in parts else ()
        heading = below[0].replace("_", " ").capitalize() if below else "General"
        found.setdefault(heading, []).append(claim)
    return found


def _contents(site: Site, topic: str) -> str:
    """One line of links to the parts of the topic's page and to its lemmas."""
    counts = {
        role: sum(site.roles[claim.id] == role for claim in site.by_topic[topic]) for role in ROLES
    }
    links = [
        f"[{_HEADINGS[role]}]({lemmas_page_of(topic)}.md) ({count})"
        if role == "lemma" and lemmas_of(site, topic)
        else f"[{_HEADINGS[role]}](#{_HEADINGS[role].lower().replace(' ', '-')}) ({count})"
        for role, count in counts.items()
        if count
    ]
    return "On this page: " + ", ".join(links) + "."


def _summary(site: Site, claims: Sequence[Claim]) -> Iterator[str]:
    """The number of the page's claims with each status."""
    known: Sequence[Status | str] = (*ORDER, "not run")
    numbers = {s: sum(site.status(claim.id) == s for claim in claims) for s in known}
    shown = ", ".join(f"{n} {badge(status)}" for status, n in numbers.items() if n)
    yield f"{len(claims)} claims: {shown}. [How to read a status](trust.md)."


def _listed(site: Site, topic: str) -> Iterator[str]:
    """Tables of the claims by role, a line for each; of lemmas with a page of their own, their ids."""
    for role in ROLES:
        found = [claim for claim in site.by_topic[topic] if site.roles[claim.id] == role]
        if not found:
            continue
        yield ""
        yield f"## {_HEADINGS[role]}"
        yield ""
        if role == "lemma" and lemmas_of(site, topic):
            yield f"The {len(found)} lemmas have [a page of their own]({lemmas_page_of(topic)}.md):"
            groups = _groups(site, found)
            yield "; ".join(
                f"{heading.lower()} ({len(claims)})" for heading, claims in groups.items()
            )
            yield from ("", "<details><summary>All of them by id</summary>", "")
            yield ", ".join(_place(site, claim, f"`{claim.id}`") for claim in found)
            yield from ("", "</details>")
            continue
        yield "| | | |"
        yield "|---|---|---|"
        for claim in found:
            title = site.title(claim).replace("|", "\\|")
            status = badge(site.status(claim.id))
            yield f"| {site.number_of[claim.id]} | {_place(site, claim, title)} | {status} |"
    yield ""


def _place(site: Site, claim: Claim, words: str) -> str:
    """A link to a claim's page, in the place of which claim.js leads on from a claim's former address."""
    where = html.escape(site.anchors[claim.id], quote=True)
    return f'<span class="place" id="{where}">[{words}]({site.target(claim.id)})</span>'


def _entry(site: Site, claim: Claim) -> Iterator[str]:
    """One claim of a list: number, title, status and the first sentence of its statement."""
    yield f'<li class="listed-{site.status(claim.id).replace(" ", "-")}">'
    yield ""
    yield f"[{site.word(claim)} {site.number_of[claim.id]}. {site.title(claim)}]({site.target(claim.id)})"
    yield f"{badge(site.status(claim.id))}  "
    yield f"`{claim.id}` {breakable(first_sentence(claim.statement))}"
    yield ""
    yield "</li>"
