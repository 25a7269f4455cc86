"""What makes a refused step hold: another rule, more premises, products of premises.

Products are found by a linear programme over the monomials of the premises' differences, and each
remedy is put to the kernel's rule before it is told. It is written into the file by `ropeproof try
--write` (`writing`). Nothing here is trusted: the step is checked anew when the file is read again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from ropeproof.theory.language.tactics.products import MOST_PARTS, parts_of, product

__all__ = ["Place", "Remedy", "by_products"]

MOST_FACTORS = 24
"""Differences of premises that are multiplied with each other: 300 products."""
Place = str | int
"""A premise by its label, or an assumption of the step by its number."""


@dataclass(frozen=True)
class Remedy:
    """What to write into a step: the rule to name, premises to add by label, pairs to multiply.

    With `alone` the step has the premises `premises` and no others: what it had besides is in the
    products or is not needed, and would only keep the solver busy.
    """

    rule: str = ""
    premises: tuple[str, ...] = ()
    products: tuple[tuple[Place, Place], ...] = ()
    alone: bool = False


def by_products(
    goal: Any, given: Mapping[Place, Any], own: Sequence[str], facts: PremiseFacts
) -> Remedy | None:
    """Products of premises, and premises, with which `smt` shows the goal; None if none are found.

    `given` has the formula of each place, `own` the labels of the step's premises, `facts` what the
    rule sees of all places. The premises of the step are kept where the rule manages with them; else
    those alone are taken that the linear programme uses.
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
    """Whether `smt` shows the goal from these premises, what is assumed, and the products."""
    assumed = [f for place, f in given.items() if isinstance(place, int)]
    products = [p for a, b in pairs for p in _products(given[a], given[b])]
    known = [*assumed, *(given[n] for n in premises), *products]
    return entails([*map(read, known)], read(goal))


def _products(first: Any, second: Any) -> list[Any]:
    """All that `multiplied` states for a pair; nothing if it would refuse the pair."""
    found = [product(a, b) for a in parts_of(first) for b in parts_of(second)]
    return found if len(found) <= MOST_PARTS else []


def _combination(
    goal: Any, given: Mapping[Place, Any], normal: Normal
) -> tuple[list[Place], list[tuple[Place, Place]]]:
    """The premises, and the pairs of them, in combinations of premises, products and the negated goal
    that are a negative number: one combination for each comparison of the goal."""
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
    """The normal form with the empty monomial as `contradiction` writes it."""
    return {() if mono == ONE else mono: c for mono, c in normal.poly(read(term)).items()}
