"""Whether a `for some` certainly fails at an instance: z3 proves the dual `for all`.

Drawing values for the names that a `for some` binds never refutes it where there are infinitely many,
as for functions. At an instance the formula may be small enough to be proved false for all of them:
its finite sums and `for all`s are written out, and numbers unknown to z3 are given enclosures.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from math import prod
from typing import Any

import gmpy2
import sympy as sp
from sympy.core.function import AppliedUndef

from ropeproof.proofs_check.semantics.evaluate import finite_ranges, truth
from ropeproof.proofs_check.semantics.evaluate.enclosing import ball, fraction, value_of
from ropeproof.proofs_check.semantics.for_all import rational, shown
from ropeproof.proofs_check.semantics.tables import Closed
from ropeproof.proofs_check.semantics.values import Fraction, Instance, TooLarge
from ropeproof.theory.language import logic
from ropeproof.theory.language.binders import inner, symbol_name
from ropeproof.theory.language.logic import conjuncts
from ropeproof.theory.language.substitution import substitute

__all__ = ["affirmed", "denied", "says_some", "written_out"]

MOST_CASES = 64
"""The largest number of cases of a `for all`, or terms of a sum, that are written out."""
_NUMBERS = (sp.cos, sp.sin, sp.exp)


def says_some(formula: Any) -> bool:
    """Whether a `for some` stands among the formula's conjuncts, directly or under a `for all`."""
    if isinstance(formula, logic.Both):
        return any(map(says_some, formula.args))
    if isinstance(formula, logic.Every):
        return says_some(formula.args[1])
    return isinstance(formula, logic.Some)


def denied(formula: Any, at: Instance) -> bool:
    """Whether z3 proves that some `for some` in the formula has no witness at the instance.

    The variables of a `for all` before it get a few simple values.
    """
    if not says_some(formula):
        return False
    if isinstance(formula, logic.Both):
        return any(denied(part, at) for part in formula.args)
    if isinstance(formula, logic.Every):
        return any(denied(formula.args[1], chosen) for chosen in _chosen(formula.args[0], at))
    variables, body = formula.args
    outside = at.over({k: v for k, v in at.values.items() if k not in map(symbol_name, variables)})
    plain = _plain(body, outside)
    return shown(logic.Every(variables, logic.If(_known(plain), logic.Negation(plain))), outside)


def affirmed(formula: Any, at: Instance) -> bool:
    """Whether z3 proves that a `for all` holds at the instance: its negation has no witness.

    A `for some` inside it must have finite ranges and is written out as cases. A `for all` over finite
    ranges with another `for all` inside is shown case by case.
    """
    if not isinstance(formula, logic.Every):
        return False
    return denied(_negation(formula), at) or _in_each_case(formula, at)


def _in_each_case(formula: Any, at: Instance) -> bool:
    """Whether each part of a `for all` over finite ranges holds at each of its values."""
    cases = written_out(formula, at)
    return cases is not None and all(_said(case, at) for case in cases)


def _said(formula: Any, at: Instance) -> bool:
    """Whether every part of a formula holds at the instance, by its value or by z3."""
    if isinstance(formula, logic.Both):
        return all(_said(part, at) for part in formula.args)
    if isinstance(formula, logic.If):
        condition, conclusion = formula.args
        return _valued(condition, at) is False or _said(conclusion, at)
    return _valued(formula, at) is True or shown(formula, at) or affirmed(formula, at)


def _valued(formula: Any, at: Instance) -> bool | None:
    """The truth of a formula by its values, of which no sample is trusted."""
    try:
        return truth(formula, at.doubting())
    except (TooLarge, OverflowError):
        return None


