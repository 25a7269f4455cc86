"""Values for the symbols of a claim, found by matching with the goal and the premises.

A hypothesis `x <= y` matches a premise `j <= n + 1` by x = j and y = n + 1, and
`for all k from a to b: f(k) <= c` matches `for all l from 0 to n: l*l <= d` by the function l -> l*l.
Nothing here is trusted: the kernel checks that the hypotheses follow for the values found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from types import MappingProxyType
from typing import Any

import sympy as sp
from ropeproof.theory.language.instance import LemmaInstance, formulas_of, symbols_of
from ropeproof.theory.language.logic import Every, Some, conjuncts, implication
from ropeproof.theory.language.substitution import free_symbols, substitute
from sympy.core.function import AppliedUndef

__all__ = ["instance_values", "matched", "term_values"]

_MOST_ORDERED = 4  # parts of a sum or product that are tried in every order
_MOST_TRIED = 2_000  # pairs of a hypothesis and a premise

Values = Mapping[Any, Any]
_NONE: Values = MappingProxyType({})


def matched(given: LemmaInstance, known: Sequence[Any], goal: Any = None) -> LemmaInstance:
    """The instance with values that matching finds for the claim's other symbols.

    The conclusion is matched with the goal first, then each part of a hypothesis, in order,
    with the first of the known formulas that fits the values found so far.
    """
    claim, conclusion = given.of, given.of.conclusion
    parts = [part for h in formulas_of(claim)[:-1] for part in conjuncts(h)]
    unknown = symbols_of(claim) - set(given.values)
    values: Values = given.values
    if goal is not None:
        values = next(term_values(conclusion, goal, unknown, values), values)
    found = _Search(unknown, known).best(parts, values)
    return LemmaInstance.at_symbols(
        claim, {**given.values, **{k: v for k, v in found.items() if k not in given.values}}
    )


def instance_values(
    quantified: Any, known: Sequence[Any], assumed: Sequence[Any]
) -> dict[Any, Any]:
    """The values at which the conditions of a `for all` are among the known or assumed formulas.

    Each symbol stands for itself if the scope assumes something about all of them, and if not all of the
    conditions are known for the same values.
    """
    variables, body = quantified.args
    itself = {v: v for v in variables}
    conditions, _ = implication(body)
    symbols = all(isinstance(v, sp.Symbol) for v in variables)
    spoken_of = frozenset().union(*map(free_symbols, assumed))
    if not symbols or not conditions or set(variables) <= spoken_of:
        return itself
    for formulas in (known, [*known, *assumed]) if known else (assumed,):
        values = _Search(frozenset(variables), formulas).best(conditions, {})
        here = [substitute(c, values) for c in conditions]
        if set(values) == set(variables) and set(here) <= set(formulas):
            return values
    return itself


class _Search:
    """A search over hypotheses: each is matched with a fitting premise, or skipped if none fits."""

    def __init__(self, unknown: frozenset[Any], known: Sequence[Any]) -> None:
        self.unknown, self.known, self.tried = unknown, known, 0

    def best(self, parts: Sequence[Any], values: Values) -> dict[Any, Any]:
        """The values for which the most hypotheses are among the premises."""
        found: tuple[int, dict[Any, Any]] = (-1, dict(values))
        for count, one in self._all(list(parts), dict(values), 0):
            if count > found[0]:
                found = count, one
            if count == len(parts) or self.tried > _MOST_TRIED:
                break
        return found[1]

    def _all(
        self, parts: list[Any], values: dict[Any, Any], count: int
    ) -> Iterator[tuple[int, dict[Any, Any]]]:
        if not parts:
            yield count, values
            return
        part, *rest = parts
        if not (free_symbols(part) & self.unknown) - set(values):
            yield from self._all(rest, values, count + (substitute(part, values) in self.known))
            return
        for formula in self.known:
            self.tried += 1
            if self.tried > _MOST_TRIED:
                return
            for more in term_values(part, formula, self.unknown, values):
                yield from self._all(rest, more, count + 1)
                break
        yield from self._all(rest, values, count)


def term_values(
    pattern: Any,
    term: Any,
    unknown: frozenset[Any],
    values: Values = _NONE,
    bound: Mapping[Any, Any] = _NONE,
) -> Iterator[dict[Any, Any]]:
    """Values of the unknown symbols for which the pattern equals the term.

    `bound` maps the pattern's bound names to those of the term.
    """
    if pattern in bound:
        if bound[pattern] == term:
            yield dict(values)
    elif pattern in unknown:
        if term.free_symbols & set(bound.values()):
            return
        if values.get(pattern, term) == term and (term.is_integer or not pattern.is_integer):
            yield {**values, pattern: term}
    elif isinstance(pattern, AppliedUndef) and pattern.func in unknown:
        yield from _function(pattern, term, values, bound)
    elif not free_symbols(pattern) & (unknown | set(bound)):
        if pattern == term:
            yield dict(values)
    elif pattern.func != term.func:
        return
    elif isinstance(pattern, Every | Some):
        yield from _quantified(pattern, term, unknown, values, bound)
    elif isinstance(pattern, sp.Sum):
        yield from _sums(pattern, term, unknown, values, bound)
    elif len(pattern.args) == len(term.args):
        free_order = isinstance(pattern, sp.Add | sp.Mul) and len(term.args) <= _MOST_ORDERED
        for order in permutations(term.args) if free_order else (term.args,):
            yield from _each(list(zip(pattern.args, order, strict=True)), unknown, values, bound)


def _each(
    pairs: list[tuple[Any, Any]], unknown: frozenset[Any], values: Values, bound: Mapping[Any, Any]
) -> Iterator[dict[Any, Any]]:
    if not pairs:
        yield dict(values)
        return
    for found in term_values(*pairs[0], unknown, values, bound):
        yield from _each(pairs[1:], unknown, found, bound)


def _function(
    pattern: Any, term: Any, values: Values, bound: Mapping[Any, Any]
) -> Iterator[dict[Any, Any]]:
    """Match an unknown function of bound variables with a term in which these may occur."""
    places = [bound.get(place) for place in pattern.args]
    if pattern.func in values:
        here = {k: v for k, v in bound.items() if isinstance(k, sp.Symbol)}
        if substitute(pattern, {**here, **values}) == term:
            yield dict(values)
        return
    distinct = all(isinstance(p, sp.Symbol) for p in places) and len(set(places)) == len(places)
    if distinct and not (term.free_symbols & set(bound.values())) - set(places):
        yield {**values, pattern.func: sp.Lambda(tuple(places), term)}


def _quantified(
    pattern: Any, term: Any, unknown: frozenset[Any], values: Values, bound: Mapping[Any, Any]
) -> Iterator[dict[Any, Any]]:
    mine, others = pattern.args[0], term.args[0]
    if len(mine) != len(others) or not all(isinstance(v, sp.Symbol) for v in (*mine, *others)):
        return
    if [v.is_integer for v in mine] != [v.is_integer for v in others]:
        return
    inside = {**bound, **dict(zip(mine, others, strict=True))}
    yield from term_values(pattern.args[1], term.args[1], unknown - set(mine), values, inside)


def _sums(
    pattern: Any, term: Any, unknown: frozenset[Any], values: Values, bound: Mapping[Any, Any]
) -> Iterator[dict[Any, Any]]:
    if len(pattern.limits) != len(term.limits):
        return
    inside, ends = dict(bound), []
    for (index, *mine), (other, *theirs) in zip(pattern.limits, term.limits, strict=True):
        inside[index] = other
        ends += list(zip(mine, theirs, strict=True))
    indices = {index for index, *_ in pattern.limits}
    for found in _each(ends, unknown, values, inside):
        yield from term_values(pattern.function, term.function, unknown - indices, found, inside)
