"""What formulas say of the names in them: which occur free, and what bounds or defines them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import sympy as sp

from ropeproof.theory.language import logic
from ropeproof.theory.language.substitution import symbol_name

__all__ = ["Bound", "bounds_of", "free_names", "names_in"]


def free_names(formulas: Iterable[Any]) -> dict[str, tuple[bool, int]]:
    """Free symbols and functions of SymPy formulas: name to (is_integer, arity)."""
    found: dict[str, tuple[bool, int]] = {}
    for formula in formulas:
        found.update(names_in(formula))
    return found


@lru_cache(maxsize=100_000)
def names_in(formula: Any) -> Mapping[str, tuple[bool, int]]:
    """Free symbols and functions of one formula: name to (is_integer, arity)."""
    found: dict[str, tuple[bool, int]] = {}

    def visit(expr: Any, bound: frozenset[str]) -> None:
        if isinstance(expr, sp.Symbol):
            if expr.name not in bound:
                found[expr.name] = (bool(expr.is_integer), 0)
            return
        if isinstance(expr, sp.core.function.AppliedUndef):
            name = expr.func.__name__
            if name not in bound:
                found[name] = (bool(expr.is_integer), len(expr.args))
        if isinstance(expr, sp.Sum):
            inner = bound | {limit[0].name for limit in expr.limits}
            for place, (_, low, high) in enumerate(expr.limits, 1):  # the first is the innermost
                outer = bound | {limit[0].name for limit in expr.limits[place:]}
                visit(low, outer)
                visit(high, outer)
            visit(expr.function, inner)
            return
        if isinstance(expr, logic.Every | logic.Some):
            variables, body = expr.args
            visit(body, bound | {symbol_name(v) for v in variables})
            return
        for arg in getattr(expr, "args", ()):
            visit(arg, bound)

    visit(formula, frozenset())
    return MappingProxyType(found)


@dataclass(frozen=True)
class Bound:
    """`target` relates to `other`: kind in eq, low, high; strict; under guards."""

    target: Any
    kind: str
    other: Any
    strict: bool
    guards: tuple[Any, ...]
    variables: frozenset[str]
    quantifier: Any = None  # the innermost `for all` around it


def bounds_of(formula: Any) -> Iterator[Bound]:
    """What the formula says of a symbol, or of a function at free arguments, alone on one side."""

    def visit(
        f: Any, guards: tuple[Any, ...], variables: frozenset[str], around: Any
    ) -> Iterator[Bound]:
        where = (guards, variables, around)
        if isinstance(f, logic.Both | sp.And):
            for part in f.args:
                yield from visit(part, *where)
        elif isinstance(f, logic.Every):
            inner = variables | {symbol_name(v) for v in f.args[0]}
            yield from visit(f.args[1], guards, inner, f)
        elif isinstance(f, logic.If):
            yield from visit(f.args[1], (*guards, f.args[0]), variables, around)
        elif isinstance(f, sp.Eq):
            for side, other in ((f.lhs, f.rhs), (f.rhs, f.lhs)):
                yield Bound(side, "eq", other, False, *where)
        elif isinstance(f, sp.Le | sp.Lt):
            strict = isinstance(f, sp.Lt)
            yield Bound(f.lhs, "high", f.rhs, strict, *where)
            yield Bound(f.rhs, "low", f.lhs, strict, *where)
            if isinstance(f.lhs, sp.Abs):
                yield Bound(f.lhs.args[0], "high", f.rhs, strict, *where)
                yield Bound(f.lhs.args[0], "low", -f.rhs, strict, *where)

    yield from (b for b in visit(formula, (), frozenset(), None) if _is_target(b))


def _is_target(bound: Bound) -> bool:
    target = bound.target
    if isinstance(target, sp.Symbol):
        if target.name in bound.variables:
            return False
        return bound.kind != "eq" if bound.quantifier is not None else not bound.guards
    return isinstance(target, sp.core.function.AppliedUndef) or (
        isinstance(target, sp.Sum)
        and bound.kind == "eq"
        and isinstance(target.function, sp.core.function.AppliedUndef)
    )
