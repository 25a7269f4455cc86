"""Patterns of formulas as text: `exp(a) <= b` finds the conclusions of that form.

A letter stands for any term, the same at each occurrence; `f(a)` with an unknown name for any
function of the author's; `Sum(a)` for a sum with such terms, `Sum(a, (k, 0, n))`, as `ropeproof try`
prints it, for one over such a range. `<=` also finds `<`.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Iterator, Mapping
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.language.logic import Both, Either, Every, If, Negation, Some

__all__ = ["Pattern", "is_pattern", "loosened", "matches", "read_pattern", "relations_of"]

Pattern = tuple[Any, ...]
_ALLOWED = "terms with + - * / ^, known functions, letters, and one of = != < <= > >="
_WRITTEN = {
    **dict(
        zip(
            "≤⩽≥⩾≠−·×∙⋅÷", ("<=", "<=", ">=", ">=", "!=", "-", "*", "*", "*", "*", "/"), strict=True
        )
    ),
    **{sign: f"**{power}" for power, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
    "∑": "Sum",
    "[Σ]": "Sum",
    r"√\s*(\w+)(?![\w(])": r"sqrt(\1)",
    "√": "sqrt",
    "π": "pi",
    r"\\leq?(?![a-z])": "<=",
    r"\\geq?(?![a-z])": ">=",
    r"\\neq?(?![a-z])": "!=",
    r"\\cdot": "*",
    r"\\(?=[A-Za-z])": "",
    "=<": "<=",
}
"""Other spellings of signs: in formulas of statements, in LaTeX, and by mistake."""
_RELATIONS = {ast.Eq: (sp.Eq,), ast.NotEq: (sp.Ne,), ast.LtE: (sp.Le, sp.Lt), ast.Lt: (sp.Lt,)}
_TURNED = {ast.GtE: ast.LtE, ast.Gt: ast.Lt}
_FUNCTIONS = {
    **{f.__name__: f for f in (sp.cos, sp.sin, sp.exp, sp.log, sp.sign, sp.floor, sp.Max, sp.Min)},
    "ln": sp.log,
    "sqrt": sp.sqrt,
    "abs": sp.Abs,
    "Abs": sp.Abs,
    "max": sp.Max,
    "min": sp.Min,
}
_OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_MOST = 1000
"""The largest exponent of a number in a pattern."""
_SUM = sp.Function("Sum", real=True)  # of a body and its ranges, which SymPy leaves as they are


def is_pattern(query: str) -> bool:
    """Whether a query is a formula rather than words."""
    return re.search(r"[<>=]", _in_signs(query)) is not None


def _in_signs(query: str) -> str:
    """The query with other spellings of signs replaced by Python's."""
    for sign, meant in _WRITTEN.items():
        query = re.sub(sign, meant, query)
    return query


def read_pattern(query: str) -> Pattern:
    """Read the pattern of a relation.

    Raises `InvalidArgument`, whose message names the part that is not understood.
    """
    text = re.sub(r"(?<![<>=!])=(?![=>])", "==", _in_signs(query)).replace("^", "**")
    text = re.sub(r"(?<=\w)'", "_prime", text)  # j' is a name that statements have
    text = re.sub(r"\blambda\b", "lamda", text)  # a word that Python keeps for itself
    try:
        node = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise _refused(query, _slip(text, error)) from None
    if isinstance(node, ast.BoolOp) or (isinstance(node, ast.Compare) and len(node.ops) > 1):
        raise _refused(query, "one relation at a time: look for each part of this by itself")
    if not isinstance(node, ast.Compare):
        raise _refused(query, "one relation, such as 'exp(a) <= b'; " + _ALLOWED)
    left, right, kind = node.left, node.comparators[0], type(node.ops[0])
    if kind in _TURNED:
        left, right, kind = right, left, _TURNED[kind]
    if kind not in _RELATIONS:
        raise _refused(query, _ALLOWED)
    return ("relation", _RELATIONS[kind], _term(left, query), _term(right, query))


def _refused(query: str, allowed: str) -> InvalidArgument:
    return InvalidArgument("pattern", query, allowed)


def _slip(text: str, error: Exception) -> str:
    """Advice on how to correct a text that is not a formula in Python."""
    if text.count("(") != text.count(")"):
        counts = f"it has {text.count('(')} '(' and {text.count(')')} ')'"
        return f"as many closing brackets as opening ones: {counts}"
    if "=>" in text or "->" in text:
        return "the conclusion alone, such as 'exp(a) <= b': what follows from what is not searched"
    for found, allowed in (
        (r"\b(for ?all|exists)\b|[∀∃]", "the relation alone: letters stand for any term"),
        (r"[|‖]", "Abs(a) for the absolute value of a; norms are found by words: find norm"),
        (r"\b\d+[A-Za-z(]|\)\(", "a * in a product: 2*x, (a)*(b)"),
        (r"[_^*]\s*\{", "no LaTeX groups: Sum(f(k), (k, 0, n)), a**(n + 1)"),
        (r"[A-Za-z]\s+[A-Za-z0-9]", "brackets around what a function is of, such as exp(a)"),
    ):
        if re.search(found, text):
            return allowed
    place = getattr(error, "offset", None)
    near = text.strip()[max((place or 1) - 1, 0) :][:12]
    return _ALLOWED + (f" (not understood from {near!r} on)" if place and near else "")