def _negation(formula: Any) -> Any:
    """The negation of a formula, with quantifiers moved outside."""
    if isinstance(formula, logic.Every):
        return logic.Some(formula.args[0], _negation(formula.args[1]))
    if isinstance(formula, logic.If):
        return logic.Both(formula.args[0], _negation(formula.args[1]))
    if isinstance(formula, logic.Some):
        variables, body = formula.args
        found = conjuncts(body)
        guard = [part for part in found if isinstance(part, sp.Le)]
        rest = [part for part in found if part not in guard]
        ranges = [p for p in guard if set(variables) & {p.lhs, p.rhs}]
        said = [_negation(part) for part in (*rest, *(p for p in guard if p not in ranges))]
        either = logic.Either(*said) if len(said) > 1 else said[0]
        return logic.Every(variables, logic.If(logic.Both(*ranges), either) if ranges else either)
    if isinstance(formula, logic.Both):
        return logic.Either(*map(_negation, formula.args))
    return logic.Negation(formula)


def _chosen(variables: Any, at: Instance) -> Iterator[Instance]:
    """Instances with simple values for a `for all`'s variables: 0, 1, or the first argument."""
    for number in (0, 1, None):
        values: dict[str, Any] = {}
        for v in variables:
            if isinstance(v, sp.Symbol):
                values[symbol_name(v)] = Fraction(number or 0)
            else:
                places = [sp.Dummy(real=True) for _ in v.args]
                body = places[0] if number is None else sp.Integer(number)
                values[symbol_name(v)] = Closed(tuple(places), body, bool(v.is_integer))
        yield at.having(**values)


def _plain(term: Any, at: Instance) -> Any:
    """The term or formula with fractions for names, and sums and `for all`s written out.

    Names whose value is not a fraction, and sums or `for all`s with too many cases, stay unchanged.
    """
    if isinstance(term, logic.Every):
        return _cases(term, at)
    if isinstance(term, logic.Some):
        return term
    if isinstance(term, sp.Symbol):
        value = at.values.get(term.name)
        return rational(value) if type(value) is Fraction else term
    if isinstance(term, sp.Sum):
        return _terms(term, at)
    if not getattr(term, "args", ()):
        return term
    args = [_plain(part, at) for part in term.args]
    if isinstance(term, AppliedUndef):
        function = at.values.get(symbol_name(term))
        if function is None or not all(isinstance(a, sp.Rational) for a in args):
            return term.func(*args)
        try:
            value = function(*(Fraction(int(a.p), int(a.q)) for a in args))
        except TooLarge:
            return term.func(*args)
        return rational(value) if type(value) is Fraction else term.func(*args)
    return term.func(*args)


def _terms(total: sp.Sum, at: Instance) -> Any:
    index, *limits = total.limits[-1]
    low, high = (_plain(limit, at) for limit in limits)
    if not (low.is_Integer and high.is_Integer and high - low < MOST_CASES):
        return total
    places = range(int(low), int(high) + 1)
    return sp.Add(*(_plain(substitute(inner(total), {index: sp.Integer(k)}), at) for k in places))


def _cases(formula: Any, at: Instance) -> Any:
    found = written_out(formula, at)
    return formula if found is None else logic.Both(*(_plain(case, at) for case in found))


def written_out(formula: Any, at: Instance) -> list[Any] | None:
    """The body of a `for all` at each of its values, or None if they are not a few integers."""
    variables, body = formula.args
    try:
        ranges: Mapping[str, Any] = finite_ranges(variables, body, True, at)
    except (TooLarge, TypeError, gmpy2.OverflowResultError):
        return None
    if len(ranges) < len(variables) or prod(map(len, ranges.values())) > MOST_CASES:
        return None
    cases = product(*([rational(n) for n in ranges[v.name]] for v in variables))
    return [substitute(body, dict(zip(variables, case, strict=True))) for case in cases]


def _known(formula: Any) -> Any:
    """Enclosures of the formula's constant sines, cosines and exponentials, which z3 lacks."""
    bounds = []
    for number in sorted(formula.atoms(*_NUMBERS), key=str):
        if number.free_symbols or number.atoms(AppliedUndef):
            continue
        enclosed = ball(value_of(number)(Instance({})))
        low, high = (rational(fraction(end)) for end in (enclosed.lower(), enclosed.upper()))
        bounds += [logic.le(low, number), logic.le(number, high)]
    return logic.Both(*bounds)
