"""The sum over one index: a loop, which is written as one Python function where it has many terms.

A tree of functions takes longer to call its parts than they take to compute. The written loop makes the
same operations in the same order, so drawn functions are asked for the same values in turn, and
counts the same terms, also where it is left by an exception. A part that does not depend on the
index, and calls nothing of the tree, is computed in the first round and counted in the others.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from ropeproof.proofs_check.semantics.evaluate.arithmetic import Numbers, Term
from ropeproof.proofs_check.semantics.evaluate.ranges import MAX_TERMS
from ropeproof.proofs_check.semantics.values import (
    CONTEXT,
    ZERO,
    Fraction,
    Instance,
    Real,
    TooLarge,
    span,
    taken,
    times,
)

__all__ = ["Loop", "adds_up", "exact", "total", "written_loop"]

Loop = Callable[[Instance, int, int], Any]
"""The sum at an instance whose values may be set, over the index from a first to a last value."""

_DEEPEST = 60
"""The largest nesting depth of what is written out; what is deeper is called."""


_MISSING = object()
SOON = 1_000
"""After this many terms it is checked whether a sum is too long with the sums inside it."""
OFTEN = 300
"""After this many terms of a sum its loop is written as one function, which takes a millisecond."""


def total(
    numbers: Numbers,
    summand: Term,
    name: str,
    ends: tuple[Term, Term],
    written: Any,
    compiled: Callable[[Numbers, Any], Term],
) -> Term:
    """Compile the sum over one index, for an instance whose values may be set.

    Where a term is given as `written`, its loop is written as one function once it is run often; `compiled`
    makes the functions of parts that are not written out.
    """
    low, high = ends
    add, floor, work, most_added = numbers.add, numbers.floor, numbers.work, numbers.most_added
    loop: Loop | None = None
    added = 0 if numbers.plain and written is not None else -inf

    def called(at: Instance, first: int, last: int) -> Any:
        found: Any = ZERO
        values = at.values
        for index in span(first, last):
            values[name] = index
            found = add(found, summand(at))
        return found

    def value(at: Instance) -> Any:
        nonlocal loop, added
        first, last = low(at), floor(high(at), at.trusting)
        if type(first) is not Fraction or not first.is_integer() or last - first > MAX_TERMS:
            raise TooLarge("a sum without integer bounds, or too long")
        begin, end = int(first), int(last)
        terms = max(0, end - begin + 1)
        work.added += terms
        if work.added > SOON and work.coming is not None:
            coming, work.coming = work.coming, None
            if coming() > most_added:
                raise TooLarge("a sum that is too long with the sums inside it")
        if work.added > most_added:
            raise TooLarge("a sum that is too long with the sums inside it")
        if loop is None:
            added += terms
            if added > OFTEN:
                loop = written_loop(numbers, written, name, compiled)
        values = at.values
        before = values.get(name, _MISSING)
        try:
            return called(at, begin, end) if loop is None else loop(at, begin, end)
        finally:
            if before is _MISSING:
                values.pop(name, None)
            else:
                values[name] = before

    return value


def written_loop(
    numbers: Numbers, summand: Any, index: str, compiled: Callable[[Numbers, Any], Term]
) -> Loop:
    """Write the loop of a sum for numbers that take the values of an instance as they are.

    `compiled` makes the function of a part that is not written out. The value of the index is left set.
    """
    writer = _Writer(numbers, index, compiled)
    result = writer.term(summand, 0)
    body = "\n".join(f"   {line}" for line in writer.lines())
    kept = "".join(f" {name} = None\n" for name in writer.kept)
    source = (
        "def loop(at, first, last):\n"
        " values, trusting, n, total = at.values, at.trusting, 0, ZERO\n"
        f"{kept}"
        " try:\n"
        "  for index in span(first, last):\n"
        f"   values[{index!r}] = index\n"
        f"{body}\n"
        f"   total = add(total, {result})\n"
        " finally:\n"
        "  work.terms += n\n"
        " return total\n"
    )
    scope = {
        "Fraction": Fraction, "ONE": Fraction(1), "ZERO": ZERO, "kinds": (Fraction, Real),
        "work": numbers.work,
        "add": numbers.add, "multiply": CONTEXT.mul, "divide": CONTEXT.div, "power": numbers.power,
        "log": numbers.log, "span": span, "taken": taken, "times": times, "told": numbers.told,
        **writer.constants,
    }  # fmt: skip
    exec(source, scope)  # of what is written here: names are quoted
    found: Loop = scope["loop"]
    return found


def exact(expr: Any) -> Fraction:
    """The value of an integer or a rational number."""
    return Fraction(int(expr.p), int(expr.q)) if isinstance(expr, sp.Rational) else Fraction(expr)


def adds_up(expr: Any) -> bool:
    """Whether nothing cancels in the term, so that its sign is certain however small it is."""
    if isinstance(expr, sp.exp | sp.Pow):
        return isinstance(expr, sp.exp) or adds_up(expr.base)
    if isinstance(expr, sp.Sum):
        return adds_up(expr.function)
    if isinstance(expr, sp.Add | sp.Mul):
        return all(map(adds_up, expr.args))
    return expr in (sp.pi, sp.E) or (isinstance(expr, sp.Rational) and expr > 0)


def _written(numbers: Numbers, expr: Any) -> bool:
    """Whether the operation of a term is written out; its arguments may be called."""
    if isinstance(expr, sp.Add) and expr.has(sp.floor):
        return False  # perhaps one of integers, which has a function of its own
    return isinstance(expr, AppliedUndef | sp.Add | sp.Mul | sp.Pow | sp.log) or (
        type(expr).__name__ in numbers.functions and len(expr.args) == 1
    )


def _counted(expr: Any) -> int:
    """The terms that a written operation counts, without those inside it."""
    if isinstance(expr, sp.Add | sp.Mul | sp.Pow):
        return len(expr.args)
    return 0 if isinstance(expr, sp.Symbol | sp.Rational) else 1


class _Writer:
    """A writer of the lines that compute a summand; each result has a Python name."""

    def __init__(
        self, numbers: Numbers, index: str, compiled: Callable[[Numbers, Any], Term]
    ) -> None:
        self.constants: dict[str, Any] = {}
        self.kept: list[str] = []
        self._numbers, self._index, self._compiled = numbers, index, compiled
        self._lines: list[str] = []
        self._uncounted = 0  # terms that the lines so far do not count yet
        self._named = 0
        self._inside = False  # a part that is kept

    def lines(self) -> list[str]:
        """The lines written so far, all terms counted."""
        self._count()
        return self._lines

    def term(self, expr: Any, depth: int) -> str:
        """Write the lines that compute a term; returns the name of its value."""
        if isinstance(expr, int | sp.Rational):
            return self._constant(exact(expr))
        if isinstance(expr, sp.Symbol):
            return "index" if expr.name == self._index else self._line(f"values[{expr.name!r}]")
        if depth > _DEEPEST or not _written(self._numbers, expr):
            self._count()
            return self._line(f"{self._constant(self._compiled(self._numbers, expr))}(at)")
        if not self._inside and self._stays(expr):
            return self._once(expr, depth)
        if isinstance(expr, AppliedUndef):
            self._uncounted += 1
            arguments = [self.term(a, depth + 1) for a in expr.args]
            self._count()
            found = self._line(f"values[{expr.func.__name__!r}]({', '.join(arguments)})")
            self._say(f"if type({found}) not in kinds: {found} = taken({found})")
            return found
        if isinstance(expr, sp.Add):
            self._uncounted += len(expr.args)
            return self._folded(expr, depth, lambda a, b: self._call(f"add({a}, {b})"))
        if isinstance(expr, sp.Mul):
            self._uncounted += len(expr.args)
            return self._folded(expr, depth, self._product)
        if isinstance(expr, sp.Pow):
            return self._power(expr, depth)
        self._uncounted += 1
        argument = self.term(expr.args[0], depth + 1)
        if isinstance(expr, sp.log):
            if not adds_up(expr.args[0]):
                self._count()
                argument = self._line(f"{argument} if trusting else told({argument})")
            return self._call(f"log({argument})")
        how = self._constant(self._numbers.functions[type(expr).__name__])
        return self._call(f"{how}({argument})")

    def _folded(self, expr: Any, depth: int, joined: Callable[[str, str], str]) -> str:
        """Write the lines that combine the arguments from the first to the last."""
        first, *rest = expr.args
        total = self.term(first, depth + 1)
        for part in rest:
            total = joined(total, self.term(part, depth + 1))
        return total

    def _product(self, first: str, second: str) -> str:
        found = self._call(f"multiply({first}, {second})")
        self._say(
            f"if not {found} and type({found}) is not Fraction: {found} = times({first}, {second})"
        )
        return found

    def _power(self, expr: Any, depth: int) -> str:
        self._uncounted += 2
        base = self.term(expr.base, depth + 1)
        may_cancel = not adds_up(expr.base)
        if not isinstance(expr.exp, sp.Integer):
            exponent = self.term(expr.exp, depth + 1)
            self._count()
            if may_cancel:
                self._say(f"if not trusting and {exponent} < 0: told({base})")
            return self._line(f"power({base}, {exponent})")
        n = int(expr.exp)
        if may_cancel and n < 0:
            self._count()
            base = self._line(f"{base} if trusting else told({base})")
        if n == -1:
            return self._call(f"divide(ONE, {base}) if {base} else ZERO")
        return self._call(f"{self._constant(self._numbers.whole_power(n))}({base})")

    def _stays(self, expr: Any) -> bool:
        """Whether a part is the same in each round: made of other symbols, by operations written out."""
        if isinstance(expr, AppliedUndef) or not (
            isinstance(expr, sp.Symbol | sp.Rational) or _written(self._numbers, expr)
        ):
            return False
        if isinstance(expr, sp.Symbol):
            return bool(expr.name != self._index)
        return all(map(self._stays, expr.args))

    def _once(self, expr: Any, depth: int) -> str:
        """Write the lines that compute a part in the first round and count it in the others."""
        self._count()
        outer, self._lines, self._inside = self._lines, [], True
        kept = f"kept{len(self.kept)}"
        self.kept.append(kept)
        result = self.term(expr, depth)
        self._count()
        inner, self._lines, self._inside = self._lines, outer, False
        counted = sum(_counted(part) for part in sp.preorder_traversal(expr))
        self._lines += [
            f"if {kept} is None:",
            *(f" {line}" for line in inner),
            f" {kept} = {result}",
            f"else: n += {counted}",
        ]
        return kept

    def _constant(self, value: Any) -> str:
        name = f"c{len(self.constants)}"
        self.constants[name] = value
        return name

    def _count(self) -> None:
        """Write the line that counts the terms entered so far: an exception may come next."""
        if self._uncounted:
            self._lines.append(f"n += {self._uncounted}")
            self._uncounted = 0

    def _say(self, line: str) -> None:
        self._lines.append(line)

    def _line(self, value: str) -> str:
        """Write the line that names a value."""
        self._named += 1
        self._lines.append(f"x{self._named} = {value}")
        return f"x{self._named}"

    def _call(self, value: str) -> str:
        """Write the line that names a value whose computation may raise."""
        self._count()
        return self._line(value)
