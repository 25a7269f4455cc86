"""Refutations and proofs rest on hypotheses that certainly hold, never on samples of a `for all`."""

from __future__ import annotations

import dataclasses

import pytest
import sympy as sp
from certainty_claims import (
    BELOW_100,
    CONVEX,
    LIPSCHITZ,
    MONOTONE,
    ON_SQUARES,
    OWN,
    QUICK,
    claim,
    f,
    half,
    instantiated,
    k,
    n,
    verdicts,
    x,
    y,
    z,
)

from ropeproof.proofs_check.attack.statement import recheck, satisfiable, test_instances
from ropeproof.proofs_check.run.second_witness import confirm_steps
from ropeproof.proofs_check.run.status import Record, compute_status
from ropeproof.proofs_check.semantics.certain import surely
from ropeproof.proofs_check.semantics.instances import Closed, FunctionTable
from ropeproof.proofs_check.semantics.profiles import PROFILES
from ropeproof.proofs_check.semantics.values import Fraction, Instance
from ropeproof.theory.language.claim import Claim, Hypothesis, Mutant, Reading
from ropeproof.theory.language.derivation import Derivation, Step, by_claim, instance, smt
from ropeproof.theory.language.logic import Every, If, Negation, Some, eq, le, lt, ne
from ropeproof.theory.topics.catalogue import CLAIMS

SAMPLED = {
    "monotone": instantiated(
        le(f(0), f(1)), {x: 0, y: 1}, Every((x, y), If(lt(x, y), le(f(x), f(y))))
    ),
    "convex": instantiated(le(2 * f(half), f(0) + f(1)), {x: 0, y: 1}, CONVEX),
    "Lipschitz": instantiated(
        le(sp.Abs(f(7) - f(8)), 1), {x: 7, y: 8}, LIPSCHITZ, (Every((x,), eq(f(x), 0)),)
    ),
    "on squares": instantiated(eq(f(49), 0), {n: 7}, ON_SQUARES),
}


def test_where_nothing_is_decided_the_statement_is_drawn_where_a_mutant_aims():
    goal = Some((k,), le(n, k * y))  # only some multiples are tried, of a small y in vain
    aimed = Mutant("none", Negation(goal), "", (eq(y, 1000),))
    far = claim(goal, given={"h": le(1000, n)}, mutants=(aimed,))
    outcome, drawn = test_instances(far, QUICK)
    assert (outcome.verdict, drawn) == ("holds", QUICK.cases)
    blind = claim(goal, given={"h": le(1000, n)})
    assert test_instances(blind, QUICK)[0].verdict == "unknown"


def test_what_is_false_by_samples_alone_is_no_evidence_against():
    goal = If(Every((x,), le(x**2, y)), le(y, 5))  # true: no number bounds all squares
    outcome, _ = test_instances(claim(goal), QUICK)
    assert outcome.verdict == "holds"
    assert "against" in outcome.detail
    false = claim(If(le(0, y), le(y, 5)))
    assert test_instances(false, QUICK)[0].verdict == "fails"


@pytest.mark.parametrize("name", SAMPLED)
def test_what_follows_from_a_for_all_over_reals_is_proved(name, monkeypatch):
    verdict = verdicts(monkeypatch, SAMPLED[name])["own.test"]
    assert verdict.status != "refuted"
    assert not any(record.outcome == "fails" for record in verdict.records), verdict.records
    if name in ("convex", "on squares"):
        assert verdict.status == "proved"


@pytest.mark.parametrize("name", SAMPLED)
def test_and_the_second_witness_does_not_accuse_the_kernel(name):
    deep = dataclasses.replace(QUICK, witness_points=60)
    assert confirm_steps(SAMPLED[name], deep).verdict == "holds"


def test_a_case_within_a_case_is_looked_for_where_the_outer_one_was_met():
    found = confirm_steps(CLAIMS["planes.digit"], PROFILES["default"])
    assert found.detail.startswith("17 of 17 steps seen")


@pytest.mark.parametrize(
    ("hypothesis", "goal"),
    [
        (MONOTONE, lt(f(0), f(1))),
        (CONVEX, le(0, f(0))),
        (LIPSCHITZ, eq(f(0), f(1))),
        (ON_SQUARES, eq(f(3), 1)),
    ],
    ids=["exp_log", "convex", "Lipschitz", "on squares"],
)
def test_a_false_statement_is_refuted_by_a_closed_form(hypothesis, goal, monkeypatch):
    verdict = verdicts(monkeypatch, claim(goal, given={"h": hypothesis}))["own.test"]
    assert verdict.status == "refuted"
    assert any(name.startswith("f(") for name in verdict.witness)


def test_a_reading_needs_an_instance_that_certainly_satisfies_it():
    reading = Reading("f is monotone", (MONOTONE,), le(f(0), f(1)), (eq(f(0), 1), eq(f(1), 0)))
    printed = Claim(
        "own.printed", "t", "s", OWN, kind="printed", repaired_by="own.test", readings=(reading,)
    )
    assert recheck(printed, reading).verdict == "unknown"


