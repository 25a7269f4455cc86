"""Balls that contain the value of a form, by Arb."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import flint
from quicktions import Fraction

from ropeproof.proofs_check.programs.formulas.forms import Atom, ExactForm
from ropeproof.theory.errors import Unsupported

__all__ = ["enclose"]


def _ball(number: Fraction) -> Any:
    return flint.arb(flint.fmpq(number.numerator, number.denominator))


def enclose(
    form: ExactForm,
    values: Mapping[Atom, Any],
    row: Callable[[Any, int], Fraction] | None = None,
) -> Any:
    """A ball that contains the form's value where the symbols have these values.

    `values` are rational numbers by atom; `row` gives the entry of a table by table and row. The
    precision is the one that is set. Raises `Unsupported` for a function without a value here.
    """
    total = flint.arb(0)
    for mono, c in form.terms.items():
        part = _ball(c)
        for one, exponent in mono:
            part = part * _powered(_atom(one, values, row), exponent, one)
        total = total + part
    return total


def _powered(value: Any, exponent: Fraction, one: Atom) -> Any:
    if exponent == 1:
        return value
    if exponent.denominator == 1 and exponent > 0:
        found = value
        for _ in range(int(exponent) - 1):
            found = found * value
        return found
    if one[0] in ("b", "e"):
        return (_ball(exponent) * value.log()).exp()
    raise Unsupported("a power without a value here")


def _atom(one: Atom, values: Mapping[Atom, Any], row: Any) -> Any:
    if one in values:
        return _ball(Fraction(values[one]))
    kind = one[0]
    if kind == "b":
        return _ball(one[1])
    if kind == "e":
        return flint.arb(1).exp()
    if kind == "pi":
        return flint.arb.pi()
    if kind == "log":
        return _ball(one[1]).log()
    if kind in ("cos", "sin"):
        return getattr(enclose(one[1], values, row), kind)()
    if kind == "mod":
        whole = enclose(one[1], values, row).unique_fmpz()
        if whole is not None:
            return _ball(Fraction(int(whole) % int(one[2])))
    if kind == "row" and row is not None:
        whole = enclose(one[2], values, row).unique_fmpz()
        if whole is not None:
            return _ball(row(one[1], int(whole)))
    if kind == "f":
        return _function(one[1], [enclose(f, values, row) for f in one[2]])
    raise Unsupported(f"no value for {one}")


def _function(name: str, given: list[Any]) -> Any:
    if name == "pow":
        return (given[1] * given[0].log()).exp()
    if name == "div":
        return given[0] / given[1]
    if name in ("exp", "log", "sqrt", "tan", "floor", "ceil"):
        return getattr(given[0], name)()
    if name == "abs":
        return abs(given[0])
    if name in ("max", "min"):
        found = given[0]
        for other in given[1:]:
            found = getattr(found, name)(other)
        return found
    raise Unsupported(f"no value for the function {name}")
