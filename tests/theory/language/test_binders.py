"""What is bound where: going through formulas, what they say under which conditions, and rebuilding."""

import sympy as sp

from ropeproof.proofs_check.semantics.bounds import names_in
from ropeproof.theory.language.binders import asserted, distinct, rebuilt, symbol_name, walked
from ropeproof.theory.language.logic import (
    Both,
    Either,
    Every,
    If,
    Some,
    eq,
    integer,
    integer_function,
    kept,
    le,
    lt,
    real,
    real_function,
)
from ropeproof.theory.language.substitution import free_symbols, substitute

i, j, k, n = integer("i j k n")
x, y = real("x y")
f, g = real_function("f"), integer_function("g")


def bound_at(expr, wanted):
    """The names bound around each place where a symbol stands."""
    places = [bound for part, bound in walked(expr) if part == wanted]
    return [list(map(symbol_name, bound)) for bound in places]


def test_an_index_is_bound_in_the_term_and_in_the_ends_further_in_alone():
    total = sp.Sum(f(i) * f(j), (j, i, n), (i, j, n))
    assert bound_at(total, f(i)) == [["j", "i"]]
    assert bound_at(total, i) == [["i"], ["j", "i"]]  # the inner sum's lower end, and in the term
    assert bound_at(total, j) == [[], ["j", "i"]]  # the outer sum's lower end is another j
    assert free_symbols(total) == {f, j, n}
    assert names_in(total) == {"n": (True, 0), "j": (True, 0), "f": (False, 1)}


def test_a_quantifier_binds_functions_and_a_lambda_its_parameters():
    formula = Every((g(i), k), le(g(k), sp.Sum(f(i), (i, 0, g(n)))))
    assert bound_at(formula, g(n)) == [["g", "k"]]
    assert free_symbols(formula) == {f, n}
    assert free_symbols(sp.Lambda(x, x + y)) == {y}
    assert substitute(sp.Lambda(x, x + y), {x: n, y: sp.Integer(2)}) == sp.Lambda(x, x + 2)
    assert substitute(sp.Lambda(x, x + y), {y: x}) != sp.Lambda(x, 2 * x)


def test_what_a_formula_says_comes_with_its_conditions_and_quantifiers():
    inside = Every((k,), If(le(0, k), Both(le(f(k), x), Some((j,), eq(j, k)))))
    formula = If(lt(0, x), Both(inside, Either(le(x, y), le(y, x))))
    first, second, third = asserted(formula)
    assert first.formula == le(f(k), x)
    assert first.conditions == (lt(0, x), le(0, k))
    assert first.quantifiers == (inside,)
    assert first.variables == (k,)
    assert isinstance(second.formula, Some)
    assert third.formula == formula.args[1].args[1]
    assert third.quantifiers == ()
    deeper = list(asserted(formula, Every | Some))[1]
    assert deeper.formula == eq(j, k)
    assert deeper.variables == (k, j)


def same(part, _):
    return part


def test_what_is_rebuilt_of_the_same_parts_is_the_same_object():
    formula = Every((k,), le(f(k), sp.Sum(f(i) * f(j), (j, 0, i), (i, 0, n))))
    for part, _ in walked(formula):
        found = rebuilt(part, None, same, lambda variables, *_: (variables, None))
        assert found is part


def test_what_is_rebuilt_as_written_is_not_evaluated():
    term = kept(sp.Mul, sp.Symbol("a", real=True), kept(sp.Pow, x, -1))
    piecewise = sp.Piecewise((kept(sp.Mul, x, kept(sp.Pow, x, -1)), x > 0), (0, True))
    for whole in (term, piecewise, le(term, piecewise)):

        def renamed(part, _):
            if part == x:
                return sp.Symbol("a", real=True)
            if not part.args:
                return part
            return rebuilt(part, None, renamed, lambda v, *_: (v, None), as_written=True)

        assert sp.count_ops(renamed(whole, None)) == sp.count_ops(whole)


def test_a_name_of_another_sort_is_another_name():
    """The kernel knows names alone, a printer shows them alone: both keep the two apart."""
    other = sp.Symbol("i", real=True)
    assert str(distinct(sp.Sum(i + other, (i, 0, 3)))) == "Sum(i + i', (i', 0, 3))"
