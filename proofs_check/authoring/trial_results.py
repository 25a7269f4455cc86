"""Results about a proof that is being written: plain data for the terminal and notebooks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ropeproof.proofs_check.authoring.remedy import Remedy
from ropeproof.theory.language.claim import Claim
from ropeproof.theory.language.derivation import Step

__all__ = ["FalsifyingValues", "Refusal", "TriedClaim", "TriedStep"]


@dataclass(frozen=True)
class FalsifyingValues:
    """Values at which a formula, named by `what`, is false, with the values of its two sides."""

    what: str
    values: Mapping[str, str]
    sides: tuple[str, ...] = ()


@dataclass(frozen=True)
class Refusal:
    """The explanation of why a step is refused.

    `goal` and `premises` (name, formula) are what the rule saw; `tried` are the rules that were tried,
    the step's own first, each with its reason; `hints` say what would help, and `remedy` is the part of
    it that can be written into the file.
    """

    goal: str
    assuming: tuple[str, ...]
    premises: tuple[tuple[str, str], ...]
    tried: tuple[tuple[str, str], ...]
    details: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    instances: tuple[FalsifyingValues, ...] = ()
    remedy: Remedy | None = None


@dataclass(frozen=True)
class TriedStep:
    """The result of one step: it holds if there is no refusal and the steps it rests on hold."""

    number: int
    step: Step
    place: str
    seconds: float
    kept: bool
    refusal: Refusal | None = None
    rests_on: tuple[int, ...] = ()


@dataclass(frozen=True)
class TriedClaim:
    """The result for the proof of one claim; `remarks` are errors outside the steps."""

    claim: Claim
    steps: tuple[TriedStep, ...]
    remarks: tuple[str, ...] = ()
    false_at: FalsifyingValues | None = None
    seconds: float = 0.0
    kept: int = field(default=0)

    @property
    def holds(self) -> bool:
        """Whether every step holds and the last is the claim's conclusion."""
        return not self.remarks and all(s.refusal is None for s in self.steps)
