"""Values that equations define, evaluated through the equations as fractions or balls.

The value of a defined name in an instance is rounded, and a recursion may amplify the rounding. Here
the instance's free values are read as the exact numbers they are, and every defined value is
enclosed from them by its equation. So the enclosed numbers satisfy the equations, and whatever is
decided for their balls holds for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from ropeproof.proofs_check.semantics.bounds import names_in
from ropeproof.proofs_check.semantics.evaluate.enclosing import (
    UNDECIDED,
    Value,
    exactly,
    judge_of,
    value_of,
)
from ropeproof.proofs_check.semantics.recursion import RecursiveEquation, definitions, matched
from ropeproof.proofs_check.semantics.tables import Closed, FunctionTable
from ropeproof.proofs_check.semantics.values import Fraction, Instance, TooLarge
from ropeproof.theory.language.logic import conjuncts

__all__ = ["DefinedParts", "Followed", "meaning_of"]

MOST_NESTED = 40
"""The largest depth of recursive definitions that wait for each other, as in `tables`."""
MOST_FOLLOWED = 5_000
"""The largest number of values of one function that are computed from its equations."""


@dataclass(frozen=True, eq=False)
class DefinedParts:
    """The definitions among the equations of some formulas, and the parts of all the formulas.

    `symbols` maps an equation to the symbol and the term that defines it, in an order in which no
    term depends on a later one; `functions` maps a formula to its recursive equations. No name is
    defined in terms of itself, except by recursion.
    """

    parts: tuple[Any, ...]
    symbols: Mapping[Any, tuple[str, Any]]
    functions: Mapping[Any, tuple[RecursiveEquation, ...]]

    def holds_by_definition(self, part: Any, at: Instance) -> bool:
        """Whether the part is a definition that `at_instance` satisfies by construction."""
        return part in self.symbols or self._in_use(part, at)

    def _in_use(self, formula: Any, at: Instance) -> bool:
        """Whether the functions that the formula defines take their values from its equations.

        That is so for functions given by tables, not for closed forms.
        """
        equations = self.functions.get(formula, ())
        return bool(equations) and all(
            isinstance(at.values.get(d.name), FunctionTable) for d in equations
        )

    def at_instance(self, at: Instance) -> Instance:
        """The instance with every defined value computed by its equation, at the working precision.

        A symbol whose term cannot be enclosed is left without a value.
        """
        used = [f for f in self.functions if self._in_use(f, at)]
        if not used and not self.symbols:
            return at
        local = at.over(dict(at.values))
        local.sums = {}
        by_name: dict[str, list[RecursiveEquation]] = {}
        for formula in used:
            for equation in self.functions[formula]:
                by_name.setdefault(equation.name, []).append(equation)
        nested: list[Any] = []
        for name, equations in by_name.items():
            closed = _closed(equations)
            local.values[name] = closed or Followed(at.values[name], equations, local, nested)
        for name, _ in self.symbols.values():
            local.values.pop(name, None)
        for name, term in self.symbols.values():
            try:
                local.values[name] = value_of(term)(local)
            except UNDECIDED:
                continue
        return local


class Followed:
    """A function evaluated through its recursive equations from a table's free values."""

    def __init__(
        self,
        table: FunctionTable,
        equations: Iterable[RecursiveEquation],
        at: Instance,
        nested: list[Any],
    ) -> None:
        self.table, self._at, self._nested = table, at, nested
        self._equations = [
            (d, None if d.guard is None else judge_of(d.guard), value_of(d.value))
            for d in equations
        ]
        self._known: dict[tuple[Any, ...], Value | None] = {}

    @property
    def known(self) -> list[tuple[Any, ...]]:
        """The arguments at which a value has been requested."""
        return list({**dict.fromkeys(self.table.known), **dict.fromkeys(self._known)})

    def __call__(self, *arguments: Any) -> Value:
        """The value at exact arguments. Raises `TooLarge` where it is not enclosed."""
        if arguments not in self._known:
            if len(self._nested) >= MOST_NESTED or len(self._known) >= MOST_FOLLOWED:
                raise TooLarge("a recursion that goes too deep")
            self._nested.append(arguments)
            self._known[arguments] = None  # what is not enclosed once is not tried again
            try:
                self._known[arguments] = self._value(arguments)
            finally:
                self._nested.pop()
        found = self._known[arguments]
        if found is None:
            raise TooLarge("a value that is not enclosed")
        return found

    def _value(self, arguments: tuple[Any, ...]) -> Value:
        for equation, guard, value in self._equations:
            values = matched(equation, arguments)
            if values is None or any(v.denominator != 1 for v in values.values()):
                continue
            local = self._at.having(**values)
            applies = True if guard is None else guard(local)
            if applies is None:
                raise TooLarge("an equation whose guard is undecided")
            if applies:
                found = value(local)
                if self.table.integer and (type(found) is not Fraction or found.denominator != 1):
                    raise TooLarge("an integer with a value that may be none")
                return found
        return exactly(self.table(*arguments))


