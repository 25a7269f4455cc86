"""Remedies that make a refused step hold: another rule, more premises, products, parts, cases.

Products are found by a linear programme over the monomials of the premises' differences, parts by
descending into both sides of a comparison to where they differ, cases by the terms whose sign or order
matters. Each remedy is checked by the kernel's rules before it is reported. `ropeproof try --write`
writes it into the file (`writing`). Nothing here is trusted: the step is checked anew when the file is
read again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any

import sympy as sp

from ropeproof.proofs_check.kernel.normal import Normal
from ropeproof.proofs_check.kernel.polynomial import ONE
from ropeproof.proofs_check.kernel.read import read
from ropeproof.proofs_check.kernel.smt import PremiseFacts, entails
from ropeproof.proofs_check.kernel.solvers.query import RanOn
from ropeproof.proofs_check.kernel.terms import Malformed
from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language.claim import Hypothesis
from ropeproof.theory.language.derivation import Step
from ropeproof.theory.language.logic import conjuncts, le
from ropeproof.theory.language.proof import Fact, Proof, Scope
from ropeproof.theory.language.tactics.monotone import differing_parts, signed_factors
from ropeproof.theory.language.tactics.products import MOST_PARTS, parts_of, product

__all__ = ["Place", "Remedy", "by_case_split", "by_compared_parts", "by_products"]

MOST_FACTORS = 24
"""The largest number of differences of premises that are multiplied pairwise: 300 products."""
MOST_CASES = 8
"""The largest number of case distinctions tried for one step."""
Place = str | int
"""A premise by its label, or an assumption of the step by its number."""
Accepted = Callable[[Sequence[Step]], bool]
"""A test whether the kernel accepts these steps after those before the refused one."""


@dataclass(frozen=True)
class Remedy:
    """What to write into a step: a rule, premises to add by label, pairs of premises to multiply.

    `monotone` are the labels of facts that compare the parts of a comparison, `cases` the cases to
    distinguish. With `alone` the step has the premises `premises` and no others: its former premises
    are in the products or not needed, and would only slow the solver down.
    """

    rule: str = ""
    premises: tuple[str, ...] = ()
    products: tuple[tuple[Place, Place], ...] = ()
    alone: bool = False
    monotone: tuple[str, ...] = ()
    cases: tuple[Any, ...] = ()


def by_products(
    goal: Any, given: Mapping[Place, Any], own: Sequence[str], facts: PremiseFacts
) -> Remedy | None:
    """Products of premises, and premises, with which `smt` proves the goal; None if none are found.

    `given` has the formula of each place, `own` the labels of the step's premises, `facts` all of them
    as the rule sees them. The step's premises are kept where the rule succeeds with them; otherwise only
    those that the linear programme uses are kept.
    """
    with suppress(Malformed, RanOn, ArithmeticError, TypeError, ValueError):
        linear, pairs = _combination(goal, given, facts.normal)
        if not pairs:
            return None
        labels = [p for p in linear if isinstance(p, str)]
        for alone, premises in ((False, [*own, *labels]), (True, labels)):
            kept = list(dict.fromkeys(premises))
            if _suffice(goal, given, kept, pairs):
                more = kept if alone else [n for n in kept if n not in own]
                return Remedy("", tuple(more), tuple(pairs), alone)
    return None


def _suffice(
    goal: Any,
    given: Mapping[Place, Any],
    premises: Sequence[str],
    pairs: Sequence[tuple[Place, Place]],
) -> bool:
    """Whether `smt` proves the goal from these premises, the assumptions and the products."""
    assumed = [f for place, f in given.items() if isinstance(place, int)]
    products = [p for a, b in pairs for p in _products(given[a], given[b])]
    known = [*assumed, *(given[n] for n in premises), *products]
    return entails([*map(read, known)], read(goal))


def _products(first: Any, second: Any) -> list[Any]:
    """All products that `multiplied` states for a pair; none if it would refuse the pair."""
    found = [product(a, b) for a in parts_of(first) for b in parts_of(second)]
    return found if len(found) <= MOST_PARTS else []


def _combination(
    goal: Any, given: Mapping[Place, Any], normal: Normal
) -> tuple[list[Place], list[tuple[Place, Place]]]:
    """The premises and pairs of premises in contradictory combinations, one per comparison.

    A combination of premises, products and the negated goal is contradictory if it is a negative number.
    """
    # It needs SciPy, and is wanted by who tries a proof only.
    from ropeproof.proofs_check.recheck.coq.arithmetic.certificate import contradiction

    factors = [(place, part) for place, f in given.items() for part in parts_of(f)][:MOST_FACTORS]
    columns = [_column(part, normal) for _, part in factors]
    origins: list[Place | tuple[Place, Place]] = [place for place, _ in factors]
    for (place, part), (other, another) in combinations_with_replacement(factors, 2):
        if _products(given[place], given[other]):
            columns.append(_column(_part(product(part, another)), normal, "product"))
            origins.append((place, other))
    used: dict[Place | tuple[Place, Place], None] = {}
    for kind, difference in parts_of(goal):
        for sign in (1, -1) if kind is sp.Eq else (1,):
            negated = ("le" if kind is sp.Lt else "lt", _monomials(-sign * difference, normal), "")
            combination = contradiction([*columns, negated])
            if combination is None:
                return [], []
            used |= dict.fromkeys(origins[j] for j in combination if j < len(origins))
    pairs = [u for u in used if isinstance(u, tuple)]
    return [u for u in used if not isinstance(u, tuple)], pairs


def _part(comparison: Any) -> tuple[Any, Any]:
    return comparison.func, comparison.rhs


def _column(part: tuple[Any, Any], normal: Normal, text: str = "") -> tuple[str, Any, str]:
    kind, difference = part
    name = {sp.Eq: "eq", sp.Le: "le", sp.Lt: "lt"}[kind]
    return name, _monomials(difference, normal), text


def _monomials(term: Any, normal: Normal) -> dict[Any, Any]:
    """The normal form of a term, with the empty monomial in the form that `contradiction` uses."""
    return {() if mono == ONE else mono: c for mono, c in normal.poly(read(term)).items()}


# -- parts that are compared, and cases ----------------------------------------------------------


def by_compared_parts(
    step: Step, before: Sequence[Step], hypotheses: Sequence[Hypothesis], accepted: Accepted
) -> Remedy | None:
    """Facts that compare the parts in which the goal's sides differ; None if some are missing."""
    goal = step.conclusion
    if not isinstance(goal, sp.Le):
        return None
    wanted = differing_parts(*goal.args)
    if (goal.lhs, goal.rhs) in wanted:
        return None
    said = [(h.name, h.formula) for h in hypotheses]
    said += [(s.label, s.conclusion) for s in before if not set(s.assuming) - _inside(step)]
    names = [next((name for name, f in said if _compares(f, *pair)), None) for pair in wanted]
    found = tuple(dict.fromkeys(n for n in names if n is not None))
    if not found or None in names:
        return None
    factors = [f for term in signed_factors(*goal.args) for f in sp.Mul.make_args(term)]
    signs = [n for n, f in said if n not in (*found, *step.using) and _has_sign_of(factors, f)]
    remedies = [Remedy(premises=chosen, monotone=found) for chosen in ((), tuple(signs))]
    held = (_held(r, step, before, hypotheses, accepted) for r in remedies)
    return next((r for r in held if r is not None), None)


