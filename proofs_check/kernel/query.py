"""A question to a solver as plain data of our own: assertions that are to contradict each other.

Terms     ("number", Fraction)  ("real", k)  ("+"|"*", terms)  ("-", term)  ("ite", formula, a, b)
          ("to real", whole term)
Wholes    ("whole", int)  ("int", k)  ("+"|"*", wholes)
Formulas  ("="|"!="|"<="|"<"|">="|">", a, b) between two terms or two wholes  ("and"|"or", formulas)
          ("=>", p, c)  ("not", p)  ("bool", k)  ("true",)  ("false",)

Every k names one unknown of its sort. A part may occur in several places as one object; who
walks a query remembers what it met, or abs(abs(...)) takes a time that doubles with each bar.
`refuted` is z3's printer and judge; a second solver reads the same data by a printer of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import eq, ge, gt, le, lt, ne
from typing import Any

import z3

__all__ = ["Expression", "refuted"]

Expression = tuple[Any, ...]

_RELATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "=": eq,
    "!=": ne,
    "<=": le,
    "<": lt,
    ">=": ge,
    ">": gt,
}


class _Z3:
    """The expressions of one query as z3's, in one context."""

    def __init__(self, context: Any) -> None:
        self.context = context
        self.seen: dict[int, Any] = {}

    def __call__(self, e: Expression) -> Any:
        if id(e) not in self.seen:
            self.seen[id(e)] = self.made(e)
        return self.seen[id(e)]

    def made(self, e: Expression) -> Any:
        kind = e[0]
        if kind == "number":
            return z3.RealVal(str(e[1]), self.context)
        if kind == "whole":
            return z3.IntVal(e[1], self.context)
        if kind in ("real", "int", "bool"):
            make = {"real": z3.Real, "int": z3.Int, "bool": z3.Bool}[kind]
            return make(f"{kind}{e[1]}", self.context)
        if kind in ("+", "*"):
            parts = [self(part) for part in e[1]]
            return z3.Sum(parts) if kind == "+" else z3.Product(parts)
        if kind in _RELATIONS:
            return _RELATIONS[kind](self(e[1]), self(e[2]))
        if kind in ("and", "or"):
            parts = [self(part) for part in e[1]]
            return z3.And(*parts, self.context) if kind == "and" else z3.Or(*parts, self.context)
        if kind in ("true", "false"):
            return z3.BoolVal(kind == "true", self.context)
        parts = [self(part) for part in e[1:]]
        if kind == "-":
            return -parts[0]
        return {"ite": z3.If, "=>": z3.Implies, "not": z3.Not, "to real": z3.ToReal}[kind](*parts)


def refuted(assertions: Sequence[Expression], effort: int) -> bool:
    """Whether z3 finds that the assertions contradict each other, within `effort` of its units."""
    # z3's search depends on what a context held before: in its own, every question has one answer.
    context = z3.Context()
    solver = z3.Solver(ctx=context)
    solver.set("rlimit", effort)
    show = _Z3(context)
    solver.add(*(show(a) for a in assertions))
    return bool(solver.check() == z3.unsat)
