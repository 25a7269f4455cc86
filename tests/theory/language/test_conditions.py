"""A conclusion `if A then B` says something only if A can be met, and by a structure with parts."""

from __future__ import annotations

import dataclasses

import pytest
import sympy as sp
from certainty_claims import QUICK, claim, f, n, verdicts, x, y

from ropeproof.proofs_check.attack.antecedents import conditions_met, conditions_of, ranges_of
from ropeproof.theory.language.derivation import Step, smt
from ropeproof.theory.language.logic import Both, Every, If, Some, eq, integer, le, lt, real, where

l, m = integer("l m")
z = real("z")
total = sp.Sum(f(l), (l, 0, m - 1))


def proved(goal, **more):
    return claim(goal, Step("so", goal, smt(), "Said."), **more)


def test_a_condition_that_nothing_meets_proves_nothing(monkeypatch):
    vacuous = proved(If(lt(x, x - 1), eq(y, y + 1)))
    assert conditions_met(vacuous, QUICK).verdict == "unknown"
    verdict = verdicts(monkeypatch, vacuous)["own.test"]
    assert verdict.status not in ("proved", "refuted")
    assert any("with the conditions of the conclusion" in reason for reason in verdict.shortfalls)


@pytest.mark.parametrize("part", [0, 1])
def test_of_several_parts_the_one_without_instance_is_named(part):
    parts = [If(le(0, x), le(0, 2 * x)), If(lt(x, x - 1), eq(y, y + 1))]
    outcome = conditions_met(proved(Both(*(parts if part else parts[::-1]))), QUICK)
    assert outcome.verdict == "unknown"
    assert f"of part ({'ab'[part]})" in outcome.detail


def test_a_condition_counts_together_with_what_it_stands_under_and_the_hypotheses():
    inner = If(le(x, 0), If(lt(0, x), eq(y, y + 1)))
    assert conditions_met(proved(inner), QUICK).verdict == "unknown"
    bounded = proved(If(lt(5, x), eq(y, y + 1)), given={"x is small": le(x, 5)})
    assert conditions_met(bounded, QUICK).verdict == "unknown"
    assert conditions_met(proved(If(lt(5, x), lt(4, x))), QUICK).verdict == "holds"


def test_a_statement_about_planes_needs_a_plane(monkeypatch):
    none = {"there is no plane": le(m, 0)}
    assert conditions_met(proved(le(total, total), given=none), QUICK).verdict == "unknown"
    some = proved(eq(total + x, x + total), given={"few planes": le(m, 3)})
    assert conditions_met(some, QUICK).verdict == "holds"
    verdict = verdicts(monkeypatch, proved(eq(2 * total, 0), given=none))["own.test"]
    assert verdict.status != "proved"


def test_a_statement_about_an_empty_range_may_say_so():
    empty = proved(eq(total, 0), given={"the range has no terms": lt(m - 1, 0)})
    assert conditions_met(empty, QUICK).verdict == "holds"


def test_an_example_without_planes_is_not_enough():
    stated = {"a definition": Every((l,), If(Both(le(0, l), le(l, m - 1)), eq(f(l), l)))}
    goal = proved(eq(total + x, x + total), given=stated)
    assert conditions_met(goal, QUICK).verdict == "holds"  # as drawing finds more
    blind = {**stated, "hidden": Every((z,), If(lt(0, m), lt(z, z - 1)))}
    goal = dataclasses.replace(proved(eq(total + x, x + total), given=blind), example=where({m: 0}))
    assert conditions_met(goal, QUICK).verdict == "unknown"


def test_where_to_look_for_a_condition_may_be_said():
    far = Both(le(10**9, x), le(x, 10**9), eq(y, 7 * x))
    goal = proved(If(Both(far, le(z * z, 0), lt(3, f(x))), le(0, x)))
    there = (*where({x: 10**9, y: 7 * 10**9, z: 0}), eq(f(10**9), 4))
    met = dataclasses.replace(goal, conditions=(there,))
    assert conditions_met(met, QUICK).verdict == "holds"


def test_conditions_are_those_of_the_innermost_parts():
    goal = Every((n,), If(le(1, n), Both(eq(n, n), If(lt(n, x), Some((y,), lt(n, y))))))
    (condition,) = conditions_of(claim(goal))
    assert [str(part) for part in condition.formulas] == ["1 <= n", "n < x"]


def test_a_bound_variable_that_is_something_else_as_well_is_renamed():
    goal = Every((x,), If(lt(0, x), le(0, x)))
    (condition,) = conditions_of(claim(goal, given={"x is negative": lt(x, 0)}))
    assert str(condition.formulas[0]) == "0 < x_1"
    assert conditions_met(proved(goal, given={"x is negative": lt(x, 0)}), QUICK).verdict == "holds"


def test_ranges_are_those_whose_ends_name_nothing_bound():
    inner = sp.Sum(sp.Sum(f(l), (l, 0, n)), (n, 1, m))
    guarded = Every((l,), If(Both(le(2, l), le(l, m)), le(0, f(l))))
    assert ranges_of([le(0, inner)]) == ((1, m),)
    assert ranges_of([guarded]) == ((2, m),)


def test_an_equation_that_no_ball_decides_may_be_shown():
    root = real("r")
    unit = eq(sp.sqrt(x) * sp.sqrt(x, evaluate=False) + root, root + sp.sqrt(x) ** 2)
    goal = dataclasses.replace(proved(If(unit, le(0, y**2))), example=where({x: 2}))
    assert conditions_met(goal, QUICK).verdict == "holds"
