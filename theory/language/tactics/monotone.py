"""Compare two terms that differ only in some parts, from comparisons of these parts.

From `a <= b` follows `c + sum exp(a) <= c + sum exp(b)`: both terms are traversed in parallel,
and each level down to the parts that a premise compares is a separate step. Levels are

- sums of a few terms, products with a common factor whose sign a premise or the arithmetic shows,
- finite sums over the same range, term by term,
- exp, log, square roots, powers with a whole exponent, and quotients, which reverse the order.

Nothing here is trusted: the kernel checks each step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import sympy as sp
from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language import derivation as rules
from ropeproof.theory.language.binders import inner
from ropeproof.theory.language.logic import conjuncts, le, lt, within
from ropeproof.theory.language.tactics.by_form import times_factor
from ropeproof.theory.language.tactics.products import multiplied

__all__ = ["by_parts", "differing_parts", "signed_factors"]

_LEVEL = "A comparison of parts gives the comparison of the terms that they make up."
_SIGN = "This common factor is not negative."


def by_parts(scope: Any, goal: Any, why: str, premises: Sequence[Any], parts: Sequence[Any]) -> Any:
    """The fact of the goal `left <= right`, from facts `parts` that compare the differing parts.

    Raises `InvalidClaim` for another goal, and where the sides differ at a place that no part
    compares or in a way for which there is no rule; the message names the two terms.
    """
    if not isinstance(goal, sp.Le):
        raise InvalidClaim(f"monotone: the goal is {goal}; allowed: a comparison by <=")

    def known(small: Any, large: Any) -> Any:
        return next((p for p in parts if _says(p.formula, small, large)), None)

    walk = _Walk(known, premises)
    found = walk.compared(scope, goal.lhs, goal.rhs, why)
    if found.formula == goal:
        return found
    return scope.step(goal, rules.smt(), why, found)


def _says(formula: Any, small: Any, large: Any) -> bool:
    for part in conjuncts(formula):
        if isinstance(part, sp.Le | sp.Lt) and part.args == (small, large):
            return True
        if isinstance(part, sp.Eq) and set(part.args) == {small, large}:
            return True
    return False


def differing_parts(left: Any, right: Any) -> list[tuple[Any, Any]]:
    """The pairs of innermost differing parts: if each pair compares, so do `left` and `right`.

    The search of `ropeproof try --write` looks for facts that compare them.
    """
    return [pair for pair in _levels(left, right) if pair[0] != pair[1]]


def signed_factors(left: Any, right: Any) -> list[Any]:
    """The terms whose signs must be known to conclude `left <= right` from the differing parts."""
    below = _below(left, right) or []
    found = [about for *_, about, kind in below if kind == "factor"]
    for small, large, _, kind in below:
        if kind in ("log", "root", "inverse", "power"):
            found.append(small)
        found += signed_factors(small, large)
    return found


def _levels(left: Any, right: Any) -> list[tuple[Any, Any]]:
    below = _below(left, right)
    if below is None:
        return [(left, right)]
    return [pair for part in below for pair in _levels(*part[:2])]


def _below(left: Any, right: Any) -> list[tuple[Any, Any, Any, str]] | None:
    """The pairs of parts by which two terms of like form compare; None if their forms differ.

    Each entry is (small, large, common factor or range, kind of form); the terms compare if each of these
    pairs does.
    """
    if isinstance(left, sp.Sum) and isinstance(right, sp.Sum):
        if left.limits[-1] == right.limits[-1]:
            return [(inner(left), inner(right), left.limits[-1], "sum")]
        return None
    if isinstance(left, sp.Add) and isinstance(right, sp.Add):
        mine, other = _without_common(left.args, right.args)
        if mine and len(mine) == len(other):
            return [(a, b, None, "add") for a, b in _paired(mine, other)]
        return None
    if left.func in (sp.exp, sp.log) and left.func == right.func:
        return [(left.args[0], right.args[0], None, left.func.__name__)]
    if isinstance(left, sp.Pow) and isinstance(right, sp.Pow) and left.exp == right.exp:
        if left.exp == sp.Rational(1, 2):
            return [(left.base, right.base, None, "root")]
        if left.exp == -1:
            return [(right.base, left.base, None, "inverse")]
        if left.exp.is_Integer and left.exp > 1:
            return [(left.base, right.base, left.exp, "power")]
    if isinstance(left, sp.Mul | sp.Sum | sp.Pow | sp.exp | sp.log) or isinstance(right, sp.Mul):
        mine, other = _without_common(sp.Mul.make_args(left), sp.Mul.make_args(right))
        common = _common(sp.Mul.make_args(left), sp.Mul.make_args(right))
        if len(mine) == len(other) == 1 and common:
            factor = sp.Mul(*common)
            if factor.is_Number and factor < 0:
                return [(other[0], mine[0], factor, "number")]
            return [(mine[0], other[0], factor, "number" if factor.is_Number else "factor")]
    return None


def _common(first: Sequence[Any], second: Sequence[Any]) -> list[Any]:
    return list((Counter(first) & Counter(second)).elements())


def _without_common(first: Sequence[Any], second: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """The terms of each sequence that the other lacks, in order."""
    both = Counter(first) & Counter(second)
    return _less(first, both), _less(second, both)


def _less(terms: Sequence[Any], taken: Counter[Any]) -> list[Any]:
    left, found = Counter(taken), []
    for term in terms:
        if left[term]:
            left[term] -= 1
        else:
            found.append(term)
    return found


def _paired(first: Sequence[Any], second: Sequence[Any]) -> list[tuple[Any, Any]]:
    """Pairs of terms of like form, with the remaining terms paired in order."""
    left, pairs, later = list(second), [], []
    for a in first:
        like = next((b for b in left if _below(a, b) is not None), None)
        if like is None:
            later.append(a)
        else:
            left.remove(like)
            pairs.append((a, like))
    return pairs + list(zip(later, left, strict=True))


class _Walk:
    """A parallel traversal of two terms that writes the steps on the way up."""

    def __init__(self, known: Callable[[Any, Any], Any], premises: Sequence[Any]) -> None:
        self.known, self.premises = known, premises

    def compared(self, scope: Any, small: Any, large: Any, why: str) -> Any:
        """A fact that says small <= large."""
        given = self.known(small, large)
        if given is not None:
            return given
        below = _below(small, large)
        if below is None:
            raise InvalidClaim(
                f"monotone: no part compares {small} with {large}; allowed: facts for all places in "
                "which the sides of the goal differ"
            )
        goal = le(small, large)
        kind, about = below[0][3], below[0][2]
        if kind == "sum":
            index, low, high = about
            place = scope.under(within(index, low, high))
            term = self._plain(place, self.compared(place, *below[0][:2], _LEVEL), *below[0][:2])
            return scope.without({index})[1].step(goal, rules.termwise(), why, term, *self.premises)
        facts = [self.compared(scope, a, b, _LEVEL) for a, b, *_ in below]
        if kind == "exp":
            fact = self._plain(scope, facts[0], *below[0][:2])
            return scope.show(goal, why, fact)
        if kind == "log":
            fact = self._plain(scope, facts[0], *below[0][:2])
            positive = scope.step(
                lt(0, below[0][0]), rules.smt(), "The argument is positive.", *self.premises
            )
            return scope.show(goal, why, positive, fact)
        if kind == "factor":
            fact = self._plain(scope, facts[0], *below[0][:2])
            sign = scope.step(le(0, about), rules.smt(), _SIGN, *self.premises)
            return scope.step(goal, times_factor(*below[0][:3]), why, fact, sign)
        if kind == "power":
            return self._power(scope, goal, why, facts[0], below[0])
        if kind in ("root", "inverse"):
            return scope.step(goal, rules.smt(), why, *facts, *self.premises)
        return scope.step(goal, rules.smt(), why, *facts)

    def _power(self, scope: Any, goal: Any, why: str, fact: Any, level: Any) -> Any:
        """The comparison of powers, a^k <= b^k from 0 <= a <= b, one exponent after the other."""
        small, large, exponent, _ = level
        sign = scope.step(
            le(0, small), rules.smt(), "The base is not negative.", fact, *self.premises
        )
        below = self._plain(scope, fact, small, large)
        for power in range(2, int(exponent) + 1):
            lower = le(0, small ** (power - 1))
            base = (
                sign
                if power == 2
                else scope.step(
                    lower,
                    rules.smt(),
                    "So this power of the base is not negative.",
                    sign,
                    *self.premises,
                )
            )
            first = multiplied(scope, [(fact, base), (below, _above(scope, sign, fact, large))])
            last = power == exponent
            below = scope.step(
                goal if last else le(small**power, large**power),
                rules.smt(),
                why if last else _LEVEL,
                *first,
            )
        return below

    def _plain(self, scope: Any, fact: Any, small: Any, large: Any) -> Any:
        """The fact as `small <= large`, from one that is an equation or strict."""
        goal = le(small, large)
        if fact.formula == goal:
            return fact
        return scope.step(goal, rules.smt(), "In particular the one is at most the other.", fact)


def _above(scope: Any, sign: Any, fact: Any, large: Any) -> Any:
    return scope.step(
        le(0, large), rules.smt(), "So the larger base is not negative either.", sign, fact
    )
