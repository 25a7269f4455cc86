"""The page of a topic: its subject, its pictures, and a list of its claims.

Each claim has a page of its own, except in the printed volume, where the claims stand in the
chapter of their topic.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence

from ropeproof.proofs_check.run.status import ORDER, Status
from ropeproof.proofs_check.site.markup.breaking import breakable
from ropeproof.proofs_check.site.markup.pictures_shown import DrawnPicture, picture_lines
from ropeproof.proofs_check.site.markup.text import badge, first_sentence
from ropeproof.proofs_check.site.pages.claim_page import claim_section
from ropeproof.proofs_check.site.site import Site
from ropeproof.theory.annotations.roles import ROLES
from ropeproof.theory.language.claim import Claim

__all__ = ["topic_page"]

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
    yield from _summary(site, claims)
    yield ""
    yield site.placed(introduction.strip())
    for picture in pictures:
        yield from picture_lines(site, picture)
    if site.paper:
        for claim in claims:
            yield from claim_section(site, claim)
    else:
        yield from _listed(site, claims)


def _summary(site: Site, claims: Sequence[Claim]) -> Iterator[str]:
    """The number of the page's claims with each status."""
    known: Sequence[Status | str] = (*ORDER, "not run")
    numbers = {s: sum(site.status(claim.id) == s for claim in claims) for s in known}
    shown = ", ".join(f"{n} {badge(status)}" for status, n in numbers.items() if n)
    yield f"{len(claims)} claims: {shown}. [How to read a status](trust.md)."


def _listed(site: Site, claims: Sequence[Claim]) -> Iterator[str]:
    """The claims grouped by role: number, title, status and one line of each."""
    by_role: Mapping[str, list[Claim]] = {role: [] for role in ROLES}
    for claim in claims:
        by_role[site.roles[claim.id]].append(claim)
    for role, found in by_role.items():
        if not found:
            continue
        yield ""
        yield f"## {_HEADINGS[role]}"
        yield ""
        yield '<ul class="listed">'
        for claim in found:
            yield from _entry(site, claim)
        yield "</ul>"
        yield ""


def _entry(site: Site, claim: Claim) -> Iterator[str]:
    """One claim of the list, with the anchor of its former place on this page."""
    where = html.escape(site.anchors[claim.id], quote=True)
    yield f'<li id="{where}" class="listed-{site.status(claim.id).replace(" ", "-")}">'
    yield ""
    yield f"[{site.word(claim)} {site.number_of[claim.id]}. {site.title(claim)}]({site.target(claim.id)})"
    yield f"{badge(site.status(claim.id))}  "
    yield f"`{claim.id}` {breakable(first_sentence(claim.statement))}"
    yield ""
    yield "</li>"
