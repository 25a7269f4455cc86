"""An entry of the attack corpus, and short words to write one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count
from typing import Any, Literal

import sympy as sp

from ropeproof.proofs_check.kernel.check import check_derivation
from ropeproof.proofs_check.kernel.outcome import DerivationReport
from ropeproof.proofs_check.semantics.evaluate import truth
from ropeproof.proofs_check.semantics.values import Instance
from ropeproof.theory.language.claim import Claim, Hypothesis, Source
from ropeproof.theory.language.derivation import Derivation, Rule, Step, identity, smt, split
from ropeproof.theory.language.derivation import induction as induction_rule
from ropeproof.theory.language.logic import Both, eq, integer, le

__all__ = [
    "FalseStatement",
    "claim",
    "false",
    "falsified",
    "half",
    "judge",
    "kept",
    "one",
    "s",
    "sum_formula",
    "third",
    "unread",
]

Level = Literal["kernel", "catalogue", "runner"]
half, third = sp.Rational(1, 2), sp.Rational(1, 3)
_numbers = count(1)


@dataclass(frozen=True)
class FalseStatement:
    """A false statement with the derivation that an erring author would give.

    `counterexample` gives values by name (callables for functions) at which the hypotheses hold
    and the conclusion does not; None where the second witness has no such values to offer.
    `control` is the true neighbour with the same derivation: it must be accepted.
    `level` says who has to refuse: the kernel, the catalogue of claims, or only the runner.
    """

    id: str
    what_is_wrong: str
    rule: str
    claim: Claim
    others: tuple[Claim, ...] = ()
    counterexample: Mapping[str, Any] | None = None
    control: Claim | None = None
    level: Level = "kernel"
    samples: tuple[Any, ...] = field(default=())


def s(
    label: str, conclusion: Any, rule: Rule, using: str = "", assuming: tuple[Any, ...] = ()
) -> Step:
    """A step; `using` lists labels separated by `;`."""
    names = tuple(name.strip() for name in using.split(";") if name.strip())
    return Step(label, conclusion, rule, "as an erring author would say", names, assuming)


def claim(
    conclusion: Any,
    *steps: Step,
    given: Mapping[str, Any] | None = None,
    uses: tuple[str, ...] = (),
    id: str | None = None,
) -> Claim:
    """A claim with hypotheses by name and a derivation."""
    return Claim(
        id or f"attack.{next(_numbers)}",
        "attack",
        "",
        Source("attack corpus"),
        hypotheses=tuple(Hypothesis(name, formula) for name, formula in (given or {}).items()),
        conclusion=conclusion,
        derivation=Derivation(steps),
        uses=uses,
    )


def one(conclusion: Any, rule: Rule, given: Mapping[str, Any] | None = None) -> Claim:
    """A claim with one step from all its hypotheses."""
    return claim(conclusion, s("only", conclusion, rule, ";".join(given or {})), given=given)


def unread(conclusion: Any, rule: Rule) -> Claim:
    """A claim with one step of a formula that no claim may have: the kernel has to refuse it, too."""
    made = one(Both(), rule)
    object.__setattr__(made, "conclusion", conclusion)
    object.__setattr__(made, "derivation", Derivation((s("only", conclusion, rule),)))
    return made


def kept(kind: Any, *arguments: Any) -> Any:
    """A SymPy node as written, without SymPy's evaluation."""
    return kind(*(sp.sympify(a) for a in arguments), evaluate=False)


def sum_formula(body: Any, closed: Any, *, guarded: bool = True) -> Claim:
    """`sum of body(l), l = 0..n-1, is closed(n)` by induction on n >= 0, in the usual way."""
    l, n = integer("l n")

    def goal(at: Any) -> Any:
        return eq(sp.Sum(body(l), (l, 0, at - 1)), closed(at))

    longer = sp.Sum(body(l), (l, 0, n))
    peeled = eq(longer, sp.Sum(body(l), (l, 0, n - 1)) + sp.Sum(body(l), (l, n, n)))
    return claim(
        goal(n),
        s("base", goal(sp.Integer(0)), identity()),
        s("peel", peeled, split(n - 1), "", (le(0, n),)),
        s("next", eq(longer, closed(n + 1)), smt(), "peel", (goal(n), le(0, n))),
        s("all", goal(n), induction_rule(n, 0), "base; next" + "; from 0" * guarded),
        given={"from 0": le(0, n)} if guarded else None,
    )


def false(id: str, what_is_wrong: str, rule: str, claim: Claim, **more: Any) -> FalseStatement:
    """An entry; `at` is the counterexample."""
    values = more.pop("at", None)
    return FalseStatement(id, what_is_wrong, rule, claim, counterexample=values, **more)


def judge(entry: FalseStatement) -> DerivationReport:
    """The kernel's report on the false statement."""
    library = {other.id: other for other in (*entry.others, entry.claim)}
    return check_derivation(entry.claim, library.__getitem__)


def falsified(entry: FalseStatement) -> bool:
    """Whether the second witness confirms the counterexample."""
    assert entry.counterexample is not None
    values = {
        name: value if callable(value) or isinstance(value, Fraction) else _value(value)
        for name, value in entry.counterexample.items()
    }
    at = Instance(values, lambda *_: [_value(v) for v in entry.samples])
    given = Both(*(h.formula for h in entry.claim.hypotheses))
    return truth(given, at) is True and truth(entry.claim.conclusion, at) is False


def _value(value: Any) -> Any:
    return Fraction(value) if isinstance(value, int | str) else value
