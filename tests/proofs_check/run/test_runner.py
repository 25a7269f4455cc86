"""Status is computed, only ever downwards; attacks and vacuous hypotheses."""

from __future__ import annotations

import dataclasses
import gc
from concurrent.futures import Future

import pytest
import sympy as sp

from ropeproof.proofs_check.attack.mutants import attack_hypotheses, attack_mutants
from ropeproof.proofs_check.attack.statement import recheck
from ropeproof.proofs_check.kernel.outcome import fails, holds, unknown, unsupported
from ropeproof.proofs_check.run import runner
from ropeproof.proofs_check.run.items import Item
from ropeproof.proofs_check.run.library import LOADED, Library
from ropeproof.proofs_check.run.runner import check
from ropeproof.proofs_check.run.status import Record, compute_status, expected_status, shortfalls
from ropeproof.proofs_check.semantics.profiles import profile
from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language.claim import Claim, Hypothesis, Mutant, Reading, Source, catalogue
from ropeproof.theory.language.derivation import Derivation, Step, by_claim, identity, instance, smt
from ropeproof.theory.language.logic import (
    Both,
    Every,
    If,
    Negation,
    eq,
    every,
    integer,
    le,
    lt,
    real,
)
from ropeproof.tools.console.terminal import workers

x, y = real("x y")
j, k = integer("j k")
QUICK = profile("quick")
OWN = Source("test")


def claim(goal, *steps, id="own.test", hyps=(), mutants=None, **kwargs):
    steps = steps or (Step("only", goal, smt(), "by z3", tuple(h.name for h in hyps)),)
    if mutants is None:
        mutants = (Mutant("negated", Negation(goal)),)
    return Claim(
        id, "a title", "a statement", OWN, conclusion=goal, hypotheses=hyps, mutants=mutants,
        derivation=Derivation(steps), needs=kwargs.pop("needs", frozenset("PTX")), **kwargs,
    )  # fmt: skip


def verdicts(monkeypatch, *claims):
    library = Library(catalogue(claims), {})
    monkeypatch.setitem(LOADED, (), library)
    return {v.claim.id: v for v in check(profile_name="quick")}


SQUARE = claim(le(0, x**2))


@pytest.mark.parametrize("outcome", [holds(), fails("x"), unknown("x"), unsupported("x")])
def test_an_outcome_has_no_truth_value(outcome):
    with pytest.raises(TypeError, match="no truth value"):
        bool(outcome)


def test_a_proof_is_proved(monkeypatch):
    verdict = verdicts(monkeypatch, SQUARE)["own.test"]
    assert verdict.status == "proved"
    assert verdict.shortfalls == ()
    assert (verdict.kills.tried, verdict.kills.killed) == (1, 1)


def test_nothing_raises_a_conjecture(monkeypatch):
    guess = dataclasses.replace(SQUARE, kind="conjecture")
    assert verdicts(monkeypatch, guess)["own.test"].status == "conjecture"
    assert expected_status(guess) == "conjecture"


@pytest.mark.parametrize("outcome", ["unknown", "unsupported", "fails"])
@pytest.mark.parametrize("kind", ["proof", "certified", "property", "construction"])
def test_only_holds_raises_a_status(kind, outcome):
    assert compute_status(SQUARE, [Record(kind, "n", outcome)], {}) == "open"
    both = [Record(kind, "n", "holds"), Record(kind, "m", outcome)]
    assert compute_status(SQUARE, both, {}) == "open"


def test_strength_order():
    records = [Record(k, "n", "holds") for k in ("property", "certified", "proof")]
    found = [compute_status(SQUARE, records[: n + 1], {}) for n in range(3)]
    assert found == ["tested", "certified", "proved"]


