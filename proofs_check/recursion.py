"""Hypotheses that define functions, so that functions as they say exist without more ado.

`for all n >= 0: f(n + 1) = ... f(n) ...` holds for some f whatever the right side is. Such an
equation cannot be tried at all n; but where every equation gives a value from values of smaller
rank, any finite set of values that agrees with the equations goes on to functions that do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from ropeproof.proofs_check.bounds import free_names, parts
from ropeproof.proofs_check.evaluate import truth
from ropeproof.proofs_check.instances import Table
from ropeproof.proofs_check.values import Fraction, Instance, TooLarge
from ropeproof.theory import logic

__all__ = ["agrees", "definitions"]


@dataclass(frozen=True)
class Definition:
    """`for all variables under the guard: target = value`; the rank is the first argument.

    The rank is `step` plus the variable `over`, or `step` alone; `start` is the lowest one, None if
    there is none.
    """

    target: Any
    value: Any
    guard: Any
    over: Any
    step: int
    start: int | None

    @property
    def name(self) -> str:
        """The function that is defined."""
        return str(self.target.func.__name__)


def definitions(formulas: Iterable[Any]) -> dict[Any, list[Definition]]:
    """The formulas that together are a recursive definition, with their equations.

    Empty unless all that look like one fit together: no value is given twice, and each is given
    from values of smaller rank, or of the same rank and a function that comes before.
    """
    read = {formula: _read(formula) for formula in formulas}
    found = {formula: each for formula, each in read.items() if each}
    while found:
        equations = [d for each in found.values() for d in each]
        order = _order(equations)
        bad = {d for d in equations if order is None or not _founded(d, equations, order)}
        if not bad:
            return found
        found = {f: each for f, each in found.items() if not bad & set(each)}
    return {}


def agrees(equations: Iterable[Definition], at: Instance) -> bool:
    """Whether the values that the tables hold so far are as the equations say."""
    for equation in equations:
        table = at.values.get(equation.name)
        if not isinstance(table, Table):
            return False
        for arguments in list(table.known):
            if not all(type(a) is Fraction for a in arguments):
                return False
            values = _matched(equation, arguments)
            if values is None or any(v.denominator != 1 for v in values.values()):
                continue
            local = at.having(**values)
            try:
                if equation.guard is not None and truth(equation.guard, local) is False:
                    continue
                if truth(sp.Eq(equation.target, equation.value, evaluate=False), local) is not True:
                    return False
            except (TooLarge, OverflowError):
                return False
    return True


def _read(formula: Any) -> list[Definition]:
    """The equations of a formula that looks like a definition, else none."""
    if not isinstance(formula, logic.Every):
        return []
    variables, body = formula.args
    guard, body = body.args if isinstance(body, logic.If) else (None, body)
    if not all(isinstance(v, sp.Symbol) and v.is_integer for v in variables):
        return []
    if guard is not None and guard.atoms(AppliedUndef):
        return []
    found = [_equation(f, variables, guard) for f in parts(body)]
    return [d for d in found if d is not None] if None not in found else []


def _equation(formula: Any, variables: Any, guard: Any) -> Definition | None:
    target = formula.args[0] if isinstance(formula, sp.Eq) else None
    if not isinstance(target, AppliedUndef) or formula.rhs.has(logic.Every, logic.Some):
        return None
    if target.is_integer and not formula.rhs.is_integer:
        return None
    rank, *others = target.args
    named = set(others) | (rank.free_symbols & set(variables))
    if len(set(others)) < len(others) or named != set(variables):
        return None
    if rank.is_Integer:
        return Definition(target, formula.rhs, guard, None, int(rank), int(rank))
    over, step = _shifted(rank, variables)
    if over is None or over in others:
        return None
    lows = [p for p in parts(guard) if isinstance(p, sp.Le)] if guard is not None else []
    low = [int(p.lhs) for p in lows if p.rhs == over and p.lhs.is_Integer]
    return Definition(target, formula.rhs, guard, over, step, max(low) + step if low else None)


def _shifted(rank: Any, variables: Any) -> tuple[Any, int]:
    """`v + c` as the variable and the integer."""
    for v in variables:
        if (rank - v).is_Integer:
            return v, int(rank - v)
    return None, 0


def _order(equations: list[Definition]) -> Mapping[str, int] | None:
    """Numbers of the functions, so that at one rank each rests on smaller numbers only."""
    below: dict[str, set[str]] = {d.name: set() for d in equations}
    for d in equations:
        for a in d.value.atoms(AppliedUndef):
            name = a.func.__name__
            if name in below and d.over is not None and a.args[0] - d.over == d.step:
                below[d.name].add(name)
    order: dict[str, int] = {}
    while len(order) < len(below):
        ready = [n for n, needs in below.items() if n not in order and needs <= order.keys()]
        if not ready:
            return None
        order.update({n: len(order) + k for k, n in enumerate(ready)})
    return order


def _founded(d: Definition, equations: list[Definition], order: Mapping[str, int]) -> bool:
    """Whether the equation is the only one for its values, and gives them from what comes before."""
    names = {e.name for e in equations}
    if any(_overlap(d, other) for other in equations if other is not d):
        return False
    if d.over is None:
        return not names & free_names([d.value]).keys()
    hidden = d.over in {limit[0] for s in d.value.atoms(sp.Sum) for limit in s.limits}
    for a in d.value.atoms(AppliedUndef):
        if a.func.__name__ not in names:
            continue
        shift = a.args[0] - d.over
        if hidden or not shift.is_Integer or int(shift) > d.step:
            return False
        if int(shift) < d.step and d.start is None:
            return False  # it would go down for ever
        if int(shift) == d.step and order[a.func.__name__] >= order[d.name]:
            return False
    return True


def _overlap(a: Definition, b: Definition) -> bool:
    """Whether two equations might give the same value twice."""
    if a.name != b.name:
        return False
    if a.over is None and b.over is None:
        return a.step == b.step
    alone, moving = (a, b) if a.over is None else (b, a)
    return alone.over is not None or moving.start is None or alone.step >= moving.start


def _matched(d: Definition, arguments: tuple[Any, ...]) -> dict[str, Any] | None:
    """The values of the variables at which the equation is about these arguments."""
    rank, *others = arguments
    values = {v.name: a for v, a in zip(d.target.args[1:], others, strict=True)}
    if d.over is None:
        return values if rank == d.step else None
    return values | {d.over.name: rank - d.step}
