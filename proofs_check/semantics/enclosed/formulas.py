"""Formulas as functions of the instance: True or False where that is certain, else None."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, product
from typing import Any

import sympy as sp

from ropeproof.proofs_check.semantics.enclosed.terms import Term, Value, ball, fraction, value_of
from ropeproof.proofs_check.semantics.evaluate.formulas import MAX_CASES, MAX_SAMPLES
from ropeproof.proofs_check.semantics.evaluate.ranges import (
    Guard,
    Guards,
    guards_of,
    name_of,
    ranges_at,
)
from ropeproof.proofs_check.semantics.evaluate.terms import REMEMBERED
from ropeproof.proofs_check.semantics.values import Fraction, Instance, TooLarge
from ropeproof.theory.language import logic

__all__ = ["CASES", "Judge", "judge_of"]

Judge = Callable[[Instance], bool | None]


@dataclass
class _Cases:
    """Cases of quantifiers that were looked at for one formula."""

    seen: int = 0


CASES = _Cases()


@lru_cache(maxsize=REMEMBERED, typed=True)
def judge_of(formula: Any) -> Judge:
    """A formula as a function of the instance. Raises `TooLarge` for what is none."""
    kind = type(formula)
    found = next((how for base, how in _JUDGES if issubclass(kind, base)), None)
    if found is None:
        raise TooLarge(f"not a formula: {kind.__name__}")
    return found(formula)


def _relation(kind: str) -> Callable[[Any], Judge]:
    def compiled(formula: Any) -> Judge:
        left, right = (value_of(a) for a in formula.args)
        return lambda at: _compared(kind, left(at), right(at))

    return compiled


def _compared(kind: str, a: Value, b: Value) -> bool | None:
    exact = a is b or type(a) is Fraction is type(b)
    difference = Fraction(0) if a is b else b - a if exact else ball(b) - ball(a)
    above, below = bool(difference > 0), bool(difference < 0)
    if kind in ("eq", "ne"):
        apart = above or below
        return (apart is (kind == "ne")) if exact or apart else None
    if above or (kind == "le" and difference >= 0):
        return True
    return False if below or (kind == "lt" and difference <= 0) else None


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
                verdict = _tried(part, at)
                if verdict is decisive:
                    return decisive
                doubt = doubt or verdict is None
            return None if doubt else not decisive

        return judge

    return compiled


def _tried(judge: Judge, at: Instance) -> bool | None:
    """The verdict on a part; what is not enclosed there leaves it open and no more."""
    try:
        return judge(at)
    except TooLarge:
        return None


def _negation(formula: Any) -> Judge:
    part = judge_of(formula.args[0])

    def judge(at: Instance) -> bool | None:
        verdict = part(at)
        return None if verdict is None else not verdict

    return judge


@lru_cache(maxsize=REMEMBERED)
def _guards(variables: tuple[Any, ...], body: Any, universal: bool) -> Guards:
    """The guards of a quantifier, each bound put at the outer end of its ball."""
    found = guards_of(variables, body, universal)

    def enclosed(guard: Guard) -> Guard:
        side = guard.formula.lhs if guard.is_low else guard.formula.rhs
        return replace(guard, other=_outer(value_of(side), guard.is_low))

    still, moving, wandering = (
        tuple(map(enclosed, kind)) for kind in (found.still, found.moving, found.wandering)
    )
    return replace(found, still=still, moving=moving, wandering=wandering)


def _outer(term: Term, is_low: bool) -> Term:
    def value(at: Instance) -> Value:
        found = term(at)
        if type(found) is Fraction:
            return found
        return fraction(found.lower() if is_low else found.upper())

    return value


def _quantified(formula: Any) -> Judge:
    variables, body = formula.args
    universal = isinstance(formula, logic.Every)
    check = judge_of(body)
    guards = _guards(tuple(variables), body, universal)
    named = [
        (name_of(v), bool(v.is_integer), 0 if isinstance(v, sp.Symbol) else len(v.args))
        for v in variables
    ]
    names = [name for name, _, _ in named]

    def judge(at: Instance) -> bool | None:
        known, _ = ranges_at(guards, at)
        finite = len(known) == len(named) or [] in known.values()
        ranges = [known[n] if n in known else at.samples(n, whole, k) for n, whole, k in named]
        inner = at.open()
        values = inner.values
        before = {name: values[name] for name in names if name in values}
        doubt = False
        choices = product(*ranges)
        try:
            for choice in choices if finite else islice(choices, MAX_SAMPLES):
                CASES.seen += 1
                if CASES.seen > 2 * MAX_CASES:
                    raise TooLarge("a quantifier over too many cases")
                values.update(zip(names, choice, strict=True))
                verdict = check(inner) if finite else _tried(check, inner)
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


_JUDGES: tuple[tuple[Any, Callable[[Any], Judge]], ...] = (
    (bool | sp.logic.boolalg.BooleanAtom, lambda f: lambda _: bool(f)),
    (sp.Eq, _relation("eq")),
    (sp.Ne, _relation("ne")),
    (sp.Le, _relation("le")),
    (sp.Lt, _relation("lt")),
    (sp.Ge | sp.Gt, lambda f: judge_of(f.reversed)),
    (logic.Both | sp.And, _joined(False)),
    (logic.Either | sp.Or, _joined(True)),
    (logic.Negation | sp.Not, _negation),
    (logic.If | sp.Implies, _implication),
    (logic.Every | logic.Some, _quantified),
)
