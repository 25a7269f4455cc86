"""Read a theorem's statement back from Coq's output and compare it with the claim.

Coq prints the statement without notations. It is parsed here, and both it and the claim's formulas
are brought to a common form: sums and products without brackets, integers as reals, bound names by
depth. Nothing of `printing` is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from quicktions import Fraction

from ropeproof.proofs_check.kernel.terms import (
    Term,
    Variable,
    free,
    integrality,
    opened,
    variables_of,
)

__all__ = ["PRINT_PLAINLY", "Misread", "difference"]

PRINT_PLAINLY = (
    "Set Printing Width 10000000. Set Printing Depth 1000000. Unset Printing Notations.\n"
)
_TOKEN = re.compile(r"\s*(=>|[A-Za-z_][\w.']*|-?\d+|[():,%])")
_FUNCTIONS = {"cos": "cos", "sin": "sin", "exp": "exp", "ln": "log", "Rabs": "abs", "sqrt": "sqrt"}
_FUNCTIONS |= {"zfloor": "floor", "zsign": "sign", "Z.abs": "abs"}
_JOINED = {"Rplus": "+", "Rmult": "*", "Z.add": "+", "Z.mul": "*", "and": "and", "or": "or"}
_JOINED |= {"Rmax": "max", "Rmin": "min", "Z.max": "max", "Z.min": "min"}
_ORDERS = {"Rle": "le", "Rlt": "lt", "eq": "eq"}


class Misread(Exception):
    """Raised where Coq's output is not a statement of a claim; the message names the place."""


# -- what Coq prints -----------------------------------------------------------------------


@dataclass
class _Parser:
    """A parser of Coq's syntax without notations: binders, applications, `if`, numbers."""

    tokens: list[str]
    at: int = 0

    @classmethod
    def of(cls, text: str) -> _Parser:
        tokens, at = [], 0
        text = text.strip()
        while at < len(text):
            found = _TOKEN.match(text, at)
            if not found:
                raise Misread(f"no token at {text[at : at + 30]!r}")
            tokens.append(found[1])
            at = found.end()
        return cls(tokens)

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, expected: str = "") -> str:
        token = self.peek()
        if not token or (expected and token != expected):
            raise Misread(f"{token!r} where {expected or 'more'!r} was expected")
        self.at += 1
        return token

    def term(self) -> Any:
        word = self.peek()
        if word in ("forall", "fun"):
            self.take()
            binders = self.binders()
            self.take("," if word == "forall" else "=>")
            body = self.term()
            for name, sort in reversed(binders):
                body = (word, name, sort, body)
            return body
        if word == "if":
            self.take()
            parts = [self.term()]
            for keyword in ("then", "else"):
                self.take(keyword)
                parts.append(self.term())
            return ("if", *parts)
        head, *arguments = list(self.atoms()) or [""]
        if not head:
            raise Misread(f"nothing before {word!r}")
        return ("app", head, tuple(arguments)) if arguments else head

    def binders(self) -> list[tuple[str, Any]]:
        found: list[tuple[str, Any]] = []
        bare = self.peek() != "("
        while bare or self.peek() == "(":
            if not bare:
                self.take("(")
            names = []
            while self.peek() != ":":
                names.append(self.take())
            self.take(":")
            sort = self.term()
            found += [(name, sort) for name in names]
            if bare:
                break
            self.take(")")
        return found

    def atoms(self) -> Iterator[Any]:
        while self.peek() not in ("", ")", ",", ":", "=>", "then", "else"):
            if self.peek() == "(":
                self.take()
                inner = self.term()
                self.take(")")
                yield inner
            elif self.peek() == "%":
                self.take()
                self.take()
            else:
                yield self.take()


DECISIONS = {"Rle_dec": "le", "Rlt_dec": "lt", "Req_EM_T": "eq"}


def _heard(node: Any, names: Mapping[str, str], depth: int) -> Any:
    """A Coq term or proposition in the common form."""
    if isinstance(node, str):
        if re.fullmatch(r"-?\d+", node):
            return ("q", Fraction(int(node)))
        if node in names:
            return ("x", names[node])
        if node in ("PI", "True", "False"):
            return ("pi",) if node == "PI" else _join("and" if node == "True" else "or", [])
        raise Misread(f"the name {node}")
    if node[0] == "forall":
        _, name, sort, body = node
        if name == "_":
            return ("implies", _heard(sort, names, depth), _heard(body, names, depth))
        return ("all", _sort(sort), _heard(body, {**names, name: f"?{depth}"}, depth + 1))
    if node[0] == "if":
        condition = node[1]
        if condition[0] != "app" or condition[1] not in DECISIONS:
            raise Misread("a decision that is no comparison")
        compared = (DECISIONS[condition[1]], *(_heard(a, names, depth) for a in condition[2]))
        return ("ite", compared, *(_heard(a, names, depth) for a in node[2:]))
    if node[0] == "fun":
        raise Misread("a function where a number is due")
    return _applied(node[1], node[2], names, depth)


