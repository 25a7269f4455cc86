"""Forms that expand to fine steps: case splits, comparisons by parts, claims applied by matching."""

from dataclasses import replace

import pytest
import sympy as sp

from ropeproof.proofs_check.authoring import try_claims
from ropeproof.proofs_check.authoring.remedy import by_compared_parts
from ropeproof.proofs_check.authoring.session import Session
from ropeproof.proofs_check.kernel.check import check_step
from ropeproof.proofs_check.kernel.read import read
from ropeproof.proofs_check.kernel.sequent import Sequent
from ropeproof.theory import CLAIMS
from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language import (
    Claim,
    Hypothesis,
    every,
    integer,
    le,
    lt,
    prove,
    real,
    real_function,
    within,
)
from ropeproof.theory.language.proof import Proof
from ropeproof.theory.language.tactics.matching import matched

x, y, c, u = real("x y c u")
k, l, n = integer("k l n")
f, g = real_function("f"), real_function("g")
LOW = Hypothesis("x is at most y", le(x, y))
FACTOR = Hypothesis("c is not negative", le(0, c))
POSITIVE = Hypothesis("x is positive", lt(0, x))
TERMS = Hypothesis("each term is at most the other", every(k, 0, n, le(f(k), g(k))))


def _total(term):
    return sp.Sum(term, (k, 0, n))


def _claim(conclusion, hypotheses, proof):
    stated = Claim("own.test", "t", "s", hypotheses=hypotheses, conclusion=conclusion)
    return prove(stated, proof)


def _holds(claim):
    return try_claims(claim, session=Session(keep=False)).holds


def _by_parts(*others):
    return lambda p: p.qed("It follows from its parts.", *others, monotone=(LOW,))


def _terms(p):
    each = p.under(within(k, 0, n)).use(TERMS, why="Take one term.")
    p.qed("It follows from its terms.", FACTOR, monotone=(each,))


# -- comparisons by parts --------------------------------------------------------------------

COMPARED = {
    "a factor and exp": (le(c * sp.exp(x), c * sp.exp(y)), (LOW, FACTOR), _by_parts(FACTOR)),
    "a sum and log": (le(u + sp.log(x), u + sp.log(y)), (LOW, POSITIVE), _by_parts(POSITIVE)),
    "a root": (le(sp.sqrt(x), sp.sqrt(y)), (LOW, POSITIVE), _by_parts(POSITIVE)),
    "a quotient": (le(1 / y, 1 / x), (LOW, POSITIVE), _by_parts(POSITIVE)),
    "a cube": (le(x**3, y**3), (LOW, POSITIVE), _by_parts(POSITIVE)),
    "a negative number": (le(u - 3 * sp.exp(y), u - 3 * sp.exp(x)), (LOW,), _by_parts()),
    "terms of a sum": (
        le(_total(c * sp.exp(f(k))), _total(c * sp.exp(g(k)))),
        (TERMS, FACTOR),
        _terms,
    ),
}


@pytest.mark.parametrize("name", COMPARED)
def test_a_comparison_follows_from_its_parts(name):
    assert _holds(_claim(*COMPARED[name]))


FALSE = {
    "a factor without a sign": (le(c * sp.exp(x), c * sp.exp(y)), (LOW,), _by_parts()),
    "log of anything": (le(sp.log(x), sp.log(y)), (LOW,), _by_parts()),
    "a quotient across 0": (le(1 / y, 1 / x), (LOW,), _by_parts()),
    "a square of anything": (le(x**2, y**2), (LOW,), _by_parts()),
}


@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_is_refused_by_the_kernel(name):
    assert not _holds(_claim(*FALSE[name]))


@pytest.mark.parametrize(
    "goal",
    [
        le(sp.exp(y), sp.exp(x)),
        le(1 / x, 1 / y),
        le(-sp.exp(x), -sp.exp(y)),
        le(u + sp.exp(x), c + sp.exp(y)),
    ],
)
def test_a_part_that_nothing_compares_is_named(goal):
    with pytest.raises(InvalidClaim, match="monotone: no part compares"):
        _ = _claim(goal, (LOW, POSITIVE), _by_parts(POSITIVE)).derivation


def test_a_strict_comparison_has_no_parts():
    with pytest.raises(InvalidClaim, match="monotone: the goal is"):
        _ = _claim(lt(sp.exp(x), sp.exp(y)), (LOW,), _by_parts()).derivation


def _known(claim, steps):
    hypotheses = {h.name: read(h.formula) for h in claim.hypotheses}
    known = {name: Sequent(frozenset((name,)), (), form) for name, form in hypotheses.items()}
    for step in steps:
        carried = frozenset(h for name in step.using for h in known[name].hypotheses)
        assuming = tuple(map(read, step.assuming))
        known[step.label] = Sequent(carried, assuming, read(step.conclusion))
    return hypotheses, known


IN_THE_CATALOGUE = {
    "softmax.perturb": "6",
    "softmax.tv": "6",
    "slash.composition": "8",
    "softmax.race-width": "13",
    "rope.partial": "55",
    "slash.race": "13",
    "slash.cells": "31",
    "slash.spaced": "31",
    "slash.band-uniform": "31",
    "slash.contextual": "10",
    "slash.game-dense": "4",
    "slash.row-sandwich": "9",
}
"""Steps that follow part by part from an earlier step or a hypothesis, several steps before."""


