"""A derivation as text: each step with its formula, its rule and its premises."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ropeproof.proofs_check.present.claim_view import all_of
from ropeproof.proofs_check.present.latex import rule_arguments
from ropeproof.proofs_check.present.lines import Document, flat
from ropeproof.proofs_check.present.width import width
from ropeproof.proofs_check.reports.outline import outline
from ropeproof.proofs_check.site.markup.text import display, inline, plain
from ropeproof.proofs_check.site.site import Site
from ropeproof.theory.language.claim import Claim
from ropeproof.theory.language.derivation import Rule, Step

__all__ = ["derivation", "formula_after", "outlined", "rule_anchor"]

_LONG = 20
"""The smallest number of steps of a derivation that has an outline on its page."""
_SHORT = 40.0
"""The largest width in characters of a formula within a line of prose."""


def rule_anchor(name: str) -> str:
    """The anchor of a rule on the page of rules.

    >>> rule_anchor("sums.termwise")
    'rule-sums-termwise'
    """
    return f"rule-{name.replace('.', '-').replace('_', '-')}"


def derivation(site: Site, claim: Claim) -> Iterator[str]:
    """The steps of a claim's derivation, numbered, with links between them."""
    steps = claim.derivation.steps if claim.derivation else ()
    numbers = {step.label: number for number, step in enumerate(steps, 1)}
    anchor, shown = site.anchors[claim.id], site.shown(claim)
    for number, step in enumerate(steps, 1):
        yield ""
        yield f'<div class="step" id="{anchor}-step-{number}">'
        yield ""
        label = "" if step.label == str(number) else f" *{plain(step.label)}.*"
        yield f"**{number}.**{label} {plain(step.because)}"
        yield from display(shown.latex(step.conclusion))
        yield from _reason(site, claim, step, anchor, numbers)
        yield ""
        yield "</div>"


def outlined(site: Site, claim: Claim) -> Iterator[str]:
    """The outline of a claim's derivation, each entry with a link to its step; nothing if it is short."""
    steps = claim.derivation.steps if claim.derivation else ()
    found = outline(claim)
    if len(steps) < _LONG or 2 * len(found) > len(steps) or site.paper:
        return
    anchor = site.anchors[claim.id]
    yield ""
    yield '<div class="outline">'
    yield ""
    yield f"**Outline**, {len(found)} of {len(steps)} steps:"
    yield ""
    for entry in found:
        place = f'<a href="#{anchor}-step-{entry.number}">{entry.number}</a>'
        name = site.link(entry.name) if entry.kind == "lemma" else plain(entry.name)
        kind = f"{entry.kind} {name}".strip()
        yield f"- {place}, {kind}: {plain(entry.step.because)}"
    yield ""
    yield "</div>"


def _reason(
    site: Site, claim: Claim, step: Step, anchor: str, numbers: Mapping[str, int]
) -> Iterator[str]:
    """The rule, premises and assumptions of a step."""
    premises, shown = [], site.shown(claim)
    for name in step.using:
        if name in numbers:
            number_of = str(numbers[name])
            link = f'<a href="#{anchor}-step-{number_of}">{number_of}</a>'
            premises.append(number_of if site.paper else link)
        else:
            premises.append(f"*{plain(name)}*")
    using = f", from {', '.join(premises)}" if premises else ""
    yield f"By {_rule(site, step.rule)}{using}."
    if step.assuming:
        yield from formula_after("Assuming ", shown.latex(all_of(step.assuming)))
    arguments = [
        f"{words} ${flat(formula)}$".lstrip()
        for words, formula in rule_arguments(step.rule, shown.latex)
    ]
    if arguments:
        yield ""
        yield f"With {', '.join(arguments)}."


def _rule(site: Site, rule: Rule) -> str:
    if rule.name == "by_claim":
        return site.link(rule.arguments["id"])
    name = rule.arguments.get("name", "") if rule.name == "axiom" else ""
    shown = f"`{rule.name}`" + (f" *{plain(name)}*" if name else "")
    if site.paper:
        return shown
    return f'<a href="rules.html#{rule_anchor(rule.name)}"><code>{rule.name}</code></a>' + (
        f" *{plain(name)}*" if name else ""
    )


def formula_after(prose: str, formula: Document) -> Iterator[str]:
    """A formula in LaTeX after a few words: on the same line if it is short, else displayed."""
    if width(flat(formula)) <= _SHORT:
        yield f"{prose}{inline(formula)}"
        return
    yield prose.rstrip()
    yield from display(formula, "  " if prose.startswith("- ") else "")
