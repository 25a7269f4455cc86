"""The page of a topic: what it is about, its pictures, and each of its claims."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from ropeproof.proofs_check.coq.rechecked import Rechecked
from ropeproof.proofs_check.docs.attacks import attacks, evidence
from ropeproof.proofs_check.docs.printed import readings, witness
from ropeproof.proofs_check.docs.site import OWN, Site, anchor_of
from ropeproof.proofs_check.docs.steps import derivation, formula_after
from ropeproof.proofs_check.docs.text import badge, display, fold, plain, unfold
from ropeproof.proofs_check.naming import Named
from ropeproof.proofs_check.runner import Verdict
from ropeproof.theory.claim import Claim

__all__ = ["Drawn", "claim_section", "picture_lines", "topic_page"]


class Drawn(Protocol):
    """A picture that the build has drawn in a light and a dark variant."""

    @property
    def stem(self) -> str:
        """The name of its files, without `-light.svg` and `-dark.svg`."""
        ...

    @property
    def alt(self) -> str:
        """What it shows, for readers who do not see it."""
        ...

    @property
    def caption(self) -> str:
        """What to see in it."""
        ...


def topic_page(
    site: Site, topic: str, introduction: str, pictures: Sequence[Drawn] = ()
) -> Iterator[str]:
    """The lines of a topic's page, in MyST Markdown.

    `introduction` is the written text, without a heading of its own.
    """
    claims = site.by_topic[topic]
    yield f"# {'Claims of your own' if topic == OWN else _title(topic)}"
    yield ""
    yield from _summary(site, claims)
    yield ""
    yield introduction.strip()
    for picture in pictures:
        yield from picture_lines(site, picture)
    for claim in claims:
        yield from claim_section(site, claim)


def _title(topic: str) -> str:
    named = {"posgen": "Position generalisation", "conform": "When is an implementation RoPE?"}
    return named.get(topic, topic.capitalize())


def _summary(site: Site, claims: Sequence[Claim]) -> Iterator[str]:
    """How many claims of the page have which status."""
    counts: Mapping[str, int] = {}
    for claim in claims:
        counts = {**counts, site.status(claim.id): counts.get(site.status(claim.id), 0) + 1}
    shown = ", ".join(f"{n} {badge(status)}" for status, n in counts.items())
    yield f"{len(claims)} claims: {shown}. [How to read a status](trust.md)."


def picture_lines(site: Site, picture: Drawn) -> Iterator[str]:
    """The Markdown that shows a picture of the folder `pictures`, its caption below."""
    variants = ("light",) if site.paper else ("light", "dark")
    ending = "pdf" if site.paper else "svg"
    for variant in variants:
        only = "" if site.paper else f"\n:figclass: only-{variant}"
        alt = " ".join(picture.alt.split())
        yield ""
        yield f"```{{figure}} pictures/{picture.stem}-{variant}.{ending}"
        yield f":alt: {alt}{only}"
        yield ""
        yield " ".join(picture.caption.split())
        yield "```"
        yield ""


def claim_section(site: Site, claim: Claim) -> Iterator[str]:
    """One claim, with the verdict of this build if there is one."""
    verdict = site.verdicts.get(claim.id)
    status = site.status(claim.id)
    anchor = anchor_of(claim.id)
    yield ""
    yield f"({anchor})="
    yield f"## {site.word(claim)} {site.number_of[claim.id]}. {site.title(claim)}"
    yield ""
    yield f'<div class="claim claim-{status.replace(" ", "-")}">'
    yield ""
    coq = verdict.coq if verdict is not None else None
    again = f" {badge('re-checked by Coq')}" if coq and coq.verdict == "re-checked" else ""
    yield f"`{claim.id}` {badge(status)}{again}"
    yield ""
    yield claim.statement
    yield ""
    yield "</div>"
    yield ""
    if verdict is not None and verdict.shortfalls:
        yield from _failing(verdict)
    yield from readings(site, claim, verdict)
    shown = site.named(claim)
    yield from _hypotheses(claim, shown)
    if claim.conclusion is not None:
        yield ""
        yield "**Conclusion**"
        yield from display(shown(claim.conclusion))
    yield from _names(claim, shown, anchor)
    if verdict is not None:
        yield from _checked(site, claim, verdict, anchor)
    yield from _about(site, claim, verdict)


def _in_coq(coq: Rechecked, anchor: str) -> Iterator[str]:
    """What Coq says of the proof, and the file that it read."""
    yield from fold(f"Coq: {plain(str(coq))}", "coq", anchor=f"{anchor}-coq")
    yield f"{coq.accepted} of {_count(coq.steps, 'step')} accepted ([what this means](coq.md))."
    for step, why in coq.refused:
        yield ""
        yield f"- {'Step ' if step.isdigit() else ''}{plain(step)}: `{why.replace('`', ' ')}`"
    if coq.source:
        yield from ("", "````coq", coq.source.rstrip(), "````")
    yield from unfold()


def _checked(site: Site, claim: Claim, verdict: Verdict, anchor: str) -> Iterator[str]:
    """What this build has checked, in parts that open on a click."""
    if claim.derivation is not None:
        count = len(claim.derivation.steps)
        what = "Refutation" if claim.kind == "printed" else "Derivation"
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


def _failing(verdict: Verdict) -> Iterator[str]:
    yield '<div class="failing" role="note">'
    yield ""
    yield "**Not as expected.** This build found:"
    yield ""
    for reason in verdict.shortfalls:
        yield f"- {plain(reason)}"
    yield from witness(verdict)
    yield ""
    yield "</div>"
    yield ""


def _hypotheses(claim: Claim, shown: Callable[[Any], Any]) -> Iterator[str]:
    if not claim.hypotheses:
        return
    yield ""
    yield "**Hypotheses**"
    yield ""
    for hypothesis in claim.hypotheses:
        note = "needed"
        if hypothesis.idle:
            note = f"not needed: {plain(hypothesis.idle)}"
        elif hypothesis.unshown:
            note = f"needed, not shown: {plain(hypothesis.unshown)}"
        yield from formula_after(
            f"- *{plain(hypothesis.name)}* ({note}): ", shown(hypothesis.formula)
        )


def _names(claim: Claim, shown: Named, anchor: str) -> Iterator[str]:
    """What the names stand for, and the statement as the kernel reads it, on a click each."""
    steps = claim.derivation.steps if claim.derivation else ()
    for formula in (f for step in steps for f in (step.conclusion, *step.assuming)):
        shown(formula)
    if shown.definitions:
        yield from fold("Names: what they stand for", "names", anchor=f"{anchor}-names")
        for name in shown.definitions.values():
            yield from formula_after(f"- {name.meaning}: ", name.equation)
        yield from unfold()
    whole = [(f"*{plain(h.name)}*: ", h.formula) for h in claim.hypotheses]
    whole += [("**Conclusion**: ", claim.conclusion)] if claim.conclusion is not None else []
    if any(shown(formula) != formula for _, formula in whole):
        yield from fold("Written out, as the kernel reads it", "whole", anchor=f"{anchor}-whole")
        for words, formula in whole:
            yield from formula_after(f"- {words}", formula)
        yield from unfold()


def _about(site: Site, claim: Claim, verdict: Verdict | None) -> Iterator[str]:
    """Where the claim comes from, what it rests on, what rests on it, where it is written."""
    source = claim.source
    where = ", ".join(plain(p) for p in (source.paper, source.locator) if p)
    told = (
        f"; its text was not read: known from {plain(source.where_read)}"
        if source.where_read
        else ""
    )
    rows = [("Source", f"{where} ({source.fidelity}{told})")]
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
    for package, word in (("constructions", "Construction"), ("numerics", "Numbers")):
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
