"""The record of Coq's verdict on one claim."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ropeproof.proofs_check.recheck.coq.export import admitted_module

__all__ = ["Rechecked"]


@dataclass(frozen=True)
class Rechecked:
    """Coq's verdict on one claim; `axioms` is what its theorem rests on.

    `refused` are steps with the reason, and everything else that keeps the claim from being re-checked: a
    statement that differs, a mutant that has the same proof, an axiom that no step names.
    `admitted` are the claims of which Coq was given the statement alone: where the theorem rests on
    one of them, its verdict is at best `own steps`, which is not `re-checked`.
    """

    id: str
    steps: int
    accepted: int
    refused: tuple[tuple[str, str], ...]
    axioms: tuple[str, ...]
    compiled: bool
    reason: str = ""
    mutants: int = 0  # false neighbours for which the claim's proof was tried
    source: str = ""  # the text of the Coq file, where a page shows it
    admitted: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        """The verdict: `re-checked`, `own steps`, `partly` or `not exported`."""
        if self.reason:
            return "not exported"
        whole = self.compiled and self.accepted == self.steps and not self.refused
        more = {a for a in self.axioms if not a.startswith("Axioms.")}
        if not whole or not more <= {f"{admitted_module(id)}.theorem" for id in self.admitted}:
            return "partly"
        return "own steps" if more else "re-checked"

    def as_json(self) -> dict[str, object]:
        """The entry of the claim in a JSON report."""
        return {
            "id": self.id,
            "verdict": self.verdict,
            "steps": self.steps,
            "accepted": self.accepted,
            "refused": [{"step": s, "because": why} for s, why in self.refused],
            "axioms": list(self.axioms),
            "mutants": self.mutants,
            "compiled": self.compiled,
            "reason": self.reason,
            "admitted": list(self.admitted),
        }

    @classmethod
    def of_json(cls, entry: Mapping[str, Any]) -> Rechecked:
        """The verdict read back from what `as_json` wrote."""
        return cls(
            entry["id"],
            entry["steps"],
            entry["accepted"],
            tuple((r["step"], r["because"]) for r in entry["refused"]),
            tuple(entry["axioms"]),
            compiled=entry["compiled"],
            reason=entry["reason"],
            mutants=entry["mutants"],
            admitted=tuple(entry["admitted"]),
        )

    def __str__(self) -> str:
        if self.verdict == "own steps":
            return f"its own steps; admitted: {', '.join(self.admitted)}"
        if self.verdict != "partly":
            return self.verdict if not self.reason else f"not exported: {self.reason}"
        own = [f"step {s}" if s.isdigit() else s for s, _ in self.refused]
        rests = [a for a in self.axioms if not a.startswith("Axioms.") and "." in a]
        return f"partly: {', '.join([*own, *rests]) or 'what it uses'}"
