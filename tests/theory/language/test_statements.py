"""Statements as they are shown: short, complete, and the very formulas of the claims."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from functools import cache, partial

import pytest
import sympy as sp
from evaluated_formulas import evaluated
from sympy.core.cache import clear_cache
from typer.testing import CliRunner

from ropeproof.cli import app
from ropeproof.proofs_check.commands import statement
from ropeproof.proofs_check.commands.statement import LINES
from ropeproof.proofs_check.present import statement_of
from ropeproof.proofs_check.present.forms import Named, expanded
from ropeproof.proofs_check.present.setting import Shown
from ropeproof.proofs_check.present.statement import Presented
from ropeproof.theory import CLAIMS
from ropeproof.theory.language.naming import ABBREVIATIONS, named
from ropeproof.theory.language.notation import l
from ropeproof.theory.topics.contents import CONTENTS
from ropeproof.theory.topics.slash.headline.terms import mean, w_q

MAIN = [id for id, entry in CONTENTS.items() if entry.role == "main result"]


@pytest.fixture(scope="module", params=MAIN)
def presented(request):
    return of_main(request.param)


@cache
def of_main(id):
    """A main result as it is presented, built once for all tests of this file."""
    return Presented(CLAIMS[id])


@cache
def statement_of_main(id):
    return of_main(id).statement()


def test_a_main_result_is_read_on_a_page(monkeypatch):
    """The command's table of lines and widths; its statements are those that the other tests read."""
    monkeypatch.setattr(statement, "statement_of", lambda c: statement_of_main(c.id))
    done = CliRunner().invoke(app, ["list", "--main", "--statement-lines"])
    assert done.exit_code == 0, done.output
    rows = [line.split() for line in done.output.splitlines()[1:]]
    assert {id for id, _, _ in rows} == set(MAIN)
    assert [row for row in rows if int(row[1]) > LINES or int(row[2]) > 100] == []


def test_every_symbol_of_a_main_result_is_explained(presented):
    shown = statement_of_main(presented.claim.id)
    for entry in shown.where:
        assert all((entry.symbol, entry.latex, entry.kind)), entry
        assert entry.meaning, f"{shown.id}: {entry.symbol} has no meaning"


ATTENTION = {
    "lag",
    "lags",
    "prompt",
    "prompts",
    "token",
    "tokens",
    "key",
    "keys",
    "logits",
    "planes",
}


@pytest.mark.parametrize(
    "id", [id for id, at in CONTENTS.items() if at.module.startswith("library.")]
)
def test_symbols_of_the_library_are_not_explained_as_those_of_heads(id):
    symbols = [e for e in statement_of(CLAIMS[id]).where if e.kind not in ("name", "notation")]
    for entry in symbols:
        assert not ATTENTION & set(re.findall(r"\w+", entry.meaning)), (entry.symbol, entry.meaning)


def test_what_is_shown_stands_for_the_formulas_of_the_claim(presented):
    for formula, shown in zip(presented.whole, presented.folded, strict=True):
        again = expanded(shown)
        assert again == formula or evaluated(again) == evaluated(formula)


def test_no_two_things_of_a_statement_look_alike(presented):
    shown = statement_of_main(presented.claim.id)
    for texts in ([e.symbol for e in shown.where], [e.latex for e in shown.where]):
        assert len(set(texts)) == len(texts), sorted(t for t in texts if texts.count(t) > 1)


def test_the_lipschitz_bound_as_it_is_shown():
    shown = statement_of(CLAIMS["rope.lipschitz"])
    assert shown.hypotheses[0].text == "∀ 0 ≤ l ≤ m − 1: 0 ≤ A_l"
    (part,) = shown.parts
    assert part.text.endswith("≤ Σ_{l=0}^{m−1} 2 A_l·|sin(θ_l/2)| ≤ Σ_{l=0}^{m−1} A_l θ_l")
    assert r"\sum_{l=0}^{m - 1} A_{l} \theta_{l}" in part.latex


