"""Reading SymPy's expressions as terms and formulas of the kernel; only those listed here are read.

A claim means what is read here; nothing is evaluated. A symbol is an integer or a real number
and has no other assumption, which would be a hidden hypothesis.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import sympy as sp
from quicktions import Fraction
from sympy.logic.boolalg import Boolean, BooleanAtom

from ropeproof.proofs_check.kernel.terms import (
    FALSE,
    MOST_BITS,
    MOST_NODES,
    REMEMBER_AT_MOST,
    TRUE,
    Lambda,
    Malformed,
    Term,
    Value,
    Variable,
    add,
    bind,
    bits_of,
    free,
    integrality,
    is_integer,
    mul,
    neg,
    number,
    sub,
)
from ropeproof.theory.language import logic

__all__ = ["READ", "names_of", "read", "read_mapping"]

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_RELATIONS = {sp.Eq: "eq", sp.Ne: "ne", sp.Le: "le", sp.Lt: "lt", sp.Ge: "le", sp.Gt: "lt"}
_MANY = {logic.Both: "and", sp.And: "and", logic.Either: "or", sp.Or: "or"}
_SYMPY_UNARY = {sp.cos: "cos", sp.sin: "sin", sp.exp: "exp", sp.log: "log", sp.Abs: "abs",
                sp.sign: "sign", sp.floor: "floor"}  # fmt: skip
READ: dict[int, tuple[Term, Any, int]] = {}


def read(expr: Any) -> Term:
    """The term or formula of an expression; raises `Malformed` if one of its names stands for two things."""
    if isinstance(expr, bool):
        return TRUE if expr else FALSE
    expr = sp.sympify(expr)
    stated = isinstance(expr, Boolean) and not isinstance(expr, sp.Expr)  # a symbol is both
    result = _read_formula(expr) if stated else _read_term(expr)
    free(result)
    return result


def _read_formula(expr: Any) -> Term:
    if isinstance(expr, BooleanAtom):
        return TRUE if expr else FALSE
    for kind, name in _RELATIONS.items():
        if isinstance(expr, kind):
            left, right = (_read_term(side) for side in expr.args)
            return (name, right, left) if isinstance(expr, sp.Ge | sp.Gt) else (name, left, right)
    for kind, name in _MANY.items():
        if isinstance(expr, kind):
            return (name, tuple(_read_formula(a) for a in expr.args))
    if isinstance(expr, logic.If | sp.Implies):
        premise, conclusion = expr.args
        return ("if", _read_formula(premise), _read_formula(conclusion))
    if isinstance(expr, logic.Negation | sp.Not):
        return ("not", _read_formula(expr.args[0]))
    if isinstance(expr, logic.Every | logic.Some):
        variables, body = expr.args
        bound = tuple(_read_variable(v) for v in variables)
        kind = "all" if isinstance(expr, logic.Every) else "some"
        return (kind, bound, bind(_read_formula(body), bound))
    raise Malformed(f"not a formula: {expr}")


def _read_variable(expr: Any) -> Variable:
    term = _read_term(expr)
    if term[0] in ("x", "f"):
        return Variable(term[1], term[2], len(term[3]) if term[0] == "f" else 0)
    raise Malformed(f"not a variable: {expr}")


def _read_term(expr: Any) -> Term:
    """The term of an object, which is read once: it is held, so that no other has its id.

    One object may stand in many places. Each counts: a term that is too large is refused here.
    """
    if id(expr) not in READ:
        if len(READ) > REMEMBER_AT_MOST:
            READ.clear()
        term = _read_new(expr)
        nodes = 1 + sum(READ[id(a)][2] for a in getattr(expr, "args", ()) if id(a) in READ)
        if nodes > MOST_NODES:
            raise Malformed(f"a term of more than {MOST_NODES} parts")
        READ[id(expr)] = term, expr, nodes
    return READ[id(expr)][0]


def _read_new(expr: Any) -> Term:
    if isinstance(expr, sp.Rational):
        value = Fraction(int(expr.p), int(expr.q))
        if bits_of(value) > MOST_BITS:
            raise Malformed(f"a number of more than {MOST_BITS} bits")
        return ("q", value)
    if expr is sp.pi:
        return ("pi",)
    if expr is sp.E:
        return ("exp", number(1))
    if isinstance(expr, sp.Symbol):
        return ("x", expr.name, _sort(expr, sp.Symbol))
    if isinstance(expr, sp.Add | sp.Mul):
        return ("+" if isinstance(expr, sp.Add) else "*", tuple(_read_term(a) for a in expr.args))
    if isinstance(expr, sp.Pow):
        return _read_power(*expr.args)
    for kind, name in _SYMPY_UNARY.items():
        if isinstance(expr, kind) and len(expr.args) == 1:
            return (name, _read_term(expr.args[0]))
    if isinstance(expr, sp.tan):
        argument = _read_term(expr.args[0])
        return mul(("sin", argument), ("^", ("cos", argument), number(-1)))
    if isinstance(expr, sp.sinh | sp.cosh | sp.tanh):
        return _read_hyperbolic(expr)
    if isinstance(expr, sp.Max | sp.Min):
        return (type(expr).__name__.lower(), tuple(_read_term(a) for a in expr.args))
    if isinstance(expr, sp.Sum):
        return _read_sum(expr)
    if isinstance(expr, sp.Piecewise):
        return _read_piecewise(expr)
    if isinstance(expr, sp.core.function.AppliedUndef):
        arguments = tuple(_read_term(a) for a in expr.args)
        if not arguments:
            raise Malformed(f"{expr} has no argument; write it as a symbol")
        return ("f", expr.func.__name__, _sort(expr.func, sp.Function), arguments)
    raise Malformed(f"not in the kernel's language: {type(expr).__name__} {expr}")


def _sort(symbol: Any, kind: Any) -> bool:
    name = symbol.name if kind is sp.Symbol else symbol.__name__
    if not _NAME.fullmatch(name):
        raise Malformed(f"{name!r} is no name; allowed: letters, digits and _")
    for sort in ("integer", "real"):
        if symbol == _declared(kind, name, sort):
            return sort == "integer"
    raise Malformed(
        f"{name}: declared with hidden assumptions; allowed: real=True or integer=True alone"
    )


@lru_cache(REMEMBER_AT_MOST)
def _declared(kind: Any, name: str, sort: str) -> Any:
    return kind(name, **{sort: True})


def _read_power(base: Any, exponent: Any) -> Term:
    if isinstance(exponent, sp.Rational) and exponent.q == 2:
        root = ("sqrt", _read_term(base))
        return root if exponent.p == 1 else ("^", root, number(int(exponent.p)))
    return ("^", _read_term(base), _read_term(exponent))


def _read_hyperbolic(expr: Any) -> Term:
    argument = _read_term(expr.args[0])
    plus, minus = ("exp", argument), ("exp", neg(argument))
    if isinstance(expr, sp.tanh):
        return mul(sub(plus, minus), ("^", add(plus, minus), number(-1)))
    half = number(Fraction(1, 2))
    return mul(half, add(plus, minus) if isinstance(expr, sp.cosh) else sub(plus, minus))


def _read_sum(expr: Any) -> Term:
    body = _read_term(expr.function)
    for variable, low, high in expr.limits:  # the first limit is the innermost
        if not _sort(variable, sp.Symbol):
            raise Malformed(f"the summation index {variable} is not an integer symbol")
        bounds = _read_term(low), _read_term(high)
        if not all(is_integer(b) for b in bounds):
            raise Malformed(f"a sum whose bounds are not integers by their form: {expr}")
        index = Variable(variable.name, True)
        body = ("sum", index, *bounds, bind(body, [index]))
    return body


def _read_piecewise(expr: Any) -> Term:
    *cases, (last, condition) = expr.args
    if condition != True:  # noqa: E712  # a SymPy object
        raise Malformed("a Piecewise needs a last case for everything else")
    result = _read_term(last)
    for value, condition in reversed(cases):
        result = ("ite", _read_formula(condition), _read_term(value), result)
    return result


def names_of(mapping: Mapping[Any, Any]) -> set[str]:
    """The names to which a SymPy mapping gives values."""
    return {k.name if isinstance(k, sp.Symbol) else k.__name__ for k in mapping}


def read_mapping(
    mapping: Mapping[Any, Any], targets: Mapping[str, tuple[bool, int]]
) -> tuple[dict[str, Value], list[Term]]:
    """Read a SymPy mapping: symbols to expressions, function symbols to `sympy.Lambda`.

    `targets` says what each name stands for there; a key of another sort or arity is refused.
    Also returns what must hold for each value of an integer symbol to be an integer.
    """
    result: dict[str, Value] = {}
    needed: list[Term] = []
    for symbol, value in dict(mapping).items():
        if isinstance(symbol, sp.Symbol):
            name, sort, arity = symbol.name, _sort(symbol, sp.Symbol), 0
            result[name] = body = _read_term(sp.sympify(value))
        elif isinstance(symbol, sp.core.function.UndefinedFunction):
            name, sort = symbol.__name__, _sort(symbol, sp.Function)
            result[name] = parameters, body = _read_lambda(value)
            arity = len(parameters)
        else:
            raise Malformed(f"cannot be instantiated: {symbol}")
        if targets.get(name) != (sort, arity):
            raise Malformed(f"{name} is not there, or stands for something else")
        conditions = integrality(body) if sort else []
        if conditions is None or (arity and conditions):  # no condition about a parameter
            raise Malformed(f"{name} is an integer, {value} is not one by its form")
        needed += conditions
    return result, needed


def _read_lambda(value: Any) -> Lambda:
    if not isinstance(value, sp.Lambda):
        raise Malformed(f"write the value of a function as a Lambda, not as {value}")
    parameters = tuple(_read_variable(v) for v in value.signature)
    if any(v.arity for v in parameters):
        raise Malformed("a parameter of a Lambda is a symbol")
    return parameters, bind(_read_term(value.expr), parameters)
