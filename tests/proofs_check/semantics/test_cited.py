"""An example whose hypotheses no evaluation decides, and a proved claim that says they hold."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp
from certainty_claims import QUICK

from ropeproof.proofs_check.attack.statement import satisfiable
from ropeproof.theory import CLAIMS
from ropeproof.theory.language import derivation as rules
from ropeproof.theory.language.logic import Every, eq, where
from ropeproof.theory.language.notation import l, m, theta
from ropeproof.theory.topics.index.rational_angle import above, below

RATIONAL = "index.rational-angle"


@pytest.mark.parametrize("id", ["index.weyl", "index.weyl-groups"])
def test_the_claims_of_fading_hold_of_heads_with_planes(id):
    claim = CLAIMS[id]
    assert satisfiable(claim, QUICK, CLAIMS).verdict == "holds"
    assert not any(str(part) in ("Eq(m, 0)", "Eq(G, 0)") for part in claim.example)
    # The claim named is what says so: neither evaluation nor z3 knows that pi is irrational.
    assert satisfiable(claim, QUICK).verdict == "fails"
    assert satisfiable(replace(claim, example_by=None), QUICK, CLAIMS).verdict == "fails"


def test_the_instance_is_of_the_example():
    said = rules.by_claim(RATIONAL, {above: 1, below: 2})
    right = (*where({m: 1}), Every((l,), eq(theta(l), sp.Rational(1, 2))))
    wrong = (*where({m: 1}), Every((l,), eq(theta(l), 1)))
    two_planes = (*where({m: 2}), Every((l,), eq(theta(l), sp.Rational(1, 2))))
    claim = replace(CLAIMS["index.weyl"], example_by=said)
    verdicts = [
        satisfiable(replace(claim, example=example), QUICK, CLAIMS).verdict
        for example in (right, wrong, two_planes)
    ]
    assert verdicts == ["holds", "fails", "fails"]


def test_the_other_claim_applies_there():
    never = rules.by_claim(RATIONAL, {above: 0, below: 1})  # the angle 0 is not allowed
    at_rest = (*where({m: 1}), Every((l,), eq(theta(l), 0)))
    claim = replace(CLAIMS["index.weyl"], example=at_rest, example_by=never)
    assert satisfiable(claim, QUICK, CLAIMS).verdict == "fails"


def test_what_is_named_is_among_what_is_used():
    claim = replace(CLAIMS["index.weyl-groups"], uses=())
    assert satisfiable(claim, QUICK, CLAIMS).verdict == "fails"
