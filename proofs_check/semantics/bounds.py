"""Which names occur free in a formula, and which of its relations bound or define a name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from ropeproof.theory.language.binders import asserted, parts_of, symbol_name

__all__ = ["Bound", "bounds_of", "free_names", "names_in"]


def free_names(formulas: Iterable[Any]) -> dict[str, tuple[bool, int]]:
    """Free symbols and functions of SymPy formulas, as a map from name to `(is_integer, arity)`."""
    found: dict[str, tuple[bool, int]] = {}
    for formula in formulas:
        found.update(names_in(formula))
    return found


@lru_cache(maxsize=100_000)
def names_in(formula: Any) -> Mapping[str, tuple[bool, int]]:
    """Free symbols and functions of one formula, as a map from name to `(is_integer, arity)`."""
    found: dict[str, tuple[bool, int]] = {}
    if isinstance(formula, sp.Symbol | AppliedUndef):
        found[symbol_name(formula)] = (bool(formula.is_integer), len(formula.args))
    for part, variables in parts_of(formula):
        inside = names_in(part)
        hidden = set(map(symbol_name, variables))
        found.update({k: v for k, v in inside.items() if k not in hidden} if hidden else inside)
    return MappingProxyType(found)


@dataclass(frozen=True)
class Bound:
    """A relation between `target` and `other` that a formula asserts under `guards`.

    `kind` is "eq" for an equation, "low" if `other` is a lower bound of `target`, and "high" if it is an
    upper one; `strict` says whether equality is excluded.
    """

    target: Any
    kind: str
    other: Any
    strict: bool
    guards: tuple[Any, ...]
    variables: frozenset[str]
    quantifier: Any = None  # the innermost `for all` around it


def bounds_of(formula: Any) -> Iterator[Bound]:
    """The bounds that the formula asserts on a symbol or a function that is alone on one side."""

    for place in asserted(formula):
        f, strict = place.formula, isinstance(place.formula, sp.Lt)
        where = (
            place.conditions,
            frozenset(map(symbol_name, place.variables)),
            place.quantifiers[-1] if place.quantifiers else None,
        )
        said: list[tuple[Any, str, Any]] = []
        if isinstance(f, sp.Eq):
            said = [(f.lhs, "eq", f.rhs), (f.rhs, "eq", f.lhs)]
        elif isinstance(f, sp.Le | sp.Lt):
            said = [(f.lhs, "high", f.rhs), (f.rhs, "low", f.lhs)]
            if isinstance(f.lhs, sp.Abs):
                said += [(f.lhs.args[0], "high", f.rhs), (f.lhs.args[0], "low", -f.rhs)]
        found = (Bound(target, kind, other, strict, *where) for target, kind, other in said)
        yield from filter(_is_target, found)


def _is_target(bound: Bound) -> bool:
    target = bound.target
    if isinstance(target, sp.Symbol):
        if target.name in bound.variables:
            return False
        return bound.kind != "eq" if bound.quantifier is not None else not bound.guards
    return isinstance(target, AppliedUndef) or (
        isinstance(target, sp.Sum)
        and bound.kind == "eq"
        and isinstance(target.function, AppliedUndef)
    )
