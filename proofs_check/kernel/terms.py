"""Terms and formulas of the kernel: plain nested tuples that never evaluate themselves.

Everything denotes a real number, and every function is total: 1/0 = 0, sqrt and log of a number
outside their domain are 0, an empty sum is 0. These values are part of the meaning of terms, as
in Lean and Coq, and rules may use them: 1/0 = 0 is a theorem. Where a statement shall not speak
about them, it has a hypothesis that excludes them.

Terms     ("q", Fraction)  ("x", name, is_integer)  ("pi",)  ("+", terms)  ("*", terms)
          ("^", base, exponent)  (f, term) for f in UNARY  ("max"|"min", terms)
          ("f", name, is_integer, terms)  ("sum", Variable, low, high, body)  ("ite", formula, a, b)
Formulas  ("eq"|"ne"|"le"|"lt", a, b)  ("and"|"or", formulas)  ("if", p, c)  ("not", p)
          ("all"|"some", Variables, body)  ("true",)  ("false",)

A name is a string where it is free. Where it is bound it is a number: how many variables are
bound between it and its own, counted outwards, those of one binder in their order. So no name
can be captured, and formulas that differ in the names of bound variables alone are equal. Rules
do not look at numbers: they open a binder at a free name (`opened`, `fresh`) and close it again
(`bind`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count
from typing import Any

from quicktions import Fraction

__all__ = [
    "FALSE", "FORMULAS", "LARGEST_DEGREE", "LARGEST_POWER", "MOST_BITS", "MOST_NODES", "RELATIONS",
    "REMEMBER_AT_MOST", "TRUE", "UNARY", "Lambda", "Malformed", "Term", "Value", "Variable", "add",
    "as_value", "bind", "bind_in", "bits_of", "free", "fresh", "integrality", "is_closed",
    "is_integer", "mul", "neg", "number", "opened", "order", "sub", "substitute", "variables_of",
]  # fmt: skip

Term = tuple[Any, ...]
UNARY = ("cos", "sin", "exp", "log", "abs", "sign", "floor", "sqrt")
RELATIONS = ("eq", "ne", "le", "lt")
FORMULAS = (*RELATIONS, "and", "or", "if", "not", "all", "some", "true", "false")
TRUE: Term = ("true",)
FALSE: Term = ("false",)


LARGEST_POWER = 1000  # an exponent up to which a power is multiplied out
LARGEST_DEGREE = 10_000  # of an atom, by powers of powers
MOST_BITS = 14_000  # of a number: as many digits as Python prints
MOST_NODES = 200_000  # of a term, each part counted as often as it occurs
REMEMBER_AT_MOST = 10_000  # results of one function


class Malformed(Exception):
    """An expression outside the kernel's language."""


@dataclass(frozen=True)
class Variable:
    """A variable that a binder binds: its sort and arity; the author's name for it is only a label."""

    label: str = field(compare=False, repr=False)
    is_integer: bool
    arity: int = 0


Lambda = tuple[tuple[Variable, ...], Term]  # the value of a function symbol: binds its parameters
Value = Term | Lambda


def number(value: int | Fraction) -> Term:
    """The rational constant `value`."""
    return ("q", Fraction(value))


def bits_of(value: Fraction) -> int:
    """The size of a rational: the bits of its larger part, none for 1."""
    return int(max(abs(value.numerator), value.denominator).bit_length()) - 1


def add(*terms: Term) -> Term:
    """The sum of the terms."""
    return ("+", terms)


def mul(*terms: Term) -> Term:
    """The product of the terms."""
    return ("*", terms)


def neg(term: Term) -> Term:
    """The negative of a term."""
    return ("*", (number(-1), term))


def sub(a: Term, b: Term) -> Term:
    """The difference of two terms."""
    return ("+", (a, neg(b)))


# -- integers -------------------------------------------------------------------------


def integrality(term: Term) -> list[Term] | None:
    """The condition under which a term is an integer by its form; None if its form gives none."""
    kind = term[0]
    if kind == "q":
        return [] if term[1].denominator == 1 else None
    if kind in ("x", "f"):
        return [] if term[2] else None
    if kind in ("sign", "floor"):
        return []
    if kind == "^":
        base, exponent = integrality(term[1]), integrality(term[2])
        if base is None or exponent is None:
            return None
        known = term[2][0] == "abs" or (term[2][0] == "q" and term[2][1] >= 0)
        return [*base, *exponent, *([] if known else [("le", number(0), term[2])])]
    if kind in ("+", "*", "max", "min"):
        parts = term[1]
    elif kind == "ite":
        parts = term[2:]
    elif kind in ("abs", "sum"):
        parts = (term[-1],)
    else:
        return None
    needed = [integrality(part) for part in parts]
    if None in needed or (kind == "sum" and needed != [[]]):  # no condition about the index
        return None
    return [f for part in needed if part for f in part]


def is_integer(term: Term) -> bool:
    """Whether the term is an integer by its form alone."""
    return integrality(term) == []


# -- names ----------------------------------------------------------------------------


def free(*terms: Term) -> dict[str, tuple[bool, int]]:
    """The free names of terms with their sort and arity; raises `Malformed` if one name has two sorts."""
    found: dict[str, tuple[bool, int]] = {}
    for term in terms:
        for name, sort in _free(term):
            if found.setdefault(name, sort) != sort:
                raise Malformed(f"{name} stands for two different things")
    return found


