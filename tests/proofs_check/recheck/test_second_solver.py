"""cvc5 as a second judge: it agrees, is silent, or contradicts, and everything shows which."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import pytest
import sympy as sp
from kernel.attack_corpus.entry import claim, one, s
from kernel.test_smt import DEAF, NEGATIVE_SQUARE
from typer.testing import CliRunner

from ropeproof.cli import app
from ropeproof.proofs_check.kernel.solvers import query
from ropeproof.proofs_check.recheck import second_solver
from ropeproof.proofs_check.recheck.second_solver import (
    SecondOpinion,
    asked_again,
    flat,
    questions_of,
    second_opinion,
)
from ropeproof.proofs_check.reports import report
from ropeproof.proofs_check.reports.claim_report import show_claim
from ropeproof.proofs_check.run.runner import ClaimResult, check
from ropeproof.proofs_check.site.pages.claim_page import claim_section
from ropeproof.proofs_check.site.site import Site
from ropeproof.theory import CLAIMS
from ropeproof.theory.errors import Unsupported
from ropeproof.theory.language.derivation import identity, smt
from ropeproof.theory.language.logic import eq, integer, le, lt, ne, real

RUNNER = CliRunner()
x, y = real("x y")
n = integer("n")

MODULE = """
from ropeproof.theory import Claim, Derivation, Mutant, Source, Step
from ropeproof.theory.language.derivation import smt
from ropeproof.theory.language.logic import le, real

