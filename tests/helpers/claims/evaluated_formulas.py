"""Formulas as SymPy evaluates them, to compare the meaning of two ways of writing."""

from __future__ import annotations

import sympy as sp
from sympy.logic.boolalg import Boolean

__all__ = ["evaluated"]


def evaluated(formula):
    """The formula with every term evaluated by SymPy, since some terms are written unevaluated (`kept`)."""
    if not formula.args or isinstance(formula, sp.Piecewise):
        return formula
    if isinstance(formula, Boolean):
        return type(formula).__name__, *map(evaluated, formula.args)
    return formula.func(*map(evaluated, formula.args))
