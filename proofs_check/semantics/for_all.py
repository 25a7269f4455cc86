"""What z3 proves about a `for all` at an instance: the only use of the kernel besides the proofs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import sympy as sp

from ropeproof.proofs_check.kernel import terms
from ropeproof.proofs_check.kernel.normal import Normal
from ropeproof.proofs_check.kernel.polynomial import term_of
from ropeproof.proofs_check.kernel.read import names_of, read, read_mapping
from ropeproof.proofs_check.kernel.sequent import follows
from ropeproof.proofs_check.kernel.smt import PremiseFacts, entails
from ropeproof.proofs_check.kernel.solvers.query import RanOn
from ropeproof.proofs_check.semantics.bounds import free_names
from ropeproof.proofs_check.semantics.defined import Followed
from ropeproof.proofs_check.semantics.evaluate.enclosing import UNDECIDED
from ropeproof.proofs_check.semantics.instances import Closed, FunctionTable
from ropeproof.proofs_check.semantics.values import Fraction, Instance
from ropeproof.theory.language import logic

__all__ = ["NO_ANSWER", "follows_at", "rational", "shown"]

EFFORT = 1_000_000
"""The limit of z3's work for one `for all`, in its own units."""
NO_ANSWER = (
    terms.Malformed,
    RanOn,
    ArithmeticError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""The exceptions of reading a formula or asking z3 about it, after which nothing is proved."""
MOST_VALUES = 64
"""The largest number of drawn values of one function that z3 is given."""


def shown(formula: Any, at: Instance, defined: Mapping[Any, Any] = MappingProxyType({})) -> bool:
    """Whether z3 proves the formula with closed forms for functions and fractions for numbers.

    A drawn function is known by its values so far; a symbol in `defined`, or a value of a function
    there, is replaced by the term that defines it. A name with any other kind of value stays free,
    so the formula is then proved for every value of it.
    """
    try:
        term, drawn = _at(formula, at, defined)
        goals = _opened(term)
        given = [read(f) for f in drawn]
        return all(entails([*given, *_about_logs(g)], g, effort=EFFORT) for g in goals)
    except NO_ANSWER:
        return False


def follows_at(formula: Any, at: Instance, known: Any) -> bool:
    """Whether the formula at the instance follows from `known`, with quantified parts as atoms."""
    try:
        return follows(_at(formula, at)[0], PremiseFacts([read(known)]))
    except NO_ANSWER:
        return False


def _at(
    formula: Any, at: Instance, defined: Mapping[Any, Any] = MappingProxyType({})
) -> tuple[terms.Term, list[Any]]:
    """The formula with the instance's closed forms and fractions, and equations for drawn values.

    Raises `ValueError` where a value has the wrong sort.
    """
    mapping: dict[Any, Any] = {}
    drawn: list[Any] = []
    stated = free_names([formula])
    for term in defined.values():
        stated |= free_names([term])
    for name, (integer, arity) in stated.items():
        value = at.values.get(name)
        function = logic.integer_function if integer else logic.real_function
        if isinstance(value, Closed) and arity:
            mapping[function(name)] = sp.Lambda(value.parameters, value.body)
        elif isinstance(value, FunctionTable | Followed):
            drawn += [logic.eq(function(name)(*a), v) for a, v in _exact(value)]
        elif type(value) is Fraction and not arity:
            symbol = logic.integer if integer else logic.real
            mapping[symbol(name)] = rational(value)
    term = read(formula)
    for key, defining in reversed(list(defined.items())):  # each rests on those before it
        if isinstance(key, sp.Symbol):
            term = terms.substitute(term, {key.name: read(defining)})
    term, needed = _with_values(term, mapping)
    for key, defining in defined.items():
        if not isinstance(key, sp.Symbol):
            value, conditions = _with_values(read(defining), mapping)
            needed += conditions
            term = _replaced(term, read(key), value)
    if needed:
        raise ValueError("a value of another sort")
    return term, drawn


def _with_values(
    term: terms.Term, mapping: Mapping[Any, Any]
) -> tuple[terms.Term, list[terms.Term]]:
    """The term with values in place of its names, and the conditions for these to be integers."""
    targets = terms.free(term)
    mine = {k: v for k, v in mapping.items() if names_of({k: v}) & targets.keys()}
    values, needed = read_mapping(mine, targets)
    return terms.substitute(term, values), needed


def _replaced(term: Any, old: terms.Term, new: terms.Term) -> Any:
    """The term with a closed term `old` replaced by `new`; no binder can capture a name of it."""
    if term == old:
        return new
    return tuple(_replaced(p, old, new) for p in term) if type(term) is tuple else term


def _exact(table: FunctionTable | Followed) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Drawn values that are fractions at fractional arguments, as SymPy numbers."""
    for arguments in list(table.known)[:MOST_VALUES]:
        try:
            value = table(*arguments)
        except UNDECIDED:
            continue
        if all(type(a) is Fraction for a in (*arguments, value)):
            yield tuple(map(rational, arguments)), rational(value)


def rational(value: Any) -> Any:
    """A fraction as a SymPy number."""
    return sp.Rational(int(value.numerator), int(value.denominator))


def _about_logs(goal: terms.Term) -> list[terms.Term]:
    """Facts `x < log(y)` where `exp(x) < y`, for the exponents x in y: z3 knows no logarithm.

    Sums of constant length are written out first, as they are before z3 is asked.
    """
    sides = [side for kind in ("eq", "le", "lt") for r in _under(kind, goal) for side in r[1:]]
    return [
        ("if", ("lt", ("exp", x), y), ("lt", x, ("log", y)))
        for side in sides
        for _, y in _under("log", term_of(Normal().poly(side)))
        for _, x in _under("exp", y)
    ]


def _under(kind: str, term: Any) -> list[tuple[str, terms.Term]]:
    """The subterms with the given head in which no name is free that a sum or quantifier binds."""
    if not isinstance(term, tuple) or not term:
        return []
    inside = [found for part in term for found in _under(kind, part)]
    return [term, *inside] if term[0] == kind and terms.is_closed(term) else inside


def _opened(term: terms.Term) -> Iterator[terms.Term]:
    """Formulas without outer quantifiers that are together valid iff the closed formula is."""
    if term[0] == "and":
        for part in term[1]:
            yield from _opened(part)
    elif term[0] == "all":
        yield from _opened(terms.opened(term, terms.fresh(term)))
    elif term[0] == "if" and term[2][0] == "all":
        inner = term[2]
        yield from _opened(
            ("if", term[1], terms.opened(inner, terms.fresh(inner, terms.free(term[1]))))
        )
    else:
        yield term
