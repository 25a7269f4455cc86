"""Formulas as SymPy evaluates them, to compare what two ways of writing mean."""

from __future__ import annotations

import sympy as sp
from sympy.logic.boolalg import Boolean

__all__ = ["evaluated"]


def evaluated(formula):
    """The formula with every term as SymPy evaluates it: some are written with `kept`."""
    if not formula.args or isinstance(formula, sp.Piecewise):
        return formula
    if isinstance(formula, Boolean):
        return type(formula).__name__, *map(evaluated, formula.args)
    return formula.func(*map(evaluated, formula.args))
