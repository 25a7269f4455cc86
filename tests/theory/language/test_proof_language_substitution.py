"""Values put into formulas: no name is captured, and functions are taken in every form."""

from __future__ import annotations

import pytest
import sympy as sp

from ropeproof.theory.language.logic import Every, Some, eq, every, integer, le, real, real_function
from ropeproof.theory.language.substitution import as_values, free_symbols, substitute

i, j, l, n = integer("i j l n")
x, y = real("x y")
f, g = real_function("f"), real_function("g")


def test_a_value_does_not_fall_under_a_binder_of_its_name():
    total = sp.Sum(f(l) * x, (l, 0, n - 1))
    found = substitute(total, {x: sp.Symbol("l", integer=True), n: n + 1})
    assert free_symbols(found) == {f, l, n}
    ((index, low, high),) = found.limits
    assert index != l
    assert (low, high) == (0, n)
    assert found.function.subs(index, j) == f(j) * l


@pytest.mark.parametrize("quantifier", [Every, Some])
def test_nor_under_a_quantifier(quantifier):
    found = substitute(quantifier((j,), le(f(j), f(i))), {i: j})
    assert free_symbols(found) == {f, j}
    assert found.args[0][0] != j


def test_bound_names_are_left_alone():
    formula = every(j, 0, n - 1, le(f(j), x))
    assert substitute(formula, {j: sp.Integer(3)}) == formula


def test_inner_sums_have_their_own_scope():
    nested = sp.Sum(f(l) * g(j), (l, 0, j), (j, 0, n))
    found = substitute(nested, {n: l})
    assert free_symbols(found) == {f, g, l}
    assert [limit[2] for limit in found.limits][1] == l
    assert substitute(nested, {l: j, j: l}) == nested


def test_functions_take_lambdas_functions_and_python_functions():
    formula = le(f(j), sp.Sum(f(l), (l, 0, n - 1)))
    wanted = le(g(j) + 1, sp.Sum(g(l) + 1, (l, 0, n - 1)))
    for value in (sp.Lambda(j, g(j) + 1), lambda place: g(place) + 1):
        assert substitute(formula, as_values({f: value}, formula)) == wanted
    renamed = substitute(formula, as_values({f: g}, formula))
    assert renamed == le(g(j), sp.Sum(g(l), (l, 0, n - 1)))


def test_a_parameter_is_an_integer_where_the_function_is_applied_to_integers_only():
    values = as_values({f: lambda place: sp.Sum(g(l), (l, 0, place))}, le(f(j), f(n)))
    assert values[f].variables[0].is_integer
    values = as_values({f: lambda place: place}, le(f(j), f(x)))
    assert not values[f].variables[0].is_integer


def test_relations_stay_as_written():
    assert isinstance(substitute(eq(x, y), {y: x}), sp.Eq)
