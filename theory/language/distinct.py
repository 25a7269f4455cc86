"""Formulas in which no name stands for two things: bound names are renamed where they would.

The kernel reads `Sum(1, (i, 0, 3), (j, 0, i))` as a sum over j up to the free i, of a sum over
another i. Printed as it stands it reads as a sum over both. Every printer prints the formula that
`distinct` returns, in which that other i is i'. No claim has a name with a prime.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp
from ropeproof.theory.language.logic import Every, Some
from ropeproof.theory.language.substitution import free_symbols, symbol_name
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational

__all__ = ["distinct"]


def distinct(expr: Any) -> Any:
    """The formula or term with a prime on each bound name that is taken.

    Taken is a name that is free anywhere in the whole, or bound further out. What is bound in two
    places side by side may keep one name.
    """
    if not isinstance(expr, sp.Basic) or not _binds(expr):
        return expr
    return _Renaming(_free(expr)).of(expr, {}, frozenset())


def _binds(expr: Any) -> bool:
    if isinstance(expr, sp.Sum | Every | Some | sp.Lambda) or _binder(expr) is not None:
        return True
    return any(_binds(part) for part in expr.args if isinstance(part, sp.Basic))


def _binder(expr: Any) -> tuple[Any, tuple[int, ...]] | None:
    """What a term that is shown by a name binds, and in which of its arguments."""
    found: tuple[Any, tuple[int, ...]] | None = getattr(expr, "binder", None)
    return found


def _free(expr: Any) -> frozenset[str]:
    """The names that are free; what a shown term binds is not."""
    if not _shows(expr):
        return frozenset(map(symbol_name, free_symbols(expr)))
    binder = _binder(expr)
    if binder is not None:
        index, scope = binder
        parts = enumerate(expr.arguments)
        found = (_free(p) - ({symbol_name(index)} if n in scope else set()) for n, p in parts)
        return frozenset().union(*found)
    if hasattr(expr, "form"):
        return frozenset().union(*map(_free, expr.arguments))
    if isinstance(expr, sp.Sum):
        names = _free(expr.function)
        for index, low, high in expr.limits:  # the first limit is the innermost
            names = (names - {symbol_name(index)}) | _free(low) | _free(high)
        return names
    if isinstance(expr, Every | Some):
        variables, body = expr.args
        bound = {symbol_name(v) for v in variables if not hasattr(v, "form")}
        return _free(body) - bound
    own = frozenset((symbol_name(expr),)) if isinstance(expr, AppliedUndef) else frozenset()
    return own.union(*map(_free, expr.args))


def _shows(expr: Any) -> bool:
    return hasattr(expr, "form") or any(_shows(p) for p in getattr(expr, "args", ()))


class _Renaming:
    def __init__(self, free: frozenset[str]) -> None:
        self.free = free

    def of(self, expr: Any, names: Mapping[Any, Any], taken: frozenset[str]) -> Any:
        """The expression under the renaming `names`, inside binders of the names `taken`."""
        if isinstance(expr, sp.Symbol):
            return names.get(expr, expr)
        if not isinstance(expr, sp.Basic) or not expr.args:
            return expr
        if isinstance(expr, sp.Sum):
            return self._sum(expr, names, taken)
        if isinstance(expr, Every | Some):
            variables, body = expr.args
            inner, more = self._bound(variables, names, taken)
            shown = [self.of(v, inner, more) for v in variables]
            return expr.func(shown, self.of(body, inner, more))
        if isinstance(expr, sp.Lambda):
            inner, more = self._bound(expr.signature, names, taken)
            signature = [inner.get(v, v) for v in expr.signature]
            return sp.Lambda(tuple(signature), self.of(expr.expr, inner, more))
        binder = _binder(expr)
        if binder is not None:
            index, scope = binder
            inner, more = self._bound([index], names, taken)
            parts = [
                self.of(part, inner, more) if place in scope else self.of(part, names, taken)
                for place, part in enumerate(expr.arguments)
            ]
            return expr.func(expr.form, *parts)
        parts = [self.of(part, names, taken) for part in expr.args]
        if isinstance(expr, AppliedUndef):
            return names.get(expr.func, expr.func)(*parts)
        if all(new is old for new, old in zip(parts, expr.args, strict=True)):
            return expr
        if hasattr(expr, "form"):
            return expr.func(expr.form, *parts[1:])
        if isinstance(expr, sp.Expr | Relational) and not isinstance(expr, sp.Piecewise):
            return expr.func(*parts, evaluate=False)
        return expr.func(*parts)

    def _sum(self, expr: Any, names: Mapping[Any, Any], taken: frozenset[str]) -> Any:
        limits = []
        for index, low, high in reversed(expr.limits):  # the last limit is the outermost
            bounds = self.of(low, names, taken), self.of(high, names, taken)
            names, taken = self._bound([index], names, taken)
            limits.append((names.get(index, index), *bounds))
        return sp.Sum(self.of(expr.function, names, taken), *reversed(limits))

    def _bound(
        self, variables: Any, names: Mapping[Any, Any], taken: frozenset[str]
    ) -> tuple[dict[Any, Any], frozenset[str]]:
        """The renaming inside a binder, and the names that are taken there."""
        inner, more = dict(names), set(taken)
        for variable in variables:
            symbol = variable.func if isinstance(variable, AppliedUndef) else variable
            if not isinstance(symbol, sp.Symbol) and not hasattr(symbol, "__name__"):
                continue  # a vector, whose letter is its own
            name = symbol_name(symbol)
            while name in more or (name in self.free):
                name += "'"
            if name == symbol_name(symbol):
                inner.pop(symbol, None)
            elif isinstance(symbol, sp.Symbol):
                inner[symbol] = sp.Symbol(name, **symbol._assumptions_orig)
            else:
                sort = {"integer": True} if variable.is_integer else {"real": True}
                inner[symbol] = sp.Function(name, **sort)
            more.add(name)
        return inner, frozenset(more)
