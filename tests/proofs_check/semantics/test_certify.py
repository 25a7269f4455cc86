"""Formal statements that a computation decides, and their mutants."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp

from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.proofs_check.evidence import (
    FORMAL,
    MUTANTS,
    Evidence,
    Finding,
    entries,
    evidence,
)
from ropeproof.proofs_check.evidence.certify import attacked, certified, decided
from ropeproof.proofs_check.evidence.rope import expressive
from ropeproof.proofs_check.kernel.outcome import holds
from ropeproof.proofs_check.kernel.terms import Malformed
from ropeproof.proofs_check.run.items import Item, items_of, run_item
from ropeproof.proofs_check.run.library import Library, load
from ropeproof.theory import CLAIMS
from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language.claim import Claim, Mutant, Source
from ropeproof.theory.language.logic import Both, Every, If, eq, every, integer, le, lt, real
from ropeproof.theory.topics.rope.expressive.expressive_cost import PRICES, price

OURS = ["rope.expressive-cost", "index.staircase", "planes.frozen"]
n, k = integer("n k")
x = real("x")
WAVE = 1 - sp.cos(n)


@pytest.mark.parametrize("id", OURS)
def test_a_certified_claim_is_a_formal_statement_and_its_computation_kills_the_mutants(id):
    items = items_of(load(), id)
    assert Item(id, "property", "drawn instances") not in items
    certificate = run_item(Item(id, "certified", FORMAL), "quick")
    assert certificate.record.outcome == "holds"
    assert certificate.record.domain
    attack = run_item(Item(id, "attack", "mutants"), "quick")
    assert attack.record.outcome == "holds"
    assert attack.kills.tried == attack.kills.killed == len(CLAIMS[id].mutants) >= 6


def test_no_claim_of_the_catalogue_is_a_theorem_without_a_conclusion():
    assert not [c.id for c in CLAIMS.values() if c.kind == "theorem" and c.conclusion is None]
    with pytest.raises(InvalidClaim, match=r"own\.x: a theorem without a formal conclusion"):
        Claim("own.x", "a title", "words", Source("test"))
    with pytest.raises(InvalidClaim, match="a derivation without a formal conclusion"):
        replace(CLAIMS["rope.relative"], kind="conjecture", conclusion=None)


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        (lt(sp.sqrt(2), sp.Rational(141422, 100000)), True),
        (lt(sp.sqrt(2), sp.Rational(141421, 100000)), False),
        (every(n, 1, 5, lt(sp.Rational(1, 100), WAVE)), True),
        (every(n, 1, 6, lt(sp.Rational(1, 10), WAVE)), False),
        (every(n, 1, 3, every(k, n, 4, le(sp.cos(n * 0 + 0) * n, k))), True),
        (every(n, 1, 3, every(k, n, 4, lt(n, k))), False),
        (Both(le(0, 1), lt(sp.pi, 4)), True),
        (Both(lt(sp.sqrt(2) ** 2, 2 + sp.sqrt(3) - sp.sqrt(3)), lt(4, sp.pi)), False),
        (lt(sp.sin(1) ** 2 + sp.cos(1) ** 2, 1), None),  # equal: no ball tells
        (Both(lt(sp.sin(1) ** 2 + sp.cos(1) ** 2, 1), le(0, 1)), None),
    ],
)
def test_closed_formulas_are_decided_in_balls(formula, verdict):
    assert decided(formula) is verdict


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        (every(n, 1, 0, lt(1, 0)), None),
        (every(n, 5, 1, le(sp.cos(n), -5)), None),
        (Both(le(0, 1), every(n, 5, 1, le(sp.cos(n), -5))), None),
        (Both(le(1, 0), every(n, 5, 1, le(sp.cos(n), -5))), False),
        (every(n, 0, 3, every(k, 5, 1, le(sp.cos(n * k), -5))), None),
        (every(n, 0, 3, Both(le(0, n), every(k, 5, 1, le(sp.cos(n * k), -5)))), None),
        (every(n, 0, 3, every(k, 1, n, lt(0, k))), True),  # empty for n = 0 alone
        (every(n, 0, 3, every(k, 1, n, lt(2, k))), False),
    ],
)
def test_a_range_without_any_integer_decides_nothing(formula, verdict):
    assert decided(formula) is verdict


@pytest.mark.parametrize(
    "formula",
    [
        le(0, x),
        Every((x,), le(0, x**2)),
        Every((n,), If(le(1, n), le(0, n))),
        every(x, 0, 1, le(0, x)),
        every(n, 1, 10**6, le(0, n)),
        eq(1, 1),
    ],
)
def test_any_other_formula_is_refused(formula):
    with pytest.raises(Malformed):
        decided(formula)


def statement(goal, *mutants):
    return Claim(
        "own.c",
        "a title",
        "words",
        Source("test"),
        needs=frozenset("C"),
        conclusion=goal,
        mutants=tuple(Mutant(str(number), m) for number, m in enumerate(mutants)),
    )


def test_a_decision_that_cannot_say_no_is_seen():
    claim = statement(le(0, WAVE.subs(n, 6)), lt(WAVE.subs(n, 6), 0))
    assert certified(claim, decided, "here").outcome.verdict == "holds"
    finding = attacked(claim, decided, "here")
    assert (finding.outcome.verdict, finding.kills.killed) == ("holds", 1)
    for blind in (lambda _: True, lambda _: None):
        finding = attacked(claim, blind, "here")
        assert (finding.outcome.verdict, finding.kills.killed) == ("fails", 0)
        assert "surviving mutants: 0" in finding.outcome.detail
    assert certified(claim, lambda _: None, "here").outcome.verdict == "unknown"
    assert certified(claim, lambda _: False, "here").outcome.verdict == "fails"
    assert attacked(statement(le(0, 1)), decided, "here").outcome.verdict == "fails"


def test_a_true_mutant_survives():
    claim = statement(lt(sp.sqrt(2), sp.Rational(3, 2)), lt(sp.sqrt(2), sp.Rational(29, 20)))
    assert attacked(claim, decided, "here").outcome.verdict == "fails"


@pytest.mark.parametrize(("kind", "name"), [("certified", FORMAL), ("attack", MUTANTS)])
def test_the_names_of_a_decision_are_for_decisions(kind, name):
    """Under them nothing else would look at the formula: neither drawn instances nor its mutants."""
    with pytest.raises(InvalidClaim, match="allowed: another name; `decision` registers that one"):
        evidence("own.hand", kind, name)(lambda how: Finding(holds(), "all", 1))
    assert "own.hand" not in entries()


@pytest.mark.parametrize("kind", ["proof", "second solver", "Certified", ""])
def test_evidence_is_of_a_kind_that_there_is(kind):
    with pytest.raises(InvalidClaim, match="allowed: certified, property, construction, attack"):
        evidence("own.hand", kind, "mine")(lambda how: Finding(holds(), "all", 1))
    assert "own.hand" not in entries()


def test_a_decision_takes_nothing_from_a_claim_that_has_a_derivation():
    """Its proof, its instances and the attack on its mutants stay what they are."""
    free = Evidence("rope.relative", "certified", FORMAL, lambda how: Finding(holds()))
    library = Library(CLAIMS, {"rope.relative": (free,)})
    plain = items_of(Library(CLAIMS, {}), "rope.relative")
    assert items_of(library, "rope.relative") == [
        *plain,
        Item("rope.relative", "certified", FORMAL),
    ]


def test_prices_are_read_off_the_formula(monkeypatch):
    low, high = PRICES[8]
    for numbers, verdict in (
        ((low, high), True),
        ((low - 1, high + 1), True),
        ((high, high), False),
        ((low, low), False),
        ((1, 2), False),
    ):
        assert expressive.priced(Both(price(8, *numbers))) is verdict
    assert expressive.priced(Both(price(10, low, high))) is None
    expressive._found.cache_clear()
    wrong = Enclosure(lower=1.0, upper=2.0)
    monkeypatch.setattr(expressive, "amplitude_needed", lambda *_: wrong)
    assert expressive.priced(Both(price(8, low, high))) is False
    expressive._found.cache_clear()
