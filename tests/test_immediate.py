"""What an author expects to be immediate is accepted, and its false neighbours are refused."""

from __future__ import annotations

import pytest
import sympy as sp

from ropeproof.proofs_check.kernel import check_derivation
from ropeproof.theory import CLAIMS
from ropeproof.theory.claim import OWN, Claim, Hypothesis
from ropeproof.theory.logic import eq, integer, le, lt, real, real_function
from ropeproof.theory.proof import prove

a, b, k, l = integer("a b k l")
x = real("x")
f = real_function("f")
NOT_NEGATIVE, AT_LEAST_ONE, NONE = le(0, k), le(1, x), lt(b, a)
TWO = sp.Integer(2)


def verdict(goal, *hypotheses):
    known = [Hypothesis(f"h{place}", formula) for place, formula in enumerate(hypotheses)]
    claim = Claim("own.it", "", "", OWN, hypotheses=tuple(known), conclusion=goal)
    shown = prove(claim, lambda p: p.qed("It is plain.", *known))
    return check_derivation(shown, CLAIMS.__getitem__).outcome.verdict


@pytest.mark.parametrize(
    ("goal", "hypotheses"),
    [
        (le(1, TWO**k), (NOT_NEGATIVE,)),
        (le(1, x**k), (NOT_NEGATIVE, AT_LEAST_ONE)),
        (eq(sp.Sum(f(l), (l, a, b)), 0), (NONE,)),
        (eq(sp.Sum(f(l) * x, (l, a + 1, a)), 0), (lt(a, a + 1),)),
    ],
)
def test_it_is_accepted_without_naming_a_lemma(goal, hypotheses):
    assert verdict(goal, *hypotheses) == "holds"


@pytest.mark.parametrize(
    ("goal", "hypotheses"),
    [
        (le(1, TWO**k), ()),
        (le(1, x**k), (NOT_NEGATIVE,)),
        (le(1, (TWO / 3) ** k), (NOT_NEGATIVE,)),
        (lt(1, TWO**k), (NOT_NEGATIVE,)),
        (eq(sp.Sum(f(l), (l, a, b)), 0), ()),
        (eq(sp.Sum(f(l), (l, a, b)), 0), (le(b, a),)),
        (eq(sp.Sum(f(l), (l, a, b)), 1), (NONE,)),
        (eq(sp.Sum(f(l), (l, b, a)), 0), (NONE,)),
    ],
)
def test_its_neighbour_is_refused(goal, hypotheses):
    assert verdict(goal, *hypotheses) != "holds"
