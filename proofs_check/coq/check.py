"""Coq's word on exported claims: which steps it accepts, and what each theorem rests on.

A draft is read command by command, so that a step that Coq refuses does not hide the others. What
is written then admits the refused steps, by name, and `coqc` compiles it; a claim is re-checked
only if nothing is admitted, what Coq prints as its theorem's statement, read back, is the claim, and
Coq says that it rests on no axiom but those that the claim's derivations name.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from ropeproof.proofs_check.coq.export import (
    BALL,
    Exported,
    axiom_name,
    axioms_file,
    axioms_of,
    claim_file,
    exported,
    module_of,
    statement_of,
)
from ropeproof.proofs_check.coq.kept import KeptVerdicts
from ropeproof.proofs_check.coq.process import Coq
from ropeproof.proofs_check.coq.reading import PRINT_PLAINLY, difference
from ropeproof.proofs_check.coq.unknowns import NotExported
from ropeproof.proofs_check.kernel.read import read
from ropeproof.proofs_check.terminal import may_fork, workers
from ropeproof.theory.axioms import AXIOMS
from ropeproof.theory.claim import Claim
from ropeproof.theory.errors import Unsupported

__all__ = ["Rechecked", "export_claims", "recheck", "require_coq"]

OF_THE_REALS = frozenset(
    (
        "ClassicalDedekindReals.sig_forall_dec",
        "ClassicalDedekindReals.sig_not_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
        "Classical_Prop.classic",
    )
)
"""What Coq's own library of real numbers assumes."""


@dataclass(frozen=True)
class Rechecked:
    """What Coq says of one claim. `axioms` is what it rests on.

    `refused` are steps with the reason, and what else keeps the claim from being re-checked: a
    statement that reads otherwise, a mutant that has the same proof, an axiom that no step names.
    """

    id: str
    steps: int
    accepted: int
    refused: tuple[tuple[str, str], ...]
    axioms: tuple[str, ...]
    compiled: bool
    reason: str = ""
    mutants: int = 0  # false neighbours for which the claim's proof was tried
    source: str = ""  # the text of the Coq file, where a page shows it

    @property
    def verdict(self) -> str:
        """`re-checked`, `partly` or `not exported`."""
        if self.reason:
            return "not exported"
        whole = self.compiled and self.accepted == self.steps and not self.refused
        rests = all(a.startswith("Axioms.") for a in self.axioms)  # on no step that was admitted
        return "re-checked" if whole and rests else "partly"

    def as_json(self) -> dict[str, object]:
        """The entry of the claim in a JSON report."""
        return {
            "id": self.id,
            "verdict": self.verdict,
            "steps": self.steps,
            "accepted": self.accepted,
            "refused": [{"step": s, "because": why} for s, why in self.refused],
            "axioms": list(self.axioms),
            "mutants": self.mutants,
            "compiled": self.compiled,
            "reason": self.reason,
        }

    @classmethod
    def of_json(cls, entry: Mapping[str, Any]) -> Rechecked:
        """What `as_json` wrote."""
        return cls(
            entry["id"],
            entry["steps"],
            entry["accepted"],
            tuple((r["step"], r["because"]) for r in entry["refused"]),
            tuple(entry["axioms"]),
            compiled=entry["compiled"],
            reason=entry["reason"],
            mutants=entry["mutants"],
        )

    def __str__(self) -> str:
        if self.verdict != "partly":
            return self.verdict if not self.reason else f"not exported: {self.reason}"
        own = [f"step {s}" if s.isdigit() else s for s, _ in self.refused]
        rests = [a for a in self.axioms if not a.startswith("Axioms.") and "." in a]
        return f"partly: {', '.join([*own, *rests]) or 'what it uses'}"


def require_coq() -> None:
    """Raise `Unsupported` if Coq is not installed."""
    if shutil.which("coqc") is None or shutil.which("coqtop") is None:
        raise Unsupported("Coq is not installed: apt-get install coq (8.16 is what is used here)")


def export_claims(
    claims: Iterable[Claim], lookup: Callable[[str], Claim], folder: Path
) -> tuple[list[Exported], dict[str, str]]:
    """Write the claims and all that they use as Coq files, with a `Makefile`.

    Returns what was exported, those used first, and the reasons why others were not. Nothing is
    checked: every proof is written down as it is meant.
    """
    _library(folder)
    done: list[Exported] = []
    missing: dict[str, str] = {}
    for claim in _in_order(claims, lookup):
        try:
            one = exported(claim, lookup)
        except NotExported as error:
            missing[claim.id] = str(error)
            continue
        (folder / f"{one.module}.v").write_text(claim_file(one), encoding="utf-8")
        done.append(one)
    balls = any(BALL in e.requires for e in done)
    _project(folder, [e.module for e in done], with_balls=balls)
    return done, missing


