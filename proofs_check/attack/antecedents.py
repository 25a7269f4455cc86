"""Whether what a claim speaks of exists: its conditions can be met, and by a structure with parts.

Hypotheses that some instance satisfies are not enough. A conclusion `if A then B` says nothing where
A never holds, and a statement about sums over planes says little where there is no plane. So each
condition inside the conclusion, together with all that it stands under, must certainly be met on an
instance of the hypotheses on which every finite range of the statement has an element, and two where
such an instance is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from ropeproof.proofs_check.attack.cited import by_another
from ropeproof.proofs_check.kernel.outcome import Outcome, holds, unknown
from ropeproof.proofs_check.semantics.bounds import free_names
from ropeproof.proofs_check.semantics.certain import certain, closed_instances, example_of, surely
from ropeproof.proofs_check.semantics.denied import affirmed
from ropeproof.proofs_check.semantics.instances import Sampler
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.proofs_check.semantics.shown import shown
from ropeproof.proofs_check.semantics.values import Instance
from ropeproof.theory.language import logic, substitution
from ropeproof.theory.language.claim import Claim

__all__ = ["Antecedent", "conditions_met", "conditions_of", "ranges_of"]


DRAWS, AIMED = 40, 6
"""Draws of one search: blindly, and where a mutant aims."""
SEEMING = 8
"""Instances that are not certain after which closed forms are tried."""


@dataclass(frozen=True)
class Antecedent:
    """What a part of the conclusion stands under, the variables of its quantifiers being free."""

    formulas: tuple[Any, ...]
    place: str  # the part of the conclusion, `(a)`, `(b)`, or empty if there is one part only


def conditions_of(claim: Claim) -> tuple[Antecedent, ...]:
    """The conditions inside the conclusion, without those that a longer one includes.

    A variable of a quantifier that is the name of something else is renamed. A conclusion without
    conditions gives the empty one.
    """
    if claim.conclusion is None:
        return ()
    taken = set(free_names([*(h.formula for h in claim.hypotheses), claim.conclusion]))
    whole = logic.conjuncts(claim.conclusion)
    found: dict[frozenset[Any], Antecedent] = {}
    for number, part in enumerate(whole):
        place = f"({chr(ord('a') + number)})" if 1 < len(whole) <= 26 else ""
        for formulas in _branches(part, (), taken):
            found.setdefault(frozenset(formulas), Antecedent(formulas, place))
    longest = sorted(found, key=len, reverse=True)
    kept: list[frozenset[Any]] = []
    for one in longest:
        if not any(one < other for other in kept):
            kept.append(one)
    return tuple(condition for one, condition in found.items() if one in kept)


def _branches(formula: Any, under: tuple[Any, ...], taken: set[str]) -> Iterator[tuple[Any, ...]]:
    """What each innermost part that is said stands under."""
    if isinstance(formula, logic.If):
        condition, said = formula.args
        yield from _branches(said, (*under, *logic.conjuncts(condition)), taken)
    elif isinstance(formula, logic.Every | logic.Some):
        variables, body = formula.args
        yield from _branches(_apart(variables, body, taken), under, taken)
    elif isinstance(formula, logic.Both | sp.And):
        for part in formula.args:
            yield from _branches(part, under, taken)
    else:
        yield under


def _apart(variables: Any, body: Any, taken: set[str]) -> Any:
    """The body with names for the variables that nothing else has."""
    mapping: dict[Any, Any] = {}
    for variable in variables:
        name = substitution.symbol_name(variable)
        if name in taken:
            fresh = next(f"{name}_{n}" for n in range(1, 10**6) if f"{name}_{n}" not in taken)
            if isinstance(variable, sp.Symbol):
                mapping[variable] = sp.Symbol(fresh, **variable.assumptions0)
            else:
                make = logic.integer_function if variable.is_integer else logic.real_function
                mapping[variable.func] = make(fresh)
            taken.add(fresh)
        else:
            taken.add(name)
    return substitution.substitute(body, substitution.as_values(mapping, body)) if mapping else body


def ranges_of(formulas: Iterable[Any]) -> tuple[tuple[Any, Any], ...]:
    """The ends of the finite ranges, of sums and quantifiers, that name nothing bound."""
    found: dict[tuple[Any, Any], None] = {}

    def visit(f: Any, bound: frozenset[str]) -> None:
        if isinstance(f, sp.Sum):
            for place, (_, low, high) in enumerate(f.limits, 1):
                outer = bound | {limit[0].name for limit in f.limits[place:]}
                if not outer & free_names([low, high]).keys():
                    found.setdefault((low, high))
            bound = bound | {limit[0].name for limit in f.limits}
            visit(f.function, bound)
            return
        if isinstance(f, logic.Every | logic.Some):
            variables, body = f.args
            bound = bound | {substitution.symbol_name(v) for v in variables}
            guard = body.args[0] if isinstance(body, logic.If) else body
            for v in variables:
                if isinstance(v, sp.Symbol) and v.is_integer:
                    lows = [
                        p.lhs for p in logic.conjuncts(guard) if isinstance(p, sp.Le) and p.rhs == v
                    ]
                    highs = [
                        p.rhs for p in logic.conjuncts(guard) if isinstance(p, sp.Le) and p.lhs == v
                    ]
                    for low in lows[:1]:
                        for high in highs[:1]:
                            if not bound & free_names([low, high]).keys():
                                found.setdefault((low, high))
            visit(body, bound)
            return
        if isinstance(f, AppliedUndef | sp.Basic):
            for arg in f.args:
                if isinstance(arg, sp.Basic):
                    visit(arg, bound)

    for formula in formulas:
        visit(formula, frozenset())
    return tuple(found)


def conditions_met(
    claim: Claim, profile: Profile, claims: Mapping[str, Claim] | None = None
) -> Outcome:
    """Whether each condition is certainly met, with the hypotheses, by a structure with parts.

    A hypothesis that one of `claims` gives at the example, which `example_by` names, is met there.
    """
    hypotheses = [h.formula for h in claim.hypotheses]
    cited = [h.formula for h in claim.hypotheses if claims and by_another(claim, h, claims)]
    known = {part for formula in hypotheses for part in logic.conjuncts(formula)}
    ranges = [
        (low, high)
        for low, high in ranges_of([*hypotheses, claim.conclusion])
        if logic.lt(high, low) not in known  # the statement is about an empty range
    ]
    small, missed = [], []
    for condition in conditions_of(claim):
        for least in (1, 0) if ranges else (0,):
            wide = [logic.le(low + least, high) for low, high in ranges]
            formulas = [f for f in (*condition.formulas, *wide) if f not in (True, sp.true)]
            if _met(claim, hypotheses, formulas, profile, cited):
                small += [condition] if ranges and not least else []
                break
        else:
            missed.append(f"part {condition.place}" if condition.place else "the conclusion")
    if missed:
        where = ", ".join(dict.fromkeys(missed))
        what = "the conditions and no range empty" if ranges else "the conditions"
        return unknown(
            f"no instance certainly satisfies the hypotheses with {what} of {where}; give one in "
            "`example`, or say in `conditions` where to look"
        )
    return holds(f"{len(small)} conditions met on a range of one element only" if small else "")


def _met(
    claim: Claim, hypotheses: list[Any], formulas: list[Any], profile: Profile, cited: list[Any]
) -> bool:
    """Whether an instance of the hypotheses certainly satisfies the formulas as well.

    Those `cited` are known to hold at the claim's example.
    """
    random, _ = profile.random(claim.id, "conditions", str(formulas))
    everything = [*formulas, *hypotheses]
    sampler = Sampler(everything, [claim.conclusion])
    if claim.example:
        wanted = [formula for formula in everything if formula not in cited]
        at_example, given = Sampler(wanted, [claim.conclusion]), example_of(claim.example)
        drawn = (at_example.draw(random, tries=10, given=given) for _ in range(3))
        if any(i is not None and _holds(wanted, i) for i in drawn):
            return True
    seeming: Instance | None = None
    aims = [*claim.conditions, *(m.at for m in claim.mutants if m.at)]
    for aim, draws in (((), 3), *((aim, AIMED) for aim in aims), ((), DRAWS)):
        aimed = Sampler([*aim, *everything], [claim.conclusion]) if aim else sampler
        met = 0
        for _ in range(draws):
            instance = aimed.draw(random, tries=10)
            if instance is None:
                continue
            if (
                _holds(everything, instance, aim)
                if aim in claim.conditions
                else certain(everything, instance, aim=aim)
            ):
                return True
            seeming, met = instance, met + 1
            if met >= SEEMING:
                break
    if seeming is None:
        return False
    doubtful = [f for f in everything if surely(f, seeming, given=everything) is not True]
    closed = closed_instances(sampler, doubtful, random)
    return any(certain(everything, instance) for instance in closed)


def _holds(formulas: list[Any], at: Instance, aim: tuple[Any, ...] = ()) -> bool:
    """Whether all certainly hold where an author says so: what no ball decides z3 may show."""
    if certain(formulas, at, aim=aim):
        return True
    every = dict.fromkeys(part for formula in formulas for part in logic.conjuncts(formula))
    left = [part for part in every if not shown(part, at) and not affirmed(part, at)]
    return certain(left, at, aim=[*formulas, *aim])