def meaning_of(formulas: Iterable[Any]) -> DefinedParts:
    """The definitions among the equations of the formulas."""
    return _meaning(tuple(formulas))


def _closed(equations: list[RecursiveEquation]) -> Closed | None:
    """The function whose only equation gives it by a formula in its arguments, at all integers."""
    if len(equations) != 1:
        return None
    (only,) = equations
    parameters = only.target.args
    everywhere = (
        only.guard is None
        and only.start is None
        and set(parameters) <= {p for p in parameters if isinstance(p, sp.Symbol)}
    )
    if not everywhere or only.value.atoms(AppliedUndef):
        return None
    if not only.value.free_symbols <= set(parameters):
        return None
    return Closed(tuple(parameters), only.value, bool(only.target.is_integer))


@lru_cache(maxsize=1_000)
def _meaning(formulas: tuple[Any, ...]) -> DefinedParts:
    every = tuple(dict.fromkeys(part for formula in formulas for part in conjuncts(formula)))
    functions = {f: tuple(each) for f, each in definitions(every).items()}
    rests: dict[str, set[str]] = {}
    for equation in (d for each in functions.values() for d in each):
        bound = equation.variables
        named = {
            *names_in(equation.value),
            *names_in(sp.true if equation.guard is None else equation.guard),
        }
        rests.setdefault(equation.name, set()).update(named - bound)
    symbols: dict[Any, tuple[str, Any]] = {}
    # Equations that can be read in one way only come first: the others then have the choice.
    for part in sorted(every, key=lambda part: len(_sides(part))):
        for name, term in _sides(part):
            named = set(names_in(term))
            if name not in rests and name not in _reached(named, rests):
                symbols[part] = name, term
                rests[name] = named
                break
    return DefinedParts(every, _in_order(symbols, rests), functions)


def _sides(formula: Any) -> list[tuple[str, Any]]:
    """Each symbol alone on one side of an equation, with the other side if that lacks it.

    A symbol for an integer has an exact value: nothing is gained by defining it.
    """
    if not isinstance(formula, sp.Eq):
        return []
    return [
        (str(side.name), other)
        for side, other in (formula.args, formula.args[::-1])
        if isinstance(side, sp.Symbol) and not side.is_integer and side not in other.free_symbols
    ]


def _reached(names: Iterable[str], rests: Mapping[str, set[str]]) -> set[str]:
    """All names on which the values of the given names depend, including the given names."""
    found: set[str] = set()
    left = list(names)
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += rests.get(name, ())
    return found


def _in_order(
    symbols: Mapping[Any, tuple[str, Any]], rests: Mapping[str, set[str]]
) -> dict[Any, tuple[str, Any]]:
    """The definitions of symbols, sorted so that each follows those on which it depends."""
    size = {name: len(_reached([name], rests)) for name, _ in symbols.values()}
    return dict(sorted(symbols.items(), key=lambda item: size[item[1][0]]))
