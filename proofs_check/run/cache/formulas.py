"""Terms and relations as JSON, and back unchanged: nothing is evaluated on the way.

A formula that would not come back equal is not written: a caller then reads the claim itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

__all__ = ["formula", "written"]

_SORTS = ("real", "integer")
_CONSTANTS: Mapping[str, Any] = MappingProxyType({"pi": sp.pi, "e": sp.E})
_UNEVALUATED = (
    *(sp.Pow, sp.exp, sp.log, sp.cos, sp.sin, sp.tan, sp.tanh, sp.Abs, sp.floor, sp.sign),
    *(sp.Max, sp.Min, sp.Eq, sp.Ne, sp.Le, sp.Lt, sp.Ge, sp.Gt),
)
_HEADS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        **{head.__name__: partial(head, evaluate=False) for head in _UNEVALUATED},
        "Add": lambda *args: sp.Add._from_args(args),
        "Mul": lambda *args: sp.Mul._from_args(args),
        "Sum": sp.Sum,
        "Tuple": sp.Tuple,
    }
)


def written(expr: Any) -> Any | None:
    """A term or relation as a JSON value; None if reading the value would not give it back."""
    try:
        content = _written(expr)
        return content if formula(content) == expr else None
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def _written(expr: Any) -> Any:
    if isinstance(expr, sp.Integer):
        return int(expr)
    if isinstance(expr, sp.Rational):
        return ["/", int(expr.p), int(expr.q)]
    if isinstance(expr, sp.Symbol):
        return [_sort(expr), expr.name]
    if isinstance(expr, AppliedUndef):
        return [f"{_sort(expr)} function", expr.func.__name__, *map(_written, expr.args)]
    for name, constant in _CONSTANTS.items():
        if expr == constant:
            return [name]
    if type(expr).__name__ not in _HEADS:
        raise KeyError(type(expr).__name__)
    return [type(expr).__name__, *map(_written, expr.args)]


def _sort(expr: Any) -> str:
    return "integer" if expr.is_integer else "real"


def formula(content: Any) -> Any:
    """The term or relation whose JSON value `written` made.

    Raises `KeyError`, `TypeError`, `ValueError` or `AttributeError` for any other value.
    """
    if isinstance(content, int):
        return sp.Integer(content)
    head, *parts = content
    if head in _CONSTANTS:
        return _CONSTANTS[head]
    if head == "/":
        return sp.Rational(*parts)
    if head in _SORTS:
        return sp.Symbol(parts[0], **{head: True})
    if head.removesuffix(" function") in _SORTS:
        name, *arguments = parts
        sort = {head.removesuffix(" function"): True}
        return sp.Function(name, **sort)(*map(formula, arguments))
    return _HEADS[head](*map(formula, parts))
