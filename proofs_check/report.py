"""What a run says: the JSON of `ropeproof check` and the tables for a reader."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from importlib import metadata
from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from ropeproof.proofs_check.listing import OWN, claim_json, entries
from ropeproof.proofs_check.runner import Verdict
from ropeproof.proofs_check.status import ORDER, Record
from ropeproof.theory.claim import Claim, Reading
from ropeproof.theory.derivation import Step
from ropeproof.theory.roles import roles

if TYPE_CHECKING:
    from ropeproof.proofs_check.coq.check import Rechecked
    from ropeproof.proofs_check.second_solver import SecondOpinion

__all__ = [
    "as_json",
    "errata",
    "erratum",
    "show_claim",
    "shown_json",
    "table",
    "verdict_markdown",
    "versions",
]

COLOURS = {
    "proved": "green",
    "certified": "cyan",
    "tested": "blue",
    "conjecture": "magenta",
    "refuted": "yellow",
    "open": "red",
}
WIDE = 90
"""Columns from which a table has the evidence beside its claim."""
_STRENGTH = ("proof", "certified", "property", "construction", "attack")


def versions() -> dict[str, str]:
    """Versions of the interpreter and of every package that a verdict rests on."""
    found = {"python": platform.python_version()}
    packages = "ropeproof sympy z3-solver cvc5 python-flint quicktions gmpy2 numpy scipy torch"
    for package in packages.split():
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = "not installed"
    return found


def as_json(
    verdicts: Sequence[Verdict],
    model: Mapping[str, Any] | None = None,
    other_layers: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """The JSON of `ropeproof check`; `schema` changes with its form.

    `model` is the entry of a model's rotation, `other_layers` those of its further ones.
    """
    found = _roles(verdicts)
    summary = {status: sum(v.status == status for v in verdicts) for status in ORDER}
    result: dict[str, Any] = {
        "schema": 1,
        "versions": versions(),
        "summary": summary,
        "claims": [
            {
                **claim_json(v.claim, found[v.claim.id]),
                "status": v.status,
                "axioms": list(v.axioms),
                "witness": dict(v.witness) if v.witness else None,
                "evidence": [_evidence_json(r) for r in v.records],
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
        from ropeproof.proofs_check.coq.totals import summary_json

        result["coq"] = summary_json(asked, _topics(asked))
    if model is not None:
        result["model"] = model
    if other_layers:
        result["other_layers"] = list(other_layers)
    return result


def _roles(verdicts: Sequence[Verdict]) -> Mapping[str, str]:
    """By the catalogue's list, which is kept: a run that only shows kept results builds no claim."""
    listed = {id: entry.role for id, entry in entries().items()}
    own = {v.claim.id: v.claim for v in verdicts if v.claim.id not in listed}
    return {**roles(own), **listed}


def _evidence_json(record: Record) -> dict[str, Any]:
    entry = asdict(record)
    entry.pop("witness")
    return entry


