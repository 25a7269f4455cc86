"""Evaluate every accepted step at random exact points, without the kernel's code."""

from __future__ import annotations

from functools import cache

from ropeproof.proofs_check.bounds import free_names
from ropeproof.proofs_check.certain import certain, surely_false
from ropeproof.proofs_check.evaluate import truth
from ropeproof.proofs_check.instances import Sampler, describe
from ropeproof.proofs_check.outcome import Outcome, fails, holds
from ropeproof.proofs_check.profiles import Profile
from ropeproof.proofs_check.values import Instance, TooLarge
from ropeproof.theory.claim import Claim
from ropeproof.theory.derivation import Step

__all__ = ["confirm_steps"]


def confirm_steps(claim: Claim, profile: Profile) -> Outcome:
    """Fails if a step is false at a point that certainly satisfies its assumptions.

    A step under contradictory assumptions (a proof by contradiction) has no such point; the
    detail says how many steps were seen at how many points.
    """
    if claim.derivation is None:
        return holds("no derivation")
    points = seen = 0
    base = _base(claim, profile)
    for step in claim.derivation.steps:
        outcome, found = _confirm(claim, step, base, profile)
        if outcome is not None:
            return outcome
        points += found
        seen += found > 0
    return holds(f"{seen} of {len(claim.derivation.steps)} steps seen at {points} points")


def _base(claim: Claim, profile: Profile) -> list[Instance]:
    """Instances of the hypotheses: drawn blindly, or where a mutant aims; none if that fails."""
    random, _ = profile.random(claim.id, "hypotheses")
    hypotheses = [h.formula for h in claim.hypotheses]
    for aim in ((), *(m.at for m in claim.mutants if m.at)):
        sampler = Sampler([*aim, *hypotheses])
        drawn = (sampler.draw(random, tries=8) for _ in range(2 * profile.witness_points))
        found = [instance for instance in drawn if instance is not None]
        if found:
            return found
    return []


def _confirm(
    claim: Claim, step: Step, base: list[Instance], profile: Profile
) -> tuple[Outcome | None, int]:
    """Evaluate one step: on the instances of the hypotheses, else on instances of its own."""
    random, _ = profile.random(claim.id, "step", step.label)
    inside = Sampler(step.assuming, [step.conclusion])
    formulas = [*(h.formula for h in claim.hypotheses), *step.assuming]
    alone = cache(lambda: Sampler(formulas, [step.conclusion]))  # most steps do without
    attempts: list[Instance | None] = [*base[: profile.witness_points]]
    attempts += [None] * (profile.witness_points if len(base) != 1 else 1)
    found = 0
    for given in attempts:
        if found >= profile.witness_points:
            break
        sampler = alone() if given is None else inside
        instance = sampler.draw(random, tries=8, given=given)
        if instance is None:
            continue
        try:
            verdict = truth(step.conclusion, instance)
        except (TooLarge, OverflowError):
            continue
        if verdict is False:
            if not (
                surely_false(step.conclusion, instance, formulas) and certain(formulas, instance)
            ):
                continue  # a sampled quantifier let pass what is no instance of the hypotheses
            witness = describe(instance, free_names([*formulas, step.conclusion]))
            detail = f"step {step.label!r} is false at a point: the kernel accepted too much"
            return fails(detail, witness), found
        found += verdict is True
    return None, found
