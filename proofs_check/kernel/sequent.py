"""Sequents: what a checked step has established, and how a later step may use it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ropeproof.proofs_check.kernel.normal import Normal
from ropeproof.proofs_check.kernel.smt import PremiseFacts
from ropeproof.proofs_check.kernel.terms import TRUE, Term, free, fresh, substitute

__all__ = ["Refused", "Sequent", "Situation", "conjuncts", "same"]


class Refused(Exception):
    """A rule does not accept a step; the message says why."""


@dataclass(frozen=True)
class Sequent:
    """Under the hypotheses (by name) and the assumptions, the conclusion holds."""

    hypotheses: frozenset[str]
    assumptions: tuple[Term, ...]
    conclusion: Term

    def formula(self, assumed: Iterable[Term]) -> Term:
        """The sequent where `assumed` holds: an implication from what is assumed beyond it."""
        have = {Normal().formula(a) for a in assumed}
        missing = [a for a in self.assumptions if Normal().formula(a) not in have]
        return ("if", ("and", tuple(missing)), self.conclusion) if missing else self.conclusion


def conjuncts(formula: Term) -> list[Term]:
    """The parts of a conjunction, or the formula itself."""
    if formula[0] == "and":
        return [g for f in formula[1] for g in conjuncts(f)]
    return [formula]


def same(a: Term, b: Term) -> bool:
    """Whether two formulas agree up to unconditional arithmetic and bound names."""
    return a == b or Normal().formula(a) == Normal().formula(b)


@dataclass(frozen=True)
class Situation:
    """All that a rule may look at: the goal, its premises and the claim's hypotheses."""

    goal: Term
    premises: tuple[Sequent, ...]
    assuming: tuple[Term, ...]
    hypotheses: Mapping[str, Term]
    arguments: Mapping[str, Any]

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
        return PremiseFacts([*self.formulas(start, fresh), *more])

    def premise(self, position: int) -> Sequent:
        """One premise, or a refusal if there is none."""
        if position >= len(self.premises):
            raise Refused(f"this rule needs {position + 1} premises")
        return self.premises[position]

    def fixed_names(self, premise: Sequent) -> set[str]:
        """Names that the premise holds fixed: those of the hypotheses it rests on."""
        return {n for h in premise.hypotheses for n in free(self.hypotheses[h])}

    def require_fresh(self, name: str, premise: Sequent, assumptions: Iterable[Term] = ()) -> None:
        """Refuse unless the premise holds for every value of `name`."""
        if name in self.fixed_names(premise):
            raise Refused(f"{name} is not universal: a hypothesis speaks about it")
        if any(name in free(a) for a in assumptions):
            raise Refused(f"{name} is not universal: an assumption speaks about it")

    def discharge(self, formula: Term, facts: PremiseFacts) -> None:
        """Refuse unless the formula follows from the facts."""
        if not follows(formula, facts):
            raise Refused(f"does not follow from the premises: {show(formula)}")


def follows(formula: Term, facts: PremiseFacts) -> bool:
    """Whether the formula follows: part by part, under its own premises, or by z3."""
    if formula == TRUE or any(same(formula, p) for p in facts.premises):
        return True
    kind = formula[0]
    if kind == "and":
        return all(follows(f, facts) for f in formula[1])
    if kind == "all":
        taken = set(free(formula)) | {n for p in facts.premises for n in free(p)}
        names = {v[0]: fresh(v[0], taken) for v in formula[1]}
        if any(v[2] for v in formula[1]):
            return False
        renamed = {v[0]: ("x", names[v[0]], v[1]) for v in formula[1]}
        return follows(substitute(formula[2], renamed), facts)
    if kind == "if":
        more = PremiseFacts([*facts.premises, *conjuncts(formula[1])])
        return follows(formula[2], more)
    return facts.known(formula)


def show(term: Any) -> str:
    """A short readable form of a term or formula, for messages."""
    if not isinstance(term, tuple) or not term:
        return str(term)
    kind = term[0]
    infix = {"+": " + ", "*": "*", "and": " and ", "or": " or "}
    relation = {"eq": "=", "ne": "!=", "le": "<=", "lt": "<", "if": "=>", "^": "^"}
    if kind in ("q", "x"):
        return str(term[1])
    if kind in infix:
        return "(" + infix[kind].join(show(t) for t in term[1]) + ")"
    if kind in relation:
        return f"{show(term[1])} {relation[kind]} {show(term[2])}"
    if kind == "f":
        return f"{term[1]}({', '.join(show(t) for t in term[3])})"
    if kind == "sum":
        return f"sum[{term[1]}={show(term[2])}..{show(term[3])}]({show(term[4])})"
    if kind in ("all", "some"):
        return f"{kind} {', '.join(v[0] for v in term[1])}: {show(term[2])}"
    return f"{kind}({', '.join(show(t) for t in term[1:])})"
