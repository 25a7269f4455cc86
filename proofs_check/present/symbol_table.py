"""The table "where" of a statement: each symbol, its kind and its meaning."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

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
from ropeproof.theory.language.binders import parts_of
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
    found: _Found = {}
    for formula in formulas:
        _add(found, _found_in(formula), frozenset())
    free = {key: kinds.here for (key, bound), kinds in found.items() if not bound}
    bound = {key: kinds.here for (key, bound), kinds in found.items() if bound and key not in free}
    all_of_them = (*free.items(), *bound.items())
    return [Symbol(key, kind) for key, kind in all_of_them if key not in parameters]


class _Kinds(NamedTuple):
    """The kinds of a symbol: here, where a binder around binds it, and where none can."""

    here: str
    bound: str | None = None
    never_bound: str | None = None


_Found: TypeAlias = dict[tuple[str, bool], _Kinds]
"""Symbols in order of occurrence, by their key and whether they are bound."""


def _add(found: _Found, others: _Found, keys: Collection[str]) -> None:
    """Add the symbols of a part, in which these keys are bound."""
    for (key, bound), kinds in others.items():
        if bound or key not in keys:
            _add_one(found, (key, bound), kinds)
            continue
        if kinds.bound is not None:
            _add_one(found, (key, True), _Kinds(kinds.bound))
        if kinds.never_bound is not None:
            _add_one(found, (key, False), _Kinds(kinds.never_bound, None, kinds.never_bound))


def _add_one(found: _Found, at: tuple[str, bool], kinds: _Kinds) -> None:
    known = found.get(at)
    found[at] = kinds if known is None else _Kinds(*map(_more, known, kinds))  # type: ignore[arg-type]


def _more(kind: str | None, other: str | None) -> str | None:
    """Of two kinds of one symbol the one that says more, as "vector" says more than "reals"."""
    return other if other is not None and kind in (None, "reals", "integers") else kind


@lru_cache(maxsize=200_000)
def _found_in(part: Any) -> _Found:
    """The symbols of a part, itself and its subterms, found once for all formulas with that part."""
    found: _Found = {}
    for key, bound, kinds in _named(part):
        _add_one(found, (key, bound), kinds)
    for each, around in parts_of(part):
        _add(found, _found_in(each), {key for variable in around for key in _keys(variable)})
    return found


def _named(part: Any) -> Iterator[tuple[str, bool, _Kinds]]:
    """The symbols that a part names itself, without subterms, and whether the part binds them."""
    if isinstance(part, Every | Some):
        for variable in part.args[0]:
            if isinstance(variable, Shown):
                yield variable.form.name, True, _Kinds("vector")
            elif isinstance(variable, AppliedUndef):
                yield _keys(variable)[0], True, _Kinds(_sequence(variable))
            else:
                yield _keys(variable)[0], True, _Kinds(_number(variable, True))
    elif isinstance(part, sp.Sum):
        for index, *_ in reversed(part.limits):  # the last is the outermost
            yield str(index.name), True, _Kinds("index")
    elif isinstance(part, Shown):
        if isinstance(part.form, Vector):
            kind = "vectors" if part.arguments else "vector"
            yield part.form.name, False, _Kinds(kind, kind)
        elif isinstance(part.form, Image):
            yield part.form.name, False, _Kinds("matrix", None, "matrix")
        elif isinstance(part.form, Softmax):
            yield str(part.arguments[1].name), True, _Kinds("index")
        elif isinstance(part.form, Inner) and len(part.arguments) == 3:
            yield "s", False, _Kinds("real", None, "real")
            yield "theta()", False, _Kinds("reals", None, "reals")
        elif isinstance(part.form, Turned):
            yield "theta()", False, _Kinds("reals", None, "reals")
    elif isinstance(part, sp.Symbol):
        yield part.name, False, _Kinds(_number(part, False), _number(part, True))
    elif isinstance(part, AppliedUndef):
        kind = _sequence(part)
        yield _keys(part)[0], False, _Kinds(kind, kind)


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
