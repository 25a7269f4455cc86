"""The attack: mutants that must be refuted, and hypotheses that must prove necessary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import IntEnum
from random import Random
from typing import Any

import sympy as sp

from ropeproof.proofs_check.attack.needs import Need, recorded
from ropeproof.proofs_check.kernel import outcome
from ropeproof.proofs_check.semantics import instances, values
from ropeproof.proofs_check.semantics.bounds import free_names
from ropeproof.proofs_check.semantics.certain import (
    certain,
    closed_instances,
    doubtful,
    seems_false,
    shown_false,
    surely_false,
)
from ropeproof.proofs_check.semantics.evaluate import truth
from ropeproof.proofs_check.semantics.for_some import denied, says_some
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.language import logic
from ropeproof.theory.language.claim import Claim, Hypothesis

__all__ = ["attack_hypotheses", "attack_mutants"]


BRIEF = 24
"""Terms evaluated for each attack try in the short search that tests an idle hypothesis."""
LONGER = 20
"""The factor on `BRIEF` for the second search, if the first decided nothing."""
MANY = 50
"""After this many decided instances the search stops waiting for one that violates the hypothesis."""
GLANCES = (20, 200)
"""Draws of each aim in the first rounds of the search for the need of a hypothesis."""
MOST_ASKED = 5
"""The largest number of instances in one search about which z3 is asked."""
MOST_DENIED = 2
"""The largest number of an author's instances on which z3 may refute the conclusion's `for some`."""
MOST_OPEN = 25
"""After this many instances that only rounded numbers call a counterexample a search ends."""
PATIENCE = 15
"""Further draws after a doubtful counterexample, besides as many as it took to find it."""
MOST_CLOSED = 4
"""The largest number of choices of closed forms for a seeming counterexample's functions."""
MOST_FUNCTIONS = 3
"""The largest number of functions of a seeming counterexample that get closed forms."""


@dataclass
class _Tried:
    """Counts of a search without one hypothesis, which tell whether it tested that this is not needed.

    `decided` counts the instances on which the conclusion holds, `broken` those on which the dropped
    hypothesis does not hold, `without` those of the latter on which the conclusion does.
    """

    decided: int = 0
    broken: int = 0
    without: int = 0

    def count(self, verdict: bool | None, dropped: Any, instance: values.Instance) -> None:
        self.decided += verdict is True
        if dropped is None or self.without:
            return
        with suppress(values.TooLarge, OverflowError):
            if truth(dropped, instance) is False:
                self.broken += 1
                self.without += verdict is True

    def stop(self) -> bool:
        """Whether continuing a longer search would give no new information."""
        return self.without > 0 or (self.decided >= MANY and not self.broken)

    @property
    def enough(self) -> bool:
        """Whether the search tested the claim that the dropped hypothesis is not needed.

        It did if the conclusion held on an instance that violates the hypothesis, or, where no instance
        violates it, on any instance.
        """
        return self.without > 0 or (self.decided > 0 and not self.broken)


class _Doubt(IntEnum):
    """How certain it is that an instance is a counterexample."""

    OPEN = 0  # a comparison is not decided
    FALSE_ON_SAMPLES = (
        1  # the conclusion is false if each `for all` in it holds that samples let pass
    )
    SEEMING = 2  # it is certainly false; a hypothesis may only seem to hold
    NONE = 3


@dataclass(frozen=True)
class _Against:
    """A possible counterexample and how certain it is, with the number of those like it."""

    instance: values.Instance
    doubt: _Doubt
    cases: int = 1


def _doubt(
    conclusion: Any,
    at: values.Instance,
    hypotheses: Sequence[Any],
    aim: Sequence[Any] = (),
    *,
    ask: bool = False,
) -> _Doubt:
    """How certainly the instance, drawn to satisfy all hypotheses, violates the conclusion.

    Enclosures and exact numbers decide that the conclusion is false. Where they leave it open
    and `ask` is True, the kernel may prove it: no enclosure shows that two numbers are equal.
    """
    given = (*hypotheses, *aim)
    on_samples = seems_false(conclusion, at, given)
    if (on_samples and surely_false(conclusion, at, given)) or (
        not on_samples and ask and shown_false(conclusion, at, given)
    ):
        return _Doubt.NONE if certain(hypotheses, at, aim=aim, ask=ask) else _Doubt.SEEMING
    return _Doubt.FALSE_ON_SAMPLES if on_samples else _Doubt.OPEN


