"""What Coq says of exported claims, where it is installed: of true ones and of false ones."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import sympy as sp
from coq_claims import bound_function, choices, claim, of_integers, small_claims
from kernel.attack_corpus import ENTRIES, FalseStatement
from needs import needs
from typer.testing import CliRunner

from ropeproof.cli import app
from ropeproof.proofs_check.recheck.coq import printing
from ropeproof.proofs_check.recheck.coq.answers.check import recheck
from ropeproof.proofs_check.recheck.coq.answers.process import Coq
from ropeproof.proofs_check.recheck.coq.answers.rechecked import Rechecked
from ropeproof.proofs_check.recheck.coq.export import admitted_module, module_of, statement_of
from ropeproof.theory import CLAIMS
from ropeproof.theory.language.claim import Claim, Mutant
from ropeproof.theory.language.derivation import ball, by_claim, identity, smt
from ropeproof.theory.language.logic import eq, le, lt, real

needs_coq = needs(program="coqc")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all tests here, so that the library is compiled once."""
    return tmp_path_factory.mktemp("coq")


def asked(claims: Sequence[Claim], others: Mapping[str, Claim], folder: Path) -> list[Rechecked]:
    """What Coq says, also if it has said so to the same words before."""
    return recheck(claims, others.__getitem__, folder, fresh=False)


@needs_coq
def test_coq_accepts_what_holds_and_says_what_it_rests_on(folder: Path) -> None:
    out = folder / "report.json"
    arguments = ["export", "rope.relative", "--coq", str(folder), "--check", "--json", str(out)]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0
    assert "re-checked by Coq: 1 of 1 claims, 1 of 1 steps" in result.output
    (found,) = json.loads(out.read_text())["claims"]
    assert (found["verdict"], found["refused"], found["axioms"]) == ("re-checked", [], [])


@needs_coq
def test_coq_refuses_what_does_not_hold(folder: Path) -> None:
    x = real("x")
    false = [
        claim(eq(sp.cos(x) ** 2 - sp.sin(x) ** 2, 1), identity()),
        claim(le(x, 0), smt(), ("SMALL", le(x, 1))),
    ]
    for one in false:
        (found,) = asked([one], CLAIMS, folder)
        assert found.verdict == "partly"
        assert found.refused
        assert found.axioms == ("step_1",)


@needs_coq
def test_a_mutant_and_another_axiom_are_told(folder: Path) -> None:
    x = real("x")
    square = claim(le(0, x**2), smt())
    worse = Mutant("strict", lt(0, x**2))
    (found,) = asked([replace(square, mutants=(worse,))], CLAIMS, folder)
    assert (found.verdict, found.mutants, found.refused) == ("re-checked", 1, ())
    twice = replace(square, mutants=(Mutant("the same", square.conclusion), worse))
    (found,) = asked([twice], CLAIMS, folder)
    assert (found.verdict, found.mutants) == ("partly", 2)
    assert found.refused == (("the mutant the same", "has the same proof"),)