def _term(node: ast.expr, query: str) -> Pattern:
    """The pattern of a term, in the normal form that SymPy gives to statements' terms as well."""
    return _pattern(_read(node, query))


def _read(node: ast.expr, query: str) -> Any:
    """The SymPy term of a Python expression, with a real symbol for each letter."""
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return sp.Rational(str(node.value))  # 0.5 is 1/2
    if isinstance(node, ast.Name):
        return sp.pi if node.id == "pi" else sp.Symbol(node.id, real=True)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_read(node.operand, query)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        left, right = _read(node.left, query), _read(node.right, query)
        if isinstance(node.op, ast.Div) and right == 0:
            raise _refused(query, "a divisor that is not 0")
        if isinstance(node.op, ast.Pow) and left.is_Rational and abs(right) > _MOST:
            raise _refused(
                query, f"powers of numbers up to {_MOST}; a letter stands for larger ones"
            )
        return _OPERATORS[type(node.op)](left, right)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        name = node.func.id
        if name in ("Sum", "sum") and node.args:
            limits = [_limit(a, query) for a in node.args[1:]]
            return _SUM(_read(node.args[0], query), *limits)
        arguments = [_read(a, query) for a in node.args]
        kind = _FUNCTIONS.get(name, sp.Function(name, real=True))
        try:
            return kind(*arguments)
        except TypeError:  # a number of arguments that it has not
            got = f"{len(arguments)} in {ast.unparse(node)}"
            raise _refused(query, f"the arguments that {name} has, not {got}") from None
    raise _refused(query, f"no {ast.unparse(node)}: {_ALLOWED}")


def _limit(node: ast.expr, query: str) -> Any:
    """The index, first and last value in `(k, 0, n)`."""
    if (
        not isinstance(node, ast.Tuple)
        or len(node.elts) != 3
        or not isinstance(node.elts[0], ast.Name)
    ):
        got = ast.unparse(node)
        allowed = f"an index with its first and last value, such as (k, 0, n), for {got} in a sum"
        raise _refused(query, allowed)
    return sp.Tuple(*(_read(part, query) for part in node.elts))


def _pattern(term: Any) -> Pattern:
    if isinstance(term, sp.Symbol):
        return ("any", term.name)
    if not term.args or term.is_Rational:
        return ("is", term)
    if isinstance(term, _SUM):
        return (
            "sum",
            _pattern(term.args[0]),
            tuple(tuple(map(_pattern, r)) for r in term.args[1:]),
        )
    parts = tuple(map(_pattern, term.args))
    if isinstance(term, AppliedUndef):
        return ("function", term.func.__name__, parts)
    if isinstance(
        term, sp.Add | sp.Mul | sp.Max | sp.Min
    ):  # in any order; letters take what is left
        return ("+*", term.func, tuple(sorted(parts, key=lambda part: part[0] == "any")))
    return ("of", term.func, parts)


def loosened(pattern: Any) -> Any:
    """The pattern with functions of unknown names for any term: `f(k)` also for `a*k + 1`."""
    if not isinstance(pattern, tuple):
        return pattern
    if pattern and pattern[0] == "function":
        inside = ", ".join(str(part[1]) for part in pattern[2])
        return ("any", f"{pattern[1]}({inside})")
    return tuple(loosened(part) for part in pattern)


def relations_of(formula: Any) -> Iterator[Any]:
    """The relations among the conclusions of a formula."""
    if isinstance(formula, If | Every | Some):
        yield from relations_of(formula.args[1])
    elif isinstance(formula, Both | Either | Negation):
        for part in formula.args:
            yield from relations_of(part)
    elif isinstance(formula, sp.core.relational.Relational):
        yield formula


def matches(pattern: Pattern, relation: Any) -> Mapping[str, Any] | None:
    """The terms for the pattern's letters that make it this relation; None if there are none."""
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
        if isinstance(term, sp.Sum) and len(pattern[2]) in (0, len(term.limits)):
            limits = zip(pattern[2], term.limits[: len(pattern[2])], strict=True)
            ranges = [pair for wanted, limit in limits for pair in zip(wanted, limit, strict=True)]
            pairs = [*ranges, (pattern[1], term.function)]
            yield from _each([a for a, _ in pairs], [b for _, b in pairs], bound)
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
    """Matches of the parts of a sum or product in any order; the last letter takes the rest."""
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
