"""Patterns of formulas, as text: `exp(a) <= b` finds the conclusions of that form.

A letter stands for any term, the same wherever it occurs twice; `f(a)` with an unknown name for any
function of the author's; `Sum(a)` for a sum with such terms. `<=` also finds `<`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.language.logic import Both, Either, Every, If, Negation, Some

__all__ = ["Pattern", "is_pattern", "matches", "read_pattern", "relations_of"]

Pattern = tuple[Any, ...]
_ALLOWED = "terms with + - * / ^, known functions, letters, and one of = != < <= > >="
_RELATIONS = {ast.Eq: (sp.Eq,), ast.NotEq: (sp.Ne,), ast.LtE: (sp.Le, sp.Lt), ast.Lt: (sp.Lt,)}
_TURNED = {ast.GtE: ast.LtE, ast.Gt: ast.Lt}
_FUNCTIONS = {
    **{f.__name__: f for f in (sp.cos, sp.sin, sp.exp, sp.log, sp.sign, sp.floor, sp.Max, sp.Min)},
    "ln": sp.log,
    "abs": sp.Abs,
    "Abs": sp.Abs,
    "max": sp.Max,
    "min": sp.Min,
}


def is_pattern(query: str) -> bool:
    """Whether a query is a formula and no words."""
    return re.search(r"[<>=]", query) is not None


def read_pattern(query: str) -> Pattern:
    """The pattern of a relation. Raises `InvalidArgument`."""
    text = re.sub(r"(?<![<>=!])=(?!=)", "==", query).replace("^", "**")
    try:
        node = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        raise InvalidArgument("pattern", query, _ALLOWED) from None
    if not isinstance(node, ast.Compare) or len(node.ops) != 1:
        raise InvalidArgument("pattern", query, "one relation; " + _ALLOWED)
    left, right, kind = node.left, node.comparators[0], type(node.ops[0])
    if kind in _TURNED:
        left, right, kind = right, left, _TURNED[kind]
    if kind not in _RELATIONS:
        raise InvalidArgument("pattern", query, _ALLOWED)
    return ("relation", _RELATIONS[kind], _term(left, query), _term(right, query))


def _term(node: ast.expr, query: str) -> Pattern:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return ("is", sp.Integer(node.value))
    if isinstance(node, ast.Name):
        return ("is", sp.pi) if node.id == "pi" else ("any", node.id)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return _minus(_term(node.operand, query))
    if isinstance(node, ast.BinOp):
        left, right = _term(node.left, query), _term(node.right, query)
        if isinstance(node.op, ast.Add):
            return ("+*", sp.Add, (left, right))
        if isinstance(node.op, ast.Sub):
            return ("+*", sp.Add, (left, _minus(right)))
        if isinstance(node.op, ast.Mult):
            return ("+*", sp.Mul, (left, right))
        if isinstance(node.op, ast.Div):
            return ("+*", sp.Mul, (left, ("of", sp.Pow, (right, ("is", sp.Integer(-1))))))
        if isinstance(node.op, ast.Pow):
            return ("of", sp.Pow, (left, right))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        arguments = tuple(_term(a, query) for a in node.args)
        name = node.func.id
        if name in ("Sum", "sum") and arguments:
            return ("sum", arguments[0])
        if name == "sqrt":
            return ("of", sp.Pow, (*arguments, ("is", sp.Rational(1, 2))))
        if name in _FUNCTIONS:
            kind = "+*" if name.lower() in ("max", "min") else "of"
            return (kind, _FUNCTIONS[name], arguments)
        return ("function", name, arguments)
    raise InvalidArgument("pattern", query, _ALLOWED)


def _minus(pattern: Pattern) -> Pattern:
    if pattern[0] == "is":
        return ("is", -pattern[1])
    return ("+*", sp.Mul, (("is", sp.Integer(-1)), pattern))


def relations_of(formula: Any) -> Iterator[Any]:
    """The relations that a formula concludes."""
    if isinstance(formula, If | Every | Some):
        yield from relations_of(formula.args[1])
    elif isinstance(formula, Both | Either | Negation):
        for part in formula.args:
            yield from relations_of(part)
    elif isinstance(formula, sp.core.relational.Relational):
        yield formula


def matches(pattern: Pattern, relation: Any) -> Mapping[str, Any] | None:
    """What the letters stand for in a relation of this form; None for one of another form."""
    _, kinds, left, right = pattern
    if not isinstance(relation, kinds):
        return None
    sides = [relation.args]
    if sp.Eq in kinds or sp.Ne in kinds:
        sides.append(relation.args[::-1])
    for a, b in sides:
        for bound in _match(left, a, {}):
            for found in _match(right, b, bound):
                return found
    return None


def _match(pattern: Pattern, term: Any, bound: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    kind = pattern[0]
    if kind == "any":
        name = pattern[1]
        if name not in bound:
            yield {**bound, name: term}
        elif bound[name] == term:
            yield bound
    elif kind == "is":
        if term == pattern[1]:
            yield bound
    elif kind == "sum":
        if isinstance(term, sp.Sum):
            yield from _match(pattern[1], term.function, bound)
    elif kind == "function":
        if isinstance(term, AppliedUndef) and bound.get(pattern[1], term.func) == term.func:
            yield from _each(pattern[2], term.args, {**bound, pattern[1]: term.func})
    elif kind == "of":
        if term.func == pattern[1] or (pattern[1] == sp.Pow and isinstance(term, sp.Pow)):
            yield from _each(pattern[2], term.args, bound)
    elif term.func == pattern[1]:
        yield from _parts(pattern[1], pattern[2], term.args, bound)


def _each(patterns: Any, terms: Any, bound: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    if len(patterns) != len(terms):
        return
    if not patterns:
        yield bound
        return
    for found in _match(patterns[0], terms[0], bound):
        yield from _each(patterns[1:], terms[1:], found)


def _parts(head: Any, patterns: Any, terms: Any, bound: Any) -> Iterator[Mapping[str, Any]]:
    """The parts of a sum or product in any order; the last letter takes what is left."""
    first, *rest = patterns
    if not rest:
        yield from _match(first, terms[0] if len(terms) == 1 else head(*terms), bound)
        return
    if first[0] == "any" and rest[-1][0] != "any":
        first, rest = rest[-1], [*rest[:-1], first]  # what is known comes first
    for number, term in enumerate(terms):
        others = (*terms[:number], *terms[number + 1 :])
        if others:
            for found in _match(first, term, bound):
                yield from _parts(head, rest, others, found)
