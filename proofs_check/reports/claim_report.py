"""Report on one claim with its proof and evidence, for a reader and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.text import Text

from ropeproof.proofs_check.reports.formulas import Formula, StatedClaim
from ropeproof.proofs_check.reports.listing import claim_json, roles_of, users_known
from ropeproof.proofs_check.reports.report import COLOURS, as_json, evidence_json
from ropeproof.proofs_check.run.needs import needs_of
from ropeproof.proofs_check.run.runner import ClaimResult
from ropeproof.proofs_check.run.status import Record
from ropeproof.theory.language.claim import Claim
from ropeproof.theory.language.derivation import Step
from ropeproof.theory.language.instance import kinds_of
from ropeproof.theory.topics.contents import CONTENTS
from ropeproof.tools.console.pieces import Lines, words

if TYPE_CHECKING:
    from ropeproof.proofs_check.present.claim_view import ShownClaim

__all__ = ["not_run_json", "show_claim", "show_not_run", "shown_json"]


def show_claim(claim: Claim, verdict: ClaimResult, *, expand: bool = False) -> Group:
    """The report on a claim: statement, hypotheses, symbols, derivation, evidence, axioms.

    Terms that have a name are shown by it, with a list of the names; with `expand` every term is written
    out.
    """
    word = Text(verdict.status, style=COLOURS[verdict.status])
    evidence = list(map(_evidence_line, verdict.records))
    others = []
    if verdict.second is not None:
        others.append(f"\nSecond solver: {verdict.second}")
    if verdict.coq is not None:
        others.append(f"\nCoq: {verdict.coq}")
    last = f"\nAxioms: {', '.join(verdict.axioms) or 'none'}"
    return _shown(claim, word, verdict.records, evidence, others, last, expand=expand)


def _evidence_line(record: Record) -> str:
    where = f" on {record.domain}" if record.domain else ""
    kept = " (cached)" if record.kept else ""
    return f"  {record.kind} [{record.name}] {record.outcome}{where}: {record.detail}{kept}"


def show_not_run(
    claim: Claim, why: str, records: Sequence[Record] = (), *, expand: bool = False
) -> Group:
    """The report on a claim that has not been run, or not completely, and why; without axioms.

    `records` is the part of its evidence that is known; no status follows from a part.
    """
    evidence = [*map(_evidence_line, records), f"  not run: {why}"]
    word = Text("not run", style="dim")
    return _shown(claim, word, records, evidence, [], "", expand=expand)


def _shown(
    claim: Claim,
    word: Text,
    records: Sequence[Record],
    evidence: Sequence[str],
    others: Sequence[str],
    last: str,
    *,
    expand: bool,
) -> Group:
    from ropeproof.proofs_check.present.claim_view import ShownClaim
    from ropeproof.proofs_check.present.statement import with_needs

    shown = ShownClaim(claim, expand=expand)
    stated = with_needs(shown.statement, claim, needs_of(claim, records))
    role = roles_of({claim.id: claim})[claim.id]
    lines: list[Any] = [
        Text.assemble(
            (claim.id, "bold"),
            "  ",
            word,
            f"  {role}" if role != word.plain else "",  # a definition, a conjecture
        ),
        Text(claim.title, style="italic"),
        Text(""),
        Text(claim.statement),
        *map(Text, claim.source.lines),
        StatedClaim(stated),
    ]
    if claim.derivation is not None:
        lines.append(Text("\nDerivation", style="bold"))
        for number, step in enumerate(claim.derivation.steps, 1):
            lines += _step_lines(number, step, shown)
    lines.append(Text("\nEvidence", style="bold"))
    lines += map(_folded, evidence)
    if claim.mutants:
        lines.append(Text("\nMutants", style="bold"))
        for m in claim.mutants:
            note = f"  [equivalent: {m.equivalent}]" if m.equivalent else ""
            lines.append(Formula(f"  {m.name}: ", shown.text(m.conclusion), note))
    lines += map(Text, others)
    if shown.added:
        lines.append(Text("\nFurther names (--expand writes all names out)", style="bold"))
        for name in shown.added:
            told = f"  ({name.meaning})" if name.meaning else ""
            lines.append(Formula(f"  {name.symbol} = ", name.document, told))
    lines.append(Text(last))
    lines.append(Text(f"Uses: {', '.join(claim.uses) or 'no other claim'}"))
    users = users_known(claim.id) if claim.id in CONTENTS else ()
    told = f"`ropeproof graph {claim.id}` lists the claims" if users is None else ", ".join(users)
    lines.append(Text(f"Used by: {told or 'no other claim'}"))
    return Group(*lines)


def _step_lines(number: int, step: Step, shown: ShownClaim) -> Iterable[Lines | Formula]:
    from ropeproof.proofs_check.present.claim_view import all_of

    label = "" if step.label == str(number) else f"{step.label}: "
    yield Formula(f"  {number}. {label}", shown.text(step.conclusion))
    if step.assuming:
        yield Formula("     assuming ", shown.text(all_of(step.assuming)), style="dim")
    using = f" from {'; '.join(step.using)}" if step.using else ""
    by = f"the claim {step.rule.arguments['id']}" if step.rule.name == "by_claim" else step.rule
    yield _folded(f"     by {by}{using}. {step.because}", "dim")


def _folded(line: str, style: str = "") -> Lines:
    """A line of the derivation or the evidence, whose continuation lines are indented further."""
    start = len(line) - len(line.lstrip())
    return Lines([words(line, style)], indent=start + 2)


def shown_json(verdict: ClaimResult) -> dict[str, Any]:
    """The JSON of `ropeproof show`: the claim's entry with its formal statement and steps."""
    return _json(verdict.claim, as_json([verdict])["claims"][0], verdict.records)


def not_run_json(claim: Claim, records: Sequence[Record] = ()) -> dict[str, Any]:
    """The JSON of a claim that has not been run, or not completely; its status is `not run`."""
    role = roles_of({claim.id: claim})[claim.id]
    evidence = list(map(evidence_json, records))
    entry = {**claim_json(claim, role), "status": "not run", "evidence": evidence}
    return _json(claim, entry, records)


def _json(claim: Claim, entry: Mapping[str, Any], records: Sequence[Record]) -> dict[str, Any]:
    from ropeproof.proofs_check.present.plain import plain
    from ropeproof.theory.language.latex import PRINTER

    steps = claim.derivation.steps if claim.derivation else ()
    needs = needs_of(claim, records)
    return {
        "schema": 2,
        **entry,
        "statement": claim.statement,
        "hypotheses": [
            {
                "name": h.name,
                "formula": plain(h.formula),
                "latex": PRINTER.doprint(h.formula),
                "need": needs[h.name].word if needs else None,
                "cases": needs[h.name].cases if needs else 0,
                "why": h.idle or h.unshown,
            }
            for h in claim.hypotheses
        ],
        "conclusion": None if claim.conclusion is None else plain(claim.conclusion),
        "symbols": kinds_of(claim),
        "derivation": [
            {
                "label": s.label,
                "conclusion": plain(s.conclusion),
                "latex": PRINTER.doprint(s.conclusion),
                "assuming": [plain(a) for a in s.assuming],
                "rule": str(s.rule),
                "using": list(s.using),
                "because": s.because,
            }
            for s in steps
        ],
    }
