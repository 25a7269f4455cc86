"""The attack: mutants that must be refuted, and hypotheses that must be needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from itertools import count, product
from random import Random
from typing import Any

import sympy as sp

from ropeproof.proofs_check.bounds import free_names
from ropeproof.proofs_check.certain import certain, seems_false, surely_false
from ropeproof.proofs_check.denied import denied, says_some
from ropeproof.proofs_check.evaluate import truth
from ropeproof.proofs_check.instances import Sampler, describe
from ropeproof.proofs_check.outcome import Kills, Outcome, fails, holds, unknown, unsupported
from ropeproof.proofs_check.profiles import Profile
from ropeproof.proofs_check.values import Instance, TooLarge, effort
from ropeproof.theory import logic
from ropeproof.theory.claim import Claim, Hypothesis

__all__ = ["attack_hypotheses", "attack_mutants"]


BRIEF = 24
"""Terms evaluated per attack try, to refute that a hypothesis is idle."""
LONGER = 20
"""How many times as many where nothing was decided."""
MANY = 50
"""Decided instances after which nothing that breaks the hypothesis is waited for."""
GLANCES = (20, 200)
"""Draws that every aim gets in turn, where a hypothesis is to be shown to be needed."""
MOST_ASKED = 5
"""Instances of one search about which z3 is asked."""
MOST_DENIED = 2
"""Instances that an author names on which z3 is asked whether there is what the conclusion says."""


@dataclass
class _Tried:
    """What a search has seen beside what it looks for: an excuse must have been put to a test.

    `broken` counts the instances on which the dropped hypothesis does not hold, `without` those
    of them on which the conclusion does.
    """

    decided: int = 0
    broken: int = 0
    without: int = 0

    def count(self, verdict: bool | None, dropped: Any, instance: Instance) -> None:
        self.decided += verdict is True
        if dropped is None or self.without:
            return
        with suppress(TooLarge, OverflowError):
            if truth(dropped, instance) is False:
                self.broken += 1
                self.without += verdict is True

    def stop(self) -> bool:
        """Whether more of a longer search would not tell more."""
        return self.without > 0 or (self.decided >= MANY and not self.broken)

    @property
    def enough(self) -> bool:
        """Whether the excuse was tried: without the hypothesis, or with it if nothing breaks it."""
        return self.without > 0 or (self.decided > 0 and not self.broken)


class _Search:
    """A search for an accepted instance on which the conclusion is false, which can be gone on with.

    Gives up after so many tries, after too many draws in vain, or once so much work is done.
    """

    def __init__(
        self,
        sampler: Sampler,
        conclusion: Any,
        random: Random,
        tries: int,
        *,
        accepted: Callable[[Instance], bool] | None = None,
        work: int | None = None,
        tried: _Tried | None = None,
        broken_by: Any = None,
        stop: Callable[[], bool] = lambda: False,
        deny: bool = False,
    ) -> None:
        self.sampler, self.random, self.tries = sampler, random, tries
        self.conclusion = conclusion
        self.accepted = accepted or (lambda instance: seems_false(conclusion, instance))
        self.work, self.tried, self.broken_by, self.stop = work, tried, broken_by, stop
        self.asked = 0 if deny and says_some(conclusion) else MOST_DENIED
        self.seen = self.misses = 0
        self.over = False

    def run(self, draws: int | None = None) -> Instance | None:
        """What is found with so many draws more, or with all that are left."""
        last = None if self.work is None else effort() + self.work
        most = self.tries, max(200, self.tries // 4)
        while not self.over:
            self.over = (
                self.seen >= most[0]
                or self.misses >= most[1]
                or (last is not None and effort() >= last)
                or self.stop()
            )
            if self.over or draws == 0:
                return None
            draws = None if draws is None else draws - 1
            instance = self.sampler.draw(self.random, tries=10)
            if instance is None:
                self.misses += 1
                continue
            self.seen += 1
            verdict = None
            with suppress(TooLarge, OverflowError):
                verdict = truth(self.conclusion, instance)
                if verdict is False and self.accepted(instance):
                    return instance
                if verdict is None and self._denied(instance):
                    return instance
            if self.tried is not None:
                self.tried.count(verdict, self.broken_by, instance)
        return None

    def _denied(self, instance: Instance) -> bool:
        """Whether z3, if it may still be asked, shows that there is not what the conclusion says."""
        self.asked += 1
        return self.asked <= MOST_DENIED and denied(self.conclusion, instance)


def attack_mutants(claim: Claim, profile: Profile) -> tuple[Outcome, Kills]:
    """Refute every mutant of the conclusion on an instance of the hypotheses.

    A mutant that is called equivalent must be true on some instance, and false on none that
    certainly satisfies the hypotheses. One mutant at least is refuted.
    """
    if not claim.mutants:
        return fails("the claim carries no mutant: its check was never seen to fail"), Kills(0, 0)
    if all(mutant.equivalent for mutant in claim.mutants):
        return fails("every mutant is excused: its check was never seen to fail"), Kills(0, 0)
    hypotheses = [h.formula for h in claim.hypotheses]
    survivors, untried = [], []
    killed = seeming = 0
    for mutant in claim.mutants:
        random, _ = profile.random(claim.id, "mutant", mutant.name)
        sampler = Sampler([*mutant.at, *hypotheses], [claim.conclusion, mutant.conclusion])

        def beyond_doubt(instance: Instance, goal: Any = mutant.conclusion) -> bool:
            return surely_false(goal, instance, hypotheses) and certain(hypotheses, instance)

        tried = _Tried()
        how: dict[str, Any] = (
            {"accepted": beyond_doubt, "tried": tried} if mutant.equivalent else {}
        )
        witness = _Search(sampler, mutant.conclusion, random, profile.attack_tries, **how).run()
        if witness is not None:
            killed += 1
            seeming += not (mutant.equivalent or certain(hypotheses, witness, ask=False))
            if mutant.equivalent:
                survivors.append(f"{mutant.name} (called equivalent, yet refuted)")
        elif not mutant.equivalent:
            survivors.append(mutant.name)
        elif not tried.enough:
            untried.append(mutant.name)
    kills = Kills(len(claim.mutants), killed)
    if survivors:
        return fails(f"surviving mutants: {', '.join(survivors)}"), kills
    if untried:
        return unknown(
            f"called equivalent, but decided on no instance: {', '.join(untried)}"
        ), kills
    explained = sum(1 for m in claim.mutants if m.equivalent)
    tail = f", {explained} equivalent and explained" if explained else ""
    tail += f"; {seeming} of them where the hypotheses only seem to hold" if seeming else ""
    return holds(f"{killed} mutants refuted{tail}"), kills


def attack_hypotheses(claim: Claim, profile: Profile) -> Outcome:
    """For each hypothesis an instance that breaks it alone and with it the conclusion.

    Where the claim says that the conclusion survives without one, such an instance is looked for
    briefly and must not turn up, and the conclusion must be decided on some that is tried.
    """
    if not claim.hypotheses:
        return unsupported("the claim has no hypotheses")
    needed, idle, unshown, undecided, untried = [], [], [], [], []
    for hypothesis in claim.hypotheses:
        if hypothesis.idle:
            against, tried = _surely_needed(claim, hypothesis, profile)
            if against is not None:
                names = free_names([*(h.formula for h in claim.hypotheses), claim.conclusion])
                detail = f"called idle, yet needed: {hypothesis.name}"
                return fails(detail, describe(against, names))
            if tried.enough:
                idle.append(f"{hypothesis.name} ({tried.decided} decided)")
            else:
                untried.append(hypothesis.name)
            continue
        if hypothesis.unshown:
            unshown.append(hypothesis.name)
            continue
        against = _needed(claim, hypothesis, profile)
        if against is None:
            undecided.append(hypothesis.name)
        else:
            sure = _breaks(claim, hypothesis, against, ask=False)
            needed.append(hypothesis.name if sure else f"{hypothesis.name} (it seems)")
    if undecided:
        return fails(f"no instance shows that this is needed: {'; '.join(undecided)}")
    if untried:
        return unknown(f"called idle, but nothing was decided without it: {'; '.join(untried)}")
    text = f"needed: {'; '.join(needed)}" if needed else "none needed"
    if unshown:
        text += f" | needed, not shown: {'; '.join(unshown)}"
    return holds(text + (f" | explained as idle: {'; '.join(idle)}" if idle else ""))


def _needed(
    claim: Claim,
    dropped: Hypothesis,
    profile: Profile,
    *,
    aims: Iterable[tuple[Any, ...]] | None = None,
    **how: Any,
) -> Instance | None:
    """An instance that breaks the dropped hypothesis alone and with it the conclusion."""
    others = [h.formula for h in claim.hypotheses if h.name != dropped.name]
    random, _ = profile.random(claim.id, "without", dropped.name)
    searches: Iterable[_Search] = (
        _Search(
            Sampler([*aim, *others], [claim.conclusion, dropped.formula]),
            claim.conclusion,
            random,
            profile.attack_tries // (1 if aim else 4),
            deny=bool(aim) and aim == dropped.without and "tried" not in how,
            **how,
        )
        for aim in (*(_aims(dropped) if aims is None else aims), ())
    )
    if "tried" not in how:
        # One aim may be hopeless and the next one obvious: each gets a few draws before many.
        searches = list(searches)
        for draws, search in product(GLANCES, searches):
            if (witness := search.run(draws)) is not None:
                return witness
    return next((found for search in searches if (found := search.run()) is not None), None)


def _aims(dropped: Hypothesis) -> list[tuple[Any, ...]]:
    """What breaks the hypothesis, as its author or its form says."""
    return [dropped.without] if dropped.without else [(o,) for o in _opposites(dropped.formula)]


def _breaks(claim: Claim, dropped: Hypothesis, instance: Instance, *, ask: bool = True) -> bool:
    """Whether the other hypotheses certainly hold there and the conclusion certainly does not."""
    others = [h.formula for h in claim.hypotheses if h.name != dropped.name]
    false = surely_false(claim.conclusion, instance, others) or _nothing(claim.conclusion, instance)
    return false and certain(others, instance, ask=ask)


def _nothing(formula: Any, at: Instance) -> bool:
    """Whether values leave a `for some` open, and z3 shows that there is nothing such as it says."""
    try:
        return says_some(formula) and truth(formula, at) is None and denied(formula, at)
    except (TooLarge, OverflowError):
        return False


def _surely_needed(
    claim: Claim, dropped: Hypothesis, profile: Profile
) -> tuple[Instance | None, _Tried]:
    """Such an instance, found with little work, that is beyond doubt; and what else was seen.

    It must satisfy the other hypotheses beyond doubt: what only seems to is no argument against
    a stated reason.
    """
    tried = _Tried()
    asked = count()

    def beyond_doubt(instance: Instance) -> bool:
        return _breaks(claim, dropped, instance, ask=next(asked) < MOST_ASKED)

    how = {"accepted": beyond_doubt, "tried": tried, "broken_by": dropped.formula}
    work = BRIEF * profile.attack_tries
    against = _needed(claim, dropped, profile, work=work, **how)
    if against is None and not tried.enough:
        aims = [*_further_aims(claim, dropped), *_aims(dropped)]
        against = _needed(
            claim, dropped, profile, aims=aims, work=LONGER * work, stop=tried.stop, **how
        )
    return against, tried


def _further_aims(claim: Claim, dropped: Hypothesis) -> Iterable[tuple[Any, ...]]:
    """Where mutants find instances of the hypotheses: there without the one dropped, or with it."""
    named = free_names([dropped.formula]).keys()
    opposites = list(_opposites(dropped.formula))
    for mutant in claim.mutants:
        apart = tuple(f for f in mutant.at if not named & free_names([f]).keys())
        if apart:
            yield from ((*apart, opposite) for opposite in opposites)
        if mutant.at:
            yield mutant.at


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
