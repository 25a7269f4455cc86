"""A claim with terms too deep or too large is refused in one line; the others of its file are checked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ropeproof.proofs_check.authoring import try_file
from ropeproof.proofs_check.cli import app
from ropeproof.proofs_check.present import statement_of
from ropeproof.proofs_check.run import refused
from ropeproof.proofs_check.run.library import load
from ropeproof.proofs_check.run.sizes import DEEPEST
from ropeproof.theory.errors import InvalidClaim

HEAD = """
from ropeproof.theory.language import *

x, y = real("x y")
n = integer("n")
f = real_function("f")


def nest(kind, times=900, start=x):
    term = start
    for i in range(times):
        term = kind(term, i)
    return term


def absolute(term, i):
    return kept(sp.Abs, term - y)


def difference(term, i):
    return kept(sp.Add, i + 1, kept(sp.Mul, -1, term))


def both(formula, i):
    return Both(formula, le(i, x))


def either(formula, i):
    return Either(le(i, x), formula)


def implied(formula, i):
    return If(le(i, x), formula)


def negated(formula, i):
    return Negation(formula)


def for_all(formula, i):
    return Every((real(f"z{i}"),), formula)


def summed(term, i):
    return sp.Sum(term, (integer(f"i{i}"), 0, 1))


def cases(term, i):
    return sp.Piecewise((term, le(i, x)), (0, True), evaluate=False)


def in_tuples(value, i):
    return (value,)


def doubled(term, i):
    return kept(sp.Add, term, term)
