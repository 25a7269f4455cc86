"""Instances of a formal statement: values for its symbols that satisfy given formulas.

Values are drawn one after another. A relation with a symbol, or a function at free arguments,
alone on one side bounds or defines it; everything else is met by rejection. What is returned
has been checked by `evaluate.truth`, so a formula asked for is never only hoped for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice, product
from operator import mul, sub, truediv
from random import Random
from typing import Any

import sympy as sp
from quicktions import Fraction

from ropeproof.proofs_check.bounds import Bound, bounds_of, free_names, parts
from ropeproof.proofs_check.evaluate import evaluate, finite_ranges, truth
from ropeproof.proofs_check.values import Instance, Number, TooLarge, as_mpf, combine

__all__ = ["Closed", "Sampler", "Table", "describe"]

_NUMBERS = [Fraction(n, d) for d in (1, 2, 3, 5, 8) for n in range(-3 * d, 3 * d + 1)]
_EXTREME = [Fraction(0), Fraction(1), Fraction(-1), Fraction(1, 1000), Fraction(20), Fraction(-20)]
DEPTH = 40
MOST_CASES = 200


@dataclass(frozen=True)
class Closed:
    """A function given by a formula in its parameters: it has a value everywhere."""

    parameters: tuple[Any, ...]
    body: Any

    def __call__(self, *arguments: Any) -> Number:
        """The value at the arguments."""
        values = zip((p.name for p in self.parameters), arguments, strict=True)
        return evaluate(self.body, Instance(dict(values)))

    def __str__(self) -> str:
        return str(self.body)


class _BeingDrawnError(Exception):
    """A value was asked for while it is being drawn."""


@dataclass(eq=False)
class Table:
    """A function symbol: drawn values, moved into the bounds that the formulas put on it."""

    name: str
    integer: bool
    random: Random
    bounds: list[Bound]
    instance: Callable[[], Instance]
    style: int
    scale: Fraction | None = None
    known: dict[tuple[Any, ...], Any] = field(default_factory=dict)
    active: set[tuple[Any, ...]] = field(default_factory=set)

    def __call__(self, *arguments: Any) -> Any:
        """The value at the arguments, drawn when it is first asked for."""
        if arguments not in self.known:
            if arguments in self.active:
                raise _BeingDrawnError
            if len(self.active) > DEPTH:
                raise TooLarge("bounds that refer to each other")
            self.active.add(arguments)
            try:
                self.known[arguments] = self._draw(arguments)
            finally:
                self.active.discard(arguments)
        value = self.known[arguments]
        return value if self.scale is None else combine(mul, value, self.scale)

    def _draw(self, arguments: tuple[Any, ...]) -> Any:
        at = self.instance()
        low: list[tuple[Any, bool]] = []
        high: list[tuple[Any, bool]] = []
        for bound in self.bounds:
            try:
                local = self._match(bound, arguments, at)
                if local is None:
                    continue
                value = evaluate(bound.other, local)
            except _BeingDrawnError:  # two values bound each other: this one comes first
                continue
            if bound.kind == "eq":
                return value
            (low if bound.kind == "low" else high).append((value, bound.strict))
        return draw_between(self.random, self.integer, low, high, self.style)

    def _match(self, bound: Bound, arguments: tuple[Any, ...], at: Instance) -> Instance | None:
        values: dict[str, Any] = {}
        for pattern, argument in zip(bound.target.args, arguments, strict=True):
            if isinstance(pattern, sp.Symbol) and pattern.name in bound.variables:
                if values.setdefault(pattern.name, argument) != argument:
                    return None
            elif variables := free_names([pattern]).keys() & bound.variables:
                solved = _solve(pattern, variables, argument, at)
                if solved is None or values.setdefault(*solved) != solved[1]:
                    return None
            elif evaluate(pattern, at) != argument:
                return None
        if bound.variables - values.keys():
            return None
        local = at.having(**values)
        return local if all(truth(g, local) is True for g in bound.guards) else None


def _solve(pattern: Any, variables: Any, argument: Any, at: Instance) -> tuple[str, Any] | None:
    """The value of the one variable at which a linear pattern equals the argument."""
    if len(variables) != 1:
        return None
    (name,) = variables
    start = evaluate(pattern, at.having(**{name: Fraction(0)}))
    slope = combine(sub, evaluate(pattern, at.having(**{name: Fraction(1)})), start)
    if slope == 0:
        return None
    value = combine(truediv, combine(sub, argument, start), slope)
    whole = isinstance(value, Fraction) and value.denominator == 1
    met = whole and evaluate(pattern, at.having(**{name: value})) == argument
    return (name, value) if met else None


def draw_between(
    random: Random,
    integer: bool,
    low: list[tuple[Any, bool]],
    high: list[tuple[Any, bool]],
    style: int = 0,
) -> Any:
    """A number in the given bounds, often at or near an end."""
    if not all(isinstance(value, Fraction) for value, _ in (*low, *high)):
        low, high = ([(as_mpf(value), strict) for value, strict in side] for side in (low, high))
    at_least = max(low, key=lambda b: (b[0], b[1]), default=None)
    at_most = min(high, key=lambda b: (b[0], not b[1]), default=None)
    if integer:
        first = None if at_least is None else _ceil(at_least[0]) + _step(at_least, up=True)
        last = None if at_most is None else _floor(at_most[0]) - _step(at_most, up=False)
        if first is None and last is None:
            return Fraction(random.choice((0, 1, 2, 3, 4, 5, -1, -2, 7)))
        if first is None or last is None:
            offset = random.choice((0, 1, 1, 2, 2, 3, 4, 6))
            return Fraction(first + offset if first is not None else (last or 0) - offset)
        return Fraction(random.randint(first, max(first, last)))
    if at_least is None and at_most is None:
        return random.choice(_EXTREME if style == 1 and random.random() < 0.5 else _NUMBERS)
    if at_least is None or at_most is None:
        gap = abs(random.choice(_NUMBERS)) if random.random() < 0.8 else random.choice(_GAPS)
        edge = at_least or at_most
        assert edge is not None
        if gap == 0 and edge[1]:
            gap = Fraction(1, 7)
        gap = gap if isinstance(edge[0], Fraction) else as_mpf(gap)
        return edge[0] + gap if at_least is not None else edge[0] - gap
    share = random.choice((0, 1, Fraction(1, 2), Fraction(1, 1000), Fraction(99, 100)))
    if random.random() < 0.5:
        share = Fraction(random.randint(0, 64), 64)
    if (share == 0 and at_least[1]) or (share == 1 and at_most[1]):
        share = Fraction(1, 3)
    share = share if isinstance(at_least[0], Fraction) else as_mpf(Fraction(share))
    return at_least[0] + (at_most[0] - at_least[0]) * share


_GAPS = [Fraction(0), Fraction(1, 1000), Fraction(1, 50), Fraction(10), Fraction(40)]


def _ceil(value: Any) -> int:
    return -int(-value // 1)


def _floor(value: Any) -> int:
    return int(value // 1)


def _step(bound: tuple[Any, bool], *, up: bool) -> int:
    rounded = _ceil(bound[0]) if up else _floor(bound[0])
    return 1 if bound[1] and rounded == bound[0] else 0


class Sampler:
    """Draws instances of the given formulas over their free names (and `also`)."""

    def __init__(self, formulas: Iterable[Any], also: Iterable[Any] = ()) -> None:
        self.formulas = tuple(formulas)
        self.names = free_names((*self.formulas, *also))
        self.bounds = [b for f in self.formulas for b in bounds_of(f)]
        self._needs = {name: self._what_it_needs(name) for name in self.names}
        named = [(p, free_names([p])) for f in self.formulas for p in parts(f)]
        self._simple = [
            (p, set(names)) for p, names in named if not any(a for _, a in names.values())
        ]

    def _what_it_needs(self, name: str) -> set[str]:
        """The names in the bounds of a symbol: it is drawn after as many of them as can be."""
        mine = [b for b in self.bounds if isinstance(b.target, sp.Symbol) and b.target.name == name]
        return {n for b in mine for n in free_names([b.other, *b.guards])} - {name}

    def draw(
        self, random: Random, tries: int = 60, given: Instance | None = None
    ) -> Instance | None:
        """One instance, or None if none was found in `tries` attempts.

        Names that have a value in `given` keep it.
        """
        for _ in range(tries):
            try:
                instance = self._attempt(random, given)
                if instance is not None and all(truth(f, instance) for f in self.formulas):
                    return instance
            except (
                TooLarge,
                _BeingDrawnError,
                KeyError,
                OverflowError,
                ValueError,
                ZeroDivisionError,
            ):
                continue
        return None

    def _attempt(self, random: Random, given: Instance | None = None) -> Instance | None:
        values: dict[str, Any] = dict(given.values) if given is not None else {}
        instance = Instance(values, _quantifier_samples(random))
        style = random.randrange(3)
        for name, (integer, arity) in self.names.items():
            if arity and name not in values:
                mine = [b for b in self.bounds if _heads(b, name)]
                values[name] = Table(name, integer, random, mine, lambda: instance, style)
        pending = [n for n, (_, arity) in self.names.items() if not arity and n not in values]
        random.shuffle(pending)
        while pending:
            name = min(pending, key=lambda n: len(self._needs[n] & set(pending)))
            pending.remove(name)
            values[name] = self._symbol(name, instance, random, style)
            drawn = values.keys()
            for part, names in self._simple:
                if name in names and names <= drawn and truth(part, instance) is False:
                    return None  # no need to draw the rest
        if given is None:
            self._normalise(instance)
        return instance

    def _symbol(self, name: str, at: Instance, random: Random, style: int) -> Any:
        low: list[tuple[Any, bool]] = []
        high: list[tuple[Any, bool]] = []
        for bound in self.bounds:
            if not isinstance(bound.target, sp.Symbol) or bound.target.name != name:
                continue
            try:
                values = list(_bound_values(bound, at))
            except (KeyError, TypeError):
                continue  # not drawn yet
            if bound.kind == "eq" and values:
                if self.names[name][0] and as_mpf(values[0]) % 1 != 0:
                    raise ValueError(f"{name} is an integer")
                return values[0]
            side = low if bound.kind == "low" else high
            side.extend((value, bound.strict) for value in values)
        return draw_between(random, self.names[name][0], low, high, style)

    def _normalise(self, at: Instance) -> None:
        """Meet `sum of f(j) = c` by scaling f; sums remembered from before then mean nothing."""
        at.sums.clear()
        for bound in self.bounds:
            if isinstance(bound.target, sp.Sum) and not bound.variables:
                table = at.values[bound.target.function.func.__name__]
                total = evaluate(bound.target, at)
                if total != 0:
                    table.scale = combine(truediv, evaluate(bound.other, at), total)
                at.sums.clear()


def _bound_values(bound: Bound, at: Instance) -> Iterator[Any]:
    """The values that bound a symbol: one, or one for each case of a finite `for all`."""
    if bound.quantifier is None:
        yield evaluate(bound.other, at)
        return
    variables, body = bound.quantifier.args
    ranges = finite_ranges(variables, body, True, at)
    if len(ranges) != len(variables):
        return
    for choice in islice(product(*ranges.values()), MOST_CASES):
        local = at.having(**dict(zip(ranges, choice, strict=True)))
        if all(truth(g, local) is True for g in bound.guards):
            yield evaluate(bound.other, local)


def _heads(bound: Bound, name: str) -> bool:
    target = bound.target
    return isinstance(target, sp.core.function.AppliedUndef) and target.func.__name__ == name


def _quantifier_samples(random: Random) -> Callable[[str, bool, int], list[Any]]:
    seed = random.random()

    def samples(name: str, integer: bool, arity: int) -> list[Any]:
        local = Random(f"{seed}{name}")
        if arity:
            table = Table(name, integer, Random(f"{seed}{name}"), [], lambda: Instance({}), 0)
            alternating = lambda *arguments: Fraction(-1) ** int(sum(arguments))  # noqa: E731
            return [table, alternating, lambda *_: Fraction(0)]
        return [draw_between(local, integer, [], []) for _ in range(4)]

    return samples


def describe(instance: Instance, names: Mapping[str, tuple[bool, int]]) -> dict[str, str]:
    """The instance as text, functions by the values they were asked for."""
    shown: dict[str, str] = {}
    for name in sorted(names):
        value = instance.values.get(name)
        if isinstance(value, Closed):
            parameters = ", ".join(p.name for p in value.parameters)
            shown[f"{name}({parameters})"] = str(value.body)
        elif isinstance(value, Table):
            for arguments in sorted(value.known, key=str)[:12]:
                label = f"{name}({', '.join(_show(a) for a in arguments)})"
                shown[label] = _show(value(*arguments))
        elif value is not None and not callable(value):
            shown[name] = _show(value)
    return shown


def _show(value: Any) -> str:
    return str(value) if isinstance(value, Fraction) else sp.Float(str(value), 17).__str__()
