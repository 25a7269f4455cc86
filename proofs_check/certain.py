"""Whether an instance certainly satisfies formulas: all that a refutation may rest on.

A `for all` without a finite range cannot be decided by trying values. It can be where its
functions are closed forms and its numbers fractions: what it says is then a formula without
unknown functions, and z3 may show it. That is the only use of the kernel here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from random import Random
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from ropeproof.proofs_check.bounds import free_names, parts
from ropeproof.proofs_check.enclosed import enclosed_truth, rounded_away, satisfied
from ropeproof.proofs_check.evaluate import evaluate, truth
from ropeproof.proofs_check.instances import Closed, Sampler
from ropeproof.proofs_check.recursion import agrees, definitions
from ropeproof.proofs_check.shown import rational, shown
from ropeproof.proofs_check.values import Fraction, Instance, TooLarge
from ropeproof.theory import logic
from ropeproof.theory.errors import InvalidClaim

__all__ = ["certain", "closed_instances", "example_of", "seems_false", "surely", "surely_false"]


def surely(
    formula: Any, at: Instance, *, given: Iterable[Any] | None = None, ask: bool = True
) -> bool | None:
    """Whether the formula holds, where no sample and no agreement of digits is trusted.

    What rounded numbers say is looked at again where every number is exact or enclosed. The values of
    names that formulas in `given` define, or of all if there are none, are near ones. Unless `ask` is
    False, z3 is asked about a `for all` that evaluation leaves open.
    """
    return _surely(formula, at, None if given is None else _defined(given), ask)


def _surely(formula: Any, at: Instance, defined: frozenset[str] | None, ask: bool) -> bool | None:
    try:
        verdict = truth(formula, at.doubting())
    except (TooLarge, OverflowError):
        verdict = None
    if verdict is not None:
        verdict = enclosed_truth(formula, at, defined)
    return True if verdict is None and ask and shown(formula, at) else verdict


def surely_false(formula: Any, at: Instance, given: Iterable[Any] | None = None) -> bool:
    """Whether the formula certainly does not hold where those in `given` do."""
    return surely(formula, at, given=given, ask=False) is False


def _defined(formulas: Iterable[Any]) -> frozenset[str]:
    """The symbols and functions that equations among the formulas may define."""
    every = [part for formula in formulas for part in parts(formula)]
    symbols = {name for part in every for name in _symbols_defined(part)}
    return frozenset(symbols | {d.name for each in definitions(every).values() for d in each})


def seems_false(formula: Any, at: Instance) -> bool:
    """Whether a formula that the second witness calls false is so by more than rounding."""
    try:
        by_digits = truth(formula, at.doubting()) is False
    except (TooLarge, OverflowError):
        by_digits = False
    return not (by_digits and rounded_away(formula, at))


def certain(formulas: Iterable[Any], at: Instance, *, ask: bool = True) -> bool:
    """Whether all formulas certainly hold at the instance.

    An equation that gives a symbol its value counts where the other side is enclosed by numbers for
    which the symbol's value stands. Each symbol is defined once, and none by way of itself, else the
    equations may contradict each other.
    Recursive definitions of functions count where the values drawn so far agree with them.
    """
    every = [part for formula in formulas for part in parts(formula)]
    near = _defined(every)
    doubtful = [part for part in every if _surely(part, at, near, False) is not True]
    recursive = definitions(every) if doubtful else {}
    if not agrees((d for each in recursive.values() for d in each), at):
        recursive = {}
    defined: dict[str, Any] = {}
    for part in doubtful:
        if part in recursive:
            continue
        name, term = _defines(part)
        if name is not None and name not in defined and _seems(part, at):
            defined[name] = term
        elif not (ask and shown(part, at)):
            return False
    return satisfied(defined, at)


def _seems(formula: Any, at: Instance) -> bool:
    """Whether the formula holds where digits that agree are trusted."""
    try:
        return truth(formula, at) is True
    except (TooLarge, OverflowError):
        return False


def _defines(formula: Any) -> tuple[str | None, Any]:
    """The symbol alone on one side of an equation, and the other side, which does not name it."""
    return next(iter(_symbols_defined(formula).items()), (None, None))


def _symbols_defined(formula: Any) -> dict[str, Any]:
    """The symbols alone on a side of an equation, with the other side, which does not name them."""
    if not isinstance(formula, sp.Eq):
        return {}
    return {
        str(side.name): other
        for side, other in (formula.args, formula.args[::-1])
        if isinstance(side, sp.Symbol) and not side.is_integer and side not in other.free_symbols
    }


def _forms(integer: bool, arity: int) -> list[Closed]:
    """Simple functions of the first parameter, tried in this order."""
    x, *others = logic.real(f"x:{arity}") if arity > 1 else (logic.real("x"),)
    even = sp.Piecewise((1, logic.eq(2 * sp.floor(x / 2), x)), (-1, True))
    shapes = [
        sp.Integer(0), sp.Integer(1), x, -x, sp.Integer(2), sp.Rational(1, 2), 2 * x + 1, x**2,
        sp.Integer(-1), sp.Abs(x), -(x**2), x / 2, 3 - x, even,
    ]  # fmt: skip
    chosen = [s for s in shapes if not integer or s.is_Integer or s is even]
    return [Closed((x, *others), shape) for shape in chosen]


def closed_instances(
    sampler: Sampler, doubtful: Iterable[Any], random: Random, *, tries: int = 30
) -> Iterator[Instance]:
    """Instances in which the functions of the doubtful formulas are closed forms.

    They satisfy the sampler's formulas as far as samples tell; the rest is for `certain`.
    """
    names = {n: s for n, s in free_names(doubtful).items() if s[1]}
    forms = {name: _forms(*sort) for name, sort in names.items()}
    if not forms:
        return
    same: list[Mapping[str, Closed]]
    depth = max(map(len, forms.values()))
    same = [{n: f[min(k, len(f) - 1)] for n, f in forms.items()} for k in range(min(depth, 4))]
    mixed = ({n: random.choice(f) for n, f in forms.items()} for _ in iter(int, 1))
    for values in islice((*same, *islice(mixed, tries)), tries):
        instance = sampler.draw(random, tries=3, given=Instance(dict(values)))
        if instance is not None:
            yield instance


def example_of(formulas: Iterable[Any]) -> Instance:
    """The values that an example gives: equations of symbols, and of functions for all arguments.

    Raises `InvalidClaim` for anything else.
    """
    values: dict[str, Any] = {}
    numbers: dict[Any, Any] = {}
    for formula in (p for f in formulas for p in parts(f)):
        whole = isinstance(formula, logic.Every)
        equation = formula.args[1] if whole else formula
        target = equation.args[0] if isinstance(equation, sp.Eq) else None
        if isinstance(target, sp.Symbol) and not whole:
            value = evaluate(equation.rhs, Instance(values))
            if type(value) is not Fraction:
                raise InvalidClaim(f"example: {formula} does not give a fraction")
            values[target.name] = value
            numbers[target] = rational(value)
        elif isinstance(target, AppliedUndef) and whole and target.args == tuple(formula.args[0]):
            body = equation.rhs.xreplace(numbers)
            if body.free_symbols - set(target.args) or body.atoms(AppliedUndef):
                raise InvalidClaim(f"example: {formula} is no closed form")
            values[target.func.__name__] = Closed(target.args, body)
        else:
            raise InvalidClaim(f"example: {formula} gives no symbol and no function its value")
    return Instance(values)
