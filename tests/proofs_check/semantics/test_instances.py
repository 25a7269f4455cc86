"""Drawn instances: what one attempt drew is nothing to the next one."""

from __future__ import annotations

import gc
from random import Random
from weakref import ref

import pytest
import sympy as sp

from ropeproof.proofs_check.semantics.instances import ORDERS, Sampler, describe
from ropeproof.proofs_check.semantics.tables import _innermost
from ropeproof.proofs_check.semantics.values import CONTEXT, Fraction, as_real, ceiling_of, floor_of
from ropeproof.theory.language.logic import Every, If, eq, integer, le, lt, real, real_function

x, y = real("x y")
j, n = integer("j n")
f, g = real_function("f"), real_function("g")
INSIDE = le(0, j), le(j, n)
SHORT = le(1, n), le(n, 4)
POSITIVE = Every((j,), le(0, f(j)))
RISING = lt(f(0), f(2)), lt(g(0), g(1)), lt(g(1), g(2))
FORMULAS = {
    "a value that is seldom met": [*SHORT, POSITIVE, lt(f(n), x), lt(x, f(0)), lt(g(0), g(n))],
    "scaled to a sum": [*SHORT, POSITIVE, eq(sp.Sum(f(j), (j, 0, n)), 1), lt(f(1), f(0)), *RISING],
    "moved places": [*SHORT, Every((j,), eq(f(2 * j), g(j))), lt(y, g(n)), *RISING],
    "twice one variable": [Every((x,), le(1, f(x))), *SHORT, lt(f(n), g(0)), lt(g(n), g(0))],
}


@pytest.mark.parametrize("name", FORMULAS)
def test_an_attempt_after_vain_ones_is_as_if_it_were_the_first(name):
    formulas = FORMULAS[name]
    often, once = Random(name), Random(name)
    sampler, other = Sampler(formulas), Sampler(formulas)
    vain = 0
    for _ in range(40):
        found = sampler.draw(often, tries=50)
        for _ in range(50):
            other._left = None  # nothing to take over
            alone = other.draw(once, tries=1)
            if alone is not None:
                break
            vain += 1
        assert (found is None) == (alone is None)
        if found is not None and alone is not None:
            assert describe(found, sampler.names) == describe(alone, sampler.names)
    assert vain >= 10  # or little was taken over


def test_an_instance_that_was_given_out_stays_as_it_is():
    sampler, random = Sampler(FORMULAS["a value that is seldom met"]), Random(0)
    drawn = [found for _ in range(20) if (found := sampler.draw(random)) is not None]
    shown = [describe(found, sampler.names) for found in drawn]
    for _ in range(20):
        sampler.draw(random, tries=2)
    assert len(drawn) > 10
    assert [describe(found, sampler.names) for found in drawn] == shown


def test_a_function_of_two_places_is_bounded_where_both_are_one():
    h = real_function("h")
    both = Every((j,), If(le(0, j), eq(h(j, j), 3)))
    random = Random(0)
    found = Sampler([both]).draw(random)
    assert found is not None
    assert found.values["h"](2, 2) == 3
    sampler = Sampler([Every((j, n), eq(h(j, n), j - 2 * n))])
    found = sampler.draw(random)
    assert found is not None
    assert found.values["h"](7, 2) == 3


@pytest.mark.parametrize("value", [Fraction(n, d) for n in range(-7, 8) for d in (1, 2, 3)])
def test_whole_numbers_around_a_value(value):
    low, high = floor_of(value), ceiling_of(value)
    assert low.denominator == high.denominator == 1
    assert value - 1 < low <= value <= high < value + 1
    assert (ceiling_of(as_real(value)), floor_of(as_real(value))) == (high, low)


def test_the_formula_that_failed_last_is_asked_first():
    asked = []

    def judge(name, verdict):
        return lambda at: asked.append(name) or verdict

    sampler = Sampler([POSITIVE])
    sampler._judges = [(judge(n, n != "false"), False) for n in ("first", "false", "last")]
    assert sampler.draw(Random(0), tries=3) is None
    assert asked == ["first", "false", "false", "false"]


def test_many_draws_take_few_orders_of_the_symbols():
    symbols = [lt(a, b) for a, b in zip(real("a:6"), real("b:6"), strict=True)]
    sampler, random = Sampler(symbols), Random(0)
    values = [tuple(map(str, sampler.draw(random).values.values())) for _ in range(200)]
    assert 1 < len(sampler._orders) <= ORDERS
    assert len(set(values)) > 190


@pytest.mark.parametrize("strict", [False, True])
def test_ends_that_differ_in_the_last_digits_are_told_apart(strict):
    near = as_real(Fraction(1, 3))
    nearer = CONTEXT.add(near, as_real(Fraction(1, 10**50)))
    ends = [(near, False), (nearer, strict)]
    assert _innermost(ends, max) == _innermost(ends[::-1], max) == (nearer, strict)
    ends = [(near, strict), (nearer, False)]
    assert _innermost(ends, min) == _innermost(ends[::-1], min) == (near, strict)
    for which in (min, max):
        assert _innermost([(near, False), (near, True)], which) == (near, True)


def test_an_instance_that_is_left_is_freed_at_once_and_one_that_is_used_is_not():
    sampler = Sampler([*SHORT, POSITIVE])
    drawn = sampler.draw(Random(0))
    derived = Sampler((), [f(n) + g(n)]).draw(Random(1), given=drawn)
    looked = derived.having(n=3)
    first, second = ref(drawn), ref(derived)
    gc.disable()  # no cycle is waiting to be found
    try:
        del drawn, derived
        assert looked.values["f"](Fraction(7)) is not None  # drawn where it was first looked for
        assert looked.values["g"](Fraction(7)) is not None
        del looked
        assert first() is None
        assert second() is None
    finally:
        gc.enable()
