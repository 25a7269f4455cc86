"""Local names of a file that nothing reads any more once steps are left out."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator

from ropeproof.proofs_check.merging.calls import METHODS

__all__ = ["without_unused"]

MAKERS = frozenset(name for names in METHODS.values() for name in names) | {"let", "parts"}
"""The methods that change the proof: what calls one of them stays, whether or not it has a reader."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


def without_unused(text: str, before: str) -> str:
    """The text without the assignments to local names that were read in the text before and are not now.

    A name stays if what it is assigned makes a step, if a comment stands in the statement, and if it is
    bound twice. Names of the module are left alone: others may import them.
    """
    read = {(f.name, n) for f in _functions(ast.parse(before)) for n in _loads(f)}
    while (shorter := _once(text, read)) != text:
        text = shorter
    return text


def _once(text: str, read: set[tuple[str, str]]) -> str:
    """The text without the first such assignment, or as it is."""
    lines = text.splitlines(keepends=True)
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    commented = {t.start[0] for t in tokens if t.type == tokenize.COMMENT}
    for function in _functions(ast.parse(text)):
        loads, stores = _loads(function), _stores(function)
        for body in _bodies(function):
            for statement in body:
                if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
                    continue
                (target,) = statement.targets
                rows = range(statement.lineno, (statement.end_lineno or 0) + 1)
                if commented.intersection(rows) or not _is_alone(statement, body):
                    continue
                pairs = _pairs(target, statement.value)
                idle = [
                    n
                    for n, value in pairs
                    if (function.name, n) in read
                    and n not in loads
                    and stores.count(n) == 1
                    and not _makes(value)
                ]
                if not idle or (len(idle) == len(pairs) and len(body) == 1):
                    continue
                left = [(n, value) for n, value in pairs if n not in idle]
                new = _assignment(left, text, statement) if left else ""
                return "".join((*lines[: rows.start - 1], new, *lines[rows.stop - 1 :]))
    return text


def _functions(tree: ast.AST) -> Iterator[Function]:
    """The functions of a file that stand in no other function."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Function):
            yield node
        else:
            yield from _functions(node)


def _loads(function: Function) -> frozenset[str]:
    names = (n for n in ast.walk(function) if isinstance(n, ast.Name))
    return frozenset(n.id for n in names if isinstance(n.ctx, ast.Load))


def _stores(function: Function) -> list[str]:
    """The names that a function binds, as often as it does; one that is not its own counts twice."""
    found: list[str] = []
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
            found.append(node.id)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            found += [*node.names, *node.names]
    return found


def _bodies(function: Function) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(function):
        for name in ("body", "orelse", "finalbody"):
            body = getattr(node, name, [])
            if isinstance(body, list) and body:
                yield body


def _is_alone(statement: ast.stmt, body: list[ast.stmt]) -> bool:
    """Whether no other statement stands on the lines of this one."""
    rows = {statement.lineno, statement.end_lineno}
    return not any(s is not statement and rows & {s.lineno, s.end_lineno} for s in body)


def _pairs(target: ast.expr, value: ast.expr) -> list[tuple[str, ast.expr]]:
    """Each name with what it is assigned; none where that cannot be told."""
    if isinstance(target, ast.Name):
        return [(target.id, value)]
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        names = [t.id for t in target.elts if isinstance(t, ast.Name)]
        starred = any(isinstance(v, ast.Starred) for v in value.elts)
        if len(names) == len(target.elts) == len(value.elts) and not starred:
            return list(zip(names, value.elts, strict=True))
    return []


def _makes(value: ast.expr) -> bool:
    """Whether an expression may make a step: it calls a method of the language, or gives a proof away."""
    for node in ast.walk(value):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute) and node.func.attr in MAKERS:
                return True
            if any(isinstance(a, ast.Name) and a.id in ("p", "proof", "scope") for a in node.args):
                return True
    return False


def _assignment(pairs: list[tuple[str, ast.expr]], text: str, statement: ast.stmt) -> str:
    values = ", ".join(ast.get_source_segment(text, value) or "" for _, value in pairs)
    return f"{' ' * statement.col_offset}{', '.join(name for name, _ in pairs)} = {values}\n"
