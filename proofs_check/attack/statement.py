"""The formal statement on instances: some instance must satisfy the hypotheses, none refute it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from ropeproof.proofs_check.attack.cited import by_another
from ropeproof.proofs_check.kernel.outcome import Outcome, fails, holds, unknown
from ropeproof.proofs_check.semantics import instances, values
from ropeproof.proofs_check.semantics.certain import (
    as_defined,
    certain,
    closed_instances,
    example_of,
    surely,
)
from ropeproof.proofs_check.semantics.evaluate import truth
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.proofs_check.semantics.sides import sides_at
from ropeproof.theory.language.claim import Claim, Reading

__all__ = ["certain_instances", "recheck", "satisfiable", "test_instances"]

RARE, FEW = 10, 5
"""Failed draws per successful one, and the share of all draws, after which the aim is changed."""
SEEMING = 20
"""After this many uncertain instances, or attempts, closed forms are tried."""


def formulas_of(claim: Claim) -> list[Any]:
    """The formulas of the claim's hypotheses."""
    return [h.formula for h in claim.hypotheses]


def satisfiable(
    claim: Claim, profile: Profile, claims: Mapping[str, Claim] | None = None
) -> Outcome:
    """Whether some instance certainly satisfies the hypotheses, which are thus not contradictory.

    The claim's own example is tried first and must pass: by evaluation, or as an instance of one of
    `claims` that it names; the caller must check that this one is proved. Where blind drawing
    finds no instance, the search is aimed as for a mutant: an instance found there satisfies the
    hypotheses as well. Hypotheses that were only met on samples give an outcome of their own, which is
    not a pass.
    """
    hypotheses = formulas_of(claim)
    if claim.example:
        instance = _example(claim, profile)
        missed = [
            h.name
            for h in claim.hypotheses
            if not (
                (instance is not None and certain([h.formula], instance))
                or (claims is not None and by_another(claim, h, claims))
            )
        ]
        if missed:
            return fails(f"the example does not certainly satisfy: {', '.join(missed)}")
        return holds()
    random, _ = profile.random(claim.id, "satisfiable")
    seeming = None
    for aim, attempts in _aims(claim, 300):
        sampler = instances.Sampler([*aim, *hypotheses], [claim.conclusion])
        met = 0
        for attempt in range(attempts):
            if seeming is not None and (met >= SEEMING or attempt >= SEEMING):
                break
            instance = sampler.draw(random, tries=10)
            if instance is None:
                continue
            if certain(hypotheses, instance):
                return holds()
            seeming, met = instance, met + 1
    if seeming is None:
        return unknown("no instance satisfies the hypotheses: a contradiction proves everything")
    if next(_closed(claim, seeming, random), None) is not None:
        return holds()
    return unknown(
        "no instance certainly satisfies the hypotheses: each that was drawn met a `for all` on "
        "samples, or a relation by its digits, only; give one in `example`"
    )


def _example(claim: Claim, profile: Profile) -> values.Instance | None:
    """The claim's example, with values drawn for names it leaves open; None if uncertain."""
    random, _ = profile.random(claim.id, "example")
    sampler = instances.Sampler(formulas_of(claim), [claim.conclusion])
    given = example_of(claim.example)
    drawn = (sampler.draw(random, tries=10, given=given) for _ in range(10))
    return next((i for i in drawn if i is not None and certain(sampler.formulas, i)), None)


def _closed(claim: Claim, seeming: values.Instance, random: Random) -> Iterator[values.Instance]:
    """Instances that certainly satisfy the hypotheses, from one that only seems to, by closed forms.

    The functions in the hypotheses that are uncertain at `seeming` get closed forms.
    """
    hypotheses = formulas_of(claim)
    doubtful = [f for f in hypotheses if surely(f, seeming, given=hypotheses) is not True]
    sampler = instances.Sampler(hypotheses, [claim.conclusion])
    for instance in closed_instances(sampler, doubtful, random):
        if certain(hypotheses, instance):
            yield instance


def _aims(claim: Claim, attempts: int) -> list[tuple[tuple[Any, ...], int]]:
    """The aims of the search for an instance in order, each with its number of attempts.

    A few attempts have no aim, the next ones the aims of the mutants, the last ones no aim again.
    """
    aimed = [(m.at, 3) for m in claim.mutants if m.at]
    return [((), min(attempts, 3)), *aimed, ((), attempts)]


def certain_instances(
    claim: Claim, seeming: values.Instance, profile: Profile
) -> Iterator[values.Instance]:
    """Instances that certainly satisfy the hypotheses, for a claim whose drawn ones only seem to."""
    if claim.example:
        instance = _example(claim, profile)
        if instance is not None:
            yield instance
    yield from _closed(claim, seeming, profile.random(claim.id, "closed")[0])


