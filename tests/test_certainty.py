"""Refutations and proofs rest on hypotheses that certainly hold, never on samples of a `for all`."""

from __future__ import annotations

import dataclasses

import pytest
import sympy as sp

from ropeproof.proofs_check import runner
from ropeproof.proofs_check.attack import attack_hypotheses, attack_mutants
from ropeproof.proofs_check.certain import certain, example_of, surely
from ropeproof.proofs_check.instances import Closed, Table
from ropeproof.proofs_check.profiles import profile
from ropeproof.proofs_check.recursion import definitions
from ropeproof.proofs_check.runner import Library, check
from ropeproof.proofs_check.second_witness import confirm_steps
from ropeproof.proofs_check.statement import recheck, satisfiable, test_instances
from ropeproof.proofs_check.status import Record, compute_status
from ropeproof.proofs_check.values import Fraction, Instance
from ropeproof.theory import CLAIMS
from ropeproof.theory.claim import Claim, Hypothesis, Mutant, Reading, Source, catalogue
from ropeproof.theory.derivation import Derivation, Step, by_claim, instance, smt
from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.logic import (
    Both,
    Every,
    If,
    Negation,
    Some,
    eq,
    integer,
    integer_function,
    le,
    lt,
    ne,
    real,
    real_function,
)

x, y, z = real("x y z")
j, k, n = integer("j k n")
f, g = real_function("f"), real_function("g")
QUICK = profile("quick")
OWN = Source("test")
half = sp.Rational(1, 2)

MONOTONE = Every((x, y), If(le(x, y), le(f(x), f(y))))
CONVEX = Every((x, y), le(2 * f((x + y) / 2), f(x) + f(y)))
LIPSCHITZ = Every((x, y), le(sp.Abs(f(x) - f(y)), sp.Abs(x - y)))
ON_SQUARES = Every((n,), eq(f(n**2), 0))
BELOW_100 = Every((n,), le(n, 100))


def claim(goal, *steps, given=None, mutants=None, id="own.test", **more):
    hypotheses = tuple(Hypothesis(*item) for item in (given or {}).items())
    mutants = (Mutant("negated", Negation(goal)),) if mutants is None else mutants
    more.setdefault("needs", frozenset("PTX"))
    return Claim(
        id, "a title", "a statement", OWN, conclusion=goal, hypotheses=hypotheses,
        mutants=mutants, derivation=Derivation(steps) if steps else None, **more,
    )  # fmt: skip


def instantiated(goal, mapping, hypothesis, at=()):
    """The claim that a `for all` gives at some values, and the proof; `at` is where to attack it."""
    taken = Step("taken", goal, instance(mapping), "an instance", ("h",))
    mutant = Mutant("negated", Negation(goal), "", at)
    return claim(goal, taken, given={"h": hypothesis}, mutants=(mutant,))


def verdicts(monkeypatch, *claims):
    monkeypatch.setitem(runner.LOADED, (), Library(catalogue(claims), {}))
    return {v.claim.id: v for v in check(profile_name="quick")}


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


@pytest.mark.parametrize(
    ("hypothesis", "goal"),
    [
        (MONOTONE, lt(f(0), f(1))),
        (CONVEX, le(0, f(0))),
        (LIPSCHITZ, eq(f(0), f(1))),
        (ON_SQUARES, eq(f(3), 1)),
    ],
    ids=["monotone", "convex", "Lipschitz", "on squares"],
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


# -- examples -----------------------------------------------------------------------------


HALVES = Every((n,), eq(2 * f(n + 1), f(n)))  # not bounded below: no recursion defines it


def test_an_example_satisfies_what_drawing_cannot():
    told = claim(eq(2 * f(1), f(0)), given={"h": HALVES}, example=(Every((n,), eq(f(n), 0)),))
    assert satisfiable(told, QUICK).verdict == "holds"
    wrong = dataclasses.replace(told, example=(Every((n,), eq(f(n), 1)),))
    outcome = satisfiable(wrong, QUICK)
    assert (outcome.verdict, outcome.detail) == (
        "fails",
        "the example does not certainly satisfy: h",
    )


def test_an_example_of_the_impossible_is_refused():
    vacuous = claim(lt(z, z**2 + 1), given={"h": BELOW_100}, example=(eq(z, 1),))
    assert satisfiable(vacuous, QUICK).verdict == "fails"


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        (le(x, 1), "gives no symbol"),
        (Every((n,), eq(f(n), y)), "is no closed form"),
        (Every((n,), eq(f(n), g(n))), "is no closed form"),
        (Every((n,), eq(f(n + 1), 0)), "gives no symbol"),
        (eq(f(1), 0), "gives no symbol"),
        (eq(x, sp.pi), "does not give a fraction"),
    ],
)
def test_an_example_gives_values_and_nothing_else(formula, message):
    with pytest.raises(InvalidClaim, match=message):
        example_of((formula,))


