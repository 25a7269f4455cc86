"""The attack: mutants that must be refuted, and hypotheses that must be needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from random import Random
from typing import Any

import sympy as sp

from ropeproof.proofs_check.evaluate import truth
from ropeproof.proofs_check.instances import Sampler, describe, free_names
from ropeproof.proofs_check.outcome import Kills, Outcome, fails, holds, unknown, unsupported
from ropeproof.proofs_check.profiles import Profile
from ropeproof.proofs_check.values import Instance, TooLarge, effort
from ropeproof.theory import logic
from ropeproof.theory.claim import Claim, Hypothesis, Reading

__all__ = [
    "Kills",
    "attack_hypotheses",
    "attack_mutants",
    "recheck",
    "satisfiable",
    "test_instances",
]


BRIEF = 20
"""Terms evaluated per attack try, to refute that a hypothesis is idle."""


def _search(
    sampler: Sampler,
    conclusion: Any,
    random: Random,
    tries: int,
    *,
    accepted: Callable[[Instance], bool] = lambda _: True,
    work: int | None = None,
) -> Instance | None:
    """An accepted instance on which the conclusion is false.

    Gives up after so many tries, after too many draws in vain, or once so much work is done.
    """
    seen = 0
    misses = 0
    last = None if work is None else effort() + work
    while seen < tries and misses < max(200, tries // 4) and (last is None or effort() < last):
        instance = sampler.draw(random, tries=10)
        if instance is None:
            misses += 1
            continue
        seen += 1
        try:
            if truth(conclusion, instance) is False and accepted(instance):
                return instance
        except (TooLarge, OverflowError):
            continue
    return None


def satisfiable(claim: Claim, profile: Profile) -> Outcome:
    """Whether some instance satisfies the hypotheses: a contradiction would prove anything.

    Where drawing blindly finds none, the search is aimed as for a mutant: what it finds there
    satisfies the hypotheses as well.
    """
    random, _ = profile.random(claim.id, "satisfiable")
    for aim, attempts in _aims(claim, 300):
        sampler = Sampler([*aim, *(h.formula for h in claim.hypotheses)], [claim.conclusion])
        for _ in range(attempts):
            if sampler.draw(random, tries=10) is not None:
                return holds()
    return unknown("no instance satisfies the hypotheses: a contradiction proves everything")


def _aims(claim: Claim, attempts: int) -> list[tuple[tuple[Any, ...], int]]:
    """Where to look for an instance, and how often: blindly, where mutants aim, blindly again."""
    aimed = [(m.at, 3) for m in claim.mutants if m.at]
    return [((), min(attempts, 3)), *aimed, ((), attempts)]


def test_instances(claim: Claim, profile: Profile) -> tuple[Outcome, int]:
    """The conclusion on drawn instances of the hypotheses; also how many were drawn."""
    hypotheses = [h.formula for h in claim.hypotheses]
    aims = ((), *(m.at for m in claim.mutants if m.at))
    samplers = [Sampler([*aim, *hypotheses], [claim.conclusion]) for aim in aims]
    random, seed = profile.random(claim.id, "instances")
    drawn = decided = misses = 0
    sampler = samplers.pop(0)
    while drawn < profile.cases and misses < 5 * profile.cases:
        instance = sampler.draw(random, tries=10)
        if instance is None:
            misses += 1
            if not drawn and samplers and misses >= 3:
                sampler, misses = samplers.pop(0), 0
            continue
        drawn += 1
        try:
            verdict = truth(claim.conclusion, instance)
        except (TooLarge, OverflowError):
            continue
        if verdict is False:
            witness = describe(instance, sampler.names)
            return fails(f"false on an instance of the hypotheses (seed {seed})", witness), drawn
        decided += verdict is True
    if not decided:
        return unknown(f"no instance decided the conclusion ({drawn} drawn)"), drawn
    return holds(f"{decided} of {drawn} drawn instances decided, none against"), drawn


test_instances.__test__ = False  # type: ignore[attr-defined]  # not a test for pytest


def attack_mutants(claim: Claim, profile: Profile) -> tuple[Outcome, Kills]:
    """Refute every mutant of the conclusion on an instance of the hypotheses."""
    if not claim.mutants:
        return fails("the claim carries no mutant: its check was never seen to fail"), Kills(0, 0)
    hypotheses = [h.formula for h in claim.hypotheses]
    survivors, killed = [], 0
    for mutant in claim.mutants:
        random, _ = profile.random(claim.id, "mutant", mutant.name)
        sampler = Sampler([*mutant.at, *hypotheses], [claim.conclusion, mutant.conclusion])
        witness = _search(sampler, mutant.conclusion, random, profile.attack_tries)
        if witness is not None:
            killed += 1
            if mutant.equivalent:
                survivors.append(f"{mutant.name} (called equivalent, yet refuted)")
        elif not mutant.equivalent:
            survivors.append(mutant.name)
    kills = Kills(len(claim.mutants), killed)
    if survivors:
        return fails(f"surviving mutants: {', '.join(survivors)}"), kills
    explained = sum(1 for m in claim.mutants if m.equivalent)
    tail = f", {explained} equivalent and explained" if explained else ""
    return holds(f"{killed} mutants refuted{tail}"), kills


def attack_hypotheses(claim: Claim, profile: Profile) -> Outcome:
    """For each hypothesis an instance that breaks it alone and with it the conclusion.

    Where the claim says that the conclusion survives without one, such an instance is looked for
    briefly and must not turn up.
    """
    if not claim.hypotheses:
        return unsupported("the claim has no hypotheses")
    needed, idle, unshown, undecided = [], [], [], []
    for hypothesis in claim.hypotheses:
        if hypothesis.idle:
            against = _surely_needed(claim, hypothesis, profile)
            if against is not None:
                names = free_names([*(h.formula for h in claim.hypotheses), claim.conclusion])
                detail = f"called idle, yet needed: {hypothesis.name}"
                return fails(detail, describe(against, names))
            idle.append(hypothesis.name)
            continue
        if hypothesis.unshown:
            unshown.append(hypothesis.name)
            continue
        if _needed(claim, hypothesis, profile) is not None:
            needed.append(hypothesis.name)
        else:
            undecided.append(hypothesis.name)
    if undecided:
        return fails(f"no instance shows that this is needed: {'; '.join(undecided)}")
    text = f"needed: {'; '.join(needed)}" if needed else "none needed"
    if unshown:
        text += f" | needed, not shown: {'; '.join(unshown)}"
    return holds(text + (f" | explained as idle: {'; '.join(idle)}" if idle else ""))


def _needed(claim: Claim, dropped: Hypothesis, profile: Profile, **how: Any) -> Instance | None:
    """An instance that breaks the dropped hypothesis alone and with it the conclusion."""
    others = [h.formula for h in claim.hypotheses if h.name != dropped.name]
    random, _ = profile.random(claim.id, "without", dropped.name)
    aims = [dropped.without] if dropped.without else [(o,) for o in _opposites(dropped.formula)]
    for aim in (*aims, ()):
        sampler = Sampler([*aim, *others], [claim.conclusion, dropped.formula])
        tries = profile.attack_tries // (1 if aim else 4)
        witness = _search(sampler, claim.conclusion, random, tries, **how)
        if witness is not None:
            return witness
    return None


def _surely_needed(claim: Claim, dropped: Hypothesis, profile: Profile) -> Instance | None:
    """Such an instance, found with little work, that trusts no quantifier judged on samples.

    It must satisfy the other hypotheses beyond doubt: what only seems to is no argument against
    a stated reason. So nothing is found beside a hypothesis `for all` without a finite range.
    """
    others = [h.formula for h in claim.hypotheses if h.name != dropped.name]

    def breaks(instance: Instance) -> bool:
        doubtful = replace(instance, trusting=False)
        satisfied = all(truth(formula, doubtful) is True for formula in others)
        return satisfied and truth(claim.conclusion, doubtful) is False

    return _needed(claim, dropped, profile, accepted=breaks, work=BRIEF * profile.attack_tries)


def _opposites(formula: Any) -> Iterable[Any]:
    """Simple formulas that break the given one, to aim the search."""
    if isinstance(formula, logic.Both):
        for part in formula.args:
            yield from _opposites(part)
    elif isinstance(formula, sp.Le):
        yield logic.lt(formula.rhs, formula.lhs)
    elif isinstance(formula, sp.Lt):
        yield logic.le(formula.rhs, formula.lhs)
        yield logic.eq(formula.lhs, formula.rhs)
    elif isinstance(formula, sp.Ne):
        yield logic.eq(formula.lhs, formula.rhs)
    elif isinstance(formula, logic.Every) and isinstance(formula.args[1], logic.If):
        variables, body = formula.args
        for part in _opposites(body.args[1]):
            yield logic.Every(variables, logic.If(body.args[0], part))


def recheck(claim: Claim, reading: Reading) -> Outcome:
    """Look again at the instance on which a printed statement is false under this reading.

    Holds if at that instance every hypothesis of the reading certainly holds and its conclusion
    certainly does not; comparisons are exact or in balls. The witness is the instance.
    """
    sampler = Sampler([*reading.at, *reading.hypotheses], [reading.conclusion])
    random = Random(claim.id)
    for _ in range(20):
        instance = sampler.draw(random, tries=10)
        if instance is None:
            continue
        verdict = truth(reading.conclusion, instance)
        if verdict is False:
            witness = describe(instance, sampler.names)
            return Outcome(
                "holds", f"false on an instance of this reading: {reading.text}", witness
            )
        if verdict is True:
            return fails(
                "true on the instance that should refute it", describe(instance, sampler.names)
            )
    return unknown("the instance that should refute it was not found, or decides nothing")
