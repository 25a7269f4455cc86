"""The normal form: terms with one normal form are equal."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import assume, given
from hypothesis import strategies as st
from kernel.numeric import L, N, X, Y, close, environments, steady, terms, truth, value
from kernel.sum_terms import FACTS as SUM_FACTS
from kernel.sum_terms import holds, sum_environments, sum_terms

from ropeproof.proofs_check.kernel.formulas import formula
from ropeproof.proofs_check.kernel.normal import Normal
from ropeproof.proofs_check.kernel.polynomial import term_of, trig
from ropeproof.proofs_check.kernel.read import read
from ropeproof.proofs_check.kernel.smt import PremiseFacts
from ropeproof.proofs_check.kernel.terms import Malformed, number, sub
from ropeproof.theory.language.logic import (
    Both,
    Every,
    If,
    eq,
    integer,
    le,
    lt,
    ne,
    real,
    real_function,
)

x, y = real("x y")
i, j, k, l, m, n = integer("i j k l m n")
f, g = real_function("f"), real_function("g")
FACTS = [
    ("lt", number(0), X),
    ("ne", Y, number(0)),
    ("le", number(0), Y),
    ("le", number(0), N),
    ("lt", L, number(0)),
    ("lt", number(0), ("f", "f", False, (X,))),
]


def same(left: object, right: object, *facts: object) -> bool:
    """Whether two SymPy terms have one normal form under facts."""
    normal = Normal(PremiseFacts([read(fact) for fact in facts]))
    return normal.is_zero(sub(read(left), read(right)))


def kept(kind: object, *arguments: object) -> object:
    return kind(*arguments, evaluate=False)  # type: ignore[operator]


@steady(250)
@given(terms, environments)
def test_the_normal_form_has_the_value_of_the_term(t: object, env: dict) -> None:
    try:
        expected, actual = value(t, env), value(term_of(Normal().poly(t)), env)
    except (ArithmeticError, ValueError):
        assume(False)
    assert close(expected, actual) or abs(expected) > 10**12


@steady(200)
@given(terms, environments, st.lists(st.sampled_from(FACTS), max_size=3))
def test_under_facts_it_has_the_value_where_they_hold(
    t: object, env: dict, facts: list[object]
) -> None:
    assume(all(truth(fact, env) for fact in facts))
    try:
        expected = value(t, env)
        actual = value(term_of(Normal(PremiseFacts(facts)).poly(t)), env)
    except (ArithmeticError, ValueError):
        assume(False)
    assert close(expected, actual) or abs(expected) > 10**12


@steady(150)
@given(sum_terms, sum_environments, st.lists(st.sampled_from(SUM_FACTS), max_size=3))
def test_nested_sums_keep_their_value(t: object, env: dict, facts: list[object]) -> None:
    assume(all(holds(fact, env) for fact in facts))
    try:
        expected = value(t, env)
        actual = value(term_of(Normal(PremiseFacts(facts)).poly(t)), env)
    except (ArithmeticError, ValueError):
        assume(False)
    assert close(expected, actual) or abs(expected) > 10**12


@steady(150)
@given(terms)
def test_a_normal_form_is_its_own(t: object) -> None:
    normal = Normal()
    poly = normal.poly(t)
    assert not normal.poly(sub(term_of(poly), t))


@steady(200)
@given(
    st.sampled_from(["cos", "sin"]),
    st.fractions(-4, 4, max_denominator=12),
    st.integers(-5, 5),
    st.fractions(-2, 2, max_denominator=3),
    environments,
)
def test_turns_are_removed_rightly(
    kind: str, turns: Fraction, times: int, slope: Fraction, env: dict
) -> None:
    pi = ("pi",)
    angle = (
        "+",
        (("*", (number(turns), pi)), ("*", (number(times), pi, N)), ("*", (number(slope), X))),
    )
    result = trig(kind, Normal().poly(angle))
    assert close(value((kind, angle), env), value(term_of(result), env))


@pytest.mark.parametrize(
    ("left", "right", "facts"),
    [
        ((x + y) ** 2, x**2 + 2 * x * y + y**2, ()),
        (sp.cos(x) ** 2 + sp.sin(x) ** 2, 1, ()),
        (sp.cos(x - y), sp.cos(x) * sp.cos(y) + sp.sin(x) * sp.sin(y), ()),
        (kept(sp.cos, 2 * sp.pi * n), 1, ()),
        (kept(sp.cos, x + 2 * sp.pi * n * m), sp.cos(x), ()),
        (sp.exp(x) * kept(sp.exp, y), kept(sp.exp, x + y), ()),
        (kept(sp.Pow, sp.exp(x), n), kept(sp.exp, n * x), ()),
        (kept(sp.Mul, x, 1 / x), 1, (ne(x, 0),)),
        (kept(sp.exp, sp.log(x)), x, (lt(0, x),)),
        (kept(sp.Pow, x * y, n), x**n * y**n, ()),
        (sp.Sum(x * f(l), (l, 0, n)), x * sp.Sum(f(k), (k, 0, n)), ()),
        (sp.Sum(f(l), (l, m, n)), sp.Sum(f(l + m), (l, 0, n - m)), ()),
        (sp.Sum(1, (l, 0, n)), n + 1, (le(0, n),)),
        (sp.Sum(f(l), (l, 2, 1)), 0, ()),
        (
            sp.Sum(kept(sp.Mul, f(l), 1 / f(l)), (l, 0, n)),
            n + 1,
            (le(0, n), Every((k,), If(Both(le(0, k), le(k, n)), lt(0, f(k))))),
        ),
        (
            sp.Sum(f(i) * g(j), (j, 0, n), (i, 0, n)),
            sp.Sum(f(i), (i, 0, n)) * sp.Sum(g(i), (i, 0, n)),
            (),
        ),
    ],
    ids=str,
)
def test_equal(left: object, right: object, facts: tuple[object, ...]) -> None:
    assert same(left, right, *facts)


def test_values_outside_a_domain_are_part_of_the_meaning() -> None:
    inverse = kept(sp.Pow, kept(sp.Add, x, -x), -1)
    assert same(inverse, 0)
    assert same(kept(sp.log, kept(sp.Mul, 0, x)), 0)
    assert same(kept(sp.Mul, x, 1 / x), 1, ne(x, 0))
    assert same(1 / kept(sp.Pow, x, -1), x)  # at 0 as well, where both sides are 0


@pytest.mark.parametrize(
    ("left", "right", "facts"),
    [
        (kept(sp.Mul, x, 1 / x), 1, ()),
        (kept(sp.log, kept(sp.Pow, x, -1)), -sp.log(x), ()),
        (kept(sp.Pow, sp.sqrt(x), 2), x, ()),
        (kept(sp.exp, sp.log(x)), x, (le(0, x),)),
        (kept(sp.cos, sp.pi * n), 1, ()),
        (sp.cos(2 * sp.pi * x), 1, ()),
        (sp.Sum(1, (l, 0, n)), n + 1, ()),
        (sp.Sum(f(l), (l, 0, n)), sp.Sum(f(l), (l, 1, n)), ()),
        (sp.Sum(f(i, j), (j, 0, n), (i, 0, n)), sp.Sum(f(i, i), (j, 0, n), (i, 0, n)), ()),
        (sp.Sum(f(i, j), (j, 0, i), (i, 0, n)), sp.Sum(f(i, j), (j, 0, n), (i, 0, n)), ()),
        (
            sp.Sum(kept(sp.Mul, f(l), 1 / f(l)), (l, 0, n)),
            n + 1,
            (le(0, n), Every((k,), If(Both(le(1, k), le(k, n)), lt(0, f(k))))),
        ),
    ],
    ids=str,
)
def test_not_shown_equal(left: object, right: object, facts: tuple[object, ...]) -> None:
    assert not same(left, right, *facts)


def test_facts_about_an_index_stay_in_their_sum() -> None:
    positive = Every((k,), If(Both(le(0, k), le(k, n)), lt(0, f(k))))
    inside = sp.Sum(kept(sp.Mul, f(l), 1 / f(l)), (l, 0, n))
    outside = kept(sp.Mul, f(m), 1 / f(m))
    assert same(inside, sp.Sum(1, (l, 0, n)), positive)
    assert not same(inside + outside, sp.Sum(1, (l, 0, n)) + 1, positive)


def test_an_inner_condition_does_not_capture_the_outer_index() -> None:
    row = sp.Sum(f(i, j), (j, 0, m - 1))
    diagonal = sp.Sum(f(j, j), (j, 0, m - 1))
    ratio = sp.Sum(kept(sp.Mul, row, 1 / row), (i, 0, m - 1))
    assert not same(ratio, m, ne(diagonal, 0), le(0, m))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Every((x,), le(x, y)), Every((real("z"),), le(real("z"), y))),
        (eq(x, y), eq(y, x)),
        (le(2 * x, 2 * y), le(x, y)),
        (Both(le(x, y), le(y, x)), Both(le(y, x), le(x, y))),
        (Every((x,), Every((y,), le(x, y))), Every((y,), Every((x,), le(y, x)))),
    ],
    ids=str,
)
def test_formulas_that_are_one(one: object, other: object) -> None:
    assert formula(Normal(), read(one)) == formula(Normal(), read(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Every((x,), le(x, y)), Every((n,), le(n, y))),
        (Every((x,), Every((y,), le(x, y))), Every((x,), Every((y,), le(y, x)))),
        (le(x, y), lt(x, y)),
        (le(x, y), le(y, x)),
        (eq(x, y), ne(x, y)),
        (If(le(x, y), lt(x, 0)), If(lt(x, 0), le(x, y))),
    ],
    ids=str,
)
def test_formulas_that_differ(one: object, other: object) -> None:
    assert formula(Normal(), read(one)) != formula(Normal(), read(other))


def test_a_formula_is_no_term_and_a_term_no_formula() -> None:
    with pytest.raises(Malformed):
        Normal().poly(("le", X, Y))
    with pytest.raises(Malformed):
        formula(Normal(), X)


def test_what_is_remembered_under_facts_is_forgotten_with_them() -> None:
    x, count = real("x"), integer("n")
    length = sp.Sum(x, (integer("l"), 0, count - 1))
    term = read(length - count * x)
    under = Normal(PremiseFacts([read(le(0, count))]))
    assert under.is_zero(term)
    assert under.is_zero(term)  # from memory
    assert not Normal().is_zero(term)  # n may be negative
    assert not Normal(PremiseFacts([])).is_zero(term)
    assert Normal().poly(term) == Normal().poly(term)


def test_a_remembered_normal_form_cannot_be_changed_from_outside() -> None:
    term = read(real("x") + 1)
    Normal().poly(term).clear()
    assert len(Normal().poly(term)) == 2
