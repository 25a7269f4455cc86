"""Export a claim as a Coq file: its statement, a lemma for each step, and the theorem."""

from __future__ import annotations

import hashlib
import re
import string
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import sympy as sp

from ropeproof.proofs_check.kernel.check import _refuse_empty
from ropeproof.proofs_check.kernel.read import read
from ropeproof.proofs_check.kernel.sequent import Refused, Sequent
from ropeproof.proofs_check.kernel.terms import Malformed, Term, Variable
from ropeproof.proofs_check.recheck.coq import printing
from ropeproof.proofs_check.recheck.coq.arithmetic.unknowns import NotExported, Premise
from ropeproof.proofs_check.recheck.coq.premises import StepGoal, Used
from ropeproof.proofs_check.recheck.coq.rules import RULES
from ropeproof.proofs_check.recheck.coq.steps import Goal, Lemma
from ropeproof.theory import CLAIMS
from ropeproof.theory.language.axioms import AXIOMS
from ropeproof.theory.language.claim import Claim
from ropeproof.theory.language.derivation import Step

__all__ = [
    "BALL",
    "POWERS",
    "Exported",
    "StepText",
    "admitted_files",
    "admitted_module",
    "axiom_name",
    "axioms_file",
    "claim_file",
    "coq_axioms",
    "exported",
    "module_of",
    "statement_of",
    "used_statements",
]

SECONDS = 150  # for one command
_PLAIN = frozenset(string.ascii_lowercase + string.digits)
_SPELLED = {".": "__", "-": "_0"}  # any other character is `_1`, its number, `_`
_LONGEST = 150  # of a file's name; longer ones are not allowed everywhere
BALL = "Ball"  # the module that needs the library Interval
POWERS = "Powers"  # the one about powers to integers


@dataclass(frozen=True)
class StepText:
    """One exported step: the lemma's statement and proof, or the reason why there is none."""

    label: str
    rule: str
    because: str
    name: str
    statement: str
    script: str | None
    reason: str = ""


@dataclass(frozen=True)
class Exported:
    """The data of one claim exported to Coq."""

    id: str
    module: str
    requires: tuple[str, ...]
    steps: tuple[StepText, ...]
    statement: str
    proof: str
    formulas: tuple[Term, ...]  # the claim's own: hypotheses, then the conclusion
    axioms: tuple[str, ...]  # of its own steps, by name
    mutants: tuple[tuple[str, str, str], ...]  # name, statement, and the claim's proof for it
    admitted: tuple[Claim, ...] = ()  # used claims of which only the statement is there, unproved


def module_of(id: str) -> str:
    """The Coq module of a claim: distinct for distinct ids, even if file names ignore case.

    `slash.head-typical` of the catalogue is `SlashHeadTypical`; any other id is spelled out, so that
    none is a module of the library, of Coq or of the catalogue: `own.a-b` is `Claim_own__a_0b`.
    """
    if id in CLAIMS:
        return joined(id)
    spelled = "".join(_SPELLED.get(c) or (c if c in _PLAIN else f"_1{ord(c):x}_") for c in id)
    if len(spelled) > _LONGEST:
        spelled = hashlib.sha256(id.encode("utf-8", "surrogatepass")).hexdigest()
        return f"Digest_{spelled}"
    return f"Claim_{spelled}"


def admitted_module(id: str) -> str:
    """The Coq module with a claim's statement alone; no claim's own module has this name."""
    return f"Admitted_{module_of(id)}"


def admitted_file(claim: Claim) -> str:
    """The text of a Coq file with the claim's statement as an axiom, for claims checked alone."""
    lines = [f"(* {comment(claim.id)}: only its statement, admitted without a proof. *)"]
    lines += ["Require Import Reals ZArith.", "From Ropeproof Require Import Base."]
    lines += ["Open Scope R_scope.", "", f"Axiom theorem : {statement_of(claim)}."]
    return "\n".join(lines) + "\n"


def admitted_files(claims: Iterable[Claim], lookup: Callable[[str], Claim]) -> dict[str, str]:
    """The texts of the modules that state the claims used by the given claims, by module name."""
    used = {u: lookup(u) for c in claims for u in c.uses}
    return {admitted_module(u): admitted_file(other) for u, other in used.items()}


