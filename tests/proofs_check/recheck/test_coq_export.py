"""Claims exported to Coq: what is written, what is not, and what the command answers."""

from __future__ import annotations

import itertools
import os
import re
from dataclasses import replace
from pathlib import Path

import pytest
import sympy as sp
from coq_claims import claim
from kernel.attack_corpus import ENTRIES, FalseStatement
from typer.testing import CliRunner

from ropeproof.cli import app
from ropeproof.proofs_check.kernel.read import read
from ropeproof.proofs_check.recheck.coq.answers.answers import _axioms
from ropeproof.proofs_check.recheck.coq.answers.check import recheck
from ropeproof.proofs_check.recheck.coq.answers.rechecked import Rechecked
from ropeproof.proofs_check.recheck.coq.arithmetic.unknowns import NotExported
from ropeproof.proofs_check.recheck.coq.export import exported, module_of
from ropeproof.proofs_check.recheck.coq.files import export_claims
from ropeproof.proofs_check.recheck.coq.printing import (
    Names,
    as_integer,
    as_real,
    legal,
    proposition,
)
from ropeproof.theory import CLAIMS
from ropeproof.theory.language.derivation import Derivation, smt
from ropeproof.theory.language.logic import Every, every, integer, le, real, real_function


def test_integers_are_printed_in_z_under_one_cast() -> None:
    n, l = integer("n l")
    f = real_function("f")
    names = Names({"n": "n", "l": "l", "f": "f"})
    assert as_real(read(f(n + 1)), names) == "(f (IZR (1%Z + n)%Z))"
    assert as_integer(read(n * 2), names) == "(2%Z * n)%Z"
    total = as_real(read(sp.Sum(f(l), (l, 0, n - 1))), names)
    assert total == "(zsum 0%Z ((-1)%Z + n)%Z (fun l' : Z => (f (IZR l'))))"


def test_an_absolute_value_is_a_multiple_of_another_of_the_same_atom() -> None:
    """4 |sin x sin y| beside 2 |cos(x - y) - cos(x + y)|, term by term in a sum."""
    (first, *_) = exported(CLAIMS["slash.scaling-survival"], CLAIMS.__getitem__).steps
    assert "rewrite Rabs_mult" in (first.script or "")


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


def test_a_range_is_part_of_what_is_said() -> None:
    j, n = integer("j n")
    f = real_function("f")
    text = proposition(read(every(j, 0, n, le(0, f(j)))), Names({"n": "n", "f": "f"}))
    assert text.startswith("(forall j : Z, (((0 <= (IZR j))")


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


def test_the_command_asks_for_a_folder() -> None:
    assert CliRunner().invoke(app, ["export", "rope.relative"]).exit_code != 0