def _library(folder: Path) -> dict[str, str]:
    """Write `Base.v` and `Axioms.v`, and return their texts."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {"Base": _hand_written("Base"), "Axioms": axioms_file(), BALL: _hand_written(BALL)}
    for name, text in texts.items():
        path = folder / f"{name}.v"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    return texts


def _hand_written(module: str) -> str:
    place = files("ropeproof.proofs_check.coq").joinpath(f"{module}.v")
    return place.read_text(encoding="utf-8")


def _project(folder: Path, modules: Sequence[str], *, with_balls: bool) -> None:
    """Write `_CoqProject` and a `Makefile` for the modules."""
    library = ["Base.v", "Axioms.v", *([f"{BALL}.v"] if with_balls else [])]
    names = [*library, *(f"{m}.v" for m in modules)]
    (folder / "_CoqProject").write_text("-Q . Ropeproof\n" + "\n".join(names) + "\n")
    make = "all: CoqMakefile\n\t$(MAKE) -f CoqMakefile\nCoqMakefile: _CoqProject\n"
    (folder / "Makefile").write_text(make + "\tcoq_makefile -f _CoqProject -o CoqMakefile\n")


def _in_order(claims: Iterable[Claim], lookup: Callable[[str], Claim]) -> Iterator[Claim]:
    """The claims and those they use, each after those it uses."""
    seen: set[str] = set()

    def walk(claim: Claim) -> Iterator[Claim]:
        if claim.id not in seen:
            seen.add(claim.id)
            for used in claim.uses:
                yield from walk(lookup(used))
            yield claim

    for claim in claims:
        yield from walk(claim)


def recheck(
    claims: Sequence[Claim],
    lookup: Callable[[str], Claim],
    folder: Path,
    progress: Callable[[Rechecked], None] = lambda _: None,
    *,
    fresh: bool = True,
    jobs: int | None = None,
) -> list[Rechecked]:
    """Export the claims and all that they use, and let Coq check them, so many at a time.

    Raises `Unsupported` without Coq. Takes seconds for a short proof, minutes for a long one. Without
    `fresh` what Coq said in this folder before is taken for claims that have not changed since, nor
    anything that its word depends on. `jobs` of None is one for each core.
    """
    require_coq()
    ordered = list(_in_order(claims, lookup))
    library = _library(folder)
    kept = KeptVerdicts(folder, fresh)
    coq = Coq(folder, fresh)
    if not any(_by_balls(c) for c in ordered):
        library.pop(BALL)  # which loads much
    there = {m: coq.compile(m, t, library=True)[0] is not None for m, t in library.items()}
    allowed: dict[str, frozenset[str]] = {}
    for claim in ordered:
        own = frozenset(map(axiom_name, axioms_of(claim)))
        allowed[claim.id] = own.union(*(allowed[u] for u in claim.uses))
    balls = there.get(BALL, False)
    by_id = {c.id: c for c in ordered}
    _ASKING[:] = [_Asking(by_id, coq, allowed, _misread_axioms(coq), balls)]
    found: dict[str, Rechecked] = {}
    with workers(jobs if may_fork() else 1, len(ordered), forked=True) as pool:
        for claim, word in _words(ordered, kept, folder, pool):
            found[claim.id] = word
            progress(word)
    modules = [module_of(c.id) for c in ordered if not found[c.id].reason]
    _project(folder, modules, with_balls=(folder / f"{BALL}.vo").exists())
    return [found[c.id] for c in ordered]


def _words(
    ordered: Sequence[Claim], kept: KeptVerdicts, folder: Path, pool: Executor | None
) -> Iterator[tuple[Claim, Rechecked]]:
    """Coq's word on each claim, once it has spoken on all that the claim uses."""
    waiting = {c.id: c for c in ordered}
    asked: dict[Future[Rechecked], Claim] = {}

    def heard(claim: Claim, word: Rechecked) -> tuple[Claim, Rechecked]:
        timely = not any("no time left" in w or "Timeout" in w for _, w in word.refused)
        kept.add(claim, word.as_json(), keep=timely)
        return claim, word

    while waiting or asked:
        unheard = {*waiting, *(c.id for c in asked.values())}
        for claim in [c for c in waiting.values() if unheard.isdisjoint(c.uses)]:
            del waiting[claim.id]
            earlier = kept.find(claim, folder / f"{module_of(claim.id)}.vo")
            if earlier is not None:
                yield claim, Rechecked.of_json(earlier)
            elif pool is not None:
                asked[pool.submit(_asked, claim.id)] = claim
            else:
                yield heard(claim, _asked(claim.id))
        for future in wait(asked, return_when=FIRST_COMPLETED).done if asked else ():
            yield heard(asked.pop(future), future.result())


