"""Values for the free symbols of a formula, at the level of SymPy. Not trusted: the kernel does its own.

A symbol stands for a term, a function symbol for a `sympy.Lambda`, another function symbol, or a
Python function of as many arguments. Bound names that would capture are renamed.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from inspect import signature
from itertools import chain, count
from typing import Any

import sympy as sp
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.language.logic import Every, Some
from sympy.core.function import AppliedUndef, UndefinedFunction

__all__ = ["as_values", "free_symbols", "kept_at", "substitute", "symbol_name"]

Values = Mapping[Any, Any]


def free_symbols(expr: Any) -> frozenset[Any]:
    """The free symbols and function symbols of a term or formula."""
    if isinstance(expr, sp.Symbol):
        return frozenset((expr,))
    return _free_symbols(expr) if getattr(expr, "args", ()) else frozenset()


@lru_cache(maxsize=50_000)
def _free_symbols(expr: Any) -> frozenset[Any]:
    """The same, remembered: long terms share their parts."""
    if isinstance(expr, AppliedUndef):
        return frozenset((expr.func,)).union(*map(free_symbols, expr.args))
    if isinstance(expr, sp.Sum):
        found = free_symbols(expr.function)
        for index, low, high in expr.limits:  # the first limit is the innermost
            found = (found - {index}) | free_symbols(low) | free_symbols(high)
        return found
    if isinstance(expr, Every | Some):
        return free_symbols(expr.args[1]) - {_head(v) for v in expr.args[0]}
    if isinstance(expr, sp.Lambda):
        return free_symbols(expr.expr) - set(expr.variables)
    return frozenset().union(*map(free_symbols, expr.args))


def _head(variable: Any) -> Any:
    return variable if isinstance(variable, sp.Symbol) else variable.func


def symbol_name(symbol: Any) -> str:
    """The name of a symbol, of a function symbol, or of the function symbol that is applied."""
    if isinstance(symbol, sp.Symbol):
        return str(symbol.name)
    return str((symbol.func if isinstance(symbol, AppliedUndef) else symbol).__name__)


def as_values(mapping: Values, about: Any) -> dict[Any, Any]:
    """The mapping with every value of a function symbol as a `sympy.Lambda`.

    `about` is the formula whose symbols get the values: where it applies a function to integers
    only, the parameters of that function's value are integers.
    """
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
        parameters.append(sp.Symbol(_unlike(name, taken), **kind))
    return sp.Lambda(tuple(parameters), value(*parameters))


@lru_cache(maxsize=1_000)
def _places(about: Any) -> Mapping[Any, list[tuple[Any, ...]]]:
    """For each function symbol the arguments that the formula applies it to: lemmas are used often."""
    found: dict[Any, list[tuple[Any, ...]]] = {}
    for term in about.atoms(AppliedUndef):
        found.setdefault(term.func, []).append(term.args)
    return found


@lru_cache(maxsize=1_000)
def _taken(about: Any) -> set[str]:
    """The names of a formula's symbols, bound ones too: a parameter called so would print alike."""
    return {s.name for s in about.free_symbols}


def _with_sorts(value: Any) -> Any:
    """The lambda with parameters that are real numbers where nothing was said of them."""
    plain = {v: sp.Symbol(v.name, real=True) for v in value.variables if v == sp.Symbol(v.name)}
    if not plain:
        return value
    parameters = tuple(plain.get(v, v) for v in value.variables)
    return sp.Lambda(parameters, substitute(value.expr, plain))


def _unlike(name: str, taken: set[str]) -> str:
    """The name, with a number if it is taken: `l` and `l_` would print alike."""
    others = (f"{name}_{number}" for number in count(1))
    return next(n for n in chain([name], others) if n not in taken)


def substitute(expr: Any, values: Values) -> Any:
    """The expression with the values put in; `values` as `as_values` gives them."""
    return _put(expr, values, {})