def test_instances(
    claim: Claim,
    profile: Profile,
    claims: Mapping[str, Claim] | None = None,  # noqa: PT028
) -> tuple[Outcome, int]:
    """The outcome of the conclusion on drawn instances of the hypotheses, and their number.

    Only an instance that certainly satisfies the hypotheses refutes the statement. Where a
    `for all` was met on samples only, drawn instances count in favour and never against, and an
    instance with closed forms must be among those that decide.
    """
    hypotheses = formulas_of(claim)
    samplers = [
        instances.Sampler([*aim, *hypotheses], [claim.conclusion])
        for aim in ((), *(m.at for m in claim.mutants if m.at))
    ]
    random, seed = profile.random(claim.id, "instances")
    drawn = decided = misses = sure = for_sure = against = 0
    seeming = None
    sampler, before = samplers.pop(0), 0

    def refuted(instance: values.Instance) -> Outcome:
        instance = as_defined(instance, hypotheses)
        told = "".join(f"; {side}" for side in sides_at(claim.conclusion, instance))
        detail = f"false on an instance of the hypotheses (seed {seed})" + told.replace(";", ":", 1)
        return fails(detail, instances.describe(instance, sampler.names))

    while drawn < profile.cases and misses < 5 * profile.cases:
        instance, mine = sampler.draw(random, tries=10), drawn - before
        seldom = misses >= max(3, RARE * mine)
        mute = not (decided or against) and mine >= profile.cases // FEW
        if samplers and (seldom or mute):  # the next aim may be luckier
            sampler, before, misses = samplers.pop(0), drawn, 0
        if instance is None:
            misses += 1
            continue
        drawn += 1
        try:
            verdict = truth(claim.conclusion, instance)
        except (values.TooLarge, OverflowError):
            continue
        if verdict is False:
            # The conclusion first: what it draws of a function is then looked at with the rest.
            surely_so = surely(claim.conclusion, instance, given=hypotheses, ask=False)
            if surely_so is True:  # what seemed false was rounding
                decided += 1
                continue
            if certain(hypotheses, instance):
                if surely_so is False:
                    return refuted(instance), drawn
                continue  # by samples or digits alone
            against, seeming = against + 1, instance
        elif verdict is True:
            if not sure and decided < SEEMING:
                sure += certain(hypotheses, instance)
                seeming = seeming if sure else instance
            decided += 1
    if not decided and not against:
        return unknown(f"no instance decided the conclusion ({drawn} drawn)"), drawn
    if (against or not sure) and seeming is not None:
        for instance in certain_instances(claim, seeming, profile):
            verdict = surely(claim.conclusion, instance, given=hypotheses)
            if verdict is False and certain(hypotheses, instance):
                return refuted(instance), drawn
            sure += 1
            for_sure += verdict is True
    if not sure and (met := satisfiable(claim, profile, claims)).verdict != "holds":
        return met, drawn
    if against and not for_sure:
        detail = f"false on {against} instances that only seem to satisfy the hypotheses"
        return unknown(f"{detail}, and no certain instance decided"), drawn
    tail = f"; {against} set aside, which only seem to satisfy the hypotheses" if against else ""
    return holds(f"{decided} of {drawn} drawn instances decided, none against{tail}"), drawn


test_instances.__test__ = False  # type: ignore[attr-defined]  # not a test for pytest


def recheck(claim: Claim, reading: Reading) -> Outcome:
    """Check again that a printed statement is false under a reading, at the reading's instance.

    Holds if at that instance every hypothesis of the reading certainly holds and its conclusion
    certainly does not. The witness is the instance.
    """
    sampler = instances.Sampler([*reading.at, *reading.hypotheses], [reading.conclusion])
    random = Random(claim.id)
    doubt = False
    for _ in range(20):
        instance = sampler.draw(random, tries=10)
        if instance is None:
            continue
        if not certain(sampler.formulas, instance):
            doubt = True
            continue
        verdict = surely(reading.conclusion, instance, given=sampler.formulas)
        if verdict is False and certain(sampler.formulas, instance):
            witness = instances.describe(as_defined(instance, sampler.formulas), sampler.names)
            return Outcome(
                "holds", f"false on an instance of this reading: {reading.text}", witness
            )
        if verdict is True:
            return fails(
                "true on the instance that should refute it",
                instances.describe(instance, sampler.names),
            )
    if doubt:
        return unknown("the instance that should refute it does not certainly satisfy the reading")
    return unknown("the instance that should refute it was not found, or decides nothing")
