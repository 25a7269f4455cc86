"""Functions of an instance: closed forms, and tables whose values are drawn on first use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

import sympy as sp

from ropeproof.proofs_check.semantics.bounds import Bound, names_in
from ropeproof.proofs_check.semantics.evaluate import evaluate, judge_of, value_of
from ropeproof.proofs_check.semantics.values import (
    CONTEXT,
    ZERO,
    Fraction,
    Instance,
    Number,
    TooLarge,
    ceiling_of,
    floor_of,
    of_integers,
    times,
    whole,
)

__all__ = ["BeingDrawnError", "BoundReader", "Closed", "Edge", "FunctionTable", "draw_between"]

_NUMBERS = [Fraction(n, d) for d in (1, 2, 3, 5, 8) for n in range(-3 * d, 3 * d + 1)]
_SIZES = [abs(number) for number in _NUMBERS]
_EXTREME = [Fraction(0), Fraction(1), Fraction(-1), Fraction(1, 1000), Fraction(20), Fraction(-20)]
_GAPS = [Fraction(0), Fraction(1, 1000), Fraction(1, 50), Fraction(10), Fraction(40)]
_SMALL = [Fraction(n) for n in (0, 1, 2, 3, 4, 5, -1, -2, 7)]
_OFFSETS = (0, 1, 1, 2, 2, 3, 4, 6)
_SHARES = [Fraction(0), Fraction(1), Fraction(1, 2), Fraction(1, 1000), Fraction(99, 100)]
_SIXTY_FOURTHS = [Fraction(n, 64) for n in range(65)]
_THIRD, _SEVENTH = Fraction(1, 3), Fraction(1, 7)
DEPTH = 40

Edge = tuple[Number, bool]
"""An end of an interval, and whether it is excluded."""


@dataclass(frozen=True)
class Closed:
    """A function given by a formula in its parameters, so that it has a value everywhere.

    With `integer` it has no value where the formula does not give an integer.
    """

    parameters: tuple[Any, ...]
    body: Any
    integer: bool = False

    def __call__(self, *arguments: Any) -> Number:
        """The value at the arguments.

        Raises `TooLarge` if the function is `integer` and the value is not an integer.
        """
        values = zip((p.name for p in self.parameters), arguments, strict=True)
        value = evaluate(self.body, Instance(dict(values)))
        return of_integers(value) if self.integer else value

    def __str__(self) -> str:
        return str(self.body)


class BeingDrawnError(Exception):
    """Raised where a function value is requested while it is being drawn."""


class BoundReader:
    """A bound on a function at free arguments, compiled to be read at given arguments."""

    def __init__(self, bound: Bound) -> None:
        self.kind, self.strict = bound.kind, bound.strict
        self._variables = bound.variables
        self._arguments = [self._read(pattern) for pattern in bound.target.args]
        self._guards = [judge_of(guard) for guard in bound.guards]
        self._other = value_of(bound.other)
        # Where every argument is a variable of its own, nothing has to be solved for.
        own = tuple(p.name for p in bound.target.args if isinstance(p, sp.Symbol))
        plain = len(set(own)) == len(bound.target.args) and set(own) == set(self._variables)
        self._plain = own if plain else None

    def value(self, arguments: tuple[Any, ...], at: Instance) -> Number | None:
        """The bound on the value at the arguments; None if it does not concern them.

        While it is read the instance has the values of the bound's variables, and afterwards those it
        had before. A bound that is read meanwhile sets its own variables.
        """
        values = at.values
        if self._plain is not None:
            found = dict(zip(self._plain, arguments))  # noqa: B905  # the lengths are the same
        elif (solved := self._solved(arguments, at)) is not None:
            found = solved
        else:
            return None
        before = {name: values[name] for name in found if name in values}
        values.update(found)
        try:
            for guard in self._guards:
                if guard(at) is not True:
                    return None
            return self._other(at)
        finally:
            for name in found:
                del values[name]
            values.update(before)

    def _solved(self, arguments: tuple[Any, ...], at: Instance) -> dict[str, Any] | None:
        """The values of the variables at which the target has these arguments; None without any."""
        found: dict[str, Any] = {}
        for (name, solved), argument in zip(self._arguments, arguments, strict=True):
            value = solved(argument, at)
            if value is None or (name and found.setdefault(name, value) != value):
                return None
        return found if len(found) == len(self._variables) else None

    def _read(self, pattern: Any) -> tuple[str, Callable[[Any, Instance], Any]]:
        """The variable in an argument pattern ("" if none), and a solver for its value."""
        names = names_in(pattern).keys() & self._variables
        if isinstance(pattern, sp.Symbol) and names:
            return pattern.name, lambda argument, at: argument
        if not names:
            value = value_of(pattern)
            return "", lambda argument, at: value(at) == argument or None
        (name, *others) = names
        return name, _no_value if others else _solution(pattern, name)


def _no_value(argument: Any, at: Instance) -> None:
    """The solver of an argument pattern with more than one variable: None, for no value."""


def _solution(pattern: Any, name: str) -> Callable[[Any, Instance], Any]:
    """A solver for the integer at which a linear pattern in one variable equals the argument."""
    value = value_of(pattern)
    factors = _affine(pattern, name)

    def solved(argument: Any, at: Instance) -> Any:
        values = dict(at.values)
        local = at.over(values)
        values[name] = ZERO
        start = value(local)
        values[name] = whole(1)
        found = _root(argument, CONTEXT.sub(value(local), start), start)
        if found is None:
            return None
        values[name] = found
        return found if value(local) == argument else None

    return solved if factors is None else lambda argument, at: _root(argument, *factors)


def _root(argument: Any, slope: Any, start: Any) -> Any:
    """The integer at which the line `start + slope x` has the value `argument`, else None."""
    if slope == 0:
        return None
    found = CONTEXT.div(CONTEXT.sub(argument, start), slope)
    return found if type(found) is Fraction and found.denominator == 1 else None


@cache
def _affine(pattern: Any, name: str) -> tuple[Fraction, Fraction] | None:
    """Slope and value at 0 of a pattern linear in its only symbol, with rational constants."""
    (symbol,) = pattern.free_symbols if len(pattern.free_symbols) == 1 else (None,)
    if symbol is None or symbol.name != name or not pattern.is_polynomial(symbol):
        return None
    coefficients = sp.Poly(pattern, symbol).all_coeffs()
    if len(coefficients) > 2 or not all(c.is_Rational for c in coefficients):
        return None
    slope, start = ([0, 0, *coefficients])[-2:]
    return Fraction(int(slope.p), int(slope.q)), Fraction(int(start.p), int(start.q))


@dataclass(eq=False, slots=True)
class FunctionTable:
    """A function symbol as a table of drawn values, which respect the bounds of the formulas."""

    name: str
    integer: bool
    random: Random
    bounds: Sequence[BoundReader]
    instance: Callable[[], Instance | None]
    style: int
    scale: Fraction | None = None
    known: dict[tuple[Any, ...], Any] = field(default_factory=dict)
    active: set[tuple[Any, ...]] = field(default_factory=set)
    scaled: dict[tuple[Any, ...], Any] = field(default_factory=dict)

    def __call__(self, *arguments: Any) -> Any:
        """The value at the arguments, drawn on first use.

        Raises `TooLarge` where a bound or an equation gives an integer function another number.
        """
        if self.scale is not None and (found := self.scaled.get(arguments)) is not None:
            return found
        value = self.known.get(arguments)
        if value is None:
            value = self._new(arguments)
        if self.scale is not None:  # drawing a value sets none, but a value drawn is to be scaled
            value = self.scaled[arguments] = times(value, self.scale)
        return of_integers(value) if self.integer else value

    def begin_anew(self, style: int) -> None:
        """Clear all drawn values and set the style of the next ones."""
        self.style = style
        if self.known:
            self.known.clear()
            self.scaled.clear()
        self.scale = None

    def _new(self, arguments: tuple[Any, ...]) -> Any:
        if arguments in self.active:
            raise BeingDrawnError
        if len(self.active) > DEPTH:
            raise TooLarge("bounds that refer to each other")
        self.active.add(arguments)
        try:
            value = self.known[arguments] = self._draw(arguments)
        finally:
            self.active.discard(arguments)
        return value

    def _draw(self, arguments: tuple[Any, ...]) -> Any:
        at = self.instance()
        assert at is not None, "a function is drawn at an instance that is there"
        low: list[Edge] = []
        high: list[Edge] = []
        for bound in self.bounds:
            try:
                value = bound.value(arguments, at)
            except BeingDrawnError:  # two values bound each other: this one comes first
                continue
            if value is None:
                continue
            if bound.kind == "eq":
                return value
            (low if bound.kind == "low" else high).append((value, bound.strict))
        return draw_between(self.random, self.integer, low, high, self.style)


def draw_between(
    random: Random, integer: bool, low: Sequence[Edge], high: Sequence[Edge], style: int = 0
) -> Any:
    """A random number within the given bounds, often at or near an end."""
    at_least = _innermost(low, max) if low else None
    at_most = _innermost(high, min) if high else None
    if integer:
        first = None if at_least is None else _first(at_least)
        last = None if at_most is None else _last(at_most)
        if first is None and last is None:
            return _one_of(random, _SMALL)
        if first is None or last is None:
            offset = _one_of(random, _OFFSETS)
            return Fraction(first + offset if first is not None else (last or 0) - offset)
        return Fraction(first if last <= first else random.randrange(first, last + 1))
    if at_least is None and at_most is None:
        return _one_of(random, _EXTREME if style == 1 and random.random() < 0.5 else _NUMBERS)
    if at_least is None or at_most is None:
        gap = _one_of(random, _SIZES if random.random() < 0.8 else _GAPS)
        edge = at_least or at_most
        assert edge is not None
        if edge[1] and not gap:
            gap = _SEVENTH
        return CONTEXT.add(edge[0], gap) if at_least is not None else CONTEXT.sub(edge[0], gap)
    share = _one_of(random, _SIXTY_FOURTHS if random.random() < 0.5 else _SHARES)
    if (at_least[1] and not share) or (at_most[1] and share == 1):
        share = _THIRD
    width = CONTEXT.sub(at_most[0], at_least[0])
    return CONTEXT.add(at_least[0], CONTEXT.mul(width, share))


def _one_of(random: Random, options: Sequence[Any]) -> Any:
    """One of the options at random, four times as fast as `random.choice`."""
    return options[int(random.random() * len(options))]


def _innermost(edges: Sequence[Edge], which: Callable[..., Any]) -> Edge:
    """The greatest lower end (`max`) or least upper end (`min`); a strict one wins among equals."""
    if len(edges) == 1:
        return edges[0]
    found: Edge = which(edges, key=lambda edge: (edge[0], edge[1] is (which is max)))
    return found


def _first(edge: Edge) -> int:
    """The least integer at or above a lower end, above it if the end is strict."""
    value, strict = edge
    rounded = int(ceiling_of(value))
    return rounded + 1 if strict and rounded == value else rounded


def _last(edge: Edge) -> int:
    """The greatest integer at or below an upper end, below it if the end is strict."""
    value, strict = edge
    rounded = int(floor_of(value))
    return rounded - 1 if strict and rounded == value else rounded
