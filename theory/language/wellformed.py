"""Rules for well-formed claims: no part that SymPy has already decided, and no repetition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sympy as sp
from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language.logic import Both, Every, If, conjuncts
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean, BooleanAtom

if TYPE_CHECKING:
    from ropeproof.theory.language.claim import Claim
    from ropeproof.theory.language.derivation import Step

__all__ = ["check_statement", "empty_part", "empty_step"]

_COLLAPSED = (
    "says nothing. SymPy evaluates a term while it is written, so x/x is 1 before anybody asks "
    "whether x is 0; `frac`, `kept` and `kept_at` of ropeproof.theory.language keep what was written"
)
_GIVEN_BY_ANOTHER = frozenset(("instance", "by_claim", "axiom"))
"""Rules whose conclusion is another statement at given values, whatever that becomes."""


def check_statement(claim: Claim) -> None:
    """Raise `InvalidClaim` for a statement with an empty part, or with a repetition.

    The statement consists of the hypotheses, the conclusion and the readings.
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
        if any(_decided(part) is False for part in conjuncts(mutant.conclusion)):
            raise InvalidClaim(f"{claim.id}: the mutant {mutant.name!r} is false as it is written")
    given: dict[Any, str] = {}
    for h in claim.hypotheses:
        if h.formula in given:
            both = f"{given[h.formula]!r} and {h.name!r}"
            raise InvalidClaim(f"{claim.id}: the hypotheses {both} are the same")
        given[h.formula] = h.name
    said = {part for h in claim.hypotheses for part in conjuncts(h.formula)}
    if claim.conclusion is not None and _repeats(claim.conclusion, said | set(given)):
        raise InvalidClaim(f"{claim.id}: the conclusion only repeats what is assumed")


def empty_part(formula: Any) -> Any | None:
    """A part that is true as written, or compares a term with itself; None if there is none.

    An implication from a premise that is false as written is true as written.
    """
    if isinstance(formula, bool | BooleanAtom):
        return formula
    if isinstance(formula, Relational):
        same = formula.lhs == formula.rhs
        return formula if same or _decided(formula) is True else None
    if isinstance(formula, If) and _decided(formula.args[0]) is False:
        return formula
    parts = (empty_part(part) for part in formula.args if isinstance(part, Boolean))
    return next((part for part in parts if part is not None), None)


def empty_step(step: Step) -> str:
    """The reason why a step, or a part of it, is true as written and says nothing; "" if none is.

    An instance of another fact may have parts that say nothing: it is refused only if all do. A
    conclusion that is false as written, such as `1 < 1`, says that the assumptions are contradictory.
    """
    whole = step.rule.name in _GIVEN_BY_ANOTHER
    part = (_wholly_empty if whole else _partly_empty)(step.conclusion)
    found = [part, *map(empty_part, step.assuming)]
    empty = next((part for part in found if part is not None), None)
    if empty is None:
        return ""
    return f"{sp.sstr(empty)} {_COLLAPSED}"


def _partly_empty(formula: Any) -> Any | None:
    """A part of a conclusion that is true as written and so says nothing; None if there is none."""
    if _decided(formula) is False:
        return None
    if isinstance(formula, If):
        premise, rest = formula.args
        part = formula if _decided(premise) is False else empty_part(premise)
        return part if part is not None else _partly_empty(rest)
    if isinstance(formula, Both | Every):
        parts = (_partly_empty(part) for part in formula.args if isinstance(part, Boolean))
        return next((part for part in parts if part is not None), None)
    return empty_part(formula)


def _wholly_empty(formula: Any) -> Any | None:
    """The formula if every part of its conclusion is true as written, so says nothing; else None."""
    parts = conjuncts(formula)
    if parts != [formula]:
        return formula if all(_wholly_empty(part) is not None for part in parts) else None
    if isinstance(formula, If | Every):
        return _wholly_empty(formula.args[-1])
    said = not isinstance(formula, bool | BooleanAtom | Relational) or _decided(formula) is False
    return None if said else empty_part(formula)


def _decided(formula: Any) -> bool | None:
    """The truth of a formula that is a constant or a relation between two fractions."""
    if isinstance(formula, bool | BooleanAtom):
        return bool(formula)
    if not isinstance(formula, Relational):
        return None
    if not all(side.is_Rational for side in formula.args):
        return False if formula.lhs == formula.rhs and formula.rel_op in ("<", ">", "!=") else None
    return bool(formula.func(*formula.args))


def _repeats(conclusion: Any, said: set[Any]) -> bool:
    """Whether every part of the conclusion is literally among the assumptions."""
    if conclusion in said:
        return True
    if isinstance(conclusion, If):
        premise, rest = conclusion.args
        return _repeats(rest, said | set(conjuncts(premise)))
    return isinstance(conclusion, Both) and all(_repeats(p, said) for p in conclusion.args)
