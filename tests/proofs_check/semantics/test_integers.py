"""Terms in integers computed all at once: their values and the work counted are those of steps."""

from __future__ import annotations

from typing import Any

import gmpy2
import pytest
import sympy as sp
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from ropeproof.proofs_check.semantics.evaluate import integers as integers_of
from ropeproof.proofs_check.semantics.evaluate import value_of
from ropeproof.proofs_check.semantics.evaluate.integers import NotAnInteger, integer_function
from ropeproof.proofs_check.semantics.values import WORK, Fraction, Instance, TooLarge

M, N, K = sp.symbols("m n k", integer=True)
DIGIT = sp.floor(M / N**K) - N * sp.floor(M * N ** (-K - 1))
integers = st.integers(-7, 40)


def terms(depth: int = 3) -> st.SearchStrategy[Any]:
    """Terms in three integers, with floors of quotients by powers."""
    leaves = st.sampled_from([M, N, K]) | st.integers(-3, 5).map(sp.Integer)
    if depth == 0:
        return leaves
    less = terms(depth - 1)
    power = st.builds(
        lambda base, shift: base ** (K + shift), st.sampled_from([N, M]), st.integers(0, 2)
    )
    quotient = st.builds(
        lambda over, under, shift, part: sp.floor(over * part / under ** (K + shift)),
        less, st.sampled_from([N, M]), st.integers(0, 2), st.sampled_from([1, sp.Rational(1, 3), -2]),
    )  # fmt: skip
    return (
        leaves
        | st.builds(lambda a, b: a + b, less, less)
        | st.builds(lambda a, b: a * b, less, less)
        | less.map(sp.Abs)
        | power
        | quotient
    )


@settings(suppress_health_check=[HealthCheck.too_slow])  # terms are built by SymPy
@given(terms(), integers, integers, st.integers(-2, 6))
def test_the_value_is_that_of_the_steps(expr: Any, m: int, n: int, k: int) -> None:
    function = integer_function(expr, ["k", "m", "n"])
    assume(
        function is not None
    )  # SymPy may have taken a third into a sum, whose terms are no integers
    assert function is not None
    values = {"k": Fraction(k), "m": Fraction(m), "n": Fraction(n)}
    try:
        found = function(values)
    except NotAnInteger:
        return
    assert found == _by_steps(expr, values)
    assert type(found) is Fraction


def _by_steps(expr: Any, values: dict[str, Any]) -> Any:
    """The value of the term with a symbol in it that is no integer: 0, but that is not known before."""
    own = sp.Symbol("own")
    marked = expr.xreplace({M: M + own, N: N + own, K: K + own})
    return value_of(marked)(Instance({**values, "own": 0}))


@pytest.mark.parametrize(
    "values",
    [
        {"m": Fraction(1, 2), "n": Fraction(3), "k": Fraction(1)},
        {"m": gmpy2.mpfr("2.5"), "n": Fraction(3), "k": Fraction(1)},
        {"m": Fraction(7), "n": Fraction(0), "k": Fraction(1)},
        {"m": Fraction(7), "n": Fraction(-3), "k": Fraction(1)},
        {"m": Fraction(7), "n": Fraction(3), "k": Fraction(-1)},
        {"m": Fraction(7), "n": Fraction(3), "k": Fraction(10**6)},
        {"m": Fraction(7), "n": Fraction(2**501), "k": Fraction(2)},
    ],
)
def test_what_is_no_integer_as_it_stands_is_left_to_the_steps(values: dict[str, Any]) -> None:
    function = integer_function(DIGIT, ["k", "m", "n"])
    assert function is not None
    with pytest.raises(NotAnInteger):
        function(values)


@pytest.mark.parametrize(
    "expr",
    [sp.sqrt(M) + N, M / N + K, sp.floor(M / 2 + sp.Rational(1, 3)), sp.floor(sp.pi * M) + N],
)
def test_other_terms_are_left_to_the_steps(expr: Any) -> None:
    assert integer_function(expr, ["k", "m", "n"]) is None


def test_a_term_that_python_could_not_read_is_evaluated_by_steps() -> None:
    deep = M
    for _ in range(75):
        deep = sp.floor((deep + 1) / N)
    value = value_of(deep + K)
    assert [value(Instance({"m": 7, "n": 3, "k": k})) for k in (1, 2)] == [1, 2]
    long = value_of(sp.floor(M / N) + sp.Integer(10) ** 5000)  # more digits than Python writes
    assert long(Instance({"m": 7, "n": 3})) == 10**5000 + 2


def test_a_symbol_of_any_name_is_read_as_a_name() -> None:
    quoted = sp.Symbol("a']; import os  # \n", integer=True)
    digit = value_of(sp.floor(quoted / 2) + quoted)
    at = Instance({quoted.name: 7})
    assert [digit(at), digit(at)] == [10, 10]


def test_as_much_work_is_counted_at_every_call() -> None:
    digit = value_of(DIGIT)
    counts = []
    for m in (4711, 4711, 12):
        before = WORK.terms
        found = digit(Instance({"m": m, "n": 3, "k": 2}))
        counts.append(WORK.terms - before)
        assert found == m // 9 % 3
    assert counts[0] > 5
    assert len(set(counts)) == 1


def test_a_digit_in_a_base_that_is_0_is_that_of_total_division() -> None:
    digit = value_of(DIGIT)
    for base in (3, 0, 3):
        found = digit(Instance({"m": 7, "n": base, "k": 1}))
        assert found == (2 if base else 0)


def test_a_power_that_is_too_large_is_refused_as_before() -> None:
    digit = value_of(DIGIT)
    assert digit(Instance({"m": 7, "n": 3, "k": 1})) == 2
    with pytest.raises(TooLarge):
        digit(Instance({"m": 7, "n": 3, "k": 10**6}))


def test_a_kept_value_is_not_given_for_a_rounded_number() -> None:
    """A rounded 9 equals the 9 whose digit is kept, but may stand for another number."""
    digit = integer_function(DIGIT, ["k", "m", "n"])
    assert digit is not None
    values = {"k": Fraction(1), "m": Fraction(9), "n": Fraction(2)}
    assert digit(values) == digit(values) == 0
    with pytest.raises(NotAnInteger):
        digit(values | {"m": gmpy2.mpfr(9)})


def test_few_values_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(integers_of, "_MOST_KEPT", 3)
    digit = integer_function(DIGIT, ["k", "m", "n"])
    assert digit is not None
    values = {"k": Fraction(0), "n": Fraction(5)}
    assert [digit(values | {"m": Fraction(m)}) for m in (*range(10), *range(10))] == [
        m % 5 for m in (*range(10), *range(10))
    ]
    assert len(digit.__globals__["kept"]) <= 3
