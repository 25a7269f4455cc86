"""Attacks on a claim: mutants, dropped hypotheses, and the other pieces of evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ropeproof.proofs_check.run.runner import ClaimResult
from ropeproof.proofs_check.run.status import Record
from ropeproof.proofs_check.site.markup.text import badge, plain
from ropeproof.proofs_check.site.pages.steps import formula_after
from ropeproof.proofs_check.site.site import Site
from ropeproof.theory.language.claim import Claim

__all__ = ["attacks", "evidence"]


def attacks(site: Site, claim: Claim, verdict: ClaimResult) -> Iterator[str]:
    """The attacks on a claim: each record, and the mutants of the conclusion."""
    yield from evidence(site, claim, [r for r in verdict.records if r.kind == "attack"])
    if claim.mutants:
        yield ""
        yield "Conclusions made false on purpose, each to be refuted by an instance:"
        yield ""
    for mutant in claim.mutants:
        note = f" (equivalent: {plain(mutant.equivalent)})" if mutant.equivalent else ""
        formula = site.shown(claim).latex(mutant.conclusion)
        yield from formula_after(f"- *{plain(mutant.name)}*{note}: ", formula)


def evidence(site: Site, claim: Claim, records: Iterable[Record]) -> Iterator[str]:
    """The given pieces of evidence with their outcomes in this build."""
    yield ""
    for record in records:
        place = site.sources.evidence.get((claim.id, record.kind, record.name))
        where = f" on {plain(record.domain)}" if record.domain else ""
        cases = f", {record.cases} cases" if record.cases else ""
        detail = f": {plain(record.detail)}" if record.detail else ""
        code = f" ({site.code(place)})" if place else ""
        outcome = badge(record.outcome)
        yield f"- {plain(record.kind)}, *{plain(record.name)}* {outcome}{where}{cases}{detail}{code}"
    yield ""