def test_the_headline_shows_vectors_matrices_and_norms():
    shown = statement_of(CLAIMS["slash.head"])
    texts = {h.name: h.text for h in shown.hypotheses}
    assert texts["u is a unit vector"] == "‖u‖² = 1"
    assert texts["tokens lie on the cone"].endswith("‖ξ_{P,z}‖² ≤ (tan α)²")
    assert "‖W_Q u‖² = σ_Q²" in texts["the images of u"]
    assert [p.name for p in shown.parts] == ["(a)", "(b)", "(c)"]
    assert shown.parts[0].text.endswith("⇒ κ ≤ Slash(Δ)")
    names = {e.symbol: e for e in shown.where}
    assert names["η"].definition.startswith("s σ_K σ_Q")
    assert names["Slash(Δ)"].definition_latex.startswith(r"\frac{")


def test_expanded_nothing_is_abbreviated():
    shown = statement_of(CLAIMS["slash.sandwich"], expand=True)
    assert not any(e.definition for e in shown.where)
    assert "⟨" not in shown.parts[0].text


def test_a_statement_is_data_and_latex():
    shown = statement_of(CLAIMS["slash.ood"])
    data = json.loads(json.dumps(shown.as_json()))
    assert list(data) == ["schema", "id", "title", "hypotheses", "conclusion", "where"]
    assert data["where"][0]["definition"]
    latex = shown.as_latex()
    for brackets in ("{}", "()", "[]"):
        assert latex.count(brackets[0]) == latex.count(brackets[1])
    assert latex.count(r"\begin{") == latex.count(r"\end{")


@pytest.fixture
def declared():
    """What is declared in a test is forgotten after it."""
    before = list(ABBREVIATIONS)
    yield
    ABBREVIATIONS[:] = before


def test_a_statement_does_not_depend_on_what_else_was_loaded(declared):
    """Names of another file, and a topic that was read twice, leave the catalogue's statements alone."""
    claim = CLAIMS["slash.head"]
    before = statement_of(claim)
    for known in list(ABBREVIATIONS):
        if known.module.endswith("slash.headline.terms"):
            ABBREVIATIONS.append(replace(known, build=partial(known.build)))
            ABBREVIATIONS.append(replace(known, text=f"X{known.text}", module="own", once=True))
    named("V", "V", "a part of every logit", once=True)(lambda: mean(w_q, l))
    clear_cache()
    assert statement_of(claim) == before


OTHER_CLASSES = """
import sympy as sp
from sympy.core.cache import clear_cache
from typer.testing import CliRunner
from sympy.core.function import AppliedUndef
from ropeproof import CLAIMS
from ropeproof.proofs_check.present.statement import statement_of

claim = CLAIMS["slash.head"]
clear_cache()
kept = []
for formula in (*(h.formula for h in claim.hypotheses), claim.conclusion):
    for part in formula.atoms(AppliedUndef):
        function = sp.Function(part.func.__name__, **dict(part.func._kwargs))
        kept.append(function(*part.args))  # equal to `part`, of another class, and in SymPy's cache
print(len(statement_of(claim).as_text()))
"""


def test_functions_of_one_name_are_one_function():
    """SymPy's cache gives an equal function of another class, where another module made it before."""
    told = subprocess.run(
        [sys.executable, "-c", OTHER_CLASSES], capture_output=True, text=True, check=True
    )
    assert int(told.stdout) == len(statement_of(CLAIMS["slash.head"]).as_text())


def test_terms_of_different_forms_are_different():
    """SymPy gives what it made of equal parts before: it must not give the other form."""
    first, second = (Named("a key", "f({})", "f({})", of) for of in (sp.sin, sp.cos))
    x = sp.Symbol("x")
    shown = [sp.Mul(2, Shown(form, x), evaluate=False) for form in (first, second)]
    assert shown[0] != shown[1]
    assert [term.args[1].form for term in shown] == [first, second]
    assert Shown(first, x) == Shown(Named("a key", "f({})", "f({})", sp.sin), x)
