"""Which names a sum, a quantifier or a lambda has as its own, and where: formulas gone through and rebuilt.

A binder is written as its variables, the parts outside their scope, and those inside. SymPy writes a
sum of sums as one with several ranges; here it is the outermost sum over a term that is a sum.
Whatever goes through formulas with an eye on bound names stands on this, but for the kernel, which
trusts its own reading alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import sympy as sp
from ropeproof.theory.language.logic import Both, Every, If, Some
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational

__all__ = [
    "Asserted",
    "Binder",
    "another",
    "asserted",
    "distinct",
    "head_of",
    "inner",
    "parts_of",
    "rebuilt",
    "remade",
    "symbol_name",
    "unlike",
    "walked",
]


# -- names -----------------------------------------------------------------------------------


def head_of(variable: Any) -> Any:
    """What a variable binds: a symbol itself, the function symbol of an applied one."""
    return variable.func if isinstance(variable, AppliedUndef) else variable


def symbol_name(symbol: Any) -> str:
    """The name of a symbol, of a function symbol, or of the function symbol that is applied."""
    head = head_of(symbol)
    return str(head.name if isinstance(head, sp.Symbol) else head.__name__)


def another(variable: Any, name: str) -> Any:
    """A symbol or function symbol of that name and of the variable's sort."""
    kind = {"integer": True} if variable.is_integer else {"real": True}
    return sp.Symbol(name, **kind) if isinstance(variable, sp.Symbol) else sp.Function(name, **kind)


def unlike(name: str, taken: Any) -> str:
    """The name, with a number if it is taken: `l` and `l_` would print alike."""
    if name not in taken:
        return name
    return next(n for number in count(1) if (n := f"{name}_{number}") not in taken)


# -- binders ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Binder:
    """A term or formula that binds: `make(variables, outside, inside)` gives it with other parts."""

    variables: tuple[Any, ...]
    outside: tuple[Any, ...]
    inside: tuple[Any, ...]
    make: Callable[[Sequence[Any], Sequence[Any], Sequence[Any]], Any]


def inner(total: Any) -> Any:
    """The term of the outermost of the sums that SymPy writes as one."""
    limits = total.limits[:-1]  # the first is the innermost
    return sp.Sum(total.function, *limits) if limits else total.function


def _binder(expr: Any) -> Binder | None:
    if isinstance(expr, sp.Sum):
        index, *ends = expr.limits[-1]
        return Binder((index,), tuple(ends), (inner(expr),), _sum)
    if isinstance(expr, Every | Some):
        variables, body = expr.args
        return Binder(tuple(variables), (), (body,), lambda v, _, b: expr.func(v, *b))
    if isinstance(expr, sp.Lambda):
        return Binder(expr.signature, (), (expr.expr,), lambda v, _, b: sp.Lambda(tuple(v), *b))
    found: Binder | None = getattr(expr, "binder", None)  # of a term that is shown by a name
    return found


def _sum(variables: Sequence[Any], ends: Sequence[Any], term: Sequence[Any]) -> Any:
    return sp.Sum(*term, (*variables, *ends))


def _arguments(expr: Any) -> Sequence[Any]:
    """The parts of what binds nothing; those of a shown term without its form."""
    found: Sequence[Any] = expr.arguments if hasattr(expr, "form") else getattr(expr, "args", ())
    return found


# -- going through -----------------------------------------------------------------------------


def parts_of(expr: Any) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """The parts of a term or formula, each with the variables that the whole binds in it."""
    if isinstance(expr, sp.Sum):  # all its ranges at once, of which the first is the innermost
        indices = tuple(index for index, *_ in expr.limits)
        for place, (_, *ends) in enumerate(expr.limits, 1):
            yield from ((end, indices[place:]) for end in ends)
        yield expr.function, indices
        return
    binder = _binder(expr)
    if binder is None:
        yield from ((part, ()) for part in _arguments(expr))
    else:
        yield from ((part, ()) for part in binder.outside)
        yield from ((part, binder.variables) for part in binder.inside)


def walked(expr: Any, bound: tuple[Any, ...] = ()) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """The term or formula and all its parts, each with the variables that are bound around it."""
    todo = [(expr, bound)]
    while todo:
        whole, around = todo.pop()
        yield whole, around
        parts = [(part, (*around, *own) if own else around) for part, own in parts_of(whole)]
        todo += reversed(parts)


@dataclass(frozen=True)
class Asserted:
    """What a formula says in one place: under which conditions, within which quantifiers."""

    formula: Any
    conditions: tuple[Any, ...] = ()
    quantifiers: tuple[Any, ...] = ()  # the outermost first

    @property
    def variables(self) -> tuple[Any, ...]:
        """What the quantifiers bind."""
        return tuple(v for quantifier in self.quantifiers for v in quantifier.args[0])


