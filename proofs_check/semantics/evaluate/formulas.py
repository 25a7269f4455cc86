"""Formulas as functions of the instance: True, False, or None where that cannot be told."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import islice, product
from operator import eq, le, lt, ne
from typing import Any

import gmpy2
import sympy as sp

from ropeproof.proofs_check.semantics.evaluate.ranges import (
    Guards,
    guards_of,
    name_of,
    ranges_at,
)
from ropeproof.proofs_check.semantics.evaluate.terms import APART, REMEMBERED, value_of
from ropeproof.proofs_check.semantics.values import (
    BITS,
    CONTEXT,
    WORK,
    Fraction,
    Instance,
    TooLarge,
    as_real,
    times,
)
from ropeproof.theory.language import logic
from ropeproof.theory.language.logic import conjuncts

__all__ = ["APART", "SAME", "Judge", "judge_of"]

SAME = gmpy2.mpfr("1e-40", BITS)
MAX_CASES = 2_000  # of a quantifier and those inside it together
MAX_SAMPLES = 24  # of a quantifier without a finite range
_SMALLEST = gmpy2.mpfr("1e-30", BITS)

Judge = Callable[[Instance], bool | None]


@lru_cache(maxsize=REMEMBERED, typed=True)
def judge_of(formula: Any) -> Judge:
    """A formula as a function of the instance. Raises `TooLarge` for what is none."""
    kind = type(formula)
    found = next((how for base, how in _JUDGES if issubclass(kind, base)), None)
    if found is None:
        raise TooLarge(f"not a formula: {kind.__name__}")
    return found(formula)


def _relation(kind: Callable[[Any, Any], bool]) -> Callable[[Any], Judge]:
    def compiled(formula: Any) -> Judge:
        left, right = (value_of(a) for a in formula.args)

        def judge(at: Instance) -> bool | None:
            a, b = left(at), right(at)
            if a is b:  # one drawn value, whatever its digits
                return kind(a, a)
            if type(a) is Fraction and type(b) is Fraction:
                return kind(a, b)
            return _near(kind, as_real(a), as_real(b), at.trusting)

        if not (isinstance(formula.lhs, sp.Rational) and isinstance(formula.rhs, sp.Symbol)):
            return judge
        constant, name = left(Instance({})), formula.rhs.name

        def compared(at: Instance) -> bool | None:  # as in `0 <= j`, which guards say everywhere
            b = at.values[name]
            if type(b) is Fraction:
                return kind(constant, b)
            return _near(kind, as_real(constant), as_real(b), at.trusting)

        return compared

    return compiled


def _near(kind: Callable[[Any, Any], bool], a: Any, b: Any, trusting: bool) -> bool | None:
    difference = CONTEXT.sub(b, a)
    distance = CONTEXT.abs(difference)
    size = max(CONTEXT.abs(a), CONTEXT.abs(b), _SMALLEST)
    same, apart = trusting and distance <= times(SAME, size), distance > times(APART, size)
    if kind in (eq, ne):
        return None if not same and not apart else (same if kind is eq else not same)
    if apart:
        return bool(difference > 0)
    return True if same and kind is le else None


def _implication(formula: Any) -> Judge:
    premise, conclusion = (judge_of(part) for part in formula.args)

    def judge(at: Instance) -> bool | None:
        given = premise(at)
        if given is False:
            return True
        found = conclusion(at)
        return None if given is None and not found else found

    return judge


def _joined(decisive: bool) -> Callable[[Any], Judge]:
    """`and`, decided by one part that is False, or `or`, by one that is True."""

    def compiled(formula: Any) -> Judge:
        parts = [judge_of(part) for part in formula.args]

        def judge(at: Instance) -> bool | None:
            doubt = False
            for part in parts:
                verdict = part(at)
                if verdict is decisive:
                    return decisive
                doubt = doubt or verdict is None
            return None if doubt else not decisive

        return judge

    return compiled


def _negation(formula: Any) -> Judge:
    part = judge_of(formula.args[0])

    def judge(at: Instance) -> bool | None:
        verdict = part(at)
        return None if verdict is None else not verdict

    return judge


def _quantified(formula: Any) -> Judge:
    def judge(at: Instance) -> bool | None:
        if WORK.depth == 0:
            WORK.cases = 0
        WORK.depth += 1
        try:
            return cases(at)
        finally:
            WORK.depth -= 1

    variables, body = formula.args
    universal = isinstance(formula, logic.Every)
    judged = judge_of(body)
    guards = guards_of(tuple(variables), body, universal)
    inside = _inside(body, guards) if universal and guards.met else judged
    named = [(name_of(v), bool(v.is_integer), _arity(v)) for v in variables]
    names = [name for name, _, _ in named]

    def cases(at: Instance) -> bool | None:
        known, exact = ranges_at(guards, at)
        finite = len(known) == len(named) or [] in known.values()
        ranges = [
            known[name] if name in known else at.samples(name, integer, arity)
            for name, integer, arity in named
        ]
        check = inside if exact else judged
        inner = at.open()
        values = inner.values
        before = {name: values[name] for name in names if name in values}
        doubt = False
        choices = product(*ranges)
        try:
            for choice in choices if finite else islice(choices, MAX_SAMPLES):
                WORK.cases += 1
                if WORK.cases > MAX_CASES:
                    raise TooLarge("a quantifier over too many cases")
                values.update(zip(names, choice))  # noqa: B905  # the lengths are the same
                verdict = check(inner)
                if verdict is not None and verdict is not universal:
                    return verdict
                doubt = doubt or verdict is None
        finally:
            for name in names:
                values.pop(name, None)
            values.update(before)
        if doubt or not (finite or (universal and at.trusting)):
            return None
        return universal

    return judge


def _inside(body: Any, guards: Guards) -> Judge:
    """The body of a `for all` without the parts of its guard that the ranges meet."""
    rest = [part for part in conjuncts(body.args[0]) if part not in guards.met]
    return judge_of(logic.If(logic.Both(*rest), body.args[1]) if rest else body.args[1])


_JUDGES: tuple[tuple[Any, Callable[[Any], Judge]], ...] = (
    (bool | sp.logic.boolalg.BooleanAtom, lambda f: lambda _: bool(f)),
    (sp.Eq, _relation(eq)),
    (sp.Ne, _relation(ne)),
    (sp.Le, _relation(le)),
    (sp.Lt, _relation(lt)),
    (sp.Ge | sp.Gt, lambda f: judge_of(f.reversed)),
    (logic.Both | sp.And, _joined(False)),
    (logic.Either | sp.Or, _joined(True)),
    (logic.Negation | sp.Not, _negation),
    (logic.If | sp.Implies, _implication),
    (logic.Every | logic.Some, _quantified),
)


def _arity(variable: Any) -> int:
    return 0 if isinstance(variable, sp.Symbol) else len(variable.args)
