"""Terms and formulas of the kernel: plain nested tuples that never evaluate themselves.

SymPy objects are read once, here, and only the node types below are understood. Everything
denotes a real number, and every function is total: 1/0 = 0, sqrt and log of a number outside
their domain are 0, an empty sum is 0. No rule may use such a value: each asks for the premise
that excludes it.

Terms     ("q", Fraction)  ("x", name, is_integer)  ("pi",)  ("+", terms)  ("*", terms)
          ("^", base, exponent)  (f, term) for f in UNARY  ("max"|"min", terms)
          ("f", name, is_integer, terms)  ("sum", name, low, high, body)  ("ite", formula, a, b)
Formulas  ("eq"|"ne"|"le"|"lt", a, b)  ("and"|"or", formulas)  ("if", p, c)  ("not", p)
          ("all"|"some", variables, body) with variables (name, is_integer, arity)  ("true",)
          ("false",)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import Any

import sympy as sp
from quicktions import Fraction

from ropeproof.theory import logic

__all__ = [
    "FALSE",
    "TRUE",
    "Lambda",
    "Malformed",
    "Term",
    "add",
    "free",
    "fresh",
    "integrality",
    "is_integer",
    "mul",
    "names_of",
    "neg",
    "number",
    "read",
    "read_mapping",
    "sorts",
    "sub",
    "substitute",
]

Term = tuple[Any, ...]
Lambda = tuple[tuple[str, ...], Term]  # parameters and body: the value of a function symbol

UNARY = ("cos", "sin", "exp", "log", "abs", "sign", "floor", "sqrt")
TRUE: Term = ("true",)
FALSE: Term = ("false",)
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_RELATIONS = {sp.Eq: "eq", sp.Ne: "ne", sp.Le: "le", sp.Lt: "lt"}
_FORMULAS = (
    sp.core.relational.Relational,
    logic.Both,
    logic.Either,
    logic.If,
    logic.Negation,
    logic.Every,
    logic.Some,
    sp.And,
    sp.Or,
    sp.Implies,
    sp.Not,
    sp.logic.boolalg.BooleanAtom,
)
_SYMPY_UNARY = {
    sp.cos: "cos",
    sp.sin: "sin",
    sp.log: "log",
    sp.Abs: "abs",
    sp.sign: "sign",
    sp.floor: "floor",
}


class Malformed(Exception):
    """An expression outside the kernel's language."""


def number(value: int | Fraction) -> Term:
    """The rational constant `value`."""
    return ("q", Fraction(value))


def add(*terms: Term) -> Term:
    """The sum of the terms."""
    return ("+", terms)


def mul(*terms: Term) -> Term:
    """The product of the terms."""
    return ("*", terms)


def neg(term: Term) -> Term:
    """Minus the term."""
    return ("*", (number(-1), term))


def sub(a: Term, b: Term) -> Term:
    """The difference."""
    return ("+", (a, neg(b)))


def read(expr: Any) -> Term:
    """Translate a SymPy term or formula. Raises `Malformed` on anything not listed above."""
    if isinstance(expr, bool):
        return TRUE if expr else FALSE
    expr = sp.sympify(expr)
    return _read_formula(expr) if isinstance(expr, _FORMULAS) else _read_term(expr)


def _read_formula(expr: Any) -> Term:
    if isinstance(expr, sp.logic.boolalg.BooleanAtom):
        return TRUE if expr else FALSE
    for kind, name in _RELATIONS.items():
        if isinstance(expr, kind):
            return (name, _read_term(expr.lhs), _read_term(expr.rhs))
    if isinstance(expr, sp.Ge | sp.Gt):
        kind = "le" if isinstance(expr, sp.Ge) else "lt"
        return (kind, _read_term(expr.rhs), _read_term(expr.lhs))
    if isinstance(expr, logic.Both | sp.And):
        return ("and", tuple(_read_formula(a) for a in expr.args))
    if isinstance(expr, logic.Either | sp.Or):
        return ("or", tuple(_read_formula(a) for a in expr.args))
    if isinstance(expr, logic.If | sp.Implies):
        premise, conclusion = expr.args
        return ("if", _read_formula(premise), _read_formula(conclusion))
    if isinstance(expr, logic.Negation | sp.Not):
        return ("not", _read_formula(expr.args[0]))
    if isinstance(expr, logic.Every | logic.Some):
        variables, body = expr.args
        return (
            "all" if isinstance(expr, logic.Every) else "some",
            tuple(_read_variable(v) for v in variables),
            _read_formula(body),
        )
    raise Malformed(f"not a formula: {expr}")


