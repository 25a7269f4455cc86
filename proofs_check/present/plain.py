"""Formulas as plain text."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, ClassVar

import sympy as sp
from sympy.printing.precedence import PRECEDENCE, precedence
from sympy.printing.str import StrPrinter

from ropeproof.theory.language.binders import distinct

__all__ = ["plain"]


_TERMS = 20_000
"""The number of terms whose texts are cached, as one occurs in many formulas of a claim."""


class _Plain(StrPrinter):  # type: ignore[misc]  # SymPy is untyped
    """SymPy's text printer, with relations written between their sides."""

    def _print(self, expr: Any, **kwargs: Any) -> str:
        """The text of an expression; the texts of terms are cached."""
        if kwargs or not isinstance(expr, sp.Basic):
            return str(super()._print(expr, **kwargs))
        return _written(expr)

    _signs: ClassVar[dict[str, str]] = {"==": "=", "!=": "!=", "<=": "<=", "<": "<"}

    def _print_Relational(self, expr: Any) -> str:  # noqa: N802  # the name SymPy looks for
        sign = self._signs.get(expr.rel_op, expr.rel_op)
        return f"{self._print(expr.lhs)} {sign} {self._print(expr.rhs)}"

    def _print_Mul(self, expr: Any) -> str:  # noqa: N802
        above, below = _fraction(expr)
        if above is None:
            return str(super()._print_Mul(expr))
        sign, above = ("-", above[1:]) if above[0] == -1 and len(above) > 1 else ("", above)
        top = "*".join(self._factor(f, n == 0 and not sign) for n, f in enumerate(above))
        if not below:
            return f"{sign}{top}"
        bottom = "*".join(self._factor(f, False, strict=True) for f in below)
        return f"{sign}{top}/{bottom}" if len(below) == 1 else f"{sign}{top}/({bottom})"

    def _factor(self, factor: Any, first: bool, strict: bool = False) -> str:
        """The text of a factor; `first` may be a signed number, `strict` is below a fraction bar."""
        text = str(self._print(factor))
        level = precedence(factor)
        tight = level > PRECEDENCE["Mul"] or (first and factor.is_Integer)
        if factor.is_Rational and (factor.q != 1 or factor < 0) and not (first and factor.q == 1):
            tight = False
        inverse = isinstance(factor, sp.Pow) and _negative(factor.exp)
        return (
            text if tight and not (strict and text.startswith("-")) and not inverse else f"({text})"
        )

    def _print_Pow(self, expr: Any, _: bool = False) -> str:  # noqa: N802
        base, exponent = expr.args
        if exponent == sp.Rational(1, 2):
            return f"sqrt({self._print(base)})"
        if _negative(exponent) and exponent.is_Rational:
            return f"1/{self._factor(_inverse(expr), False, strict=True)}"
        loose = precedence(base) < PRECEDENCE["Atom"] and not isinstance(base, sp.Function)
        loose |= (base.is_Rational and (base < 0 or base.q != 1)) or isinstance(base, sp.Pow)
        shown = str(self._print(base))
        raised = str(self._print(exponent))
        simple = raised.isalnum() or (isinstance(exponent, sp.Function) and raised.endswith(")"))
        return f"{f'({shown})' if loose else shown}**{raised if simple else f'({raised})'}"

    def _print_Sum(self, expr: Any) -> str:  # noqa: N802
        text = str(self._print(expr.function))
        for limit in expr.limits:  # the first is the innermost
            text = f"Sum({text}, ({', '.join(map(self._print, limit))}))"
        return text


@lru_cache(maxsize=_TERMS)
def _written(expr: Any) -> str:
    return str(StrPrinter._print(_Plain(), expr))


def _negative(exponent: Any) -> bool:
    return bool(exponent.is_Rational and exponent < 0)


def _inverse(power: Any) -> Any:
    """The denominator for a power with a negative exponent."""
    if power.exp == -1:
        return power.base
    return sp.Pow(power.base, -power.exp, evaluate=False)


def _fraction(expr: Any) -> tuple[list[Any] | None, list[Any]]:
    """The factors above and below the bar of a product that SymPy would print ambiguously.

    None for an ordinary product: a number, if any, comes first, and no factor is a product, or an
    inverse of something that is one, or is a power.
    """
    first, *others = expr.args
    odd = isinstance(first, sp.Mul) or first == 1
    odd |= any(isinstance(f, sp.Mul) or f.is_Rational for f in others)
    for factor in expr.args:
        if isinstance(factor, sp.Pow) and factor.exp.is_Rational:
            base = factor.base
            odd |= _negative(factor.exp) and (isinstance(base, sp.Pow | sp.Mul) or base.is_Rational)
            odd |= sp.Pow(base, -factor.exp) != sp.Pow(base, -factor.exp, evaluate=False)
    if not odd:
        return None, []
    above: list[Any] = []
    below: list[Any] = []
    for factor in expr.args:
        if isinstance(factor, sp.Pow) and _negative(factor.exp):
            below.append(_inverse(factor))
        else:
            above.append(factor)
    return above or [sp.S.One], below


def plain(expr: Any) -> str:
    """A formula as readable plain text.

    Read by the ordinary rules it has the value of the term, however that was built, and no
    name in it stands for two things.
    """
    return str(_Plain().doprint(distinct(expr)))
