r"""Terms as LaTeX: what the pages print, and what names are compared by."""

from __future__ import annotations

import re
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.printing.latex import LatexPrinter

__all__ = ["PRINTER", "RELATIONS"]

RELATIONS = {"==": "=", "!=": r"\ne", "<=": r"\le", "<": "<", ">=": r"\ge", ">": ">"}


class _Printer(LatexPrinter):  # type: ignore[misc]  # SymPy is untyped
    """SymPy's LaTeX with terms of sequences as subscripts."""

    def __init__(self) -> None:
        super().__init__({"ln_notation": True})

    def _print_Function(self, expr: Any, exp: Any = None) -> str:  # noqa: N802  # SymPy's name
        if not isinstance(expr, AppliedUndef):
            return str(super()._print_Function(expr, exp))
        name = self._print(sp.Symbol(expr.func.__name__))
        arguments = ", ".join(self._print(a) for a in expr.args)
        indexed = re.fullmatch(r"([^_^]+)(?:_\{([^_^]+)\})?", name)
        if indexed and all(a.is_integer for a in expr.args):
            letter, mark = indexed.groups()
            text = f"{letter}_{{{f'{mark}, ' if mark else ''}{arguments}}}"
        else:
            text = f"{name}({arguments})"
        return text if exp is None else f"{{{text}}}^{{{exp}}}"

    def _print_Relational(self, expr: Any) -> str:  # noqa: N802  # SymPy's name
        return f"{self._print(expr.lhs)} {RELATIONS[expr.rel_op]} {self._print(expr.rhs)}"


PRINTER = _Printer()
