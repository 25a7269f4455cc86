"""Values given to a lemma: what does not fit is named, with the lemma's symbols and their kinds."""

from __future__ import annotations

import pytest
import sympy as sp

from ropeproof.proofs_check.attack.mutants import attack_hypotheses
from ropeproof.proofs_check.semantics.profiles import profile
from ropeproof.theory import CLAIMS
from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language.claim import OWN, Claim, Hypothesis
from ropeproof.theory.language.kinds import kinds_of, listed_kinds
from ropeproof.theory.language.logic import integer, le, real, real_function
from ropeproof.theory.language.proof import prove

x, c = real("x c")
n, t = integer("n t")
w, z = real_function("w"), real_function("z")
LEMMA = CLAIMS["softmax.partition"]


def test_kinds_are_those_of_the_formulas():
    assert listed_kinds(LEMMA) == (
        "Symbols of softmax.partition: a (integer), n (integer), w(.) (reals)"
    )
    assert kinds_of(CLAIMS["rope.lipschitz"])["A(.)"] == "reals"


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({x: 1}, "it has no symbol x"),
        ({z: w}, "it has no symbol z"),
        ({real("n"): 3}, "its n is another symbol of that name, declared as integer"),
        ({w(t): 1}, r"w\(t\) is a term; a function is given by its name alone, as w"),
        ({n: sp.Rational(1, 2)}, "n is an integer there, and 1/2 is none"),
    ],
)
def test_what_does_not_fit_is_named_with_the_symbols(values, said):
    claim = Claim("own.x", "t", "s", OWN, conclusion=le(0, c**2))

    def proof(p):
        p.lemma(LEMMA, values, why="So")

    with pytest.raises(InvalidClaim, match=said) as caught:
        _ = prove(claim, proof).derivation  # a proof is written when it is looked at
    assert "Symbols of softmax.partition: a (integer), n (integer), w(.) (reals)" in str(
        caught.value
    )


def test_an_unneeded_hypothesis_comes_with_the_line_to_add():
    given = Hypothesis("c is small", le(c, 1))
    claim = Claim("own.x", "t", "s", OWN, hypotheses=(given,), conclusion=le(0, c**2))
    detail = attack_hypotheses(claim, profile("quick")).detail
    assert detail.startswith("no instance shows that this is needed: c is small")
    for line in ("without={HYPOTHESIS: {c: VALUE}}", "idle={HYPOTHESIS: 'why'}", "unshown="):
        assert line in detail
