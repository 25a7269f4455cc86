"""Check proofs while they are written: every step is checked, even after a refused one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from time import perf_counter

from ropeproof.proofs_check.authoring import explain, trial_results
from ropeproof.proofs_check.authoring.drawn import drawn_against
from ropeproof.proofs_check.kernel import terms
from ropeproof.proofs_check.kernel.check import check_step
from ropeproof.proofs_check.kernel.messages import show
from ropeproof.proofs_check.kernel.read import read
from ropeproof.proofs_check.kernel.sequent import Sequent
from ropeproof.proofs_check.present.plain import plain
from ropeproof.proofs_check.run.cache import content, key
from ropeproof.proofs_check.run.cache.sources import PackageSources
from ropeproof.proofs_check.run.cache.store import Store
from ropeproof.proofs_check.run.printed_names import check_names
from ropeproof.proofs_check.run.proving import negated
from ropeproof.proofs_check.semantics.profiles import profile
from ropeproof.theory.errors import RopeproofError
from ropeproof.theory.language import wellformed
from ropeproof.theory.language.claim import Claim
from ropeproof.theory.language.derivation import Step

__all__ = ["Session"]


class Session:
    """A cache of accepted steps, each under a hash of everything on which its check depends.

    In the user's cache they are stored under a hash of the kernel's sources as well, for the next
    session. Nothing else reads them: the status of a claim never rests on them.
    """

    def __init__(self, *, keep: bool = True) -> None:
        self._held: set[str] = set()
        self._new: set[str] = set()
        self._store = Store.of_user() if keep else None
        self._sources = PackageSources() if self._store is not None else None
        self._prefix = ""
        if self._sources is not None:
            self._prefix = key.hashed(
                [key.judge(self._sources), dict(key.environment(profile("quick")))]
            )

    def held(self, name: str) -> bool:
        """Whether the step with the given hash held before."""
        if name in self._held or self._store is None:
            return name in self._held
        return bool(self._store.read(key.hashed(["step", self._prefix, name])) == "holds")

    def keep(self, name: str) -> None:
        """Record that the step with the given hash held."""
        self._held.add(name)
        self._new.add(name)

    def write(self) -> None:
        """Write new results into the cache, unless the kernel's sources have changed since."""
        if self._store is None or self._sources is None or not self._new:
            return
        with suppress(OSError):
            if PackageSources().digest == self._sources.digest:
                for name in self._new:
                    self._store.write(key.hashed(["step", self._prefix, name]), "holds")
        self._new.clear()

    def claim(
        self,
        claim: Claim,
        lookup: Callable[[str], Claim],
        places: Mapping[int, str] | None = None,
        progress: Callable[[int, int], None] = lambda *_: None,
    ) -> trial_results.TriedClaim:
        """Check the proof of one claim step by step and return the results.

        `places` maps the `id()` of a step to its place in the file.
        """
        begin = perf_counter()
        printed = claim.kind == "printed" and claim.derivation is not None
        about = negated(claim) if printed else claim
        run = _Run(self, claim, about, lookup, dict(places or {}))
        remarks = run.readable()
        steps = claim.derivation.steps if claim.derivation else ()
        if not remarks:
            for number, step in enumerate(steps, 1):
                run.step(number, step)
                progress(number, len(steps))
            remarks = run.ending()
        false_at = run.refuted() if remarks or any(s.refusal for s in run.tried) else None
        self.write()
        seconds = perf_counter() - begin
        kept = sum(s.kept for s in run.tried)
        return trial_results.TriedClaim(
            claim, tuple(run.tried), tuple(remarks), false_at, seconds, kept
        )


