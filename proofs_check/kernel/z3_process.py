"""z3 in a process of its own: reads questions from stdin, prints each in z3's terms, answers.

Started by `query`, by its path and without the project, so that it imports z3 and nothing else.
The first message is the search path of modules, every other one (number, assertions, effort);
the answer is a line with that number and `unsat`, `sat`, `unknown` or what went wrong.
"""

from __future__ import annotations

import marshal
import sys
from operator import eq, ge, gt, le, lt, ne
from typing import Any

_RELATIONS: dict[str, Any] = {"=": eq, "!=": ne, "<=": le, "<": lt, ">=": ge, ">": gt}


class Printer:
    """The expressions of one question as z3's, in one context."""

    def __init__(self, z3: Any, context: Any) -> None:
        self.z3 = z3
        self.context = context
        self.seen: dict[int, Any] = {}

    def __call__(self, e: tuple[Any, ...]) -> Any:
        """The z3 expression; a part that was met before is the same object again."""
        if id(e) not in self.seen:
            self.seen[id(e)] = self.made(e)
        return self.seen[id(e)]

    def made(self, e: tuple[Any, ...]) -> Any:
        """The z3 expression, made anew."""
        z3, context, kind = self.z3, self.context, e[0]
        if kind == "number":
            return z3.RealVal(f"{e[1]}/{e[2]}", context)
        if kind == "whole":
            return z3.IntVal(e[1], context)
        if kind in ("real", "int", "bool"):
            make = {"real": z3.Real, "int": z3.Int, "bool": z3.Bool}[kind]
            return make(f"{kind}{e[1]}", context)
        if kind in ("true", "false"):
            return z3.BoolVal(kind == "true", context)
        if kind in ("+", "*", "and", "or"):
            parts = [self(part) for part in e[1]]
            if kind in ("+", "*"):
                return z3.Sum(parts) if kind == "+" else z3.Product(parts)
            return z3.And(*parts, context) if kind == "and" else z3.Or(*parts, context)
        parts = [self(part) for part in e[1:]]
        if kind in _RELATIONS:
            return _RELATIONS[kind](*parts)
        if kind == "-":
            return -parts[0]
        return {"ite": z3.If, "=>": z3.Implies, "not": z3.Not, "to real": z3.ToReal}[kind](*parts)


def answer(z3: Any, assertions: tuple[Any, ...], effort: int) -> str:
    """`unsat`, `sat` or `unknown`.

    z3's search depends on what a context held before: in its own, every question has one answer.
    """
    context = z3.Context()
    solver = z3.Solver(ctx=context)
    solver.set("rlimit", effort)
    shown = Printer(z3, context)
    solver.add(*(shown(a) for a in assertions))
    return str(solver.check())


def main() -> None:
    """Answer until no question comes."""
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    sys.path[:] = marshal.load(source)
    import z3

    while True:
        try:
            number, assertions, effort = marshal.load(source)
        except EOFError:
            return
        try:
            verdict = answer(z3, assertions, effort)
        except Exception as error:
            verdict = f"{type(error).__name__}: {error}".replace("\n", " ")
        sink.write(f"{number} {verdict}\n".encode())
        sink.flush()


if __name__ == "__main__":
    main()
