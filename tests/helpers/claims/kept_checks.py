"""Claims for tests of cached results: checks that keep their results, and the entries they leave."""

from __future__ import annotations

from ropeproof.proofs_check.run import library
from ropeproof.proofs_check.run.cache import Kept, folder
from ropeproof.proofs_check.run.cache.sources import PackageSources
from ropeproof.proofs_check.run.library import Library
from ropeproof.proofs_check.run.runner import check
from ropeproof.theory.language.claim import Claim, Mutant, Source, catalogue
from ropeproof.theory.language.derivation import Derivation, Step, by_claim, smt
from ropeproof.theory.language.logic import le, lt, real

x, y = real("x y")


def claim(goal, id="own.test", **kwargs):
    steps = kwargs.pop("steps", (Step("only", goal, smt(), "by z3"),))
    return Claim(
        id, "a title", "a statement", Source("test"), conclusion=goal, needs=frozenset("PTX"),
        derivation=Derivation(steps), mutants=(Mutant("none", lt(goal.rhs, goal.lhs)),), **kwargs,
    )  # fmt: skip


SQUARE = claim(le(0, x**2))
LEMMA = claim(le(0, x**2), id="own.lemma")
TOP = claim(
    le(0, y**2 + 1),
    id="own.top",
    uses=("own.lemma",),
    steps=(
        Step("square", le(0, y**2), by_claim("own.lemma", {x: y}), "a square"),
        Step("sum", le(0, y**2 + 1), smt(), "and one more", ("square",)),
    ),
)


def own_folder(tmp_path, monkeypatch):
    """Give every test a folder of cached results of its own."""
    where = tmp_path / "kept"
    monkeypatch.setenv(folder.VARIABLE, str(where))
    return where


def checks(monkeypatch, sources):
    """A function that checks claims as if they were the catalogue.

    It returns the items that were run, and the verdicts by claim id.
    """
    monkeypatch.setattr(
        "ropeproof.proofs_check.run.cache.results.PackageSources", lambda: sources
    )  # one reading of the files for all tests

    def run(*claims, evidence=None, digest="as it is", profile="quick"):
        monkeypatch.setattr(PackageSources, "digest", property(lambda self: digest))
        monkeypatch.setitem(library.LOADED, (), Library(catalogue(claims), evidence or {}))
        ran: list[str] = []
        verdicts = check(
            profile_name=profile,
            kept=Kept.open(profile),
            progress=lambda result, done, of: ran.append(str(result.item)),
        )
        return ran, {v.claim.id: v for v in verdicts}

    return run


def summary(verdicts):
    """The parts of a verdict on which its status rests, without times."""

    def short(v):
        found = [(r.kind, r.name, r.outcome, r.cases, r.detail) for r in v.records]
        return v.status, v.axioms, v.kills, v.shortfalls, found

    return {id: short(v) for id, v in verdicts.items()}


def entries(place):
    return sorted(place.glob("??/*.json"))