class _Search:
    """A resumable search for an instance of the given formulas that violates the conclusion.

    It ends with one beyond doubt; `best` is the best instance seen so far. It gives up after a number
    of instances, of failed draws or of evaluated terms, or if nothing better was seen for a while.
    """

    def __init__(
        self,
        aim: Sequence[Any],
        hypotheses: Sequence[Any],
        conclusion: Any,
        random: Random,
        tries: int,
        *,
        also: Sequence[Any] = (),
        work: int | None = None,
        tried: _Tried | None = None,
        broken_by: Any = None,
        stop: Callable[[], bool] = lambda: False,
        deny: bool = False,
    ) -> None:
        self.sampler = instances.Sampler([*aim, *hypotheses], [conclusion, *also])
        self.random, self.tries, self.aim = random, tries, tuple(aim)
        self.hypotheses, self.conclusion = hypotheses, conclusion
        self.work, self.tried, self.broken_by, self.stop = work, tried, broken_by, stop
        self.denials = 0 if deny and says_some(conclusion) else MOST_DENIED
        self.seen = self.misses = self.open = self.asked = self.seeming = 0
        self.enough: int | None = None  # draws, once there is a counterexample
        self.over = False
        self.best: _Against | None = None

    def run(self, draws: int | None = None) -> _Against | None:
        """Search on, for at most `draws` more draws; return a certain counterexample or None."""
        last = None if self.work is None else values.effort() + self.work
        most = self.tries, max(200, self.tries // 4)
        while not self.over:
            self.over = (
                self.seen >= most[0]
                or self.misses >= most[1]
                or (self.enough is not None and self.seen + self.misses >= self.enough)
                or (last is not None and values.effort() >= last)
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
            with suppress(values.TooLarge, OverflowError):
                verdict = truth(self.conclusion, instance)
            if verdict is False and self._judged(instance) is _Doubt.NONE:
                return self.best
            if verdict is None and self._denied(instance):
                return self.best
            if self.tried is not None:
                self.tried.count(verdict, self.broken_by, instance)
        return None

    def _judged(self, instance: values.Instance) -> _Doubt:
        ask, self.asked = self.asked < MOST_ASKED, self.asked + 1
        doubt = _doubt(self.conclusion, instance, self.hypotheses, self.aim, ask=ask)
        self.seeming += doubt is not _Doubt.OPEN
        if doubt > (self.best.doubt if self.best else _Doubt.OPEN):
            self.best = _Against(instance, doubt)
            self.enough = 2 * (self.seen + self.misses) + PATIENCE
        if self.tried is None:
            self.open += doubt is _Doubt.OPEN
            self.over = self.open >= MOST_OPEN
        else:
            self.enough = None  # only what is beyond doubt counts
        return doubt

    def _denied(self, instance: values.Instance) -> bool:
        """Whether z3, if still allowed, shows that the conclusion's `for some` has no witness."""
        self.denials += 1
        if self.denials > MOST_DENIED or not denied(self.conclusion, instance):
            return False
        sure = certain(self.hypotheses, instance, aim=self.aim, ask=False)
        self.seeming += 1
        self.best = _Against(instance, _Doubt.NONE if sure else _Doubt.SEEMING)
        return True

    def closed(self) -> _Against | None:
        """A certain counterexample, or None, made from the best doubtful one.

        The functions on which the doubt rests get closed forms.
        """
        if self.best is None:
            return None
        at, given = self.best.instance, self.hypotheses
        unsure = doubtful(given, at, self.aim)
        unsure += [self.conclusion] if self.best.doubt is _Doubt.FALSE_ON_SAMPLES else []
        if sum(arity > 0 for _, arity in free_names(unsure).values()) > MOST_FUNCTIONS:
            return None
        for instance in closed_instances(self.sampler, unsure, self.random, tries=MOST_CLOSED):
            if _doubt(self.conclusion, instance, given, self.aim, ask=True) is _Doubt.NONE:
                return _Against(instance, _Doubt.NONE)
        return None


def _found(searches: Sequence[_Search]) -> _Against | None:
    """The best counterexample of several searches, none of which found one beyond doubt."""
    searches = [search for search in searches if search.best is not None]
    for search in searches:
        if (closed := search.closed()) is not None:
            return closed
    best = max((s.best for s in searches if s.best), key=lambda best: best.doubt, default=None)
    return best and replace(best, cases=sum(search.seeming for search in searches))


def attack_mutants(claim: Claim, profile: Profile) -> tuple[outcome.Outcome, outcome.Kills]:
    """Refute every mutant of the conclusion on an instance of the hypotheses.

    A mutant that is declared equivalent must be true on some instance, and false on none that
    certainly satisfies the hypotheses. At least one mutant must be refuted.
    """
    if not claim.mutants:
        return outcome.fails(
            "the claim carries no mutant: its check was never seen to fail"
        ), outcome.Kills(0, 0)
    if all(mutant.equivalent for mutant in claim.mutants):
        return outcome.fails(
            "every mutant is excused: its check was never seen to fail"
        ), outcome.Kills(0, 0)
    hypotheses = [h.formula for h in claim.hypotheses]
    survivors, untried = [], []
    doubts: Counter[_Doubt] = Counter()
    for mutant in claim.mutants:
        random, _ = profile.random(claim.id, "mutant", mutant.name)
        tried = _Tried() if mutant.equivalent else None
        search = _Search(
            mutant.at, hypotheses, mutant.conclusion, random, profile.attack_tries,
            also=[claim.conclusion], tried=tried,
        )  # fmt: skip
        against = search.run()
        if against is None and not mutant.equivalent:
            against = _found([search])
        if against is not None:
            doubts[against.doubt] += 1
            if mutant.equivalent:
                survivors.append(f"{mutant.name} (called equivalent, yet refuted)")
        elif tried is None:
            undecided = " (digits alone call it false)" if search.open else ""
            survivors.append(mutant.name + undecided)
        elif not tried.enough:
            untried.append(mutant.name)
    killed = doubts.total()
    kills = outcome.Kills(len(claim.mutants), killed)
    if survivors:
        return outcome.fails(f"surviving mutants: {', '.join(survivors)}"), kills
    if untried:
        return outcome.unknown(
            f"called equivalent, but decided on no instance: {', '.join(untried)}"
        ), kills
    explained = sum(1 for m in claim.mutants if m.equivalent)
    tail = f", {explained} equivalent and explained" if explained else ""
    if seeming := doubts[_Doubt.SEEMING] + doubts[_Doubt.FALSE_ON_SAMPLES]:
        tail += f"; {seeming} of them where the hypotheses only seem to hold"
    if inside := doubts[_Doubt.FALSE_ON_SAMPLES]:
        tail += f", {inside} of these false if what they presuppose holds that samples let pass"
    return outcome.holds(f"{killed} mutants refuted{tail}"), kills


def attack_hypotheses(claim: Claim, profile: Profile) -> outcome.Outcome:
    """For each hypothesis, find an instance of all the others that violates it and the conclusion.

    Where the claim says that the conclusion holds without a hypothesis, the search for such an instance
    is short and must fail, and the conclusion must be decided on some instance tried.
    """
    if not claim.hypotheses:
        return outcome.unsupported("the claim has no hypotheses")
    needs: dict[str, Need] = {}
    undecided, untried = [], []
    for hypothesis in claim.hypotheses:
        if hypothesis.idle:
            against, tried = _surely_needed(claim, hypothesis, profile)
            if against is not None:
                names = free_names([*(h.formula for h in claim.hypotheses), claim.conclusion])
                detail = f"called idle, yet needed: {hypothesis.name}"
                return outcome.fails(detail, instances.describe(against, names))
            if tried.enough:
                needs[hypothesis.name] = Need("idle", tried.decided)
            else:
                untried.append(hypothesis.name)
            continue
        if hypothesis.unshown:
            needs[hypothesis.name] = Need("needed, not shown")
            continue
        found = _needed(claim, hypothesis, profile)
        if found is None:
            undecided.append(hypothesis.name)
        else:
            sure = found.doubt is _Doubt.NONE
            needs[hypothesis.name] = (
                Need("needed") if sure else Need("needed, it seems", found.cases)
            )
    if undecided:
        named = "; ".join(undecided)
        return outcome.fails(f"no instance shows that this is needed: {named}. {_to_add(claim)}")
    if untried:
        return outcome.unknown(
            f"called idle, but nothing was decided without it: {'; '.join(untried)}"
        )
    return outcome.holds(recorded(needs))


def _to_add(claim: Claim) -> str:
    """Advice on the arguments of `Attack` that supply what the search did not find."""
    from ropeproof.theory.language.instance import kinds_of

    symbol = next(iter(kinds_of(claim)), "n").replace("(.)", "(0)")
    return (
        f"Add to the claim's Attack(...) where to look, `without={{HYPOTHESIS: {{{symbol}: VALUE}}}}`; "
        "or, if the conclusion holds without it, `idle={HYPOTHESIS: 'why'}`; or, if no instance can show "
        "it, `unshown={HYPOTHESIS: 'why, and how it fails'}`"
    )


def _needed(claim: Claim, dropped: Hypothesis, profile: Profile) -> _Against | None:
    """An instance of the other hypotheses on which the dropped one and the conclusion fail; or None."""
    searches = list(_searches(claim, dropped, profile, _aims(dropped)))
    # One aim may be hopeless and the next one obvious: each gets a few draws before many.
    for draws in (*GLANCES, None):
        for search in searches:
            if (against := search.run(draws)) is not None:
                return against
        if any(search.best for search in searches):
            break
    return _found(searches)


def _searches(
    claim: Claim,
    dropped: Hypothesis,
    profile: Profile,
    aims: Iterable[tuple[Any, ...]],
    **how: Any,
) -> Iterator[_Search]:
    """Searches for an instance of the other hypotheses that violates the conclusion.

    Aimed searches come first, the last one is not aimed.
    """
    others = [h.formula for h in claim.hypotheses if h.name != dropped.name]
    random, _ = profile.random(claim.id, "without", dropped.name)
    for aim in (*aims, ()):
        tries = profile.attack_tries // (1 if aim else 4)
        also = [dropped.formula]
        deny = bool(aim) and aim == dropped.without and "tried" not in how
        yield _Search(aim, others, claim.conclusion, random, tries, also=also, deny=deny, **how)


def _aims(dropped: Hypothesis) -> list[tuple[Any, ...]]:
    """Aims of the search for an instance without the hypothesis: its author's, or its opposites."""
    return [dropped.without] if dropped.without else [(o,) for o in _opposites(dropped.formula)]


def _surely_needed(
    claim: Claim, dropped: Hypothesis, profile: Profile
) -> tuple[values.Instance | None, _Tried]:
    """A counterexample without the dropped hypothesis, found by a short search, or None.

    It must certainly violate the conclusion and certainly satisfy the other hypotheses: an instance that only
    seems to do so does not refute the author's reason why the hypothesis is not needed. Also returns the
    statistics of the search.
    """
    tried = _Tried()
    work = BRIEF * profile.attack_tries
    how: dict[str, Any] = {"tried": tried, "broken_by": dropped.formula}
    for search in _searches(claim, dropped, profile, _aims(dropped), work=work, **how):
        if (against := search.run()) is not None:
            return against.instance, tried
    if not tried.enough:
        aims = [*_further_aims(claim, dropped), *_aims(dropped)]
        how |= {"work": LONGER * work, "stop": tried.stop}
        for search in _searches(claim, dropped, profile, aims, **how):
            if (against := search.run()) is not None:
                return against.instance, tried
    return None, tried


def _further_aims(claim: Claim, dropped: Hypothesis) -> Iterable[tuple[Any, ...]]:
    """Aims of the mutants, with and without a violation of the dropped hypothesis."""
    named = free_names([dropped.formula]).keys()
    opposites = list(_opposites(dropped.formula))
    for mutant in claim.mutants:
        apart = tuple(f for f in mutant.at if not named & free_names([f]).keys())
        if apart:
            yield from ((*apart, opposite) for opposite in opposites)
        if mutant.at:
            yield mutant.at


def _opposites(formula: Any) -> Iterable[Any]:
    """Simple formulas opposite to the given one, to aim the search, such as `b < a` for `a <= b`."""
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