def used_statements(
    claim: Claim, lookup: Callable[[str], Claim], *, alone: bool = False
) -> dict[str, str]:
    """The statements of the claims that a claim uses, by module; `alone` as in `exported`."""
    name = admitted_module if alone else module_of
    return {name(u): statement_of(lookup(u)) for u in claim.uses}


def joined(name: str) -> str:
    """The words of a name, capitalised and joined."""
    return "".join(w[:1].upper() + w[1:] for w in re.split(r"[^A-Za-z0-9]+", name))


def exported(claim: Claim, lookup: Callable[[str], Claim], *, alone: bool = False) -> Exported:
    """The claim's Coq file, as data. Raises `NotExported` if it has no proof.

    With `alone` it refers to the modules that only state the claims that it uses, and has another module
    name than the export that rests on their proofs.
    """
    if claim.derivation is None or claim.conclusion is None:
        raise NotExported("it has no derivation")
    try:
        return _exported(claim, lookup, alone=alone)
    except (Malformed, Refused, LookupError, ValueError) as error:
        raise NotExported(str(error) or type(error).__name__) from error


def statement_of(claim: Claim) -> str:
    """The Coq statement of the claim's theorem."""
    formulas = [read(h.formula) for h in claim.hypotheses]
    end = read(claim.conclusion)
    arguments = printing.argument_list([*formulas, end])
    return stated(arguments, formulas, end, names_for(arguments))


def _exported(claim: Claim, lookup: Callable[[str], Claim], *, alone: bool) -> Exported:
    assert claim.derivation is not None
    hypotheses = {h.name: read(h.formula) for h in claim.hypotheses}
    conclusion = read(claim.conclusion)
    for name, formula in (*hypotheses.items(), ("the conclusion", conclusion)):
        _refuse_empty(name, formula)
    known: dict[str, Used] = {
        n: Used(Sequent(frozenset({n}), (), f), None) for n, f in hypotheses.items()
    }
    others: dict[str, None] = {}
    admitted: dict[str, Claim] = {}

    def find(kind: str, name: str) -> Lemma:
        if kind == "axiom":
            entry = AXIOMS[name]
            formulas = tuple(read(h) for h in entry.hypotheses)
            end = read(entry.conclusion)
            others["Axioms"] = None
            return Lemma(axiom_name(name), printing.argument_list([*formulas, end]), formulas, end)
        other = lookup(name)
        formulas = tuple(read(h.formula) for h in other.hypotheses)
        end = read(other.conclusion)
        module = admitted_module(name) if alone else module_of(name)
        others[module] = None
        if alone:
            admitted[name] = other
        return Lemma(f"{module}.theorem", printing.argument_list([*formulas, end]), formulas, end)

    number_of = {h: i for i, h in enumerate(hypotheses, 1)}
    texts = [
        _step(i, step, known, hypotheses, number_of, find)
        for i, step in enumerate(claim.derivation.steps, 1)
    ]
    if any(step.rule.name == "ball" for step in claim.derivation.steps):
        others[BALL] = None
    if any(f"{POWERS}." in (text.script or "") for text in texts):
        others[POWERS] = None
    arguments = printing.argument_list([*hypotheses.values(), conclusion])
    names = names_for(arguments)
    statement = stated(arguments, list(hypotheses.values()), conclusion, names)
    last = known[claim.derivation.steps[-1].label]
    proof = theorem_proof(last, arguments, hypotheses, number_of, names)
    mutants = []
    for m in claim.mutants:
        if not m.equivalent:
            other = read(m.conclusion)
            symbols = printing.argument_list([*hypotheses.values(), other])
            called = names_for(symbols)
            said = stated(symbols, list(hypotheses.values()), other, called)
            mutants.append(
                (m.name, said, theorem_proof(last, symbols, hypotheses, number_of, called))
            )
    return Exported(
        claim.id,
        f"Alone_{module_of(claim.id)}" if alone else module_of(claim.id),
        tuple(others),
        tuple(texts),
        statement,
        proof,
        (*hypotheses.values(), conclusion),
        axioms_of(claim),
        tuple(mutants),
        tuple(admitted.values()),
    )


def axioms_of(claim: Claim) -> tuple[str, ...]:
    """The names of the axioms in the claim's own steps."""
    steps = claim.derivation.steps if claim.derivation else ()
    named = [s.rule.arguments["name"] for s in steps if s.rule.name == "axiom"]
    return tuple(dict.fromkeys(named))


