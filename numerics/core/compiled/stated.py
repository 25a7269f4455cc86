"""A bound as its claim states it: a named term of the claim, compiled when it is first used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from types import MappingProxyType
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import NDArray
from sympy.core.function import AppliedUndef

from ropeproof.numerics.core.compiled import floats
from ropeproof.numerics.core.compiled.balls import BALLS, balls
from ropeproof.numerics.core.compiled.code import compiled
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.theory.errors import InvalidArgument, InvalidClaim
from ropeproof.theory.language.binders import rebuilt, remade
from ropeproof.theory.rotary.precision import precision

__all__ = ["Stated", "sharp"]

_FIRST_BITS, _LAST_BITS = 192, 1 << 12
_ACCURATE = 64


@dataclass(frozen=True, eq=False)
class Stated:
    """A term of a claim as a function of named arguments.

    - `claim`: its id; only the module that states it is imported, at the first use;
    - `place`: where the term stands (`ropeproof.numerics.core.compiled.place`), from the conclusion or
      from the `hypothesis` of that name;
    - `arguments`: the name of each argument in the claim. A symbol is a number; an undefined
      function such as `A(l)` is an array of its values at 0, 1, ..., on the last axis;
    - `terms`: arguments that stand for a whole term, by its name in the claim's module or in a
      setting that this imports (a term, or a function without arguments that builds it).

    >>> Stated("slash.low-only", "above", {"lags": "T"}).float64(lags=[0, 1]).round(4).tolist()
    [1.0, 0.4519]

    The first use raises `InvalidClaim` where the claim has no such term, or one that contains
    anything else, and `Unsupported` for a construct that cannot be compiled.
    """

    claim: str
    place: str
    arguments: Mapping[str, str] = field(default_factory=dict)
    terms: Mapping[str, str] = field(default_factory=dict)
    hypothesis: str | None = None

    def __post_init__(self) -> None:
        for name in ("arguments", "terms"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    def float64(self, **arguments: Any) -> Any:
        """The term's value in float64, shape `(...)`: arguments broadcast, and sums run along axes.

        A number has shape `(...)`, a function `(..., values)`. Raises `InvalidArgument` on other
        arguments, on numbers that are not finite, and where the term is not defined.
        """
        read = {
            name: floats.array(name, arguments.get(name), n) for name, n in self._given(arguments)
        }
        shared = floats.axes([(read[name], n) for name, n in self.arity.items()])
        try:
            with np.errstate(divide="raise", invalid="raise", over="ignore", under="ignore"):
                found = self._in_floats(*(read[name] for name in self.arity), shared)
        except FloatingPointError:
            raise self._undefined(arguments) from None
        result: NDArray[np.float64] = np.asarray(found, dtype=np.float64)
        return result[()]

    def ball(self, **arguments: Any) -> Any:
        """The term's value as a ball at the precision in force; functions are sequences of values.

        Numbers are balls, exact SymPy numbers, or count as the exact values that they denote. The
        ball is not finite where the term is not known to be defined. Raises `InvalidArgument`.
        """
        read = [balls(name, arguments[name], n) for name, n in self._given(arguments)]
        return BALLS["over"](self._in_balls(*read, 0), 1)

    def enclose(self, **arguments: Any) -> Enclosure:
        """The tightest doubles around the term's value; arguments as in `ball`."""
        return sharp(lambda: self.ball(**arguments))

    @cached_property
    def term(self) -> Any:
        """The term in the names of the arguments. Raises `InvalidClaim` if the claim has none."""
        from ropeproof.numerics.core.compiled.place import named_term, spoken_of, statement, term_at

        # Under the lock of precision, which holders keep while they import: in one order, or two
        # threads could wait for each other.
        with precision(_FIRST_BITS):
            formula, module = statement(self.claim, self.hypothesis)
        for name, stands_for in self.terms.items():
            whole = named_term(module, stands_for)
            if whole is None:
                raise InvalidClaim(f"{self.claim}: its module names no term {stands_for!r}")
            formula = _replaced(formula, whole, sp.Symbol(name))
        own = {*self.arguments.values(), *self.terms}
        found = term_at(self.claim, formula, self.place, lambda part: spoken_of(part) <= own)
        if spoken_of(found) != own:
            named = ", ".join(sorted(own)) or "nothing"
            other = ", ".join(sorted(spoken_of(found) - own)) or "less"
            message = f"{self.claim}: {self.place!r} shall speak of {named} alone, and all of it; "
            raise InvalidClaim(f"{message}it speaks of {other}: {str(found)[:200]}")
        return _renamed(found, {old: new for new, old in self.arguments.items()})

    @cached_property
    def arity(self) -> dict[str, int]:
        """The names of the arguments in order, each with its number of indices: 0 for a number."""
        applied = {part.func.__name__: len(part.args) for part in self.term.atoms(AppliedUndef)}
        return {name: applied.get(name, 0) for name in (*self.arguments, *self.terms)}

    @cached_property
    def _in_floats(self) -> Callable[..., Any]:
        return compiled(self.term, list(map(sp.Symbol, self.arity)), floats.FLOATS)

    @cached_property
    def _in_balls(self) -> Callable[..., Any]:
        return compiled(self.term, list(map(sp.Symbol, self.arity)), BALLS)

    def _given(self, arguments: Mapping[str, Any]) -> list[tuple[str, int]]:
        if arguments.keys() != self.arity.keys():
            allowed = ", ".join(self.arity) or "no arguments"
            raise InvalidArgument(self.claim, ", ".join(arguments) or "nothing", allowed)
        return list(self.arity.items())

    def _undefined(self, arguments: Mapping[str, Any]) -> InvalidArgument:
        return InvalidArgument(self.claim, dict(arguments), "arguments at which it is defined")


