"""Display abbreviations: shown, and expanded again to the same formula."""

import pytest
import sympy as sp
from evaluated_formulas import evaluated

from ropeproof.proofs_check.present.naming import NamedFormulas, named
from ropeproof.proofs_check.present.plain import plain
from ropeproof.theory import CLAIMS, InvalidClaim
from ropeproof.theory.language.logic import integer, le, real_function
from ropeproof.theory.language.naming import Notation
from ropeproof.theory.language.notation import (
    i,
    j,
    key_x,
    key_y,
    l,
    logit,
    n,
    over_planes,
    query_x,
    query_y,
    s,
    t,
    theta,
)
from ropeproof.theory.topics.names import NAMES
from ropeproof.theory.topics.slash.lags import offset, weight
from ropeproof.theory.topics.slash.sandwich.cluster import bilinear, norm, row_logit, spread

x_of = real_function("x")


def shown(formula, *letters):
    return plain(NamedFormulas(frozenset(letters))(formula))


def formulas(claim):
    yield from (h.formula for h in claim.hypotheses)
    if claim.conclusion is not None:
        yield claim.conclusion
    for step in claim.derivation.steps if claim.derivation else ():
        yield step.conclusion
        yield from step.assuming


@pytest.mark.parametrize("id", CLAIMS)
def test_every_formula_of_the_catalogue_is_found_again(id):
    names = named(CLAIMS[id])
    for formula in formulas(CLAIMS[id]):
        again = names.written_out(names(formula))
        assert again == formula or evaluated(again) == evaluated(formula)


def test_a_margin_reads_as_in_a_paper():
    assert shown(le(logit(j) + s, logit(offset))) == "g(j) + s <= g(Delta)"
    assert shown(le(2 * spread() + s, 3 * t)) == "2*eta + s <= 3*t"


def test_vectors_by_their_planes():
    u_x, u_y = (real_function(f"u_{side}") for side in "xy")
    assert shown(over_planes(query_x(l) * u_x(j, l) + query_y(l) * u_y(j, l))) == "<q, u[j]>"
    assert (
        shown(over_planes(-s * query_x(l) * u_x(j, l) - s * query_y(l) * u_y(j, l)))
        == "<-q*s, u[j]>"
    )
    assert shown(norm(u_x(j, l) - query_x(l), u_y(j, l) - query_y(l))) == "|u[j] - q|"
    crossed = over_planes(query_x(l) * u_y(j, l) + query_y(l) * u_x(j, l))
    assert shown(crossed) == plain(crossed)
    one_side = over_planes(query_x(l) * key_x(l))
    assert shown(one_side) == plain(one_side)


def test_a_logit_of_two_vectors():
    assert shown(row_logit(t)) == "s <R[t] Q, K[t]>"
    assert shown(bilinear(key_x(l), key_y(l), query_x(l), query_y(l), t)) == "s <R[t] k, q>"
    turned = bilinear(key_x(l), key_y(l), query_x(l), -query_y(l), t)
    assert shown(turned) == plain(turned)


def test_turned_vectors():
    angle = theta(l) * t
    x = query_x(l) * sp.cos(angle) - query_y(l) * sp.sin(angle)
    y = query_x(l) * sp.sin(angle) + query_y(l) * sp.cos(angle)
    assert shown(over_planes(x * key_x(l) + y * key_y(l))) == "<R[t] q, k>"
    back = over_planes(
        (query_x(l) * sp.cos(angle) + query_y(l) * sp.sin(angle)) * key_x(l)
        + (query_y(l) * sp.cos(angle) - query_x(l) * sp.sin(angle)) * key_y(l)
    )
    assert shown(back) == "<R[-t] q, k>"
    mixed = over_planes(
        x * key_x(l) + (query_y(l) * sp.cos(angle) - query_x(l) * sp.sin(angle)) * key_y(l)
    )
    assert "R[" not in shown(mixed)


def test_weights():
    assert shown(weight(logit)) == "softmax[j=0..i - 1](g(j))[Delta]"
    assert shown(3 * weight(logit)) == "3*softmax[j=0..i - 1](g(j))[Delta]"
    other = sp.exp(logit(offset)) / sp.Sum(sp.exp(2 * logit(j)), (j, 0, i - 1))
    assert "softmax" not in shown(other)


def test_no_name_that_a_symbol_of_the_claim_has():
    assert shown(logit(t), "g") == "s <R[t] q, k>"
    assert shown(logit(t), "g", "q") == plain(logit(t))


def test_one_name_stands_for_one_term():
    m_other = integer("M")
    other = sp.Sum(query_x(l) ** 2 + query_y(l) ** 2, (l, 0, m_other - 1))
    assert shown(other) == plain(other)  # not all planes


def test_definitions_are_collected():
    names = NamedFormulas(frozenset())
    names(le(norm(query_x(l), query_y(l)), logit(n)))
    assert [d.meaning for d in names.definitions.values()] == [
        "the Euclidean norm",
        "the logit at lag t",
    ]


@pytest.mark.parametrize("notation", NAMES, ids=lambda notation: notation.name)
def test_a_notation_stands_for_its_definition(notation):
    names = NamedFormulas(frozenset())
    assert plain(names(notation.term())) in (
        notation.text,
        *(notation.text.format(a) for a in ("t", "a")),
    )


def test_a_notation_says_where_its_argument_is_shown():
    with pytest.raises(InvalidClaim, match="must both hold"):
        Notation("f", lambda x: x, "f({})", "f", "a function", t)
    assert Notation("f", lambda x: x, "f({})", "f({})", "it", t).term() == t


def test_a_name_hides_no_factor():
    """A factor that stands twice is named once; the other one stays."""
    above, below = sp.exp(x_of(t)), 1 / sp.Sum(sp.exp(x_of(j)), (j, 0, n - 1))
    softmax = sp.Mul(above, below, evaluate=False)
    squared = sp.Mul(above, above, below, evaluate=False)
    assert shown(squared) != shown(softmax)
    assert "exp(x(t))" in shown(squared).replace(" ", "")
    for notation in NAMES:
        term = notation.term()
        if isinstance(term, sp.Mul):
            twice = sp.Mul(term.args[0], *term.args, evaluate=False)
            assert plain(NamedFormulas(frozenset())(twice)) != plain(
                NamedFormulas(frozenset())(term)
            ), notation


def test_a_length_is_named_where_it_is_that_length():
    named = NamedFormulas(frozenset())
    for formula in (norm(query_x(l), query_y(l)), norm(query_x(l), query_y(l)) ** 2):
        assert named.written_out(named(formula)) == formula
