"""Checks of the arguments of strategies."""

from __future__ import annotations

import numpy as np

from ropeproof.theory.errors import InvalidArgument

__all__ = ["even", "finite_positive", "integer", "span"]


def integer(name: str, value: object, *, least: int) -> int:
    """The value as an `int`. Raises `InvalidArgument` unless it is an integer >= `least`."""
    if isinstance(value, np.integer):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InvalidArgument(name, value, f"an integer >= {least}")
    return value


def even(name: str, value: object) -> int:
    """The value as an `int`. Raises `InvalidArgument` unless it is even and at least 2."""
    size = integer(name, value, least=2)
    if size % 2:
        raise InvalidArgument(name, value, "an even integer >= 2")
    return size


def span(low: str, least: object, high: str, most: object, *, floor: int) -> tuple[int, int]:
    """Both ends of a range as `int`. Raises `InvalidArgument` unless `floor <= least <= most`."""
    first = integer(low, least, least=floor)
    return first, integer(high, most, least=first)


def finite_positive(name: str, value: object) -> float:
    """The value as a `float`. Raises `InvalidArgument` unless it is finite and above 0."""
    allowed = "a finite number > 0"
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidArgument(name, value, allowed)
    if not 0 < value < float("inf"):
        raise InvalidArgument(name, value, allowed)
    return float(value)
