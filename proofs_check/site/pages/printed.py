"""Printed statements that are false: their readings, where they fail, and their repairs."""

from __future__ import annotations

from collections.abc import Iterator

from ropeproof.proofs_check.run.runner import ClaimResult
from ropeproof.proofs_check.site.markup.text import badge, inline, plain
from ropeproof.proofs_check.site.site import Site
from ropeproof.theory.language.claim import Claim
from ropeproof.theory.papers.errata import SLIPS, by_weight

__all__ = ["errata_page", "readings", "witness"]


def readings(site: Site, claim: Claim, verdict: ClaimResult | None) -> Iterator[str]:
    """The readings of a printed statement with where each fails, when it holds, and its repair."""
    if claim.kind != "printed":
        return
    yield ""
    by_name = {r.name: r for r in verdict.records} if verdict else {}
    for number, reading in enumerate(claim.readings, 1):
        shown = site.shown(claim)
        at = ", ".join(inline(shown.latex(equation)) for equation in reading.at)
        record = by_name.get(f"reading {number}")
        checked = "not re-checked in this build"
        if record is not None:
            good = record.outcome == "holds"
            checked = "re-checked in this build" if good else f"not found again: {record.detail}"
        yield f"- **Read as:** {plain(reading.text)}"
        yield f"- **Witness** ({plain(checked)}): {at}, where this is false:"
        yield f"  {inline(shown.latex(reading.conclusion))}."
    refutation = by_name.get("refutation")
    if refutation is not None:
        yield f"- **Refuted:** {badge(refutation.outcome)} {plain(refutation.detail)}"
    charitable = plain(claim.true_when) or "no reading is known under which it holds"
    yield f"- **Charitably read:** {charitable}."
    if claim.repaired_by:
        yield f"- **Repaired by:** {site.link(claim.repaired_by)}, {_title(site, claim)}."
    yield ""


def _title(site: Site, claim: Claim) -> str:
    return site.title(site.claims[claim.repaired_by or ""])


def witness(verdict: ClaimResult) -> Iterator[str]:
    """The instance for which a claim was found false, if there is one."""
    if not verdict.witness:
        return
    values = ", ".join(f"{plain(k)} = {plain(v)}" for k, v in verdict.witness.items())
    yield ""
    yield f"Witness: {values}."


def errata_page(site: Site) -> Iterator[str]:
    """The page of all false printed statements."""
    ids = by_weight(claim.id for claim in site.claims.values() if claim.kind == "printed")
    printed = [site.claims[id] for id in ids]
    yield "# Errata"
    yield ""
    yield f"{len(printed)} printed statements are false as they stand. Each is listed with how it is"
    yield "read, a witness that the build has re-checked, the most charitable reading, and the statement"
    yield "that is proved instead. What is printed is told in our words, with its place."
    yield "`ropeproof errata` checks them again. Those that matter come first, slips of the pen last."
    for number, claim in enumerate(printed):
        if claim.id in SLIPS and not (number and printed[number - 1].id in SLIPS):
            yield from (
                "",
                "What is meant in the rest is plain, and nothing else in the paper changes.",
            )
        paper = ", ".join(filter(None, (claim.source.paper, claim.source.locator)))
        yield ""
        yield f"## {site.title(claim)}"
        yield ""
        yield f"{site.link(claim.id)} {badge(site.status(claim.id))}, {plain(paper)}"
        yield ""
        yield f"> {' '.join(claim.statement.split())}"
        yield from readings(site, claim, site.verdicts.get(claim.id))
