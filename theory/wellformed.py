"""What a claim may say: nothing that was decided while it was written, and nothing twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import sympy as sp
from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.logic import Both, If
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean, BooleanAtom

if TYPE_CHECKING:
    from ropeproof.theory.claim import Claim

__all__ = ["check_statement", "empty_part"]

_COLLAPSED = (
    "says nothing. SymPy evaluates a term while it is written, so x/x is 1 before anybody asks "
    "whether x is 0; `frac` and `kept` of ropeproof.theory.logic keep what was written"
)


def check_statement(claim: Claim) -> None:
    """Raise `InvalidClaim` for a statement with an empty part, or one that is said twice.

    Looked at are the hypotheses, the conclusion and the readings: what the claim states.
    """
    stated = [(f"the hypothesis {h.name!r}", h.formula) for h in claim.hypotheses]
    stated += [("the conclusion", claim.conclusion)] if claim.conclusion is not None else []
    for number, reading in enumerate(claim.readings, 1):
        stated += [(f"reading {number}", f) for f in (*reading.hypotheses, reading.conclusion)]
    for place, formula in stated:
        part = empty_part(formula)
        if part is not None:
            raise InvalidClaim(f"{claim.id}: {place}: {sp.sstr(part)} {_COLLAPSED}")
    for mutant in claim.mutants:
        if any(_decided(part) is False for part in _conjuncts(mutant.conclusion)):
            raise InvalidClaim(f"{claim.id}: the mutant {mutant.name!r} is false as it is written")
    given: dict[Any, str] = {}
    for h in claim.hypotheses:
        if h.formula in given:
            both = f"{given[h.formula]!r} and {h.name!r}"
            raise InvalidClaim(f"{claim.id}: the hypotheses {both} are the same")
        given[h.formula] = h.name
    said = {part for h in claim.hypotheses for part in _conjuncts(h.formula)}
    if claim.conclusion is not None and _repeats(claim.conclusion, said | set(given)):
        raise InvalidClaim(f"{claim.id}: the conclusion only repeats what is assumed")


def empty_part(formula: Any) -> Any | None:
    """A part that is true as it stands, or compares a term with itself; None if there is none."""
    if isinstance(formula, bool | BooleanAtom):
        return formula
    if isinstance(formula, Relational):
        same = formula.lhs == formula.rhs
        return formula if same or _decided(formula) is True else None
    parts = (empty_part(part) for part in formula.args if isinstance(part, Boolean))
    return next((part for part in parts if part is not None), None)


def _decided(formula: Any) -> bool | None:
    """The truth of a formula that is a constant or a relation between two fractions."""
    if isinstance(formula, bool | BooleanAtom):
        return bool(formula)
    if not isinstance(formula, Relational):
        return None
    if not all(side.is_Rational for side in formula.args):
        return False if formula.lhs == formula.rhs and formula.rel_op in ("<", ">", "!=") else None
    return bool(formula.func(*formula.args))


def _conjuncts(formula: Any) -> Iterator[Any]:
    if isinstance(formula, Both):
        for part in formula.args:
            yield from _conjuncts(part)
    else:
        yield formula


def _repeats(conclusion: Any, said: set[Any]) -> bool:
    """Whether all that is concluded is there word for word in what is assumed."""
    if conclusion in said:
        return True
    if isinstance(conclusion, If):
        premise, rest = conclusion.args
        return _repeats(rest, said | set(_conjuncts(premise)))
    return isinstance(conclusion, Both) and all(_repeats(p, said) for p in conclusion.args)
