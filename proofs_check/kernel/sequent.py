"""Sequents: what a checked step has established, and how a later step may use it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ropeproof.proofs_check.kernel.formulas import canonical
from ropeproof.proofs_check.kernel.messages import show
from ropeproof.proofs_check.kernel.read import read
from ropeproof.proofs_check.kernel.smt import PremiseFacts
from ropeproof.proofs_check.kernel.terms import TRUE, Term, free, fresh, opened

__all__ = ["Refused", "Sequent", "Situation", "conjuncts", "same"]


class Refused(Exception):
    """A rule does not accept a step; the message says why."""


@dataclass(frozen=True)
class Sequent:
    """A checked statement: under the hypotheses (by name) and the assumptions, the conclusion holds."""

    hypotheses: frozenset[str]
    assumptions: tuple[Term, ...]
    conclusion: Term

    def formula(self, assumed: Iterable[Term]) -> Term:
        """The sequent as a formula where `assumed` holds: an implication from its other assumptions."""
        have = {canonical(a) for a in assumed}
        missing = [a for a in self.assumptions if canonical(a) not in have]
        return ("if", ("and", tuple(missing)), self.conclusion) if missing else self.conclusion


def conjuncts(formula: Term) -> list[Term]:
    """The parts of a conjunction, or the formula itself."""
    if formula[0] == "and":
        return [g for f in formula[1] for g in conjuncts(f)]
    return [formula]


def same(a: Term, b: Term) -> bool:
    """Whether two formulas agree up to unconditional arithmetic and bound names."""
    return a == b or canonical(a) == canonical(b)


@dataclass(frozen=True)
class Situation:
    """All that a rule may look at: the goal, its premises and the claim's hypotheses."""

    goal: Term
    premises: tuple[Sequent, ...]
    assuming: tuple[Term, ...]
    hypotheses: Mapping[str, Term]
    arguments: Mapping[str, Any]
    # What was found out for one step is forgotten after it: every question that the acceptance of
    # a step rests on is put while that step is checked, whatever was checked before.
    found: dict[tuple[Term, ...], PremiseFacts] = field(default_factory=dict, compare=False)

    def formulas(self, start: int = 0, fresh: str | None = None) -> list[Term]:
        """The premises from `start` on, as formulas, with what the step assumes.

        Without those premises that hold `fresh` fixed, where that name stands for any value.
        """
        usable = [p for p in self.premises[start:] if fresh not in self.fixed_names(p)]
        parts = [p.formula(self.assuming) for p in usable]
        return [c for f in (*parts, *self.assuming) for c in conjuncts(f)]

    def facts(
        self, start: int = 0, extra: Iterable[Term] = (), fresh: str | None = None
    ) -> PremiseFacts:
        """The premises as facts for the normal form and for discharging conditions."""
        more = (c for f in extra for c in conjuncts(f))
        premises = (*self.formulas(start, fresh), *more)
        if premises not in self.found:
            self.found[premises] = PremiseFacts(premises)
        return self.found[premises]

    def premise(self, position: int) -> Sequent:
        """The premise at a position, from 0; raises `Refused` if there are fewer."""
        if position >= len(self.premises):
            raise Refused(f"this rule needs {position + 1} premises")
        return self.premises[position]

    def term(self, argument: str) -> Term:
        """A term among the rule's arguments; its names mean the same there as in the step."""
        result = read(self.arguments[argument])
        told = (f for p in self.premises for f in (p.conclusion, *p.assumptions))
        free(result, self.goal, *self.assuming, *told)
        return result

    def fixed_names(self, premise: Sequent) -> set[str]:
        """The names that a premise holds fixed: those of the hypotheses that it rests on."""
        return {n for h in premise.hypotheses for n in free(self.hypotheses[h])}

    def require_fresh(self, name: str, premise: Sequent, others: Iterable[Term] = ()) -> None:
        """Raise `Refused` if the premise holds `name` fixed, or one of the other formulas speaks about it."""
        if name in self.fixed_names(premise):
            raise Refused(f"{name} is not universal: a hypothesis speaks about it")
        if name in free(*others):
            raise Refused(f"{name} is not universal: what is assumed or concluded speaks about it")

    def discharge(self, formula: Term, facts: PremiseFacts) -> None:
        """Refuse unless the formula follows from the facts."""
        if not follows(formula, facts):
            raise Refused(f"does not follow from the premises: {show(formula)}")


def follows(formula: Term, facts: PremiseFacts) -> bool:
    """Whether a formula follows from the facts: part by part, under its own premises, or by z3."""
    if formula == TRUE or any(same(formula, p) for p in facts.premises):
        return True
    kind = formula[0]
    if kind == "and":
        return all(follows(f, facts) for f in formula[1])
    if kind == "all":
        return follows(opened(formula, fresh(formula, facts.names)), facts)
    if kind == "if":
        return follows(formula[2], PremiseFacts([*facts.premises, *conjuncts(formula[1])]))
    return facts.known(formula)
