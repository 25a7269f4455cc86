"""Derivations: the steps of a proof as data, which the kernel checks and the docs render.

A step states a sequent: under the hypotheses it names (directly or through earlier steps)
and its own `assuming`, its `conclusion` holds. A symbol that occurs in no hypothesis used is
universal. An earlier step used as a premise whose assumptions are not all assumed again
counts as the implication from those assumptions, so nothing else is needed to discharge one.

Rules are named here and explained in `ropeproof.proofs_check.kernel.rules`, which alone decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ropeproof.theory.errors import InvalidClaim

if TYPE_CHECKING:
    from ropeproof.theory.language.types.terms import Formula, Substitution, Term

__all__ = [
    "Derivation",
    "Rule",
    "Step",
    "TermName",
    "axiom",
    "ball",
    "by_claim",
    "chain",
    "choose",
    "generalise",
    "identity",
    "induction",
    "instance",
    "mean_value",
    "reindex",
    "rewrite",
    "smt",
    "split",
    "swap",
    "termwise",
    "witness",
]


@dataclass(frozen=True)
class Rule:
    """The name of a kernel rule with its arguments (SymPy objects)."""

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        target = self.arguments.get("id") or self.arguments.get("name")
        return f"{self.name} {target}" if target else self.name


@dataclass(frozen=True)
class Step:
    """One step: its conclusion, rule and premises, with the reason in one line.

    `using` names earlier steps and hypotheses of the claim; `assuming` are the formulas
    assumed in this step beyond those. `keep` says that the step stays for the reader, although
    no checker may need it.
    """

    label: str
    conclusion: Formula
    rule: Rule
    because: str
    using: tuple[str, ...] = ()
    assuming: tuple[Formula, ...] = ()
    keep: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.rule, Rule):
            name = getattr(self.rule, "__name__", None)
            got = f"the function {name} itself" if name else f"{self.rule!r}"
            means = f"{name or 'identity'}(...), which makes a Rule"
            raise InvalidClaim(f"step {self.label!r}: the rule is {got}, allowed: {means}")
        for field_ in ("using", "assuming"):
            if not isinstance(getattr(self, field_), tuple | list):
                got = f"{getattr(self, field_)!r}"
                allowed = "a tuple; one name is written (name,)"
                raise InvalidClaim(f"step {self.label!r}: {field_} is {got}, allowed: {allowed}")


@dataclass(frozen=True)
class TermName:
    """A name by which a proof's steps are shown instead of a term; no checker sees it.

    `text` and `latex` hold `{}` where each of `parameters`, the symbols in `term` that may be any terms,
    is shown.
    """

    text: str
    latex: str
    meaning: str
    term: Term
    parameters: tuple[Term, ...] = ()


@dataclass(frozen=True, repr=False)
class Derivation:
    """A list of steps; the conclusion of the last one is proved.

    `names` are names of terms for the reader: the steps have the terms themselves.
    """

    steps: tuple[Step, ...]
    names: tuple[TermName, ...] = ()

    def __repr__(self) -> str:
        count = len(self.steps)
        return f"<derivation in {count} step{'s' * (count > 1)}>"

    def _repr_markdown_(self) -> str:
        from ropeproof.theory.language.notebook import derivation_markdown  # only where shown

        return derivation_markdown(self)

    def __post_init__(self) -> None:
        if not self.steps:
            raise InvalidClaim("a derivation needs at least one step")
        seen: set[str] = set()
        for step in self.steps:
            if step.label in seen:
                raise InvalidClaim(f"two steps are labelled {step.label!r}")
            seen.add(step.label)

    def __add__(self, more: tuple[Step, ...]) -> Derivation:
        return Derivation(self.steps + tuple(more), self.names)


def identity() -> Rule:
    """Equality of two expressions by normal form; denominators must be known non-zero."""
    return Rule("identity")


def smt() -> Rule:
    """Polynomial reasoning: z3 refutes the negated conclusion."""
    return Rule("smt")


def ball() -> Rule:
    """A strict inequality of analytic expressions on a compact box, by Arb."""
    return Rule("ball")


def termwise() -> Rule:
    """Compare two finite sums over the same range term by term."""
    return Rule("sums.termwise")


def split(at: Term | int) -> Rule:
    """Split a finite sum into the range up to `at` and the rest."""
    return Rule("sums.split", {"at": at})


def reindex() -> Rule:
    """Reverse the order of summation: l becomes low + high - l."""
    return Rule("sums.reindex")


def swap() -> Rule:
    """Exchange two finite sums whose ranges do not depend on each other."""
    return Rule("sums.swap")


def induction(variable: Term, start: Term | int) -> Rule:
    """Induction: from the base case and the step, for every integer `variable >= start`."""
    return Rule("sums.induction", {"variable": variable, "start": start})


def mean_value(variable: Term, end: Term | int) -> Rule:
    """The mean value theorem: an inequality from its value at `end` and the derivative's sign."""
    return Rule("mean_value", {"variable": variable, "end": end})


def chain() -> Rule:
    """Transitivity of =, <= and < along the premises in their order."""
    return Rule("chain")


def by_claim(id: str, mapping: Substitution | None = None) -> Rule:
    """An instance of another claim; its hypotheses must follow from the premises."""
    return Rule("by_claim", {"id": id, "mapping": dict(mapping or {})})


def axiom(name: str, mapping: Substitution | None = None) -> Rule:
    """An instance of a named axiom; its hypotheses must follow from the premises."""
    return Rule("axiom", {"name": name, "mapping": dict(mapping or {})})


def instance(mapping: Substitution) -> Rule:
    """An instance of the first premise: of a `for all`, or of its universal symbols."""
    return Rule("instance", {"mapping": dict(mapping)})


def generalise() -> Rule:
    """A `for all` from the premise that proves its body for a fresh symbol."""
    return Rule("generalise")


def witness(mapping: Substitution) -> Rule:
    """A `for some` from its body at the given values."""
    return Rule("witness", {"mapping": dict(mapping)})


def choose() -> Rule:
    """Use a `for some` (first premise) through a step that assumed its body (second)."""
    return Rule("choose")


def rewrite() -> Rule:
    """Replace equals by equals: the premises are equations, read from left to right."""
    return Rule("rewrite")