def _step(
    i: int,
    step: Step,
    known: dict[str, Used],
    hypotheses: Mapping[str, Term],
    number_of: Mapping[str, int],
    find: Callable[[str, str], Lemma],
) -> StepText:
    """The lemma of one step, which is added to `known` for later steps."""
    used = tuple(known[n] for n in step.using)
    carried = frozenset(h for u in used for h in u.sequent.hypotheses)
    assuming = tuple(read(a) for a in step.assuming)
    goal = read(step.conclusion)
    ordered = sorted(carried)
    formulas = [*(hypotheses[h] for h in ordered), *assuming]
    arguments = printing.argument_list([*formulas, goal])
    names = names_for(arguments)
    given = {h: f"H{number_of[h]}" for h in ordered}
    assumed = [f"A{j}" for j in range(1, len(assuming) + 1)]
    name = f"step_{i}"
    statement = stated(arguments, formulas, goal, names)
    premises = [Premise(a, f) for a, f in zip(assumed, assuming, strict=True)]
    at = Goal(goal, names, premises, given)
    for _ in range(len(assumed)):
        next(at.counter)
    at_used = tuple(
        Used(u.sequent, None, given[next(iter(u.sequent.hypotheses))]) if u.lemma is None else u
        for u in used
    )
    intro = " ".join(
        [*(names.free[v.label] for v in arguments), *(given[h] for h in ordered), *assumed]
    )

    def written(at: Goal) -> str:
        script = RULES[step.rule.name](
            StepGoal(at, at_used, assuming, step.rule.arguments, given, find)
        )
        return f"intros {intro}; {script}" if intro else script

    reason, script = "", None
    try:
        if step.rule.name not in RULES:
            raise NotExported(f"no proof in Coq by the rule {step.rule.name} yet")
        try:
            script = written(at)
        except KeyError:  # a symbol that the step does not state anything about
            picked, inner = _picked(step, used, names)
            at = Goal(goal, inner, premises, given)
            for _ in assumed:
                next(at.counter)
            script = f"{picked}; {written(at)}"
    except (
        NotExported,
        Malformed,
        ValueError,
        LookupError,
        RecursionError,
        TypeError,
    ) as error:
        reason = str(error) or type(error).__name__
    sequent = Sequent(carried, assuming, goal)
    lemma = Lemma(name, arguments, tuple(formulas), goal)
    known[step.label] = Used(sequent, lemma)
    return StepText(step.label, str(step.rule), step.because, name, statement, script, reason)


def _picked(
    step: Step, used: tuple[Used, ...], names: printing.Names
) -> tuple[str, printing.Names]:
    """A script that introduces arbitrary values for symbols absent from the step's statement."""
    formulas = [f for u in used for f in (*u.sequent.assumptions, u.sequent.conclusion)]
    for value in step.rule.arguments.values():
        parts = list(dict(value).values()) if isinstance(value, Mapping) else [value]
        bodies = [p.expr if isinstance(p, sp.Lambda) else p for p in parts]
        formulas += [read(p) for p in bodies if isinstance(p, sp.Expr)]
    known, script = dict(names.free), []
    for v in printing.argument_list(formulas):
        if v.label not in known:
            name = known[v.label] = printing.Names(known).fresh(v.label)
            kind = "Z" if v.is_integer else "R"
            value = f"fun {'_ ' * v.arity}=> 0%{kind}" if v.arity else f"0%{kind}"
            script.append(
                f"destruct (ex_intro (fun _ : {printing.sort_of(v)} => True) ({value}) I) as [{name} _]"
            )
    return "; ".join(script) or "idtac", printing.Names(known)


def axiom_name(name: str) -> str:
    """The Coq name of a textbook fact that is an axiom."""
    return "Axioms." + printing.legal(joined(name))


def coq_axioms(claim: Claim) -> frozenset[str]:
    """The Coq names of the axioms in the claim's own steps."""
    return frozenset(map(axiom_name, axioms_of(claim)))


