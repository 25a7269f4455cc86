"""The functions that compiled terms call on Arb balls: every result contains the exact value.

Cosine and sine of rational multiples of pi are exact where they are rational.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import sympy as sp
from flint import arb, ctx

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import ball, read_rational

__all__ = ["BALLS", "balls"]


def balls(name: str, value: Any, arity: int) -> Any:
    """A number as an Arb ball, or numbers nested `arity` sequences deep as nested lists of balls.

    A number is a ball, an exact SymPy number, or an argument that `read_rational` accepts.
    """
    if arity:
        if isinstance(value, str) or (
            not isinstance(value, Sequence) and not hasattr(value, "tolist")
        ):
            raise InvalidArgument(name, value, f"nested sequences of numbers, {arity} deep")
        parts = value.tolist() if hasattr(value, "tolist") else value
        return [balls(name, part, arity - 1) for part in parts]
    if isinstance(value, arb):
        return value
    if type(value) is int or (type(value) is float and math.isfinite(value)):
        return arb(value)  # exactly
    if isinstance(value, sp.Expr) and not value.is_Rational:
        return ball(value, bits=ctx.prec)
    return ball(read_rational(name, value), bits=ctx.prec)


def _applied(name: str) -> Callable[..., Any]:
    return lambda value: getattr(arb(value), name)()


def _integer(value: Any) -> int:
    whole = arb(value).unique_fmpz() if arb(value).is_exact() else None
    if whole is None:
        raise InvalidArgument("index or limit of a sum", value, "an integer")
    return int(whole)


def _total(term: Callable[[Any], Any], low: Any, high: Any, _: int) -> Any:
    first, last = _integer(low), _integer(high)
    if last < first - 1:
        raise InvalidArgument("limits of a sum", (first, last), "at least an empty sum")
    return sum((term(index) for index in range(first, last + 1)), arb(0))


def _entry(name: str, values: Any, *places: Any) -> Any:
    for place in places:
        index = _integer(place)
        if not 0 <= index < len(values):
            raise InvalidArgument(name, f"{len(values)} values", f"one at {index}")
        values = values[index]
    return values


def _power(value: Any, exponent: int) -> Any:
    """A ball to a natural power, by squaring: Arb's own power of a ball around 0 is no number."""
    result, square = None, arb(value)
    while exponent:
        if exponent & 1:
            result = square if result is None else result * square
        exponent >>= 1
        square = square * square if exponent else square
    return arb(1) if result is None else result


BALLS: Mapping[str, Any] = MappingProxyType(
    {
        "over": lambda above, below: arb(above) / below,
        "pi": arb.pi,
        "power": _power,
        "raised": lambda base, exponent: arb(base) ** exponent,
        **{name: _applied(name) for name in ("sqrt", "exp", "log", "cos", "sin", "tan")},
        **{name: _applied(name) for name in ("cos_pi", "sin_pi", "tanh", "sinh", "cosh")},
        **{name: _applied(name) for name in ("acos", "asin", "atan", "floor")},
        "absolute": lambda value: abs(arb(value)),
        "sign": _applied("sgn"),
        "minimum": lambda a, b: arb(a).min(arb(b)),
        "maximum": lambda a, b: arb(a).max(arb(b)),
        "entry": _entry,
        "total": _total,
    }
)
