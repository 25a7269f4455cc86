"""Pieces of evidence, each run by itself: the units of work, and of tests in pytest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

from ropeproof.proofs_check.evidence import FORMAL, MUTANTS
from ropeproof.proofs_check.kernel.outcome import Kills, Outcome, fails, holds, unknown, visible
from ropeproof.proofs_check.run import status
from ropeproof.proofs_check.run.library import Library, closure, load
from ropeproof.proofs_check.semantics import profiles
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.extras import explained
from ropeproof.theory.language.claim import Claim

if TYPE_CHECKING:
    from ropeproof.proofs_check.evidence import Evidence, Finding
    from ropeproof.proofs_check.recheck.second_solver import SecondOpinion

__all__ = [
    "HYPOTHESES",
    "SECOND_SOLVER",
    "Item",
    "Result",
    "deciding",
    "items_of",
    "planned_items",
    "run_item",
]


_READING, _REFUTATION = "reading", "refutation"
SECOND_SOLVER = "second solver"
"""The kind of evidence that a second solver gives."""
_THEIRS = "a test, not a certificate: found by nothing but the code of"
HYPOTHESES = "hypotheses"
"""The name of the attack on a claim's hypotheses."""


@dataclass(frozen=True)
class Item:
    """One pair of a claim and a piece of its evidence: the unit of work, and of a test in pytest."""

    claim: str
    kind: str
    name: str

    def __str__(self) -> str:
        return f"{self.claim}::{self.kind}[{self.name}]"


@dataclass(frozen=True)
class Result:
    """The record of one item, with what the report needs besides it."""

    item: Item
    record: status.Record
    axioms: tuple[str, ...] = ()
    kills: Kills = Kills(0, 0)
    second: SecondOpinion | None = None


def items_of(library: Library, id: str, *, second_solver: bool = False) -> list[Item]:
    """The items of work for one claim; with `second_solver` its derivation is also put to that solver."""
    claim, entries = library.claims[id], library.evidence.get(id, ())
    items = []
    if claim.kind == "printed":
        items += [Item(id, "attack", f"{_READING} {n}") for n in range(1, len(claim.readings) + 1)]
        items += [Item(id, "attack", _REFUTATION)] if claim.derivation is not None else []
    elif claim.derivation is not None:
        items.append(Item(id, "proof", "derivation"))
    by_computation = _decided(claim, entries)
    if claim.conclusion is not None and claim.kind != "printed" and not by_computation:
        items.append(Item(id, "property", status.STATEMENT))
        if claim.kind == "theorem" or claim.derivation is not None:
            items.append(Item(id, "attack", MUTANTS))
            items += [Item(id, "attack", HYPOTHESES)] if claim.hypotheses else []
    elif by_computation and claim.hypotheses:  # whatever they are, the conclusion is decided
        items.append(Item(id, "attack", HYPOTHESES))
    if second_solver and claim.derivation is not None:
        items.append(Item(id, SECOND_SOLVER, "cvc5"))
    return items + [Item(id, e.kind, e.name) for e in entries]


def planned_items(
    library: Library, chosen: Sequence[str], *, second_solver: bool = False
) -> dict[str, list[Item]]:
    """The items of work for a check of the chosen claims, by claim, with those of the claims they use.

    A chosen claim has all its items; another one only the `deciding` ones, for which no registered evidence
    is looked up where there is a derivation.
    """
    bare, every = Library(library.claims, {}), frozenset(chosen)

    def work(id: str) -> list[Item]:
        if id in every:
            return items_of(library, id, second_solver=second_solver)
        claim = library.claims[id]
        formal = claim.derivation is not None and claim.kind != "printed"
        return deciding(items_of(bare if formal else library, id))

    return {id: work(id) for id in closure(library.claims, chosen)}


def deciding(items: Sequence[Item]) -> list[Item]:
    """The items of a claim that show it to be proved; all its items if it has no proof.

    Where the outcomes of these items establish `proved`, no other finding about the claim can
    change that; where they do not, every item may matter.
    """
    shown = {("proof", "derivation"), ("property", status.STATEMENT)}
    proof = any(item.kind == "proof" for item in items)
    return [item for item in items if not proof or (item.kind, item.name) in shown]


def _decided(claim: Claim, entries: Iterable[Evidence]) -> bool:
    """Whether this project's own decision, and no derivation, establishes the statement and its mutants.

    What the code of a user's file decides is attacked like everything else.
    """
    return claim.derivation is None and any(e.name == FORMAL and not e.by for e in entries)


