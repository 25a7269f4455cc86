"""Claims exported to Coq: what is written, and, where Coq is installed, what it says."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sympy as sp
from kernel.attack_corpus import ENTRIES, FalseStatement
from typer.testing import CliRunner

from ropeproof.proofs_check.cli import app
from ropeproof.proofs_check.coq import printing
from ropeproof.proofs_check.coq.check import Rechecked, _Words, export_claims, recheck
from ropeproof.proofs_check.coq.export import exported
from ropeproof.proofs_check.coq.kept import KeptVerdicts
from ropeproof.proofs_check.coq.printing import Names, as_integer, as_real, legal, proposition
from ropeproof.proofs_check.coq.process import Coq
from ropeproof.proofs_check.coq.unknowns import NotExported
from ropeproof.proofs_check.docs.claim_page import _in_coq
from ropeproof.proofs_check.kernel.read import read
from ropeproof.theory import CLAIMS
from ropeproof.theory.claim import Claim, Hypothesis, Mutant, Source
from ropeproof.theory.derivation import Derivation, Step, ball, identity, instance, smt
from ropeproof.theory.logic import (
    Both,
    Every,
    If,
    Some,
    eq,
    every,
    integer,
    integer_function,
    kept,
    le,
    lt,
    ne,
    real,
    real_function,
)
from ropeproof.theory.proof import Proof, prove

needs_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed")
SOURCE = Source("own", "here", "own")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all tests here, so that the library is compiled once."""
    return tmp_path_factory.mktemp("coq")


def asked(claims: Sequence[Claim], others: Mapping[str, Claim], folder: Path) -> list[Rechecked]:
    """What Coq says, also if it has said so to the same words before."""
    return recheck(claims, others.__getitem__, folder, fresh=False)


def claim(conclusion: object, rule: object, *hypotheses: tuple[str, object]) -> Claim:
    steps = (Step("1", conclusion, rule, "It is so.", tuple(n for n, _ in hypotheses)),)
    stated = tuple(Hypothesis(n, f, "It is assumed.") for n, f in hypotheses)
    return Claim(
        id="own.one",
        title="One",
        statement="One.",
        source=SOURCE,
        hypotheses=stated,
        conclusion=conclusion,
        derivation=Derivation(steps),
    )


def test_integers_are_printed_in_z_under_one_cast() -> None:
    n, l = integer("n l")
    f = real_function("f")
    names = Names({"n": "n", "l": "l", "f": "f"})
    assert as_real(read(f(n + 1)), names) == "(f (IZR (1%Z + n)%Z))"
    assert as_integer(read(n * 2), names) == "(2%Z * n)%Z"
    total = as_real(read(sp.Sum(f(l), (l, 0, n - 1))), names)
    assert total == "(zsum 0%Z ((-1)%Z + n)%Z (fun l' : Z => (f (IZR l'))))"


def test_names_of_coq_are_not_taken() -> None:
    assert [legal(n) for n in ("exp", "R", "x_1", "H1", "forall", "theta")] == [
        "exp_",
        "R_",
        "x_1",
        "H1_",
        "forall_",
        "theta",
    ]


def test_a_bound_name_does_not_capture_a_free_one() -> None:
    j = integer("j")
    f = real_function("f")
    formula = read(Every((j,), le(f(j), 1)))
    assert "j'" in proposition(formula, Names({"f": "f", "j": "j"}))


def test_every_proved_claim_is_written(tmp_path: Path) -> None:
    wanted = [CLAIMS["rope.relative"], CLAIMS["softmax.partition"], CLAIMS["exp.monotone"]]
    done, missing = export_claims(wanted, CLAIMS.__getitem__, tmp_path)
    assert [e.id for e in done] == [c.id for c in wanted]
    assert not missing
    assert "Theorem theorem" in (tmp_path / "RopeRelative.v").read_text()
    assert "rises_right" in (tmp_path / "ExpMonotone.v").read_text()
    assert "softmax.v" not in (tmp_path / "_CoqProject").read_text()


def test_the_statement_has_every_hypothesis() -> None:
    written = exported(CLAIMS["slash.dominance"], CLAIMS.__getitem__).statement
    assert written.count("->") >= len(CLAIMS["slash.dominance"].hypotheses)


@needs_coq
def test_coq_accepts_what_holds_and_says_what_it_rests_on(folder: Path) -> None:
    out = folder / "report.json"
    arguments = ["export", "rope.relative", "--coq", str(folder), "--check", "--json", str(out)]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0
    assert "re-checked by Coq: 1 of 1 claims, 4 of 4 steps" in result.output
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


