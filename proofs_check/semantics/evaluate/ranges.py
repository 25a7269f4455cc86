"""Finite ranges of the integers that a quantifier binds, from the bounds in its guard."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from math import prod
from typing import Any

import sympy as sp

from ropeproof.proofs_check.semantics.bounds import names_in
from ropeproof.proofs_check.semantics.evaluate.arithmetic import REMEMBERED, Term
from ropeproof.proofs_check.semantics.values import (
    APART,
    CONTEXT,
    Fraction,
    Instance,
    TooLarge,
    ceiling_of,
    floor_of,
    span,
)
from ropeproof.theory.language import logic
from ropeproof.theory.language.binders import symbol_name
from ropeproof.theory.language.logic import conjuncts

__all__ = ["MAX_TERMS", "Guards", "Ranges", "guards_of", "ranges_at"]

Ranges = dict[str, Sequence[Fraction]]
MAX_TERMS = 20_000  # of a sum, or of the range of an integer
MAX_PLACES = 2_000  # of a bound that is any function of other integers; and cases within it


@dataclass(frozen=True)
class Guard:
    """A bound on an integer of a quantifier, with the quantifier's other variables in it."""

    name: str
    is_low: bool
    strict: bool
    other: Term
    named: tuple[str, ...]
    formula: Any

    def value(self, at: Instance) -> tuple[Fraction, bool]:
        """The first or last integer that the bound allows, and whether it is certain.

        Where an inexact bound may be an integer, that integer is included; the guard must then be
        evaluated for it.
        """
        value = self.other(at)
        sure = type(value) is Fraction
        if not sure:
            slack = CONTEXT.mul(APART, max(CONTEXT.abs(value), 1))
            value = CONTEXT.sub(value, slack) if self.is_low else CONTEXT.add(value, slack)
        if self.is_low:
            edge = floor_of(value) + 1 if self.strict else ceiling_of(value)
        else:
            edge = ceiling_of(value) - 1 if self.strict else floor_of(value)
        return edge, sure


@dataclass(frozen=True)
class Guards:
    """The names a quantifier binds, its integers that may have a range, and their bounds.

    A `still` bound contains no variable of the quantifier, a `moving` one is one of them or one plus
    a constant, a `wandering` one is any other function of its integers. `met` are the parts of the
    guard that hold wherever the ranges are exact.
    """

    bound: frozenset[str]
    integers: tuple[str, ...]
    still: tuple[Guard, ...]
    moving: tuple[Guard, ...]
    wandering: tuple[Guard, ...]
    met: frozenset[Any]

    @cached_property
    def ends(self) -> tuple[Guard, Guard] | None:
        """The lower and the upper bound of the only integer, if these two `still` ones are all."""
        if len(self.integers) > 1 or len(self.still) != 2 or self.moving or self.wandering:
            return None
        low, high = sorted(self.still, key=lambda guard: not guard.is_low)
        return (low, high) if low.is_low and not high.is_low else None


def ranges_at(guards: Guards, at: Instance) -> tuple[Ranges, bool]:
    """The ranges at the instance, and whether the guards in `met` certainly hold in them."""
    if not guards.integers:
        return {}, False
    if guards.ends is not None and (only := _from_to(*guards.ends, at)) is not None:
        return {guards.integers[0]: only}, True
    low: dict[str, Fraction] = {}
    high: dict[str, Fraction] = {}
    exact = True
    for guard in guards.still:
        try:
            edge, sure = guard.value(at)
        except KeyError:  # of a name that has no value yet
            exact = False
            continue
        exact = exact and sure
        _tighten(low, high, guard, edge)
    outside: dict[str, Any] = {}
    if guards.moving or guards.wandering:
        outside = {k: v for k, v in at.values.items() if k not in guards.bound}
    _move(guards, low, high, outside, at)
    found = _between(guards, low, high)
    if guards.wandering and len(found) < len(guards.integers):
        found = _wander(guards, low, high, outside, at, found)
    return found, exact and all(guard.name in found for guard in guards.still)


def _from_to(low: Guard, high: Guard, at: Instance) -> Sequence[Fraction] | None:
    """The integers between two bounds with exact integer values; None where they have others."""
    try:
        first, last = low.other(at), high.other(at)
    except KeyError:  # of a name that has no value yet
        return None
    if type(first) is not Fraction or type(last) is not Fraction:
        return None
    if not (first.is_integer() and last.is_integer()):
        return None
    begin, end = int(first) + low.strict, int(last) - high.strict
    if end - begin > MAX_TERMS:
        raise TooLarge("a quantifier over too long a range")
    return span(begin, end)