def axioms_file() -> str:
    """The text of the Coq file with the textbook facts as axioms."""
    lines = ["Require Import Reals ZArith.", "From Ropeproof Require Import Base."]
    lines += ["Open Scope R_scope.", ""]
    for name, entry in AXIOMS.items():
        formulas = [read(h) for h in entry.hypotheses]
        end = read(entry.conclusion)
        arguments = printing.argument_list([*formulas, end])
        text = stated(arguments, formulas, end, names_for(arguments))
        lines += [
            f"(* {comment(entry.statement)} *)",
            f"Axiom {printing.legal(joined(name))} : {text}.",
            "",
        ]
    return "\n".join(lines)


def names_for(arguments: tuple[Variable, ...]) -> printing.Names:
    """Distinct Coq names for the symbols."""
    names: dict[str, str] = {}
    for v in arguments:
        names[v.label] = printing.Names(names).fresh(v.label)
    return printing.Names(names)


def stated(
    arguments: tuple[Variable, ...], formulas: list[Term], goal: Term, names: printing.Names
) -> str:
    """The Coq statement: for all values of the symbols, the formulas imply the goal."""
    binders = " ".join(f"({names.free[v.label]} : {printing.sort_of(v)})" for v in arguments)
    head = f"forall {binders}, " if binders else ""
    return head + " -> ".join(printing.proposition(f, names) for f in (*formulas, goal))


def theorem_proof(
    last: Used,
    arguments: tuple[Variable, ...],
    hypotheses: Mapping[str, Term],
    number_of: Mapping[str, int],
    names: printing.Names,
) -> str:
    """The proof of the theorem from the lemma of the last step."""
    called = [f"H{number_of[h]}" for h in hypotheses]
    intro = " ".join([*(names.free[v.label] for v in arguments), *called])
    start = f"intros {intro}; " if intro else ""
    if last.lemma is None:
        return f"{start}exact {called[0]}"
    given = [names.free.get(v.label, "_") for v in last.lemma.arguments]
    given += [f"H{number_of[h]}" for h in sorted(last.sequent.hypotheses)]
    return f"{start}exact (@{last.lemma.name} {' '.join(given)})"


def claim_file(
    e: Exported,
    accepted: Mapping[str, bool] | None = None,
    *,
    draft: bool = False,
    known: frozenset[str] = frozenset(),
) -> str:
    """The text of the claim's Coq file; steps that Coq did not accept are admitted.

    A draft closes each lemma twice, for a reader of commands that continues after an error; the lemmas
    in `known` are admitted there.
    """
    lines = ["Require Import Reals ZArith Lra Lia Psatz.", "From Ropeproof Require Import Base."]
    if draft:
        lines.insert(0, "Require Import String.")
    lines += [f"From Ropeproof Require {m}." for m in e.requires]
    if e.admitted:
        ids = ", ".join(c.id for c in e.admitted)
        lines.insert(0, f"(* Admitted here, and not checked: the statements of {comment(ids)}. *)")
    lines += ["Open Scope R_scope.", f"Set Default Timeout {SECONDS}.", ""]
    for s in e.steps:
        fine = (
            s.name not in known
            and s.script is not None
            and (accepted is None or accepted.get(s.name, False))
        )
        lines.append(f"(* {comment(s.label)} ({comment(s.rule)}): {comment(s.because)} *)")
        if draft:
            lines.append(f'Check (eq_refl : "LEMMA {s.name}"%string = "LEMMA {s.name}"%string).')
        lines.append(f"Lemma {s.name} : {s.statement}.")
        if fine:
            lines += ["Proof.", f"  ({s.script}).", "Qed."]
            lines += ["Admitted."] if draft else []
        else:
            lines.append("Admitted.")
        lines.append("")
    if draft:
        lines.append('Check (eq_refl : "LEMMA theorem"%string = "LEMMA theorem"%string).')
    lines += [f"Theorem theorem : {e.statement}.", "Proof.", f"  {e.proof}.", "Qed."]
    for i, (_, statement, proof) in enumerate(e.mutants if draft else ()):
        mark = f"LEMMA mutant_{i}"
        lines += ["Admitted.", f'Check (eq_refl : "{mark}"%string = "{mark}"%string).']
        lines += [f"Lemma mutant_{i} : {statement}.", f"Proof. ({proof}). Qed."]
    lines += ["Admitted."] if draft else []
    return "\n".join(lines) + "\n"


def comment(text: str) -> str:
    """The text as one line that is safe inside a Coq comment."""
    return " ".join(text.split()).replace("*)", "* )").replace("(*", "( *").replace('"', "'")
