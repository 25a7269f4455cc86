"""The finite ranges that the guard of a quantifier puts on its integers."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy as sp

from ropeproof.proofs_check.evaluate.terms import MAX_TERMS, REMEMBERED, Term, names_of, value_of
from ropeproof.proofs_check.values import Fraction, Instance, TooLarge, ceiling_of, floor_of, span
from ropeproof.theory import logic

__all__ = ["Guards", "conjuncts", "finite_ranges", "guards_of", "name_of", "ranges_at"]

Ranges = dict[str, Sequence[Fraction]]


@dataclass(frozen=True)
class Guard:
    """A bound on an integer of the quantifier; `moves` with another of its variables."""

    name: str
    is_low: bool
    strict: bool
    other: Term
    moves: bool
    formula: Any

    def value(self, at: Instance) -> tuple[Fraction, bool]:
        """The first or last integer that it allows, and whether that is beyond doubt."""
        value = self.other(at)
        if self.is_low:
            edge = floor_of(value) + 1 if self.strict else ceiling_of(value)
        else:
            edge = ceiling_of(value) - 1 if self.strict else floor_of(value)
        return edge, type(value) is Fraction


@dataclass(frozen=True)
class Guards:
    """The names a quantifier binds, its integers that may have a range, and their bounds.

    `met` are the parts of the guard that hold wherever the ranges are exact.
    """

    bound: frozenset[str]
    integers: tuple[str, ...]
    still: tuple[Guard, ...]
    moving: tuple[Guard, ...]
    met: frozenset[Any]


def finite_ranges(variables: Any, body: Any, universal: bool, at: Instance) -> Ranges:
    """The integers between the bounds that the quantifier's guard puts on its variables.

    A bound that is another variable, or that plus a constant, counts with that variable's own
    outermost bound. Any other bound that names a variable of the quantifier is left out.
    """
    return ranges_at(guards_of(tuple(variables), body, universal), at)[0]


def ranges_at(guards: Guards, at: Instance) -> tuple[Ranges, bool]:
    """The ranges at the instance, and whether the guards in `met` certainly hold in them."""
    if not (guards.still or guards.moving):
        return {}, False
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
    if guards.moving:
        outside = {k: v for k, v in at.values.items() if k not in guards.bound}
        lowest, highest = at.over({**outside, **low}), at.over({**outside, **high})
        for _ in guards.integers:
            for guard in guards.moving:
                side = lowest if guard.is_low else highest
                with suppress(KeyError):
                    edge, _ = guard.value(side)
                    side.values[guard.name] = _tighten(low, high, guard, edge)
    found: Ranges = {}
    for name in guards.integers:
        if name in low and name in high:
            if high[name] - low[name] > MAX_TERMS:
                raise TooLarge("a quantifier over too long a range")
            found[name] = span(int(low[name]), int(high[name]))
        else:
            exact = False
    return found, exact


def _tighten(
    low: dict[str, Fraction], high: dict[str, Fraction], guard: Guard, edge: Fraction
) -> Fraction:
    """Count a bound in; returns what is now the outermost on its side."""
    if guard.is_low:
        low[guard.name] = edge = max(low.get(guard.name, edge), edge)
    else:
        high[guard.name] = edge = min(high.get(guard.name, edge), edge)
    return edge


@lru_cache(maxsize=REMEMBERED)
def guards_of(variables: tuple[Any, ...], body: Any, universal: bool) -> Guards:
    """What the body of a quantifier says of the ranges of its integers."""
    bound = frozenset(name_of(v) for v in variables)
    integers = {v.name: v for v in variables if isinstance(v, sp.Symbol) and v.is_integer}
    found: list[Guard] = []
    if not universal or isinstance(body, logic.If):
        for part in conjuncts(body.args[0] if universal else body):
            if not isinstance(part, sp.Le | sp.Lt):
                continue
            strict = isinstance(part, sp.Lt)
            for name, variable in integers.items():
                is_low = part.rhs == variable
                other = part.lhs if is_low else part.rhs
                if (is_low or part.lhs == variable) and _moves_with(other, bound):
                    moves = bool(bound & set(names_of(other)))
                    found.append(Guard(name, is_low, strict, value_of(other), moves, part))
    named = tuple(name for name in integers if any(g.name == name for g in found))
    still = tuple(g for g in found if not g.moves)
    moving = tuple(g for g in found if g.moves)
    return Guards(bound, named, still, moving, frozenset(g.formula for g in still))


def _moves_with(other: Any, bound: frozenset[str]) -> bool:
    """Whether a bound names no variable of the quantifier, or is one of them plus a constant."""
    named = bound & set(names_of(other))
    if not named or isinstance(other, sp.Symbol):
        return True
    summands = other.args if isinstance(other, sp.Add) else ()
    alone = [part for part in summands if isinstance(part, sp.Symbol) and part.name in named]
    return len(alone) == 1 and not any(
        bound & set(names_of(part)) for part in summands if part is not alone[0]
    )


def conjuncts(formula: Any) -> list[Any]:
    """The parts of a conjunction, or the formula itself."""
    if isinstance(formula, logic.Both | sp.And):
        return [p for part in formula.args for p in conjuncts(part)]
    return [formula]


def name_of(variable: Any) -> str:
    """The name of a quantified symbol or function."""
    symbol = isinstance(variable, sp.Symbol)
    return variable.name if symbol else variable.func.__name__  # type: ignore[no-any-return]
