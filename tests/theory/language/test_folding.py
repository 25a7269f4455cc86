"""Display abbreviations: shown in statements and in steps, and expanded again to the same formula."""

from dataclasses import replace
from functools import cache
from importlib import import_module

import pytest
import sympy as sp
from evaluated_formulas import evaluated

from ropeproof.proofs_check.present.claim_view import ShownClaim, all_of
from ropeproof.proofs_check.present.folding import Folding
from ropeproof.proofs_check.present.forms import expanded
from ropeproof.proofs_check.present.lines import flat
from ropeproof.proofs_check.present.statement import abbreviations, usable_names
from ropeproof.proofs_check.present.unicode import Unicode
from ropeproof.theory import CLAIMS
from ropeproof.theory.language.binders import distinct
from ropeproof.theory.language.logic import integer, le, lt, real, real_function
from ropeproof.theory.language.naming import ABBREVIATIONS
from ropeproof.theory.language.notation import (
    j,
    key_x,
    key_y,
    l,
    logit,
    m,
    n,
    over_planes,
    query_x,
    query_y,
    s,
    t,
    theta,
)
from ropeproof.theory.topics.contents import NAMING
from ropeproof.theory.topics.slash.lags import offset, weight
from ropeproof.theory.topics.slash.sandwich.cluster import bilinear, norm, row_logit, spread

x_of = real_function("x")
ANY = replace(CLAIMS["exp.monotone"], hypotheses=(), mutants=())
for module in NAMING:
    import_module(f"ropeproof.theory.{module}")
NAMES = usable_names(ANY, [name.term for name in ABBREVIATIONS], set())


def folded(formula, *letters, names=None):
    """A formula of a claim in which symbols have these names."""
    claim = replace(ANY, conclusion=le(0, sum(map(real, letters), sp.S.Zero)))
    names = usable_names(claim, [formula], set(letters)) if names is None else names
    return Folding(claim, tuple(names))(formula)


def shown(formula, *letters, names=None):
    return written(folded(formula, *letters, names=names))


def written(formula):
    return flat(Unicode().formula(distinct(formula)))


@pytest.mark.parametrize("id", CLAIMS)
def test_every_formula_of_the_catalogue_is_found_again(id):
    """Hypotheses, conclusion, steps, mutants and readings."""
    claim, proof = CLAIMS[id], proof_of(id)
    stated = [h.formula for h in claim.hypotheses]
    stated += [] if claim.conclusion is None else [claim.conclusion]
    for formula in (*stated, *proof.formulas):
        again = expanded(proof.folded(formula))
        assert again == formula or evaluated(again) == evaluated(formula)


@cache
def proof_of(id):
    """A claim as it is shown, built once for all tests of this file."""
    return ShownClaim(CLAIMS[id])


@pytest.mark.parametrize("id", CLAIMS)
def test_a_page_uses_no_name_for_two_things(id):
    """Names of the statement, names that steps add, and the symbols of both look different."""
    proof = proof_of(id)
    stated = [entry.symbol for entry in proof.statement.where]
    added = [entry.symbol for entry in proof.added]
    assert len({*stated, *added}) == len(stated) + len(added)
    kept = proof.stated_names
    assert {a.text for a in kept} <= {a.text for a in proof.names}, "a step's symbol looks like one"


def test_a_margin_reads_as_in_a_paper():
    assert shown(le(logit(j) + s, logit(offset))) == "s + s·⟨R_j q, k⟩ ≤ s·⟨R_Δ q, k⟩"
    assert shown(le(2 * spread() + s, 3 * t)) == "s + 2 η ≤ 3 t"


def test_vectors_by_their_planes():
    u_x, u_y = (real_function(f"u_{side}") for side in "xy")
    assert shown(over_planes(query_x(l) * u_x(j, l) + query_y(l) * u_y(j, l))) == "⟨q, u_j⟩"
    scaled = over_planes(-s * query_x(l) * u_x(j, l) - s * query_y(l) * u_y(j, l))
    assert shown(scaled) == "⟨q·(−s), u_j⟩"
    assert shown(norm(u_x(j, l) - query_x(l), u_y(j, l) - query_y(l))) == "‖u_j − q‖"
    crossed = over_planes(query_x(l) * u_y(j, l) + query_y(l) * u_x(j, l))
    assert shown(crossed) == written(crossed)
    one_side = over_planes(query_x(l) * key_x(l))
    assert shown(one_side) == written(one_side)


def test_a_sum_that_vanishes_is_no_vector():
    u_x = real_function("u_x")
    nothing = sp.Sum((x_of(l) - u_x(l)) ** 2, (l, 0, n - 1)).subs(u_x(l), x_of(l))
    assert shown(nothing) == written(nothing)


def test_a_logit_of_two_vectors():
    assert shown(row_logit(t)) == "s·⟨R_t Q, K_t⟩"
    assert shown(bilinear(key_x(l), key_y(l), query_x(l), query_y(l), t)) == "s·⟨R_t k, q⟩"
    turned = bilinear(key_x(l), key_y(l), query_x(l), -query_y(l), t)
    assert shown(turned) == written(turned)


