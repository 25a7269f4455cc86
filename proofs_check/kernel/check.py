"""Check a derivation: every step by its rule, the last one against the claim."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ropeproof.proofs_check.kernel.messages import show
from ropeproof.proofs_check.kernel.outcome import (
    DerivationReport,
    Outcome,
    StepReport,
    holds,
    unknown,
)
from ropeproof.proofs_check.kernel.read import READ, read
from ropeproof.proofs_check.kernel.rules import RULES, instantiate
from ropeproof.proofs_check.kernel.sequent import Refused, Sequent, Situation
from ropeproof.proofs_check.kernel.solvers.query import RanOn
from ropeproof.proofs_check.kernel.terms import RELATIONS, Malformed, Term, free
from ropeproof.theory.language.axioms import AXIOMS, no_axiom
from ropeproof.theory.language.claim import Claim
from ropeproof.theory.language.derivation import Rule, Step

__all__ = ["check_derivation", "check_step"]

_BREAKS = (ArithmeticError, LookupError, MemoryError, RecursionError, TypeError, ValueError)
"""What may be raised where something is too large or not foreseen: a refusal, never a yes."""


def check_derivation(
    claim: Claim,
    lookup: Callable[[str], Claim],
    *,
    alternatives: Sequence[Any] = (),
    progress: Callable[[str], None] | None = None,
) -> DerivationReport:
    """Check every step of `claim.derivation`; holds only if the last is the conclusion.

    `lookup` gives the claims that `by_claim` may use; that those are themselves proved is for
    the caller to see to. A step that fails is not used by later ones. `alternatives` are other
    conclusions to try in the last step's place (mutants, which it should refuse).
    """
    derivation = claim.derivation
    if derivation is None or claim.conclusion is None:
        return DerivationReport(unknown("no derivation"), (), (), (), frozenset())
    READ.clear()  # an object is read once in one derivation, and anew in the next
    reports: list[StepReport] = []
    axioms: dict[str, None] = {}
    others: dict[str, None] = {}
    try:
        hypotheses = {h.name: read(h.formula) for h in claim.hypotheses}
        conclusion = read(claim.conclusion)
        free(*hypotheses.values(), conclusion)
        for name, formula in (*hypotheses.items(), ("the conclusion", conclusion)):
            _refuse_empty(name, formula)
    except (Malformed, Refused) as error:
        return DerivationReport(unknown(str(error)), (), (), (), frozenset())
    except _BREAKS as error:
        detail = f"reading broke off: {type(error).__name__}: {error}"
        return DerivationReport(unknown(detail), (), (), (), frozenset())
    known = {n: Sequent(frozenset({n}), (), f) for n, f in hypotheses.items()}
    last: Sequent | None = None
    for written in derivation.steps:
        arguments = dict(written.rule.arguments)  # read once
        step = replace(written, rule=Rule(written.rule.name, arguments))
        last, outcome = check_step(step, known, hypotheses, claim, lookup)
        if last is not None:
            known[step.label] = last
            if step.rule.name == "axiom":
                axioms[step.rule.arguments["name"]] = None
            if step.rule.name == "by_claim":
                others[step.rule.arguments["id"]] = None
        carried = last.hypotheses if last else frozenset()
        reports.append(StepReport(step.label, str(step.rule), outcome, carried))
        if progress:
            progress(step.label)
    final = derivation.steps[-1]
    tried = tuple(
        check_step(replace(final, conclusion=other), known, hypotheses, claim, lookup)[1]
        for other in alternatives
    )
    outcome = _verdict(last, conclusion, reports)
    return DerivationReport(outcome, tuple(reports), tuple(axioms), tuple(others), carried, tried)


def _refuse_empty(name: str, formula: Term) -> None:
    """Refuse a formula with a part without content: one evaluated while it was written."""
    kind, *parts = formula
    if parts in ([], [()]) or (kind in RELATIONS and parts[0] == parts[1]):
        raise Refused(f"{name}: {show(formula)} says nothing; was it evaluated as it was written?")
    if kind in ("and", "or"):
        parts = parts[0]
    elif kind in ("all", "some"):
        parts = parts[1:]
    for part in () if kind in RELATIONS else parts:
        _refuse_empty(name, part)


def _verdict(last: Sequent | None, conclusion: Term, reports: list[StepReport]) -> Outcome:
    bad = [r for r in reports if r.outcome.verdict != "holds"]
    if bad:
        return unknown(f"step {bad[0].label}: {bad[0].outcome.detail}")
    if last is None or last.conclusion != conclusion:
        return unknown("the last step is not the claim's conclusion")
    if last.assumptions:
        return unknown("the last step still rests on an assumption")
    return holds(f"{len(reports)} steps")


def check_step(
    step: Step,
    known: Mapping[str, Sequent],
    hypotheses: Mapping[str, Term],
    claim: Claim,
    lookup: Callable[[str], Claim],
) -> tuple[Sequent | None, Outcome]:
    """The sequent that one step establishes from `known`, None unless it holds, and the step's outcome."""
    try:
        missing = [n for n in step.using if n not in known]
        if missing:
            raise Refused(f"not established before: {', '.join(missing)}")
        premises = tuple(known[n] for n in step.using)
        goal = read(step.conclusion)
        assuming = tuple(read(a) for a in step.assuming)
        told = [f for p in premises for f in (p.conclusion, *p.assumptions)]
        free(goal, *assuming, *told, *hypotheses.values())
        at = Situation(goal, premises, assuming, hypotheses, step.rule.arguments)
        _apply(step, at, claim, lookup)
    except (Refused, Malformed, RanOn) as error:
        return None, unknown(str(error))
    except _BREAKS as error:
        return None, unknown(f"the rule broke off: {type(error).__name__}: {error}")
    carried = frozenset(n for p in premises for n in p.hypotheses)
    return Sequent(carried, assuming, goal), holds()


def _apply(step: Step, at: Situation, claim: Claim, lookup: Callable[[str], Claim]) -> None:
    name = step.rule.name
    if name in ("axiom", "by_claim"):
        source = at.arguments["name" if name == "axiom" else "id"]
        formula = _axiom(source) if name == "axiom" else _other(source, claim, lookup)
        instantiate(at, formula, at.arguments["mapping"])
    elif name in RULES:
        RULES[name](at)
    else:
        raise Refused(f"no rule is called {name!r}")


def _axiom(name: str) -> Term:
    if name not in AXIOMS:
        raise Refused(no_axiom(name))
    return _implication(AXIOMS[name].hypotheses, AXIOMS[name].conclusion)


def _other(id: str, claim: Claim, lookup: Callable[[str], Claim]) -> Term:
    if id not in claim.uses:
        raise Refused(f"{id} is not among the claims this one uses")
    other = lookup(id)
    if other.conclusion is None:
        raise Refused(f"{id} has no formal conclusion")
    return _implication((h.formula for h in other.hypotheses), other.conclusion)


def _implication(hypotheses: Iterable[Any], conclusion: Any) -> Term:
    return ("if", ("and", tuple(read(h) for h in hypotheses)), read(conclusion))
