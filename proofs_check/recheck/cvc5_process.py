"""cvc5 in a process of its own: z3's questions, translated by code that shares nothing with z3's.

Started by `second_solver`, by its path and without the project. The first message is the search
path of modules, every other one (number, assertions, options of cvc5); the answer is a line with
that number and `unsat`, `sat`, `unknown` or the error.
"""

from __future__ import annotations

import marshal
import sys
from collections.abc import Mapping
from typing import Any


class Translation:
    """The expressions of one question translated to cvc5 terms."""

    def __init__(self, cvc5: Any) -> None:
        self.manager = cvc5.TermManager()
        kind = cvc5.Kind
        self.kinds = {
            "+": kind.ADD,
            "*": kind.MULT,
            "-": kind.NEG,
            "ite": kind.ITE,
            "to real": kind.TO_REAL,
            "=": kind.EQUAL,
            "!=": kind.DISTINCT,
            "<=": kind.LEQ,
            "<": kind.LT,
            ">=": kind.GEQ,
            ">": kind.GT,
            "and": kind.AND,
            "or": kind.OR,
            "=>": kind.IMPLIES,
            "not": kind.NOT,
        }
        self.sorts = {
            "real": self.manager.getRealSort(),
            "int": self.manager.getIntegerSort(),
            "bool": self.manager.getBooleanSort(),
        }
        self.unknowns: dict[tuple[str, int], Any] = {}
        self.done: dict[int, Any] = {}

    def term(self, e: tuple[Any, ...]) -> Any:
        """The cvc5 term of an expression; the same object gives the same term."""
        found = self.done.get(id(e))
        if found is None:
            found = self.done[id(e)] = self._term(*e)
        return found

    def _term(self, head: str, *rest: Any) -> Any:
        if head in self.sorts:
            if (head, rest[0]) not in self.unknowns:
                constant = self.manager.mkConst(self.sorts[head], f"{head}{rest[0]}")
                self.unknowns[head, rest[0]] = constant
            return self.unknowns[head, rest[0]]
        if head == "number":
            return self.manager.mkReal(f"{rest[0]}/{rest[1]}")
        if head == "whole":
            return self.manager.mkInteger(str(rest[0]))
        if head in ("true", "false"):
            return self.manager.mkBoolean(head == "true")
        many = head in ("+", "*", "and", "or")
        parts = [self.term(part) for part in (rest[0] if many else rest)]
        if many and len(parts) < 2:
            return parts[0] if parts else self.manager.mkBoolean(head == "and")
        return self.manager.mkTerm(self.kinds[head], *parts)


def answer(cvc5: Any, assertions: tuple[Any, ...], options: Mapping[str, str]) -> str:
    """The answer of cvc5 to the assertions: `unsat`, `sat` or `unknown`."""
    translation = Translation(cvc5)
    solver = cvc5.Solver(translation.manager)
    for name, value in options.items():
        solver.setOption(name, value)
    formulas = [translation.term(a) for a in assertions]
    whole = any(sort == "int" for sort, _ in translation.unknowns)
    solver.setLogic("QF_NIRA" if whole else "QF_NRA")
    for formula in formulas:
        solver.assertFormula(formula)
    result = solver.checkSat()
    return "unsat" if result.isUnsat() else "sat" if result.isSat() else "unknown"


def main() -> None:
    """Answer questions from standard input until it ends."""
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    sys.path[:] = marshal.load(source)
    import cvc5

    while True:
        try:
            number, assertions, options = marshal.load(source)
        except EOFError:
            return
        try:
            verdict = answer(cvc5, assertions, options)
        except Exception as error:
            verdict = f"{type(error).__name__}: {error}".replace("\n", " ")
        sink.write(f"{number} {verdict}\n".encode())
        sink.flush()


if __name__ == "__main__":
    main()
