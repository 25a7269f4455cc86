"""The page of a claim: the statement in words and as it is checked, its proof, and its citation."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ropeproof.proofs_check.present.claim_view import ShownClaim
from ropeproof.proofs_check.run.runner import ClaimResult
from ropeproof.proofs_check.site.markup import addresses
from ropeproof.proofs_check.site.markup.citation import cited
from ropeproof.proofs_check.site.markup.text import badge, fold, plain, unfold
from ropeproof.proofs_check.site.pages import printed, stated
from ropeproof.proofs_check.site.pages.attacks import attacks, evidence
from ropeproof.proofs_check.site.pages.steps import derivation, formula_after, outlined
from ropeproof.proofs_check.site.site import Site
from ropeproof.theory.language.claim import Claim

if TYPE_CHECKING:
    from ropeproof.proofs_check.recheck.coq.answers.rechecked import Rechecked

__all__ = ["claim_page", "claim_section"]


def claim_page(site: Site, claim: Claim) -> Iterator[str]:
    """The page of one claim, in the folder `claims` of the site."""
    for line in _page(site, claim):
        yield addresses.from_folder(line)


def _page(site: Site, claim: Claim) -> Iterator[str]:
    verdict = site.verdicts.get(claim.id)
    yield "---"
    yield "orphan: true"  # a topic's page lists it; in the contents of every page it would be one of 300
    yield "hide-toc: true"
    heading = f"{site.word(claim)} {site.number_of[claim.id]}. {' '.join(claim.title.split())}"
    yield f"tab: {json.dumps(heading, ensure_ascii=False)}"  # a browser's tab shows no formula
    yield "---"
    yield ""
    yield f"# {site.word(claim)} {site.number_of[claim.id]}. {site.title(claim)}"
    yield ""
    yield from _trail(site, claim)
    yield _named(site, claim)
    yield ""
    if verdict is not None and verdict.shortfalls:
        yield from _failing(verdict)
    yield from stated.side_by_side(site, claim)
    yield from printed.readings(site, claim, verdict)
    yield from _body(site, claim, verdict)
    yield from cited(claim)


def _trail(site: Site, claim: Claim) -> Iterator[str]:
    """Links to the claim's topic and to the claims before and after it in the topic."""
    topic = site.topic_of[claim.id]
    claims = [c.id for c in site.by_topic[topic]]
    place = claims.index(claim.id)
    links = [f"[{site.topic_title(topic)}]({addresses.page_of(topic)}.md)"]
    if place > 0:
        links.append(f"[← {site.number_of[claims[place - 1]]}]({site.target(claims[place - 1])})")
    if place + 1 < len(claims):
        links.append(f"[{site.number_of[claims[place + 1]]} →]({site.target(claims[place + 1])})")
    yield '<nav class="trail" aria-label="Place in the topic">'
    yield ""
    yield " ".join(links)
    yield ""
    yield "</nav>"
    yield ""


def _named(site: Site, claim: Claim) -> str:
    """The claim's id, its status, and a mark if Coq re-checked it."""
    verdict = site.verdicts.get(claim.id)
    coq = verdict.coq if verdict is not None else None
    again = f" {badge('re-checked by Coq')}" if coq and coq.verdict == "re-checked" else ""
    return f"`{claim.id}` {badge(site.status(claim.id))}{again}"


def claim_section(site: Site, claim: Claim) -> Iterator[str]:
    """A claim as a section in its topic's chapter of the volume, with any verdict."""
    verdict = site.verdicts.get(claim.id)
    yield ""
    yield f"({site.anchors[claim.id]})="
    yield f"## {site.word(claim)} {site.number_of[claim.id]}. {site.title(claim)}"
    yield ""
    yield _named(site, claim)
    yield ""
    yield claim.statement
    yield ""
    if verdict is not None and verdict.shortfalls:
        yield from _failing(verdict)
    yield from printed.readings(site, claim, verdict)
    yield from stated.formal(site.stated(claim))
    yield from stated.where_in_lines(site.stated(claim).where)
    yield from _body(site, claim, verdict)


def _body(site: Site, claim: Claim, verdict: ClaimResult | None) -> Iterator[str]:
    """The part of a claim's page below the statement."""
    yield from _names(claim, site.shown(claim), site.anchors[claim.id])
    if verdict is not None:
        yield from _checked(site, claim, verdict, site.anchors[claim.id])
    yield from _about(site, claim, verdict)


def _in_coq(coq: Rechecked, anchor: str) -> Iterator[str]:
    """The verdict of Coq on the proof, and the file that Coq read."""
    yield from fold(f"Coq: {plain(str(coq))}", "coq", anchor=f"{anchor}-coq")
    yield f"{coq.accepted} of {_count(coq.steps, 'step')} accepted ([what this means](coq.md))."
    for step, why in coq.refused:
        yield ""
        yield f"- {'Step ' if step.isdigit() else ''}{plain(step)}: `{why.replace('`', ' ')}`"
    if coq.source:
        yield from ("", "````coq", coq.source.rstrip(), "````")
    yield from unfold()


