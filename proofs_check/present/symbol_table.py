"""The table "where" of a statement: each symbol, its kind and its meaning."""

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
from ropeproof.theory.language.binders import walked
from ropeproof.theory.language.logic import Every, Some

__all__ = ["Symbol", "named_forms", "notations", "shown_parts", "symbols"]


@dataclass(frozen=True)
class Symbol:
    """A symbol of a statement: its key in the tables of meanings, and its kind."""

    key: str
    kind: str


def symbols(formulas: Iterable[Any], parameters: frozenset[str] = frozenset()) -> list[Symbol]:
    """The symbols of shown formulas, in order of occurrence, bound ones last.

    `parameters` are names to leave out, which have no meaning of their own.
    """
    free: dict[str, Symbol] = {}
    bound: dict[str, Symbol] = {}
    for formula in formulas:
        found = (each for part, around in walked(formula) for each in _named(part, around))
        for key, kind, is_bound in found:
            if key in parameters:
                continue
            place = bound if is_bound else free
            if key not in place or place[key].kind in ("reals", "integers"):
                place[key] = Symbol(key, kind)  # "vector" says more
    return [*free.values(), *(s for key, s in bound.items() if key not in free)]


def _named(part: Any, around: tuple[Any, ...]) -> Iterator[tuple[str, str, bool]]:
    """The symbols that a part names itself, without subterms: key, kind, whether bound."""
    bound = {key for v in around for key in _keys(v)}
    if isinstance(part, Every | Some):
        for variable in part.args[0]:
            if isinstance(variable, Shown):
                yield variable.form.name, "vector", True
            elif isinstance(variable, AppliedUndef):
                yield _keys(variable)[0], _sequence(variable), True
            else:
                yield _keys(variable)[0], _number(variable, True), True
    elif isinstance(part, sp.Sum):
        for index, *_ in reversed(part.limits):  # the last is the outermost
            yield str(index.name), "index", True
    elif isinstance(part, Shown):
        if isinstance(part.form, Vector):
            kind = "vectors" if part.arguments else "vector"
            yield part.form.name, kind, part.form.name in bound
        elif isinstance(part.form, Image):
            yield part.form.name, "matrix", False
        elif isinstance(part.form, Softmax):
            yield str(part.arguments[1].name), "index", True
        elif isinstance(part.form, Inner) and len(part.arguments) == 3:
            yield "s", "real", False
            yield "theta()", "reals", False
        elif isinstance(part.form, Turned):
            yield "theta()", "reals", False
    elif isinstance(part, sp.Symbol):
        yield part.name, _number(part, part.name in bound), part.name in bound
    elif isinstance(part, AppliedUndef):
        key = _keys(part)[0]
        yield key, _sequence(part), key in bound


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
    """All shown terms in a formula, including nested ones."""
    return (part for part in sp.preorder_traversal(expr) if isinstance(part, Shown))


def named_forms(formulas: Iterable[Any]) -> list[Named]:
    """The topics' names that occur in formulas, in order of occurrence."""
    found = (part.form for f in formulas for part in shown_parts(f) if isinstance(part.form, Named))
    return list(dict.fromkeys(found))


def notations(formulas: Iterable[Any]) -> set[str]:
    """The general notations that occur in formulas: inner, norm, turned, softmax."""
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
