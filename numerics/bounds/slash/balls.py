"""Arguments of bounds as exact numbers or balls, and values as enclosures.

Scalars count as the exact values they denote (a float is its binary value).
"""

from __future__ import annotations

from typing import Any

from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import ball, read_rational

__all__ = ["BITS", "enclosed", "number", "rational"]

BITS = 192
"""Precision of every bound, in bits."""


def rational(
    name: str,
    value: object,
    *,
    least: Any = None,
    above: Any = None,
    below: Any = None,
    most: Any = None,
) -> Any:
    """The argument as an exact SymPy rational, checked against the limits that are given.

    The limits are `least <= value`, `above < value`, `value < below` and `value <= most`.
    Raises `InvalidArgument`, with `name`, on anything else.
    """
    exact = read_rational(name, value)
    limits = (
        (least is not None and exact < least, f">= {least}"),
        (above is not None and exact <= above, f"> {above}"),
        (below is not None and exact >= below, f"< {below}"),
        (most is not None and exact > most, f"<= {most}"),
    )
    if any(broken for broken, _ in limits):
        named = (least, above, below, most)
        allowed = [text for (_, text), x in zip(limits, named, strict=True) if x is not None]
        raise InvalidArgument(name, value, "a number " + " and ".join(allowed))
    return exact


def number(name: str, value: object, **limits: Any) -> Any:
    """The argument as a ball of `BITS` bits, checked as in `rational`."""
    return ball(rational(name, value, **limits), bits=BITS)


def enclosed(value: Any) -> Enclosure:
    """The tightest doubles around a ball, as an `Enclosure`."""
    return Enclosure.of(value, value)
