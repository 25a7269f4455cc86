"""What Coq has said is kept while nothing changes, read as it was written, and shown."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from coq_claims import claim

from ropeproof.proofs_check.recheck.coq.answers.answers import Answers
from ropeproof.proofs_check.recheck.coq.answers.kept import KeptVerdicts
from ropeproof.proofs_check.recheck.coq.answers.process import Coq
from ropeproof.proofs_check.recheck.coq.answers.rechecked import Rechecked
from ropeproof.proofs_check.recheck.coq.export import exported
from ropeproof.proofs_check.site.pages.claim_page import _in_coq
from ropeproof.theory import CLAIMS
from ropeproof.theory.language.claim import Hypothesis
from ropeproof.theory.language.derivation import Derivation, Step, smt
from ropeproof.theory.language.logic import le, real


def test_kept_verdicts_are_of_what_has_not_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    x = real("x")
    below = replace(claim(le(0, x**2), smt()), id="own.below")
    above = replace(claim(le(0, x**4), smt()), id="own.above", uses=("own.below",))

    monkeypatch.setattr("ropeproof.proofs_check.recheck.coq.answers.kept._version", lambda: "Coq")
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


def test_a_lemma_that_uses_another_step_is_another_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Names are made without asking Coq, which need not be installed.
    monkeypatch.setattr(
        "ropeproof.proofs_check.recheck.coq.answers.process._version", lambda: "Coq"
    )
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
    names = [Answers(exported(c, CLAIMS.__getitem__), coq).names for c in (one, weaker)]
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


@pytest.mark.parametrize("text", ["[]", "3", "not json", '{"own.below": 5}', '{"own.below": {}}'])
def test_a_file_of_another_form_is_as_good_as_absent(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ropeproof.proofs_check.recheck.coq.answers.kept._version", lambda: "Coq")
    (tmp_path / "kept.json").write_text(text)
    (tmp_path / "answers.jsonl").write_text(f"{text}\n[1, 2]\n[3]\n")
    assert KeptVerdicts(tmp_path).entries == {}
    assert all(isinstance(said, str) for said in Coq(tmp_path).answers.values())


def test_a_verdict_belongs_to_the_file_that_was_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ropeproof.proofs_check.recheck.coq.answers.kept._version", lambda: "Coq")
    below = replace(claim(le(0, real("x") ** 2), smt()), id="own.below")
    compiled = tmp_path / "Below.vo"
    compiled.write_bytes(b"as it was")
    first = KeptVerdicts(tmp_path)
    assert first.find(below, compiled) is None
    first.add(below, {"id": below.id}, keep=True, compiled=compiled)
    assert KeptVerdicts(tmp_path).find(below, compiled) == {"id": below.id}
    compiled.write_bytes(b"of another text")
    assert KeptVerdicts(tmp_path).find(below, compiled) is None
