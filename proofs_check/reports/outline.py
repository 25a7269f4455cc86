"""The outline of a proof: the few steps that carry its idea, without those that work it out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ropeproof.theory.language.claim import Claim
from ropeproof.theory.language.derivation import Step

__all__ = ["OutlineEntry", "outline"]

WORDS: Mapping[str, str] = {
    "by_claim": "lemma",
    "axiom": "axiom",
    "sums.induction": "induction",
    "mean_value": "mean value theorem",
    "choose": "choice",
}
"""The word for a step of the outline, by the name of its rule."""
STATION = 4
"""A step on which at least so many others rest is a claim of its own."""


@dataclass(frozen=True)
class OutlineEntry:
    """A step of the outline, with its number in the proof, and how deep it stands in assumptions.

    `kind` is `lemma`, `axiom`, `induction`, `mean value theorem`, `choice`, `cases`, `claim` or
    `conclusion`; `name` is the id of the lemma or the name of the axiom, else empty.
    """

    number: int
    step: Step
    kind: str
    name: str
    depth: int


def outline(claim: Claim) -> tuple[OutlineEntry, ...]:
    """The outline of a claim's proof: claims, cases, inductions, choices and lemmas, in their order.

    A claim within the proof is a step that its author marked with `keep`, or on which four or more
    others rest. A lemma that is applied several times stands there once, at its first application. The
    last step is always there. Empty for a claim without a proof.
    """
    steps = claim.derivation.steps if claim.derivation else ()
    used: dict[str, int] = {}
    for step in steps:
        for name in set(step.using):
            used[name] = used.get(name, 0) + 1
    by_label = {step.label: step for step in steps}
    found: list[OutlineEntry] = []
    told: set[str] = set()
    for number, step in enumerate(steps, 1):
        kind = WORDS.get(step.rule.name, "")
        name = str(step.rule.arguments.get("id") or step.rule.arguments.get("name") or "")
        if name and name in told:
            kind = ""
        elif number == len(steps):
            kind = kind or "conclusion"
        elif not kind and _is_by_cases(step, [by_label[n] for n in step.using if n in by_label]):
            kind = "cases"
        if not kind and (step.keep or used.get(step.label, 0) >= STATION):
            kind, name = "claim", ""
        if kind:
            told.add(name)
            found.append(OutlineEntry(number, step, kind, name, len(step.assuming)))
    return tuple(found)


def _is_by_cases(step: Step, premises: Sequence[Step]) -> bool:
    """Whether a step puts together proofs of its conclusion under different assumptions."""
    same = [p for p in premises if p.conclusion == step.conclusion]
    return len({tuple(p.assuming) for p in same}) > 1