@needs_coq
def test_a_statement_that_says_something_else_is_not_re_checked(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    x = real("x")
    monkeypatch.setitem(printing._RELATIONS, "lt", "<=")  # a printer that errs
    (found,) = asked([claim(lt(0, 1 + x**2), smt())], CLAIMS, folder)
    assert found.verdict == "partly"
    assert ("the statement", "another conclusion") in found.refused


FALSE = [e for e in ENTRIES if e.id.startswith("structure.rests-on")] + list(ENTRIES[3::80])
FOLLOWED = (
    "sums.indicator",  # numbers of functions
    "numerals.highest",
    "head.exclusion-identity",  # turned distances
    "sums.triangle",  # a range that ends at a bound number
    "trig.exact-values",
    "rope.layout",  # cases of a statement that is no arithmetic
    "slash.crossing",  # cases of comparisons beside statements that are none
    "slash.uniform",  # x/x in exponents, exp(-log x), a summand that is an integer
    "exp.chord",
    "exp.hoeffding",  # an inverse of what is 1
)


@needs_coq
@pytest.mark.slow  # each with all the claims that it uses
@pytest.mark.parametrize("id", FOLLOWED)
def test_short_claims_are_followed(id: str, folder: Path) -> None:
    """|p - l| beside |l - p|, powers in an induction, squares of sums."""
    found = asked([CLAIMS[id]], CLAIMS, folder)
    assert all(r.verdict == "re-checked" for r in found), found


@needs_coq
def test_a_branch_is_not_taken_for_the_other(folder: Path) -> None:
    x, y = real("x y")
    wrong = claim(le(0, sp.Piecewise((y - x, x < y), (y - x - 1, True))), smt())
    strict = claim(lt(0, sp.Piecewise((y - x, x <= y), (x - y, True))), smt())
    found = asked([wrong], CLAIMS, folder) + asked([strict], CLAIMS, folder)
    assert [r.verdict for r in found] == ["partly", "partly"]


@needs_coq
@pytest.mark.parametrize(
    "case", ["a list", "a list case by case", "a list of integers", "for all functions"]
)
def test_coq_follows_functions_that_are_bound(case: str, folder: Path) -> None:
    (found,) = asked([bound_function(case)], CLAIMS, folder)
    assert found.verdict == "re-checked", found.refused


@needs_coq
@pytest.mark.parametrize("entry", FALSE, ids=lambda e: e.id)
def test_coq_does_not_accept_what_is_false(entry: FalseStatement, folder: Path) -> None:
    others = {c.id: c for c in entry.others}
    found = asked([entry.claim], others, folder)
    assert all(r.verdict != "re-checked" for r in found if r.id == entry.claim.id)


@needs_coq
@pytest.mark.parametrize(
    "case",
    [
        "a shifted sum",
        "two cosines about their middle, summed",
        "halves in sums",
        "a factor of each inner sum",
        "a factor beside a sum of products of cosines",
        "a sum of squares that vanishes",
        "a square and one at a distance from 1",
        "squares",
        "integers",
        "an inverse",
        "branches",
        "sums",
        "a quotient of exponents",
        "the sign of an inverse",
        "a 1 within a logarithm",
        "an inverse of a product",
        "exponents that are numbers",
        "either of two equations",
        "roots in a product",
        "a function of a number inside a sign",
        "four positive factors",
        "one of three",
        "a power of a power",
        "a sign at every other number",
        "a distance to itself",
        "a sum of many parts in another order",
        "a place within another",
        "the last term of a sum",
        *choices(),
        *of_integers(),
    ],
)
def test_coq_accepts_small_claims(case: str, folder: Path) -> None:
    (found,) = asked([small_claims()[case]], CLAIMS, folder)
    assert found.verdict == "re-checked", found.refused


@needs_coq
@pytest.mark.parametrize("case", [*choices(), *of_integers()])
def test_a_false_variant_is_refused(case: str, folder: Path) -> None:
    false = {**choices(wrong=True), **of_integers(wrong=True)}
    (found,) = asked([false[case]], CLAIMS, folder)
    assert (found.verdict, found.accepted) == ("partly", 0)


@needs_coq
def test_alone_a_claim_is_no_more_than_its_own_steps(folder: Path) -> None:
    x = real("x")
    false = replace(claim(lt(x, 0), smt()), id="own.false")  # what no claim should rest on
    on_it = replace(claim(lt(x + 1, 0), by_claim("own.false", {x: x + 1})), id="own.on-it")
    on_it = replace(on_it, uses=("own.false",))
    wrong = replace(
        claim(lt(x + 2, 1), by_claim("own.false", {x: x})), id="own.wrong", uses=("own.false",)
    )
    free = replace(claim(le(0, x**2), smt()), id="own.free")
    others = {c.id: c for c in (false, on_it, wrong, free)}
    found = recheck(
        [on_it, wrong, free], others.__getitem__, folder, fresh=False, jobs=1, alone=True
    )
    assert [r.verdict for r in found] == ["own steps", "partly", "re-checked"]
    assert found[0].admitted == ("own.false",)
    assert found[0].axioms == (f"{admitted_module('own.false')}.theorem",)
    assert str(found[0]) == "its own steps; admitted: own.false"
    assert Rechecked.of_json(found[0].as_json()) == found[0]
    whole = asked([on_it], others, folder)  # what was admitted is not taken for checked afterwards
    assert [r.verdict for r in whole] == ["partly", "partly"]


@needs_coq
def test_alone_an_admitted_statement_is_read_back(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    x = real("x")
    used = replace(claim(le(0, x**2), smt()), id="own.used")
    on_it = replace(
        claim(le(0, x**2), by_claim("own.used", {x: x})), id="own.reads", uses=("own.used",)
    )
    others = {c.id: c for c in (used, on_it)}
    stronger = statement_of(used).replace("(0 <=", "(1 <=")
    monkeypatch.setattr(
        "ropeproof.proofs_check.recheck.coq.export.statement_of", lambda _: stronger
    )
    (found,) = recheck([on_it], others.__getitem__, folder, fresh=False, jobs=1, alone=True)
    assert found.verdict == "partly"
    assert ("the admitted statement of own.used", "another conclusion") in found.refused


@needs_coq
def test_alone_the_command_names_what_is_admitted(folder: Path) -> None:
    out = folder / "alone.json"
    command = ["export", "head.norm-scale", "--coq", str(folder), "--check", "--json", str(out)]
    result = CliRunner().invoke(app, [*command, "--alone", "--jobs", "1"])
    assert result.exit_code == 0, result.output
    used = CLAIMS["head.norm-scale"].uses
    assert f"admitted, not checked: {', '.join(used)}" in " ".join(result.output.split())
    assert "re-checked by Coq: 0 of 1 claims" in result.output
    report = json.loads(out.read_text())
    assert (report["summary"]["re-checked"], report["summary"]["own steps"]) == (0, 1)
    assert report["claims"][0]["admitted"] == list(used)
    unchecked = ["export", "head.norm-scale", "--coq", str(folder), "--alone"]
    assert "no --check" in str(CliRunner().invoke(app, unchecked).exception)


@needs_coq
def test_a_bound_on_a_box_is_enclosed_by_integers_of_coq_alone(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    z = real("z")
    box = (("ABOVE", le(0, z)), ("BELOW", le(z, 1)))
    holds = replace(claim(lt(0, sp.cos(z / 2)), ball(), *box), id="own.ball")
    false = replace(claim(lt(sp.cos(1), sp.Rational(1, 2)), ball()), id="own.false-ball")
    with monkeypatch.context() as patch:
        compile = Coq.compile
        patch.setattr(
            Coq,
            "compile",
            lambda self, module, text, **more: (
                (None, "") if module == "Ball" else compile(self, module, text, **more)
            ),
        )
        (found,) = asked([holds], CLAIMS, folder)
        assert found.refused[0][1].startswith("Coq has no library Interval here")
        assert found.compiled
    (folder / "kept.json").unlink()
    if _has_interval(folder):
        found, wrong = asked([holds, false], CLAIMS, folder)
        assert (found.verdict, found.axioms) == ("re-checked", ())  # none of the machine's numbers
        assert wrong.refused


def _has_interval(folder: Path) -> bool:
    return "Error" not in Coq(folder).top("From Interval Require Tactic.")


def with_library(folder: Path, into: Path) -> None:
    """Copy the compiled library."""
    into.mkdir()
    for path in folder.glob("*"):
        if path.stem in ("Base", "Axioms", "Powers"):
            shutil.copy(path, into)


@needs_coq
def test_check_shows_what_coq_says(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROPEPROOF_CACHE", str(tmp_path))
    with_library(folder, tmp_path / "coq")
    command = [
        "check",
        "rope.relative",
        "--coq",
        "--profile",
        "quick",
        "--jobs",
        "1",
        "--json",
        "-",
    ]
    for _ in range(2):
        result = CliRunner().invoke(app, command)
        (entry,) = json.loads(result.output[result.output.index("{") :])["claims"]
        assert (entry["coq"]["verdict"], entry["coq"]["accepted"]) == ("re-checked", 1)
    assert (tmp_path / "coq" / "kept.json").exists()


class Silent(Coq):
    """Coq that is not there: what is not known already is an error."""

    def _run(self, command: list[str], commands: str | None) -> tuple[str, bool]:
        raise AssertionError(commands)


@needs_coq
def test_coq_is_asked_once_about_the_same_words(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    x = real("x")
    one = claim(le(0, 3 * x**2), smt())
    other = replace(one, id="own.two", title="Another")
    (first,) = asked([one], CLAIMS, folder)
    assert first.verdict == "re-checked"
    (folder / "kept.json").unlink()  # as if the code that exports had changed
    with monkeypatch.context() as patch:
        patch.setattr("ropeproof.proofs_check.recheck.coq.answers.check.Coq", Silent)
        assert asked([one], CLAIMS, folder) == [first]
        with pytest.raises(AssertionError):  # another claim has a file of its own
            asked([other], CLAIMS, folder)
        with pytest.raises(AssertionError):
            recheck([one], CLAIMS.__getitem__, folder)  # fresh
    key = (folder / f"{module_of(one.id)}.key").read_text(encoding="utf-8")
    (folder / f"{module_of(one.id)}.key").write_text(key[::-1], encoding="utf-8")
    (folder / "kept.json").unlink(missing_ok=True)
    with monkeypatch.context() as patch:
        patch.setattr("ropeproof.proofs_check.recheck.coq.answers.check.Coq", Silent)
        with pytest.raises(AssertionError):  # what is compiled is of another text
            asked([one], CLAIMS, folder)
