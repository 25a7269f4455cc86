"""The context for the proof of one step: its goal, and its premises as facts in Coq."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ropeproof.proofs_check.kernel.formulas import canonical
from ropeproof.proofs_check.kernel.sequent import Sequent, conjuncts
from ropeproof.proofs_check.kernel.terms import Term, free
from ropeproof.proofs_check.recheck.coq.arithmetic.closing import nested
from ropeproof.proofs_check.recheck.coq.arithmetic.unknowns import NotExported, Premise
from ropeproof.proofs_check.recheck.coq.lemma_instances import taken
from ropeproof.proofs_check.recheck.coq.printing import proposition
from ropeproof.proofs_check.recheck.coq.steps import Goal, Lemma, converted, taking_apart

__all__ = ["StepGoal", "Used"]


@dataclass(frozen=True)
class Used:
    """A premise of a step: the sequent, with its lemma or the name of the hypothesis."""

    sequent: Sequent
    lemma: Lemma | None
    hypothesis: str = ""


@dataclass
class StepGoal:
    """The goal, premises, assumptions and arguments that the proof of a step may use."""

    at: Goal  # the goal, with the assumptions as premises
    used: tuple[Used, ...]
    assuming: tuple[Term, ...]
    arguments: Mapping[str, Any]
    given: Mapping[str, str]  # proofs of the hypotheses by name
    lookup: Callable[[str, str], Lemma]  # kind and name of another claim or an axiom

    def premise(
        self, i: int, values: Mapping[str, Any] | None = None, at: Goal | None = None
    ) -> tuple[str, Premise, list[Term]]:
        """A script that instantiates premise i at symbols of the same name, or at given values.

        Also returns the fact, an implication from its assumptions, and those assumptions.
        """
        at, used = at or self.at, self.used[i]
        if used.lemma is None:
            formula = used.sequent.conclusion
            if values and set(values) & set(free(formula)):
                raise NotExported("an instance of a hypothesis")
            return "idtac", Premise(used.hypothesis, formula), []
        name = at.fresh("P")
        hyps = [self.given[h] for h in sorted(used.sequent.hypotheses)]
        script, formula = taken(at, used.lemma, values or {}, name, given=hyps)
        assumptions = []
        for _ in used.sequent.assumptions:
            assumptions.append(formula[1])
            formula = formula[2]
        whole = formula
        for a in reversed(assumptions):
            whole = ("if", a, whole)
        return script, Premise(name, whole), assumptions

    def facts(
        self, start: int = 0, at: Goal | None = None, *, stop: int | None = None
    ) -> tuple[str, list[Premise]]:
        """A script that adds the premises from `start` on to the context, and these facts.

        Assumptions that hold here are discharged.
        """
        at = at or self.at
        scripts, found = [], []
        for i in range(start, len(self.used) if stop is None else stop):
            script, fact, assumptions = self.premise(i, at=at)
            more, fact = _without(at, fact, assumptions)
            scripts += [s for s in (script, more) if s not in ("", "idtac")]
            found.append(fact)
        return "; ".join(scripts) or "idtac", found

    def with_facts(self, start: int = 0, goal: Term | None = None) -> tuple[str, Goal]:
        """A script and the goal with the premises from `start` on as facts, conjunctions split."""
        script, found = self.facts(start)
        apart: list[Premise] = []
        for p in found:
            parts = conjuncts(p.formula)
            if p.formula[0] == "and" and parts:
                names = [self.at.fresh("C") for _ in parts]
                script += f"; pose proof {p.proof} as {taking_apart(p.formula, iter(names))}"
                apart += [Premise(n, f) for n, f in zip(names, parts, strict=True)]
            else:
                apart.append(p)
        return script, self.at.about(goal if goal is not None else self.at.goal, apart)


def _without(at: Goal, fact: Premise, assumptions: list[Term]) -> tuple[str, Premise]:
    """The fact as an implication from only those of its assumptions that are not assumed here."""
    if not assumptions:
        return "", fact
    have = {canonical(p.formula): p for p in at.premises}
    missing = [a for a in assumptions if canonical(a) not in have]
    if len(missing) == len(assumptions) == 1:
        return "", fact
    target = fact.formula
    for _ in assumptions:
        target = target[2]
    if missing:
        premise: Term = ("and", tuple(missing)) if len(missing) > 1 else missing[0]
        target = ("if", premise, target)
    named = {a: at.fresh("A") for a in missing}
    script = f"intros {nested(list(named.values()))}; " if missing else ""
    arguments = []
    for a in assumptions:
        if a not in named:
            proof = at.fresh("A")
            source = converted(have[canonical(a)], a, at.names)
            script += f"assert ({proof} : {proposition(a, at.names)}) by ({source}); "
        arguments.append(named.get(a) or proof)
    name = at.fresh("P")
    script += f"exact ({fact.proof} {' '.join(arguments)})"
    return f"assert ({name} : {proposition(target, at.names)}) by ({script})", Premise(name, target)