def _move(
    guards: Guards,
    low: dict[str, Fraction],
    high: dict[str, Fraction],
    outside: dict[str, Any],
    at: Instance,
) -> None:
    """Apply the `moving` bounds, each at the outermost value of the variable in it."""
    if not guards.moving:
        return
    lowest, highest = at.over({**outside, **low}), at.over({**outside, **high})
    for _ in guards.integers:
        for guard in guards.moving:
            side = lowest if guard.is_low else highest
            with suppress(KeyError):
                edge, _ = guard.value(side)
                side.values[guard.name] = _tighten(low, high, guard, edge)


def _wander(
    guards: Guards,
    low: dict[str, Fraction],
    high: dict[str, Fraction],
    outside: dict[str, Any],
    at: Instance,
    before: Ranges,
) -> Ranges:
    """The ranges after the `wandering` bounds are applied, or `before` if they become too long."""
    found = before
    for _ in guards.integers:
        known = len(low) + len(high)
        for guard in guards.wandering:
            edge = _outermost(guard, found, outside, at)
            if edge is not None:
                _tighten(low, high, guard, edge)
        _move(guards, low, high, outside, at)
        try:
            found = _between(guards, low, high)
        except TooLarge:
            return before
        if len(low) + len(high) == known:
            break
    return found if prod(map(len, found.values())) <= MAX_PLACES else before


def _outermost(
    guard: Guard, ranges: Ranges, outside: dict[str, Any], at: Instance
) -> Fraction | None:
    """The outermost value of a bound over all values of the integers in it.

    None unless each integer has a range, there are few values, and every value of the bound is exact.
    """
    if any(name not in ranges for name in guard.named):
        return None
    places = [ranges[name] for name in guard.named]
    if prod(map(len, places)) > MAX_PLACES:
        return None
    inner = at.over(dict(outside), scratch=True)
    edges = []
    for place in product(*places):
        inner.values.update(zip(guard.named, place, strict=True))
        try:
            edge, sure = guard.value(inner)
        except (KeyError, TooLarge):
            return None
        if not sure:
            return None
        edges.append(edge)
    return (min if guard.is_low else max)(edges, default=None)


def _between(guards: Guards, low: dict[str, Fraction], high: dict[str, Fraction]) -> Ranges:
    """The ranges of the integers that have both a lower and an upper bound."""
    found: Ranges = {}
    for name in guards.integers:
        if name in low and name in high:
            if high[name] - low[name] > MAX_TERMS:
                raise TooLarge("a quantifier over too long a range")
            found[name] = span(int(low[name]), int(high[name]))
    return found


def _tighten(
    low: dict[str, Fraction], high: dict[str, Fraction], guard: Guard, edge: Fraction
) -> Fraction:
    """Apply a bound to `low` or `high` and return the bound now in force on that side."""
    if guard.is_low:
        low[guard.name] = edge = max(low.get(guard.name, edge), edge)
    else:
        high[guard.name] = edge = min(high.get(guard.name, edge), edge)
    return edge


@lru_cache(maxsize=REMEMBERED)
def guards_of(
    variables: tuple[Any, ...], body: Any, universal: bool, bound_of: Callable[[Any, bool], Term]
) -> Guards:
    """The bounds in the body of a quantifier on the ranges of its integers.

    `bound_of` makes a function of the instance from a bound and whether it is a lower one.
    """
    bound = frozenset(symbol_name(v) for v in variables)
    integers = {v.name: v for v in variables if isinstance(v, sp.Symbol) and v.is_integer}
    kinds: tuple[list[Guard], ...] = ([], [], [])
    if not universal or isinstance(body, logic.If):
        for part in conjuncts(body.args[0] if universal else body):
            if not isinstance(part, sp.Le | sp.Lt):
                continue
            strict = isinstance(part, sp.Lt)
            for name, variable in integers.items():
                is_low = part.rhs == variable
                other = part.lhs if is_low else part.rhs
                if not (is_low or part.lhs == variable):
                    continue
                named = tuple(n for n in sorted(names_in(other)) if n in bound)
                moves = _moves_with(other, named)
                if moves or (name not in named and integers.keys() >= set(named)):
                    guard = Guard(name, is_low, strict, bound_of(other, is_low), named, part)
                    kinds[0 if not named else 1 if moves else 2].append(guard)
    still, moving, wandering = map(tuple, kinds)
    some = {guard.name for kind in kinds for guard in kind}
    ranged = tuple(name for name in integers if name in some)
    met = frozenset(guard.formula for guard in still)
    return Guards(bound, ranged, still, moving, wandering, met)


def _moves_with(other: Any, named: tuple[str, ...]) -> bool:
    """Whether a bound contains no variable of the quantifier, or is one of them plus a constant."""
    if not named or isinstance(other, sp.Symbol):
        return True
    summands = other.args if isinstance(other, sp.Add) else ()
    alone = [part for part in summands if isinstance(part, sp.Symbol) and part.name in named]
    return len(alone) == 1 and not any(
        set(named) & names_in(part).keys() for part in summands if part is not alone[0]
    )
