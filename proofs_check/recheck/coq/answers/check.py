"""Coq verification of exported claims: which steps it accepts, and what each theorem rests on.

A draft is read command by command, so that a step that Coq refuses does not hide the others. The
final file admits the refused steps, by name, and `coqc` compiles it; a claim is re-checked
only if nothing is admitted, if the theorem's statement as Coq prints it, read back, is the claim, and
if Coq says that it rests on no axiom but those that the claim's derivations name.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, replace
from pathlib import Path

from ropeproof.proofs_check.recheck.coq.answers.answers import answered, misread_axioms
from ropeproof.proofs_check.recheck.coq.answers.kept import KeptVerdicts
from ropeproof.proofs_check.recheck.coq.answers.process import Coq
from ropeproof.proofs_check.recheck.coq.answers.rechecked import Rechecked
from ropeproof.proofs_check.recheck.coq.arithmetic.unknowns import NotExported
from ropeproof.proofs_check.recheck.coq.export import (
    BALL,
    Exported,
    admitted_files,
    coq_axioms,
    exported,
    module_of,
    used_statements,
)
from ropeproof.proofs_check.recheck.coq.files import in_order, library, project
from ropeproof.theory.errors import Unsupported
from ropeproof.theory.language.claim import Claim
from ropeproof.tools.console.terminal import may_fork, workers

__all__ = ["recheck", "require_coq"]


def require_coq() -> None:
    """Raise `Unsupported` if Coq is not installed."""
    if shutil.which("coqc") is None or shutil.which("coqtop") is None:
        raise Unsupported("Coq is not installed: apt-get install coq (8.16 is what is used here)")


def recheck(
    claims: Sequence[Claim],
    lookup: Callable[[str], Claim],
    folder: Path,
    progress: Callable[[Rechecked], None] = lambda _: None,
    *,
    fresh: bool = True,
    jobs: int | None = None,
    alone: bool = False,
) -> list[Rechecked]:
    """Export the claims and all that they use, and let Coq check them in parallel.

    With `alone` only the claims' own steps are checked: the statements of the claims that they use
    are admitted, each in a module of its own, so no claim that rests on one is re-checked by this.

    Raises `Unsupported` without Coq. Takes seconds for a short proof, minutes for a long one. Without
    `fresh`, verdicts cached in this folder are reused for claims that have not changed, nor anything on
    which the verdict depends; of claims alone, only Coq's answers to the same text. `jobs` of
    None is one for each core.
    """
    require_coq()
    ordered = list({c.id: c for c in claims}.values() if alone else in_order(claims, lookup))
    texts = library(folder)
    kept = None if alone else KeptVerdicts(folder, fresh)
    coq = Coq(folder, fresh)
    if not any(_by_balls(c) for c in ordered):
        texts.pop(BALL)  # which loads much
    there = {m: coq.compile(m, t, library=True)[0] is not None for m, t in texts.items()}
    allowed: dict[str, frozenset[str]] = {}
    for claim in ordered:
        own = coq_axioms(claim)
        allowed[claim.id] = own.union(*(allowed[u] for u in claim.uses if not alone))
    balls = there.get(BALL, False)
    by_id = {c.id: c for c in ordered}
    if alone:
        for module, text in admitted_files(ordered, lookup).items():
            coq.compile(module, text, library=True)
        by_id |= {u: lookup(u) for c in ordered for u in c.uses}
    _ASKING[:] = [_Asking(by_id, coq, allowed, misread_axioms(coq), balls, alone)]
    found: dict[str, Rechecked] = {}
    with workers(jobs if may_fork() else 1, len(ordered), forked=True) as pool:
        for claim, word in _words(ordered, kept, folder, pool):
            found[claim.id] = word
            progress(word)
    if not alone:
        modules = [module_of(c.id) for c in ordered if not found[c.id].reason]
        project(folder, modules, with_balls=(folder / f"{BALL}.vo").exists())
    return [found[c.id] for c in ordered]


def _words(
    ordered: Sequence[Claim], kept: KeptVerdicts | None, folder: Path, pool: Executor | None
) -> Iterator[tuple[Claim, Rechecked]]:
    """Each claim with Coq's verdict, in the order in which the verdicts are reached.

    With `kept` a claim follows those it uses, and its cached verdict is used if there is one.
    """
    waiting = {c.id: c for c in ordered}
    asked: dict[Future[Rechecked], Claim] = {}

    def heard(claim: Claim, word: Rechecked) -> tuple[Claim, Rechecked]:
        timely = not any("no time left" in w or "Timeout" in w for _, w in word.refused)
        if kept is not None:
            kept.add(claim, word.as_json(), keep=timely, compiled=_compiled(folder, claim))
        return claim, word

    while waiting or asked:
        unheard = {*waiting, *(c.id for c in asked.values())}
        for claim in [c for c in waiting.values() if not kept or unheard.isdisjoint(c.uses)]:
            del waiting[claim.id]
            earlier = kept.find(claim, _compiled(folder, claim)) if kept else None
            if earlier is not None:
                yield claim, Rechecked.of_json(earlier)
            elif pool is not None:
                asked[pool.submit(_asked, claim.id)] = claim
            else:
                yield heard(claim, _asked(claim.id))
        for future in wait(asked, return_when=FIRST_COMPLETED).done if asked else ():
            yield heard(asked.pop(future), future.result())


def _compiled(folder: Path, claim: Claim) -> Path:
    return folder / f"{module_of(claim.id)}.vo"


def _by_balls(claim: Claim) -> bool:
    steps = claim.derivation.steps if claim.derivation else ()
    return any(s.rule.name == "ball" for s in steps)


@dataclass(frozen=True)
class _Asking:
    """The data that a worker process needs to check claims with Coq.

    For each claim the axioms that its derivation names, or those of what it uses; the axioms whose
    statement in Coq differs; whether Coq has the library Interval; and whether claims are checked alone.
    """

    claims: Mapping[str, Claim]
    coq: Coq
    allowed: Mapping[str, frozenset[str]]
    wrong: Mapping[str, str]
    balls: bool
    alone: bool = False


_ASKING: list[_Asking] = []
"""The data of the current run, copied to its worker processes."""


def _asked(id: str) -> Rechecked:
    """Coq's verdict on a claim, once those on the claims it uses are known."""
    (at,) = _ASKING
    claim = at.claims[id]
    for module, statement in used_statements(claim, at.claims.__getitem__, alone=at.alone).items():
        at.coq.known(module)
        at.coq.theorems[module] = statement
    try:
        one = exported(claim, at.claims.__getitem__, alone=at.alone)
    except NotExported as error:
        return Rechecked(id, 0, 0, (), (), compiled=False, reason=str(error))
    if BALL in one.requires and not at.balls:
        one = _without_balls(one)
    return answered(one, at.coq, at.allowed[id], at.wrong)


def _without_balls(one: Exported) -> Exported:
    """The claim with its steps by `ball` admitted, for a Coq without the library Interval."""
    steps = tuple(
        replace(s, script=None, reason=NO_INTERVAL) if s.rule == "ball" else s for s in one.steps
    )
    return replace(one, steps=steps, requires=tuple(r for r in one.requires if r != BALL))


NO_INTERVAL = "Coq has no library Interval here: apt-get install libcoq-interval"
