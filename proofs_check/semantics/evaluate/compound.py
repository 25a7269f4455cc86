"""Terms that stand for many others, over either kind of numbers: sums, and values by cases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from ropeproof.proofs_check.semantics.bounds import names_in
from ropeproof.proofs_check.semantics.values import (
    ZERO,
    Fraction,
    Instance,
    TooLarge,
    Work,
    whole,
)
from ropeproof.theory.language import logic

__all__ = [
    "MAX_TERMS",
    "MOST_ADDED",
    "REMEMBERED",
    "AddedNumbers",
    "Term",
    "by_cases",
    "sum_of",
]

MAX_TERMS = 20_000
MOST_ADDED = 100_000
"""Terms of one sum with all sums inside it: one over all choices has many, each with sums of its own."""
REMEMBERED = 100_000  # formulas whose functions are kept
_MISSING = object()

Term = Callable[[Instance], Any]
"""A term as a function of the instance, to a number of one of the two kinds."""


@dataclass(frozen=True, eq=False)
class AddedNumbers:
    """What a sum needs of a kind of numbers.

    `value_of` makes a function of a term and `add` adds two values; `floor` takes the end of a range
    and whether agreement of digits is trusted. `reading` is what a value depends on at an instance
    beside the values there. `work` counts terms, of which a sum and those inside it have `most_added`.
    """

    value_of: Callable[[Any], Term]
    add: Callable[[Any, Any], Any]
    floor: Callable[[Any, bool], Fraction]
    reading: Callable[[Instance], Any]
    work: Work
    most_added: float


def sum_of(expr: Any, numbers: AddedNumbers) -> Term:
    """A sum as a function of the instance, remembered by the values it depends on."""
    names = tuple(sorted(names_in(expr)))
    own = object()  # what its values are remembered under
    read = itemgetter(*names) if names else lambda _: None
    reading, work = numbers.reading, numbers.work
    on_samples = expr.has(logic.Every, logic.Some)  # then it matters whether these are trusted
    total = numbers.value_of(expr.function)
    for index, low, high in expr.limits:
        ends = numbers.value_of(low), numbers.value_of(high)
        total = _total(numbers, total, index.name, *ends)
    whole_sum = total

    def value(at: Instance) -> Any:
        key: Any = (own, reading(at), on_samples and at.trusting, read(at.values))
        try:
            found = at.sums.get(key)
        except ValueError:  # a symbol's value is a ball, which is no key
            key = found = None
        if found is None:
            work.terms += 1
            if not work.summing:
                work.added = 0
            work.summing += 1
            try:
                found = whole_sum(at.open())
            finally:
                work.summing -= 1
            if key is not None:
                at.sums[key] = found
        return found

    return value


def _total(numbers: AddedNumbers, summand: Term, name: str, low: Term, high: Term) -> Term:
    """The sum over one index, at an instance whose values may be set."""
    add, floor, work, most_added = numbers.add, numbers.floor, numbers.work, numbers.most_added

    def value(at: Instance) -> Any:
        first, last = low(at), floor(high(at), at.trusting)
        if type(first) is not Fraction or first.denominator != 1 or last - first > MAX_TERMS:
            raise TooLarge("a sum without integer bounds, or too long")
        work.added += max(0, int(last - first) + 1)
        if work.added > most_added:
            raise TooLarge("a sum that is too long with the sums inside it")
        total: Any = ZERO
        values = at.values
        before = values.get(name, _MISSING)
        try:
            for index in range(int(first), int(last) + 1):
                values[name] = whole(index)
                total = add(total, summand(at))
        finally:
            if before is _MISSING:
                values.pop(name, None)
            else:
                values[name] = before
        return total

    return value


def by_cases(expr: Any, value_of: Callable[[Any], Term], judge_of: Callable[[Any], Any]) -> Term:
    """The value of the first case that applies. Raises `TooLarge` where that is undecided."""
    cases = [
        (value_of(value), None if condition == True else judge_of(condition))  # noqa: E712
        for value, condition in expr.args
    ]

    def value(at: Instance) -> Any:
        for term, condition in cases:
            verdict = True if condition is None else condition(at)
            if verdict is None:
                raise TooLarge("an undecided case")
            if verdict:
                return term(at)
        raise TooLarge("no case applies")

    return value
