"""The unscaled frequencies that a scaling maps, and the checks of the numbers in its record."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_fraction

__all__ = ["Exact", "Plain", "at_least_one", "given", "positive", "positive_or_none", "set_fields"]

Exact: TypeAlias = Any
"""An exact SymPy number."""


class Plain(NamedTuple):
    """The rotation before scaling: base, frequencies and length of the sequence.

    The base, the plain frequencies of the rotated planes in radians per position, exact, and the
    number of positions of the sequence, or None.
    """

    base: Exact
    frequencies: tuple[Exact, ...]
    length: int | None


def set_fields(record: object, **values: object) -> None:
    """Set fields of a frozen record while it is being constructed."""
    for name, value in values.items():
        object.__setattr__(record, name, value)


def given(record: object, name: str) -> object:
    """The value that a field of a record was constructed with, before it becomes an exact number."""
    return vars(record)[name]


def at_least_one(name: str, value: object) -> Exact:
    """The value as an exact `Fraction` >= 1; raises `InvalidArgument` for any other."""
    exact = read_fraction(name, value)
    if exact < 1:
        raise InvalidArgument(name, value, "a number >= 1")
    return exact


def positive(name: str, value: object) -> Exact:
    """The value as an exact `Fraction` > 0; raises `InvalidArgument` for any other."""
    exact = read_fraction(name, value)
    if exact <= 0:
        raise InvalidArgument(name, value, "a number > 0")
    return exact


def positive_or_none(name: str, value: object) -> Exact:
    """The value as an exact `Fraction` > 0, or None; raises `InvalidArgument` for any other."""
    return None if value is None else positive(name, value)
