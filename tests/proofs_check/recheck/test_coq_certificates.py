"""Certificates: what a search found is kept under the hash of its question; Coq checks it as any script."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from coq_claims import claim
from needs import needs

from ropeproof.proofs_check.recheck.coq.answers.check import recheck
from ropeproof.proofs_check.recheck.coq.arithmetic import certificates, closing
from ropeproof.proofs_check.recheck.coq.export import claim_file, exported
from ropeproof.theory import CLAIMS
from ropeproof.theory.language.claim import Claim
from ropeproof.theory.language.derivation import smt
from ropeproof.theory.language.logic import le, real

x, y = real("x y")
SQUARES = claim(le(2 * x * y, x**2 + y**2), smt())
FALSE = claim(le(x, 0), smt(), ("SMALL", le(x, 1)))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder in place of the project's."""
    monkeypatch.setattr(certificates, "FOLDER", tmp_path)
    certificates.read_folder.cache_clear()
    closing.forget()
    yield tmp_path
    certificates.read_folder.cache_clear()
    closing.forget()


def text_of(one: Claim) -> str:
    """The claim's Coq file, with nothing remembered."""
    closing.forget()
    return claim_file(exported(one, CLAIMS.__getitem__, alone=True))


def questions(one: Claim) -> dict[str, str | None]:
    """The claim's questions by their hash, with what is answered; none is searched for twice."""
    found: dict[str, str | None] = {}

    def hear(question: str, script: str | None, seconds: float | None) -> None:
        found[certificates.hash_of(question)] = script

    token = closing.LISTENERS.set((hear,))
    text_of(one)
    closing.LISTENERS.reset(token)
    return found


def keep(folder: Path, found: dict[str, str | None]) -> None:
    (folder / "own.json").write_text(json.dumps({"own.claim": found}), encoding="utf-8")
    certificates.read_folder.cache_clear()


def test_a_certificate_stands_for_the_search(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = text_of(SQUARES)
    found = questions(SQUARES)
    assert any(found.values())
    keep(folder, found)

    def searched(*_: object) -> str:
        raise AssertionError("searched although a certificate is kept")

    monkeypatch.setattr(closing, "_found", searched)
    assert text_of(SQUARES) == before
    with certificates.without_certificates(), pytest.raises(AssertionError):
        text_of(SQUARES)


def test_a_changed_question_has_no_certificate(folder: Path) -> None:
    found = questions(SQUARES)
    keep(folder, found)
    changed = claim(le(2 * x * y, x**2 + 2 * y**2), smt())
    other = questions(changed)
    assert other
    assert not other.keys() & found.keys()


@needs(program="coqc")
@pytest.mark.parametrize("script", ["admit", "exact (False_rect _ I)", "lra"])
def test_a_false_certificate_makes_coq_accept_nothing(script: str, folder: Path) -> None:
    keep(folder, dict.fromkeys(questions(FALSE), script))
    assert script in text_of(FALSE)
    (found,) = recheck([FALSE], CLAIMS.__getitem__, folder, fresh=False)
    assert found.verdict == "partly"
    assert found.axioms == ("step_1",)


def test_the_certificates_of_the_project_are_of_its_claims() -> None:
    paths = sorted(certificates.FOLDER.glob("*.json"))
    assert paths
    for path in paths:
        for id, found in json.loads(path.read_text(encoding="utf-8")).items():
            assert id in CLAIMS
            assert id.split(".")[0] == path.stem
            assert all(len(key) == 32 for key in found)


def test_a_claim_of_the_project_is_exported_by_its_certificates() -> None:
    answered: list[float | None] = []
    closing.forget()
    token = closing.LISTENERS.set((lambda _, __, seconds: answered.append(seconds),))
    by_certificate = text_of(CLAIMS["retrieval.gap"])
    closing.LISTENERS.reset(token)
    assert None in answered  # a certificate was taken
    with certificates.without_certificates():
        assert text_of(CLAIMS["retrieval.gap"]) == by_certificate
