"""No false statement of the attack corpus is accepted; its true neighbours are."""

from __future__ import annotations

from pathlib import Path

import mpmath
import pytest
import sympy as sp
from kernel.attack_corpus import ENTRIES, FalseStatement, falsified, judge

from ropeproof.proofs_check.kernel.check import check_derivation
from ropeproof.proofs_check.run.runner import check
from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language.claim import catalogue


def _where(level: str) -> list[FalseStatement]:
    return [e for e in ENTRIES if e.level == level]


def _name(entry: FalseStatement) -> str:
    return entry.id


def test_the_corpus_is_large_and_its_names_differ() -> None:
    ids = [entry.id for entry in ENTRIES]
    assert len(ids) == len(set(ids))
    assert len(ids) >= 300
    assert sum(entry.control is not None for entry in ENTRIES) >= 95
    for rule in ("swap", "induction"):
        assert sum(entry.rule == rule for entry in ENTRIES) >= 30, rule


@pytest.mark.parametrize("entry", _where("kernel"), ids=_name)
def test_the_kernel_does_not_accept(entry: FalseStatement) -> None:
    report = judge(entry)
    assert report.outcome.verdict == "unknown", entry.what_is_wrong
    assert report.outcome.detail


@pytest.mark.parametrize("entry", _where("catalogue"), ids=_name)
def test_the_catalogue_refuses(entry: FalseStatement) -> None:
    with pytest.raises(InvalidClaim):
        catalogue((*entry.others, entry.claim))


@pytest.mark.parametrize("entry", _where("runner"), ids=_name)
def test_the_runner_refuses_what_follows_from_a_contradiction(
    entry: FalseStatement, tmp_path: Path
) -> None:
    module = tmp_path / "attack.py"
    module.write_text(
        "from kernel.attack_corpus import ENTRIES\n"
        f"CLAIMS = tuple(e.claim for e in ENTRIES if e.id == {entry.id!r})\n"
    )
    assert judge(entry).outcome.verdict == "holds"  # the implication is valid
    (verdict,) = check([entry.claim.id], modules=[str(module)], profile_name="quick")
    proof = next(r for r in verdict.records if r.kind == "proof")
    assert verdict.status != "proved"
    assert "no instance satisfies the hypotheses" in proof.detail


@pytest.mark.parametrize("entry", [e for e in ENTRIES if e.control is not None], ids=_name)
def test_the_true_neighbour_is_accepted(entry: FalseStatement) -> None:
    assert entry.control is not None
    library = {other.id: other for other in entry.others}
    report = check_derivation(entry.control, library.__getitem__)
    assert report.outcome.verdict == "holds", report.outcome.detail


@pytest.mark.parametrize("entry", [e for e in ENTRIES if e.counterexample is not None], ids=_name)
def test_the_statement_is_false(entry: FalseStatement) -> None:
    assert falsified(entry)


def test_the_integral_that_sympy_gets_wrong() -> None:
    x, a = sp.symbols("x a", real=True)
    answer = sp.integrate(sp.Abs(sp.cos(x)), (x, -a, a)).subs(a, 10)
    true = mpmath.quad(lambda v: abs(mpmath.cos(v)), mpmath.linspace(-10, 10, 201))
    assert abs(float(answer.evalf()) - float(true)) > 1


def test_the_limit_that_sympy_takes_from_one_side() -> None:
    x = sp.symbols("x", real=True)
    assert sp.limit(sp.sin(x) / sp.Abs(x), x, 0) != sp.limit(sp.sin(x) / sp.Abs(x), x, 0, "-")
