"""Reports on the printed statements that are false, for a reader and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from ropeproof.proofs_check.run.runner import ClaimResult
from ropeproof.proofs_check.run.status import Record
from ropeproof.theory.language.claim import Claim, Reading
from ropeproof.theory.papers.errata import SLIPS

__all__ = ["errata", "erratum"]


def erratum(verdict: ClaimResult) -> dict[str, Any]:
    """One false printed statement as JSON.

    `slip` says that what is meant is plain and nothing else in the paper changes.
    `reading` and `witness` are a string and an object, or lists of the same length if there are several
    readings; values are exact where an equation determines them, and a witness that was not found
    again is null. A statement without a reading is refuted by a proof of its negation: `reading` is
    then the printed statement, and there is no witness.
    """
    from ropeproof.proofs_check.present.plain import plain

    claim = verdict.claim
    readings: list[Any] = [reading.text for reading in claim.readings]
    records = zip(claim.readings, _rechecks(verdict), strict=True)
    witnesses: list[Any] = [
        {name: exact for name, (exact, _) in values.items()} if values else None
        for values in (_witness(reading, record, plain) for reading, record in records)
    ]
    return {
        "id": claim.id,
        "paper": claim.source.paper,
        "locator": claim.source.locator,
        "slip": claim.id in SLIPS,
        "printed": claim.statement,
        "reading": readings if len(readings) > 1 else next(iter(readings), claim.statement),
        "witness": witnesses if len(readings) > 1 else next(iter(witnesses), None),
        "charitable": claim.true_when,
        "repaired_by": claim.repaired_by,
        "rechecked": _rechecked(verdict),
    }


def _rechecked(verdict: ClaimResult) -> bool:
    return verdict.status == "refuted" and not verdict.shortfalls


def _rechecks(verdict: ClaimResult) -> list[Record | None]:
    """The record of each reading, in order; None for a reading that was not run."""
    by_name = {record.name: record for record in verdict.records if record.kind == "attack"}
    return [by_name.get(f"reading {n}") for n in range(1, len(verdict.claim.readings) + 1)]


def _witness(
    reading: Reading, record: Record | None, text: Callable[[Any], str]
) -> dict[str, tuple[str, str]] | None:
    """The values of a witness that was found again, exactly and as evaluated."""
    if record is None or record.outcome != "holds" or not record.witness:
        return None
    exact = {str(equation.lhs): text(equation.rhs) for equation in reading.at}
    names = [*(name for name in exact if name in record.witness), *record.witness]
    return {n: (exact.get(n, record.witness[n]), record.witness[n]) for n in dict.fromkeys(names)}


def errata(verdicts: Sequence[ClaimResult], claims: Mapping[str, Claim]) -> Group:
    """The false printed statements one after another, for a referee.

    `claims` is the catalogue, in which the repairs are looked up; they are not run.
    """
    parts: list[Any] = []
    for verdict in verdicts:
        claim = verdict.claim
        where = ", ".join(filter(None, (claim.source.paper, claim.source.locator)))
        parts.append(Text.assemble((claim.id, "bold"), "  ", where))
        grid = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
        grid.add_column(style="bold", no_wrap=True)
        grid.add_column(overflow="fold")
        for label, text in _erratum_rows(verdict, claims):
            grid.add_row(label, text)
        parts += [grid, Text("")]
    good = sum(map(_rechecked, verdicts))
    kept = any(record.kept for verdict in verdicts for record in verdict.records)
    when = (
        "re-checked now, or cached from an earlier run of the same sources"
        if kept
        else "re-checked now"
    )
    parts.append(Text(f"Printed statements that are false: {len(verdicts)}; {when}: {good}."))
    return Group(*parts)


def _erratum_rows(verdict: ClaimResult, claims: Mapping[str, Claim]) -> Iterable[tuple[str, Text]]:
    from ropeproof.proofs_check.present.letters import bare, text_name
    from ropeproof.proofs_check.present.lines import flat
    from ropeproof.proofs_check.present.unicode import Unicode

    written = Unicode({})
    claim = verdict.claim
    if claim.id in SLIPS:
        yield "Weight", Text("a slip: nothing else in the paper changes")
    yield "Printed", Text(f"(in our words) {claim.statement}")
    for reading, record in zip(claim.readings, _rechecks(verdict), strict=True):
        yield "Read as", Text(reading.text)
        values = _witness(reading, record, written.inline)
        if record is None or values is None:
            why = "not run" if record is None else f"{record.outcome}: {record.detail}"
            yield "Witness", Text(f"NOT RE-CHECKED ({why})", style="bold red")
            continue
        yield (
            "Witness",
            Text(
                ", ".join(
                    f"{text_name(bare(name))} = {exact}" + ("" if exact == value else f" = {value}")
                    for name, (exact, value) in values.items()
                )
            ),
        )
        yield "", Text(f"fails there: {flat(written.formula(reading.conclusion))}")
        when = "cached from an earlier run" if record.kept else "re-checked now"
        yield "", Text(f"{when}, on {record.domain}", style="green")
    for record in verdict.records:
        if record.kind == "attack" and record.name == "refutation":
            good = record.outcome == "holds"
            text = record.detail if good else f"NOT RE-CHECKED ({record.outcome}: {record.detail})"
            yield "Refuted", Text(text, style="green" if good else "bold red")
    for reason in verdict.shortfalls:
        yield "", Text(f"NOT AS EXPECTED: {reason}", style="bold red")
    yield "Charitably", Text(claim.true_when or "no reading is known under which it holds")
    repair = claims[claim.repaired_by] if claim.repaired_by else None
    if repair is not None:
        yield "Repaired by", Text.assemble((repair.id, "bold"), f"  {repair.title}")
        yield "", Text(repair.statement)
        yield "", Text(f"not run now: `ropeproof check {repair.id}`", style="dim")
