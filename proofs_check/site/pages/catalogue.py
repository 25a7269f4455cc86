"""The overview: every claim in one table that sorts and filters, and also works without scripts."""

from __future__ import annotations

from collections.abc import Iterator

from ropeproof.proofs_check.run.status import ORDER
from ropeproof.proofs_check.site.markup.addresses import page_of
from ropeproof.proofs_check.site.markup.text import badge, plain
from ropeproof.proofs_check.site.site import Site
from ropeproof.theory.annotations.roles import ROLES

__all__ = ["overview_page"]


def overview_page(site: Site) -> Iterator[str]:
    """The page with the whole catalogue; claims with unexpected results come first."""
    yield "# Overview"
    yield ""
    counts = {s: sum(site.status(id) == s for id in site.claims) for s in (*ORDER, "not run")}
    shown = ", ".join(f"{n} {badge(s)}" for s, n in counts.items() if n)
    killed = sum(v.kills.killed for v in site.verdicts.values())
    tried = sum(v.kills.tried for v in site.verdicts.values())
    main = sum(role == "main result" for role in map(site.roles.__getitem__, site.claims))
    yield f"{len(site.claims)} claims: {shown}. {killed} of {tried} mutants refuted."
    yield f"{main} claims are main results; a lemma is there for the proofs that use it."
    yield from _failing(site)
    yield ""
    yield "*Used by* counts the claims whose proofs use a claim directly; *falls* those that would"
    yield "fall with it. The [graph](graph.md) draws the same."
    yield ""
    yield from () if site.paper else _controls(site)
    yield '<div class="catalogue">'
    yield ""
    yield "| claim | title | topic | role | status | source | mutants | used by | falls |"
    yield "| --- | --- | --- | --- | --- | --- | ---: | ---: | ---: |"
    for topic, claims in site.by_topic.items():
        for claim in claims:
            verdict = site.verdicts.get(claim.id)
            kills = f"{verdict.kills.killed}/{verdict.kills.tried}" if verdict else "–"
            cells = (
                site.link(claim.id),
                site.title(claim),
                f"[{topic}]({page_of(topic)}.md)",
                site.roles[claim.id],
                badge(site.status(claim.id)),
                plain(_source(claim.source.paper, claim.source.fidelity)),
                kills,
                str(len(site.used_by[claim.id])),
                str(len(site.falls_with[claim.id])),
            )
            yield f"| {' | '.join(cells)} |"
    yield ""
    yield "</div>"


def _source(paper: str, fidelity: str) -> str:
    short = paper[1:].split("]", maxsplit=1)[0] if paper.startswith("[") else paper
    return short if fidelity == "own" else f"{short}, {fidelity}"


def _failing(site: Site) -> Iterator[str]:
    if not site.failing:
        return
    yield ""
    yield '<div class="failing" role="note">'
    yield ""
    yield "**Not as expected in this build:**"
    yield ""
    for verdict in site.failing:
        reasons = "; ".join(plain(r) for r in verdict.shortfalls)
        yield f"- {site.link(verdict.claim.id)} {badge(verdict.status)}: {reasons}"
    yield ""
    yield "</div>"


def _controls(site: Site) -> Iterator[str]:
    """The fields of the table's filter, which the script reveals, since they need it."""
    statuses = [s for s in (*ORDER, "not run") if any(site.status(id) == s for id in site.claims)]
    yield '<form class="filters" hidden>'
    yield '<label>Search <input type="search" name="text" autocomplete="off"></label>'
    yield from _choice("Topic", "topic", list(site.by_topic))
    present = {site.roles[id] for id in site.claims}
    yield from _choice("Role", "role", [role for role in ROLES if role in present])
    yield from _choice("Status", "status", statuses)
    yield '<output name="count" aria-live="polite"></output>'
    yield "</form>"
    yield ""


def _choice(label: str, name: str, values: list[str]) -> Iterator[str]:
    options = "".join(f"<option>{value}</option>" for value in values)
    yield f'<label>{label} <select name="{name}"><option value="">all</option>{options}</select></label>'
