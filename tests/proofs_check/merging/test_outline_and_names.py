"""`ropeproof show ID --outline`, and names of terms within a proof."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import run

from ropeproof.proofs_check.present.claim_view import ShownClaim
from ropeproof.proofs_check.present.lines import flat
from ropeproof.proofs_check.reports.outline import outline
from ropeproof.proofs_check.run.apart.copies import copied
from ropeproof.proofs_check.run.apart.records import read, written
from ropeproof.proofs_check.run.cache.content import claim_digest
from ropeproof.theory import CLAIMS
from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language import Claim, Hypothesis, Proof, integer, le, lt, prove, real, sp

x, y, z = real("x y z")
n = integer("n")
POSITIVE = Hypothesis("x is positive", lt(0, x))


def _claim(conclusion, proof, *hypotheses):
    return prove(Claim("own.test", "t", "s", hypotheses=hypotheses, conclusion=conclusion), proof)


def test_an_outline_has_lemmas_choices_and_inductions_alone():
    found = outline(CLAIMS["rope.half-powers"])
    kinds = {e.kind for e in found}
    assert {"lemma", "choice", "induction", "conclusion"} <= kinds
    assert len(found) < len(CLAIMS["rope.half-powers"].derivation.steps) / 5
    assert [e.number for e in found] == sorted({e.number for e in found})


def test_an_outline_has_cases_and_what_is_kept():
    def proof(p):
        kept = p.show(lt(0, 2 * x), "Twice a positive number is positive.", POSITIVE, keep=True)
        idle = p.show(lt(0, 3 * x), "Three times it is positive as well.", POSITIVE)
        p.show(le(0, sp.Abs(y)), "In both cases it is not negative.", cases=(le(0, y),))
        p.qed("Twice and once are three times.", kept, idle)

    found = outline(_claim(lt(0, 3 * x), proof, POSITIVE))
    assert [e.kind for e in found] == ["claim", "cases", "conclusion"]
    assert found[0].step.because == "Twice a positive number is positive."


def test_a_lemma_applied_twice_stands_in_the_outline_once():
    def proof(p):
        first = p.lemma(CLAIMS["exp.monotone"], why="Exponentials keep the order.", goal=None)
        p.lemma(CLAIMS["exp.monotone"], why="Exponentials keep it here, too.", goal=None)
        p.qed("This is what the lemma says.", first)

    found = outline(_claim(CLAIMS["exp.monotone"].conclusion, proof))
    assert [e.kind for e in found] == ["lemma", "conclusion"]


def test_the_command_prints_the_outline():
    code, text = run("show", "softmax.hard-to-soft", "--outline")
    assert code == 0
    assert "lemma sums.triangle-inequality" in text
    assert "outline:" in text


def test_the_outline_as_json(tmp_path):
    to = tmp_path / "outline.json"
    assert run("show", "softmax.hard-to-soft", "--outline", "--json", str(to))[0] == 0
    told = json.loads(Path(to).read_text(encoding="utf-8"))
    assert told["steps"] == len(CLAIMS["softmax.hard-to-soft"].derivation.steps)
    assert told["outline"][-1]["kind"] == "conclusion"


def test_an_outline_of_what_has_no_proof_or_is_not_there_is_refused():
    without = next(id for id, c in CLAIMS.items() if c.derivation is None)
    assert run("show", without, "--outline")[0] == 2
    assert run("show", "no.such-claim", "--outline")[0] == 2


# -- names -----------------------------------------------------------------------------------


LONG = x**2 + 3 * x * y + sp.exp(y)


def _with_name(p):
    term = p.let("D", LONG, "the derivative")
    first = p.show(le(term, term + 1), "Adding one makes a number larger.")
    second = p.show(le(term, term + 2), "Adding two makes it larger still.", first)
    p.qed("Adding three makes it larger than both.", first, second)


def test_a_named_term_is_printed_by_its_name_and_defined_once():
    claim = _claim(le(LONG, LONG + 3), _with_name)
    shown = ShownClaim(claim)
    texts = ["".join(map(str, flat(shown.text(s.conclusion)))) for s in claim.derivation.steps]
    assert all("D" in text and "exp" not in text for text in texts)
    assert [name.symbol for name in shown.added] == ["D"]
    assert shown.added[0].meaning == "the derivative"


def test_a_long_formula_of_the_catalogue_is_printed_once():
    claim = CLAIMS["index.one-head"]
    shown = ShownClaim(claim)
    texts = [str(flat(shown.text(s.conclusion))) for s in claim.derivation.steps]
    assert max(map(len, texts)) < 250  # 870 without the three names
    assert len(shown.added) == 3


def test_the_kernel_sees_the_term_itself():
    claim = _claim(le(LONG, LONG + 3), _with_name)
    assert all(s.conclusion.has(sp.exp) for s in claim.derivation.steps)
    assert claim.derivation.steps[-1].conclusion == claim.conclusion


def test_with_expand_every_term_is_written_out():
    claim = _claim(le(LONG, LONG + 3), _with_name)
    shown = ShownClaim(claim, expand=True)
    assert "exp" in str(flat(shown.text(claim.derivation.steps[0].conclusion)))


def test_a_name_with_a_place():
    def proof(p):
        p.let("D({})", n**2 + sp.exp(n) * x, "the slope", of=(n,))
        first = p.show(le(9 + sp.exp(3) * x, 10 + sp.exp(3) * x), "Adding one makes it larger.")
        p.qed("The two are compared one by one.", first)

    claim = _claim(le(16 + sp.exp(4) * x, 17 + sp.exp(4) * x), proof)
    ShownClaim(claim).text(claim.conclusion)  # a term that is no instance is left as it is


def test_a_name_that_looks_like_a_symbol_of_the_claim_is_not_shown():
    def proof(p):
        term = p.let("x", LONG, "not the symbol x")
        first = p.show(le(term, term + 1), "Adding one makes a number larger.")
        p.qed("Adding three makes it larger than both.", first)

    claim = _claim(le(LONG, LONG + 3), proof)
    assert "exp" in str(flat(ShownClaim(claim).text(claim.derivation.steps[0].conclusion)))


@pytest.mark.parametrize(
    "call",
    [
        lambda p: p.let("", x, "nothing"),
        lambda p: p.let("D({})", x, "a place without a symbol"),
        lambda p: p.let("D", x, "a symbol without a place", of=(x,)),
        lambda p: (p.let("D", x, "one"), p.let("D", y, "another")),
    ],
)
def test_names_that_are_refused(call):
    with pytest.raises(InvalidClaim, match="let: "):
        call(Proof(lt(0, x)))


def test_names_and_marks_survive_the_copies_of_a_users_claim():
    def proof(p):
        p.let("D", LONG, "the derivative")
        p.show(lt(0, x), "This is the hypothesis itself.", POSITIVE, keep=True)
        p.qed("This is the hypothesis itself.", POSITIVE)

    claim = _claim(lt(0, x), proof, POSITIVE)
    for other in (copied(claim), read(written(claim))):
        assert other.derivation == claim.derivation
        assert claim_digest(other) == claim_digest(claim)
