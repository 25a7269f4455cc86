"""Reports on a run: the JSON of `ropeproof check` and the tables for a reader."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from ropeproof.proofs_check.reports.listing import OWN, claim_json
from ropeproof.proofs_check.reports.listing import roles_of as listed_roles
from ropeproof.proofs_check.run.status import ORDER, Record, counted
from ropeproof.theory.topics.contents import CONTENTS
from ropeproof.tools.console.pieces import Lines, words
from ropeproof.tools.console.versions import versions

if TYPE_CHECKING:
    from ropeproof.proofs_check.recheck.coq.answers.rechecked import Rechecked
    from ropeproof.proofs_check.recheck.second_solver import SecondOpinion
    from ropeproof.proofs_check.run.runner import ClaimResult


__all__ = ["COLOURS", "WIDE", "as_json", "roles_of", "table", "verdict_markdown"]

COLOURS = {
    "proved": "green",
    "definition": "default",
    "certified": "cyan",
    "tested": "blue",
    "conjecture": "magenta",
    "refuted": "yellow",
    "open": "red",
}
WIDE = 90
"""The least width in columns at which a table has the evidence beside its claim."""
_STRENGTH = ("proof", "certified", "property", "construction", "attack")


def as_json(
    verdicts: Sequence[ClaimResult],
    model: Mapping[str, Any] | None = None,
    other_layers: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """The JSON of `ropeproof check`; its `schema` number changes with its form.

    `model` is the entry of a model's rotation, `other_layers` those of its other rotations.
    """
    found = roles_of(verdicts)
    summary = {status: sum(v.status == status for v in verdicts) for status in ORDER}
    result: dict[str, Any] = {
        "schema": 2,
        "versions": versions(),
        "summary": summary,
        "claims": [
            {
                **claim_json(v.claim, found[v.claim.id]),
                "status": v.status,
                "axioms": list(v.axioms),
                "witness": dict(v.witness) if v.witness else None,
                "evidence": [evidence_json(r) for r in v.records],
                "mutants": {"tried": v.kills.tried, "killed": v.kills.killed},
                "shortfalls": list(v.shortfalls),
                **({"second_solver": v.second.as_json()} if v.second else {}),
                **({"coq": v.coq.as_json()} if v.coq else {}),
            }
            for v in verdicts
        ],
    }
    asked = [v.coq for v in verdicts if v.coq]
    if asked:
        from ropeproof.proofs_check.recheck.coq.answers.totals import summary_json

        result["coq"] = summary_json(asked, _topics(asked))
    if model is not None:
        result["model"] = model
    if other_layers:
        result["other_layers"] = list(other_layers)
    return result


def roles_of(verdicts: Sequence[ClaimResult]) -> Mapping[str, str]:
    """The role of each claim of a run, without building claims for cached results."""
    return listed_roles({v.claim.id: v.claim for v in verdicts})


def evidence_json(record: Record) -> dict[str, Any]:
    """One piece of evidence in the JSON of `check`; `by` only if a user's file alone found it."""
    entry = asdict(record)
    entry.pop("witness")
    if not record.by:
        entry.pop("by")
    return entry


def table(verdicts: Sequence[ClaimResult], width: int = WIDE) -> Group:
    """The table of a run: claim, status, strongest evidence, mutants, seconds; then shortfalls.

    Where `width` is small the evidence stands below its claim.
    """
    narrow = width < WIDE
    grid = Table(box=None, header_style="bold", pad_edge=False)
    for heading in ("claim", "status"):
        grid.add_column(heading, no_wrap=not narrow, overflow="fold")
    if not narrow:
        grid.add_column("strongest evidence")
    grid.add_column("mutants", justify="right", no_wrap=True)
    grid.add_column("seconds", justify="right", no_wrap=True)
    asked = any(v.coq for v in verdicts)
    if asked:
        grid.add_column("Coq", overflow="fold")
    for v in verdicts:
        strongest = _strongest(v, "dim" if narrow else "")
        name = Lines([[Text(v.claim.id)], strongest]) if narrow else v.claim.id
        grid.add_row(
            name,
            Text(v.status, style=COLOURS[v.status]),
            *([] if narrow else [Lines([strongest])]),
            f"{v.kills.killed}/{v.kills.tried}" if v.kills.tried else "-",
            "cached" if v.kept else f"{v.seconds:.2f}",
            *([str(v.coq or "-")] if asked else []),
        )
    parts: list[Any] = [grid, Text("")]
    counts = counted(v.status for v in verdicts)
    killed, tried = sum(v.kills.killed for v in verdicts), sum(v.kills.tried for v in verdicts)
    axioms = dict.fromkeys(a for v in verdicts for a in v.axioms)
    parts.append(
        Text(
            f"{len(verdicts)} claims: {counts}; {killed} of {tried} mutants refuted; "
            f"axioms used: {', '.join(axioms) or 'none'}"
        )
    )
    kept, of = (
        sum(r.kept for v in verdicts for r in v.records),
        sum(len(v.records) for v in verdicts),
    )
    if kept:
        parts.append(
            Text(
                f"{kept} of {of} results are cached from earlier runs of the same sources; "
                "--fresh runs them again"
            )
        )
    if any(v.second for v in verdicts):
        parts.append(Text(_second_summary([v.second for v in verdicts if v.second])))
    if asked:
        parts += _coq_parts([v.coq for v in verdicts if v.coq])
    for v in verdicts:
        for reason in v.shortfalls:
            parts.append(
                Lines([words(f"NOT AS EXPECTED {v.claim.id}: {reason}", "bold red")], indent=2)
            )
        if v.shortfalls and v.witness:
            parts.append(
                Lines([[Text("  witness:", "red"), *_witness_pieces(v.witness, "red")]], indent=4)
            )
    return Group(*parts)


