"""Reasons that no author wrote: sentences about the step itself."""

from __future__ import annotations

import sympy as sp

from ropeproof.theory.language.derivation import smt
from ropeproof.theory.language.logic import Both, Every, If, integer, le, real, real_function
from ropeproof.theory.language.proof import Proof

x, y = real("x y")
n = integer("n")
f = real_function("f")


def reasons(p):
    return [step.because for step in p.steps]


def test_an_instance_says_what_is_put_where():
    p = Proof(le(0, x))
    square = p.step(Every((x,), le(0, x**2)), smt(), "Squares are not negative.")
    square.at({x: y + 1})
    p.use(square)
    said = ["Put y + 1 for x in step 1.", "The conditions of step 1 are met here."]
    assert reasons(p)[1:] == said


def test_long_values_are_not_written_out():
    p = Proof(le(0, x))
    square = p.step(Every((x,), le(0, x**2)), smt(), "Squares are not negative.")
    square.at({x: sum(y**k for k in range(1, 30))})
    assert reasons(p)[-1] == "This is step 1 for particular values of x."


def test_parts_sums_chains_and_inductions_name_their_steps():
    p = Proof(le(0, x))
    both = p.given(Both(le(0, x), le(x, 1)))
    both.parts()
    p.chain(le_fact(p, 0, x), le_fact(p, x, y))
    le_fact(p, f(n), 1).summed(n, 0, 5)
    start = p.given(le(0, f(0)))
    following = p.given(Every((n,), If(le(0, f(n)), le(0, f(n + 1)))))
    p.induction(le(0, f(n)), n, 0, start, following)
    said = reasons(p)
    assert said[:3] == [
        "This is an assumption made here.",
        "This is part 1 of step 1.",
        "This is part 2 of step 1.",
    ]
    assert said[5] == "Chain the comparisons of steps 4 and 5."
    assert said[7] == "Sum step 7 over n from 0 to 5."
    assert said[-1] == "This follows by induction on n from 0 on."


def test_generalisations_and_cut_sums_name_their_symbols():
    p = Proof(le(0, x))
    below = p.under(le(0, x)).step(le(0, x + 1), smt(), "A sum of two such terms.")
    below.for_all(x)
    total = sp.Sum(f(n), (n, 0, 9))
    p.split(total, 4)
    p.last(total)
    assert reasons(p)[1:] == [
        "Step 1 was shown for arbitrary x, so it holds for all x.",
        "Split the sum over n after n = 4.",
        "Split off the last term of the sum, that of n = 9.",
    ]


def le_fact(p, a, b):
    return p.step(le(a, b), smt(), "This is given.")
