"""Outcomes of evidence, which have more values than true and false and no truth value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NoReturn

__all__ = [
    "UNSEEN",
    "DerivationReport",
    "Kills",
    "Outcome",
    "StepReport",
    "fails",
    "holds",
    "unknown",
    "unsupported",
    "visible",
]


@dataclass(frozen=True)
class Outcome:
    """An outcome: `holds`, `fails` (with a witness), `unknown` or `unsupported` (with a reason)."""

    verdict: Literal["holds", "fails", "unknown", "unsupported"]
    detail: str = ""
    witness: Mapping[str, Any] = field(default_factory=dict)

    def __bool__(self) -> NoReturn:
        raise TypeError("an outcome has no truth value: compare its verdict")


@dataclass(frozen=True)
class StepReport:
    """The kernel's report on one step of a derivation."""

    label: str
    rule: str
    outcome: Outcome
    hypotheses: frozenset[str]


@dataclass(frozen=True)
class DerivationReport:
    """The kernel's report on a whole derivation."""

    outcome: Outcome
    steps: tuple[StepReport, ...]
    axioms: tuple[str, ...]
    instances_of: tuple[str, ...]
    hypotheses: frozenset[str]
    alternatives: tuple[Outcome, ...] = ()


@dataclass(frozen=True)
class Kills:
    """The numbers of mutants tried and killed."""

    tried: int
    killed: int


def holds(detail: str = "") -> Outcome:
    """The outcome of evidence that was gathered and supports the claim."""
    return Outcome("holds", detail)


def fails(detail: str, witness: Mapping[str, Any] | None = None) -> Outcome:
    """The outcome of evidence that contradicts the claim; the witness says where."""
    return Outcome("fails", detail, dict(witness or {}))


def unknown(detail: str) -> Outcome:
    """The outcome of evidence that does not decide; never a pass."""
    return Outcome("unknown", detail)


def unsupported(detail: str) -> Outcome:
    """The outcome of evidence that cannot be gathered here, with the reason."""
    return Outcome("unsupported", detail)


UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
"""Controls of a terminal, and marks that turn or hide what stands around them."""


def visible(text: str) -> str:
    """The text with a question mark for each character that would control a screen or be hidden on it."""
    return UNSEEN.sub("?", text)