def table(verdicts: Sequence[Verdict], width: int = WIDE) -> Group:
    """Claim, status, strongest evidence, mutants killed, seconds; then what fell short.

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
        name = Text.assemble(v.claim.id, ("\n" + _strongest(v), "dim")) if narrow else v.claim.id
        grid.add_row(
            name,
            Text(v.status, style=COLOURS[v.status]),
            *([] if narrow else [_strongest(v)]),
            f"{v.kills.killed}/{v.kills.tried}" if v.kills.tried else "-",
            "kept" if v.kept else f"{v.seconds:.2f}",
            *([str(v.coq or "-")] if asked else []),
        )
    parts: list[Any] = [grid, Text("")]
    counts = ", ".join(
        f"{n} {status}" for status in ORDER if (n := sum(v.status == status for v in verdicts))
    )
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
                f"{kept} of {of} results are kept from earlier runs of the same sources; "
                "--fresh runs them again"
            )
        )
    if any(v.second for v in verdicts):
        parts.append(Text(_second_summary([v.second for v in verdicts if v.second])))
    if asked:
        parts += _coq_parts([v.coq for v in verdicts if v.coq])
    for v in verdicts:
        for reason in v.shortfalls:
            parts.append(Text(f"NOT AS EXPECTED {v.claim.id}: {reason}", style="bold red"))
        if v.shortfalls and v.witness:
            parts.append(Text(f"  witness: {_witness_text(v.witness)}", style="red"))
    return Group(*parts)


def _witness_text(witness: Mapping[str, str]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in witness.items())


def verdict_markdown(v: Verdict) -> str:
    """A verdict as a notebook shows it: the status, and each piece of evidence."""
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
    """What the second solver says of all claims together."""
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
    """What Coq says of all claims together, topic by topic, and what it refuses."""
    from ropeproof.proofs_check.coq.totals import refusals, topics_table, totals

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
    listed = entries()
    return {r.id: listed[r.id].topic if r.id in listed else OWN for r in found}


def _strongest(v: Verdict) -> str:
    against = next((r for r in v.records if r.outcome == "fails" and r.witness), None)
    if v.status == "refuted" and against is not None and against.witness:
        return f"{against.detail}, at {_witness_text(against.witness)}"
    for kind in _STRENGTH:
        for record in v.records:
            if record.kind == kind and record.outcome == "holds":
                return f"{kind}: {record.detail or record.domain}"
    return "none"


def show_claim(claim: Claim, verdict: Verdict, *, expand: bool = False) -> Group:
    """Statement, hypotheses, derivation with the rule of each step, evidence, axioms.

    Terms that have a name are shown by it, and listed; with `expand` everything is written out.
    """
    from ropeproof.proofs_check.naming import named
    from ropeproof.proofs_check.plain import plain as text

    shown = named(claim)

    def plain(formula: Any) -> str:
        return text(formula if expand else shown(formula))

    lines: list[Any] = [
        Text.assemble(
            (claim.id, "bold"),
            "  ",
            (verdict.status, COLOURS[verdict.status]),
            f"  {_roles([verdict])[claim.id]}",
        ),
        Text(claim.title, style="italic"),
        Text(""),
        Text(claim.statement),
        Text(_source(claim)),
    ]
    if claim.hypotheses:
        lines.append(Text("\nHypotheses", style="bold"))
        for h in claim.hypotheses:
            note = f"  [idle: {h.idle}]" if h.idle else ""
            note = f"  [needed, not shown: {h.unshown}]" if h.unshown else note
            lines.append(Text(f"  {h.name}: {plain(h.formula)}{note}"))
    if claim.conclusion is not None:
        lines += [Text("\nConclusion", style="bold"), Text(f"  {plain(claim.conclusion)}")]
    if claim.derivation is not None:
        lines.append(Text("\nDerivation", style="bold"))
        for number, step in enumerate(claim.derivation.steps, 1):
            lines += _step_lines(number, step, plain)
    lines.append(Text("\nEvidence", style="bold"))
    for r in verdict.records:
        where = f" on {r.domain}" if r.domain else ""
        kept = " (kept)" if r.kept else ""
        lines.append(Text(f"  {r.kind} [{r.name}] {r.outcome}{where}: {r.detail}{kept}"))
    if claim.mutants:
        lines.append(Text("\nMutants", style="bold"))
        for m in claim.mutants:
            note = f"  [equivalent: {m.equivalent}]" if m.equivalent else ""
            lines.append(Text(f"  {m.name}: {plain(m.conclusion)}{note}"))
    if verdict.second is not None:
        lines.append(Text(f"\nSecond solver: {verdict.second}"))
    if verdict.coq is not None:
        lines.append(Text(f"\nCoq: {verdict.coq}"))
    if shown.definitions and not expand:
        lines.append(Text("\nNames (--expand writes them out)", style="bold"))
        for name in shown.definitions.values():
            lines.append(Text(f"  {text(name.equation)}: {name.meaning}"))
    lines.append(Text(f"\nAxioms: {', '.join(verdict.axioms) or 'none'}"))
    lines.append(Text(f"Uses: {', '.join(claim.uses) or 'no other claim'}"))
    return Group(*lines)


def _source(claim: Claim) -> str:
    parts = [claim.source.paper, claim.source.locator, claim.source.fidelity]
    return f"Source: {', '.join(p for p in parts if p)}"


def _step_lines(number: int, step: Step, plain: Callable[[Any], str]) -> Iterable[Text]:
    label = "" if step.label == str(number) else f" {step.label}:"
    yield Text(f"  {number}.{label} {plain(step.conclusion)}")
    if step.assuming:
        yield Text(f"     assuming {'; '.join(plain(a) for a in step.assuming)}", style="dim")
    using = f" from {'; '.join(step.using)}" if step.using else ""
    yield Text(f"     by {step.rule}{using}. {step.because}", style="dim")


def shown_json(verdict: Verdict) -> dict[str, Any]:
    """The JSON of `ropeproof show`: the claim's entry with its formal statement and steps."""
    from ropeproof.proofs_check.plain import plain
    from ropeproof.theory.latex import PRINTER

    claim = verdict.claim
    entry = as_json([verdict])["claims"][0]
    steps = claim.derivation.steps if claim.derivation else ()
    return {
        "schema": 1,
        **entry,
        "statement": claim.statement,
        "hypotheses": [
            {"name": h.name, "formula": plain(h.formula), "latex": PRINTER.doprint(h.formula)}
            for h in claim.hypotheses
        ],
        "conclusion": None if claim.conclusion is None else plain(claim.conclusion),
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


def erratum(verdict: Verdict) -> dict[str, Any]:
    """One printed statement that is false, as JSON.

    `reading` and `witness` are a string and an object, lists of the same length if there are several
    readings; values are exact where an equation determines them, and a witness that was not found
    again is null. A statement without a reading is refuted by a proof of its negation: `reading` is
    then what was printed, and there is no witness.
    """
    claim = verdict.claim
    readings: list[Any] = [reading.text for reading in claim.readings]
    records = zip(claim.readings, _rechecks(verdict), strict=True)
    witnesses: list[Any] = [
        {name: exact for name, (exact, _) in values.items()} if values else None
        for values in (_witness(reading, record) for reading, record in records)
    ]
    return {
        "id": claim.id,
        "paper": claim.source.paper,
        "locator": claim.source.locator,
        "printed": claim.statement,
        "reading": readings if len(readings) > 1 else next(iter(readings), claim.statement),
        "witness": witnesses if len(readings) > 1 else next(iter(witnesses), None),
        "charitable": claim.true_when,
        "repaired_by": claim.repaired_by,
        "rechecked": _rechecked(verdict),
    }


def _rechecked(verdict: Verdict) -> bool:
    return verdict.status == "refuted" and not verdict.shortfalls


def _rechecks(verdict: Verdict) -> list[Record | None]:
    """The record of each reading, in their order; None for one that was not run."""
    by_name = {record.name: record for record in verdict.records if record.kind == "attack"}
    return [by_name.get(f"reading {n}") for n in range(1, len(verdict.claim.readings) + 1)]


def _witness(reading: Reading, record: Record | None) -> dict[str, tuple[str, str]] | None:
    """The values that were found again, each exactly and as it was evaluated."""
    from ropeproof.proofs_check.plain import plain

    if record is None or record.outcome != "holds" or not record.witness:
        return None
    exact = {str(equation.lhs): plain(equation.rhs) for equation in reading.at}
    names = [*(name for name in exact if name in record.witness), *record.witness]
    return {n: (exact.get(n, record.witness[n]), record.witness[n]) for n in dict.fromkeys(names)}


def errata(verdicts: Sequence[Verdict], claims: Mapping[str, Claim]) -> Group:
    """The printed statements that are false, one after another, for a referee.

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
        "re-checked now, or kept from an earlier run of the same sources"
        if kept
        else "re-checked now"
    )
    parts.append(Text(f"Printed statements that are false: {len(verdicts)}; {when}: {good}."))
    return Group(*parts)


def _erratum_rows(verdict: Verdict, claims: Mapping[str, Claim]) -> Iterable[tuple[str, Text]]:
    from ropeproof.proofs_check.plain import plain

    claim = verdict.claim
    yield "Printed", Text(f"(in our words) {claim.statement}")
    for reading, record in zip(claim.readings, _rechecks(verdict), strict=True):
        yield "Read as", Text(reading.text)
        values = _witness(reading, record)
        if record is None or values is None:
            why = "not run" if record is None else f"{record.outcome}: {record.detail}"
            yield "Witness", Text(f"NOT RE-CHECKED ({why})", style="bold red")
            continue
        yield (
            "Witness",
            Text(
                ", ".join(
                    f"{name} = {exact}" + ("" if exact == value else f" = {value}")
                    for name, (exact, value) in values.items()
                )
            ),
        )
        yield "", Text(f"fails there: {plain(reading.conclusion)}")
        when = "kept from an earlier run" if record.kept else "re-checked now"
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
