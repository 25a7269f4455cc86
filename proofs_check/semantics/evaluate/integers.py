"""Terms in integers alone, such as a digit of an integer, compiled to one Python expression.

A sum over all words needs every digit of each of them, which is most of the cost of such a sum.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import gmpy2
import sympy as sp

from ropeproof.proofs_check.semantics.values import Fraction, whole

__all__ = ["NotAnInteger", "integer_function"]

_LARGEST_POWER, _LARGEST_BASE = 100, gmpy2.mpz(2**500)
"""The largest exponent and base; larger powers are left to evaluators that round them."""
_MOST_KEPT = 100_000
"""The most values of one term that are kept: each digit of a word is asked for again and again."""
_DEEPEST = 40
"""The largest nesting depth of a term, since Python limits the nesting of brackets."""


class NotAnInteger(Exception):  # no error: the value is for others to say
    """Raised where a value cannot be computed with integers alone."""


def integer_function(
    expr: Any, names: Iterable[str]
) -> Callable[[Mapping[str, Any]], Fraction] | None:
    """Compile a term to a function of a map from `names` to values; None for any other term.

    Such a term is made of integers by sums, products, powers, absolute values, and floors of
    products. The function raises `NotAnInteger` where a name has a value that is not an integer, where
    a power is not an integer as it stands or is very large, and where a divisor is not positive.
    """
    places = {name: f"v{place}" for place, name in enumerate(names)}
    try:
        body = _Written(places).integer(expr, 0)
    except NotAnInteger:
        return None
    taken = [f" {place} = values[{name!r}]" for name, place in places.items()]
    inexact = " or ".join(f"type({place}) is not Fraction" for place in places.values())
    part = " or ".join(f"not {place}.is_integer()" for place in places.values())
    source = [
        "def function(values):",
        *taken,
        f" if {inexact}: raise NotAnInteger",
        f" key = {', '.join(places.values())},",
        " found = kept.get(key)",
        " if found is not None: return found",
        f" if {part}: raise NotAnInteger",
        *(f" {place} = {place}.numerator" for place in places.values()),
        f" found = whole({body})",
        f" if len(kept) >= {_MOST_KEPT}: kept.clear()",
        " kept[key] = found",
        " return found",
    ]
    scope: dict[str, Any] = {
        "Fraction": Fraction,
        "NotAnInteger": NotAnInteger,
        "kept": {},
        "refuse": _refuse,
        "whole": whole,
        "largest": _LARGEST_BASE,
    }
    exec("\n".join(source), scope)  # of what is written here: names are quoted
    found: Callable[[Mapping[str, Any]], Fraction] = scope["function"]
    return found


def _refuse() -> Any:
    raise NotAnInteger


class _Written:
    """A writer of terms as Python expressions, given the Python names of their symbols."""

    def __init__(self, places: Mapping[str, str]) -> None:
        self._places = places
        self._named = 0

    def integer(self, expr: Any, depth: int) -> str:
        """The Python expression of a term with integer values, at the given nesting depth."""
        if depth > _DEEPEST:
            raise NotAnInteger
        inside = [*expr.args] if isinstance(expr, sp.Add | sp.Mul | sp.Abs) else []
        written = [self.integer(part, depth + 1) for part in inside]
        if isinstance(expr, sp.Integer) and abs(int(expr)) <= _LARGEST_BASE:
            return str(int(expr))
        if isinstance(expr, sp.Symbol) and expr.name in self._places:
            return self._places[expr.name]
        if isinstance(expr, sp.Add):
            return f"({' + '.join(written)})"
        if isinstance(expr, sp.Mul):
            return f"({' * '.join(written)})"
        if isinstance(expr, sp.Abs):
            return f"abs({written[0]})"
        if isinstance(expr, sp.Pow):
            return self._power(expr.base, expr.exp, depth)
        if isinstance(expr, sp.floor):
            return self._floor(expr.args[0], depth)
        raise NotAnInteger

    def _power(self, base: Any, exponent: Any, depth: int) -> str:
        """The Python expression of a power whose base must not be negative."""
        if exponent.is_negative:
            raise NotAnInteger
        of, to = self._name(), self._name()
        base_fits = f"0 <= ({of} := {self.integer(base, depth + 1)}) <= largest"
        power = self.integer(exponent, depth + 1)
        exponent_fits = f"0 <= ({to} := {power}) <= {_LARGEST_POWER}"
        return f"({of} ** {to} if {base_fits} and {exponent_fits} else refuse())"

    def _name(self) -> str:
        self._named += 1
        return f"x{self._named}"

    def _floor(self, expr: Any, depth: int) -> str:
        """The Python expression of the floor of a product of integers, fractions and powers.

        Powers with an exponent `-e` go into the divisor.
        """
        over, under = ["1"], []
        for factor in sp.Mul.make_args(expr):
            if isinstance(factor, sp.Rational):
                over.append(self.integer(sp.Integer(factor.p), depth + 1))
                under += [] if factor.q == 1 else [self.integer(sp.Integer(factor.q), depth + 1)]
            elif isinstance(factor, sp.Pow) and factor.exp.could_extract_minus_sign():
                under.append(self._power(factor.base, -factor.exp, depth + 1))
            else:
                over.append(self.integer(factor, depth + 1))
        dividend = " * ".join(over[1:] or over)
        if not under:
            return f"({dividend})"
        divisor = self._name()
        positive = f"({divisor} := {' * '.join(under)}) > 0"
        return f"(({dividend}) // {divisor} if {positive} else refuse())"