def _applied(head: Any, arguments: Sequence[Any], names: Mapping[str, str], depth: int) -> Any:
    if head in names:
        return ("f", names[head], tuple(_heard(a, names, depth) for a in arguments))
    if head in ("zsum", "ex"):
        *bounds, function = arguments
        if function[0] != "fun":
            raise Misread(f"{head} of no function")
        _, name, sort, body = function
        inner = _heard(body, {**names, name: f"?{depth}"}, depth + 1)
        if head == "ex":
            return ("some", _sort(sort), inner)
        if _sort(sort) != ("Z", 0):
            raise Misread("a sum over no integers")
        return ("sum", *(_heard(b, names, depth) for b in bounds), inner)
    parts = [_heard(a, names, depth) for a in arguments]
    match head, parts:
        case "IZR", [x]:
            return x
        case "Rdiv", [("q", p), ("q", q)] if q:
            return ("q", p / q)
        case "Rinv" | "RinvImpl.Rinv", [x]:
            return ("inverse", x)
        case "pow", [x, ("q", n)]:
            return ("power", x, n)
        case "gpow", [x, y]:
            return ("power", x, y)
        case "not", [f]:
            return ("not", f)
    if head in _FUNCTIONS and len(parts) == 1:
        return (_FUNCTIONS[head], parts[0])
    if head in _JOINED and len(parts) == 2:
        return _join(_JOINED[head], parts)
    if head in _ORDERS and len(parts) == 2:
        return (_ORDERS[head], *parts)
    raise Misread(f"{head} of {len(parts)}")


def _sort(node: Any) -> tuple[str, int]:
    """The sort of a variable: "R" or "Z" for its values, and the number of its real arguments."""
    arity = 0
    while not isinstance(node, str):
        if node[0] != "forall" or node[1] != "_" or node[2] != "R":
            raise Misread("a variable of no known sort")
        node, arity = node[3], arity + 1
    if node not in ("R", "Z"):
        raise Misread(f"a variable in {node}")
    return node, arity


def _join(kind: str, parts: Sequence[Any]) -> Any:
    flat: list[Any] = []
    for part in parts:
        flat += part[1] if part[0] == kind else [part]
    if not flat and kind in ("+", "*"):
        return ("q", Fraction(int(kind == "*")))
    return flat[0] if len(flat) == 1 else (kind, tuple(flat))


# -- what the claim says -------------------------------------------------------------------


def _said(t: Term, depth: int) -> Any:
    """A term or formula of the kernel in the common form."""
    kind = t[0]
    if kind == "q":
        return ("q", Fraction(t[1]))
    if kind == "x":
        return ("x", t[1])
    if kind in ("pi",):
        return ("pi",)
    if kind in ("true", "false"):
        return _join("and" if kind == "true" else "or", [])
    if kind in ("+", "*", "max", "min", "and", "or"):
        return _join(kind, [_said(a, depth) for a in t[1]])
    if kind == "^":
        return _power(_said(t[1], depth), t[2], depth)
    if kind == "f":
        return ("f", t[1], tuple(_said(a, depth) for a in t[3]))
    if kind == "ne":
        return ("not", ("eq", *(_said(a, depth) for a in t[1:])))
    if kind in ("sum", "all", "some"):
        named = [
            Variable(f"?{depth + i}", v.is_integer, v.arity) for i, v in enumerate(variables_of(t))
        ]
        body = _said(opened(t, named), depth + len(named))
        if kind == "sum":
            return ("sum", _whole(t[2], depth), _whole(t[3], depth), body)
        for v in reversed(named):
            body = (kind, ("Z" if v.is_integer else "R", v.arity), body)
        return body
    if kind == "if":
        return ("implies", _said(t[1], depth), _said(t[2], depth))
    return (kind, *(_said(a, depth) for a in t[1:]))


def _power(base: Any, exponent: Term, depth: int) -> Any:
    if exponent[0] != "q" or exponent[1].denominator != 1:
        return ("power", base, _said(exponent, depth))
    n = abs(int(exponent[1]))
    power = base if n == 1 else ("power", base, Fraction(n))
    return ("inverse", power) if exponent[1] < 0 else power


def _whole(t: Term, depth: int) -> Any:
    """A kernel term in integer position, in the common form.

    A term that is an integer only by assumption becomes its floor; a sum or product of such terms, the sum
    or product of their floors.
    """
    if _in_integers(t):
        return _said(t, depth)
    if t[0] in ("+", "*") and all(integrality(part) is not None for part in t[1]):
        return _join(t[0], [_whole(part, depth) for part in t[1]])
    if integrality(t) is None:
        raise Misread("a bound that is no integer")
    return ("floor", _said(t, depth))


def _in_integers(t: Term) -> bool:
    kind = t[0]
    if kind == "q":
        return bool(t[1].denominator == 1)
    if kind in ("x", "f"):
        return bool(t[2])
    if kind in ("+", "*", "max", "min"):
        return all(map(_in_integers, t[1]))
    return kind in ("floor", "sign") or (kind == "abs" and _in_integers(t[1]))


# -- the comparison ------------------------------------------------------------------------


def difference(printed: str, hypotheses: Sequence[Term], conclusion: Term) -> str:
    """The difference between the printed statement and the claim's; "" if they are the same.

    They are the same if the printed one says: for all values of symbols of the claim's sorts, the
    hypotheses in their order imply the conclusion.
    """
    try:
        parser = _Parser.of(printed)
        node = parser.term()
        if parser.peek():
            raise Misread(f"something after the statement: {parser.peek()}")
        names: dict[str, str] = {}
        for label, (whole, arity) in free(*hypotheses, conclusion).items():
            if node[0] != "forall" or node[1] == "_" or node[1] in names:
                return f"nothing stands for the symbol {label}"
            if _sort(node[2]) != ("Z" if whole else "R", arity):
                return f"{label} is of another sort"
            names[node[1]] = label
            node = node[3]
        for i, formula in enumerate(hypotheses, 1):
            if node[0] != "forall" or node[1] != "_":
                return f"hypothesis {i} is missing"
            if _heard(node[2], names, 0) != _said(formula, 0):
                return f"hypothesis {i} is another one"
            node = node[3]
        return "" if _heard(node, names, 0) == _said(conclusion, 0) else "another conclusion"
    except Misread as error:
        return f"not understood: {error}"