@pytest.mark.parametrize(
    "entry", [e for e in ENTRIES if e.id.startswith("collapse")], ids=lambda e: e.id
)
def test_what_became_empty_is_not_exported(entry: FalseStatement) -> None:
    with pytest.raises(NotExported):
        exported(entry.claim, {c.id: c for c in entry.others}.__getitem__)


def test_a_power_that_coq_counts_in_ones_is_not_exported() -> None:
    (x,) = real("x:1")
    with pytest.raises(NotExported, match="counts in ones"):
        exported(claim(le(0, x**5000), smt()), CLAIMS.__getitem__)


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


F = real_function("f")


def _by_cases(entries: Any, of: Any = F) -> tuple[Any, Any]:
    """The list of f before n and of 0 from n on."""
    n, l = integer("n l")
    first = If(lt(l, n), eq(entries(l), of(l)))
    return first, If(le(n, l), eq(entries(l), 0))


def _listed(p: Proof) -> None:
    n, l = integer("n l")
    value = sp.Lambda(l, sp.Piecewise((real_function("f")(l), l < n), (0, True)))
    together = p.show(Both(*_by_cases(value)), "Case by case.", by=smt()).for_all(l)
    one_by_one = [p.show(f, "In a case.", by=smt()).for_all(l) for f in _by_cases(value)]
    made = together if p.goal.args[1].func == Every else one_by_one
    p.witness(p.goal, {real_function("h"): value}, made, why="So there is the list.")


def _listed_integers(p: Proof) -> None:
    n, l = integer("n l")
    of = integer_function("f")
    value = sp.Lambda(l, sp.Piecewise((of(l), l < n), (0, True)))
    parts = [p.show(f, "In a case.", by=smt()) for f in _by_cases(value, of)]
    made = p.show(Both(*(part.formula for part in parts)), "Both.", *parts).for_all(l)
    p.witness(p.goal, {integer_function("h"): value}, made, why="So there is the list.")


def _twice(count: Any) -> Any:
    """A factor of all sums: for all functions g, as the goal was called in a tactic once."""
    l, g = integer("l"), real_function("g")
    left, right = (sp.Sum(c * g(l), (l, 0, count - 1)) for c in (2, 1))
    return Every((g(l),), eq(left, 2 * right))


def _for_all_functions(p: Proof) -> None:
    n, l = integer("n l")
    start = p.show(_twice(sp.S.Zero).args[1], "No terms.", by=identity()).for_all(
        real_function("g")(l)
    )
    more = p.under(le(0, n)).supposing(_twice(n))
    next_ = more.show(_twice(n + 1).args[1], "It is a factor.", by=identity())
    following = next_.for_all(real_function("g")(l))
    number = p.under(le(0, n)).induction(_twice(n), n, 0, start, following)
    p.use(number, {n: n}, Hypothesis("N", le(0, n)), why="So.", goal=p.goal)


@needs_coq
@pytest.mark.parametrize(
    "case", ["a list", "a list case by case", "a list of integers", "for all functions"]
)
def test_coq_follows_functions_that_are_bound(case: str, folder: Path) -> None:
    n, l = integer("n l")
    h, whole = real_function("h"), integer_function("h")
    together = Every((l,), Both(*_by_cases(h)))
    one_by_one = Both(*(Every((l,), f) for f in _by_cases(h)))
    stated, proof, given = {
        "a list": (Some((h(l),), together), _listed, ()),
        "a list case by case": (Some((h(l),), one_by_one), _listed, ()),
        "a list of integers": (
            Some((whole(l),), Every((l,), Both(*_by_cases(whole, integer_function("f"))))),
            _listed_integers,
            (),
        ),
        "for all functions": (_twice(n), _for_all_functions, (Hypothesis("N", le(0, n)),)),
    }[case]
    one = Claim("own.one", "One", "One.", SOURCE, hypotheses=given, conclusion=stated)
    (found,) = asked([prove(one, proof)], CLAIMS, folder)
    assert found.verdict == "re-checked", found.refused


@needs_coq
@pytest.mark.parametrize("entry", FALSE, ids=lambda e: e.id)
def test_coq_does_not_accept_what_is_false(entry: FalseStatement, folder: Path) -> None:
    others = {c.id: c for c in entry.others}
    found = asked([entry.claim], others, folder)
    assert all(r.verdict != "re-checked" for r in found if r.id == entry.claim.id)


