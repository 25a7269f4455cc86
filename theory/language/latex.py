r"""Terms as LaTeX, for pages and for comparing the names of terms."""

from __future__ import annotations

import re
from typing import Any

import sympy as sp
from ropeproof.theory.language.binders import distinct
from sympy.core.function import AppliedUndef
from sympy.printing.latex import LatexPrinter
from sympy.printing.precedence import PRECEDENCE

__all__ = ["PRINTER", "RELATIONS"]

RELATIONS = {"==": "=", "!=": r"\ne", "<=": r"\le", "<": "<", ">=": r"\ge", ">": ">"}


class _Printer(LatexPrinter):  # type: ignore[misc]  # SymPy is untyped
    """SymPy's LaTeX printer, with arguments of sequences as subscripts."""

    def __init__(self) -> None:
        super().__init__({"ln_notation": True})

    def _print_Function(self, expr: Any, exp: Any = None) -> str:  # SymPy's name
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

    def _print_Pow(self, expr: Any) -> str:  # SymPy's name
        expr = _inverted(expr)
        if isinstance(expr, sp.Pow) and expr.exp.is_Rational and expr.exp.q > 2 and expr.exp > 0:
            base = self.parenthesize(expr.base, PRECEDENCE["Pow"], strict=False)
            return rf"{{{base}}}^{{{self._print(expr.exp)}}}"
        return str(super()._print_Pow(expr))

    def _print_Mul(self, expr: Any) -> str:  # SymPy's name, also for 1/x
        if isinstance(expr, sp.Mul):
            expr = sp.Mul(*map(_inverted, expr.args), evaluate=False)
        return str(super()._print_Mul(expr))

    def _print_Sum(self, expr: Any) -> str:
        """Sum signs in sequence, the outermost first, with a summand that is a sum in brackets."""
        signs = [
            rf"\sum_{{{self._print(i)}={self._print(low)}}}^{{{self._print(high)}}} "
            for i, low, high in reversed(expr.limits)
        ]
        body = str(self._print(expr.function))
        if isinstance(expr.function, sp.Add) or body.startswith("-"):
            body = rf"\left({body}\right)"
        return "".join(signs) + body

    def doprint(self, expr: Any) -> str:
        """The LaTeX of a formula, with bound names renamed so that none has two meanings."""
        return str(LatexPrinter.doprint(_OneFormula(), distinct(expr)))

    def _print_Relational(self, expr: Any) -> str:  # SymPy's name
        return f"{self._print(expr.lhs)} {RELATIONS[expr.rel_op]} {self._print(expr.rhs)}"


class _OneFormula(_Printer):
    """A printer of one formula, which caches the text of terms that occur several times."""

    def __init__(self) -> None:
        super().__init__()
        self._texts: dict[Any, str] = {}

    def _print(self, expr: Any, **kwargs: Any) -> str:
        if kwargs or not isinstance(expr, sp.Basic):
            return str(super()._print(expr, **kwargs))
        if expr not in self._texts:
            self._texts[expr] = str(super()._print(expr))
        return self._texts[expr]


def _inverted(expr: Any) -> Any:
    r"""A power with negative exponent as the inverse of a power, where SymPy would simplify it.

    SymPy would print $(\sqrt x)^{-2}$, which is 0 for negative x, as $\frac1x$.
    """
    if not isinstance(expr, sp.Pow) or not (
        expr.exp.is_Rational and expr.exp < 0 and expr.exp != -1
    ):
        return expr
    below = sp.Pow(expr.base, -expr.exp, evaluate=False)
    if sp.Pow(expr.base, -expr.exp) == below:
        return expr
    return sp.Pow(below, -1, evaluate=False)


PRINTER = _Printer()
