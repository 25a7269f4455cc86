"""Claims exported to Coq: what is written, what is not, and what the command answers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import sympy as sp
from coq_claims import claim
from kernel.attack_corpus import ENTRIES, FalseStatement
from typer.testing import CliRunner

from ropeproof.proofs_check.cli import app
from ropeproof.proofs_check.coq.export import exported
from ropeproof.proofs_check.coq.files import export_claims
from ropeproof.proofs_check.coq.printing import Names, as_integer, as_real, legal, proposition
from ropeproof.proofs_check.coq.rechecked import Rechecked
from ropeproof.proofs_check.coq.unknowns import NotExported
from ropeproof.proofs_check.kernel.read import read
from ropeproof.theory import CLAIMS
from ropeproof.theory.derivation import smt
from ropeproof.theory.logic import Every, every, integer, le, real, real_function


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
        "ropeproof.proofs_check.coq.check.recheck", lambda *_, **__: tuple(said["of"])
    )
    arguments = ["export", "rope.relative", "--coq", str(tmp_path), "--check"]
    assert CliRunner().invoke(app, arguments).exit_code == 1
    said["of"] = [replace(partly, accepted=4, refused=(), axioms=())]
    assert CliRunner().invoke(app, arguments).exit_code == 0
