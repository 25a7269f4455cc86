"""Instances of a formal statement: values for its symbols that satisfy given formulas.

Values are drawn one after another. A relation with a symbol, or a function at free arguments,
alone on one side bounds or defines it; every other formula is satisfied by rejection. Each returned
instance has been checked by `evaluate.truth`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, reduce
from itertools import islice, product
from random import Random
from typing import Any
from weakref import ref

import gmpy2
import sympy as sp

from ropeproof.proofs_check.semantics.bounds import Bound, bounds_of, free_names, names_in
from ropeproof.proofs_check.semantics.evaluate import (
    Judge,
    finite_ranges,
    judge_of,
    value_of,
    wanted_of,
)
from ropeproof.proofs_check.semantics.tables import (
    BeingDrawnError,
    BoundReader,
    Closed,
    Edge,
    FunctionTable,
    draw_between,
)
from ropeproof.proofs_check.semantics.values import CONTEXT, Fraction, Instance, TooLarge, floor_of
from ropeproof.theory.language.logic import conjuncts

__all__ = ["Closed", "FunctionTable", "Sampler", "describe"]

MOST_CASES = 200
ORDERS = 16
"""The number of orders in which a sampler draws its symbols if no values are given."""


class _SymbolBound:
    """A bound on a symbol, compiled so that its values at an instance can be read off."""

    def __init__(self, bound: Bound) -> None:
        self.kind, self.strict, self._quantifier = bound.kind, bound.strict, bound.quantifier
        self._other = value_of(bound.other)
        self._guards = [judge_of(guard) for guard in bound.guards]

    def values(self, at: Instance) -> list[Any]:
        """The values that bound the symbol: one, or one for each case of a finite `for all`."""
        if self._quantifier is None:
            return [self._other(at)]
        variables, body = self._quantifier.args
        ranges = finite_ranges(variables, body, True, at)
        if len(ranges) != len(variables):
            return []
        found = []
        values = dict(at.values)
        local = at.over(values, scratch=True)
        for choice in islice(product(*ranges.values()), MOST_CASES):
            values.update(zip(ranges, choice, strict=True))
            if all(guard(local) is True for guard in self._guards):
                found.append(self._other(local))
        return found


@lru_cache(maxsize=10_000)
def _bounds(formula: Any) -> tuple[Bound, ...]:
    return tuple(bounds_of(formula))


@lru_cache(maxsize=10_000)
def _reader(bound: Bound) -> BoundReader:
    return BoundReader(bound)


@lru_cache(maxsize=10_000)
def _symbol_bound(bound: Bound) -> _SymbolBound:
    return _SymbolBound(bound)


_Turn = tuple[str, bool, list[_SymbolBound], list[Judge]]
"""A symbol to draw, whether it is an integer, its bounds, and the formulas then decidable."""


def _value(
    integer: bool, bounds: Sequence[_SymbolBound], at: Instance, random: Random, style: int
) -> Any:
    """A value for a symbol within those of its bounds that can be evaluated already."""
    low: list[Edge] = []
    high: list[Edge] = []
    for bound in bounds:
        try:
            values = bound.values(at)
        except (KeyError, TypeError):
            continue  # not drawn yet
        if bound.kind == "eq" and values:
            if integer and floor_of(values[0]) != values[0]:
                raise ValueError("an integer with a value that is none")
            return values[0]
        side = low if bound.kind == "low" else high
        for value in values:
            side.append((value, bound.strict))
    return draw_between(random, integer, low, high, style)


class Sampler:
    """Draws instances that satisfy formulas, with values for their free names and for `also`."""

    def __init__(self, formulas: Iterable[Any], also: Iterable[Any] = ()) -> None:
        self.formulas = tuple(formulas)
        self.names = free_names((*self.formulas, *also))
        self._bounds = [b for f in self.formulas for b in _bounds(f)]
        self._of_symbol: dict[str, list[_SymbolBound]] = {name: [] for name in self.names}
        self._of_table: dict[str, list[BoundReader]] = {name: [] for name in self.names}
        self._needs: dict[str, set[str]] = {name: set() for name in self.names}
        for bound in self._bounds:
            target = bound.target
            if isinstance(target, sp.Symbol):
                self._of_symbol[target.name].append(_symbol_bound(bound))
                needed = {n for f in (bound.other, *bound.guards) for n in names_in(f)}
                self._needs[target.name] |= needed - {target.name}
            elif isinstance(target, sp.core.function.AppliedUndef):
                name = target.func.__name__
                if name in self._of_table:
                    self._of_table[name].append(_reader(bound))
        self._users: dict[str, list[str]] = {name: [] for name in self.names}
        for name, needed in self._needs.items():
            for other in needed & self._users.keys():
                self._users[other].append(name)
        self._sums = [b for b in self._bounds if isinstance(b.target, sp.Sum) and not b.variables]
        self._simple: dict[str, list[tuple[Judge, frozenset[str]]]] = {}
        self._judges: list[tuple[Judge, bool]] = []  # and whether parts are judged before
        for formula in self.formulas:
            before = True
            for part in conjuncts(formula):
                names = names_in(part)
                if any(arity for _, arity in names.values()):
                    before = False
                    continue
                for name in names:
                    self._simple.setdefault(name, []).append((judge_of(part), frozenset(names)))
                before = before and bool(names)
            self._judges.append((wanted_of(formula), before))
        self._symbols = [n for n, (_, arity) in self.names.items() if not arity]
        self._orders: list[list[_Turn]] = []  # in which they were drawn so far
        self._left: tuple[Random, Instance, dict[str, FunctionTable]] | None = (
            None  # of a vain attempt
        )

    def draw(
        self, random: Random, tries: int = 60, given: Instance | None = None
    ) -> Instance | None:
        """One instance, or None if none was found in `tries` attempts.

        Names with a value in `given` keep it.
        """
        for _ in range(tries):
            try:
                instance, sure = self._attempt(random, given)
                if instance is not None and self._accepts(instance, sure):
                    self._left = None
                    return instance
            except (
                TooLarge,
                BeingDrawnError,
                KeyError,
                OverflowError,
                ValueError,
                ZeroDivisionError,
                gmpy2.OverflowResultError,
            ):
                continue
        return None

    def _accepts(self, instance: Instance, sure: bool) -> bool:
        """Whether all formulas hold. A formula that fails is checked first at the next attempt."""
        for place, (judge, before) in enumerate(self._judges):
            verdict = None
            try:
                verdict = (before and sure) or judge(instance)
            finally:
                if not verdict and place:
                    self._judges.insert(0, self._judges.pop(place))
            if not verdict:
                return False
        return True

    def _attempt(self, random: Random, given: Instance | None) -> tuple[Instance | None, bool]:
        """An instance or None, and whether relations between symbols alone certainly hold there."""
        instance, style = self._blank(random, given)
        values = instance.values
        sure = given is None
        for name, integer, bounds, judges in self._turns(random, given):
            values[name] = _value(integer, bounds, instance, random, style)
            for judge in judges:
                verdict = judge(instance)
                if verdict is False:
                    return None, False  # no need to draw the rest
                sure = sure and verdict is True
        if given is None and self._sums:
            self._normalise(instance)
        return instance, sure

    def _turns(self, random: Random, given: Instance | None) -> list[_Turn]:
        """An order in which to draw the symbols; without given values, one of up to `ORDERS`."""
        if given is not None:
            return self._order(random, given.values.keys())
        chosen = int(random.random() * ORDERS)
        if chosen >= len(self._orders):
            self._orders.append(self._order(random, frozenset()))
            return self._orders[-1]
        return self._orders[chosen]

    def _order(self, random: Random, given: Collection[str]) -> list[_Turn]:
        """The symbols not given, each after as many of the names in its bounds as possible.

        Each comes with the relations between symbols alone that can be judged once it is drawn.
        """
        pending = [n for n in self._symbols if n not in given]
        random.shuffle(pending)
        waits = {n: len(self._needs[n].intersection(pending)) for n in pending}
        drawn, turns = set(given), []
        while pending:
            name = min(pending, key=waits.__getitem__)
            pending.remove(name)
            drawn.add(name)
            for user in self._users[name]:
                if user in waits:
                    waits[user] -= 1
            judges = [judge for judge, names in self._simple.get(name, ()) if names <= drawn]
            turns.append((name, self.names[name][0], self._of_symbol[name], judges))
        return turns

    def _blank(self, random: Random, given: Instance | None) -> tuple[Instance, int]:
        """An instance whose functions are tables without entries, and their style.

        Most attempts fail, and most of those early: an attempt reuses the instance of the failed one
        before it, which has not been returned to anybody.
        """
        samples = _quantifier_samples(random)
        style = random.randrange(3)
        if given is None and self._left is not None and self._left[0] is random:
            _, instance, tables = self._left
            for table in tables.values():
                table.begin_anew(style)
            instance.values, instance.samples = dict(tables), samples
            instance.sums.clear()
            return instance, style
        instance = Instance({}, samples)
        if given is not None:  # what was added up of its values alone is the same here
            instance.sums = given.sums
            instance.origin = given
        values = instance.values = dict(given.values) if given is not None else {}
        for name, (integer, arity) in self.names.items():
            if arity and name not in values:
                mine = self._of_table[name]
                values[name] = FunctionTable(name, integer, random, mine, ref(instance), style)
        if given is None:
            self._left = random, instance, dict(values)
        return instance, style

    def _normalise(self, at: Instance) -> None:
        """Satisfy `sum of f(j) = c` by scaling f, and forget the cached sums, now wrong."""
        for bound in self._sums:
            table = at.values[bound.target.function.func.__name__]
            total = value_of(bound.target)(at)
            if total != 0:
                table.scale = CONTEXT.div(value_of(bound.other)(at), total)
                table.scaled.clear()
                at.sums.clear()


def _quantifier_samples(random: Random) -> Callable[[str, bool, int], list[Any]]:
    seed = random.random()
    numbers: dict[tuple[str, bool], list[Any]] = {}

    def samples(name: str, integer: bool, arity: int) -> list[Any]:
        if arity:
            table = FunctionTable(
                name, integer, Random(f"{seed}{name}"), [], lambda: Instance({}), 0
            )
            return [table, _alternating, lambda *_: Fraction(0)]
        if (name, integer) not in numbers:
            local = Random(f"{seed}{name}")
            numbers[name, integer] = [draw_between(local, integer, [], []) for _ in range(4)]
        return numbers[name, integer]

    return samples


def _alternating(*arguments: Any) -> Fraction:
    return Fraction(-1 if int(reduce(CONTEXT.add, arguments)) % 2 else 1)


def describe(instance: Instance, names: Mapping[str, tuple[bool, int]]) -> dict[str, str]:
    """The instance as text, with functions shown by the values that were requested."""
    shown: dict[str, str] = {}
    for name in sorted(names):
        value = instance.values.get(name)
        if isinstance(value, Closed):
            parameters = ", ".join(p.name for p in value.parameters)
            shown[f"{name}({parameters})"] = str(value.body)
        elif hasattr(value, "known"):  # a table, or what follows equations from one
            for arguments in sorted(value.known, key=str)[:12]:
                label = f"{name}({', '.join(_show(a) for a in arguments)})"
                with suppress(TooLarge):
                    shown[label] = _show(value(*arguments))
        elif value is not None and not callable(value):
            shown[name] = _show(value)
    return shown


def _show(value: Any) -> str:
    return str(value) if isinstance(value, Fraction) else sp.Float(str(value), 17).__str__()