def _read_variable(expr: Any) -> tuple[str, bool, int]:
    term = _read_term(expr)
    if term[0] == "x":
        return (term[1], term[2], 0)
    if term[0] == "f":
        return (term[1], term[2], len(term[3]))
    raise Malformed(f"not a variable: {expr}")


def _read_term(expr: Any) -> Term:
    if isinstance(expr, sp.Rational):
        return number(Fraction(int(expr.p), int(expr.q)))
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
    if isinstance(expr, sp.exp):
        return ("exp", _read_term(expr.args[0]))
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
    if symbol == kind(name, integer=True):
        return True
    if symbol == kind(name, real=True):
        return False
    raise Malformed(
        f"{name}: declared with hidden assumptions; allowed: real=True or integer=True alone"
    )


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
        body = ("sum", variable.name, *bounds, body)
    return body


def _read_piecewise(expr: Any) -> Term:
    *cases, (last, condition) = expr.args
    if condition != True:  # noqa: E712  # a SymPy object
        raise Malformed("a Piecewise needs a last case for everything else")
    result = _read_term(last)
    for value, condition in reversed(cases):
        result = ("ite", _read_formula(condition), _read_term(value), result)
    return result


def integrality(term: Term) -> list[Term] | None:
    """What must hold for the term to be an integer by its form; None if its form says no."""
    kind = term[0]
    if kind == "q":
        return [] if term[1].denominator == 1 else None
    if kind in ("x", "f"):
        return [] if term[2] else None
    if kind in ("sign", "floor"):
        return []
    if kind == "^":
        base, exponent = integrality(term[1]), integrality(term[2])
        if base is None or exponent is None:
            return None
        known = term[2][0] == "abs" or (term[2][0] == "q" and term[2][1] >= 0)
        return [*base, *exponent, *([] if known else [("le", number(0), term[2])])]
    if kind in ("+", "*", "max", "min"):
        parts = term[1]
    elif kind == "ite":
        parts = term[2:]
    elif kind in ("abs", "sum"):
        parts = (term[-1],)
    else:
        return None
    needed = [integrality(part) for part in parts]
    if None in needed or (kind == "sum" and needed != [[]]):  # no condition about the index
        return None
    return [f for part in needed if part for f in part]


def is_integer(term: Term) -> bool:
    """Whether the term is an integer by its form alone."""
    return integrality(term) == []


def free(term: Any) -> dict[str, tuple[bool, int]]:
    """Free names with their sort and arity; raises `Malformed` if one name has two sorts."""
    found: dict[str, tuple[bool, int]] = {}
    for name, is_int, arity in _free(term):
        if found.setdefault(name, (is_int, arity)) != (is_int, arity):
            raise Malformed(f"{name} stands for two different things")
    return found


def _free(term: Any) -> Iterator[tuple[str, bool, int]]:
    if not isinstance(term, tuple) or not term:
        return
    kind = term[0]
    if kind == "x":
        yield (term[1], term[2], 0)
    elif kind == "f":
        yield (term[1], term[2], len(term[3]))
        for argument in term[3]:
            yield from _free(argument)
    elif kind == "sum":
        yield from _free(term[2])
        yield from _free(term[3])
        yield from _unbound(term[4], ((term[1], True, 0),))
    elif kind in ("all", "some"):
        yield from _unbound(term[2], term[1])
    else:
        for part in term if isinstance(kind, tuple) else term[1:]:
            yield from _free(part)


def _unbound(body: Term, variables: Iterable[tuple[str, bool, int]]) -> Iterator[Any]:
    bound = {v[0]: v for v in variables}
    for v in _free(body):
        if bound.get(v[0], v) != v:
            raise Malformed(f"{v[0]} is bound as one thing and used as another")
        if v[0] not in bound:
            yield v


def fresh(name: str, taken: Any) -> str:
    """A name derived from `name` that is not in `taken`."""
    stem = name.split("'", maxsplit=1)[0]
    return next(c for i in count(1) if (c := f"{stem}'{i}") not in taken)


