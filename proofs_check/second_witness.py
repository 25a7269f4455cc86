"""Evaluate every accepted step at random exact points, without the kernel's code."""

from __future__ import annotations

from proofs_check.evaluate import TooLarge, truth
from proofs_check.instances import Sampler, describe
from proofs_check.outcome import Outcome, fails, holds
from proofs_check.profiles import Profile
from theory.claim import Claim
from theory.derivation import Step

__all__ = ["confirm_steps"]


def confirm_steps(claim: Claim, profile: Profile) -> Outcome:
    """Fails if a step is false at a point that satisfies its assumptions.

    A step under contradictory assumptions (a proof by contradiction) has no such point; the
    detail says how many steps were seen at how many points.
    """
    if claim.derivation is None:
        return holds("no derivation")
    points = seen = 0
    for step in claim.derivation.steps:
        outcome, found = _confirm(claim, step, profile)
        if outcome is not None:
            return outcome
        points += found
        seen += found > 0
    return holds(f"{seen} of {len(claim.derivation.steps)} steps seen at {points} points")


def _confirm(claim: Claim, step: Step, profile: Profile) -> tuple[Outcome | None, int]:
    assumed = [*(h.formula for h in claim.hypotheses), *step.assuming]
    sampler = Sampler(assumed, [step.conclusion])
    random, _ = profile.random(claim.id, "step", step.label)
    found = 0
    for _ in range(3 * profile.witness_points):
        if found >= profile.witness_points:
            break
        instance = sampler.draw(random, tries=8)
        if instance is None:
            continue
        try:
            verdict = truth(step.conclusion, instance)
        except (TooLarge, OverflowError):
            continue
        if verdict is False:
            witness = describe(instance, sampler.names)
            detail = f"step {step.label!r} is false at a point: the kernel accepted too much"
            return fails(detail, witness), found
        found += verdict is True
    return None, found
