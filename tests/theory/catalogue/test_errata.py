"""Printed statements that are false: what the command and the JSON say of each."""

from __future__ import annotations

import itertools
import json
import math

import pytest
from typer.testing import CliRunner

from ropeproof.cli import app
from ropeproof.numerics.bounds.retrieval import retrieval_length, retrieval_margin
from ropeproof.numerics.task import NumberVocabulary, solve_number
from ropeproof.proofs_check.run.library import load
from ropeproof.theory.errors import RopeproofError
from ropeproof.theory.papers.errata import MATTER, SLIPS

RUNNER = CliRunner()
KEYS = {
    "id",
    "paper",
    "locator",
    "slip",
    "printed",
    "reading",
    "witness",
    "charitable",
    "repaired_by",
    "rechecked",
}

OPENING = """
import sympy as sp
from ropeproof.theory.language.claim import Claim, Reading, Source
from ropeproof.theory.language.derivation import Derivation, Step, instance, smt
from ropeproof.theory.language.logic import Every, Negation, eq, integer, le, lt, real

n = integer("n")
x, y = real("x y")
SOURCE = Source("[TEST] A paper", "Theorem 1", "as printed")


def printed(id, *readings, true_when="", **more):
    return Claim(
        id=id,
        title="Printed: something",
        statement="every x is below n",
        source=SOURCE,
        kind="printed",
        needs=frozenset("X"),
        readings=readings,
        repaired_by="exp.monotone",
        true_when=true_when,
        **more,
    )


at = (eq(n, 3), eq(x, sp.pi + 1))
good = Reading("x is any number", (le(1, n),), lt(x, n), at)
other = Reading("x is a square", (le(0, x),), le(x * x, n), (eq(n, 2), eq(x, sp.Rational(3, 2))))
true = Reading("x is small", (le(1, n),), lt(x, n), (eq(n, 3), eq(x, 1)))
outside = Reading("n is negative", (lt(n, 0),), lt(x, n), (eq(n, 3), eq(x, 4)))
below = Every((x,), lt(x, 5))
proof = Derivation((
    Step("printed", below, smt(), "Suppose it were so.", (), (below,)),
    Step("at five", lt(5, 5), instance({x: 5}), "Take five.", ("printed",), (below,)),
    Step("false", Negation(below), smt(), "So it is not so.", ("at five",)),
))
"""


@pytest.fixture
def run(tmp_path, monkeypatch):
    """The command on claims that a test writes, and on nothing of the catalogue."""

    def run(claims: str, *args: str):
        path = tmp_path / f"errata_{abs(hash(claims))}.py"
        path.write_text(f"{OPENING}\nCLAIMS = ({claims},)\n")
        result = RUNNER.invoke(app, ["errata", "--module", str(path), *args])
        if isinstance(result.exception, RopeproofError):
            return 2, str(result.exception)
        return result.exit_code, result.output

    return run


def own(text: str) -> dict[str, dict]:
    return {entry["id"]: entry for entry in json.loads(text)["errata"] if "own." in entry["id"]}


def test_one_reading(run):
    code, text = run('printed("own.a", good, true_when="x is at most 2")', "--json", "-")
    entry = own(text)["own.a"]
    assert code == 0
    assert set(entry) == KEYS
    assert entry == {
        "id": "own.a",
        "paper": "[TEST] A paper",
        "locator": "Theorem 1",
        "printed": "every x is below n",
        "reading": "x is any number",
        "witness": {"n": "3", "x": "1 + pi"},
        "charitable": "x is at most 2",
        "repaired_by": "exp.monotone",
        "rechecked": True,
        "slip": False,
    }
    code, text = run('printed("own.a", good, true_when="x is at most 2")')
    assert code == 0
    lines = [" ".join(line.split()) for line in text.splitlines()]
    for line in (
        "own.a [TEST] A paper, Theorem 1",
        "Printed (in our words) every x is below n",
        "Read as x is any number",
        "Witness n = 3, x = 1 + π = 4.1415926535897932",
        "fails there: x < n",
        "re-checked now, on one instance, in exact or ball arithmetic",
        "Charitably x is at most 2",
        "not run now: `ropeproof check exp.monotone`",
    ):
        assert line in lines
    (repair,) = [line for line in lines if line.startswith("Repaired by exp.monotone")]
    assert load().claims["exp.monotone"].title in repair
    statement = load().claims["exp.monotone"].statement.split()[0]
    assert any(line.startswith(statement) for line in lines)


def test_several_readings_are_lists_of_one_length(run):
    code, text = run('printed("own.b", good, other)', "--json", "-")
    entry = own(text)["own.b"]
    assert code == 0
    assert entry["reading"] == ["x is any number", "x is a square"]
    assert entry["witness"] == [{"n": "3", "x": "1 + pi"}, {"n": "2", "x": "3/2"}]
    code, text = run('printed("own.b", good, other)')
    assert text.count("Read as") - len(catalogue_readings()) == 2
    assert "no reading is known under which it holds" in text