def test_a_claim_is_not_proved_if_what_it_uses_is_not(monkeypatch):
    base = claim(lt(0, sp.exp(x)), Step("gap", lt(0, sp.exp(x)), smt(), ""), id="own.base")
    broken = claim(
        le(1, sp.exp(x)), Step("gap", le(1, sp.exp(x)), smt(), ""), id="own.broken", mutants=()
    )
    for other, status in ((base, "proved"), (broken, "tested")):
        goal = other.conclusion
        step = Step("use", goal, by_claim(other.id), "")
        top = claim(goal, step, id="own.top", uses=(other.id,), needs=frozenset("P"))
        found = verdicts(monkeypatch, other, top)["own.top"]
        assert found.status == ("proved" if status == "proved" else found.status)
        assert (found.status == "proved") == (status == "proved")


SQUARED = (Step("square", le(0, y**2), by_claim("own.test", {x: y}), "a square"),)
ON_TOP = (*SQUARED, Step("sum", le(0, y**2 + 1), smt(), "and one more", ("square",)))


def ran(monkeypatch, chosen, *claims):
    """The items that a check of some claims runs, and what it says of each."""
    monkeypatch.setitem(LOADED, (), Library(catalogue(claims), {}))
    names: list[str] = []
    found = check(chosen, profile_name="quick", progress=lambda r, *_: names.append(str(r.item)))
    return names, {v.claim.id: v for v in found}


def test_of_a_used_claim_only_what_decides_whether_it_is_proved_is_run(monkeypatch):
    top = claim(le(0, y**2 + 1), *ON_TOP, id="own.top", uses=("own.test",))
    names, found = ran(monkeypatch, ["own.top"], SQUARE, top)
    assert [n for n in names if n.startswith("own.test")] == [
        "own.test::proof[derivation]",
        "own.test::property[drawn instances]",
    ]
    assert (found["own.top"].status, found["own.top"].shortfalls) == ("proved", ())
    every, whole = ran(monkeypatch, [], SQUARE, top)
    assert set(names) < set(every)
    assert whole["own.top"].status == "proved"


@pytest.mark.parametrize(
    ("used", "status"),
    [
        (claim(le(0, x**2), Step("only", le(0, x**2), identity(), "no")), "tested"),  # not accepted
        (claim(le(x, x**2), Step("only", le(x, x**2), smt(), "no")), "refuted"),
    ],
)
def test_where_that_does_not_prove_it_all_of_it_is_run(monkeypatch, used, status):
    top = claim(le(0, y**2 + 1), *ON_TOP, id="own.top", uses=("own.test",))
    names, found = ran(monkeypatch, ["own.top"], used, top)
    every, whole = ran(monkeypatch, [], used, top)
    assert sorted(names) == sorted(every)
    assert whole["own.test"].status == status
    assert found["own.top"].shortfalls == whole["own.top"].shortfalls
    assert f"rests on own.test, which is {status}" in found["own.top"].shortfalls


def test_contradictory_hypotheses_prove_nothing(monkeypatch):
    hyps = (Hypothesis("below", lt(x, 0), idle="-"), Hypothesis("above", lt(0, x), idle="-"))
    vacuous = claim(eq(x, 17), hyps=hyps)
    verdict = verdicts(monkeypatch, vacuous)["own.test"]
    assert verdict.status != "proved"
    assert any("no instance satisfies the hypotheses" in r for r in verdict.shortfalls)


def test_a_false_claim_is_refuted_with_a_witness(monkeypatch):
    verdict = verdicts(monkeypatch, claim(lt(0, x**2)))["own.test"]
    assert verdict.status == "refuted"
    assert verdict.witness == {"x": "0"}


def test_a_conclusion_that_evaluated_itself_away_is_refused():
    with pytest.raises(InvalidClaim, match="the conclusion: True says nothing"):
        catalogue([claim(sp.Eq(sp.cos(-x), sp.cos(x)))])


