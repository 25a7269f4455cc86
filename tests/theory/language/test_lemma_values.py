"""Values given to a lemma: what does not fit is named, with the lemma's symbols and their kinds."""

from __future__ import annotations

import pytest
import sympy as sp

from ropeproof.proofs_check.attack.mutants import attack_hypotheses
from ropeproof.proofs_check.semantics.profiles import profile
from ropeproof.theory import CLAIMS
from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language.axioms import axiom_named
from ropeproof.theory.language.claim import OWN, Claim, Hypothesis
from ropeproof.theory.language.instance import by_name, kinds_of, listed_kinds
from ropeproof.theory.language.logic import integer, le, real, real_function
from ropeproof.theory.language.proof import prove

x, c = real("x c")
n, t = integer("n t")
w, z = real_function("w"), real_function("z")
LEMMA = CLAIMS["softmax.partition"]


def _stated(conclusion):
    return Claim("own.x", "t", "s", OWN, conclusion=conclusion)


def test_kinds_are_those_of_the_formulas():
    assert listed_kinds(LEMMA) == (
        "Symbols of softmax.partition: a (integer), n (integer), w(.) (reals)"
    )
    assert kinds_of(CLAIMS["rope.lipschitz"])["A(.)"] == "reals"


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"x": 1}, "it has no symbol x"),
        ({"w_": w}, "it has no symbol w_"),
        ({"w(t)": 1}, r"it has no symbol w\(t\)"),
        ({"n": sp.Rational(1, 2)}, "n is an integer there, and 1/2 is none"),
    ],
)
def test_what_does_not_fit_is_named_with_the_symbols(values, said):
    with pytest.raises(InvalidClaim, match=f"softmax.partition: {said}") as caught:
        LEMMA.at(**values)
    for symbol in ("a (integer)", "n (integer)", "w(.) (reals)"):
        assert symbol in str(caught.value)


def test_the_names_that_there_are_come_with_the_nearest_first():
    with pytest.raises(InvalidClaim, match=r"no symbol nn; allowed: n \(integer\), "):
        LEMMA.at(nn=3)
    with pytest.raises(InvalidClaim, match=r"no symbol A_0; allowed: a \(integer\), "):
        LEMMA.at(A_0=3)
    alone = _stated(le(0, sp.Sum(t**2, (t, 0, 3))))
    with pytest.raises(InvalidClaim, match="no symbol t, and no other that could have a value"):
        alone.at(t=3)


def test_an_instance_says_the_claim_at_its_values():
    claim = _stated(le(0, w(n) + c))
    assert claim.at(w=lambda place: place**2, n=3).conclusion == le(0, 9 + c)
    assert claim.at(w=z).conclusion == le(0, z(n) + c)
    assert repr(claim.at(n=3, c=x)) == "<own.x at n = 3, c = x>"
    assert repr(claim.at()) == "<own.x>"


def test_a_name_that_python_has_for_itself_ends_in_an_underscore():
    rate, other = real("lambda lambda_")
    assert _stated(le(0, rate)).at(lambda_=3).values == {rate: 3}
    assert _stated(le(0, rate)).at(**{"lambda": 3}).values == {rate: 3}
    both = _stated(le(other, rate))
    assert both.at(**{"lambda_": 3, "lambda": 4}).values == {other: 3, rate: 4}


def test_names_of_options_and_of_the_claim_itself_are_names_of_symbols_as_well():
    own = dict(zip(("why", "goal", "self", "keep"), real("why goal self keep"), strict=True))
    claim = _stated(le(0, sum(own.values())))
    assert set(claim.at(**dict.fromkeys(own, 1)).values) == set(own.values())


def test_a_name_that_two_symbols_have_says_nothing():
    claim = _stated(le(n, real("n")))
    with pytest.raises(InvalidClaim, match="two of its symbols have the name n"):
        claim.at(n=3)


def test_values_that_are_computed_are_given_by_name():
    assert by_name({n: 3, w: c}) == {"n": 3, "w": c}
    assert LEMMA.at(**by_name({n: 3})).values == LEMMA.at(n=3).values
    for values, said in (
        ({w(t): 1}, r"w\(t\) is a term; a function is given by its name alone, as w"),
        ({n: 3, real("n"): 4}, "two symbols of the name n"),
        ({"n": 3}, "got 'n'; allowed: a symbol or a function"),
    ):
        with pytest.raises(InvalidClaim, match=said):
            by_name(values)


def test_an_axiom_has_values_by_name_as_well():
    lindemann = axiom_named("Lindemann")
    with pytest.raises(
        InvalidClaim, match=r"Lindemann: it has no symbol pp; allowed: p \(integer\)"
    ):
        lindemann.at(pp=355)
    claim = prove(
        _stated(sp.Ne(355, 113 * sp.pi, evaluate=False)),
        lambda p: p.axiom(lindemann.at(p=355, q=113, m=1), why="As pi is transcendental."),
    )
    (step,) = claim.derivation.steps
    assert (step.rule.name, step.rule.arguments["name"]) == ("axiom", "Lindemann")
    assert step.conclusion == lindemann.at(p=355, q=113, m=1).conclusion


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (lambda p: p.lemma(LEMMA, {n: 3}, why="So."), r"a mapping; .*p\.lemma\(CLAIM\.at\(x=3\)"),
        (lambda p: p.apply(LEMMA, {n: 3}, why="So."), r"a mapping; .*p\.lemma\(CLAIM\.at\(x=3\)"),
        (lambda p: p.lemma(axiom_named("Weyl"), why="So."), "lemma: got .*; allowed: a claim"),
        (
            lambda p: p.lemma(axiom_named("Weyl").at(m=3), why="So."),
            "lemma: got .*; allowed: a claim",
        ),
        (lambda p: p.axiom(LEMMA, why="So."), r"axiom: got .*; allowed: axiom_named\('Weyl'\)"),
        (lambda p: p.axiom("Weyl", {n: 3}, why="So."), r"allowed: axiom_named\('Weyl'\)"),
        (
            lambda p: p.axiom("Schanuel", why="So."),
            "no axiom is called 'Schanuel'; there are Lindem",
        ),
        (lambda p: p.axiom("Dirichlet", why="So."), "it is proved: use the claim sums.dirichlet"),
    ],
)
def test_what_is_no_instance_is_answered_with_what_to_write(line, said):
    with pytest.raises(InvalidClaim, match=said):
        _ = prove(_stated(le(0, c**2)), line).derivation


def test_a_symbol_without_a_value_stands_for_itself():
    claim = prove(_stated(le(0, c**2)), lambda p: p.lemma(LEMMA.at(a=3), why="So."))
    (step,) = claim.derivation.steps
    assert step.conclusion == LEMMA.at(a=3).conclusion
    assert n in step.conclusion.free_symbols


def test_an_unneeded_hypothesis_comes_with_the_line_to_add():
    given = Hypothesis("c is small", le(c, 1))
    claim = Claim("own.x", "t", "s", OWN, hypotheses=(given,), conclusion=le(0, c**2))
    detail = attack_hypotheses(claim, profile("quick")).detail
    assert detail.startswith("no instance shows that this is needed: c is small")
    for line in ("without={HYPOTHESIS: {c: VALUE}}", "idle={HYPOTHESIS: 'why'}", "unshown="):
        assert line in detail
