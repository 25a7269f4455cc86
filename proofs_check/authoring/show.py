"""Reports on tried proofs, for the terminal and for a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from rich.console import Group
from rich.padding import Padding
from rich.text import Text

from ropeproof.proofs_check.authoring.trial_results import (
    FalsifyingValues,
    Refusal,
    TriedClaim,
    TriedStep,
)

__all__ = ["html", "text"]

MOST_VALUES = 12


def text(claims: Sequence[TriedClaim]) -> Group:
    """The report for the terminal: one line for a proof that holds, all refused steps of others."""
    lines: list[Text | Padding] = []
    for tried in claims:
        lines += _claim(tried)
    bad = sum(not tried.holds for tried in claims)
    good = len(claims) - bad
    style = "bold red" if bad else "bold green"
    summary = f"{good} of {len(claims)} proofs hold"
    if not bad:
        summary += "; `ropeproof check --module FILE` also attacks the claims"
    lines.append(Text(summary, style=style))
    return Group(*lines)


def _claim(tried: TriedClaim) -> Iterator[Text | Padding]:
    refused = [s for s in tried.steps if s.refusal is not None]
    count = f"{len(tried.steps)} steps"
    count += f", {tried.kept} of them unchanged" if tried.kept else ""
    verdict = "holds" if tried.holds else f"{len(refused)} refused" if refused else "not yet"
    colour = "green" if tried.holds else "red"
    yield Text.assemble(
        (tried.claim.id, "bold"), "  ", (verdict, colour), f"  ({count}, {tried.seconds:.1f} s)"
    )
    for step in refused:
        yield Text("")
        yield from (Padding(line, (0, 0, 0, indent), expand=False) for indent, line in _step(step))
    for remark in tried.remarks:
        yield Padding(Text(remark, style="red"), (0, 0, 0, 2), expand=False)
    if tried.false_at is not None:
        yield from (Padding(line, (0, 0, 0, 2), expand=False) for line in _instance(tried.false_at))
    if refused or tried.remarks:
        yield Text("")


def _step(tried: TriedStep) -> Iterator[tuple[int, Text]]:
    refusal = tried.refusal
    assert refusal is not None
    place = f"{tried.place}: " if tried.place else ""
    label = tried.step.label
    named = f" {label!r}" if label != str(tried.number) else ""
    yield (
        2,
        Text.assemble(
            (place, "cyan"),
            (f"step {tried.number}{named} is refused", "bold red"),
            f"  {tried.step.because}",
        ),
    )
    for heading, content in _rows(refusal):
        yield 4, Text.assemble((f"{heading:<9} ", "dim"), content)
    if tried.rests_on:
        steps = ", ".join(map(str, tried.rests_on))
        yield 4, Text(f"it rests on step {steps}, refused above and taken to hold", style="dim")
    for hint in refusal.hints:
        yield 4, Text(f"-> {hint}", style="green")
    for instance in refusal.instances:
        for line in _instance(instance):
            yield 4, line


def _rows(refusal: Refusal) -> Iterator[tuple[str, str]]:
    yield "goal", refusal.goal
    for formula in refusal.assuming:
        yield "assuming", formula
    for name, formula in refusal.premises:
        yield "from", f"{name}: {formula}" if not name.isdigit() else f"step {name}: {formula}"
    if not refusal.premises:
        yield "from", "no premises"
    for rule, reason in refusal.tried:
        yield "rule", f"{rule}: {reason}"
    for detail in refusal.details:
        yield "", detail


def _instance(instance: FalsifyingValues) -> Iterator[Text]:
    values = list(instance.values.items())
    shown = ", ".join(f"{name} = {value}" for name, value in values[:MOST_VALUES])
    more = f", ... ({len(values) - MOST_VALUES} more)" if len(values) > MOST_VALUES else ""
    yield Text(f"{instance.what}: {shown}{more}", style="yellow")
    for side in instance.sides:
        yield Text(f"  {side}", style="yellow")


def html(claims: Sequence[TriedClaim]) -> str:
    """The report as HTML for a notebook, with the goals typeset."""
    from ropeproof.theory.language.latex import PRINTER

    parts: list[str] = []
    for tried in claims:
        refused = [s for s in tried.steps if s.refusal is not None]
        colour = "#1a7f37" if tried.holds else "#b42318"
        verdict = "holds" if tried.holds else f"{len(refused)} of {len(tried.steps)} steps refused"
        parts.append(
            f"<p><code>{escape(tried.claim.id)}</code> "
            f'<b style="color:{colour}">{verdict}</b> ({len(tried.steps)} steps)</p>'
        )
        for step in refused:
            assert step.refusal is not None
            lines = [escape(f"{h}: {c}" if h else c) for h, c in _rows(step.refusal) if h != "goal"]
            lines += [f"<b>{escape(hint)}</b>" for hint in step.refusal.hints]
            lines += _escaped(line for i in step.refusal.instances for line in _instance(i))
            parts.append(
                f"<details open><summary>step {step.number} is refused: "
                f"$\\displaystyle {escape(PRINTER.doprint(step.step.conclusion))}$</summary>"
                f"<ul>{''.join(f'<li>{line}</li>' for line in lines)}</ul></details>"
            )
        parts += [f"<p>{escape(remark)}</p>" for remark in tried.remarks]
        if tried.false_at is not None:
            parts += [f"<p>{line}</p>" for line in _escaped(_instance(tried.false_at))]
    return "".join(parts)


def _escaped(lines: Iterable[Text]) -> list[str]:
    return [escape(line.plain) for line in lines]