@dataclass
class _Run:
    """The state of the check of one claim's proof."""

    session: Session
    stated: Claim
    claim: Claim
    lookup: Callable[[str], Claim]
    places: Mapping[int, str]
    hypotheses: dict[str, terms.Term] = field(default_factory=dict)
    known: dict[str, Sequent] = field(default_factory=dict)
    written: dict[str, bytes] = field(default_factory=dict)
    resting: dict[str, frozenset[int]] = field(default_factory=dict)
    tried: list[trial_results.TriedStep] = field(default_factory=list)
    reader: content.PartHasher = field(default_factory=content.PartHasher)

    def readable(self) -> list[str]:
        """Read the hypotheses; the reasons why nothing can be checked, if any."""
        claim = self.claim
        try:
            for h in claim.hypotheses:
                self.hypotheses[h.name] = read(h.formula)
            if claim.conclusion is not None:
                read(claim.conclusion)
        except terms.Malformed as error:
            return [str(error)]
        if claim.conclusion is None:
            return ["there is no formal conclusion"]
        if claim.derivation is None:
            return ["there is no derivation: nothing to check"]
        self.known = {
            n: Sequent(frozenset({n}), (), formula) for n, formula in self.hypotheses.items()
        }
        with suppress(content.Unreadable):
            self.written = {
                h.name: self.reader.digest((h.name, h.formula)) for h in claim.hypotheses
            }
        return []

    def step(self, number: int, step: Step) -> None:
        """Check one step; later steps may use it even if it is refused."""
        begin = perf_counter()
        earlier = [s.step for s in self.tried]
        setting = explain.StepContext(self.claim, self.lookup, self.hypotheses, self.known, earlier)
        name = self.name(step)
        kept = name is not None and self.session.held(name)
        reason = "" if kept else wellformed.empty_step(step) or setting.refused(step)
        if not reason and not kept and name is not None:
            self.session.keep(name)
        rests = frozenset[int]().union(*(self.resting.get(n, frozenset()) for n in step.using))
        self.resting[step.label] = rests | {number} if reason else rests
        refusal = explain.explain(step, reason, setting) if reason else None
        self.take(step)
        place = self.places.get(id(step), "")
        seconds = perf_counter() - begin
        self.tried.append(
            trial_results.TriedStep(
                number, step, place, seconds, kept, refusal, tuple(sorted(rests))
            )
        )

    def name(self, step: Step) -> str | None:
        """The hash of everything on which the step's check depends; None if unreadable."""
        try:
            statement = ""
            if step.rule.name == "by_claim":
                other = step.rule.arguments["id"]
                statement = (
                    f"{other in self.claim.uses} {content.statement_digest(self.lookup(other))}"
                )
            about = (step.rule, step.conclusion, tuple(step.assuming))
            hypotheses = (self.written[h.name].hex() for h in self.claim.hypotheses)
            premises = (self.written[n].hex() for n in step.using)
            whole = (statement, tuple(hypotheses), tuple(premises))
            return (self.reader.digest(about) + self.reader.digest(whole)).hex()
        except (content.Unreadable, LookupError):
            return None

    def take(self, step: Step) -> None:
        """Make the step available to those after it."""
        carried = self._hypotheses_of(step)
        with suppress(terms.Malformed, LookupError, TypeError, ValueError):
            goal, assuming = read(step.conclusion), tuple(read(a) for a in step.assuming)
            self.known[step.label] = Sequent(carried, assuming, goal)
        with suppress(content.Unreadable):
            about = (tuple(sorted(carried)), tuple(step.assuming), step.conclusion)
            self.written[step.label] = self.reader.digest(about)

    def _hypotheses_of(self, step: Step) -> frozenset[str]:
        found = (self.known[n].hypotheses for n in step.using if n in self.known)
        return frozenset[str]().union(*found)

    def ending(self) -> list[str]:
        """Errors in the claim's statement, and reasons why the last step does not prove it."""
        claim = self.claim
        steps = claim.derivation.steps if claim.derivation else ()
        last = steps[-1]
        remarks: list[str] = []
        try:
            wellformed.check_statement(self.stated)
            check_names(self.stated)
        except RopeproofError as error:
            remarks.append(str(error))
        reached = self.known.get(last.label)
        if reached is None or reached.conclusion != read(claim.conclusion):
            remarks.append(
                f"the last step is not the claim's conclusion: it shows {plain(last.conclusion)}, "
                f"the claim says {plain(claim.conclusion)}"
            )
            same = [s.label for s in steps if s.conclusion == claim.conclusion]
            if same:
                remarks.append(f"step {same[0]} is the conclusion: let it be the last")
        elif reached.assumptions:
            open_ = ", ".join(show(a) for a in reached.assumptions)
            remarks.append(f"the last step still rests on an assumption: {open_}")
        if reached is not None and not remarks:
            unused = [
                h.name for h in claim.hypotheses if h.name not in reached.hypotheses and not h.idle
            ]
            if unused:
                remarks.append(
                    f"the proof does not use: {', '.join(unused)}; drop it, or say in `idle` why "
                    "it stays"
                )
            remarks += self._mutants(last)
        return remarks

    def _mutants(self, last: Step) -> list[str]:
        known = {n: s for n, s in self.known.items() if n != last.label}
        found = []
        for mutant in self.claim.mutants:
            if mutant.equivalent:
                continue
            step = replace(last, conclusion=mutant.conclusion)
            outcome = check_step(step, known, self.hypotheses, self.claim, self.lookup)[1]
            if outcome.verdict == "holds":
                found.append(
                    f"the last step also proves the mutant {mutant.name!r}: it is no false "
                    "neighbour, or the claim says less than was proved"
                )
        return found

    def refuted(self) -> trial_results.FalsifyingValues | None:
        """An instance of the hypotheses on which the statement itself is false, or None."""
        claim = self.claim
        if claim.conclusion is None or claim.kind == "printed":
            return None
        given = [h.formula for h in claim.hypotheses]
        found = drawn_against(claim.conclusion, given, claim.id)
        return None if found is None else replace(found, what="the statement itself is false here")
