"""Printed statements that are false: what the command and the JSON say of each."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from ropeproof.proofs_check.cli import app
from ropeproof.proofs_check.runner import load
from ropeproof.theory.errors import RopeproofError

RUNNER = CliRunner()
KEYS = {
    "id",
    "paper",
    "locator",
    "printed",
    "reading",
    "witness",
    "repaired_by",
    "rechecked",
}

OPENING = """
import sympy as sp
from ropeproof.theory.claim import Claim, Reading, Source
from ropeproof.theory.derivation import Derivation, Step, instance, smt
from ropeproof.theory.logic import Every, Negation, eq, integer, le, lt, real

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
        "repaired_by": "exp.monotone",
        "rechecked": True,
    }
    code, text = run('printed("own.a", good, true_when="x is at most 2")')
    assert code == 0
    lines = [" ".join(line.split()) for line in text.splitlines()]
    for line in (
        "own.a [TEST] A paper, Theorem 1",
        "Printed every x is below n",
        "Read as x is any number",
        "Witness n = 3, x = 1 + pi = 4.1415926535897932",
        "fails there: x < n",
        "re-checked now, on one instance, in exact or ball arithmetic",
        "True when x is at most 2",
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
    printed = [claim for claim in claims.values() if claim.kind == "printed"]
    assert result.exit_code == 0
    assert [entry["id"] for entry in entries] == [claim.id for claim in printed]
    for entry, claim in zip(entries, printed, strict=True):
        assert set(entry) == KEYS
        assert entry["rechecked"] is True
        assert entry["paper"]
        assert entry["locator"]
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
        assert (claim.true_when or "no reading is known").split()[0] in text.output
    assert text.output.count("Repaired by") == len(printed)