x, y = real("x y")
goal = le({goal})
CLAIMS = (
    Claim(
        id="own.squares",
        title="Squares",
        statement="Squares.",
        source=Source("my notebook"),
        needs=frozenset("P"),
        conclusion=goal,
        derivation=Derivation((Step("squares", goal, smt(), "A square."),)),
        mutants=(Mutant("one less", le(goal.lhs + 1, goal.rhs)),),
    ),
)
"""


def module(folder: Path, goal: str = "2*x*y, x**2 + y**2") -> str:
    path = folder / "own.py"
    path.write_text(MODULE.format(goal=goal))
    return str(path)


def ours(path: str, **options: Any) -> ClaimResult:
    (verdict,) = check(
        ["own.*"], modules=[path], profile_name="quick", second_solver=True, **options
    )
    return verdict


# -- the printers -----------------------------------------------------------------------


def _number(random: Random, depth: int) -> tuple[tuple, Fraction]:
    """A term without unknowns, and its value."""
    kind = random.choice(["number", "+", "*", "-", "ite", "to real"]) if depth else "number"
    if kind == "number":
        value = Fraction(random.randint(-3, 3), random.randint(1, 3))
        return ("number", value.numerator, value.denominator), value
    if kind == "to real":
        e, whole = _whole(random, depth - 1)
        return ("to real", e), Fraction(whole)
    if kind == "-":
        e, value = _number(random, depth - 1)
        return ("-", e), -value
    if kind == "ite":
        condition, truth = _formula(random, depth - 1)
        (a, left), (b, right) = _number(random, depth - 1), _number(random, depth - 1)
        return ("ite", condition, a, b), left if truth else right
    parts = [_number(random, depth - 1) for _ in range(random.randint(2, 3))]
    values = [value for _, value in parts]
    total = sum(values) if kind == "+" else values[0] * values[1] * (values[2:] or [1])[0]
    return (kind, tuple(e for e, _ in parts)), Fraction(total)


def _whole(random: Random, depth: int) -> tuple[tuple, int]:
    if not depth:
        value = random.randint(-3, 3)
        return ("whole", value), value
    (a, left), (b, right) = _whole(random, depth - 1), _whole(random, depth - 1)
    kind = random.choice("+*")
    return (kind, (a, b)), left + right if kind == "+" else left * right


def _formula(random: Random, depth: int) -> tuple[tuple, bool]:
    kinds = ["true", "false", "relation", "relation"]
    kind = random.choice([*kinds, "and", "or", "=>", "not"] if depth else kinds[:2])
    if kind in ("true", "false"):
        return (kind,), kind == "true"
    if kind == "relation":
        sign = random.choice(["=", "!=", "<=", "<", ">=", ">"])
        draw = random.choice([_number, _whole])
        (a, left), (b, right) = draw(random, depth - 1), draw(random, depth - 1)
        verdicts = {"=": left == right, "!=": left != right, "<=": left <= right}
        verdicts |= {"<": left < right, ">=": left >= right, ">": left > right}
        return (sign, a, b), verdicts[sign]
    if kind == "not":
        e, truth = _formula(random, depth - 1)
        return ("not", e), not truth
    if kind == "=>":
        (p, left), (c, right) = _formula(random, depth - 1), _formula(random, depth - 1)
        return ("=>", p, c), not left or right
    parts = [_formula(random, depth - 1) for _ in range(random.randint(0, 3))]
    truths = [truth for _, truth in parts]
    return (kind, tuple(e for e, _ in parts)), all(truths) if kind == "and" else any(truths)


def test_both_printers_mean_what_the_language_says() -> None:
    random, seen = Random("printers"), set()
    for _ in range(120):
        e, truth = _formula(random, 4)
        assert (query.verdict((e,), 100_000) == "unsat") is not truth, e
        assert asked_again((e,)) == ("contradicted" if truth else "confirmed"), e
        seen.add(truth)
    assert seen == {True, False}


@pytest.mark.parametrize(
    ("question", "contradictory"),
    [
        (NEGATIVE_SQUARE, True),
        ((("=", ("*", (("real", 0), ("real", 0))), ("number", 4, 1)),), False),
        ((("=", ("*", (("int", 0), ("int", 0))), ("whole", 2)),), True),
        ((("<", ("number", 0, 1), ("to real", ("int", 0))), ("<", ("int", 0), ("whole", 1))), True),
        ((("bool", 0), ("not", ("bool", 0))), True),
        ((("bool", 0), ("not", ("bool", 1))), False),
    ],
    ids=["square", "root", "whole root", "gap", "proposition", "two propositions"],
)
def test_unknowns_have_their_sort(question: query.Question, contradictory: bool) -> None:
    assert (query.verdict(question, 100_000) == "unsat") is contradictory
    assert asked_again(question) == ("confirmed" if contradictory else "contradicted")


def test_a_question_outside_the_language_is_an_error() -> None:
    with pytest.raises(ValueError, match="cvc5 broke off: KeyError: 'sum'"):
        asked_again((("sum", ("real", 0)),))


def test_equal_questions_are_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    part = ("+", (("real", 7), ("number", 1, 1)))
    copy = ("+", (("real", 7), ("number", 1, 1)))
    shared, apart = (("<", part, part),), (("<", part, copy),)
    assert flat(shared) == flat(apart)
    assert flat(shared) != flat((("<", part, ("+", (("real", 7), ("number", 2, 1)))),))
    assert asked_again(shared) == "confirmed"
    monkeypatch.setattr(second_solver, "ask", None)
    assert asked_again(apart) == "confirmed"


def test_what_cvc5_does_not_end_the_clock_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_solver, "SECONDS", 0.2)
    begin = perf_counter()
    assert asked_again(DEAF) == "unknown"
    assert perf_counter() - begin < 20


# -- one derivation ---------------------------------------------------------------------


def test_every_question_is_put_to_both() -> None:
    condition = s("divided", eq(sp.Mul(x, 1 / x, evaluate=False), 1), identity(), "h")
    two = claim(
        le(2 * x, x**2 + 1),
        condition,
        s("above", le(0, (n + 1) ** 2), smt()),
        s("end", le(2 * x, x**2 + 1), smt()),
        given={"h": lt(1, x)},
    )
    outcome, opinion = second_opinion(two, {}.__getitem__)
    assert outcome.verdict == "holds"
    assert (opinion.steps, opinion.confirmed) == (2, 2)
    assert opinion.questions == opinion.questions_confirmed == 3  # the steps' and x != 0
    assert str(opinion) == outcome.detail == "2 of 2 smt steps confirmed by cvc5"


def test_silence_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_solver, "WAYS", ())
    third = claim(
        le(3 * x, x**2 + 3),
        s("divided", eq(sp.Mul(x, 1 / x, evaluate=False), 1), identity(), "h"),
        s("end", le(3 * x, x**2 + 3), smt()),
        given={"h": lt(2, x)},
    )
    outcome, opinion = second_opinion(third, {}.__getitem__)
    assert outcome.verdict == "unknown"
    assert (opinion.unknown, opinion.conditions, opinion.confirmed) == (("end",), ("divided",), 0)
    assert outcome.detail == (
        "0 of 1 smt steps confirmed by cvc5; z3 alone: end; a condition by z3 alone: divided"
    )


def _credulous(monkeypatch: pytest.MonkeyPatch) -> None:
    """A z3 that takes every question for contradictory."""
    monkeypatch.setattr(query, "ask", lambda *_: "unsat")


def test_a_z3_that_accepts_everything_is_contradicted(monkeypatch: pytest.MonkeyPatch) -> None:
    _credulous(monkeypatch)
    outcome, opinion = second_opinion(one(lt(2 * x, x**2 + 1), smt()), {}.__getitem__)
    assert outcome.verdict == "fails"
    assert outcome.detail == "cvc5 contradicts z3 at: only"
    assert (opinion.contradicted, opinion.confirmed) == (("only",), 0)
    condition = one(eq(sp.Mul(x, 1 / x, evaluate=False), 1), identity(), {"h": ne(y, 0)})
    assert second_opinion(condition, {}.__getitem__)[1].contradicted == ("only",)


# -- the whole catalogue ----------------------------------------------------------------


def test_a_run_shows_how_many_steps_both_confirm(tmp_path: Path) -> None:
    path = module(tmp_path)
    verdict = ours(path)
    assert verdict.status == "proved"
    assert verdict.second == SecondOpinion(1, 1, questions=1, questions_confirmed=1)
    record = next(r for r in verdict.records if r.kind == "second solver")
    assert (record.name, record.outcome, record.cases) == ("cvc5", "holds", 1)
    entry = report.as_json([verdict])["claims"][0]["second_solver"]
    assert (entry["steps"], entry["confirmed"], entry["unknown"]) == (1, 1, [])
    text = _text(report.table([verdict]))
    assert "smt steps: 1 of 1 confirmed by cvc5, 0 by z3 alone, 0 contradicted" in text
    assert "1 of 1 smt steps confirmed by cvc5" in _text(show_claim(verdict.claim, verdict))
    site = Site({**CLAIMS, verdict.claim.id: verdict.claim}, {verdict.claim.id: verdict})
    page = "\n".join(claim_section(site, verdict.claim))
    assert "A second solver: 1 of 1 smt steps confirmed by cvc5." in page


def test_without_the_option_nothing_is_said(tmp_path: Path) -> None:
    (verdict,) = check(["own.*"], modules=[module(tmp_path)], profile_name="quick")
    assert verdict.second is None
    assert "second_solver" not in report.as_json([verdict])["claims"][0]
    assert "cvc5" not in _text(report.table([verdict]))


def test_silence_changes_no_status(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_solver, "WAYS", ())
    verdict = ours(module(tmp_path, "4*x*y, 2*x**2 + 2*y**2"))
    assert (verdict.status, verdict.shortfalls) == ("proved", ())
    assert "z3 alone: squares" in _text(show_claim(verdict.claim, verdict))


def test_processes_and_threads_give_the_same(tmp_path: Path) -> None:
    path = module(tmp_path)
    with ThreadPoolExecutor(2) as pool:
        assert ours(path, executor=pool).second == ours(path).second


def test_a_contradiction_fails_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = module(tmp_path, "x*y, x**2 + y**2 - 1")
    options = ["check", "own.*", "--module", path, "--profile", "quick", "--jobs", "1"]
    _credulous(monkeypatch)
    result = RUNNER.invoke(app, [*options, "--second-solver", "--json", "-"])
    assert result.exit_code == 1
    (entry,) = json.loads(result.stdout)["claims"]
    assert entry["second_solver"]["contradicted"] == ["squares"]
    assert any("cvc5 contradicts z3 at: squares" in reason for reason in entry["shortfalls"])


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_solver, "find_spec", lambda name: None)
    with pytest.raises(Unsupported, match=r"pip install 'ropeproof\[second-solver\]'"):
        check(["trig.*"], profile_name="quick", second_solver=True)


def _text(shown: Any) -> str:
    from rich.console import Console

    screen = Console(width=160)
    with screen.capture() as found:
        screen.print(shown)
    return found.get()


# -- what a step rests on ------------------------------------------------------------------

SEVERAL = ("head.diagonal-order", "exp.above-tangent", "exp.midpoint")
BACKWARDS = """
from test_second_solver import SEVERAL, told
print([told(id) for id in reversed(SEVERAL)])
"""


def told(id: str) -> str:
    """A hash of the questions that each step of a claim rests on."""
    found = questions_of(CLAIMS[id], CLAIMS.__getitem__)[1]
    listed = {step: [flat(q) for q in asked] for step, asked in found.items()}
    return hashlib.sha256(repr(listed).encode()).hexdigest()


def test_the_questions_of_a_step_are_the_same_whatever_was_asked_before() -> None:
    here = [told(id) for id in SEVERAL]
    assert [told(id) for id in SEVERAL] == here
    path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    fresh = subprocess.run(
        [sys.executable, "-c", BACKWARDS],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert fresh.stdout.strip() == str(here[::-1])


def test_a_step_rests_on_questions_that_an_earlier_one_put() -> None:
    goal = eq(sp.Mul(x, 1 / x, evaluate=False), 1)
    steps = (s(label, goal, identity(), "h") for label in ("one", "two"))
    stated = claim(goal, *steps, given={"h": lt(4, x)})
    for _ in range(2):
        found = questions_of(stated, {}.__getitem__)[1]
        assert len(found["one"]) == 1
        assert found["two"] == found["one"]