def test_an_example_may_use_its_own_numbers():
    found = example_of((eq(x, 3), Every((n,), eq(f(n), x * n))))
    assert found.values["f"](Fraction(2)) == 6


# -- recursive definitions ----------------------------------------------------------------


def every(body, *guard):
    return Every((n,), If(Both(*guard, le(n, 100 + n**2)), body) if guard else body)


@pytest.mark.parametrize(
    "formulas",
    [
        (every(eq(f(n + 1), f(n) / 2 + x), le(0, n)),),
        (every(eq(f(n + 1), f(n) + g(n)), le(0, n)), every(eq(g(n), f(n) ** 2), le(0, n))),
        (Every((n,), eq(f(n), x * n)),),
        (every(eq(f(n + 2), f(n + 1) + f(n)), le(0, n)),),
    ],
)
def test_a_recursive_definition_is_read(formulas):
    assert set(definitions(formulas)) == set(formulas)


@pytest.mark.parametrize(
    "formulas",
    [
        (every(eq(f(n + 1), f(n) / 2)),),  # for ever down
        (every(eq(f(n + 1), f(n)), le(k, n)),),  # from no known place on
        (every(eq(f(n), f(n) + 1), le(0, n)),),  # in terms of itself
        (every(eq(f(n), g(n) + 1), le(0, n)), every(eq(g(n), f(n)), le(0, n))),  # in a circle
        (every(eq(f(n), f(n + 1)), le(0, n)),),  # in terms of what comes later
        (every(eq(f(n), f(2 * n)), le(0, n)),),
        (every(eq(f(n), n), le(0, n)), every(eq(f(n + 1), 0), le(0, n))),  # twice
        (every(eq(f(n), n), le(0, n)), Every((j,), eq(f(j), 0))),
        (Every((n, k), eq(f(n), k)),),  # more than one value
        (Every((x,), eq(f(x), f(x - 1) + 1)),),  # over the reals
        (every(eq(f(n + 1), sp.Sum(f(j), (j, 0, n + 2))), le(0, n)),),
        (Every((n,), eq(integer_function("h")(n), x)),),  # not integers
    ],
)
def test_what_is_no_recursive_definition_is_not_read_as_one(formulas):
    assert len(definitions(formulas)) < len(formulas)


def test_values_that_contradict_a_definition_are_no_instance():
    doubling = every(eq(f(n + 1), 2 * f(n)), le(0, n))
    good = claim(eq(f(3), 8 * f(0)), given={"h": doubling})
    assert satisfiable(good, QUICK).verdict == "holds"
    assert test_instances(good, QUICK)[0].verdict == "holds"
    false = claim(eq(f(3), 7 * f(0)), given={"h": doubling}, mutants=())
    assert test_instances(false, QUICK)[0].verdict == "fails"
    clash = {"h": doubling, "at 1": eq(f(1), 1), "at 4": eq(f(4), 9)}
    assert satisfiable(claim(eq(x, 1), given=clash), QUICK).verdict == "unknown"


# -- digits ---------------------------------------------------------------------------------


