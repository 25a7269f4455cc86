"""A second solver: everything that z3 accepted is also given to cvc5, from the kernel's own terms.

Every question that z3 found contradictory while a derivation was checked is asked again, including
conditions (a denominator is not 0, an instance's hypothesis holds) under other rules.
cvc5 agrees, does not know, or contradicts: it found values for which all premises hold and the
conclusion does not, so one of the solvers, or a printer, is wrong. If cvc5 does not know, no status
changes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Literal

from ropeproof.proofs_check.kernel.check import check_derivation
from ropeproof.proofs_check.kernel.outcome import DerivationReport, Outcome, fails, holds, unknown
from ropeproof.proofs_check.kernel.solvers.query import Question, overheard
from ropeproof.proofs_check.kernel.solvers.solver_process import RanOn, ask
from ropeproof.theory.errors import Unsupported
from ropeproof.theory.language.claim import Claim

__all__ = [
    "SecondOpinion",
    "asked_again",
    "questions_of",
    "require_second_solver",
    "second_opinion",
]

Answer = Literal["confirmed", "unknown", "contradicted"]
Flat = tuple[Any, ...]

CVC5 = "ropeproof.proofs_check.recheck.cvc5_process"
SECONDS = 6.0  # for one way, by the clock; coverings do not hear the limit of work
WAYS: tuple[dict[str, str], ...] = (
    {"nl-cov": "false", "rlimit-per": "30000"},
    {"nl-cov": "true", "nl-ext": "none", "rlimit-per": "200000"},
    {"nl-cov": "false", "nl-ext-tplanes": "true", "rlimit-per": "200000"},
    {"rlimit-per": "200000"},
    {"nl-cov": "false", "nl-ext-ent-conf": "true", "arith-rewrite-equalities": "true"}
    | {"rlimit-per": "200000"},
)
"""cvc5's options, tried in turn: incremental linearisation, cylindrical coverings, mixtures."""


@dataclass(frozen=True)
class SecondOpinion:
    """The verdict of cvc5 on one derivation; steps are named by their labels.

    `unknown` are `smt` steps with a question that cvc5 left open, so that they rest on z3 alone;
    `conditions` are steps by other rules of which that is true; `contradicted` are steps by
    any rule. `questions` counts the distinct questions that z3 accepted.
    """

    steps: int = 0
    confirmed: int = 0
    unknown: tuple[str, ...] = ()
    contradicted: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    questions: int = 0
    questions_confirmed: int = 0

    def as_json(self) -> dict[str, Any]:
        """The entry `second_solver` of a claim in the JSON report."""
        return {
            "steps": self.steps,
            "confirmed": self.confirmed,
            "unknown": list(self.unknown),
            "contradicted": list(self.contradicted),
            "conditions_unknown": list(self.conditions),
            "questions": self.questions,
            "questions_confirmed": self.questions_confirmed,
        }

    def __str__(self) -> str:
        text = f"{self.confirmed} of {self.steps} smt steps confirmed by cvc5"
        if self.unknown:
            text += f"; z3 alone: {', '.join(self.unknown)}"
        if self.conditions:
            text += f"; a condition by z3 alone: {', '.join(self.conditions)}"
        if self.contradicted:
            text += f"; CONTRADICTED: {', '.join(self.contradicted)}"
        return text


def require_second_solver() -> None:
    """Raise `Unsupported` if cvc5 is not installed."""
    if find_spec("cvc5") is None:
        raise Unsupported("cvc5 needs the extra: pip install 'ropeproof[second-solver]'")


_ANSWERS: dict[Flat, Answer] = {}


def flat(question: Question) -> Flat:
    """The question as a tuple of its distinct parts; equal questions give equal tuples."""
    parts: dict[Flat, int] = {}
    seen: dict[int, int] = {}

    def place(e: tuple[Any, ...]) -> int:
        if id(e) not in seen:
            part = tuple(("part", place(x)) if isinstance(x, tuple) else x for x in e)
            seen[id(e)] = parts.setdefault(part, len(parts))
        return seen[id(e)]

    place(question)
    return tuple(parts)


def asked_again(question: Question) -> Answer:
    """The answer of cvc5 to a question that z3 refuted. Raises `ValueError` if it broke off."""
    known = flat(question)
    if known not in _ANSWERS:
        _ANSWERS[known] = _ask_again(question)
    return _ANSWERS[known]


def _ask_again(question: Question) -> Answer:
    for options in WAYS:
        try:
            verdict = ask(CVC5, (question, options), SECONDS)
        except RanOn:
            continue
        if verdict != "unknown":
            return "confirmed" if verdict == "unsat" else "contradicted"
    return "unknown"


def questions_of(
    claim: Claim, lookup: Callable[[str], Claim]
) -> tuple[DerivationReport, Mapping[str, Sequence[Question]]]:
    """Check the derivation of `claim`, and collect by step the questions that z3 accepted.

    Returns the report and these questions, which do not depend on what was checked before, in this
    process or for an earlier step; `lookup` is as for `check_derivation`.
    """
    by_step: dict[str, Sequence[Question]] = {}
    with overheard() as heard:

        def taken(label: str) -> None:
            by_step[label] = tuple(heard)
            heard.clear()

        report = check_derivation(claim, lookup, progress=taken)
    return report, by_step


def second_opinion(claim: Claim, lookup: Callable[[str], Claim]) -> tuple[Outcome, SecondOpinion]:
    """Check the derivation of `claim` again and give cvc5 every question that z3 accepts.

    Holds if cvc5 confirms every question, fails if it contradicts one; `lookup` is as for
    `check_derivation`.
    """
    report, by_step = questions_of(claim, lookup)
    smt = {s.label for s in report.steps if s.rule == "smt" and s.outcome.verdict == "holds"}
    answers = {label: {asked_again(q) for q in asked} for label, asked in by_step.items()}
    distinct = {flat(q): asked_again(q) for asked in by_step.values() for q in asked}
    open_, against = (
        tuple(label for label, found in answers.items() if answer in found)
        for answer in ("unknown", "contradicted")
    )
    opinion = SecondOpinion(
        steps=len(smt),
        confirmed=len(smt - {*open_, *against}),
        unknown=tuple(label for label in open_ if label in smt),
        contradicted=against,
        conditions=tuple(label for label in open_ if label not in smt),
        questions=len(distinct),
        questions_confirmed=sum(a == "confirmed" for a in distinct.values()),
    )
    if against:
        return fails(f"cvc5 contradicts z3 at: {', '.join(against)}"), opinion
    return (unknown if open_ else holds)(str(opinion)), opinion