def _by_balls(claim: Claim) -> bool:
    steps = claim.derivation.steps if claim.derivation else ()
    return any(s.rule.name == "ball" for s in steps)


@dataclass(frozen=True)
class _Asking:
    """What a process needs to ask Coq about claims.

    For each the axioms that its derivation names, or those of what it uses; the axioms that read
    otherwise; and whether Coq has the library Interval.
    """

    claims: Mapping[str, Claim]
    coq: Coq
    allowed: Mapping[str, frozenset[str]]
    wrong: Mapping[str, str]
    balls: bool


_ASKING: list[_Asking] = []
"""That of the run that is under way; its processes have a copy."""


def _asked(id: str) -> Rechecked:
    """Coq's word on a claim; it has spoken on those that the claim uses."""
    (at,) = _ASKING
    claim = at.claims[id]
    for used in claim.uses:
        at.coq.known(module_of(used))
        at.coq.theorems[module_of(used)] = statement_of(at.claims[used])
    try:
        one = exported(claim, at.claims.__getitem__)
    except NotExported as error:
        return Rechecked(id, 0, 0, (), (), compiled=False, reason=str(error))
    if BALL in one.requires and not at.balls:
        one = _without_balls(one)
    return _recheck(one, at.coq, at.allowed[id], at.wrong)


def _without_balls(one: Exported) -> Exported:
    """The claim where Coq has not the library that its steps by `ball` need: they are admitted."""
    steps = tuple(
        replace(s, script=None, reason=NO_INTERVAL) if s.rule == "ball" else s for s in one.steps
    )
    return replace(one, steps=steps, requires=tuple(r for r in one.requires if r != BALL))


NO_INTERVAL = "Coq has no library Interval here: apt-get install libcoq-interval"


def _misread_axioms(coq: Coq) -> dict[str, str]:
    """The axioms of `Axioms.v` that do not state what ours do, with the difference."""
    names = {name: axiom_name(name) for name in AXIOMS}
    asked = "".join(f"Check {called}.\n" for called in names.values())
    # Opened as the files of claims do it, so that names are printed as they are there.
    head = "Require Import Reals ZArith.\nFrom Ropeproof Require Import Base.\n"
    head += "From Ropeproof Require Axioms.\nOpen Scope R_scope.\n" + PRINT_PLAINLY
    said = coq.told(head + asked)
    wrong = {}
    for name, called in names.items():
        entry = AXIOMS[name]
        printed = _statement(said, called)
        formulas = [read(h) for h in entry.hypotheses]
        unlike = difference(printed, formulas, read(entry.conclusion))
        if unlike:
            wrong[called] = unlike
    return wrong


_ASIDE = (
    "find_witness Control.Timeout"  # a tactic that ran out of time prints it, without a line's end
)


def _statement(said: str, name: str) -> str:
    """The type in Coq's answer to `Check`, or nothing."""
    said = said.replace(_ASIDE, "\n")
    found = re.search(rf"(?:^|< ){re.escape(name)}\s*\n\s+: (.*)$", said, re.MULTILINE)
    return found[1] if found else ""


def _recheck(
    one: Exported, coq: Coq, allowed: frozenset[str], wrong: Mapping[str, str]
) -> Rechecked:
    words = _Words(one, coq)
    said = words.whole() if not words.heard_all() else None
    refused, alive = words.refused()
    if said is None:
        said = words.compile({s.name: s.name not in refused for s in one.steps})
    steps = [(s.label, refused[s.name]) for s in one.steps if s.name in refused]
    more = [(f"the mutant {name}", "has the same proof") for name in alive]
    axioms: tuple[str, ...] = ()
    if said is not None:
        unlike = difference(_statement(said, "theorem"), one.formulas[:-1], one.formulas[-1])
        more += [("the statement", unlike)] if unlike else []
        axioms = tuple(a for a in _axioms(said) if a not in OF_THE_REALS)
        named = [a for a in axioms if a.startswith("Axioms.")]
        more += [(f"the axiom {a}", "no step names it") for a in named if a not in allowed]
        more += [(f"the axiom {a}", f"it states {wrong[a]}") for a in named if a in wrong]
    return Rechecked(
        one.id,
        len(one.steps),
        len(one.steps) - len(steps),
        (*steps, *more),
        axioms,
        compiled=said is not None,
        mutants=len(one.mutants),
    )


