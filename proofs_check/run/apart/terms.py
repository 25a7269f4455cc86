"""Formulas as plain data, and back: reading makes each term anew from the classes that are listed here.

A node is a list whose first entry says what it is; the parts of a node are numbers of nodes before
it. Nothing is evaluated on the way back, neither by Python nor by SymPy: a term comes out as it was
written, with the order of its arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import is_
from typing import Any

import sympy as sp
from sympy.core.assumptions import _assume_defined
from sympy.core.basic import Basic
from sympy.core.function import Application, AppliedUndef, UndefinedFunction
from sympy.core.logic import fuzzy_and
from sympy.core.operations import LatticeOp
from sympy.functions.elementary.miscellaneous import MinMaxBase
from sympy.functions.elementary.piecewise import ExprCondPair

from ropeproof.theory.language import logic

__all__ = ["MOST_BITS", "NotPlain", "node_of", "parts_of", "term_of"]

MOST_BITS = 14_000
"""The most bits of an integer in a number: Python writes no integer of more than 4,300 digits."""

_LOGIC = (logic.Both, logic.Either, logic.Every, logic.If, logic.Negation, logic.Some)
_SYMPY = (
    *(sp.Add, sp.Mul, sp.Pow, sp.Sum, sp.Product, sp.Integral, sp.Derivative, sp.Lambda, sp.Tuple),
    *(sp.Eq, sp.Ne, sp.Le, sp.Lt, sp.Ge, sp.Gt),
    *(sp.And, sp.Or, sp.Not, sp.Implies, sp.ITE),
    *(sp.Max, sp.Min, sp.Abs, sp.sign, sp.floor, sp.ceiling, sp.frac, sp.Mod),
    *(sp.exp, sp.log, sp.sin, sp.cos, sp.tan, sp.cot, sp.sec, sp.csc),
    *(sp.asin, sp.acos, sp.atan, sp.acot, sp.atan2, sp.sinh, sp.cosh, sp.tanh, sp.coth),
    *(sp.asinh, sp.acosh, sp.atanh, sp.factorial, sp.binomial, sp.gamma, sp.erf),
    *(sp.re, sp.im, sp.conjugate, sp.arg, sp.LambertW, sp.UnevaluatedExpr),
    *(sp.Piecewise, ExprCondPair),
)
_CLASSES: Mapping[str, type] = {kind.__name__: kind for kind in (*_SYMPY, *_LOGIC)}
_CONSTANTS: Mapping[str, Any] = {
    **{"pi": sp.pi, "e": sp.E, "gamma": sp.EulerGamma, "golden": sp.GoldenRatio},
    **{"Catalan": sp.Catalan, "infinity": sp.oo, "-infinity": -sp.oo, "zoo": sp.zoo, "nan": sp.nan},
    **{"i": sp.I, "true": sp.true, "false": sp.false},
}
_NAME_OF = {constant: name for name, constant in _CONSTANTS.items()}
_COMMUTATIVE = (sp.Add, sp.Mul, sp.Pow, sp.Sum, sp.Product, sp.Integral)
_SORTS = ("real", "integer")
_apply: Any = getattr(Application.__new__, "__wrapped__", Application.__new__)
"""Applies a function without SymPy's cache of earlier calls, which mixes up equal arguments."""


class NotPlain(ValueError):
    """Raised for an object that is not among those that a claim may be made of."""


def parts_of(thing: Any) -> tuple[Any, ...]:
    """The parts of a formula, whose nodes are written before its own; raises `NotPlain` if it is none."""
    if isinstance(thing, AppliedUndef):
        return (type(thing), *thing.args)
    if not isinstance(thing, Basic | UndefinedFunction):
        raise NotPlain(_told(thing))
    if isinstance(thing, UndefinedFunction | sp.Number) or thing in _NAME_OF:
        return ()
    return tuple(thing.args)


def node_of(thing: Any, parts: Sequence[int]) -> list[Any]:
    """The node of a formula, given the numbers of its parts' nodes.

    Raises `NotPlain` for an object that no claim is made of; its text is the name of the class.
    """
    kind = type(thing)
    if kind is UndefinedFunction:
        sort = next(
            (s for s in _SORTS if thing == UndefinedFunction(thing.__name__, **{s: True})), ""
        )
        return ["function", thing.__name__, sort]
    if isinstance(thing, AppliedUndef):
        return ["applied", *parts]
    if kind is sp.Symbol:
        return ["symbol", thing.name, [[k, v] for k, v in thing._assumptions_orig.items()]]
    if isinstance(thing, sp.Rational):
        return ["rational", int(thing.p), int(thing.q)]
    if kind is sp.Float:
        sign, man, exponent, _ = thing._mpf_
        return ["float", int(sign), int(man), int(exponent), int(thing._prec)]
    if isinstance(thing, Basic) and thing in _NAME_OF and thing is _CONSTANTS[_NAME_OF[thing]]:
        return ["constant", _NAME_OF[thing]]
    if _CLASSES.get(kind.__name__) is kind:
        return ["term", kind.__name__, *parts]
    raise NotPlain(_told(thing))