"""
CLAIM = '''

@theorem({id!r}, hypotheses={hypotheses}, conclusion={conclusion},
    attack=Attack({{"reversed": {mutant}}}))
def {name}(p: Proof) -> None:
    """A square is not negative.

    $0\\\\le x^2$.
    """
    {proof}
'''
SQUARE, BELOW = "le(0, x**2)", "le(x**2, 0)"


def stated(id: str, **parts: str) -> str:
    given = {
        "hypotheses": "()",
        "conclusion": SQUARE,
        "mutant": BELOW,
        "proof": 'p.qed("So it is.")',
    }
    return CLAIM.format(id=id, name=id.upper().replace(".", "_"), **{**given, **parts})


def in_hypothesis(formula: str) -> dict[str, str]:
    return {"hypotheses": f'(Hypothesis("DEEP", {formula}),)'}


GOOD = stated("own.first"), stated("own.last")
PLACES = {
    "a conclusion": {"conclusion": "le(0, nest(f, 300))"},
    "a hypothesis": in_hypothesis("le(0, nest(absolute))"),
    "a mutant": {"mutant": "le(nest(absolute), 0)"},
    "a step": {"proof": 'p.qed("So.", p.show(le(0, nest(absolute)), "A step."))'},
    "a step that cannot be built": {
        "proof": 'p.qed("So.", p.show(le(0, nest(absolute) ** 2), "A step."))'
    },
    "an assumption": {
        "proof": 'p.under(le(0, nest(absolute))).show(le(0, x**2), "A step."); p.qed("So.")'
    },
    "a term that cannot be built": {"conclusion": "le(0, nest(absolute) ** 2)"},
}
SHAPES = {
    "absolute values": "le(0, nest(absolute))",
    "functions": "le(0, nest(lambda t, i: f(t)))",
    "exponentials": "le(0, nest(lambda t, i: kept(sp.exp, t)))",
    "differences": "le(0, nest(difference))",
    "sums": "le(0, nest(summed, 300))",
    "cases": "le(0, nest(cases, 300))",
    "and": "nest(both, 900, le(0, x**2))",
    "or": "nest(either, 900, le(0, x**2))",
    "if": "nest(implied, 900, le(0, x**2))",
    "not": "nest(negated, 900, le(0, x**2))",
    "for all": "nest(for_all, 300, le(0, x**2))",
    "a term that doubles": "le(0, nest(doubled, 60))",
    "a long number": "le(x, x + 10 ** (10 ** 6))",
    "a long denominator": "le(x, x + sp.Rational(1, 10 ** (10 ** 6)))",
}


def _file(folder: Path, *texts: str) -> str:
    path = folder / "mine.py"
    path.write_text(HEAD + "".join(texts))
    return str(path)


def _left(path: str) -> tuple[list[str], list[str], list[str]]:
    """The own claims that `check` and `try` are left with, and the lines about the others."""
    with refused.command():
        checked = [id for id in load([path]).claims if id.startswith("own.")]
        said = [str(refusal) for refusal in refused.asked_for()]
        tried = [one.claim.id for one in try_file(path).claims]
        assert {str(refusal) for refusal in refused.asked_for()} == set(said)
    return checked, tried, said


@pytest.mark.parametrize("place", PLACES)
def test_wherever_a_deep_term_stands_the_claim_alone_is_refused(tmp_path: Path, place: str) -> None:
    path = _file(tmp_path, GOOD[0], stated("own.deep", **PLACES[place]), GOOD[1])
    checked, tried, said = _left(path)
    assert checked == tried == ["own.first", "own.last"]
    (line,) = said
    assert line.startswith(f"{path}: own.deep is refused: ")
    assert "\n" not in line
    assert f"{DEEPEST} levels" in line


@pytest.mark.parametrize("shape", SHAPES)
def test_whatever_is_deep_or_large_the_claim_alone_is_refused(tmp_path: Path, shape: str) -> None:
    path = _file(tmp_path, GOOD[0], stated("own.deep", **in_hypothesis(SHAPES[shape])), GOOD[1])
    checked, tried, said = _left(path)
    assert checked == tried == ["own.first", "own.last"]
    (line,) = said
    assert line.startswith(f"{path}: own.deep is refused: the hypothesis 'DEEP': ")


def test_what_uses_a_refused_claim_is_refused_with_it(tmp_path: Path) -> None:
    lemma = 'p.lemma(OWN_DEEP, why="By it."); p.qed("So it is.")'
    built = stated("own.deep", conclusion="le(0, nest(f, 300))")
    path = _file(tmp_path, built, stated("own.on", proof=lemma), GOOD[1])
    checked, tried, said = _left(path)
    assert checked == tried == ["own.last"]
    assert {line.split(" is refused: ")[0] for line in said} == {
        f"{path}: own.deep",
        f"{path}: own.on",
    }
    # Its name is not there where the claim could not even be built.
    unbuilt = stated("own.deep", conclusion="le(0, nest(absolute) ** 2)")
    alias = "\nDEEP = OWN_DEEP\nTWO = (OWN_DEEP, DEEP)\n"
    path = _file(tmp_path, unbuilt, alias, stated("own.on", proof=lemma), GOOD[1])
    checked, tried, said = _left(path)
    assert checked == tried == ["own.last"]
    assert all(line.startswith(f"{path}: ") for line in said)
    assert len(said) == 4


def test_a_listed_claim_that_is_refused_is_missed_by_its_list_alone(tmp_path: Path) -> None:
    built = stated("own.deep", conclusion="le(0, nest(f, 300))")
    listed = "\nCLAIMS = (OWN_FIRST, OWN_DEEP)\n"
    checked, tried, said = _left(_file(tmp_path, GOOD[0], built, GOOD[1], listed))
    assert checked == tried == ["own.first"]
    assert len(said) == 1


def test_a_file_of_refused_claims_alone_is_refused(tmp_path: Path) -> None:
    path = _file(tmp_path, stated("own.deep", **PLACES["a hypothesis"]))
    for ask in (lambda: load([path]), lambda: try_file(path)):
        with pytest.raises(InvalidClaim, match=r"mine\.py: own\.deep is refused") as found:
            ask()
        assert "\n" not in str(found.value)


def test_where_no_command_runs_there_is_a_warning(tmp_path: Path) -> None:
    path = _file(tmp_path, GOOD[0], stated("own.deep", **PLACES["a hypothesis"]))
    for ask in (lambda: load([path]), lambda: try_file(path)):
        with pytest.warns(UserWarning, match="own.deep is refused"):
            ask()


def test_another_name_that_is_missing_refuses_the_file(tmp_path: Path) -> None:
    path = _file(tmp_path, GOOD[0], stated("own.wrong", conclusion="le(0, missing)"))
    with pytest.raises(ValueError, match="NameError: name 'missing' is not defined"):
        load([path])


def test_a_file_that_was_mended_is_read_anew(tmp_path: Path) -> None:
    path = _file(tmp_path, GOOD[0], stated("own.deep", **PLACES["a hypothesis"]))
    assert len(_left(path)[2]) == 1
    _file(tmp_path, GOOD[0], stated("own.deep"))
    checked, tried, said = _left(path)
    assert (checked, said) == (["own.first", "own.deep"], [])
    assert tried == checked


QUICK = ["--profile", "quick", "--jobs", "1", "--fresh"]
FALSE = stated("own.false", conclusion="lt(0, x**2)", mutant="lt(1, x**2)")
COMMANDS = {
    "list": (["list", "own.*", "--module"], "own.last"),
    "graph": (["graph", "own.*", "--module"], "own.last"),
    "statement": (["show", "own.last", "--statement", "--module"], "square"),
    "try": (["try"], "own.last"),
    "check": (["check", "own.*", *QUICK, "--module"], "own.last"),
    "export": (["export", "own.*", "--coq", "FOLDER", "--module"], "2 claims are written"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_goes_on_and_ends_with_2(tmp_path: Path, command: str) -> None:
    arguments, found = COMMANDS[command]
    path = _file(tmp_path, GOOD[0], stated("own.deep", **PLACES["a hypothesis"]), GOOD[1])
    given = [a.replace("FOLDER", str(tmp_path / "coq")) for a in arguments]
    result = CliRunner().invoke(app, [*given, path])
    assert result.exit_code == 2, result.output
    assert found in result.output
    assert "Traceback" not in result.output
    assert result.stderr.count("own.deep is refused") == 1
    whole = CliRunner().invoke(app, [*given, _file(tmp_path, *GOOD)])
    assert whole.exit_code == 0, whole.output
    assert "refused" not in whole.stderr


@pytest.mark.parametrize("command", ["check", "try"])
def test_where_another_claim_fails_the_status_is_1(tmp_path: Path, command: str) -> None:
    arguments, _ = COMMANDS[command]
    path = _file(tmp_path, GOOD[0], stated("own.deep", **PLACES["a hypothesis"]), FALSE)
    result = CliRunner().invoke(app, [*arguments, path])
    assert result.exit_code == 1, result.output
    assert "own.deep is refused" in result.stderr


def test_a_refused_claim_that_is_asked_for_is_told_of(tmp_path: Path) -> None:
    path = _file(tmp_path, GOOD[0], stated("own.deep", **PLACES["a hypothesis"]))
    result = CliRunner().invoke(app, ["check", "own.deep", *QUICK, "--module", path])
    assert result.exit_code != 0
    assert "own.deep is refused" in result.stderr
    found = CliRunner().invoke(app, ["list", "own.*", "--json", "-", "--module", path])
    assert [c["id"] for c in json.loads(found.stdout)["claims"]] == ["own.first"]
    assert found.exit_code == 2


AT_THE_LIMIT = {
    "absolute values": "le(0, nest(absolute, DEPTH // 3))",
    "and": "nest(both, DEPTH, le(0, x**2))",
    "if": "nest(implied, DEPTH, le(0, x**2))",
    "not": "nest(negated, DEPTH, le(0, x**2))",
}


def test_what_is_just_allowed_is_read(tmp_path: Path) -> None:
    """Its claims are taken as they are, and their statements are printed."""
    formulas = [f.replace("DEPTH", str(DEEPEST - 6)) for f in AT_THE_LIMIT.values()]
    ids = [f"own.allowed{number}" for number in range(len(formulas))]
    path = _file(tmp_path, *(stated(id, conclusion=f) for id, f in zip(ids, formulas, strict=True)))
    with refused.command():
        found = load([path]).claims
        assert refused.asked_for() == []
    for id in ids:
        assert statement_of(found[id]).as_json()["id"] == id
