"""Bound names of sums, quantifiers and lambdas: walk through formulas, and rebuild them.

A binder is given as its variables, the parts outside their scope, and those inside. SymPy writes a
sum of sums as one with several ranges; here it is the outermost sum over a term that is a sum.
All code that walks formulas and minds bound names uses this module, except the kernel, which
trusts only its own reading.
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
    """The symbol that a variable binds, or the function symbol if it is applied."""
    return variable.func if isinstance(variable, AppliedUndef) else variable


def symbol_name(symbol: Any) -> str:
    """The name of a symbol or function symbol, also of an applied function symbol."""
    head = head_of(symbol)
    return str(head.name if isinstance(head, sp.Symbol) else head.__name__)


def another(variable: Any, name: str) -> Any:
    """A symbol or function symbol with the given name and the variable's sort."""
    kind = {"integer": True} if variable.is_integer else {"real": True}
    return sp.Symbol(name, **kind) if isinstance(variable, sp.Symbol) else sp.Function(name, **kind)


def unlike(name: str, taken: Any) -> str:
    """The name, with a number appended if it is taken; `l_` would look like `l` in print."""
    if name not in taken:
        return name
    return next(n for number in count(1) if (n := f"{name}_{number}") not in taken)


# -- binders ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Binder:
    """A term or formula that binds; `make(variables, outside, inside)` builds another."""

    variables: tuple[Any, ...]
    outside: tuple[Any, ...]
    inside: tuple[Any, ...]
    make: Callable[[Sequence[Any], Sequence[Any], Sequence[Any]], Any]


def inner(total: Any) -> Any:
    """The summand of the outermost sum, where SymPy writes nested sums as one."""
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
    """The arguments of a term that binds nothing; those of a shown term without its form."""
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
    """The term or formula and all its parts, each with the variables bound around it."""
    todo = [(expr, bound)]
    while todo:
        whole, around = todo.pop()
        yield whole, around
        parts = [(part, (*around, *own) if own else around) for part, own in parts_of(whole)]
        todo += reversed(parts)


@dataclass(frozen=True)
class Asserted:
    """A formula that is asserted at one place, with the conditions and quantifiers around it."""

    formula: Any
    conditions: tuple[Any, ...] = ()
    quantifiers: tuple[Any, ...] = ()  # the outermost first

    @property
    def variables(self) -> tuple[Any, ...]:
        """The variables that the quantifiers around the formula bind."""
        return tuple(v for quantifier in self.quantifiers for v in quantifier.args[0])


def asserted(
    formula: Any,
    within: Any = Every,
    body: Callable[[Any], Any] = lambda quantifier: quantifier.args[1],
) -> Iterator[Asserted]:
    """The assertions in a formula: parts of conjunctions, conclusions, and bodies of quantifiers.

    `within` are the kinds of quantifiers to descend into, `body` gives the body of one.
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
    """The term or formula with other arguments; the same object if they are unchanged.

    SymPy evaluates the new term, except relations; with `as_written` terms are not evaluated either.
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
    """The term or formula with each part replaced by `part(it, known)`.

    For a binder `enter(variables, parts inside, known)` gives the new variables and the `known` for the
    parts inside. Evaluation is as in `remade`.
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
    """The formula or term with a prime added to each bound name that is taken.

    The kernel reads `Sum(1, (i, 0, 3), (j, 0, i))` as a sum over j up to the free i, of a sum over
    another i. Printed unchanged it reads as a sum over both. Every printer prints the formula that
    this returns, in which that other i is i'. No claim has a name with a prime.

    A name is taken if it is free anywhere in the whole, or bound further out. Names bound at two
    places side by side may be the same.
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
"""The new names of symbols and functions, and the names that are taken."""


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
