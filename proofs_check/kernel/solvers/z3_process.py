"""z3 in a process of its own: reads questions from stdin, prints each in z3's terms, answers.

Started by `query`, by its path and without the project, so that it imports z3 and nothing else.
The first message is the search path of modules, every other one (number, assertions, effort);
the answer is a line with that number and `unsat`, `sat`, `whole`, `unknown` or what went wrong.
"""

from __future__ import annotations

import marshal
import os
import signal
import sys
from typing import Any

_MANY = {"+": "add", "*": "mul", "and": "and", "or": "or"}
_SOME = {"=": "eq", "<=": "le", "<": "lt", ">=": "ge", ">": "gt", "=>": "implies", "not": "not",
         "-": "unary_minus", "ite": "ite", "to real": "int2real"}  # fmt: skip


class Printer:
    """The expressions of one question as z3's, in one context, by z3's interface for C.

    What is made lives as long as this object; the interface for Python takes three times as long.
    """

    def __init__(self, z3: Any, context: Any) -> None:
        self.z3 = z3
        self.context = context
        sorts = {"real": z3.RealSort, "int": z3.IntSort, "bool": z3.BoolSort}
        self.sorts = {name: sort(context) for name, sort in sorts.items()}
        self.seen: dict[int, Any] = {}
        self.integers: list[Any] = []

    def __del__(self) -> None:
        for ast in self.seen.values():
            self.z3.Z3_dec_ref(self.context.ref(), ast)

    def assert_in(self, solver: Any, assertions: tuple[Any, ...]) -> None:
        """Assert the formulas in a solver of the context."""
        for assertion in assertions:  # `solver.add` takes ten times as long
            self.z3.Z3_solver_assert(self.context.ref(), solver.solver, self.made(assertion))

    def made(self, e: tuple[Any, ...]) -> Any:
        """The expression; a part that was met before is the same object again."""
        if id(e) not in self.seen:
            name, *arguments = self.call(*e)
            ast = getattr(self.z3, f"Z3_mk_{name}")(self.context.ref(), *arguments)
            self.z3.Z3_inc_ref(self.context.ref(), ast)
            self.seen[id(e)] = ast
            if e[-1] == "integer":
                self.integers.append(self.z3.ArithRef(ast, self.context))
        return self.seen[id(e)]

    def call(self, kind: str, *rest: Any) -> tuple[Any, ...]:
        """The name of z3's function that makes an expression, and its arguments."""
        if kind == "number":
            return ("numeral", f"{rest[0]}/{rest[1]}", self.sorts["real"].ast)
        if kind == "whole":
            return ("numeral", str(rest[0]), self.sorts["int"].ast)
        if kind in self.sorts:
            name = self.z3.Z3_mk_string_symbol(self.context.ref(), f"{kind}{rest[0]}")
            return ("const", name, self.sorts[kind].ast)
        if kind in ("true", "false"):
            return (kind,)
        parts = [self.made(part) for part in (rest[0] if kind in _MANY else rest)]
        if kind in _SOME:
            return (_SOME[kind], *parts)
        name = "distinct" if kind == "!=" else _MANY[kind]
        return (name, len(parts), (self.z3.Ast * len(parts))(*parts))


def answer(z3: Any, assertions: tuple[Any, ...], effort: int) -> str:
    """z3's answer: `unsat`, `sat`, `unknown`, or `whole` if it is sat also with integers for their reals.

    z3's search depends on what a context held before: in its own, every question has one answer.
    """
    context = z3.Context()
    solver = z3.Solver(ctx=context)
    solver.set("rlimit", effort)
    shown = Printer(z3, context)
    shown.assert_in(solver, assertions)
    found = str(solver.check())
    if found == "sat" and shown.integers:
        model = solver.model()
        values = [model.eval(x, model_completion=True) for x in shown.integers]
        if all(z3.is_rational_value(v) and v.denominator_as_long() == 1 for v in values):
            return "whole"
    return found


def main() -> None:
    """Answer until no question comes; an interrupt ends it at once, and without a word."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    try:
        sys.path[:] = marshal.load(source)
    except EOFError:  # whoever started it has gone
        return
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
        try:
            sink.write(f"{number} {verdict}\n".encode())
            sink.flush()
        except OSError:  # whoever asked has gone, and Python would say so once more as it ends
            os._exit(0)


if __name__ == "__main__":
    main()
