"""The kernel's language: reading SymPy, free names, substitution."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import pytest
import sympy as sp
from hypothesis import assume, given
from hypothesis import strategies as st
from kernel.numeric import L, N, X, close, environments, steady, terms, value

from ropeproof.proofs_check.kernel.normal import Normal
from ropeproof.proofs_check.kernel.polynomial import key
from ropeproof.proofs_check.kernel.read import read, read_mapping
from ropeproof.proofs_check.kernel.terms import (
    FALSE,
    TRUE,
    Malformed,
    Variable,
    as_value,
    bind,
    bind_in,
    free,
    fresh,
    integrality,
    is_closed,
    is_integer,
    number,
    opened,
    substitute,
)
from ropeproof.theory.language.logic import (
    Both,
    Every,
    Some,
    eq,
    ge,
    integer,
    integer_function,
    le,
    lt,
    real,
    real_function,
)

x, y = real("x y")
l, m, n = integer("l m n")
f = real_function("f")


@pytest.mark.parametrize(
    ("expr", "term"),
    [
        (sp.Rational(2, 3), number(Fraction(2, 3))),
        (sp.pi, ("pi",)),
        (sp.E, ("exp", number(1))),
        (x, X),
        (n, N),
        (sp.sqrt(x), ("sqrt", X)),
        (1 / sp.sqrt(x), ("^", ("sqrt", X), number(-1))),
        (abs(x), ("abs", X)),
        (f(n), ("f", "f", False, (N,))),
        (le(x, 1), ("le", X, number(1))),
        (ge(x, 1), ("le", number(1), X)),
        (sp.true, TRUE),
        (False, FALSE),
    ],
    ids=str,
)
def test_reads(expr: object, term: object) -> None:
    assert read(expr) == term


def read_f_of(name: object) -> object:
    return ("f", "f", False, (("x", name, True),))


def test_the_first_limit_of_a_sum_is_the_innermost() -> None:
    term = read(sp.Sum(f(l), (l, 0, m), (m, 0, n)))
    assert (term[1].label, term[4][1].label) == ("m", "l")
    assert term[4] == ("sum", Variable("l", True), number(0), ("x", 0, True), read_f_of(0))


@pytest.mark.parametrize(
    "expr",
    [
        sp.Symbol("x"),
        sp.Symbol("x", positive=True),
        sp.Symbol("n", integer=True, nonnegative=True),
        sp.Dummy("x", real=True),
        sp.Symbol("x'", real=True),
        sp.Symbol("#1", integer=True),
        sp.Function("f")(x),
        sp.Function("f", positive=True)(x),
        sp.oo,
        sp.I,
        sp.nan,
        sp.Float("0.5"),
        sp.gamma(x),
        sp.Integral(x, (x, 0, 1)),
        sp.Sum(f(l), (l, 0, x)),
        sp.Sum(f(l), (l, 0, sp.Rational(1, 2))),
        sp.Sum(f(x), (x, 0, 1)),
        sp.Piecewise((1, lt(0, x))),
        Both(x, lt(0, x)),
        sp.Eq(le(x, 1), le(x, 2), evaluate=False),
    ],
    ids=str,
)
def test_what_is_outside_the_language_is_refused(expr: object) -> None:
    with pytest.raises(Malformed):
        read(expr)


@pytest.mark.parametrize(
    "expr",
    [
        Every((real("n"),), eq(n, 0)),
        Some((f(x),), eq(integer_function("f")(0), 0)),
        sp.Sum(real("l"), (l, 0, 2)),
        sp.Sum(f(0), (integer("f"), 0, 2)),
        Both(eq(n, 0), eq(real("n"), 0)),
        Both(eq(f(0), 0), eq(real_function("f")(0, 1), 0)),
        Both(eq(f(0), 0), eq(real("f"), 0)),
    ],
    ids=str,
)
def test_one_name_for_two_things_is_refused(expr: object) -> None:
    with pytest.raises(Malformed):
        free(read(expr))


def test_free_names() -> None:
    term = read(Every((x,), eq(sp.Sum(f(l) * x, (l, 0, m)), y)))
    assert free(term) == {"f": (False, 1), "m": (True, 0), "y": (False, 0)}


@pytest.mark.parametrize(
    "expr",
    [
        *(n, n * m + 2, abs(n), sp.floor(x), sp.sign(x), n**2, sp.Max(n, m), sp.Sum(l, (l, 0, n))),
        sp.Piecewise((n, x < 1), (m, True)),
        sp.Integer(2) ** sp.Abs(n),
        sp.Sum(sp.Integer(2) ** sp.Abs(l), (l, 0, n)),
    ],
    ids=str,
)
def test_integers_by_their_form(expr: object) -> None:
    assert is_integer(read(expr))


@pytest.mark.parametrize(
    "expr",
    [
        x,
        n / 2,
        sp.pi * n,
        sp.sqrt(n),
        sp.Integer(2) ** n,
        f(n),
        sp.Sum(sp.Integer(2) ** l, (l, 0, n)),
        sp.Piecewise((n, x < 1), (x, True)),
        sp.Piecewise((n / 2, x < 1), (n, True)),
    ],
    ids=str,
)
def test_no_integers_by_their_form(expr: object) -> None:
    assert not is_integer(read(expr))


def test_an_integer_under_a_condition() -> None:
    assert integrality(read(sp.Integer(2) ** n)) == [("le", number(0), N)]


def test_pi_is_no_integer() -> None:
    assert not is_integer(("pi",))


@pytest.mark.parametrize(
    "mapping",
    [
        {n: sp.Rational(1, 2)},
        {n: x},
        {real("n"): 1},
        {x: le(y, 1)},
        {m: 1},
        {f: sp.Lambda((x, y), x)},
        {f: real_function("g")},
        {integer_function("g"): sp.Lambda(l, sp.Integer(2) ** l)},
        {integer_function("g"): sp.Lambda(x, x)},
    ],
    ids=str,
)
def test_mappings_that_are_refused(mapping: dict[object, object]) -> None:
    targets = {"n": (True, 0), "x": (False, 0), "f": (False, 1), "g": (True, 1)}
    with pytest.raises(Malformed):
        read_mapping(mapping, targets)


def test_substitution_does_not_capture() -> None:
    term = read(sp.Sum(f(l) * x, (l, 0, 2)))
    result = substitute(term, {"x": L})
    assert free(result) == {"f": (False, 1), "l": (True, 0)}
    assert result == read(sp.Sum(f(m) * l, (m, 0, 2)))


def test_names_of_bound_variables_do_not_count() -> None:
    inner = sp.Sum(f(l) * m, (l, 0, m))
    assert read(Every((m,), eq(inner, 0))) == read(Every((n,), eq(inner.xreplace({m: n}), 0)))
    assert read(Every((l,), eq(l, m))) != read(Every((m,), eq(m, l)))
    assert read(Every((x, y), lt(x, y))) != read(Every((y, x), lt(x, y)))


@pytest.mark.parametrize(
    "bound", [lambda term, v: bind(term, [v]), bind_in], ids=["bind", "bind_in"]
)
def test_each_label_binds_its_own_name(bound: Callable[[Any, Variable], Any]) -> None:
    """Variables are equal whatever their labels are, and one was bound before."""
    first, second = (Variable(label, True) for label in ("l", "m"))
    assert first == second
    formula = ("eq", read(l + f(m)), number(0))
    by_first, by_second = read(Every((l,), eq(l + f(m), 0))), read(Every((m,), eq(l + f(m), 0)))
    for _ in range(2):
        assert bound(formula, first) == by_first[-1]
        assert bound(formula, second) == by_second[-1]
    assert by_first[-1] != by_second[-1]
    with pytest.raises(Malformed, match="bound as one thing"):
        bound(formula, Variable("l", False))


@given(terms, st.randoms(use_true_random=False))
def test_what_is_remembered_of_a_binder_is_what_it_binds(t: object, random: Random) -> None:
    """Whichever name of the form was bound before; names bound inside it stay as they are."""
    try:
        form = key(Normal().poly(t))
    except Malformed:  # too large to be multiplied out
        assume(False)
    variables = [Variable(name, *sort) for name, sort in free(form).items()]
    assume(variables)
    for variable in random.choices(variables, k=2 * len(variables)):
        bound = bind_in(form, variable)
        assert bound == bind(form, [variable])
        assert variable.label not in free(bound)
        assert substitute(bound, {0: as_value(variable)}) == form


def test_a_binder_is_opened_at_no_name_that_it_speaks_about() -> None:
    term = read(sp.Sum(f(l), (l, 0, m)))
    assert opened(term, [Variable("l", True)]) == read(f(l))
    assert opened(term, fresh(term)) == read_f_of("?1")
    assert opened(term, fresh(term, ["?1"])) == read_f_of("?2")
    with pytest.raises(Malformed):
        opened(term, [Variable("m", True)])
    pair = read(Every((x, y), lt(x, y)))
    with pytest.raises(Malformed):
        opened(pair, [Variable("z", False), Variable("z", False)])


def test_what_is_put_under_a_binder_keeps_its_meaning() -> None:
    """g(l) = sum of l over k, at the index of an outer sum."""
    g = (Variable("l", True),), bind(read(sp.Sum(l, (m, 0, 1))), [Variable("l", True)])
    outer = read(sp.Sum(f(l), (l, 0, 3)))
    assert substitute(outer, {"f": g}) == read(sp.Sum(sp.Sum(l, (m, 0, 1)), (l, 0, 3)))


def test_a_number_is_closed_where_its_binder_is() -> None:
    term = read(sp.Sum(f(l), (l, 0, m)))
    assert is_closed(term)
    assert not is_closed(term[4])


@pytest.mark.parametrize(
    "expr",
    [Every((x, x), eq(x, 0)), Some((f(x), f(y)), eq(f(0), 0)), Every((x, real("x")), le(x, 0))],
)
def test_a_name_is_bound_once(expr: object) -> None:
    with pytest.raises(Malformed):
        read(expr)


def test_substitution_of_a_function_under_its_own_name() -> None:
    term = read(f(f(x)))
    result = substitute(term, {"f": _lambda("a", ("+", (("x", "a", False), X)))})
    values = {"x": Fraction(2)}
    assert value(result, values) == 6


def _lambda(name: str, body: object) -> object:
    parameters = (Variable(name, False),)
    return parameters, bind(body, parameters)


@steady(150)
@given(terms, terms, environments, st.sampled_from(["x", "y"]))
def test_substitution_is_replacement_of_values(t: object, by: object, env: dict, name: str) -> None:
    try:
        replaced = value(by, env)
        expected = value(t, {**env, name: replaced})
        actual = value(substitute(t, {name: by}), env)
    except (ArithmeticError, ValueError):
        assume(False)
    assert close(expected, actual) or abs(expected) > 10**12


@steady(100)
@given(terms, st.integers(-2, 3), environments)
def test_substitution_of_an_integer(t: object, by: int, env: dict) -> None:
    try:
        expected = value(t, {**env, "l": Fraction(by)})
        actual = value(substitute(t, {"l": number(by)}), env)
    except (ArithmeticError, ValueError):
        assume(False)
    assert close(expected, actual) or abs(expected) > 10**12


@steady(100)
@given(terms, terms, environments)
def test_substitution_of_a_function(t: object, body: object, env: dict) -> None:
    try:
        plain = {**env, "g": lambda v: value(body, {**env, "x": v})}
        expected = value(_renamed(t), plain)
        actual = value(substitute(_renamed(t), {"g": _lambda("x", body)}), env)
    except (ArithmeticError, ValueError):
        assume(False)
    assert close(expected, actual) or abs(expected) > 10**12


def _renamed(t: object) -> object:
    """The term with g in place of f, so that f in the value of g is not replaced again."""
    if isinstance(t, tuple):
        if t and t[0] == "f":
            return ("f", "g", *(_renamed(part) for part in t[2:]))
        return tuple(_renamed(part) for part in t)
    return t