def test_a_surviving_mutant_fails_and_an_explained_one_does_not():
    survivor = claim(le(0, x**2), mutants=(Mutant("weaker", le(-1, x**2)),))
    outcome, kills = attack_mutants(survivor, QUICK)
    assert outcome.verdict == "fails"
    assert kills.killed == 0
    weaker = Mutant("weaker", le(-1, x**2), equivalent="weaker")
    explained = claim(le(0, x**2), mutants=(Mutant("strict", lt(0, x**2)), weaker))
    assert attack_mutants(explained, QUICK)[0].verdict == "holds"
    alone = attack_mutants(claim(le(0, x**2), mutants=(weaker,)), QUICK)[0]
    assert (alone.verdict, "never seen to fail" in alone.detail) == ("fails", True)
    assert attack_mutants(claim(le(0, x**2), mutants=()), QUICK)[0].verdict == "fails"
    lying = claim(le(0, x**2), mutants=(Mutant("false", lt(x**2, 0), equivalent="not so"),))
    assert attack_mutants(lying, QUICK)[0].verdict == "fails"


def test_an_idle_hypothesis_must_say_why():
    useless = claim(le(0, x**2), hyps=(Hypothesis("useless", le(0, x)),))
    assert attack_hypotheses(useless, QUICK).verdict == "fails"
    said = claim(le(0, x**2), hyps=(Hypothesis("useless", le(0, x), idle="squares"),))
    assert attack_hypotheses(said, QUICK).verdict == "holds"
    hidden = claim(le(0, x), hyps=(Hypothesis("h", le(0, x), unshown="why"),))
    assert "needed, not shown: h" in attack_hypotheses(hidden, QUICK).detail
    with pytest.raises(InvalidClaim, match="either idle or needed"):
        claim(le(0, x), hyps=(Hypothesis("h", le(0, x), idle="a", unshown="b"),))
    needed = claim(le(0, x), hyps=(Hypothesis("h", le(0, x)),))
    assert attack_hypotheses(needed, QUICK).verdict == "holds"


FALSELY_IDLE = claim(le(0, 2 * x), hyps=(Hypothesis("no debt", le(0, x), idle="never used"),))


def test_a_hypothesis_falsely_called_idle_fails_the_run_and_is_named(monkeypatch):
    outcome = attack_hypotheses(FALSELY_IDLE, QUICK)
    assert (outcome.verdict, outcome.detail) == ("fails", "called idle, yet needed: no debt")
    assert sp.Rational(outcome.witness["x"]) < 0
    verdict = verdicts(monkeypatch, FALSELY_IDLE)["own.test"]
    assert any("called idle, yet needed: no debt" in reason for reason in verdict.shortfalls)


def test_a_truly_idle_hypothesis_passes():
    implied = Hypothesis("sign", le(0, x), idle="it follows from the other")
    positive = claim(lt(0, x), hyps=(implied, Hypothesis("one", le(1, x))))
    outcome = attack_hypotheses(positive, QUICK)
    assert (outcome.verdict, outcome.detail) == (
        "holds",
        "needed: one | explained as idle: sign (375 decided)",
    )


@pytest.mark.parametrize("number", [real("b"), integer("b")], ids=["real", "integer"])
def test_what_only_seems_to_satisfy_a_for_all_refutes_no_reason(number):
    """No x is at least every number, but some x is at least every number that is tried."""
    sign = Hypothesis("sign", le(0, y), idle="nothing is above all")
    above_all = Hypothesis("above", Every((number,), le(number, x)), idle="y is not negative")
    outcome = attack_hypotheses(claim(le(0, y), hyps=(sign, above_all)), QUICK)
    assert outcome.verdict == "unknown"
    assert outcome.detail == "called idle, but nothing was decided without it: sign"


def test_a_for_all_with_a_finite_range_is_believed():
    sign = Hypothesis("sign", le(0, y), idle="not so")
    above = Hypothesis("above", every(j, 0, 3, le(j, x)), idle="y is not negative")
    outcome = attack_hypotheses(claim(le(0, y), hyps=(sign, above)), QUICK)
    assert outcome.detail == "called idle, yet needed: sign"


