"""The rule that a step takes follows from its form: also for what is immediate."""

from __future__ import annotations

import pytest
import sympy as sp
from stated_claims import accepted, stated

from ropeproof.theory.language.claim import Hypothesis
from ropeproof.theory.language.derivation import ball
from ropeproof.theory.language.logic import Both, eq, integer, le, lt, real, real_function
from ropeproof.theory.language.proof import prove
from ropeproof.theory.language.tactics.rule_choice import rule_for
from ropeproof.theory.library.exponential.exp_log import (
    EXP_LOG_MONOTONE,
    EXP_MONOTONE,
    EXP_STRICTLY_MONOTONE,
)

j, l, m, n = integer("j l m n")
x, y = real("x y")
f, g = real_function("f"), real_function("g")


@pytest.mark.parametrize(
    ("goal", "premises", "name"),
    [
        (eq(sp.sin(2 * x), 2 * sp.sin(x) * sp.cos(x)), [], "identity"),
        (Both(eq(x, x + 0 * y), eq(y - y + x, x)), [lt(0, x)], "identity"),
        (eq(x, y), [eq(y, x)], "smt"),
        (eq(sp.Abs(x), x), [le(0, x)], "smt"),
        (eq(sp.Max(0, 1 - sp.Abs(l - j)), 0), [], "smt"),
        (eq(sp.Abs(sp.sin(x)) ** 2, 1 - sp.cos(x) ** 2), [], "identity"),
        (eq(sp.Abs(x) * (x + y), x * sp.Abs(x) + y * sp.Abs(x)), [], "identity"),
        (eq(sp.Sum(sp.Abs(l), (l, 0, n)), sp.Sum(sp.Abs(j), (j, 0, n))), [], "identity"),
        (le(x, y), [], "smt"),
        (le(sp.Sum(f(l), (l, 0, n)), sp.Sum(g(l), (l, 0, n))), [le(f(l), g(l))], "sums.termwise"),
        (le(sp.Sum(f(l), (l, 0, n)), sp.Sum(g(j), (j, 0, n))), [le(f(l), g(l))], "sums.termwise"),
        (le(0, sp.Sum(g(l), (l, 0, n))), [le(0, g(l))], "sums.termwise"),
        (le(sp.Sum(f(l), (l, 0, n)), sp.Sum(g(l), (l, 0, m))), [le(f(l), g(l))], "smt"),
        (lt(sp.Sum(f(l), (l, 0, n)), sp.Sum(g(l), (l, 0, n))), [le(f(l), g(l))], "smt"),
    ],
)
def test_the_rule_follows_from_the_form(goal, premises, name):
    assert rule_for(goal, premises).name == name


@pytest.mark.parametrize(
    ("goal", "given", "rule"),
    [
        (eq(f(x), f(y)), eq(x, y), "rewrite"),
        (le(sp.exp(2 * x), sp.exp(y)), le(2 * x, y), "by_claim"),
        (lt(sp.exp(2 * x), sp.exp(y)), lt(2 * x, y), "by_claim"),
        (le(sp.exp(x), sp.exp(y)), lt(x, y), "by_claim"),
        (le(1, sp.exp(x)), le(0, x), "by_claim"),
        (le(sp.exp(x), 1), le(x, 0), "by_claim"),
        (le(sp.log(x), sp.log(y)), Both(lt(0, x), le(x, y)), "by_claim"),
    ],
)
def test_what_is_immediate_takes_one_step(goal, given, rule):
    premise = Hypothesis("given", given)
    claim = prove(stated(goal, premise), lambda p: p.qed("Immediate.", premise))
    assert [s.rule.name for s in claim.derivation.steps] == [rule]
    lemmas = (EXP_MONOTONE, EXP_STRICTLY_MONOTONE, EXP_LOG_MONOTONE)
    assert accepted(claim, *lemmas).verdict == "holds"


@pytest.mark.parametrize(
    ("goal", "given"),
    [
        (eq(f(x), g(y)), eq(x, y)),
        (eq(f(x), f(y)), eq(2 * x, y)),
        (le(sp.exp(x), sp.exp(y)), le(y, x)),
        (lt(sp.exp(x), sp.exp(y)), le(x, y)),
        (le(1, sp.exp(x)), le(x, 0)),
        (le(sp.log(x), sp.log(y)), le(x, y)),
        (lt(sp.log(x), sp.log(y)), Both(lt(0, x), lt(y, x))),
    ],
)
def test_what_only_looks_like_it_is_refused(goal, given):
    premise = Hypothesis("given", given)
    claim = prove(stated(goal, premise), lambda p: p.qed("Immediate?", premise))
    lemmas = (EXP_MONOTONE, EXP_STRICTLY_MONOTONE, EXP_LOG_MONOTONE)
    assert accepted(claim, *lemmas).verdict == "unknown"


def test_an_absolute_value_is_a_box():
    bounded = Hypothesis("bounded", le(sp.Abs(x), 1))
    claim = prove(
        stated(lt(sp.cos(x), 2 - x**2 / 3), bounded), lambda p: p.qed("", bounded, by=ball())
    )
    assert [s.rule.name for s in claim.derivation.steps] == ["smt", "ball"]
    assert accepted(claim).verdict == "holds"
    wide = Hypothesis("bounded", le(sp.Abs(x), 4))
    claim = prove(stated(lt(sp.cos(x), 2 - x**2 / 3), wide), lambda p: p.qed("", wide, by=ball()))
    assert accepted(claim).verdict == "unknown"
