"""Formulas as functions of the instance: True, False, or None where that cannot be told.

One walker for both kinds of numbers, rounded (`evaluate.rounded`) and enclosed (`enclosed.formulas`):
connectives, quantifiers and exact comparisons are the same, and what differs is in `Numbers`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, product
from operator import eq, le, lt, ne
from typing import Any

import sympy as sp

from ropeproof.proofs_check.semantics.evaluate.compound import REMEMBERED, Term
from ropeproof.proofs_check.semantics.evaluate.ranges import (
    Guards,
    guards_of,
    ranges_at,
)
from ropeproof.proofs_check.semantics.values import Fraction, Instance, TooLarge, Work
from ropeproof.theory.language import logic
from ropeproof.theory.language.logic import conjuncts
from ropeproof.theory.language.substitution import symbol_name

__all__ = ["MAX_CASES", "Comparison", "Judge", "Numbers", "judge_with"]

MAX_CASES = 2_000  # of a quantifier and those inside it together
MAX_SAMPLES = 24  # of a quantifier without a finite range

Judge = Callable[[Instance], bool | None]
Comparison = Callable[[Any, Any], bool]
"""One of `eq`, `ne`, `le` and `lt` of Python's operators."""


@dataclass(frozen=True, eq=False)
class Numbers:
    """What a kind of numbers does in its own way.

    `value_of` makes a function of a term; `compared` takes a comparison, two different values of which
    one at least is not exact, and whether agreement of digits is trusted. `bound` makes a function of a
    guard's bound, for which it is said whether it is a low one. `part` says what becomes of a refusal
    in a part of a formula. Where `guards_hold`, a guard that the ranges meet is not asked again.
    `work` counts cases, of which there are `most_cases`.
    """

    value_of: Callable[[Any], Term]
    compared: Callable[[Comparison, Any, Any, bool], bool | None]
    bound: Callable[[Any, bool], Term]
    part: Callable[[Judge], Judge]
    guards_hold: bool
    work: Work
    most_cases: int


@lru_cache(maxsize=REMEMBERED, typed=True)
def judge_with(numbers: Numbers, formula: Any) -> Judge:
    """A formula as a function of the instance. Raises `TooLarge` for what is none."""
    kind = type(formula)
    found = next((how for base, how in _JUDGES if issubclass(kind, base)), None)
    if found is None:
        raise TooLarge(f"not a formula: {kind.__name__}")
    return found(numbers, formula)


_Compiler = Callable[[Numbers, Any], Judge]


def _relation(kind: Comparison) -> _Compiler:
    of_itself = kind(0, 0)

    def compiled(numbers: Numbers, formula: Any) -> Judge:
        left, right = (numbers.value_of(a) for a in formula.args)
        compare = numbers.compared

        def judge(at: Instance) -> bool | None:
            a, b = left(at), right(at)
            if a is b:  # one drawn value, whatever its digits
                return of_itself
            if type(a) is Fraction and type(b) is Fraction:
                return kind(a, b)
            return compare(kind, a, b, at.trusting)

        if not (isinstance(formula.lhs, sp.Rational) and isinstance(formula.rhs, sp.Symbol)):
            return judge
        constant, name = left(Instance({})), formula.rhs.name

        def exactly(at: Instance) -> bool | None:  # as in `0 <= j`, which guards say everywhere
            b = at.values[name]
            return kind(constant, b) if type(b) is Fraction else judge(at)

        return exactly

    return compiled


def _implication(numbers: Numbers, formula: Any) -> Judge:
    premise, conclusion = (judge_with(numbers, part) for part in formula.args)

    def judge(at: Instance) -> bool | None:
        given = premise(at)
        if given is False:
            return True
        found = conclusion(at)
        return None if given is None and not found else found

    return judge


def _joined(decisive: bool) -> _Compiler:
    """`and`, decided by one part that is False, or `or`, by one that is True."""

    def compiled(numbers: Numbers, formula: Any) -> Judge:
        parts = [numbers.part(judge_with(numbers, part)) for part in formula.args]

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


def _negation(numbers: Numbers, formula: Any) -> Judge:
    part = judge_with(numbers, formula.args[0])

    def judge(at: Instance) -> bool | None:
        verdict = part(at)
        return None if verdict is None else not verdict

    return judge


def _quantified(numbers: Numbers, formula: Any) -> Judge:
    work, most_cases = numbers.work, numbers.most_cases

    def judge(at: Instance) -> bool | None:
        if work.depth == 0:
            work.cases = 0
        work.depth += 1
        try:
            return cases(at)
        finally:
            work.depth -= 1

    variables, body = formula.args
    universal = isinstance(formula, logic.Every)
    judged = judge_with(numbers, body)
    guards = guards_of(tuple(variables), body, universal, numbers.bound)
    asks_less = universal and guards.met and numbers.guards_hold
    inside = _inside(numbers, body, guards) if asks_less else judged
    named = [(symbol_name(v), bool(v.is_integer), _arity(v)) for v in variables]
    names = [name for name, _, _ in named]

    def cases(at: Instance) -> bool | None:
        known, exact = ranges_at(guards, at)
        finite = len(known) == len(named) or [] in known.values()
        ranges = [
            known[name] if name in known else at.samples(name, integer, arity)
            for name, integer, arity in named
        ]
        check = inside if exact else judged
        if not finite:
            check = numbers.part(check)
        inner = at.open()
        values = inner.values
        before = {name: values[name] for name in names if name in values}
        doubt = False
        choices = product(*ranges)
        try:
            for choice in choices if finite else islice(choices, MAX_SAMPLES):
                work.cases += 1
                if work.cases > most_cases:
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


def _inside(numbers: Numbers, body: Any, guards: Guards) -> Judge:
    """The body of a `for all` without the parts of its guard that the ranges meet."""
    rest = [part for part in conjuncts(body.args[0]) if part not in guards.met]
    left = logic.If(logic.Both(*rest), body.args[1]) if rest else body.args[1]
    return judge_with(numbers, left)


_JUDGES: tuple[tuple[Any, _Compiler], ...] = (
    (bool | sp.logic.boolalg.BooleanAtom, lambda _, f: lambda _: bool(f)),
    (sp.Eq, _relation(eq)),
    (sp.Ne, _relation(ne)),
    (sp.Le, _relation(le)),
    (sp.Lt, _relation(lt)),
    (sp.Ge | sp.Gt, lambda numbers, f: judge_with(numbers, f.reversed)),
    (logic.Both | sp.And, _joined(False)),
    (logic.Either | sp.Or, _joined(True)),
    (logic.Negation | sp.Not, _negation),
    (logic.If | sp.Implies, _implication),
    (logic.Every | logic.Some, _quantified),
)


def _arity(variable: Any) -> int:
    return 0 if isinstance(variable, sp.Symbol) else len(variable.args)
