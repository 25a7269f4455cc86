"""SymPy's shortcuts while claims are written: the same answers, and none of them afterwards."""

from __future__ import annotations

import sys
from threading import Thread

import pytest
import sympy as sp
from sympy.concrete.expr_with_limits import ExprWithLimits

from ropeproof.theory import CLAIMS
from ropeproof.theory.sympy_speed import faster

x, y = sp.symbols("x y", real=True)
i, j, n = sp.symbols("i j n", integer=True)
SUMS = [
    sp.Sum(x * i, (i, 0, n)),
    sp.Sum(sp.Sum(x * i + j, (j, 0, i)), (i, 0, n)),
    sp.Sum(i, (i, 0, 3)),
    sp.Sum(x * i * j, (j, 0, i), (i, 0, j)),
    sp.Abs(sp.Sum(sp.cos(x * i + y), (i, 0, n))),
]


def facts(term):
    return term.free_symbols, term.is_number, term.is_positive, term.is_real, term.is_zero


@pytest.mark.parametrize("term", SUMS, ids=str)
def test_answers_are_those_of_sympy(term):
    plainly = facts(term)
    with faster():
        for _ in range(2):
            assert facts(term.func(*term.args)) == plainly
            term.free_symbols.clear()  # a caller may change the set that it got


def test_outside_sympy_is_as_it_was():
    asking = sys.modules["sympy.core.assumptions"]
    before = ExprWithLimits.free_symbols, asking.shuffle
    with faster(), faster():
        assert ExprWithLimits.free_symbols is not before[0]
        assert asking.shuffle is not before[1]
    with pytest.raises(ZeroDivisionError), faster():
        raise ZeroDivisionError
    assert (ExprWithLimits.free_symbols, asking.shuffle) == before


def test_two_threads_write_claims():
    """One that ends first does not take it from the other, and the last one leaves SymPy as it was."""
    before = ExprWithLimits.free_symbols
    seen = []

    def write():
        with faster():
            other.join()
            seen.append(ExprWithLimits.free_symbols is not before)

    def short():
        with faster():
            pass

    other = Thread(target=short)
    other.start()
    writer = Thread(target=write)
    writer.start()
    writer.join()
    assert seen == [True]
    assert ExprWithLimits.free_symbols is before


def test_reading_a_claim_leaves_sympy_as_it_was():
    before = ExprWithLimits.free_symbols
    assert CLAIMS["slash.head"].derivation is not None
    assert ExprWithLimits.free_symbols is before
