"""Hypotheses are excused and mutants counted only where something was certainly decided."""

from __future__ import annotations

import dataclasses

import pytest
import sympy as sp
from certainty_claims import MONOTONE, QUICK, claim, f, instantiated, k, n, x, y

from ropeproof.proofs_check.attack.mutants import _Doubt, _needed, attack_hypotheses, attack_mutants
from ropeproof.proofs_check.attack.statement import test_instances
from ropeproof.theory import CLAIMS
from ropeproof.theory.language.claim import Hypothesis, Mutant
from ropeproof.theory.language.logic import Both, Every, If, Some, eq, le, lt, ne


def without_value(base):
    """A term that the second witness has no value for where the base is not positive."""
    return sp.gamma(base)


def test_an_excuse_counts_only_if_something_was_decided():
    undecided = claim(
        le(without_value(x), 1), given={"h": le(0, x)}, mutants=(Mutant("m", lt(x, x - 1)),)
    )
    undecided = dataclasses.replace(
        undecided, hypotheses=(Hypothesis("h", le(0, x), idle="any reason"),)
    )
    outcome = attack_hypotheses(undecided, QUICK)
    assert (outcome.verdict, "nothing was decided without it: h" in outcome.detail) == (
        "unknown",
        True,
    )


def test_an_excuse_is_tried_where_the_hypothesis_fails():
    """Above 0 all is decided, below nothing: that says nothing about what the hypothesis does."""
    goal = Either_or(le(0, x), le(without_value(x), 1))
    tried = claim(goal, given={"h": le(0, x)})
    tried = dataclasses.replace(tried, hypotheses=(Hypothesis("h", le(0, x), idle="reason"),))
    assert attack_hypotheses(tried, QUICK).verdict == "unknown"


def Either_or(*parts):  # noqa: N802  # reads as the connective
    from ropeproof.theory.language.logic import Either

    return Either(*parts)


def test_an_equivalent_mutant_was_decided_somewhere():
    weaker = Mutant("weaker", le(without_value(x), 1), equivalent="any reason")
    strict = Mutant("strict", lt(0, x**2))
    outcome, _ = attack_mutants(claim(le(0, x**2), mutants=(strict, weaker)), QUICK)
    assert outcome.verdict == "unknown"
    assert "decided on no instance: weaker" in outcome.detail


def test_kills_on_samples_are_counted_and_said():
    mutant = Mutant("falls", le(f(1), f(0)))
    goal = instantiated(le(f(0), f(1)), {x: 0, y: 1}, MONOTONE)
    outcome, kills = attack_mutants(dataclasses.replace(goal, mutants=(mutant,)), QUICK)
    assert (kills.tried, kills.killed) == (1, 1)
    assert "only seem to hold" in outcome.detail


@pytest.mark.parametrize("name", ["slash.score", "slash.dominance"])
def test_rows_of_prompts_of_different_lengths_are_all_looked_at(name):
    """How many rows there are is a function of the prompt; nothing is left to samples."""
    claim = CLAIMS[name]
    outcome, kills = attack_mutants(claim, QUICK)
    assert kills.tried == kills.killed == 3
    assert "seem" not in outcome.detail
    needed = attack_hypotheses(claim, QUICK)
    assert needed.verdict == "holds"
    assert "seem" not in needed.detail
    drawn, decided = test_instances(claim, QUICK)
    assert decided
    assert "seem" not in drawn.detail


# -- no death by rounding -------------------------------------------------------------------

FAR = sp.Integer(10) ** 75
TRUE_FAR = {
    "an angle sum": eq(sp.cos(n + 1), sp.cos(n) * sp.cos(1) - sp.sin(n) * sp.sin(1)),
    "an inequality": le(sp.cos(n + 1), sp.cos(n) * sp.cos(1) - sp.sin(n) * sp.sin(1)),
    "a premise": If(lt(1, sp.cos(n) ** 2 + sp.sin(n) ** 2), lt(x, x - 1)),
    "an existence": Some((k,), Both(eq(k, n), eq(sp.sin(k) ** 2 + sp.cos(n) ** 2, 1))),
}


@pytest.mark.parametrize("name", TRUE_FAR)
def test_a_true_mutant_survives_where_digits_call_it_false(name):
    mutants = (Mutant("true", TRUE_FAR[name]), Mutant("false", lt(x, x - 1)))
    entry = claim(lt(-1, x**2), given={"far": le(FAR, n)}, mutants=mutants)
    outcome, kills = attack_mutants(entry, QUICK)
    assert (outcome.verdict, kills.killed) == ("fails", 1)
    assert "surviving mutants: true" in outcome.detail


def test_no_hypothesis_is_needed_by_rounding():
    """The conclusion holds for all n, whatever digits say of large ones."""
    entry = claim(TRUE_FAR["an angle sum"], given={"near": le(n, FAR)})
    outcome = attack_hypotheses(entry, QUICK)
    assert outcome.verdict == "fails"
    assert "no instance shows that this is needed: near" in outcome.detail


def test_a_mutant_is_not_killed_by_what_a_recursion_multiplies():
    root = sp.sqrt(2)
    steps = Every((k,), If(le(0, k), eq(f(k + 1), 1000 * f(k) - 999 * root)))
    given = {"start": eq(f(0), root), "steps": steps, "far": le(25, n)}
    mutants = (Mutant("true", lt(f(n), sp.Rational(3, 2))), Mutant("false", lt(f(n), 1)))
    outcome, kills = attack_mutants(claim(le(f(n), 2), given=given, mutants=mutants), QUICK)
    assert (outcome.verdict, kills.killed) == ("fails", 1)
    assert "surviving mutants: true" in outcome.detail


def test_an_instance_beyond_doubt_is_preferred():
    """Most monotone functions that are drawn only seem to be; a closed form certainly is."""
    mutant = Mutant("falls", lt(f(1), f(0) - 1))
    goal = instantiated(le(f(0), f(1)), {x: 0, y: 1}, MONOTONE)
    outcome, kills = attack_mutants(dataclasses.replace(goal, mutants=(mutant,)), QUICK)
    assert (kills.killed, "seem" in outcome.detail) == (1, False)


def test_equations_that_no_enclosure_shows_are_shown_by_the_kernel():
    """cos x and cos y differ for x, y in (0, pi), and x below pi is needed for it."""
    given = {
        "x": Both(lt(0, x), lt(x, sp.pi)),
        "y": Both(lt(0, y), lt(y, sp.pi)),
        "apart": ne(x, y),
    }
    entry = claim(ne(sp.cos(x), sp.cos(y)), given=given)
    beyond = Hypothesis("x", given["x"], without=(eq(x, 2 * sp.pi - y), eq(y, 1)))
    entry = dataclasses.replace(entry, hypotheses=(beyond, *entry.hypotheses[1:]))
    assert _needed(entry, beyond, QUICK).doubt is _Doubt.NONE
