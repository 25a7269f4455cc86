"""Running the evidence of claims, in one process or several, and computing their status.

What judges and what is judged is imported when something is run: a check whose results are all
cached loads neither the catalogue nor the kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor, Future, as_completed
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ropeproof.proofs_check.evidence import MUTANTS
from ropeproof.proofs_check.kernel.outcome import Kills
from ropeproof.proofs_check.reports.listing import select
from ropeproof.proofs_check.run import items as pieces
from ropeproof.proofs_check.run.library import LOADED, closure, given_files, load, undisturbed
from ropeproof.proofs_check.run.status import (
    Record,
    Status,
    compute_status,
    established,
    shortfalls,
)
from ropeproof.proofs_check.semantics.profiles import profile
from ropeproof.theory.extras import require_extra
from ropeproof.theory.language.claim import Claim, checked

if TYPE_CHECKING:
    from ropeproof.proofs_check.recheck.coq.answers.rechecked import Rechecked
    from ropeproof.proofs_check.recheck.second_solver import SecondOpinion
    from ropeproof.proofs_check.run.cache import Kept


__all__ = ["ClaimResult", "RunPlan", "check", "outlined", "plan"]

_LONGEST = (
    pieces.SECOND_SOLVER,
    "construction",
    pieces.HYPOTHESES,
    "property",
    "proof",
    "certified",
    "attack",
    MUTANTS,
)
"""Kinds and names of evidence, in falling order of the time that one piece takes."""


@dataclass(frozen=True, repr=False)
class ClaimResult:
    """The result of a run for one claim: its status, its records, and what it falls short of."""

    claim: Claim
    status: Status
    records: tuple[Record, ...]
    axioms: tuple[str, ...]
    kills: Kills
    shortfalls: tuple[str, ...]
    second: SecondOpinion | None = None  # where a second solver was asked
    coq: Rechecked | None = None  # where Coq was asked
    established: Status | None = (
        None  # by the evidence, where that is not the status: of a definition
    )

    @property
    def proved(self) -> bool:
        """Whether the claim, or what is checked of a definition, is proved, so that others may rest on it."""
        return (self.established or self.status) == "proved"

    @property
    def seconds(self) -> float:
        """The time spent on this claim, in seconds, added over processes; cached results count as 0."""
        return sum(r.seconds for r in self.records if not r.kept)

    @property
    def kept(self) -> bool:
        """Whether all records of this claim come from an earlier run."""
        return bool(self.records) and all(r.kept for r in self.records)

    @property
    def witness(self) -> Mapping[str, str] | None:
        """The witness against the claim, None if no record has one."""
        return next((r.witness for r in self.records if r.witness), None)

    def __repr__(self) -> str:
        wrong = f", not as expected: {'; '.join(self.shortfalls)}" if self.shortfalls else ""
        return f"<{self.claim.id} is {self.status}{wrong}>"

    def _repr_markdown_(self) -> str:
        from ropeproof.proofs_check.reports.report import verdict_markdown

        return verdict_markdown(self)


@dataclass(frozen=True)
class RunPlan:
    """The work of a check: the items to run for the chosen claims, and the results that are cached.

    `claims` holds those that were chosen and those they use, in catalogue order, `done` the cached
    results and `left` the items to run. A claim that was not chosen has only the items
    which decide whether it is proved; its others are run where these do not prove it.
    """

    claims: Mapping[str, Claim]
    chosen: Sequence[str]
    items: Sequence[pieces.Item]
    done: Sequence[pieces.Result]
    left: Sequence[pieces.Item]
    profile_name: str
    modules: Sequence[str]
    kept: Kept | None

    def run(
        self,
        executor: Executor | None = None,
        progress: Callable[[pieces.Result, int, int], None] | None = None,
    ) -> list[ClaimResult]:
        """Run the items that are left; returns the result of each chosen claim."""
        results: dict[str, list[pieces.Result]] = {id: [] for id in self.claims}
        items = list(self.items)
        for result in self.done:
            results[result.item.claim].append(result)

        def run_these(left: list[pieces.Item]) -> None:
            finished = _run_all(left, self.profile_name, self.modules, executor)
            for done, result in enumerate(finished, len(items) - len(left) + 1):
                results[result.item.claim].append(result)
                if self.kept is not None:
                    self.kept.add(result)
                if progress:
                    progress(result, done, len(items))

        try:
            run_these(list(self.left))
            verdicts = self._verdicts(items, results)
            if spared := self._spared(verdicts):
                items += spared
                run_these(spared)
                verdicts = self._verdicts(items, results)
            for host in load(self.modules).hosts:
                host.check_sources()
        finally:
            if self.kept is not None:
                self.kept.write()
        return [verdicts[id] for id in self.chosen]

    def known(self) -> list[ClaimResult] | None:
        """The result of each chosen claim from cached results alone; None where some are missing."""
        results: dict[str, list[pieces.Result]] = {id: [] for id in self.claims}
        for result in self.done:
            results[result.item.claim].append(result)
        verdicts = self._verdicts(self.items, results)
        doubtful = any(id not in self.chosen and not v.proved for id, v in verdicts.items())
        return None if self.left or doubtful else [verdicts[id] for id in self.chosen]

    def _verdicts(
        self, items: Sequence[pieces.Item], results: Mapping[str, list[pieces.Result]]
    ) -> dict[str, ClaimResult]:
        """The results of all claims of the plan by what was found so far, in catalogue order."""
        order = {item: k for k, item in enumerate(items)}
        verdicts: dict[str, ClaimResult] = {}
        for id, claim in self.claims.items():
            verdicts[id] = _verdict(claim, order, results[id], verdicts)
        return verdicts

    def _spared(self, verdicts: Mapping[str, ClaimResult]) -> list[pieces.Item]:
        """The items not yet run of the used claims that are not shown to be proved."""
        doubtful = [id for id in self.claims if id not in self.chosen and not verdicts[id].proved]
        known = set(self.items)
        library = load(self.modules)
        return [
            item for id in doubtful for item in pieces.items_of(library, id) if item not in known
        ]


def plan(
    patterns: Iterable[str] = (),
    *,
    modules: Sequence[str] = (),
    profile_name: str = "default",
    second_solver: bool = False,
    kept: Kept | None = None,
) -> RunPlan:
    """The plan of a check of the selected claims and of what the claims that they use rest on.

    Only the claims of the plan are built from the catalogue. Where `kept` has their index and
    every result, not even these are built; unless some were before, the claims of the plan and of its
    verdicts are then cards, which answer for the claims.

    Raises `InvalidArgument` for an id or a profile that does not exist, and `Unsupported` if
    a second solver is asked for and none is installed.
    """
    modules = given_files(modules)
    profile(profile_name)
    if second_solver:
        from ropeproof.proofs_check.recheck.second_solver import require_second_solver

        require_second_solver()
    # In a process that has read the catalogue, that one counts, whatever the sources say.
    first = not LOADED
    library = load(modules)
    chosen = select(library.claims, patterns)
    require_extra("proofs", "a check of claims")
    outline = kept.index(chosen) if kept is not None and first and not second_solver else None
    if outline is not None:
        made = _plan(outline.claims, outline.items, chosen, profile_name, modules, kept)
        if not made.left:
            return made
        _require_what_is_left(made)
        # The items are known already: evidence that is not run need not be loaded.
        with undisturbed():  # in this process, before it is copied
            built = {id: library.claims[id] for id in made.claims}
            for id in {item.claim for item in made.left}:
                _ = built[id].derivation
        return replace(made, claims=built)
    with undisturbed():
        wanted = {id: library.claims[id] for id in closure(library.claims, chosen)}
    _check_contracts(library.claims, wanted)
    if kept is not None:
        kept.learn(library, chosen)
    items = pieces.planned_items(library, chosen, second_solver=second_solver)
    made = _plan(wanted, items, chosen, profile_name, modules, kept)
    _require_what_is_left(made)
    return made


def outlined(patterns: Iterable[str], profile_name: str, kept: Kept) -> RunPlan | None:
    """The plan of a check whose claims an earlier run of these sources has listed; None if none has.

    Nothing but ids is read for it. Errors for ids as `plan`.
    """
    chosen = select(load().claims, patterns)
    outline = kept.index(chosen)
    if outline is None:
        return None
    return _plan(outline.claims, outline.items, chosen, profile_name, (), kept)


def _require_what_is_left(made: RunPlan) -> None:
    """Raise `Unsupported` if an item that is left to run needs an extra that is not installed."""
    if any(item.kind == "construction" for item in made.left):
        require_extra("models", "evidence by a construction", "torch")


def _check_contracts(claims: Mapping[str, Claim], wanted: Mapping[str, Claim]) -> None:
    """Raise `InvalidClaim` where a wanted claim breaks the contract of a catalogue.

    Where the project's whole catalogue is wanted, it is also compared with what its topics state.
    """
    from ropeproof.theory.topics.catalogue import CLAIMS, whole_catalogue

    if claims is CLAIMS and len(wanted) == len(claims):
        whole_catalogue()
    else:
        checked(claims, wanted)


def _plan(
    claims: Mapping[str, Claim],
    items: Mapping[str, Sequence[pieces.Item]],
    chosen: Sequence[str],
    profile_name: str,
    modules: Sequence[str],
    kept: Kept | None,
) -> RunPlan:
    wanted = closure(claims, chosen)
    every = frozenset(chosen)
    work = [i for id in wanted for i in (items[id] if id in every else pieces.deciding(items[id]))]
    found = {item: kept.find(item) if kept is not None else None for item in work}
    left = [item for item, result in found.items() if result is None]
    return RunPlan(
        {id: claims[id] for id in wanted},
        chosen,
        work,
        [result for result in found.values() if result is not None],
        left,
        profile_name,
        tuple(modules),
        kept,
    )


def check(
    patterns: Iterable[str] = (),
    *,
    modules: Sequence[str] = (),
    profile_name: str = "default",
    second_solver: bool = False,
    executor: Executor | None = None,
    progress: Callable[[pieces.Result, int, int], None] | None = None,
    kept: Kept | None = None,
) -> list[ClaimResult]:
    """Run every piece of evidence of the selected claims, and what proves those they use.

    `patterns` are ids or globs, `modules` files with claims of a user's own; one string is one of
    them.

    With `second_solver` every step that z3 accepts is put to cvc5 as well; that is never kept.
    With an executor (any `concurrent.futures` one) the items run there. `progress` is called
    after each item with its result, the number done and the number of all. With `kept`, results
    that are kept are not run again, and new ones are added. Returns a verdict for each selected
    claim, in catalogue order.
    """
    work = plan(
        patterns,
        modules=modules,
        profile_name=profile_name,
        second_solver=second_solver,
        kept=kept,
    )
    return work.run(executor, progress)


def _run_all(
    items: list[pieces.Item], profile_name: str, modules: Sequence[str], executor: Executor | None
) -> Iterable[pieces.Result]:
    stamp = load(modules).stamp if items and modules else ""
    if executor is None:
        for item in items:
            yield pieces.run_item(item, profile_name, modules, stamp)
        return
    paths = tuple(modules)
    # What may take long comes first, so that no process is left alone with it at the end.
    place = {what: k for k, what in enumerate(_LONGEST)}
    items = sorted(items, key=lambda item: place.get(item.name, place[item.kind]))
    futures: list[Future[pieces.Result]] = [
        executor.submit(pieces.run_item, item, profile_name, paths, stamp) for item in items
    ]
    for future in as_completed(futures):
        yield future.result()


def _verdict(
    claim: Claim,
    order: Mapping[pieces.Item, int],
    results: list[pieces.Result],
    before: Mapping[str, ClaimResult],
) -> ClaimResult:
    results = sorted(results, key=lambda r: order[r.item])
    records = tuple(r.record for r in results)
    axioms = dict.fromkeys(a for r in results for a in r.axioms)
    for other in claim.uses:
        axioms.update(dict.fromkeys(before[other].axioms))
    kills = Kills(sum(r.kills.tried for r in results), sum(r.kills.killed for r in results))
    used = {u: before[u].established or before[u].status for u in claim.uses}
    status = compute_status(claim, records, used)
    reasons = shortfalls(claim, records, status, used)
    second = next((r.second for r in results if r.second is not None), None)
    found = established(claim, records, used)
    return ClaimResult(
        claim, status, records, tuple(axioms), kills, tuple(reasons), second, established=found
    )
