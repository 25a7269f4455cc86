"""Formulas as plain text."""

from __future__ import annotations

from typing import Any, ClassVar

from sympy.printing.str import StrPrinter

__all__ = ["plain"]


class _Plain(StrPrinter):  # type: ignore[misc]  # SymPy is untyped
    """SymPy's text form with relations written between their sides."""

    _signs: ClassVar[dict[str, str]] = {"==": "=", "!=": "!=", "<=": "<=", "<": "<"}

    def _print_Relational(self, expr: Any) -> str:  # noqa: N802  # the name SymPy looks for
        sign = self._signs.get(expr.rel_op, expr.rel_op)
        return f"{self._print(expr.lhs)} {sign} {self._print(expr.rhs)}"


def plain(expr: Any) -> str:
    """A formula as readable plain text."""
    return str(_Plain().doprint(expr))
