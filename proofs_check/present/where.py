"""The table "where" of a statement: each symbol, its kind, what it stands for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from ropeproof.proofs_check.present.forms import (
    Image,
    Inner,
    Named,
    Norm,
    Softmax,
    Turned,
    Vector,
)
from ropeproof.proofs_check.present.setting import Shown
from ropeproof.theory.language.logic import Every, Some

__all__ = ["Symbol", "named_forms", "notations", "shown_parts", "symbols"]


@dataclass(frozen=True)
class Symbol:
    """A symbol of a statement: its key in the tables of meanings, and its kind."""

    key: str
    kind: str


def symbols(formulas: Iterable[Any], parameters: frozenset[str] = frozenset()) -> list[Symbol]:
    """The symbols of formulas as they are shown, in the order in which they occur; bound ones last.

    `parameters` are names that stand for nothing of their own.
    """
    free: dict[str, Symbol] = {}
    bound: dict[str, Symbol] = {}
    for formula in formulas:
        for key, kind, is_bound in _walk(formula, frozenset()):
            if key in parameters:
                continue
            place = bound if is_bound else free
            if key not in place or place[key].kind in ("reals", "integers"):
                place[key] = Symbol(key, kind)  # "vector" says more
    return [*free.values(), *(s for key, s in bound.items() if key not in free)]


def _walk(expr: Any, bound: frozenset[str]) -> Iterator[tuple[str, str, bool]]:
    if isinstance(expr, Every | Some):
        names = frozenset(key for v in expr.args[0] for key in _keys(v))
        for variable in expr.args[0]:
            if isinstance(variable, Shown):
                yield variable.form.name, "vector", True
            elif isinstance(variable, AppliedUndef):
                yield f"{variable.func.__name__}()", _sequence(variable), True
            else:
                yield str(variable.name), _number(variable, True), True
        yield from _walk(expr.args[1], bound | names)
    elif isinstance(expr, sp.Sum):
        inner = bound
        for index, low, high in reversed(expr.limits):
            yield from _walk(low, inner)
            yield from _walk(high, inner)
            yield str(index.name), "index", True
            inner |= {str(index.name)}
        yield from _walk(expr.function, inner)
    elif isinstance(expr, Shown):
        if isinstance(expr.form, Vector):
            kind = "vectors" if expr.arguments else "vector"
            yield expr.form.name, kind, expr.form.name in bound
        elif isinstance(expr.form, Image):
            yield expr.form.name, "matrix", False
        elif isinstance(expr.form, Softmax):
            logits, index, *others = expr.arguments
            yield str(index.name), "index", True
            yield from _walk(logits, bound | {str(index.name)})
            for part in others:
                yield from _walk(part, bound)
            return
        elif isinstance(expr.form, Inner) and len(expr.arguments) == 3:
            yield "s", "real", False
            yield "theta()", "reals", False
        elif isinstance(expr.form, Turned):
            yield "theta()", "reals", False
        for part in expr.arguments:
            yield from _walk(part, bound)
    elif isinstance(expr, sp.Symbol):
        name = str(expr.name)
        yield name, _number(expr, name in bound), name in bound
    elif isinstance(expr, AppliedUndef):
        key = f"{expr.func.__name__}()"
        yield key, _sequence(expr), key in bound
        for part in expr.args:
            yield from _walk(part, bound)
    else:
        for part in getattr(expr, "args", ()):
            yield from _walk(part, bound)


def _keys(variable: Any) -> tuple[str, ...]:
    if isinstance(variable, Shown):
        functions = (f"{f.__name__}()" for f in variable.form.functions)
        return (variable.form.name, *functions)
    if isinstance(variable, AppliedUndef):
        return (f"{variable.func.__name__}()",)
    return (str(variable.name),)


def _number(symbol: Any, bound: bool) -> str:
    if not symbol.is_integer:
        return "real"
    return "index" if bound else "integer"


def _sequence(applied: Any) -> str:
    of = "integers" if applied.is_integer else "reals"
    return f"{of}" if all(a.is_integer for a in applied.args) else "function"


def shown_parts(expr: Any) -> Iterator[Any]:
    """All shown terms of a formula, inner ones too."""
    if isinstance(expr, Shown):
        yield expr
    for part in getattr(expr, "args", ()):
        yield from shown_parts(part)


def named_forms(formulas: Iterable[Any]) -> list[Named]:
    """The topic's names that formulas show, in the order in which they occur."""
    found = (part.form for f in formulas for part in shown_parts(f) if isinstance(part.form, Named))
    return list(dict.fromkeys(found))


def notations(formulas: Iterable[Any]) -> set[str]:
    """Which general notations formulas show: inner, norm, turned, softmax."""
    found: set[str] = set()
    for formula in formulas:
        for part in shown_parts(formula):
            form = part.form
            if isinstance(form, Norm):
                if form.space is not None and form.space.by_planes:
                    found.add("norm")
            elif isinstance(form, Inner) and len(part.arguments) == 3:
                found |= {"turned", "inner"}
            elif isinstance(form, Inner):
                if form.space is not None and form.space.by_planes:
                    found.add("inner")
            elif isinstance(form, Turned):
                found.add("turned")
            elif isinstance(form, Softmax):
                found.add("softmax")
    return found
