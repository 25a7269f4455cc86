"""Inequalities on a compact box, by ball arithmetic (Arb) with subdivision.

A box is a range of rationals for each free symbol. `strictly_positive` returns True only if
on every cell of a finite cover of the box the enclosure of the term is certainly positive
(or non-negative where that suffices). A comparison that is not certain is never a yes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import flint
from quicktions import Fraction

from ropeproof.proofs_check.kernel.terms import (
    LARGEST_POWER,
    Malformed,
    Term,
    number,
    substitute,
)

__all__ = ["Box", "certainly_positive", "enclose", "precision"]

Box = Mapping[str, tuple[Fraction, Fraction]]
BITS = 128
MAX_CELLS = 20_000


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """A context in which balls have `bits` bits; python-flint's precision is global to the process."""
    before = flint.ctx.prec
    flint.ctx.prec = bits
    try:
        yield
    finally:
        flint.ctx.prec = before


def _exact(value: Fraction) -> Any:
    return flint.arb(flint.fmpq(value.numerator, value.denominator))


def _range(low: Fraction, high: Fraction) -> Any:
    middle, radius = (low + high) / 2, (high - low) / 2
    return _exact(middle) + _exact(radius) * flint.arb(0, 1)


def enclose(term: Term, values: Mapping[str, Any]) -> Any:
    """A ball that contains the term's value for all points of the given balls.

    Raises `Malformed` on a term without a numeric meaning (free functions, symbolic sums).
    A part outside its domain gives a ball that is not finite.
    """
    kind = term[0]
    if kind == "q":
        return _exact(term[1])
    if kind == "pi":
        return flint.arb.pi()
    if kind == "x" and term[1] in values:
        return values[term[1]]
    if kind == "+":
        return sum((enclose(t, values) for t in term[1]), flint.arb(0))
    if kind == "*":
        result = flint.arb(1)
        for t in term[1]:
            result = result * enclose(t, values)
        return result
    if kind == "^":
        return _power(term, values)
    if kind in ("cos", "sin", "exp", "log", "sqrt", "floor"):
        x = enclose(term[1], values)
        return getattr(x, kind)()
    if kind == "abs":
        return abs(enclose(term[1], values))
    if kind in ("max", "min"):
        result, *rest = (enclose(t, values) for t in term[1])
        for other in rest:
            result = result.max(other) if kind == "max" else result.min(other)
        return result
    if kind == "sum":
        return _sum(term, values)
    raise Malformed(f"no numeric value: {kind} {term[1] if len(term) > 1 else ''}")


def _power(term: Term, values: Mapping[str, Any]) -> Any:
    base, exponent = enclose(term[1], values), term[2]
    if exponent[0] == "q" and exponent[1].denominator == 1:
        if abs(exponent[1]) > LARGEST_POWER:
            raise Malformed(f"the power {exponent[1]} is too large to be multiplied out")
        result = flint.arb(1)
        for _ in range(abs(int(exponent[1]))):  # x**2 would give nan on a ball through 0
            result = result * base
        return result if exponent[1] >= 0 else 1 / result
    return (enclose(exponent, values) * base.log()).exp()


def _sum(term: Term, values: Mapping[str, Any]) -> Any:
    _, _, low, high, body = term
    first, last = (enclose(t, values).unique_fmpz() for t in (low, high))
    if first is None or last is None or last - first > MAX_CELLS:
        raise Malformed("a sum whose bounds are not certain integers")
    total = flint.arb(0)
    for i in range(int(first), int(last) + 1):
        total += enclose(substitute(body, {0: number(i)}), values)
    return total


def certainly_positive(term: Term, box: Box, *, strict: bool, bits: int = BITS) -> bool:
    """Whether the term is certainly positive (or, if not strict, non-negative) on the box."""
    with precision(bits):
        cells = [dict(box)]
        for _ in range(MAX_CELLS):
            if not cells:
                return True
            cell = cells.pop()
            value = enclose(term, {name: _range(*ends) for name, ends in cell.items()})
            if value.is_finite() and (value > 0 if strict else value >= 0):
                continue
            widest = max(cell, key=lambda name: cell[name][1] - cell[name][0], default=None)
            if widest is None or cell[widest][0] == cell[widest][1]:
                return False
            low, high = cell[widest]
            middle = (low + high) / 2
            cells.append({**cell, widest: (low, middle)})
            cells.append({**cell, widest: (middle, high)})
    return not cells
