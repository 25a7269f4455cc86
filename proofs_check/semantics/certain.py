"""Whether an instance certainly satisfies formulas: the only grounds for a refutation.

A `for all` without a finite range cannot be decided by trying values. It can be where its
functions are closed forms and its numbers fractions: the formula then has no unknown functions,
and z3 may prove it. That is the only use of the kernel here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from random import Random
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from ropeproof.proofs_check.semantics.bounds import free_names
from ropeproof.proofs_check.semantics.enclosed import (
    DefinedParts,
    enclosed_truth,
    followed,
    meaning_of,
    rounded,
)
from ropeproof.proofs_check.semantics.evaluate import evaluate, truth
from ropeproof.proofs_check.semantics.for_all import rational, shown
from ropeproof.proofs_check.semantics.for_some import affirmed, written_out
from ropeproof.proofs_check.semantics.instances import Closed, Sampler
from ropeproof.proofs_check.semantics.values import Fraction, Instance, TooLarge
from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language import logic
from ropeproof.theory.language.logic import conjuncts

__all__ = [
    "as_defined",
    "certain",
    "closed_instances",
    "doubtful",
    "example_of",
    "seems_false",
    "shown_false",
    "surely",
    "surely_false",
]


def surely(
    formula: Any, at: Instance, *, given: Iterable[Any] | None = None, ask: bool = True
) -> bool | None:
    """Whether the formula certainly holds (True) or certainly fails (False), else None.

    No sample and no agreement of digits is trusted: a verdict by rounded numbers is checked again with
    exact or enclosed ones. Names that equations in `given` define have the values that the equations
    give; without `given` a rounded value stands for every number near it. Unless `ask` is False, z3
    is asked about a `for all` that evaluation leaves open.
    """
    return _surely(formula, at, None if given is None else meaning_of(given), ask)


def _surely(formula: Any, at: Instance, given: DefinedParts | None, ask: bool) -> bool | None:
    verdict = _by_digits(formula, at.doubting())
    # Digits that leave a defined value open may do so by its recursion alone.
    if verdict is not None or (given is not None and given.functions):
        verdict = enclosed_truth(formula, at, given)
    if verdict is not None or not ask:
        return verdict
    if not formula.has(logic.Every):  # only there can more be shown than evaluated
        return None
    there = at if given is None else followed(given, at)
    return True if shown(formula, there) or _in_each_case(formula, at, there, given) else None


def _in_each_case(formula: Any, at: Instance, there: Instance, given: DefinedParts | None) -> bool:
    """Whether a `for all` over a finite range certainly holds at each of its values.

    An equation such as cos(4 pi/3) = cos(2 pi/3) has no enclosure that decides it, and with the
    variable of the range in it z3 does not know the cosines either; the kernel knows these two.
    """
    cases = written_out(formula, there) if isinstance(formula, logic.Every) else None
    return cases is not None and all(
        shown(case, there) or _surely(case, at, given, True) is True for case in cases
    )


def _by_digits(formula: Any, at: Instance) -> bool | None:
    try:
        return truth(formula, at)
    except (TooLarge, OverflowError):
        return None


def surely_false(formula: Any, at: Instance, given: Iterable[Any] | None = None) -> bool:
    """Whether the formula certainly fails at the instance if all formulas in `given` hold there."""
    return enclosed_truth(formula, at, None if given is None else meaning_of(given)) is False


def seems_false(formula: Any, at: Instance, given: Iterable[Any]) -> bool:
    """Whether the formula certainly fails if each `for all` in it that passes its samples is true.

    Nothing else is trusted: comparisons are decided by enclosures.
    """
    return enclosed_truth(formula, at, meaning_of(given), samples=True) is False


def certain(
    formulas: Iterable[Any], at: Instance, *, aim: Iterable[Any] = (), ask: bool = True
) -> bool:
    """Whether all formulas certainly hold at the instance, which was drawn to satisfy `aim` too.

    A symbol that an equation defines takes the value that the equation gives, so the equation holds;
    likewise for recursive definitions of functions. All other formulas must certainly hold at these
    values, which are enclosed. Each name must be defined only once, and no symbol in terms of itself,
    because the equations could otherwise contradict each other.
    """
    return next(_doubtful(tuple(formulas), at, tuple(aim), ask), None) is None


def doubtful(formulas: Iterable[Any], at: Instance, aim: Iterable[Any] = ()) -> list[Any]:
    """The parts of the formulas that are not certain at the instance; z3 is not asked."""
    return list(_doubtful(tuple(formulas), at, tuple(aim), False))


def _doubtful(
    formulas: tuple[Any, ...], at: Instance, aim: tuple[Any, ...], ask: bool
) -> Iterator[Any]:
    given = meaning_of((*formulas, *aim))
    for part in dict.fromkeys(part for formula in formulas for part in conjuncts(formula)):
        if part in given.symbols:
            if _by_digits(part, at) is not True:
                yield part  # the instance's own value is another one
        elif not given.holds_by_definition(part, at) and _surely(part, at, given, ask) is not True:
            yield part


def as_defined(at: Instance, given: Iterable[Any]) -> Instance:
    """The instance for display, with names that equations in `given` define at those values."""
    return rounded(meaning_of(given), at)


def shown_false(formula: Any, at: Instance, given: Iterable[Any]) -> bool:
    """Whether the kernel proves the formula false at the instance, also where enclosures cannot.

    An implication among its parts is false where its condition certainly holds and its conclusion
    certainly fails.
    """
    given = tuple(given)
    known = meaning_of(given)
    terms = {logic.real(name): term for name, term in known.symbols.values()}
    terms |= {
        d.target: d.value for each in known.functions.values() for d in each if d.is_one_value
    }
    return shown(logic.Negation(formula), followed(known, at), terms) or any(
        isinstance(part, logic.If)
        and surely_false(part.args[1], at, given)
        and (
            surely(part.args[0], at, given=given) is True
            or affirmed(part.args[0], followed(known, at))
        )
        for part in conjuncts(formula)
    )


def _forms(integer: bool, arity: int) -> list[Closed]:
    """Simple functions of the first parameter, in the order in which they are tried."""
    x, *others = logic.real(f"x:{arity}") if arity > 1 else (logic.real("x"),)
    even = sp.Piecewise((1, logic.eq(2 * sp.floor(x / 2), x)), (-1, True))
    shapes = [
        sp.Integer(0), sp.Integer(1), x, -x, sp.Integer(2), sp.Rational(1, 2), 2 * x + 1, x**2,
        sp.Integer(-1), sp.Abs(x), -(x**2), x / 2, 3 - x, even,
    ]  # fmt: skip
    chosen = [s for s in shapes if not integer or s.is_Integer or s is even]
    return [Closed((x, *others), shape, integer) for shape in chosen]


def closed_instances(
    sampler: Sampler, doubtful: Iterable[Any], random: Random, *, tries: int = 30
) -> Iterator[Instance]:
    """Instances in which every function that occurs in the `doubtful` formulas is a closed form.

    They satisfy the sampler's formulas as far as samples show; `certain` has to decide the rest.
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
    """The values in an example, given by equations of symbols and of functions for all arguments.

    Raises `InvalidClaim` for anything else.
    """
    values: dict[str, Any] = {}
    numbers: dict[Any, Any] = {}
    for formula in (p for f in formulas for p in conjuncts(f)):
        whole = isinstance(formula, logic.Every)
        equation = formula.args[1] if whole else formula
        target = equation.args[0] if isinstance(equation, sp.Eq) else None
        if isinstance(target, sp.Symbol) and not whole:
            value = evaluate(equation.rhs, Instance(values))
            if type(value) is not Fraction:
                raise InvalidClaim(f"example: {formula} does not give a fraction")
            if target.is_integer and value.denominator != 1:
                raise InvalidClaim(f"example: {formula}, but {target} is an integer")
            values[target.name] = value
            numbers[target] = rational(value)
        elif isinstance(target, AppliedUndef) and whole and target.args == tuple(formula.args[0]):
            body = equation.rhs.xreplace(numbers)
            if body.free_symbols - set(target.args) or body.atoms(AppliedUndef):
                raise InvalidClaim(f"example: {formula} is no closed form")
            values[target.func.__name__] = Closed(target.args, body, bool(target.is_integer))
        else:
            raise InvalidClaim(f"example: {formula} gives no symbol and no function its value")
    return Instance(values)
