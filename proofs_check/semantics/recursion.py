"""Hypotheses that define functions by recursion, so that functions satisfying them exist.

`for all n >= 0: f(n + 1) = ... f(n) ...` holds for some f whatever the right side is. Such an
equation cannot be tried at all n; but where every equation gives a value from values of smaller
rank, any values at the places no equation fixes extend to functions that satisfy them all.
`defined` evaluates those functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from ropeproof.proofs_check.semantics.bounds import free_names
from ropeproof.theory.language import logic
from ropeproof.theory.language.logic import conjuncts

__all__ = ["RecursiveEquation", "definitions", "matched"]


@dataclass(frozen=True)
class RecursiveEquation:
    """The equation `target = value` for all variables under the guard; the first argument is the rank.

    The rank is `step` plus the variable `over`, or `step` alone; `start` is the lowest rank, None if
    there is none. Without variables the equation gives one value, at integers.
    """

    target: Any
    value: Any
    guard: Any
    over: Any
    step: int
    start: int | None

    @property
    def name(self) -> str:
        """The name of the function that the equation defines."""
        return str(self.target.func.__name__)

    @property
    def variables(self) -> frozenset[str]:
        """The names that the `for all` binds."""
        others = {v.name for v in self.target.args[1:] if isinstance(v, sp.Symbol)}
        return frozenset(others if self.over is None else others | {self.over.name})

    @property
    def is_one_value(self) -> bool:
        """Whether the equation gives the value at one place, without a `for all`."""
        return not self.variables


def definitions(formulas: Iterable[Any]) -> dict[Any, list[RecursiveEquation]]:
    """The formulas that together form a recursive definition, with their equations.

    Empty unless all candidates fit together: no value is given twice, and each is given
    from values of smaller rank, or of the same rank and a function earlier in the order. Equations for
    a single value, such as `f(0) = c`, are included where they fit.
    """
    read = {formula: _read(formula) for formula in formulas}
    found = {formula: each for formula, each in read.items() if each}
    single = {f: each for f, each in found.items() if each[0].is_one_value}
    found = {f: each for f, each in found.items() if f not in single}
    while bad := _unfounded(found):
        found = {f: each for f, each in found.items() if not bad & set(each)}
    others = [d for each in found.values() for d in each]
    names = {d.name for d in others}
    for formula, (own,) in single.items():
        rests = names | {own.name}
        new = own.name not in names and any(own.name in _named(d) for d in others)
        if new or rests & _named(own) or any(_overlap(own, d) for d in others):
            continue
        found[formula] = [own]
        others.append(own)
        names = rests
    return found


def _named(d: RecursiveEquation) -> set[str]:
    """The names of the functions that occur in the equation's defining term."""
    return {a.func.__name__ for a in _applied(d.value)}


def _unfounded(found: Mapping[Any, list[RecursiveEquation]]) -> set[RecursiveEquation]:
    """The equations that do not fit the others: a value given twice, or no well-founded order."""
    equations = [d for each in found.values() for d in each]
    order = _order(equations)
    return {d for d in equations if order is None or not _founded(d, equations, order)}


@lru_cache(maxsize=10_000)
def _applied(term: Any) -> frozenset[Any]:
    """The applications of function symbols in a term."""
    return frozenset(term.atoms(AppliedUndef))


@lru_cache(maxsize=10_000)
def _read(formula: Any) -> list[RecursiveEquation]:
    """The equations of a formula that has the form of a definition, else an empty list."""
    if isinstance(formula, sp.Eq):
        alone = _equation(formula, (), None)
        return [] if alone is None else [alone]
    if not isinstance(formula, logic.Every):
        return []
    variables, body = formula.args
    guard, body = body.args if isinstance(body, logic.If) else (None, body)
    if not all(isinstance(v, sp.Symbol) and v.is_integer for v in variables):
        return []
    if guard is not None and guard.atoms(AppliedUndef):
        return []
    found = [_equation(f, variables, guard) for f in conjuncts(body)]
    return [d for d in found if d is not None] if None not in found else []


def _equation(formula: Any, variables: Any, guard: Any) -> RecursiveEquation | None:
    target = formula.args[0] if isinstance(formula, sp.Eq) else None
    if not isinstance(target, AppliedUndef) or formula.rhs.has(logic.Every, logic.Some):
        return None
    if target.is_integer and not formula.rhs.is_integer:
        return None
    rank, *others = target.args
    if not variables:
        at_integers = all(a.is_Integer for a in target.args)
        return (
            RecursiveEquation(target, formula.rhs, None, None, int(rank), int(rank))
            if at_integers
            else None
        )
    named = set(others) | (rank.free_symbols & set(variables))
    if len(set(others)) < len(others) or named != set(variables):
        return None
    if rank.is_Integer:
        return RecursiveEquation(target, formula.rhs, guard, None, int(rank), int(rank))
    over, step = _shifted(rank, variables)
    if over is None or over in others:
        return None
    lows = [p for p in conjuncts(guard) if isinstance(p, sp.Le)] if guard is not None else []
    low = [int(p.lhs) for p in lows if p.rhs == over and p.lhs.is_Integer]
    return RecursiveEquation(
        target, formula.rhs, guard, over, step, max(low) + step if low else None
    )


def _shifted(rank: Any, variables: Any) -> tuple[Any, int]:
    """The rank `v + c` split into variable and integer; `(None, 0)` if it has another form."""
    for v in variables:
        if (rank - v).is_Integer:
            return v, int(rank - v)
    return None, 0


def _order(equations: list[RecursiveEquation]) -> Mapping[str, int] | None:
    """A numbering of the functions in which each depends at equal rank on smaller numbers only."""
    below: dict[str, set[str]] = {d.name: set() for d in equations}
    for d in equations:
        for a in _applied(d.value):
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


def _founded(
    d: RecursiveEquation, equations: list[RecursiveEquation], order: Mapping[str, int]
) -> bool:
    """Whether the equation alone gives its values, and gives them from earlier ones."""
    names = {e.name for e in equations}
    if any(_overlap(d, other) for other in equations if other is not d):
        return False
    if d.over is None:
        return not names & free_names([d.value]).keys()
    hidden = d.over in {limit[0] for s in d.value.atoms(sp.Sum) for limit in s.limits}
    for a in _applied(d.value):
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


def _overlap(a: RecursiveEquation, b: RecursiveEquation) -> bool:
    """Whether two equations might both give the same value."""
    if a.name != b.name:
        return False
    if a.over is None and b.over is None:
        apart = a.is_one_value and b.is_one_value and a.target != b.target
        return a.step == b.step and not apart
    alone, moving = (a, b) if a.over is None else (b, a)
    return alone.over is not None or moving.start is None or alone.step >= moving.start


def matched(d: RecursiveEquation, arguments: tuple[Any, ...]) -> dict[str, Any] | None:
    """The values of the variables at which the equation's target has these arguments, else None."""
    rank, *others = arguments
    values = {}
    for own, argument in zip(d.target.args[1:], others, strict=True):
        if isinstance(own, sp.Symbol):
            values[own.name] = argument
        elif argument != int(own):
            return None
    if d.over is None:
        return values if rank == d.step else None
    return {**values, d.over.name: rank - d.step}