def _in_another_order() -> Claim:
    """An instance whose square of a sum has hundreds of parts, were it multiplied out."""
    n, k, l = integer("n k l")
    x = real("x")
    f, g = real_function("f"), real_function("g")

    def parts(last: Any) -> list[Any]:
        return [sp.Sum((f(l + a) + g(a * l)) * g(l), (l, 0, last)) for a in range(6)]

    bound = le(0, kept(sp.Pow, sp.Add(*parts(n)), 2) * sp.exp(x))
    squared = kept(sp.Pow, sp.Add(*reversed(parts(k)), evaluate=False), 2)
    goal = le(0, sp.Mul(sp.exp(x), squared, evaluate=False))
    return claim(goal, instance({n: k}), ("ALL", Every((n,), bound)))


@needs_coq
@pytest.mark.parametrize(
    "case",
    [
        "a shifted sum",
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
        "a sum of many parts in another order",
    ],
)
def test_coq_accepts_small_claims(case: str, folder: Path) -> None:
    n, l = integer("n l")
    x, y = real("x y")
    f = real_function("f")
    shifted = eq(sp.Sum(f(l), (l, 1, n)), sp.Sum(f(l + 1), (l, 0, n - 1)))
    cases = {
        "a shifted sum": claim(shifted, identity()),
        "sums": claim(
            eq(
                sp.Sum((2 * f(l) - x) * sp.cos(f(l)), (l, 0, n)),
                2 * sp.Sum(f(l) * sp.cos(f(l)), (l, 0, n)) - sp.Sum(x * sp.cos(f(l)), (l, 0, n)),
            ),
            identity(),
        ),
        "squares": claim(le(2 * x * y, x**2 + y**2), smt()),
        "integers": claim(le(1, n), smt(), ("MORE", lt(0, n))),
        "an inverse": claim(lt(0, x / (1 + x)), smt(), ("POSITIVE", lt(0, x))),
        "branches": claim(le(0, sp.Piecewise((y - x, x <= y), (x - y, True))), smt()),
        "a quotient of exponents": claim(
            eq(sp.exp((1 - x) * y / x), sp.exp(y / x) * sp.exp(-y)), smt(), ("POSITIVE", lt(0, x))
        ),
        "the sign of an inverse": claim(lt(0, x), smt(), ("POSITIVE", lt(0, 1 / x))),
        "a 1 within a logarithm": claim(
            eq(kept(sp.exp, x - sp.log(1 - y)), sp.exp(x) / (1 - y)),
            smt(),
            ("LESS", lt(0, 1 - y)),
            ("LOG", eq(kept(sp.exp, sp.log(1 - y)), 1 - y)),
        ),
        "an inverse of a product": claim(lt(0, 1 / (x * sp.exp(y))), smt(), ("POSITIVE", lt(0, x))),
        "exponents that are numbers": claim(
            lt(sp.exp(-1), sp.exp(1)), smt(), ("MORE", lt(1, sp.E))
        ),
        "either of two equations": claim(
            eq(f(0), 1),
            smt(),
            ("IF", If(eq(x, y), eq(f(0), 1))),
            ("ELSE", If(ne(x, y), eq(f(0), 1))),
        ),
        "roots in a product": claim(
            le((n * sp.sqrt(x**2 + y**2)) ** 2 * f(0), n**2 * f(0) * x**2 + n**2 * f(0) * y**2),
            smt(),
        ),
        "a function of a number inside a sign": claim(le(sp.Max(0, sp.sign(f(1) - x)), 1), smt()),
        "a sum of many parts in another order": _in_another_order(),
        "four positive factors": claim(
            lt(0, sp.exp(sp.Sum(f(l) + l, (l, 0, n)) + sp.Sum(x * f(l), (l, 0, n)) + y)), smt()
        ),
    }
    (found,) = asked([cases[case]], CLAIMS, folder)
    assert found.verdict == "re-checked", found.refused


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


def test_the_command_asks_for_a_folder() -> None:
    assert CliRunner().invoke(app, ["export", "rope.relative"]).exit_code != 0