def test_turned_vectors():
    angle = theta(l) * t
    x = query_x(l) * sp.cos(angle) - query_y(l) * sp.sin(angle)
    y = query_x(l) * sp.sin(angle) + query_y(l) * sp.cos(angle)
    assert shown(over_planes(x * key_x(l) + y * key_y(l))) == "⟨R_t q, k⟩"
    back = over_planes(
        (query_x(l) * sp.cos(angle) + query_y(l) * sp.sin(angle)) * key_x(l)
        + (query_y(l) * sp.cos(angle) - query_x(l) * sp.sin(angle)) * key_y(l)
    )
    assert shown(back) == "⟨R_{−t} q, k⟩"
    mixed = over_planes(
        x * key_x(l) + (query_y(l) * sp.cos(angle) - query_x(l) * sp.sin(angle)) * key_y(l)
    )
    assert "R_" not in shown(mixed)


def test_weights():
    assert shown(weight(logit)) == "softmax_{0≤j≤i−1}(s·⟨R_j q, k⟩)_Δ"
    assert shown(3 * weight(logit)) == "3 softmax_{0≤j≤i−1}(s·⟨R_j q, k⟩)_Δ"
    other = sp.exp(logit(offset)) / sp.Sum(sp.exp(2 * logit(j)), (j, 0, n - 1))
    assert "softmax" not in shown(other)


def test_no_name_that_a_symbol_of_the_claim_has():
    assert shown(spread()) == "η"
    assert "η" not in shown(spread(), "η")
    assert shown(logit(t), "q") == written(logit(t))


def test_one_name_stands_for_one_term():
    m_other = integer("M")
    other = sp.Sum(query_x(l) ** 2 + query_y(l) ** 2, (l, 0, m_other - 1))
    assert shown(other) == written(other)  # not all planes


@pytest.mark.parametrize("name", NAMES, ids=lambda name: f"{name.text}, {name.meaning}")
def test_a_name_stands_for_its_definition(name):
    again = folded(name.term, names=[name])
    by_coordinates = any(isinstance(p, tuple) and p[1].has(m) for p in name.parameters)
    assert again != name.term or by_coordinates  # which coordinates are a vector's the claim says
    assert expanded(again) == name.term


def test_a_name_hides_no_factor():
    """A factor that stands twice is named once; the other one stays."""
    above, below = sp.exp(x_of(t)), 1 / sp.Sum(sp.exp(x_of(j)), (j, 0, n - 1))
    softmax = sp.Mul(above, below, evaluate=False)
    squared = sp.Mul(above, above, below, evaluate=False)
    assert shown(squared) != shown(softmax)
    assert "exp(x(t))" in shown(squared)  # a real argument: a function, no sequence
    for name in NAMES:
        if isinstance(name.term, sp.Mul):
            twice = sp.Mul(name.term.args[0], *name.term.args, evaluate=False)
            assert shown(twice, names=[name]) != shown(name.term, names=[name]), name


def test_a_length_is_named_where_it_is_that_length():
    for formula in (norm(query_x(l), query_y(l)), norm(query_x(l), query_y(l)) ** 2):
        assert evaluated(expanded(folded(formula))) == formula


def test_names_that_steps_add_are_explained():
    """`slash.gd.score` states the score of a head; its proof speaks of losses of rows as well."""
    proof = ShownClaim(CLAIMS["slash.gd.score"])
    found = {entry.symbol: entry for entry in proof.added}
    assert found["ℓ_i(a)"].meaning == "loss of row i of a head with this key"
    assert found["ℓ_i(a)"].definition.startswith("ln(")
    assert not {e.symbol for e in proof.statement.where} & set(found)
    assert ShownClaim(CLAIMS["slash.gd.score"], expand=True).added == ()


def test_written_out_nothing_is_abbreviated():
    claim = CLAIMS["slash.sandwich"]
    short, whole = ShownClaim(claim), ShownClaim(claim, expand=True)
    (first, *_) = (
        s.conclusion for s in claim.derivation.steps if short.folded(s.conclusion) != s.conclusion
    )
    assert whole.folded(first) == first
    assert len(flat(whole.text(first))) > len(flat(short.text(first)))
    assert flat(short.whole(first)) == flat(whole.latex(first))


def test_assumptions_are_read_as_chains():
    assert written(all_of([le(0, j), le(j, n), lt(s, t)])) == "0 ≤ j ≤ n and s < t"
    assert written(all_of([le(0, j)])) == "0 ≤ j"


def test_only_names_whose_terms_can_occur_are_tried():
    """What a term lacks tells which names it cannot have; none that is shown is left out."""
    claim = CLAIMS["slash.head"]
    stated = [h.formula for h in claim.hypotheses]
    tried = abbreviations(claim, stated)
    assert 0 < len(tried) < len(NAMES)
    assert not {a.text for a in proof_of("slash.head").stated_names} - {a.text for a in NAMES}
    for name in NAMES:
        assert name in abbreviations(claim, [name.term])
        assert not name.needs or name not in abbreviations(claim, [sp.Symbol("lone")])
