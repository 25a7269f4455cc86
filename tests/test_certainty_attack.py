"""Hypotheses are excused and mutants counted only where something was certainly decided."""

from __future__ import annotations

import dataclasses

import pytest
import sympy as sp
from certainty_claims import MONOTONE, QUICK, claim, f, instantiated, x, y

from ropeproof.proofs_check.attack import attack_hypotheses, attack_mutants
from ropeproof.proofs_check.statement import test_instances
from ropeproof.theory import CLAIMS
from ropeproof.theory.claim import Hypothesis, Mutant
from ropeproof.theory.logic import le, lt


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
    from ropeproof.theory.logic import Either

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
