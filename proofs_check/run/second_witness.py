"""Evaluating every accepted step of a proof at random exact points, without the kernel's code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from ropeproof.proofs_check.kernel.outcome import Outcome, fails, holds
from ropeproof.proofs_check.semantics.bounds import free_names
from ropeproof.proofs_check.semantics.certain import as_defined, certain, surely_false
from ropeproof.proofs_check.semantics.evaluate import truth
from ropeproof.proofs_check.semantics.instances import Sampler, describe
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.proofs_check.semantics.values import Instance, TooLarge
from ropeproof.theory.language.claim import Claim
from ropeproof.theory.language.derivation import Step

__all__ = ["confirm_steps"]

MOST_SUMS = 100_000
"""The most values of sums at one point that are kept for later steps; beyond it all are dropped."""


def confirm_steps(claim: Claim, profile: Profile) -> Outcome:
    """The outcome of evaluating a proof's steps: fails if one is false where its assumptions hold.

    A point counts only if it certainly satisfies the step's assumptions.
    A step under contradictory assumptions (a proof by contradiction) has no such point; the
    detail says how many steps were seen at how many points.
    """
    if claim.derivation is None:
        return holds("no derivation")
    points = seen = 0
    base = _base(claim, profile)
    drawn: dict[tuple[Any, ...], _Points] = {}
    for step in claim.derivation.steps:
        scope = tuple(step.assuming)
        if scope not in drawn:
            outer = [drawn[scope[:size]] for size in range(len(scope)) if scope[:size] in drawn]
            drawn[scope] = _Points(claim, step, base, outer[-1] if outer else None, profile)
        outcome, found = _confirm(claim, step, drawn[scope], profile)
        if outcome is not None:
            return outcome
        points += found
        seen += found > 0
    return holds(f"{seen} of {len(claim.derivation.steps)} steps seen at {points} points")


class _Points:
    """Instances of the hypotheses and of a step's assumptions, shared by all steps that assume the same.

    They are drawn when one more is asked for: from the points of a step that makes only the first of
    the assumptions; if that gives none, from instances of the hypotheses; then alone.
    """

    def __init__(
        self,
        claim: Claim,
        first: Step,
        base: list[Instance],
        outer: _Points | None,
        profile: Profile,
    ) -> None:
        self.assumed = tuple(first.assuming)
        self.formulas = [*(h.formula for h in claim.hypotheses), *first.assuming]
        self._found: list[Instance] = []
        random, _ = profile.random(claim.id, "step", first.label)
        self._more = self._drawn(random, base, outer, profile.witness_points)

    def __iter__(self) -> Iterator[Instance]:
        place = 0
        while True:
            if place == len(self._found):
                instance = next(self._more, None)
                if instance is None:
                    return
                self._found.append(instance)
            yield self._found[place]
            place += 1

    def _drawn(
        self, random: Random, base: list[Instance], outer: _Points | None, most: int
    ) -> Iterator[Instance]:
        if outer is not None:
            yield from _within(outer, self.assumed[len(outer.assumed) :], random)
        if not self._found:
            yield from _within(base[:most], self.assumed, random)
        alone = Sampler(self.formulas)
        for _ in range(most if len(base) != 1 else 1):
            instance = alone.draw(random, tries=8)
            if instance is not None:
                yield instance


def _within(
    points: Iterable[Instance], formulas: tuple[Any, ...], random: Random
) -> Iterator[Instance]:
    """Instances that satisfy the formulas too, each drawn from one of the points."""
    inside = Sampler(formulas)
    for given in points:
        instance = inside.draw(random, tries=8, given=given)
        if instance is not None:
            yield instance


def _base(claim: Claim, profile: Profile) -> list[Instance]:
    """Instances of the hypotheses, drawn blindly or, if none is found, where a mutant aims."""
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
    claim: Claim, step: Step, points: _Points, profile: Profile
) -> tuple[Outcome | None, int]:
    """Evaluate one step at points that satisfy what it assumes; its other names get any values.

    Returns a failing outcome or None, and the number of points at which the step was seen true.
    """
    random, _ = profile.random(claim.id, "names", step.label)
    sampler = Sampler((), [step.conclusion])
    found = 0
    for given in points:
        if found >= profile.witness_points:
            break
        if len(given.sums) > MOST_SUMS:
            given.sums.clear()
        instance = sampler.draw(random, tries=1, given=given)
        if instance is None:
            continue
        try:
            verdict = truth(step.conclusion, instance)
        except (TooLarge, OverflowError):
            continue
        if verdict is False:
            formulas = points.formulas
            if not (
                surely_false(step.conclusion, instance, formulas) and certain(formulas, instance)
            ):
                continue  # a sampled quantifier let pass what is no instance of the hypotheses
            witness = describe(
                as_defined(instance, formulas), free_names([*formulas, step.conclusion])
            )
            detail = f"step {step.label!r} is false at a point: the kernel accepted too much"
            return fails(detail, witness), found
        found += verdict is True
    return None, found