def _checked(site: Site, claim: Claim, verdict: ClaimResult, anchor: str) -> Iterator[str]:
    """The checks of this build, in parts that open on a click."""
    if claim.derivation is not None:
        count = len(claim.derivation.steps)
        what = "Refutation" if claim.kind == "printed" else "Derivation"
        yield from outlined(site, claim)
        yield from fold(f"{what}, {_count(count, 'step')}", "derivation", anchor=f"{anchor}-proof")
        if verdict.second is not None:
            yield ""
            yield f"A second solver: {plain(str(verdict.second))}."
        yield from derivation(site, claim)
        yield from unfold()
    if verdict.coq is not None:
        yield from _in_coq(verdict.coq, anchor)
    if any(record.kind == "attack" for record in verdict.records):
        tried, killed = verdict.kills.tried, verdict.kills.killed
        known = f"{killed} of {_count(tried, 'mutant')} refuted" if tried else "no mutants"
        yield from fold(f"Attacks: {known}", "attacks", anchor=f"{anchor}-attacks")
        yield from attacks(site, claim, verdict)
        yield from unfold()
    others = [r for r in verdict.records if r.kind != "attack"]
    if others:
        good = sum(r.outcome == "holds" for r in others)
        yield from fold(
            f"Evidence: {good} of {_count(len(others), 'piece')} {'hold' if good != 1 else 'holds'}",
            "evidence",
            anchor=f"{anchor}-evidence",
        )
        yield from evidence(site, claim, others)
        yield from unfold()


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" + ("s" if number != 1 else "")


def _failing(verdict: ClaimResult) -> Iterator[str]:
    yield '<div class="failing" role="note">'
    yield ""
    yield "**Not as expected.** This build found:"
    yield ""
    for reason in verdict.shortfalls:
        yield f"- {plain(reason)}"
    yield from printed.witness(verdict)
    yield ""
    yield "</div>"
    yield ""


def _names(claim: Claim, shown: ShownClaim, anchor: str) -> Iterator[str]:
    """Further names in steps, and the statement as the kernel reads it, each on a click."""
    if shown.added:
        yield from fold("Further names: what they stand for", "names", anchor=f"{anchor}-names")
        for name in shown.added:
            equation = f"{name.latex} = {name.definition_latex}"
            words = f"{name.meaning}: " if name.meaning else ""
            yield from formula_after(f"- {words}", equation)
        yield from unfold()
    whole = [(f"*{plain(h.name)}*: ", h.formula) for h in claim.hypotheses]
    whole += [("**Conclusion**: ", claim.conclusion)] if claim.conclusion is not None else []
    if shown.is_folded:
        yield from fold("Written out, as the kernel reads it", "whole", anchor=f"{anchor}-whole")
        for words, formula in whole:
            yield from formula_after(f"- {words}", shown.whole(formula))
        yield from unfold()


def _about(site: Site, claim: Claim, verdict: ClaimResult | None) -> Iterator[str]:
    """The claim's source, the claims it uses and those that use it, and its place in the code."""
    source = claim.source
    where = ", ".join(plain(p) for p in (source.paper, source.locator) if p)
    told = (
        f"; its text was not read: known from {plain(source.where_read)}"
        if source.where_read
        else ""
    )
    rows = [("Source", f"{where} ({source.fidelity}{told})")]
    rows += [("Compare", plain(work.line)) for work in source.compare]
    if verdict is not None:
        rows.append(("Axioms", ", ".join(map(_axiom, verdict.axioms)) or "none"))
    rows.append(("Uses", site.links(claim.uses, "no other claim")))
    rows.append(("Used by", site.links(site.used_by[claim.id], "no other claim")))
    if claim.id in site.repairs:
        rows.append(("Repairs", site.links(site.repairs[claim.id], "")))
    place = site.sources.claims.get(claim.id)
    if place is not None:
        rows.append(("Written in", site.code(place)))
    code = site.sources.code.get(claim.id, {})
    for package, word in (
        ("constructions", "Construction"),
        ("numerics", "Numbers"),
        ("tools", "Tools"),
    ):
        places = code.get(package, ())
        if places:
            shown = (f"`{p.name}` {site.code(p)}" for p in places)
            rows.append((word, ", ".join(shown)))
    yield ""
    yield '<div class="about">'
    yield ""
    for name, text in rows:
        yield f"- **{name}:** {text}"
    yield ""
    yield "</div>"
    yield ""


def _axiom(name: str) -> str:
    return f"[{html.escape(name)}](rules.md#axiom-{'-'.join(name.lower().split())})"
