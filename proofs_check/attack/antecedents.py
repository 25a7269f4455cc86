"""Whether the conditions in a claim can be met, by a structure in which no range is empty.

It is not enough that some instance satisfies the hypotheses. A conclusion `if A then B` says nothing
where A never holds, and a statement about sums over planes says little without any plane. So each
condition inside the conclusion, together with the conditions around it, must certainly hold on an
instance of the hypotheses in which every finite range of the statement has an element, or two where
such an instance is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp

from ropeproof.proofs_check.attack.cited import by_another
from ropeproof.proofs_check.kernel.outcome import Outcome, holds, unknown
from ropeproof.proofs_check.semantics.bounds import free_names
from ropeproof.proofs_check.semantics.certain import certain, closed_instances, example_of, surely
from ropeproof.proofs_check.semantics.for_all import shown
from ropeproof.proofs_check.semantics.for_some import affirmed
from ropeproof.proofs_check.semantics.instances import Sampler
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.proofs_check.semantics.values import Instance
from ropeproof.theory.language import binders, logic, substitution
from ropeproof.theory.language.claim import Claim

__all__ = ["Antecedent", "conditions_met", "conditions_of", "ranges_of"]


DRAWS, AIMED = 40, 6
"""The number of draws of one search: without an aim, and with a mutant's aim."""
SEEMING = 8
"""After this many uncertain instances closed forms are tried."""


@dataclass(frozen=True)
class Antecedent:
    """The conditions on a part of the conclusion, with quantified variables free."""

    formulas: tuple[Any, ...]
    place: str  # the part of the conclusion, `(a)`, `(b)`, or empty if there is one part only


def conditions_of(claim: Claim) -> tuple[Antecedent, ...]:
    """The sets of conditions inside the conclusion, without those contained in a larger set.

    A quantified variable that has the name of something else is renamed. A conclusion without
    conditions gives a single empty one.
    """
    if claim.conclusion is None:
        return ()
    taken = set(free_names([*(h.formula for h in claim.hypotheses), claim.conclusion]))
    whole = logic.conjuncts(claim.conclusion)
    found: dict[frozenset[Any], Antecedent] = {}
    for number, part in enumerate(whole):
        place = f"({chr(ord('a') + number)})" if 1 < len(whole) <= 26 else ""
        for said in binders.asserted(part, logic.Every | logic.Some, lambda q: _apart(q, taken)):
            formulas = tuple(f for held in said.conditions for f in logic.conjuncts(held))
            found.setdefault(frozenset(formulas), Antecedent(formulas, place))
    longest = sorted(found, key=len, reverse=True)
    kept: list[frozenset[Any]] = []
    for one in longest:
        if not any(one < other for other in kept):
            kept.append(one)
    return tuple(condition for one, condition in found.items() if one in kept)


def _apart(quantified: Any, taken: set[str]) -> Any:
    """The body of a quantifier, with its variables renamed where their names are taken."""
    variables, body = quantified.args
    mapping: dict[Any, Any] = {}
    for variable in variables:
        name = binders.symbol_name(variable)
        fresh = binders.unlike(name, taken)
        taken.add(fresh)
        if fresh != name:
            mapping[binders.head_of(variable)] = binders.another(variable, fresh)
    return substitution.substitute(body, substitution.as_values(mapping, body)) if mapping else body


def ranges_of(formulas: Iterable[Any]) -> tuple[tuple[Any, Any], ...]:
    """The ends of finite ranges, in sums and quantifiers, that depend on no bound variable."""
    found: dict[tuple[Any, Any], None] = {}
    for part, bound in (place for formula in formulas for place in binders.walked(formula)):
        for ends, own in _ranges(part):
            if not set(map(binders.symbol_name, (*bound, *own))) & free_names(ends).keys():
                found.setdefault(ends)
    return tuple(found)


def _ranges(expr: Any) -> Iterator[tuple[tuple[Any, Any], Iterable[Any]]]:
    """The ends of each range of a sum or quantifier, with the variables bound around them."""
    if isinstance(expr, sp.Sum):
        for place, (_, low, high) in enumerate(expr.limits, 1):  # the first is the innermost
            yield (low, high), [index for index, *_ in expr.limits[place:]]
    elif isinstance(expr, logic.Every | logic.Some):
        variables, body = expr.args
        guard = logic.conjuncts(body.args[0] if isinstance(body, logic.If) else body)
        bounds = [part for part in guard if isinstance(part, sp.Le)]
        for v in variables:
            lows = [p.lhs for p in bounds if p.rhs == v]
            highs = [p.rhs for p in bounds if p.lhs == v]
            if isinstance(v, sp.Symbol) and v.is_integer and lows and highs:
                yield (lows[0], highs[0]), variables


def conditions_met(
    claim: Claim, profile: Profile, claims: Mapping[str, Claim] | None = None
) -> Outcome:
    """Whether an instance certainly meets each condition together with the hypotheses.

    No finite range of the statement may be empty there. A hypothesis that is an instance of another of
    `claims` at the example, by `example_by`, counts as satisfied there.
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

    The hypotheses in `cited` are known to hold at the claim's example.
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
    """Whether all formulas certainly hold at an instance that an author gives.

    z3 is asked about those that enclosures leave open.
    """
    if certain(formulas, at, aim=aim):
        return True
    every = dict.fromkeys(part for formula in formulas for part in logic.conjuncts(formula))
    left = [part for part in every if not shown(part, at) and not affirmed(part, at)]
    return certain(left, at, aim=[*formulas, *aim])