def _witness_pieces(witness: Mapping[str, str], style: str) -> list[Text]:
    """The values of a witness, each as a text that is not broken."""
    texts = [f"{name} = {value}" for name, value in witness.items()]
    last = len(texts) - 1
    values = [f"{text}," if n < last else text for n, text in enumerate(texts)]
    return [Text(value, style) for value in values]


def _witness_text(witness: Mapping[str, str]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in witness.items())


def verdict_markdown(v: ClaimResult) -> str:
    """A verdict as Markdown for a notebook: the status, and each piece of evidence."""
    lines = [f"**{v.claim.id}** is **{v.status}**: {v.claim.title}", ""]
    lines += ["| evidence | outcome | detail |", "| --- | --- | --- |"]
    lines += [
        f"| {r.kind} [{r.name}] | {r.outcome} | {(r.detail or r.domain).replace('|', chr(92) + '|')} |"
        for r in v.records
    ]
    lines += ["", *(f"- not as expected: {reason}" for reason in v.shortfalls)]
    if v.witness:
        lines.append(f"- witness: {_witness_text(v.witness)}")
    return "\n".join(lines)


def _second_summary(opinions: Sequence[SecondOpinion]) -> str:
    """A summary of the second solver's answers over all claims."""
    total, confirmed = sum(o.steps for o in opinions), sum(o.confirmed for o in opinions)
    against = sum(len(o.contradicted) for o in opinions)
    asked = sum(o.questions for o in opinions)
    agreed = sum(o.questions_confirmed for o in opinions)
    return (
        f"smt steps: {confirmed} of {total} confirmed by cvc5, "
        f"{sum(len(o.unknown) for o in opinions)} by z3 alone, {against} contradicted; "
        f"questions, with conditions: {agreed} of {asked} confirmed"
    )


def _coq_parts(found: Sequence[Rechecked]) -> Iterator[Any]:
    """A summary of Coq's verdicts over all claims and by topic, with its refusals."""
    from ropeproof.proofs_check.recheck.coq.answers.totals import refusals, topics_table, totals

    of = totals(found)
    yield Text(
        f"Coq: {of['re-checked']} claims re-checked, {of['partly']} partly, "
        f"{of['not exported']} not exported; {of['accepted']} of {of['steps']} steps"
    )
    yield from (Text(line, style="dim") for line in refusals(found))
    yield Text("")
    yield topics_table(found, _topics(found))


def _topics(found: Sequence[Rechecked]) -> Mapping[str, str]:
    """The topic of each claim by its id."""
    return {r.id: CONTENTS[r.id].topic if r.id in CONTENTS else OWN for r in found}


def _strongest(v: ClaimResult, style: str = "") -> list[Text]:
    against = next((r for r in v.records if r.outcome == "fails" and r.witness), None)
    if v.status == "refuted" and against is not None and against.witness:
        at = words(f"{against.detail}, at", style)
        return [*at, *_witness_pieces(against.witness, style)]
    for kind in _STRENGTH:
        for record in v.records:
            if record.kind == kind and record.outcome == "holds":
                return words(f"{kind}: {record.detail or record.domain}", style)
    return words("none", style)
