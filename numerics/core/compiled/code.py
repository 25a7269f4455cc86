"""A term of a claim as a Python function: `sympy.lambdify` with a printer that serves two kits.

A kit is the table of functions that the compiled code calls, one for float64 arrays and one for balls.
The printer writes the same code for both, so that both compute one formula. Quotients, all functions,
numbers that are no integers, and sums are calls into the kit; a sum also passes the number of sums around
it, because NumPy sums over an axis and balls are summed one by one. A construct that the printer does not
know is refused by name at compile time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import sympy as sp
from sympy.printing.printer import Printer

from ropeproof.theory.errors import Unsupported

__all__ = ["AXES", "compiled"]

AXES = "axes"
"""The name of a compiled function's last argument: the number of axes that its arguments share."""


def compiled(term: Any, arguments: Sequence[Any], kit: Mapping[str, Any]) -> Callable[..., Any]:
    """The term as a function of given arguments (symbols and undefined functions) and of `AXES`.

    Raises `Unsupported`, naming it, for a construct that has no code.
    """
    names = [a.name if isinstance(a, sp.Symbol) else a.__name__ for a in arguments]
    symbols = [sp.Symbol(f"{name}_") for name in (*names, AXES)]
    result: Callable[..., Any] = sp.lambdify(
        symbols, term, modules=[dict(kit)], printer=_Code(), cse=False
    )
    return result


class _Code(Printer):  # type: ignore[misc]  # SymPy is untyped
    """SymPy's printer of the Python code of a term, in the function names of a kit."""

    printmethod = "_no_such_method"

    def __init__(self) -> None:
        super().__init__()
        self._around = 0

    def emptyPrinter(self, expr: Any) -> str:  # noqa: N802  # SymPy's name
        raise Unsupported(f"{type(expr).__name__} in a term to compile: {expr}")

    def _call(self, name: str, *parts: Any) -> str:
        return f"{name}({', '.join(map(self._print, parts))})"

    def _print_str(self, expr: str) -> str:
        return expr

    def _of_symbol(self, expr: Any) -> str:
        return f"{expr.name}_"  # no name of a kit ends so

    def _of_integer(self, expr: Any) -> str:
        return f"({int(expr)})"

    def _of_rational(self, expr: Any) -> str:
        return f"over({int(expr.p)}, {int(expr.q)})"

    def _of_pi(self, _: Any) -> str:
        return "pi()"

    def _of_exp1(self, _: Any) -> str:
        return "exp(1)"

    def _of_add(self, expr: Any) -> str:
        return f"({' + '.join(map(self._print, expr.args))})"

    def _of_mul(self, expr: Any) -> str:
        above, below = [], []
        for part in expr.args:
            if part.is_Rational:
                above += [sp.Integer(part.p)] if part.p != 1 else []
                below += [sp.Integer(part.q)] if part.q != 1 else []
            elif part.is_Pow and part.exp.is_Rational and part.exp < 0:
                below.append(sp.Pow(part.base, -part.exp, evaluate=False))
            else:
                above.append(part)
        top = " * ".join(map(self._print, above)) or "1"
        return f"over({top}, {' * '.join(map(self._print, below))})" if below else f"({top})"

    def _of_pow(self, expr: Any) -> str:
        base, exponent = expr.args
        if exponent.is_Rational and exponent < 0:
            return f"over(1, {self._print(sp.Pow(base, -exponent, evaluate=False))})"
        if exponent.is_Integer:
            whole = int(exponent)
            return self._print(base) if whole == 1 else f"power({self._print(base)}, {whole})"
        if exponent.is_Rational and exponent.q == 2:
            root = f"sqrt({self._print(base)})"
            return root if exponent.p == 1 else f"power({root}, {int(exponent.p)})"
        return self._call("raised", base, exponent)

    def _of_cos(self, expr: Any) -> str:
        return self._turn("cos", expr.args[0])

    def _of_sin(self, expr: Any) -> str:
        return self._turn("sin", expr.args[0])

    def _turn(self, name: str, angle: Any) -> str:
        """The code of a cosine or sine; for a multiple of pi, a call of `cos_pi` or `sin_pi`."""
        parts = [part / sp.pi for part in sp.Add.make_args(angle)]
        halves = not angle.has(sp.Sum) and not any(part.has(sp.pi) for part in parts)
        return self._call(f"{name}_pi", sp.Add(*parts)) if halves else self._call(name, angle)

    def _of_min(self, expr: Any) -> str:
        return self._nested("minimum", expr.args)

    def _of_max(self, expr: Any) -> str:
        return self._nested("maximum", expr.args)

    def _nested(self, name: str, parts: Sequence[Any]) -> str:
        first, *rest = map(str, map(self._print, parts))
        for part in rest:
            first = f"{name}({first}, {part})"
        return first

    def _of_applied(self, expr: Any) -> str:
        name = expr.func.__name__
        return self._call("entry", f'"{name}"', f"{name}_", *expr.args)

    def _of_sum(self, expr: Any) -> str:
        term, *limits = expr.args
        inner = self._around + len(limits)
        # The limits of a sum are outside it; the first of several is the innermost.
        ends = []
        for count, (_, low, high) in enumerate(reversed(limits)):
            self._around += count
            ends.append((self._print(low), self._print(high), self._around))
            self._around -= count
        before, self._around = self._around, inner
        code = str(self._print(term))
        self._around = before
        for (index, _, _), (low, high, around) in zip(limits, reversed(ends), strict=True):
            name = self._print(index)
            code = f"total(lambda {name}: {code}, {low}, {high}, {AXES}_ + {around})"
        return code


def _function(name: str) -> Callable[[_Code, Any], str]:
    return lambda printer, expr: printer._call(name, *expr.args)


_METHODS: Mapping[str, Callable[[_Code, Any], str]] = MappingProxyType(
    {
        "Symbol": _Code._of_symbol,
        "Integer": _Code._of_integer,
        "Rational": _Code._of_rational,
        "Pi": _Code._of_pi,
        "Exp1": _Code._of_exp1,
        "Add": _Code._of_add,
        "Mul": _Code._of_mul,
        "Pow": _Code._of_pow,
        "Sum": _Code._of_sum,
        "AppliedUndef": _Code._of_applied,
        "cos": _Code._of_cos,
        "sin": _Code._of_sin,
        "Min": _Code._of_min,
        "Max": _Code._of_max,
        "Abs": _function("absolute"),
        **{name: _function(name) for name in ("exp", "log", "tan", "tanh", "sinh", "cosh")},
        **{name: _function(name) for name in ("acos", "asin", "atan", "floor", "sign")},
    }
)
for _name, _method in _METHODS.items():
    setattr(_Code, f"_print_{_name}", _method)  # SymPy's names for what prints a kind of term
