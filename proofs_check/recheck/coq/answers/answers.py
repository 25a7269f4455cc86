"""Coq's verdict on one claim: which lemmas it accepts, and what its theorem states and rests on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ropeproof.proofs_check.kernel.read import read
from ropeproof.proofs_check.recheck.coq.answers.process import Coq
from ropeproof.proofs_check.recheck.coq.answers.reading import PRINT_PLAINLY, difference
from ropeproof.proofs_check.recheck.coq.answers.rechecked import Rechecked
from ropeproof.proofs_check.recheck.coq.export import (
    BALL,
    POWERS,
    Exported,
    admitted_module,
    axiom_name,
    claim_file,
)
from ropeproof.theory.language.axioms import AXIOMS

__all__ = ["answered", "misread_axioms"]

OF_THE_REALS = frozenset(
    (
        "ClassicalDedekindReals.sig_forall_dec",
        "ClassicalDedekindReals.sig_not_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
        "Classical_Prop.classic",
    )
)
"""The axioms of Coq's own library of real numbers."""


CLOSED = "Closed under the global context"
_ASSUMED = re.compile(r"([\w.']+)\s*(?::|$)")


def misread_axioms(coq: Coq) -> dict[str, str]:
    """The axioms of `Axioms.v` whose statement in Coq differs from ours, with the difference."""
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
    """The type in Coq's answer to `Check`, or ""."""
    said = said.replace(_ASIDE, "\n")
    found = re.search(rf"(?:^|< ){re.escape(name)}\s*\n\s+: (.*)$", said, re.MULTILINE)
    return found[1] if found else ""


def answered(
    one: Exported, coq: Coq, allowed: frozenset[str], wrong: Mapping[str, str]
) -> Rechecked:
    """Coq's verdict on one claim, which may rest on the axioms in `allowed`.

    `wrong` gives the axioms whose statement in Coq differs from ours.
    """
    words = Answers(one, coq)
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
        rests = _axioms(said)
        more += [] if rests is not None else [("what it rests on", "Coq does not say it")]
        axioms = tuple(a for a in rests or () if a not in OF_THE_REALS)
        named = [a for a in axioms if a.startswith("Axioms.")]
        more += [(f"the axiom {a}", "no step names it") for a in named if a not in allowed]
        more += [(f"the axiom {a}", f"it states {wrong[a]}") for a in named if a in wrong]
        more += list(_misread_admitted(one, said))
    return Rechecked(
        one.id,
        len(one.steps),
        len(one.steps) - len(steps),
        (*steps, *more),
        axioms,
        compiled=said is not None,
        mutants=len(one.mutants),
        admitted=tuple(c.id for c in one.admitted),
    )


def _misread_admitted(one: Exported, said: str) -> Iterator[tuple[str, str]]:
    """The used claims whose admitted statement in Coq differs from theirs, with the difference."""
    for claim in one.admitted:
        printed = _statement(said, f"{admitted_module(claim.id)}.theorem")
        unlike = difference(
            printed, [read(h.formula) for h in claim.hypotheses], read(claim.conclusion)
        )
        if unlike:
            yield f"the admitted statement of {claim.id}", unlike


@dataclass
class Answers:
    """Coq's answers about each lemma of a claim, and about the claim's proof for each mutant."""

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
            others |= {m: self.coq.keys[m] for m in (BALL, POWERS) if f"{m}." in script}
            self.names[name] = self.coq.name(statement, script, used, others)
        self.heard = {
            n: self.coq.answers[k] for n, k in self.names.items() if k in self.coq.answers
        }

    def heard_all(self) -> bool:
        """Whether Coq has answered about every lemma and mutant."""
        return self.heard.keys() == self.names.keys()

    def note(self, lemma: str, objection: str) -> None:
        """Record the answer about a lemma; an empty objection means that Coq accepts it."""
        self.heard[lemma] = objection
        if not objection.startswith("Timeout"):
            self.coq.keep(self.names[lemma], objection)

    def compile(self, accepted: Mapping[str, bool]) -> str | None:
        """Coq's output for the file with the accepted proofs, None if it does not compile."""
        return self.coq.compile(self.one.module, _file(self.one, accepted))[0]

    def whole(self) -> str | None:
        """Coq's output for the file with all proofs, or None; proofs before an error are accepted."""
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
        """The lemmas that Coq refuses, each with the reason, and the mutants that it accepts."""
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
    asked = PRINT_PLAINLY
    asked += "".join(f"Check {admitted_module(c.id)}.theorem.\n" for c in one.admitted)
    asked += "Check theorem.\nPrint Assumptions theorem.\n"
    return claim_file(one, accepted) + asked


def _objection(answer: str) -> str | None:
    """Coq's objection to a lemma, from its answer to a draft: "" if it has none, None if unknown.

    A draft ends each lemma with a second closing command, at which Coq must report that no proof is open.
    """
    errors = re.findall(r"Error:(.*?)(?=\n\S+ <|\Z)", answer, re.DOTALL)
    if len(errors) == 1 and "No focused proof" in errors[0]:
        return ""
    return " ".join(errors[0].split())[:200] if errors else None


def _axioms(said: str) -> tuple[str, ...] | None:
    """The names in Coq's answer to `Print Assumptions`, which comes last; None without one.

    A line that is not `name : type` stands for itself: it may say that something was not checked.
    """
    if said.rstrip().endswith(CLOSED):
        return ()
    _, found, listed = said.rpartition("\nAxioms:\n")
    if not found:
        return None
    lines = [line for line in listed.splitlines() if line.strip() and not line[0].isspace()]
    return tuple(m[1] if (m := _ASSUMED.match(line)) else line for line in lines) or None