def catalogue_readings():
    return [r for claim in load().claims.values() for r in claim.readings]


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ('printed("own.c", true)', "true on the instance that should refute it"),
        ('printed("own.c", outside)', "was not found"),
        ('printed("own.c", good, true)', "true on the instance that should refute it"),
        (
            'printed("own.c", good, conclusion=lt(x, x + 1), derivation=proof)',
            "status open, expected refuted",
        ),
    ],
)
def test_what_is_not_rechecked_says_so_and_ends_with_1(run, claim, reason):
    code, text = run(claim, "--json", "-")
    entry = own(text)["own.c"]
    assert code == 1
    assert entry["rechecked"] is False
    if "good, true" in claim:
        assert entry["witness"] == [{"n": "3", "x": "1 + pi"}, None]
    elif "good" not in claim:
        assert entry["witness"] is None
    code, text = run(claim)
    assert code == 1
    assert "NOT RE-CHECKED" in text
    assert "NOT AS EXPECTED" in text
    assert reason in text


def test_a_statement_refuted_by_a_proof_of_its_negation(run):
    claim = 'printed("own.d", conclusion=below, derivation=proof)'
    code, text = run(claim, "--json", "-")
    entry = own(text)["own.d"]
    assert code == 0
    assert (entry["reading"], entry["witness"]) == ("every x is below n", None)
    assert entry["rechecked"] is True
    code, text = run(claim)
    assert code == 0
    assert "its negation is proved: 3 steps" in text


def test_one_bad_entry_among_good_ones_ends_with_1(run):
    code, text = run('printed("own.e", good), printed("own.f", true)', "--json", "-")
    found = own(text)
    assert code == 1
    assert [found[id]["rechecked"] for id in ("own.e", "own.f")] == [True, False]
    code, text = run('printed("own.e", good), printed("own.f", true)')
    count = len([c for c in load().claims.values() if c.kind == "printed"])
    assert f"are false: {count + 2}; re-checked now: {count + 1}." in text


def test_the_catalogues_own():
    result = RUNNER.invoke(app, ["errata", "--json", "-"])
    entries = json.loads(result.output)["errata"]
    claims = load().claims
    printed = [claims[id] for id in (*MATTER, *SLIPS)]
    assert {claim.id for claim in printed} == {c.id for c in claims.values() if c.kind == "printed"}
    assert result.exit_code == 0
    assert [entry["id"] for entry in entries] == [claim.id for claim in printed]
    assert [entry["id"] for entry in entries if entry["slip"]] == list(SLIPS)
    for entry, claim in zip(entries, printed, strict=True):
        assert set(entry) == KEYS
        assert entry["rechecked"] is True
        assert entry["paper"]
        assert entry["locator"] == claim.source.locator
        assert any(part in entry["locator"] for part in ("section", "appendix")), entry["locator"]
        assert entry["charitable"] == claim.true_when
        assert len(claim.true_when) > 40, claim.id
        assert claims[entry["repaired_by"]].kind != "printed"
        if len(claim.readings) > 1:
            assert len(entry["reading"]) == len(entry["witness"]) == len(claim.readings)
            assert all(entry["witness"])
        elif claim.readings:
            assert isinstance(entry["reading"], str)
            assert entry["witness"]
    text = RUNNER.invoke(app, ["errata"])
    assert text.exit_code == 0
    for claim in printed:
        assert claim.id in text.output
        assert claim.true_when.split()[0] in text.output
    assert text.output.count("Repaired by") == len(printed)
    assert text.output.count("a slip: nothing else") == len(SLIPS)


def test_the_withdrawn_one_is_gone():
    """The paper prints a strict inequality; the entry refuted another statement."""
    assert "retrieval.printed-proper" not in load().claims


# -- the figures that readings quote -------------------------------------------------------


def quoted(id: str) -> str:
    claim = load().claims[id]
    return " ".join([claim.statement, claim.true_when, *(r.text for r in claim.readings)])


def test_the_masses_without_a_scale():
    text = quoted("task.printed-scale")
    turn = math.tau / 8
    abbb = sum(math.exp(math.cos(k * math.pi / 4)) for k in (1, 2, 3))
    for value in (math.e, abbb, 2 * math.exp(math.cos(turn)), math.exp(1 + math.cos(0.01))):
        assert f"{value:.2f}" in text
    # Lags 4 and 3 of B1 B1 A2 A1 and the query; A1 is at lag 1.
    rival = sum(math.exp(math.cos(turn) + math.cos(0.01 * lag)) for lag in (4, 3))
    assert rival > 11 > math.exp(1 + math.cos(0.01))