@pytest.mark.parametrize("id", IN_THE_CATALOGUE)
def test_the_search_finds_the_parts_of_a_step_of_the_catalogue(id):
    claim = CLAIMS[id]
    steps = claim.derivation.steps
    at = next(i for i, s in enumerate(steps) if s.label == IN_THE_CATALOGUE[id])
    hypotheses, known = _known(claim, steps[:at])
    checked, written = [], []

    def accepted(new):
        now = dict(known)
        lemmas = (s.rule.arguments["id"] for s in new if s.rule.name == "by_claim")
        wider = replace(claim, uses=tuple(dict.fromkeys((*claim.uses, *lemmas))))
        for step in new:
            found, outcome = check_step(step, now, hypotheses, wider, CLAIMS.__getitem__)
            if found is None:
                checked.append(f"{step.conclusion}: {outcome.detail}")
                return False
            now[step.label] = found
        written.append(len(new))
        return True

    found = by_compared_parts(steps[at], steps[:at], claim.hypotheses, accepted)
    assert found is not None, checked
    assert written[-1] > 1


# -- cases -----------------------------------------------------------------------------------


def test_a_formula_is_split_from_its_contrary():
    claim = _claim(le(x, x * x + 1), (), lambda p: p.qed("In both cases.", cases=(le(0, x),)))
    first, second, last = claim.derivation.steps
    assert (first.assuming, second.assuming) == ((le(0, x),), (lt(x, 0),))
    assert last.using == (first.label, second.label)
    assert _holds(claim)


def test_what_a_case_decides_is_put_in():
    given = tuple(Hypothesis(f"f({z}) is at most c", le(f(z), c)) for z in (x, y))
    goal = le(f(sp.Max(x, y)), c)
    claim = _claim(goal, given, lambda p: p.qed("In both.", *given, cases=(le(x, y),)))
    assert le(f(y), c) in {h.formula for h in given}
    assert _holds(claim)
    wrong = _claim(goal, given, lambda p: p.qed("In both.", given[0], cases=(le(x, y),)))
    assert not _holds(wrong)


def test_cases_that_leave_something_out_are_refused():
    goal, cases = le(x, x * x), (le(x, 0), le(2, x))
    claim = _claim(goal, (), lambda p: p.qed("In both cases.", cases=cases))
    assert not _holds(claim)


def test_each_case_may_need_products():
    p = Proof(le(x * y, x * y + x * x))
    p.qed("By cases.", cases=(le(0, x),), products=((le(0, x), le(0, x)),))
    assert len(p.steps) > 3


# -- a claim applied -------------------------------------------------------------------------


def _lemma(id):
    return CLAIMS[id]


def test_values_are_read_off_the_premises_in_their_order():
    order = _lemma("order.times")
    a, b, t = (next(s for s in order.conclusion.free_symbols if s.name == m) for m in "xyt")
    known = [le(u, u + c), le(0, sp.exp(u))]
    assert matched(order.at(), known).values == {a: u, b: u + c, t: sp.exp(u)}


def test_a_function_is_read_off_a_quantified_premise():
    stated = Claim("own.terms", "t", "s", hypotheses=(TERMS,), conclusion=le(0, n))
    values = matched(stated.at(), [every(l, 0, 3, le(l, l**2 + u))]).values
    assert values[n] == 3
    assert (values[f](k), values[g](k)) == (k, k**2 + u)


def test_a_value_that_two_hypotheses_need_is_the_same_in_both():
    twice = (Hypothesis("first", le(0, x)), Hypothesis("second", le(x, 1)))
    stated = Claim("own.twice", "t", "s", hypotheses=twice, conclusion=le(x * x, 1))
    assert matched(stated.at(), [le(0, u), le(0, c), le(c, 1)]).values == {x: c}


def test_a_bound_name_never_becomes_a_value():
    bounded = Hypothesis("bounded", every(k, 0, n, le(f(k), x)))
    stated = Claim("own.bounded", "t", "s", hypotheses=(bounded,), conclusion=le(0, n))
    assert x not in matched(stated.at(), [every(l, 0, 3, le(l, l**2))]).values


def test_a_claim_is_applied_where_it_fits():
    order = _lemma("order.times")
    claim = _claim(
        le(x * c, y * c),
        (LOW, FACTOR),
        lambda p: p.apply(order, LOW, FACTOR, why="Multiply by c."),
    )
    assert _holds(claim)


def _used(*premises, assuming=()):
    p = Proof(le(0, n))
    return p.under(*assuming).use(TERMS, *premises).formula


def test_a_hypothesis_is_taken_where_the_premises_say_its_conditions():
    place = Hypothesis("c is a place", within(l, 0, n))
    assert _used(place) == le(f(l), g(l))
    assert _used() == le(f(k), g(k))
    assert _used(FACTOR) == le(f(k), g(k))  # which says nothing of a place
    assert _used({k: 3}) == le(f(3), g(3))


def test_a_hypothesis_is_taken_where_the_scope_says_its_conditions():
    somewhere = (le(0, l), le(l, n))
    assert _used(assuming=somewhere) == le(f(l), g(l))
    assert _used(assuming=somewhere[:1]) == le(f(k), g(k))  # one condition of two
    assert _used(FACTOR, assuming=somewhere) == le(f(l), g(l))  # which says nothing of a place


def test_a_hypothesis_is_taken_for_its_own_symbol_where_the_scope_speaks_of_it():
    place = Hypothesis("l is a place", within(l, 0, n))
    assert _used(place, assuming=(le(0, k), le(k, n - 1))) == le(f(k), g(k))