def asserted(
    formula: Any,
    within: Any = Every,
    body: Callable[[Any], Any] = lambda quantifier: quantifier.args[1],
) -> Iterator[Asserted]:
    """What a formula says: the parts of its conjunctions, conclusions, and bodies of quantifiers.

    `within` are the kinds of quantifiers that are gone into, `body` gives what stands in one.
    """

    def said(part: Any, conditions: tuple[Any, ...], around: tuple[Any, ...]) -> Iterator[Asserted]:
        if isinstance(part, Both | sp.And):
            for each in part.args:
                yield from said(each, conditions, around)
        elif isinstance(part, If):
            yield from said(part.args[1], (*conditions, part.args[0]), around)
        elif isinstance(part, within):
            yield from said(body(part), conditions, (*around, part))
        else:
            yield Asserted(part, conditions, around)

    return said(formula, (), ())


# -- rebuilding --------------------------------------------------------------------------------


def remade(expr: Any, parts: Sequence[Any], *, as_written: bool = False) -> Any:
    """The term or formula with other parts, itself where they are the same.

    SymPy evaluates what it makes, relations apart; `as_written` terms are not evaluated either.
    """
    if all(new is old for new, old in zip(parts, _arguments(expr), strict=True)):
        return expr
    if hasattr(expr, "form"):
        return expr.func(expr.form, *parts)
    if isinstance(expr, Relational) or (as_written and isinstance(expr, sp.Expr)):
        return expr.func(*parts, evaluate=False)
    return expr.func(*parts)


def rebuilt(
    expr: Any,
    known: Any,
    part: Callable[[Any, Any], Any],
    enter: Callable[[tuple[Any, ...], tuple[Any, ...], Any], tuple[Sequence[Any], Any]],
    *,
    as_written: bool = False,
) -> Any:
    """The term or formula with each part as `part(it, known)` gives it.

    For a binder `enter(variables, what is inside, known)` gives its variables and what is known
    inside. The rest as in `remade`.
    """
    binder = _binder(expr)
    if binder is None:
        parts = [part(each, known) for each in _arguments(expr)]
        return remade(expr, parts, as_written=as_written)
    outside = [part(each, known) for each in binder.outside]
    variables, known = enter(binder.variables, binder.inside, known)
    inside = [part(each, known) for each in binder.inside]
    old, new = (*binder.outside, *binder.inside), (*outside, *inside)
    if tuple(variables) == binder.variables and all(a is b for a, b in zip(old, new, strict=True)):
        return expr
    return binder.make(variables, outside, inside)


# -- no name for two things ----------------------------------------------------------------------


def distinct(expr: Any) -> Any:
    """The formula or term with a prime on each bound name that is taken.

    The kernel reads `Sum(1, (i, 0, 3), (j, 0, i))` as a sum over j up to the free i, of a sum over
    another i. Printed as it stands it reads as a sum over both. Every printer prints the formula that
    this returns, in which that other i is i'. No claim has a name with a prime.

    Taken is a name that is free anywhere in the whole, or bound further out. What is bound in two
    places side by side may keep one name.
    """
    if not isinstance(expr, sp.Basic):
        return expr
    free = (
        symbol_name(part)
        for part, bound in walked(expr)
        if isinstance(part, sp.Symbol | AppliedUndef) and head_of(part) not in map(head_of, bound)
    )
    return _renamed(expr, ({}, frozenset(free)))


_Renaming = tuple[Mapping[Any, Any], frozenset[str]]
"""The new names of heads, and the names that are taken."""


def _renamed(expr: Any, known: _Renaming) -> Any:
    names = known[0]
    if isinstance(expr, sp.Symbol):
        return names.get(expr, expr)
    if not isinstance(expr, sp.Basic) or not expr.args:
        return expr
    if isinstance(expr, AppliedUndef) and expr.func in names:
        return names[expr.func](*(_renamed(part, known) for part in expr.args))
    return rebuilt(expr, known, _renamed, _primed, as_written=True)


def _primed(
    variables: tuple[Any, ...], _: Any, known: _Renaming
) -> tuple[Sequence[Any], _Renaming]:
    names, taken = dict(known[0]), set(known[1])
    for variable in variables:
        if hasattr(variable, "form"):
            continue  # a vector, whose letter is its own
        name = symbol_name(variable)
        while name in taken:
            name += "'"
        taken.add(name)
        names.pop(head_of(variable), None)
        if name != symbol_name(variable):
            names[head_of(variable)] = another(variable, name)
    inside = names, frozenset(taken)
    return [_renamed(v, inside) for v in variables], inside