def by_case_split(
    step: Step, before: Sequence[Step], hypotheses: Sequence[Hypothesis], accepted: Accepted
) -> Remedy | None:
    """A case distinction by a formula such that the rules prove the goal in both cases, or None."""
    if step.rule.name not in ("smt", "identity"):
        return None
    used = [s.conclusion for s in before if s.label in step.using]
    used += [h.formula for h in hypotheses if h.name in step.using]
    for case in list(dict.fromkeys(_splits([step.conclusion, *used])))[:MOST_CASES]:
        found = _held(Remedy(cases=(case,)), step, before, hypotheses, accepted)
        if found is not None:
            return found
    return None


def _splits(formulas: Sequence[Any]) -> Iterator[Any]:
    """Comparisons in the formulas by which a case distinction could simplify them.

    They compare the arguments of max and min, and give the signs of terms in absolute values and of
    factors.
    """
    for formula in formulas:
        for term in sorted(formula.atoms(sp.Max, sp.Min), key=str):
            yield le(*term.args[:2])
        yield from (le(0, term.args[0]) for term in sorted(formula.atoms(sp.Abs), key=str))
        factors = {f for product in formula.atoms(sp.Mul) for f in product.args}
        factors |= {power.base for power in formula.atoms(sp.Pow)}
        yield from (le(0, f) for f in sorted(factors, key=str) if not f.is_number)


def _inside(step: Step) -> set[Any]:
    """What may be assumed about a part: the step's assumptions, and ranges of sums around it."""
    ranges = (limits for total in step.conclusion.atoms(sp.Sum) for limits in total.limits)
    bounds = (le(*pair) for index, low, high in ranges for pair in ((low, index), (index, high)))
    return {*step.assuming, *bounds}


def _compares(formula: Any, small: Any, large: Any) -> bool:
    return any(
        isinstance(part, sp.Le | sp.Lt | sp.Eq) and part.args == (small, large)
        for part in conjuncts(formula)
    )


def _has_sign_of(factors: Sequence[Any], formula: Any) -> bool:
    """Whether the formula says that one of the factors is nonnegative."""
    return any(
        isinstance(part, sp.Le | sp.Lt) and part.lhs.is_nonnegative and part.rhs in factors
        for part in conjuncts(formula)
    )


def _held(
    remedy: Remedy,
    step: Step,
    before: Sequence[Step],
    hypotheses: Sequence[Hypothesis],
    accepted: Accepted,
) -> Remedy | None:
    """The remedy if the kernel accepts the steps that it turns the refused step into, else None."""
    proof = Proof(step.conclusion)
    proof.steps += before
    named: dict[str, Any] = {h.name: h for h in hypotheses}
    named |= {s.label: Fact(s.conclusion, s.label, Scope(proof, s.assuming)) for s in before}
    scope = Scope(proof, step.assuming)
    with suppress(InvalidClaim, KeyError):
        scope.show(
            step.conclusion,
            step.because,
            *(named[n] for n in (*step.using, *remedy.premises)),
            monotone=[named[n] for n in remedy.monotone],
            cases=remedy.cases,
        )
        if accepted(proof.steps[len(before) :]):
            return remedy
    return None