@lru_cache(REMEMBER_AT_MOST)
def _free(term: Term) -> tuple[tuple[str, tuple[bool, int]], ...]:
    found: dict[tuple[str, tuple[bool, int]], None] = {}
    parts = [term]
    while parts:
        part = parts.pop()
        if part and part[0] in ("x", "f") and isinstance(part[1], str):
            found[part[1], (part[2], len(part[3]) if part[0] == "f" else 0)] = None
        parts += [p for p in reversed(part) if type(p) is tuple]
    return tuple(found)


def _rebuilt(part: Term, change: Callable[[Term, int], Term], depth: int) -> Term:
    """The term with each name and application changed by a function of it and the bound variables around.

    Of a sum, a `for all` and a `for some` the last part is what they bind; this holds for the
    normal forms of `polynomial` as well.
    """
    if not part or part[0] == "q":
        return part
    kind = part[0]
    if kind == "x":
        return change(part, depth)
    if kind in ("sum", "all", "some"):
        inside = depth + (1 if kind == "sum" else len(part[1]))
        outer = (_rebuilt(p, change, depth) if type(p) is tuple else p for p in part[:-1])
        return (*outer, _rebuilt(part[-1], change, inside))
    rebuilt = tuple([_rebuilt(p, change, depth) if type(p) is tuple else p for p in part])
    return change(rebuilt, depth) if kind == "f" else rebuilt


def bind(term: Term, variables: Sequence[Variable]) -> Term:
    """The body of a binder of the variables: a term in which their names are bound."""
    numbers = {v.label: i for i, v in enumerate(variables)}
    if len(numbers) < len(variables):
        raise Malformed("one name is bound twice")

    def bound(node: Term, depth: int) -> Term:
        if node[1] not in numbers or isinstance(node[1], int):
            return node
        variable = variables[numbers[node[1]]]
        if (node[2], len(node[3]) if node[0] == "f" else 0) != (
            variable.is_integer,
            variable.arity,
        ):
            raise Malformed(f"{node[1]} is bound as one thing and used as another")
        return (node[0], numbers[node[1]] + depth, *node[2:])

    return _rebuilt(term, bound, 0)


def bind_in(form: Term, *variables: Variable) -> Term:
    """The same for a normal form, whose own binders have no labels: it is remembered."""
    return _bound_in(form, tuple((v.label, v.is_integer, v.arity) for v in variables))


@lru_cache(REMEMBER_AT_MOST)
def _bound_in(form: Term, variables: tuple[tuple[str, bool, int], ...]) -> Term:
    return bind(form, [Variable(*each) for each in variables])  # equal ones may differ in label


@lru_cache(REMEMBER_AT_MOST)
def order(part: Term) -> str:
    """What the parts of a normal form are sorted by: one order for all of them."""
    return repr(part)


def substitute(term: Term, values: Mapping[Any, Any]) -> Term:
    """The term with terms put for names and `Lambda`s for function symbols.

    The keys are free names, or numbers: those that a binder, now taken away, gave its variables.
    """

    def put(node: Term, depth: int) -> Term:
        key = node[1] - depth if isinstance(node[1], int) else node[1]
        if key not in values:
            return node
        if node[0] == "x":
            return _lifted(values[key], depth)
        parameters, body = values[key]
        if len(parameters) != len(node[3]):
            raise Malformed(f"a function of {len(parameters)} arguments has {len(node[3])}")
        for parameter, argument in zip(parameters, node[3], strict=True):
            if parameter.is_integer and not is_integer(argument):
                raise Malformed(f"the argument {parameter.label} of {node[1]} is an integer")
        return substitute(body, dict(enumerate(node[3])))

    return _rebuilt(term, put, 0) if values else term


def _lifted(term: Term, by: int) -> Term:
    """The term as it stands under `by` more bound variables."""

    def lifted(node: Term, depth: int) -> Term:
        outer = isinstance(node[1], int) and node[1] >= depth
        return (node[0], node[1] + by, *node[2:]) if outer else node

    return _rebuilt(term, lifted, 0) if by else term


def is_closed(term: Term) -> bool:
    """Whether every number in the term stands for a variable that is bound in it."""
    return _lifted(term, 1) == term


def opened(binder: Term, variables: Sequence[Variable]) -> Term:
    """The body of a binder, with the labels of `variables` as free names for what it binds."""
    names = {v.label for v in variables}
    if names & set(free(binder)) or len(names) < len(variables):
        raise Malformed(f"{', '.join(sorted(names))} would mean two things")
    return substitute(binder[-1], dict(enumerate(map(as_value, variables))))


def fresh(binder: Term, taken: Iterable[str] = ()) -> tuple[Variable, ...]:
    """The variables of a binder, with labels that no author can write and nothing else has."""
    avoid = {*taken, *free(binder)}
    names = (name for i in count(1) if (name := f"?{i}") not in avoid)
    pairs = zip(variables_of(binder), names, strict=False)
    return tuple(Variable(name, v.is_integer, v.arity) for v, name in pairs)


def variables_of(binder: Term) -> tuple[Variable, ...]:
    """The variables that a binder binds."""
    return (binder[1],) if binder[0] == "sum" else binder[1]


def as_value(variable: Variable) -> Value:
    """The free name that is a variable's label, in the form of a value for `substitute`."""
    name, is_int, arity = variable.label, variable.is_integer, variable.arity
    if not arity:
        return ("x", name, is_int)
    arguments = tuple(("x", i, False) for i in range(arity))
    return (Variable("", False),) * arity, ("f", name, is_int, arguments)
