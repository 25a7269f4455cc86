r"""Formulas as LaTeX: one line where they fit, and broken where their own structure says.

The connectives are printed with the brackets that they need, since a formula on a page must
read as the formula that was checked. A bound such as `0 <= l and l <= m - 1` is printed as a
chain, and a term `A(l)` of a sequence as $A_l$.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from ropeproof.theory.language.binders import distinct
from ropeproof.theory.language.latex import PRINTER, RELATIONS
from ropeproof.theory.language.logic import Both, Either, Every, If, Negation, Some, is_loose

__all__ = ["display", "inline", "width"]

LINE = 62.0
"""Characters of a line of a displayed formula, about what a page 46 em wide holds."""


@cache
def _term(expression: Any) -> str:
    return str(PRINTER.doprint(expression))


def inline(formula: Any) -> str:
    r"""A formula on one line, as LaTeX without dollar signs.

    >>> from ropeproof.theory.language.logic import If, every, integer, le, real_function
    >>> l, m = integer("l m")
    >>> inline(every(l, 0, m - 1, le(0, real_function("A")(l))))
    '\\forall\\, 0 \\le l \\le m - 1:\\ 0 \\le A_{l}'
    """
    return _formula(distinct(formula))


def display(formula: Any, line: float = LINE) -> list[str]:
    """The lines of a displayed formula, as LaTeX: one if it fits into `line` characters.

    Cost: a few passes over the formula per level of its connectives.
    """
    return list(_lines(distinct(formula), line))


def _formula(formula: Any) -> str:
    """A formula on one line."""
    match formula:
        case Both():
            return r"\ \wedge\ ".join(_chains(formula.args))
        case Either():
            return r"\ \vee\ ".join(map(_bracketed, formula.args))
        case If():
            premise, conclusion = formula.args
            return rf"{_bracketed(premise, If)}\ \Rightarrow\ {_bracketed(conclusion, If)}"
        case Negation():
            return rf"\neg\,({_formula(formula.args[0])})"
        case Every() | Some():
            head, body = _quantifier(formula)
            return rf"{head}:\ {_formula(body)}"
        case _:
            return _term(formula)


def _bracketed(formula: Any, *also: type) -> str:
    tight = isinstance(formula, Both) and If in also
    if is_loose(formula) and not tight:
        return f"({_formula(formula)})"
    return _formula(formula)


def _chains(parts: Sequence[Any]) -> Iterator[str]:
    """The parts of a conjunction; bounds that share a side are joined to one chain."""
    for run in _runs(parts):
        if len(run) == 1:
            yield _bracketed(run[0])
        else:
            signs = [RELATIONS[r.rel_op] for r in run]
            sides = [_term(run[0].lhs), *(_term(r.rhs) for r in run)]
            tail = (f"{sign} {side}" for sign, side in zip(signs, sides[1:], strict=True))
            yield " ".join([sides[0], *tail])


def _runs(parts: Sequence[Any]) -> list[list[Any]]:
    runs: list[list[Any]] = []
    for part in parts:
        if runs and _continues(runs[-1][-1], part):
            runs[-1].append(part)
        else:
            runs.append([part])
    return runs


def _continues(before: Any, part: Any) -> bool:
    return (
        isinstance(before, Relational)
        and isinstance(part, Relational)
        and before.rhs == part.lhs
        and {before.rel_op, part.rel_op} <= {"<=", "<"}
    )


def _quantifier(formula: Any) -> tuple[str, Any]:
    r"""The head of a quantifier and what remains to be said.

    `for all l: 0 <= l and l <= m - 1 => P` has the head $\forall\,0\le l\le m-1$ and the body P.
    """
    sign = r"\forall" if isinstance(formula, Every) else r"\exists"
    variables, body = formula.args
    if len(variables) == 1:
        name = variables[0]
        if isinstance(formula, Every) and isinstance(body, If):
            guard, rest = body.args
            bound = list(guard.args) if isinstance(guard, Both) else [guard]
            if _bounds(name, bound):
                return rf"{sign}\, {next(_chains(bound))}", rest
        if isinstance(formula, Some) and isinstance(body, Both) and len(body.args) == 3:
            bound = list(body.args[:2])
            if _bounds(name, bound):
                return rf"{sign}\, {next(_chains(bound))}", body.args[2]
    return rf"{sign}\, {', '.join(map(_term, variables))}", body


def _bounds(name: Any, bound: Sequence[Any]) -> bool:
    """Whether the relations are one chain `low <= name <= high`."""
    return (
        len(bound) == 2
        and all(isinstance(r, Relational) for r in bound)
        and _continues(bound[0], bound[1])
        and bound[0].rhs == name
    )


def _lines(formula: Any, line: float) -> Iterator[str]:
    whole = _formula(formula)
    if width(whole) <= line:
        yield whole
        return
    match formula:
        case Both():
            yield from _joined(formula, line)
        case If():
            premise, conclusion = formula.args
            yield from _wrapped(premise, line)
            yield from _indented(_wrapped(conclusion, line - 4), r"\Rightarrow\ ")
        case Every() | Some():
            head, body = _quantifier(formula)
            yield rf"{head}:"
            yield from _indented(_lines(body, line - 2), "")
        case Either():
            for number, part in enumerate(formula.args):
                yield from _indented(_wrapped(part, line - 3), r"\vee\ " if number else r"\quad ")
        case Negation():
            yield r"\neg\ \Bigl("
            yield from _indented(_lines(formula.args[0], line - 2), "")
            yield r"\Bigr)"
        case Relational():
            yield from _relation(formula, line)
        case _:
            yield whole


def _joined(formula: Any, line: float) -> Iterator[str]:
    for number, run in enumerate(_runs(formula.args)):
        if len(run) > 1 and width(text := next(_chains(run))) <= line:
            part: Iterator[str] = iter([text])
        elif len(run) > 1:
            part = (text for r in run for text in _lines(r, line - 3))
        else:
            part = _wrapped(run[0], line - 3)
        yield from _indented(part, r"\wedge\ " if number else r"\phantom{\wedge}\ ")


def _wrapped(formula: Any, line: float) -> Iterator[str]:
    """The lines of a part of a connective, in brackets if they could be misread."""
    lines = list(_lines(formula, line))
    if is_loose(formula) and not isinstance(formula, Both):
        lines[0] = r"\bigl(" + lines[0]
        lines[-1] += r"\bigr)"
    elif isinstance(formula, Both) and len(lines) > 1:
        lines[0] = r"\bigl[" + lines[0]
        lines[-1] += r"\bigr]"
    yield from lines


def _indented(lines: Iterator[str], sign: str) -> Iterator[str]:
    for number, text in enumerate(lines):
        yield (sign or r"\quad ") + text if number == 0 else r"\quad " + text


def _relation(formula: Any, line: float) -> Iterator[str]:
    sign = RELATIONS[formula.rel_op]
    left, right = formula.lhs, formula.rhs
    if width(_term(left)) <= line / 6:
        first, *more = _sum(right, line)
        yield f"{_term(left)} {sign} {first}"
        yield from (rf"\quad {text}" for text in more)
        return
    yield from _sum(left, line)
    first, *more = _sum(right, line - 2)
    yield rf"\quad {sign} {first}"
    yield from (rf"\quad\quad {text}" for text in more)


def _sum(term: Any, line: float) -> Iterator[str]:
    """A sum of terms, broken before the terms that no longer fit."""
    whole = _term(term)
    if width(whole) <= line or not isinstance(term, sp.Add):
        yield whole
        return
    text = ""
    for part in PRINTER._as_ordered_terms(term, order=None):
        piece = _term(part)
        signed = piece if piece.startswith("-") or not text else f"+ {piece}"
        if text and width(text) + width(signed) > line:
            yield text
            text = f"{{}}{signed}"
        else:
            text = f"{text} {signed}" if text else signed
    yield text


_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[{}_^]|[^\\{}_^]")
_NO_WIDTH = {
    "left",
    "right",
    "displaystyle",
    "bigl",
    "bigr",
    "Bigl",
    "Bigr",
    "limits",
    "operatorname",
}
_WIDE = {"sum": 2.0, "quad": 2.0, "cos": 3.0, "sin": 3.0, "min": 3.0, "max": 3.0, "ln": 2.0}
_WIDE |= {"log": 3.0, "tanh": 4.0, "Rightarrow": 2.0, "sinh": 4.0, "cosh": 4.0}


@cache
def width(latex: str) -> float:
    r"""About how many characters wide a formula is set.

    >>> width(r"\frac{a + b}{2}") < width("(a + b) / 2")
    True
    """
    return _Measure(latex).run()


class _Measure:
    """Reads LaTeX once from left to right and adds up widths."""

    def __init__(self, latex: str) -> None:
        self.tokens = _TOKEN.findall(latex)
        self.at = 0

    def run(self) -> float:
        total, last = 0.0, 0.0
        while self.at < len(self.tokens) and self.tokens[self.at] != "}":
            token = self.tokens[self.at]
            if token in "_^":
                self.at += 1
                small = 0.7 * self._one()
                total += max(0.0, small - last) if last == 2.0 else small
                continue
            last = self._one()
            total += last
        return total

    def _one(self) -> float:
        """The width of the next token or group."""
        if self.at >= len(self.tokens):
            return 0.0
        token = self.tokens[self.at]
        self.at += 1
        if token == "{":
            inner = self.run()
            self.at += 1
            return inner
        if token == " ":
            return 0.0
        if not token.startswith("\\"):
            return 1.6 if token in "=<>+-" else 1.0
        name = token[1:]
        if name == "frac":
            return max(self._one(), self._one()) + 0.5
        if name in _NO_WIDTH:
            return 0.0
        if name in ("le", "ge", "ne", "wedge", "vee"):
            return 1.6
        return _WIDE.get(name, 1.0 if name.isalpha() else 0.3)
