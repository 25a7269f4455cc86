"""Products of premises as separate steps, which linear arithmetic cannot find.

From `x <= y` and `a <= b` follows `0 <= (y - x)(b - a)`. A step that needs such products is hard for
a solver, and easy once they are stated; `ropeproof try --write` finds them. Nothing here is
trusted: the kernel checks each step.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import sympy as sp
from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language import derivation as rules
from ropeproof.theory.language.logic import Both, conjuncts, eq, kept, le, lt

__all__ = ["MOST_PARTS", "multiplied", "parts_of", "product"]

MOST_PARTS = 9
"""The largest number of products that one step states."""


def parts_of(formula: Any) -> list[tuple[Any, Any]]:
    """The differences that a formula compares with 0: (`sp.Le`, `sp.Lt` or `sp.Eq`, difference)."""
    return [
        (part.func, part.rhs - part.lhs)
        for part in conjuncts(formula)
        if isinstance(part, sp.Le | sp.Lt | sp.Eq)
    ]


def product(first: tuple[Any, Any], second: tuple[Any, Any]) -> Any:
    """The comparison of the product of two such differences with 0."""
    (kind, a), (other, b) = first, second
    compare = eq if sp.Eq in (kind, other) else lt if kind == other == sp.Lt else le
    return compare(0, kept(sp.Mul, a, b))


def multiplied(scope: Any, pairs: Iterable[Sequence[Any]]) -> list[Any]:
    """A fact for each pair of premises: every comparison of the one times every one of the other.

    Each of a pair is a fact, a hypothesis, or a formula that the scope assumes. Raises `InvalidClaim`
    for a pair with nothing to multiply, or with more than `MOST_PARTS` products.
    """
    found = []
    for pair in pairs:
        first, second = (getattr(p, "formula", p) for p in pair)
        both = [product(a, b) for a in parts_of(first) for b in parts_of(second)]
        both = list(dict.fromkeys(b for b in both if isinstance(b, sp.Rel)))
        if not 1 <= len(both) <= MOST_PARTS:
            raise InvalidClaim(
                f"products: {first} times {second} makes {len(both)} products; allowed: premises "
                f"with comparisons that make 1 to {MOST_PARTS}"
            )
        given = list(dict.fromkeys(p for p in pair if hasattr(p, "formula")))
        found.append(
            scope.step(
                Both(*both) if len(both) > 1 else both[0], rules.smt(), _why(first, second), *given
            )
        )
    return found


def _why(first: Any, second: Any) -> str:
    if first == second:
        return "The product of two numbers of one sign is not negative."
    return "Multiply the two premises: each is a difference of known sign."