def test_the_command_fails_where_coq_does_not_accept_all(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    partly = Rechecked("rope.relative", 4, 3, (("4", "No applicable tactic."),), ("step_4",), True)
    said = {"of": [partly]}
    monkeypatch.setattr(
        "ropeproof.proofs_check.recheck.coq.answers.check.recheck",
        lambda *_, **__: tuple(said["of"]),
    )
    arguments = ["export", "rope.relative", "--coq", str(tmp_path), "--check"]
    assert CliRunner().invoke(app, arguments).exit_code == 1
    said["of"] = [replace(partly, accepted=4, refused=(), axioms=())]
    assert CliRunner().invoke(app, arguments).exit_code == 0


ADVERSARIAL = [
    *(
        "own.a-b",
        "own.a_b",
        "own.a.b",
        "own.ab",
        "own.A.b",
        "own.A-B",
        "own-a.b",
        "own..a",
        "own.-a",
    ),
    *(
        "own.a-.b",
        "own.a.-b",
        "own_",
        "own.",
        "own",
        "Own",
        "OWN",
        "own__a",
        "own.1_a",
        "own.31",
        "1",
    ),
    *(
        "axioms",
        "base",
        "ball",
        "Axioms",
        "BASE",
        "bAll",
        "reals",
        "ZArith",
        "lia",
        "forall",
        "theorem",
    ),
    *("slash-head", "slash_head", "SlashHead", "slashhead", "rope-relative", "a" * 200, "A" * 200),
    *(
        "own.\xe4",
        "own.a\u0308",
        "own.\u0430",
        "own.a\nb",
        "",
        ".",
        "-",
        "_",
        "_1",
        "claim",
        "digest",
    ),
]


def test_no_two_claims_have_one_module() -> None:
    alphabet = ".-_aA1"
    short = ("".join(w) for k in range(1, 5) for w in itertools.product(alphabet, repeat=k))
    ids = {*ADVERSARIAL, *short, *CLAIMS}
    modules = {id: module_of(id) for id in ids}
    met: dict[str, str] = {}
    for id, module in modules.items():
        other = met.setdefault(module.lower(), id)  # a file system may not tell letters apart
        assert other == id, (other, id, module)
        assert re.fullmatch(r"[A-Z][A-Za-z0-9_]{0,199}", module), (id, module)
    ours = {"base", "axioms", "ball"} | {"reals", "zarith", "lra", "lia", "psatz", "string"}
    assert not ours & set(met)
    assert modules["slash.head"] == "SlashHead"  # those of the catalogue are as they were


def test_two_claims_are_two_files(tmp_path: Path) -> None:
    ids = ("own.a-b", "own.a_b", "axioms", "base")
    claims = [replace(claim(le(0, real("x") ** 2), smt()), id=id) for id in ids]
    done, missing = export_claims(claims, {}.__getitem__, tmp_path)
    assert not missing
    assert len({e.module for e in done}) == len(ids)
    assert "Axiom Weyl" in (tmp_path / "Axioms.v").read_text()
    assert "zsum" in (tmp_path / "Base.v").read_text()


def test_what_an_author_writes_stays_a_comment(tmp_path: Path) -> None:
    because = '*) Admitted. (* "\nLemma step_9 : False.\nAdmitted.\n(*'
    one = claim(le(0, real("x") ** 2), smt())
    (step,) = one.derivation.steps
    one = replace(one, derivation=Derivation((replace(step, because=because),)))
    export_claims([one], {}.__getitem__, tmp_path)
    (text,) = [p.read_text() for p in tmp_path.glob("Claim_*.v")]
    assert text.count("(*") == text.count("*)") == 1
    assert '"' not in text
    assert [line for line in text.splitlines() if line.startswith("Lemma")] == [
        line for line in text.splitlines() if line.startswith("Lemma step_1 ")
    ]


FAKE = """#!/bin/sh
case "$1" in --version) echo "The Coq Proof Assistant, version 8.16.1"; exit 0;; esac
printf '%s' "$SAID"
exit 0
"""


@pytest.mark.parametrize(
    "said",
    ["", "theorem\n     : forall x : R, Rle (IZR 0) (pow x 2)\nClosed under the global context\n"],
)
def test_a_coqc_that_compiles_nothing_accepts_nothing(
    said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("coqc", "coqtop"):
        (tmp_path / name).write_text(FAKE)
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("SAID", said)
    (word,) = recheck(
        [claim(le(0, real("x") ** 2), smt())], {}.__getitem__, tmp_path / "out", jobs=1
    )
    assert word.verdict == "partly"
    assert not word.compiled


def test_only_a_whole_answer_says_what_a_theorem_rests_on() -> None:
    checked = "theorem\n     : True\n"
    assert _axioms(f"{checked}Closed under the global context\n") == ()
    listed = "Axioms:\nstep_3 : False\nAxioms.Weyl\n  : forall x : R,\n      x = x\n"
    assert _axioms(checked + listed) == ("step_3", "Axioms.Weyl")
    unchecked = _axioms(f"{checked}Axioms:\nf is assumed to be guarded.\n")
    assert unchecked == ("f is assumed to be guarded.",)
    for cut in ("", checked, f"{checked}Axioms:\n", "Closed under the global context\nError: no"):
        assert _axioms(cut) is None, cut