def test_agreement_of_digits_refutes_nothing(monkeypatch):
    tiny = sp.Rational(1, 10**50)
    given = {"x": eq(x, tiny), "growth": le(sp.exp(x), 1)}
    contradictory = claim(le(x, 0), given=given, needs=frozenset("T"))
    outcome, _ = test_instances(contradictory, QUICK)
    assert outcome.verdict == "unknown"


def test_a_symbol_is_defined_once():
    at = Instance({"x": sp.N(0)})
    value = surely(eq(x, sp.cos(1)), at.having(x=Fraction(1)))
    assert value is False
    from ropeproof.proofs_check.evaluate import evaluate

    drawn = Instance({"x": evaluate(sp.cos(1) + 1, Instance({}))})
    assert certain([eq(x, sp.cos(1) + 1)], drawn)
    nearly = sp.cos(1) + 1 + sp.Rational(1, 10**55)
    assert not certain([eq(x, sp.cos(1) + 1), eq(x, nearly)], drawn)


# -- excuses ----------------------------------------------------------------------------------


def without_value(base):
    """A term that the second witness has no value for where the base is not positive."""
    return sp.gamma(base)


def test_an_excuse_counts_only_if_something_was_decided():
    undecided = claim(
        le(without_value(x), 1), given={"h": le(0, x)}, mutants=(Mutant("m", lt(x, x - 1)),)
    )
    undecided = dataclasses.replace(
        undecided, hypotheses=(Hypothesis("h", le(0, x), idle="any reason"),)
    )
    outcome = attack_hypotheses(undecided, QUICK)
    assert (outcome.verdict, "nothing was decided without it: h" in outcome.detail) == (
        "unknown",
        True,
    )


def test_an_excuse_is_tried_where_the_hypothesis_fails():
    """Above 0 all is decided, below nothing: that says nothing about what the hypothesis does."""
    goal = Either_or(le(0, x), le(without_value(x), 1))
    tried = claim(goal, given={"h": le(0, x)})
    tried = dataclasses.replace(tried, hypotheses=(Hypothesis("h", le(0, x), idle="reason"),))
    assert attack_hypotheses(tried, QUICK).verdict == "unknown"


def Either_or(*parts):  # noqa: N802  # reads as the connective
    from ropeproof.theory.logic import Either

    return Either(*parts)


def test_an_equivalent_mutant_was_decided_somewhere():
    weaker = Mutant("weaker", le(without_value(x), 1), equivalent="any reason")
    strict = Mutant("strict", lt(0, x**2))
    outcome, _ = attack_mutants(claim(le(0, x**2), mutants=(strict, weaker)), QUICK)
    assert outcome.verdict == "unknown"
    assert "decided on no instance: weaker" in outcome.detail


def test_kills_on_samples_are_counted_and_said():
    mutant = Mutant("falls", le(f(1), f(0)))
    goal = instantiated(le(f(0), f(1)), {x: 0, y: 1}, MONOTONE)
    outcome, kills = attack_mutants(dataclasses.replace(goal, mutants=(mutant,)), QUICK)
    assert (kills.tried, kills.killed) == (1, 1)
    assert "only seem to hold" in outcome.detail


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
    table = Table("f", False, None, [], lambda: Instance({}), 0)
    table.known[Fraction(0),] = Fraction(2)
    at = Instance({"f": table})
    assert surely(Every((x,), le(0, f(0) * x**2)), at) is True
    assert surely(Every((x,), le(0, f(0) * x)), at) is not True


@pytest.mark.parametrize("name", ["slash.score", "slash.dominance"])
def test_rows_of_prompts_of_different_lengths_are_all_looked_at(name):
    """How many rows there are is a function of the prompt; nothing is left to samples."""
    claim = CLAIMS[name]
    outcome, kills = attack_mutants(claim, QUICK)
    assert kills.tried == kills.killed == 3
    assert "seem" not in outcome.detail
    needed = attack_hypotheses(claim, QUICK)
    assert needed.verdict == "holds"
    assert "seem" not in needed.detail
    drawn, decided = test_instances(claim, QUICK)
    assert decided
    assert "seem" not in drawn.detail