def test_the_command_fails_where_coq_does_not_accept_all(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    partly = Rechecked("rope.relative", 4, 3, (("4", "No applicable tactic."),), ("step_4",), True)
    said = {"of": [partly]}
    monkeypatch.setattr(
        "ropeproof.proofs_check.coq.check.recheck", lambda *_, **__: tuple(said["of"])
    )
    arguments = ["export", "rope.relative", "--coq", str(tmp_path), "--check"]
    assert CliRunner().invoke(app, arguments).exit_code == 1
    said["of"] = [replace(partly, accepted=4, refused=(), axioms=())]
    assert CliRunner().invoke(app, arguments).exit_code == 0


def test_a_range_is_part_of_what_is_said() -> None:
    j, n = integer("j n")
    f = real_function("f")
    text = proposition(read(every(j, 0, n, le(0, f(j)))), Names({"n": "n", "f": "f"}))
    assert text.startswith("(forall j : Z, (((0 <= (IZR j))")


def test_kept_verdicts_are_of_what_has_not_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    x = real("x")
    below = replace(claim(le(0, x**2), smt()), id="own.below")
    above = replace(claim(le(0, x**4), smt()), id="own.above", uses=("own.below",))

    monkeypatch.setattr("ropeproof.proofs_check.coq.kept._version", lambda: "Coq")
    first = KeptVerdicts(tmp_path)
    for c in (below, above):
        assert first.find(c, tmp_path) is None
        first.add(c, {"id": c.id}, keep=True)
    again = KeptVerdicts(tmp_path)
    assert again.find(below, tmp_path) == {"id": "own.below"}
    assert again.find(above, tmp_path) == {"id": "own.above"}
    assert again.find(below, tmp_path / "missing") is None
    changed = replace(below, hypotheses=(Hypothesis("MORE", le(0, x)),))
    other = KeptVerdicts(tmp_path)
    assert other.find(changed, tmp_path) is None
    assert other.find(above, tmp_path) is None
    again.add(below, {"id": "own.below"}, keep=True)
    assert again.find(above, tmp_path) is None  # what it stands on was compiled anew
    assert KeptVerdicts(tmp_path, fresh=True).find(below, tmp_path) is None


def with_library(folder: Path, into: Path) -> None:
    """Copy the compiled library."""
    into.mkdir()
    for path in folder.glob("*"):
        if path.stem in ("Base", "Axioms"):
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
        assert (entry["coq"]["verdict"], entry["coq"]["accepted"]) == ("re-checked", 4)
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
        patch.setattr("ropeproof.proofs_check.coq.check.Coq", Silent)
        assert asked([one], CLAIMS, folder) == [first]
        with pytest.raises(AssertionError):  # another claim has a file of its own
            asked([other], CLAIMS, folder)
        with pytest.raises(AssertionError):
            recheck([one], CLAIMS.__getitem__, folder)  # fresh
    key = (folder / "OwnOne.key").read_text(encoding="utf-8")
    (folder / "OwnOne.key").write_text(key[::-1], encoding="utf-8")
    (folder / "kept.json").unlink(missing_ok=True)
    with monkeypatch.context() as patch:
        patch.setattr("ropeproof.proofs_check.coq.check.Coq", Silent)
        with pytest.raises(AssertionError):  # what is compiled is of another text
            asked([one], CLAIMS, folder)


def test_a_lemma_that_uses_another_step_is_another_question(tmp_path: Path) -> None:
    x = real("x")
    steps = (
        Step("1", le(0, x**2), smt(), "It is so."),
        Step("2", le(0, x**2 + 1), smt(), "So is this.", ("1",)),
    )
    one = replace(claim(le(0, x**2 + 1), smt()), derivation=Derivation(steps))
    weaker = replace(
        one, derivation=Derivation((Step("1", le(-1, x**2), smt(), "It is so."), steps[1]))
    )
    coq = Coq(tmp_path)
    names = [_Words(exported(c, CLAIMS.__getitem__), coq).names for c in (one, weaker)]
    assert names[0]["step_2"] != names[1]["step_2"]


def test_a_verdict_is_read_as_it_was_written() -> None:
    r = Rechecked("a", 3, 2, (("1", "no"),), ("step_1",), compiled=True, mutants=2)
    assert Rechecked.of_json(r.as_json()) == r
    assert str(r) == "partly: step 1"
    assert str(replace(r, reason="why")) == "not exported: why"


def test_a_page_shows_what_coq_says_and_what_it_read() -> None:
    said = Rechecked("a", 2, 2, (), (), compiled=True, source="Lemma a : True.\n")
    page = "\n".join(_in_coq(said, "a"))
    assert "<summary>Coq: re-checked</summary>" in page
    assert "````coq\nLemma a : True.\n````" in page
    partly = replace(said, accepted=1, refused=(("1", "no `nra`"),), source="")
    page = "\n".join(_in_coq(partly, "a"))
    assert "Coq: partly: step 1" in page
    assert "1 of 2 steps accepted" in page