def kept_at(expr: Any, symbol: Any, number: Any) -> Any:
    """The expression at a number, as written: `sin(0) <= 0` stays, which SymPy would make `0 <= 0`.

    Raises `InvalidArgument` where a sum or a quantifier has the symbol, or a name in the number, as
    its own: the number would then stand for something else.
    """
    if expr == symbol:
        return sp.sympify(number)
    if symbol not in free_symbols(expr):
        return expr
    bound = {index for index, *_ in expr.limits} if isinstance(expr, sp.Sum) else set()
    if isinstance(expr, Every | Some):
        bound = {_head(v) for v in expr.args[0]}
    if bound & {symbol, *free_symbols(sp.sympify(number))}:
        raise InvalidArgument("number", number, f"what means the same under a binder: {expr}")
    parts = [kept_at(part, symbol, number) for part in expr.args]
    evaluates = isinstance(expr, sp.Expr | sp.core.relational.Relational)
    if evaluates and not isinstance(expr, sp.Sum):
        return expr.func(*parts, evaluate=False)
    return expr.func(*parts)


def _put(expr: Any, values: Values, done: dict[Any, Any]) -> Any:
    """The same; `done` holds what it made of parts before, which come often in long terms."""
    if not values or not hasattr(expr, "args"):
        return expr
    if isinstance(expr, sp.Symbol):
        return values.get(expr, expr)
    if not expr.args:
        return expr
    if expr not in done:
        done[expr] = _made(expr, values, done)
    return done[expr]


def _made(expr: Any, values: Values, done: dict[Any, Any]) -> Any:
    if isinstance(expr, AppliedUndef):
        arguments = [_put(a, values, done) for a in expr.args]
        value = values.get(expr.func)
        return expr.func(*arguments) if value is None else _applied(value, arguments)
    if isinstance(expr, sp.Sum):
        return _in_sum(expr, values, done)
    if isinstance(expr, Every | Some):
        variables, body = expr.args
        inner, renamed = _past({_head(v): v for v in variables}, body, values)
        if not inner:
            return expr
        kept = [_renamed(v, renamed) for v in variables]
        return type(expr)(kept, substitute(body, inner))
    parts = [_put(a, values, done) for a in expr.args]
    if all(new is old for new, old in zip(parts, expr.args, strict=True)):
        return expr
    if isinstance(expr, sp.core.relational.Relational):
        return expr.func(*parts, evaluate=False)
    return expr.func(*parts)


def _applied(value: Any, arguments: list[Any]) -> Any:
    return substitute(value.expr, dict(zip(value.variables, arguments, strict=True)))


def _in_sum(expr: Any, values: Values, done: dict[Any, Any]) -> Any:
    *others, (index, low, high) = expr.limits  # the last limit is the outermost
    body = sp.Sum(expr.function, *others) if others else expr.function
    inner, renamed = _past({index: index}, body, values)
    ends = _put(low, values, done), _put(high, values, done)
    if not inner and ends[0] is low and ends[1] is high:
        return expr
    return sp.Sum(substitute(body, inner), (renamed.get(index, index), *ends))


def _past(
    bound: Mapping[Any, Any], body: Any, values: Values
) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """The values inside a binder, and the bound heads that get another name there."""
    inside = free_symbols(body)
    inner = {k: v for k, v in values.items() if k in inside and k not in bound}
    brought = frozenset().union(*map(free_symbols, inner.values()))
    names = {symbol_name(s) for s in brought | inside}
    renamed: dict[Any, Any] = {}
    for head in bound:
        if symbol_name(head) in {symbol_name(s) for s in brought}:
            renamed[head] = _like(head, _unlike(symbol_name(head), names | {symbol_name(head)}))
            inner[head] = _value(bound[head], renamed[head])
    return inner, renamed


def _like(head: Any, name: str) -> Any:
    whole = bool(head.is_integer)
    kind = {"integer": True} if whole else {"real": True}
    return sp.Symbol(name, **kind) if isinstance(head, sp.Symbol) else sp.Function(name, **kind)


def _value(variable: Any, head: Any) -> Any:
    if isinstance(variable, sp.Symbol):
        return head
    parameters = tuple(sp.Dummy(real=True) for _ in variable.args)
    return sp.Lambda(parameters, head(*parameters))


def _renamed(variable: Any, renamed: Mapping[Any, Any]) -> Any:
    head = renamed.get(_head(variable))
    if head is None:
        return variable
    return head if isinstance(variable, sp.Symbol) else head(*variable.args)
