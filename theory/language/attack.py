"""The attack on a claim, beside its proof: mutants, and where to look for counterexamples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language.claim import Claim, Hypothesis, Mutant
from ropeproof.theory.language.logic import where
from ropeproof.theory.language.types.terms import Formula, Term

__all__ = ["Attack"]

Aim: TypeAlias = Mapping[Term, Term | int] | tuple[Formula, ...]  # values of terms, or formulas


@dataclass(frozen=True)
class Attack:
    """The attack on a claim: false variants of it, and what shows that each hypothesis is needed.

    `mutants` gives false conclusions by name, `at` aims the search for a counterexample to some of
    them, `equivalent` says why a surviving one is no defect. The keys of `without`, `idle` and `unshown`
    are hypotheses; their meaning is that of the fields of `Hypothesis`. An aim is a mapping from terms
    to their values, or a tuple of formulas.
    """

    mutants: Mapping[str, Formula] = field(default_factory=dict)
    at: Mapping[str, Aim] = field(default_factory=dict)
    equivalent: Mapping[str, str] = field(default_factory=dict)
    without: Mapping[Hypothesis, Aim] = field(default_factory=dict)
    idle: Mapping[Hypothesis, str] = field(default_factory=dict)
    unshown: Mapping[Hypothesis, str] = field(default_factory=dict)

    def on(self, claim: Claim) -> Claim:
        """The claim with this attack. Raises `InvalidClaim` for an unknown mutant or hypothesis."""
        named = {n for field in (self.at, self.equivalent) for n in field} - set(self.mutants)
        known = {h.name for h in claim.hypotheses}
        aimed: dict[str, dict[str, Any]] = {
            "without": {h.name: _aim(value) for h, value in self.without.items()},
            "idle": {h.name: why for h, why in self.idle.items()},
            "unshown": {h.name: why for h, why in self.unshown.items()},
        }
        strange = {n for given in aimed.values() for n in given} - known
        for what, names in (("mutants", named), ("hypotheses", strange)):
            if names:
                raise InvalidClaim(
                    f"{claim.id}: attacks {what} it has not: {', '.join(sorted(names))}"
                )
        mutants = tuple(
            Mutant(name, formula, self.equivalent.get(name, ""), _aim(self.at.get(name, ())))
            for name, formula in self.mutants.items()
        )
        hypotheses = tuple(
            replace(h, **{f: given[h.name] for f, given in aimed.items() if h.name in given})
            for h in claim.hypotheses
        )
        return replace(claim, hypotheses=hypotheses, mutants=(*claim.mutants, *mutants))


def _aim(aim: Aim) -> tuple[Formula, ...]:
    return aim if isinstance(aim, tuple) else where(aim)
