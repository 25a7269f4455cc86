"""SymPy a fifth faster while the formulas of claims are written, with the same terms."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from threading import Lock
from typing import Any

from sympy.concrete.expr_with_limits import ExprWithLimits
from sympy.core.basic import Basic

__all__ = ["faster"]

# `import sympy.core.assumptions as ...` gives a function of the same name.
_assumptions: Any = sys.modules["sympy.core.assumptions"]
_AS_IT_WAS = (ExprWithLimits.free_symbols, _assumptions.shuffle)
_within = [0]
_lock = Lock()


@contextmanager
def faster() -> Iterator[None]:
    """Within it SymPy looks for the free symbols of a sum once, and for facts in one order.

    SymPy asks a sum for its free symbols wherever it compares or evaluates a term in which the sum
    stands, and looks through a sum in a sum each time. What else may decide a fact that is asked for, as
    whether a term is positive, it tries in an order drawn by chance. Outside, both are as they were.
    """
    with _lock:
        _within[0] += 1
        _set(property(lambda total: set(_free_symbols(total))), list.sort)
    try:
        yield
    finally:
        with _lock:
            _within[0] -= 1
            if not _within[0]:
                _set(*_AS_IT_WAS)


@lru_cache(maxsize=200_000)
def _free_symbols(total: Basic) -> frozenset[Basic]:
    return frozenset(_AS_IT_WAS[0].fget(total))


def _set(free_symbols: object, put_in_order: object) -> None:
    ExprWithLimits.free_symbols = free_symbols
    _assumptions.shuffle = put_in_order