def sharp(compute: Callable[[], Any]) -> Enclosure:
    """The doubles around the ball that `compute` returns at the precision in force.

    It is computed again with twice the precision, from 192 to 4096 bits, while the ball is wider
    than doubles show and shrinks.
    """
    bits, radius = _FIRST_BITS, None
    while True:
        with precision(bits):
            value = compute()
            zero = bool(value == 0)  # certainly: a ball about 0 is not
            wide = value.rel_accuracy_bits() < _ACCURATE and not zero
            shrinks = radius is None or not value.is_finite() or bool(2 * value.rad() <= radius)
            if not wide or not shrinks or bits >= _LAST_BITS:
                return Enclosure.of(value, value)
            radius = value.rad() if value.is_finite() else None
        bits *= 2


def _replaced(formula: Any, whole: Any, symbol: Any) -> Any:
    """The formula with a symbol substituted for a term; its connectives stay as they are."""
    if isinstance(formula, sp.Expr):
        return formula.subs(whole, symbol)
    if not formula.args or isinstance(formula, sp.Symbol):
        return formula
    return remade(formula, [_replaced(part, whole, symbol) for part in formula.args])


def _renamed(term: Any, names: Mapping[str, str]) -> Any:
    """The term with plain symbols named as the arguments, and a new symbol for each bound index."""
    numbers = count()

    def through(part: Any, within: Mapping[Any, Any]) -> Any:
        if isinstance(part, AppliedUndef):
            name = part.func.__name__
            return sp.Function(names.get(name, name))(*(through(a, within) for a in part.args))
        if isinstance(part, sp.Symbol):
            return within.get(part, sp.Symbol(names.get(part.name, part.name)))
        return rebuilt(part, within, through, numbered)

    def numbered(variables: Any, _: Any, within: Mapping[Any, Any]) -> Any:
        own = [sp.Symbol(f"index_{next(numbers)}") for _ in variables]
        return own, {**within, **dict(zip(variables, own, strict=True))}

    return through(term, {})