def sorts(formula: Term) -> dict[str, tuple[bool, int]]:
    """Sort and arity of the variables that a quantified formula binds."""
    return {v[0]: (v[1], v[2]) for v in formula[1]} if formula[0] in ("all", "some") else {}


def names_of(mapping: Mapping[Any, Any]) -> set[str]:
    """The names that a SymPy mapping gives values to."""
    return {k.name if isinstance(k, sp.Symbol) else k.__name__ for k in mapping}


def read_mapping(
    mapping: Mapping[Any, Any], targets: Mapping[str, tuple[bool, int]]
) -> tuple[dict[str, Any], list[Term]]:
    """Read a SymPy mapping: symbols to expressions, function symbols to `sympy.Lambda`.

    `targets` says what each name stands for there; a key of another sort or arity is refused.
    Also returns what must hold for each value of an integer symbol to be an integer.
    """
    result: dict[str, Any] = {}
    needed: list[Term] = []
    for symbol, value in mapping.items():
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
    body = _read_term(value.expr)
    for _ in _unbound(body, parameters):  # refuses a parameter used as something else
        pass
    if any(arity for _, _, arity in parameters):
        raise Malformed("a parameter of a Lambda is a symbol")
    return tuple(name for name, _, _ in parameters), body


def substitute(term: Any, mapping: Mapping[str, Term | Lambda]) -> Any:
    """Replace free names, renaming bound variables that would capture."""
    if not mapping or not isinstance(term, tuple) or not term:
        return term
    kind = term[0]
    if kind == "x":
        return mapping.get(term[1], term)
    if kind == "f":
        arguments = tuple(substitute(a, mapping) for a in term[3])
        if term[1] not in mapping:
            return (*term[:3], arguments)
        parameters, body = mapping[term[1]]
        if len(parameters) != len(arguments):
            raise Malformed(f"{term[1]} takes {len(arguments)} arguments, not {len(parameters)}")
        inside = free(body)
        for parameter, argument in zip(parameters, arguments, strict=True):
            if inside.get(parameter, (False, 0))[0] and not is_integer(argument):
                raise Malformed(f"the argument {parameter} of {term[1]} is an integer")
        return substitute(body, dict(zip(parameters, arguments, strict=True)))
    if kind == "sum":
        ((name, _, _),), (body,), inner = _under([(term[1], True, 0)], (term[4],), mapping)
        low, high = substitute(term[2], mapping), substitute(term[3], mapping)
        return ("sum", name, low, high, substitute(body, inner))
    if kind in ("all", "some"):
        variables, (body,), inner = _under(list(term[1]), (term[2],), mapping)
        return (kind, tuple(variables), substitute(body, inner))
    if isinstance(kind, tuple):
        return tuple(substitute(part, mapping) for part in term)
    return (kind, *(substitute(part, mapping) for part in term[1:]))


def _under(
    variables: list[tuple[str, bool, int]], bodies: tuple[Any, ...], mapping: Mapping[str, Any]
) -> tuple[list[tuple[str, bool, int]], tuple[Any, ...], dict[str, Any]]:
    inner = {k: v for k, v in mapping.items() if k not in {name for name, _, _ in variables}}
    inside: set[str] = set().union(*(set(free(b)) for b in bodies))
    inner = {k: v for k, v in inner.items() if k in inside}
    captured: set[str] = set().union(*(_names_of(v) for v in inner.values()))
    taken = captured | inside | set(inner)
    renamed: list[tuple[str, bool, int]] = []
    for name, is_int, arity in variables:
        new = name
        if name in captured:
            new = fresh(name, taken)
            taken.add(new)
            inner[name] = _as_value(new, is_int, arity)
        renamed.append((new, is_int, arity))
    return renamed, bodies, inner


def _as_value(name: str, is_int: bool, arity: int) -> Any:
    if arity == 0:
        return ("x", name, is_int)
    parameters = tuple(f"argument'{i}" for i in range(arity))
    return (parameters, ("f", name, is_int, tuple(("x", p, False) for p in parameters)))


def _names_of(value: Any) -> set[str]:
    if (
        len(value) == 2
        and isinstance(value[0], tuple)
        and all(isinstance(p, str) for p in value[0])
    ):
        return set(free(value[1])) - set(value[0])
    return set(free(value))