def test_where_the_printed_retrieval_bound_holds_as_the_worst_case():
    """From 25 positions on, and with n - 1 for n always (8 letters, angle 0.0027)."""
    omega, angle, fails = math.tau / 8, 0.0027, []
    last = retrieval_length(letters=8, angle=angle)
    for n in range(3, last + 1):
        worst = retrieval_margin(letters=8, length=n, angle=angle)
        if worst.lower > 1 - math.cos(omega - n * angle):
            fails.append(n)
        exact = math.cos((n - 2) * angle) - math.cos(omega - (n - 1) * angle)
        assert abs(worst.lower - exact) < 1e-12
        assert worst.upper <= 1 - math.cos(omega - (n - 1) * angle) + 1e-12
    assert (fails[0], fails[-1], len(fails), last) == (3, 24, 22, 146)
    assert "n = 3, ..., 24" in quoted("retrieval.printed-bound")
    assert "from 25 to the last such length, 146" in quoted("retrieval.printed-bound")


def test_every_proper_input_is_right_in_the_printed_range():
    """Why `retrieval.printed-proper` was withdrawn: 3 letters, 1 digit, all proper inputs."""
    letters, digits = 3, 1
    pairs = [(a, b) for a in range(letters) for b in range(letters + digits)]
    right = 0
    for n in (2, 3, 4):
        angle = 0.9 * math.tau / letters / (2 * n)  # omega/2n_0 is not reached
        for tokens in itertools.product(pairs, repeat=n):
            parents = []
            for at, (left, other) in enumerate(tokens):
                wanted = other if other < letters else left
                found = {tokens[k] for k in range(at + 1) if tokens[k][0] == wanted}
                parents.append(found if other < letters else {tokens[at]})
            if any(len(found) != 1 for found in parents):
                continue
            left, other = tokens[-1]
            wanted = other if other < letters else left
            logits = [
                math.cos((tokens[k][0] - wanted) * math.tau / letters + (n - 1 - k) * angle)
                for k in range(n)
            ]
            best = max(logits)
            winners = {tokens[k] for k in range(n) if logits[k] > best - 1e-9}
            assert winners == parents[-1], tokens
            right += 1
    assert right > 1000


def test_the_answer_index_of_the_number_task():
    """The right index is that of the chain; the printed one is where true_when says."""
    for text, printed, answer in (
        ("C B A 1 4 1 3 2 1", "A", "C"),
        ("C B A 1 3 1 3 2 1", None, "B"),
    ):
        letters, integers = text.split()[:3], [int(x) for x in text.split()[3:]]
        k = len(integers)
        while 3 + k - integers[k - 1] > 3:
            k -= integers[k - 1]
        vocabulary = NumberVocabulary(letters=3, integers=4)
        assert vocabulary.decode(solve_number(vocabulary.encode(text), vocabulary)) == answer
        assert letters[3 + k - integers[k - 1] - 1] == answer
        index = len(integers) - integers[k - 1] + 1
        assert (letters[index - 1] if index <= 3 else None) == printed


def test_the_displayed_formula_of_the_retrieval_bound():
    """All letters and all positions: above the bound at every length at which the head works."""
    omega, angle, letters = math.tau / 8, 0.0027, 8
    text = quoted("retrieval.printed-bound")

    def displayed(n, target=1):
        rivals = [
            math.cos((k - 1) * omega + (n - j) * angle)
            for k in range(2, letters + 1)
            for j in range(1, n + 1)
            if k != target
        ]
        return 1 - max(rivals)  # the target stands in the last position

    for n, shown, bounded in ((17, ".26302", ".26119"), (100, ".13124", ".12990")):
        assert f"{displayed(n):.5f}"[1:] == shown
        assert f"{1 - math.cos(omega - n * angle):.5f}"[1:] == bounded
        assert shown in text
        assert bounded in text
    for n in range(2, retrieval_length(letters=letters, angle=angle) + 1):
        for target in (1, 4, letters - 1):
            assert displayed(n, target) > 1 - math.cos(omega - n * angle)


def test_an_angle_above_a_turn_over_the_length_need_not_tie():
    text = quoted("index.printed-maxima")
    gap = min(1 - math.cos(t) for t in range(1, 7))
    assert f"{gap:.4f}"[1:] in text
    assert f"{math.tau / 7:.3f}"[1:] in text
    assert f"{math.cos(6):.4f}"[1:] in text
    assert math.tau / 7 < 1
    for k in range(2, 7):  # where it is right: a whole turn in k positions
        assert math.isclose(math.cos(k * math.tau / k), 1)


def test_equal_left_letters_are_attended_equally_only_without_rotation():
    """A1 A2 is proper: a right letter would have to be asked for, and there is none."""
    logits = [math.cos((2 - j) * 0.01) for j in (1, 2)]
    assert logits[0] < logits[1]