@dataclass
class _Words:
    """What Coq says to each lemma of a claim, and to its proof for each mutant."""

    one: Exported
    coq: Coq

    def __post_init__(self) -> None:
        one = self.one
        statements = {s.name: s.statement for s in one.steps}
        lemmas = [(s.name, s.statement, s.script) for s in one.steps if s.script is not None]
        lemmas += [(f"mutant_{i}", *m[1:]) for i, m in enumerate(one.mutants)]
        self.names: dict[str, str] = {}
        for name, statement, script in lemmas:
            used = {
                w: statements[w] for w in re.findall(r"\bstep_\d+\b", script) if w in statements
            }
            others = {
                m: self.coq.theorems.get(m) for m in re.findall(r"\b(\w+)\.theorem\b", script)
            }
            others |= {BALL: self.coq.keys[BALL]} if f"{BALL}." in script else {}
            self.names[name] = self.coq.name(statement, script, used, others)
        self.heard = {
            n: self.coq.answers[k] for n, k in self.names.items() if k in self.coq.answers
        }

    def heard_all(self) -> bool:
        """Whether nothing is left to ask."""
        return self.heard.keys() == self.names.keys()

    def note(self, lemma: str, objection: str) -> None:
        """Keep the answer about a lemma; an empty one accepts it."""
        self.heard[lemma] = objection
        if not objection.startswith("Timeout"):
            self.coq.keep(self.names[lemma], objection)

    def compile(self, accepted: Mapping[str, bool]) -> str | None:
        """What Coq prints for the file, or None."""
        return self.coq.compile(self.one.module, _file(self.one, accepted))[0]

    def whole(self) -> str | None:
        """What Coq prints for the file with all its proofs; if it stops, it has accepted a part."""
        names = [s.name for s in self.one.steps]
        if any(s.script is None or self.heard.get(s.name) for s in self.one.steps):
            return None
        text = _file(self.one, dict.fromkeys(names, True))
        said, complaint = self.coq.compile(self.one.module, text)
        before = len(names)
        if said is None:
            found = re.search(r"line (\d+), characters [\d-]+:\s*Error:(.*)", complaint, re.DOTALL)
            lines = text.splitlines()[: int(found[1]) if found else 0]
            before = sum(line.startswith("Lemma step_") for line in lines) - 1
            if found and 0 <= before < len(names):
                self.note(names[before], " ".join(found[2].split())[:200])
        for name in names[: max(before, 0)]:
            if name not in self.heard:
                self.note(name, "")
        return said

    def refused(self) -> tuple[dict[str, str], list[str]]:
        """The lemmas that Coq does not accept, with what it says, and the mutants that it does."""
        if not self.heard_all():
            text = claim_file(self.one, draft=True, known=frozenset(self.heard))
            said = self.coq.top(text)
            parts = re.split(r'eq_refl : "LEMMA (\w+)"(?:%string)? = ', said)
            for name, answer in zip(parts[1::2], parts[2::2], strict=True):
                if name in self.names and name not in self.heard:
                    objection = _objection(answer)
                    if objection is not None:
                        self.note(name, objection)
        known = {s.name: s.reason for s in self.one.steps if s.script is None}
        known |= {
            s.name: self.heard.get(s.name, NO_TIME) for s in self.one.steps if s.name not in known
        }
        names = [m for m, _, _ in self.one.mutants]
        alive = [m for i, m in enumerate(names) if not self.heard.get(f"mutant_{i}", NO_TIME)]
        return {name: why for name, why in known.items() if why}, alive


NO_TIME = "no time left"


def _file(one: Exported, accepted: Mapping[str, bool]) -> str:
    asked = f"{PRINT_PLAINLY}Check theorem.\nPrint Assumptions theorem.\n"
    return claim_file(one, accepted) + asked


def _objection(answer: str) -> str | None:
    """Coq's objection to a lemma that a draft closes twice; nothing if it has none."""
    errors = re.findall(r"Error:(.*?)(?=\n\S+ <|\Z)", answer, re.DOTALL)
    if len(errors) == 1 and "No focused proof" in errors[0]:
        return ""
    return " ".join(errors[0].split())[:200] if errors else None


def _axioms(said: str) -> tuple[str, ...]:
    """The names under `Axioms:` in the answer to `Print Assumptions`."""
    _, _, listed = said.partition("Axioms:")
    return tuple(re.findall(r"^([\w.']+)\s*:", listed, re.MULTILINE))
