"""Certain truth at an instance, by evaluating terms as fractions or as balls around their values.

The evaluator `evaluate` rounds: a difference of large numbers that nearly cancel, or the cosine of a large
number, may have no correct digit. Before anything is called certain it is checked here, where every
number is exact or enclosed by Arb. A verdict holds for all values in the balls.

A symbol or function that an equation defines has the value that its equation gives, enclosed from the
values of undefined names, each read as the exact number it is (`defined`). Where no definitions are
given, a rounded value stands for every number that agrees with it to 45 digits.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import flint

from ropeproof.proofs_check.semantics.defined import DefinedParts, Followed, meaning_of
from ropeproof.proofs_check.semantics.evaluate.enclosing import (
    READING,
    UNDECIDED,
    fraction,
    judge_of,
)
from ropeproof.proofs_check.semantics.values import Instance, as_real

__all__ = [
    "DefinedParts",
    "Followed",
    "RoundedFunction",
    "enclosed_truth",
    "followed",
    "meaning_of",
    "rounded",
]

_BITS = (256, 2048)
_RECURSIVE_BITS = (*_BITS, 8192)
"""The precisions tried, in bits; more where a recursion may amplify the uncertainty of a number."""
_KEPT: dict[tuple[int, int, int], tuple[Instance, DefinedParts, Instance]] = {}


def enclosed_truth(
    formula: Any, at: Instance, given: DefinedParts | None = None, *, samples: bool = False
) -> bool | None:
    """True if the formula certainly holds, False if it certainly fails, else None.

    `given` says which names are defined. With `samples`, a `for all` counts as true if it certainly
    holds for all sample values; everything else that the verdict rests on is certain.
    """
    for bits in _RECURSIVE_BITS if given is not None and given.functions else _BITS:
        with flint.ctx.workprec(bits), _reading(loose=given is None):
            try:
                local = at if given is None else _followed(given, at)
                found = judge_of(formula)(local if samples else local.doubting())
            except UNDECIDED:
                found = None
        if found is not None:
            return found
    return None


def followed(given: DefinedParts, at: Instance) -> Instance:
    """The instance with defined values computed by their equations, as fractions or balls."""
    with flint.ctx.workprec(_BITS[0]), _reading(loose=False):
        return _followed(given, at)


def rounded(given: DefinedParts, at: Instance) -> Instance:
    """The instance for display, with defined values computed by their equations, then rounded."""
    if not given.functions:
        return at
    local = at.over(dict(at.values))
    local.sums = {}
    with flint.ctx.workprec(_RECURSIVE_BITS[-1]), _reading(loose=False):
        for name, value in _followed(given, at).values.items():
            local.values[name] = (
                RoundedFunction(value) if isinstance(value, Followed) else _middle(value)
            )
    return local


class RoundedFunction:
    """A function defined by recursive equations, with its values rounded."""

    def __init__(self, function: Followed) -> None:
        self._function = function

    @property
    def known(self) -> list[tuple[Any, ...]]:
        """The arguments at which a value has been requested."""
        return self._function.known

    def __call__(self, *arguments: Any) -> Any:
        """The value at exact arguments. Raises `TooLarge` where it is not enclosed."""
        with flint.ctx.workprec(_RECURSIVE_BITS[-1]), _reading(loose=False):
            return _middle(self._function(*arguments))


def _middle(value: Any) -> Any:
    """The midpoint of a ball in the precision of `evaluate`; any other value unchanged."""
    return as_real(fraction(value.mid())) if isinstance(value, flint.arb) else value


def _followed(given: DefinedParts, at: Instance) -> Instance:
    """The result of `given.at_instance(at)`, cached by definitions, instance and precision."""
    key = id(given), id(at), flint.ctx.prec
    if key not in _KEPT:
        if len(_KEPT) > 16:
            _KEPT.clear()
        _KEPT[key] = (
            at,
            given,
            given.at_instance(at),
        )  # both are held, so that no others have their ids
    return _KEPT[key][2]


@contextmanager
def _reading(*, loose: bool) -> Iterator[None]:
    before = READING.loose
    READING.loose = loose
    try:
        yield
    finally:
        READING.loose = before