def _told(thing: Any) -> str:
    kind = type(thing)
    return f"{kind.__module__}.{kind.__qualname__}"


def term_of(node: Sequence[Any], parts: Sequence[Any]) -> Any:
    """The formula of a node, made of the given parts.

    `node` is the node without the numbers of its parts. Raises `NotPlain` for a node that `node_of` does not
    write.
    """
    what, *told = node
    read = _READERS.get(what) if isinstance(what, str) else None
    if read is None:
        raise NotPlain(f"a node of kind {what!r}")
    return read(told, parts)


def _bare(told: Sequence[Any], parts: Sequence[Any], *kinds: type) -> None:
    if (
        parts
        or len(told) != len(kinds)
        or any(type(x) is not k for x, k in zip(told, kinds, strict=True))
    ):
        raise NotPlain("a node of another form")


def _short(*numbers: int) -> None:
    if any(number.bit_length() > MOST_BITS for number in numbers):
        raise NotPlain(f"a number of more than {MOST_BITS} bits")


def _symbol(told: Sequence[Any], parts: Sequence[Any]) -> Any:
    _bare(told, parts, str, list)
    name, given = told
    if not all(type(k) is str and type(v) is bool for k, v in given) or not name:
        raise NotPlain("a symbol of another form")
    assumed = dict(given)
    if not assumed.keys() <= _assume_defined:
        raise NotPlain("a symbol with an assumption that there is not")
    return sp.Symbol(name, **assumed)


def _function(told: Sequence[Any], parts: Sequence[Any]) -> Any:
    _bare(told, parts, str, str)
    name, sort = told
    if sort not in _SORTS or not name:
        raise NotPlain("a function that is neither real nor integer")
    return UndefinedFunction(name, **{sort: True})


def _rational(told: Sequence[Any], parts: Sequence[Any]) -> Any:
    _bare(told, parts, int, int)
    above, below = told
    _short(above, below)
    if below < 1:
        raise NotPlain("a fraction of another form")
    made = sp.Rational(above, below)
    if (made.p, made.q) != (above, below):
        raise NotPlain("a fraction that is not reduced")
    return made


def _float(told: Sequence[Any], parts: Sequence[Any]) -> Any:
    _bare(told, parts, int, int, int, int)
    sign, man, exponent, precision = told
    _short(man)
    if (
        sign not in (0, 1)
        or man < 0
        or abs(exponent) > MOST_BITS
        or not 1 <= precision <= MOST_BITS
    ):
        raise NotPlain("a decimal number of another form")
    made = sp.Float((sign, man, exponent), precision=precision)
    if type(made) is not sp.Float or tuple(made._mpf_[:3]) != (sign, man, exponent):
        raise NotPlain("a decimal number of another form")
    return made


def _constant(told: Sequence[Any], parts: Sequence[Any]) -> Any:
    _bare(told, parts, str)
    if told[0] not in _CONSTANTS:
        raise NotPlain(f"the constant {told[0]}")
    return _CONSTANTS[told[0]]


def _applied(told: Sequence[Any], parts: Sequence[Any]) -> Any:
    if told or not parts or type(parts[0]) is not UndefinedFunction:
        raise NotPlain("a value of what is no function")
    _terms(parts[1:])
    return _apply(parts[0], *parts[1:], evaluate=False)


def _term(told: Sequence[Any], parts: Sequence[Any]) -> Any:
    kind = _CLASSES.get(told[0]) if len(told) == 1 and type(told[0]) is str else None
    if kind is None:
        raise NotPlain(f"a term of kind {told!r}")
    _terms(parts)
    plain = issubclass(kind, MinMaxBase | sp.Piecewise) or not issubclass(kind, Application)
    made: Any = Basic.__new__(kind, *parts) if plain else _apply(kind, *parts, evaluate=False)
    if kind in _COMMUTATIVE:
        made.is_commutative = _commutes(kind, parts)
    if issubclass(kind, LatticeOp):
        made._argset = frozenset(parts)
    same = len(made.args) == len(parts) and all(map(is_, made.args, parts))
    if not same or type(made) is not kind:
        raise NotPlain(f"a term that {kind.__name__} writes in another way")
    return made


def _commutes(kind: type, parts: Sequence[Any]) -> bool | None:
    """The value of `is_commutative` that SymPy sets when it constructs such a term."""
    if kind is sp.Pow:
        return parts[0].is_commutative and parts[1].is_commutative  # type: ignore[no-any-return]
    if kind in (sp.Add, sp.Mul):
        return fuzzy_and(part.is_commutative for part in parts)  # type: ignore[no-any-return]
    return parts[0].is_commutative  # type: ignore[no-any-return]


def _terms(parts: Sequence[Any]) -> None:
    if not all(isinstance(part, Basic) for part in parts):
        raise NotPlain("a term with a part that is none")


_READERS: Mapping[str, Callable[[Sequence[Any], Sequence[Any]], Any]] = {
    "symbol": _symbol,
    "function": _function,
    "rational": _rational,
    "float": _float,
    "constant": _constant,
    "applied": _applied,
    "term": _term,
}