def run_item(item: Item, profile_name: str, modules: Sequence[str] = (), stamp: str = "") -> Result:
    """Run one item; whatever goes wrong inside becomes an outcome, never an exception.

    Raises `Unsupported` where it needs an extra that is not installed, which is no outcome.
    `stamp` is that of the library which the item was taken from, in whatever process that was.
    """
    from ropeproof.proofs_check.attack.mutants import attack_hypotheses, attack_mutants
    from ropeproof.proofs_check.attack.statement import recheck
    from ropeproof.proofs_check.run.proving import negated, prove, refute

    library, how = load(modules), profiles.profile(profile_name)
    claim = library.claims[item.claim]
    entries = _entries(library, item)  # the time of an import is no time of the evidence
    if item.kind == "construction":
        import torch  # noqa: F401
    begin = perf_counter()
    domain, cases, kills, by = "", 0, Kills(0, 0), ""
    axioms: tuple[str, ...] = ()
    second = None
    try:
        if stamp and stamp != library.stamp:
            raise InvalidArgument("module", ", ".join(modules), "files that always say the same")
        if item.kind == "proof":
            outcome, axioms = prove(library.claims, claim, how)
            domain = "all values of the symbols"
        elif item.kind == SECOND_SOLVER:
            from ropeproof.proofs_check.recheck.second_solver import second_opinion

            stated = negated(claim) if claim.kind == "printed" else claim
            outcome, second = second_opinion(stated, library.claims.__getitem__)
            domain, cases = "the questions that z3 answered", second.questions
        elif (item.kind, item.name) == ("property", status.STATEMENT):
            outcome, cases = _tested(library, claim, how)
            domain = "instances of the formal statement"
        elif claim.kind == "printed" and (item.kind, item.name) == ("attack", _REFUTATION):
            outcome, axioms = refute(library.claims, claim, how)
            domain = "the negation, proved"
        elif claim.kind == "printed" and item.kind == "attack" and item.name.startswith(_READING):
            outcome = recheck(claim, claim.readings[int(item.name.split()[-1]) - 1])
            domain = "one instance, in exact or ball arithmetic"
        elif (item.kind, item.name) == ("attack", MUTANTS) and not _decided(claim, entries):
            outcome, kills = attack_mutants(claim, how)
        elif (item.kind, item.name) == ("attack", HYPOTHESES):
            outcome = attack_hypotheses(claim, how)
        else:
            entry = next(e for e in entries if (e.kind, e.name) == (item.kind, item.name))
            by = entry.by
            finding = entry.run(how)
            outcome, domain = _substantial(finding, item.kind, by), finding.domain
            cases, kills = finding.cases, finding.kills
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit too: whatever was to be shown was not
        outcome = _broken_off(error)
    record = status.Record(
        item.kind,
        item.name,
        outcome.verdict,
        visible(str(domain)),
        cases,
        round(perf_counter() - begin, 4),
        visible(str(outcome.detail)),
        {k: visible(str(v)) for k, v in outcome.witness.items()} or None,
        by=visible(by),
    )
    return Result(item, record, axioms, kills, second)


def _tested(library: Library, claim: Claim, how: profiles.Profile) -> tuple[Outcome, int]:
    """The outcome of the statement on drawn instances, and how many were drawn.

    Where there is no proof, which requires the same, each condition inside the conclusion must be met on
    some instance: what is true only because its condition never holds is not tested.
    """
    from ropeproof.proofs_check.attack.antecedents import conditions_met
    from ropeproof.proofs_check.attack.statement import test_instances

    outcome, cases = test_instances(claim, how, library.claims)
    if outcome.verdict == "holds" and claim.derivation is None:
        met = conditions_met(claim, how, library.claims)
        outcome = outcome if met.verdict == "holds" else met
    return outcome, cases


def _entries(library: Library, item: Item) -> Sequence[Evidence]:
    """The evidence registered for the claim of an item, empty where it cannot matter to the item."""
    formal = library.claims[item.claim].derivation is not None and item in items_of(
        Library(library.claims, {}), item.claim, second_solver=True
    )
    return () if formal else library.evidence.get(item.claim, ())


def _broken_off(error: BaseException) -> Outcome:
    """The failing outcome of an error that ended a piece of evidence.

    Raises `Unsupported` for an extra that is not installed, which says nothing of the claim.
    """
    if isinstance(error, ModuleNotFoundError) and (missing := explained(error)) is not None:
        raise missing from None
    return fails(f"broke off: {type(error).__name__}: {error}")


def _substantial(finding: Finding, kind: str, by: str) -> Outcome:
    """The outcome of a finding, or unknown if it holds on no domain or in no case, which is no evidence.

    For a certificate that rests on a user's file alone, `by` names the file.
    """
    if finding.outcome.verdict == "holds":
        if kind == "certified" and not finding.domain.strip():
            return unknown("certified on no stated domain")
        if kind in ("certified", "property", "construction") and not finding.cases >= 1:
            return unknown("holds in no case")
        if kind == "certified" and by:
            return holds("; ".join(filter(None, (finding.outcome.detail, f"{_THEIRS} {by}"))))
    return finding.outcome