@pytest.mark.parametrize("hypothesis", [BELOW_100, Every((x,), le(x, 20)), Every((x,), ne(x, y))])
def test_what_only_seems_satisfiable_proves_nothing(hypothesis, monkeypatch):
    vacuous = claim(eq(z, z + 1), Step("so", eq(z, z + 1), instance({n: 101}), "", ("h",)))
    vacuous = dataclasses.replace(vacuous, hypotheses=(Hypothesis("h", hypothesis),))
    assert satisfiable(vacuous, QUICK).verdict == "unknown"
    assert "no instance" in satisfiable(vacuous, QUICK).detail
    assert test_instances(vacuous, QUICK)[0].verdict != "fails"
    verdict = verdicts(monkeypatch, vacuous)["own.test"]
    assert verdict.status not in ("proved", "refuted")
    assert verdict.shortfalls


def test_a_vacuous_claim_is_no_test_either(monkeypatch):
    vacuous = claim(lt(z, z**2 + 1), given={"h": BELOW_100}, needs=frozenset("T"))
    verdict = verdicts(monkeypatch, vacuous)["own.test"]
    assert (verdict.status, bool(verdict.shortfalls)) == ("open", True)


def contradiction():
    hypotheses = {"below": lt(x, 0), "above": lt(0, x)}
    false = Step("false", Negation(eq(y, y**2)), smt(), "anything", ("below", "above"))
    return claim(
        eq(y, y**2), false, given=hypotheses, id="own.printed", kind="printed",
        repaired_by="own.test", mutants=(), needs=frozenset("X"),
    )  # fmt: skip


SQUARE = claim(le(0, x**2), Step("only", le(0, x**2), smt(), "a square"))


def test_a_refutation_from_a_contradiction_refutes_nothing(monkeypatch):
    found = verdicts(monkeypatch, SQUARE, contradiction())["own.printed"]
    assert found.status == "open"
    assert "no instance satisfies the hypotheses" in found.records[0].detail
    seeming = dataclasses.replace(contradiction(), hypotheses=(Hypothesis("h", BELOW_100),))
    proof = Step("false", Negation(eq(y, y**2)), instance({n: 101}), "anything", ("h",))
    seeming = dataclasses.replace(seeming, derivation=Derivation((proof,)))
    assert verdicts(monkeypatch, SQUARE, seeming)["own.printed"].status == "open"


@pytest.mark.parametrize("kind", ["conjecture", "theorem"])
def test_a_refutation_that_rests_on_what_is_not_proved_is_open(kind, monkeypatch):
    guess = claim(le(0, x**2), id="own.guess", kind=kind, needs=frozenset())
    printed = lt(x**2, 0)
    steps = (
        Step("guess", guess.conclusion, by_claim("own.guess"), ""),
        Step("false", Negation(printed), smt(), "", ("guess",)),
    )
    refuted = claim(
        printed, *steps, id="own.printed", kind="printed", repaired_by="own.test",
        uses=("own.guess",), mutants=(), needs=frozenset("X"),
    )  # fmt: skip
    records = [Record("attack", "refutation", "holds")]
    assert compute_status(refuted, records, {"own.guess": "proved"}) == "refuted"
    for status in ("conjecture", "tested", "certified", "open", "refuted"):
        assert compute_status(refuted, records, {"own.guess": status}) == "open"
    found = verdicts(monkeypatch, SQUARE, guess, refuted)["own.printed"]
    assert (found.status, found.records[0].outcome) == ("open", "holds")  # the negation follows


def test_a_conjecture_that_fails_on_an_instance_is_refuted(monkeypatch):
    guess = claim(lt(0, x**2), kind="conjecture", needs=frozenset())
    assert verdicts(monkeypatch, guess)["own.test"].status == "refuted"


# -- digits ---------------------------------------------------------------------------------


def test_agreement_of_digits_refutes_nothing(monkeypatch):
    tiny = sp.Rational(1, 10**50)
    given = {"x": eq(x, tiny), "growth": le(sp.exp(x), 1)}
    contradictory = claim(le(x, 0), given=given, needs=frozenset("T"))
    outcome, _ = test_instances(contradictory, QUICK)
    assert outcome.verdict == "unknown"


# -- closed forms and tables ---------------------------------------------------------------


def test_closed_forms_decide_a_for_all_over_reals():
    rising = Instance({"f": Closed((x,), 2 * x + 1)})
    assert surely(MONOTONE, rising) is True
    falling = Instance({"f": Closed((x,), -x)})
    assert surely(MONOTONE, falling) is not True
    captured = Every((x,), Some((y,), lt(x, y)))
    assert surely(captured, Instance({})) is not False
    nested = Every((x,), If(le(x, 0), Every((x,), le(x, 0))))
    assert surely(nested, Instance({})) is not True


def test_drawn_values_decide_what_rests_on_them_alone():
    table = FunctionTable("f", False, None, [], lambda: Instance({}), 0)
    table.known[Fraction(0),] = Fraction(2)
    at = Instance({"f": table})
    assert surely(Every((x,), le(0, f(0) * x**2)), at) is True
    assert surely(Every((x,), le(0, f(0) * x)), at) is not True
