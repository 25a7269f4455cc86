"""Substitution of values for free symbols in SymPy formulas; the kernel has its own.

A symbol stands for a term, a function symbol for a `sympy.Lambda`, another function symbol, or a
Python function of as many arguments. Bound names that would capture are renamed.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from inspect import signature
from typing import TYPE_CHECKING, Any, TypeVar

import sympy as sp
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.language.binders import (
    another,
    head_of,
    parts_of,
    rebuilt,
    symbol_name,
    unlike,
)
from ropeproof.theory.language.logic import refuse_texts
from sympy.core.function import AppliedUndef, UndefinedFunction

if TYPE_CHECKING:
    from ropeproof.theory.language.types.terms import Formula, Term

    Written = TypeVar("Written", Formula, Term)

__all__ = ["as_values", "free_symbols", "kept_at", "substitute"]

Values = Mapping[Any, Any]


def free_symbols(expr: Any) -> frozenset[Any]:
    """The free symbols and function symbols of a term or formula."""
    if isinstance(expr, sp.Symbol):
        return frozenset((expr,))
    return _free_symbols(expr) if getattr(expr, "args", ()) else frozenset()


@lru_cache(maxsize=50_000)
def _free_symbols(expr: Any) -> frozenset[Any]:
    """The free symbols and function symbols of a compound term, cached for shared parts."""
    own = (expr.func,) if isinstance(expr, AppliedUndef) else ()
    found = (free_symbols(part) - set(map(head_of, bound)) for part, bound in parts_of(expr))
    return frozenset(own).union(*found)


def as_values(mapping: Values, about: Any) -> dict[Any, Any]:
    """The mapping with every value of a function symbol converted to a `sympy.Lambda`.

    `about` is the formula whose symbols get the values: if it applies a function to integers
    only, the parameters of that function's value are integers. Raises `InvalidClaim` as `refuse_texts`.
    """
    refuse_texts(mapping)
    return {
        key: _as_lambda(key, value, about)
        if isinstance(key, UndefinedFunction)
        else sp.sympify(value)
        for key, value in mapping.items()
    }


def _as_lambda(function: Any, value: Any, about: Any) -> Any:
    if isinstance(value, sp.Lambda):
        return _with_sorts(value)
    places = _places(about).get(function, [])
    if isinstance(value, UndefinedFunction):
        count = len(places[0]) if places else 1
        names = [f"place_{k}" for k in range(count)]
    else:
        names = list(signature(value).parameters)
    taken = _taken(about)
    parameters = []
    for k, name in enumerate(names):
        whole = bool(places) and all(len(args) > k and args[k].is_integer for args in places)
        kind = {"integer": True} if whole else {"real": True}
        parameters.append(sp.Symbol(unlike(name, taken), **kind))
    return sp.Lambda(tuple(parameters), value(*parameters))


@lru_cache(maxsize=1_000)
def _places(about: Any) -> Mapping[Any, list[tuple[Any, ...]]]:
    """The arguments to which a formula applies each function symbol, cached."""
    found: dict[Any, list[tuple[Any, ...]]] = {}
    for term in about.atoms(AppliedUndef):
        found.setdefault(term.func, []).append(term.args)
    return found


@lru_cache(maxsize=1_000)
def _taken(about: Any) -> set[str]:
    """The names of a formula's symbols, which a lambda's parameters must avoid in print."""
    return {s.name for s in about.free_symbols}


def _with_sorts(value: Any) -> Any:
    """The lambda with its undeclared parameters made real."""
    plain = {v: sp.Symbol(v.name, real=True) for v in value.variables if v == sp.Symbol(v.name)}
    if not plain:
        return value
    parameters = tuple(plain.get(v, v) for v in value.variables)
    return sp.Lambda(parameters, substitute(value.expr, plain))


def substitute(expr: Any, values: Values) -> Any:
    """The expression with the values substituted; `values` as `as_values` returns them."""
    return _put(expr, (values, {}))


def kept_at(expr: Written, symbol: Term, number: Term | int) -> Written:
    """The expression at a number, not evaluated: `sin(0) <= 0` stays, which SymPy would simplify.

    Raises `InvalidArgument` where a sum or a quantifier binds the symbol or a name in the number,
    which would then have another meaning.
    """
    whole: Written
    if expr == symbol:
        whole = sp.sympify(number)
        return whole
    if symbol not in free_symbols(expr):
        return expr
    spoken_of = {symbol, *free_symbols(sp.sympify(number))}

    def free(variables: tuple[Any, ...], _: Any, __: Any) -> tuple[tuple[Any, ...], Any]:
        if spoken_of & set(map(head_of, variables)):
            raise InvalidArgument("number", number, f"what means the same under a binder: {expr}")
        return variables, None

    whole = rebuilt(expr, None, lambda e, _: kept_at(e, symbol, number), free, as_written=True)
    return whole


_Put = tuple[Values, dict[Any, Any]]
"""The values, and a cache of substituted parts, which recur in long terms."""


def _put(expr: Any, known: _Put) -> Any:
    values, done = known
    if not values or not hasattr(expr, "args"):
        return expr
    if isinstance(expr, sp.Symbol):
        return values.get(expr, expr)
    if not expr.args:
        return expr
    if expr not in done:
        done[expr] = _made(expr, known)
    return done[expr]


def _made(expr: Any, known: _Put) -> Any:
    value = known[0].get(expr.func) if isinstance(expr, AppliedUndef) else None
    if value is None:
        return rebuilt(expr, known, _put, _past)
    arguments = [_put(a, known) for a in expr.args]
    return substitute(value.expr, dict(zip(value.variables, arguments, strict=True)))


def _past(
    variables: tuple[Any, ...], inside: tuple[Any, ...], known: _Put
) -> tuple[list[Any], _Put]:
    """The variables of a binder, renamed to avoid capture, and the values inside it."""
    free = frozenset().union(*map(free_symbols, inside))
    heads = set(map(head_of, variables))
    values = {k: v for k, v in known[0].items() if k in free and k not in heads}
    brought = set(map(symbol_name, frozenset().union(*map(free_symbols, values.values()))))
    taken = brought | set(map(symbol_name, free))
    own = []
    for variable in variables:
        name = symbol_name(variable)
        if name not in brought:
            own.append(variable)
            continue
        renamed = another(variable, unlike(name, taken | {name}))
        if isinstance(variable, sp.Symbol):
            own.append(renamed)
            values[variable] = renamed
        else:
            own.append(renamed(*variable.args))
            places = tuple(sp.Dummy(real=True) for _ in variable.args)
            values[variable.func] = sp.Lambda(places, renamed(*places))
    return own, (values, {})
