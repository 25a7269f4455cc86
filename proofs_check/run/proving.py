"""Proving a claim, or the negation of a printed statement, with all checks that belong to a proof."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from ropeproof.proofs_check.attack.antecedents import conditions_met
from ropeproof.proofs_check.attack.statement import satisfiable
from ropeproof.proofs_check.kernel.check import check_derivation
from ropeproof.proofs_check.kernel.outcome import DerivationReport, Outcome, fails, unknown
from ropeproof.proofs_check.run.second_witness import confirm_steps
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.language.claim import Claim
from ropeproof.theory.language.logic import Formula, Negation
from ropeproof.theory.language.wellformed import empty_step

__all__ = ["negated", "prove", "refute"]

Found = tuple[Outcome, tuple[str, ...]]
"""An outcome of a proof, and the axioms that it used."""


def prove(claims: Mapping[str, Claim], claim: Claim, how: Profile) -> Found:
    """The outcome of a claim's proof, and the axioms used: the kernel's verdict and all further checks.

    The hypotheses, and each condition inside the conclusion, must certainly be met by some instance, the
    latter by a structure with parts. Every step must say something, the last one refuse the mutants, the
    second witness see no false step, and the proof use every hypothesis that is not called idle.
    """
    mutants = [m for m in claim.mutants if not m.equivalent]
    report = check_derivation(
        claim, claims.__getitem__, alternatives=[m.conclusion for m in mutants]
    )
    if report.outcome.verdict != "holds":
        return _every_refusal(report), report.axioms
    if empty := _empty_steps(claim):
        return unknown(empty), report.axioms
    possible = satisfiable(claim, how, claims)
    if possible.verdict == "holds":
        possible = conditions_met(claim, how, claims)
    if possible.verdict != "holds":
        return possible, report.axioms
    for mutant, verdict in zip(mutants, report.alternatives, strict=True):
        if verdict.verdict == "holds":
            return fails(f"the last step also proves the mutant {mutant.name!r}"), report.axioms
    confirmed = confirm_steps(claim, how)
    if confirmed.verdict != "holds":
        return confirmed, report.axioms
    unused = [h.name for h in claim.hypotheses if h.name not in report.hypotheses and not h.idle]
    if unused:
        return unknown(f"the proof does not use: {', '.join(unused)}"), report.axioms
    told = (report.outcome.detail, confirmed.detail, possible.detail)
    return Outcome("holds", "; ".join(filter(None, told))), report.axioms


def _empty_steps(claim: Claim) -> str:
    """A message with the steps that say nothing, each with the reason; empty if there are none."""
    steps = claim.derivation.steps if claim.derivation else ()
    return "; ".join(f"step {s.label}: {why}" for s in steps if (why := empty_step(s)))


def _every_refusal(report: DerivationReport) -> Outcome:
    """The outcome of a refused proof, naming each step that is refused itself.

    Steps that are refused only for want of an earlier one are left out.
    """
    refused = [
        f"step {s.label}: {s.outcome.detail}"
        for s in report.steps
        if s.outcome.verdict != "holds" and not s.outcome.detail.startswith("not established")
    ]
    if len(refused) < 2:
        return report.outcome
    return Outcome(report.outcome.verdict, "; ".join(refused))


def refute(claims: Mapping[str, Claim], claim: Claim, how: Profile) -> Found:
    """The outcome of a proof that a printed statement is false, and the axioms used."""
    opposite = negated(claim)
    report = check_derivation(opposite, claims.__getitem__)
    if report.outcome.verdict != "holds":
        return report.outcome, report.axioms
    if empty := _empty_steps(claim):
        return unknown(empty), report.axioms
    possible = satisfiable(claim, how, claims)
    if possible.verdict != "holds":
        return possible, report.axioms
    confirmed = confirm_steps(opposite, how)
    if confirmed.verdict != "holds":
        return confirmed, report.axioms
    detail = f"its negation is proved: {report.outcome.detail}; {confirmed.detail}"
    return Outcome("holds", detail), report.axioms


def negated(claim: Claim) -> Claim:
    """The negation of a printed claim, as a theorem."""
    opposite = Negation(cast(Formula, claim.conclusion))
    return replace(claim, kind="theorem", conclusion=opposite, readings=(), repaired_by=None)