@pytest.mark.parametrize(
    "cases",
    [(lt(sp.Rational(1, 2), j), le(j, 3)), (le(0, k), le(k, 1), le(2 - k, j), le(j, 3))],
    ids=["an end that is no integer", "an end that falls with another variable"],
)
def test_no_case_of_a_for_all_is_forgotten(cases):
    """All but j = 1 are allowed, so that the hypothesis holds nowhere."""
    sign = Hypothesis("sign", le(0, y), idle="the other hypothesis holds nowhere")
    nowhere = Every((k, j), If(Both(le(0, k), le(k, 1), *cases), le(2, j)))
    hyps = (sign, Hypothesis("nowhere", nowhere, idle="y is not negative"))
    outcome = attack_hypotheses(claim(le(0, y), hyps=hyps), QUICK)
    assert (outcome.verdict, "without it: sign" in outcome.detail) == ("unknown", True)


def test_a_for_all_that_says_nothing_is_believed():
    number = real("b")
    sign = Hypothesis("sign", le(0, y), idle="not so")
    empty = Every((j, number), If(Both(le(1, j), le(j, 0)), le(number, x)))
    nothing = Hypothesis("nothing", empty, idle="it says nothing")
    outcome = attack_hypotheses(claim(le(0, y), hyps=(sign, nothing)), QUICK)
    assert outcome.detail == "called idle, yet needed: sign"


def test_a_missing_letter_is_reported():
    wanting = dataclasses.replace(SQUARE, needs=frozenset("PW"))
    reasons = shortfalls(wanting, [Record("proof", "derivation", "holds")], "proved", {})
    assert reasons == ["needs construction evidence: none was registered"]


def test_a_proof_that_is_refused_is_reported_where_no_letter_asks_for_it(monkeypatch):
    wrong = Step("wrong", le(1, x**2), smt(), "It is not so.")
    plain = dataclasses.replace(SQUARE, needs=frozenset())
    last = plain.derivation.steps[-1]
    refused = dataclasses.replace(plain, derivation=Derivation((wrong, last)))
    assert verdicts(monkeypatch, plain)[plain.id].shortfalls == ()
    proof, status = verdicts(monkeypatch, refused)[plain.id].shortfalls
    assert proof.startswith("needs proof evidence: step wrong: ")
    assert status.endswith(", expected proved")


def test_what_a_claim_rests_on_in_vain_is_reported():
    plain = dataclasses.replace(SQUARE, needs=frozenset())
    used = {"own.first": "proved", "own.second": "tested"}
    reasons = shortfalls(plain, [Record("proof", "derivation", "holds")], "open", used)
    assert reasons == ["rests on own.second, which is tested", "status open, expected proved"]


def test_what_fails_is_reported_once():
    letter = dataclasses.replace(SQUARE, needs=frozenset("P"))
    broken = Record("proof", "derivation", "fails", detail="broke off")
    reasons = shortfalls(letter, [broken], "open", {})
    assert reasons == ["proof derivation: broke off", "status open, expected proved"]


def reading(value):
    """Squares are at most twice the number, read at one value."""
    return Reading("at a number", (le(1, x),), le(x**2, 2 * x), (eq(x, value),))


PRINTED = Claim(
    "own.printed", "t", "s", OWN, kind="printed", repaired_by="own.test", readings=(reading(3),)
)


def test_a_printed_claim_is_refuted_by_its_readings(monkeypatch):
    found = verdicts(monkeypatch, SQUARE, PRINTED)["own.printed"]
    assert (found.status, found.shortfalls) == ("refuted", ())
    assert found.witness == {"x": "3"}
    true = dataclasses.replace(PRINTED, readings=(reading(3), reading(2)))
    found = verdicts(monkeypatch, SQUARE, true)["own.printed"]
    assert found.status == "open"
    assert "true on the instance that should refute it" in found.shortfalls[0]


def test_a_witness_outside_the_hypotheses_refutes_nothing():
    assert recheck(PRINTED, reading(3)).verdict == "holds"
    assert recheck(PRINTED, reading(-3)).verdict == "unknown"


def test_a_printed_claim_is_refuted_by_a_proof_of_its_negation(monkeypatch):
    printed = Every((x,), le(x**2, 2 * x))
    steps = (
        Step("printed", printed, smt(), "Suppose so.", (), (printed,)),
        Step("at 3", le(9, 6), instance({x: 3}), "Take 3.", ("printed",), (printed,)),
        Step("false", Negation(printed), smt(), "It is not so.", ("at 3",)),
    )
    refuted = dataclasses.replace(
        PRINTED, readings=(), conclusion=printed, derivation=Derivation(steps)
    )
    assert verdicts(monkeypatch, SQUARE, refuted)["own.printed"].status == "refuted"
    other = dataclasses.replace(refuted, derivation=Derivation(steps[:2]))
    assert verdicts(monkeypatch, SQUARE, other)["own.printed"].status == "open"


def test_a_printed_claim_is_expected_to_be_refuted():
    with pytest.raises(InvalidClaim, match="repairs it"):
        Claim("own.printed", "t", "s", OWN, kind="printed")
    with pytest.raises(InvalidClaim, match="on which instance"):
        Claim("own.printed", "t", "s", OWN, kind="printed", repaired_by="own.test")
    with pytest.raises(InvalidClaim, match="only a printed claim"):
        claim(le(0, x**2), readings=(reading(3),))
    printed = PRINTED
    assert compute_status(printed, [Record("attack", "witness", "holds")], {}) == "refuted"
    assert compute_status(printed, [Record("attack", "witness", "unknown")], {}) == "open"
    assert shortfalls(printed, [], "open", {}) == ["status open, expected refuted"]


@pytest.mark.parametrize(
    ("claims", "message"),
    [
        ((SQUARE, SQUARE), "duplicate claim id"),
        ((dataclasses.replace(SQUARE, uses=("own.no",)),), "unknown claim 'own.no'"),
        ((dataclasses.replace(SQUARE, uses=("own.test",)),), "in a cycle"),
        (
            (
                dataclasses.replace(SQUARE, id="own.a", uses=("own.b",)),
                dataclasses.replace(SQUARE, id="own.b", uses=("own.a",)),
            ),
            "in a cycle: own.a -> own.b -> own.a",
        ),
        ((claim(le(0, x), Step("u", le(0, x), by_claim("own.no"), "")),), "not listed in `uses`"),
    ],
)
def test_the_catalogue_refuses(claims, message):
    with pytest.raises(InvalidClaim, match=message):
        catalogue(claims)


def test_the_catalogue_is_immutable():
    entries = catalogue([SQUARE])
    with pytest.raises(TypeError):
        entries["x"] = SQUARE  # type: ignore[index]
    with pytest.raises(dataclasses.FrozenInstanceError):
        SQUARE.id = "other"  # type: ignore[misc]


def test_implication_is_kept_as_written():
    assert str(If(le(0, x), eq(y, y))) == "(0 <= x) => (Eq(y, y))"


def test_what_takes_long_comes_first_and_nothing_is_left_out():
    class Listed:
        def __init__(self):
            self.items = []

        def submit(self, work, item, *_):
            self.items.append(item)
            done = Future()
            done.set_result(item)
            return done

    kinds = [("attack", "mutants"), ("attack", "reading 1"), ("property", "drawn"), ("proof", "p")]
    kinds += [("certified", "c"), ("attack", "hypotheses"), ("construction", "head")]
    items = [Item(id, *kind) for id in ("a", "b") for kind in kinds]
    pool = Listed()
    assert set(runner._run_all(items, "quick", (), pool)) == set(items)
    assert [item.name for item in pool.items[::2]] == [
        *("head", "hypotheses", "drawn", "p", "c", "reading 1", "mutants")
    ]


def test_the_processes_of_a_check_look_for_garbage_seldom():
    with workers(2, 20, forked=True) as pool:
        assert pool.submit(gc.get_threshold).result() == (50_000, 20, 100)
