"""What was kept of Coq's word and has been changed since is ignored, and Coq is asked again."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from coq_claims import claim
from needs import needs

from ropeproof.proofs_check.recheck.coq.answers import kept, process
from ropeproof.proofs_check.recheck.coq.answers.check import recheck
from ropeproof.proofs_check.recheck.coq.answers.kept import KeptVerdicts
from ropeproof.proofs_check.recheck.coq.answers.process import Coq
from ropeproof.proofs_check.recheck.coq.answers.rechecked import Rechecked
from ropeproof.proofs_check.recheck.coq.export import module_of
from ropeproof.theory import CLAIMS
from ropeproof.theory.language.claim import Claim
from ropeproof.theory.language.derivation import smt
from ropeproof.theory.language.logic import le, real

needs_coq = needs(program="coqc")

x = real("x")
FIRST = replace(claim(le(0, x**2), smt()), id="own.first")
SECOND = replace(claim(le(0, x**4), smt()), id="own.second")
ON_FIRST = replace(claim(le(0, x**6), smt()), id="own.third", uses=("own.first",))
ALL = (FIRST, SECOND, ON_FIRST)
PARTLY = Rechecked("", 2, 1, (("1", "no"),), ("step_1",), compiled=True, mutants=1)

Entries = dict[str, Any]


@pytest.fixture(autouse=True)
def _version(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names are made without asking Coq, which need not be installed."""
    if request.node.get_closest_marker("skipif") is None:
        monkeypatch.setattr(kept, "_version", lambda: "8.16")
        monkeypatch.setattr(process, "_version", lambda: "8.16")


def _compiled(folder: Path, about: Claim) -> Path:
    return folder / f"{module_of(about.id)}.vo"


def _verdicts(folder: Path) -> None:
    """Keep a verdict on each claim, and nothing else, beside the files that it is about."""
    (folder / "kept.json").unlink(missing_ok=True)
    book = KeptVerdicts(folder)
    for about in ALL:
        compiled = _compiled(folder, about)
        compiled.write_bytes(about.id.encode())
        compiled.with_suffix(".v").write_text(f"(* {about.id} *)")
        assert book.find(about, compiled) is None
        book.add(about, replace(PARTLY, id=about.id).as_json(), keep=True, compiled=compiled)


def _known(folder: Path) -> list[str]:
    """The claims whose kept verdicts are used."""
    book = KeptVerdicts(folder)
    found = {c.id: book.find(c, _compiled(folder, c)) for c in ALL}
    assert all(said is None or said["verdict"] == "partly" for said in found.values())
    return [id for id, said in found.items() if said is not None]


def _edit(folder: Path, change: Callable[[Entries], object]) -> None:
    path = folder / "kept.json"
    entries = json.loads(path.read_text())
    change(entries)
    path.write_text(json.dumps(entries))


def _changed(value: Any) -> Any:
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return value[::-1] if value != value[::-1] else f"{value}0"
    return [] if value else ["Axioms.more"]


def test_what_was_written_here_is_used(tmp_path: Path) -> None:
    _verdicts(tmp_path)
    assert _known(tmp_path) == [c.id for c in ALL]


@pytest.mark.parametrize("part", ["name", "uses", "verdict", "printed", "file", "seal"])
@pytest.mark.parametrize("id", [FIRST.id, SECOND.id])
def test_an_entry_with_a_changed_part_is_ignored(tmp_path: Path, id: str, part: str) -> None:
    _verdicts(tmp_path)
    _edit(tmp_path, lambda entries: entries[id].__setitem__(part, _changed(entries[id][part])))
    assert id not in _known(tmp_path)
    _verdicts(tmp_path)
    _edit(tmp_path, lambda entries: entries[id].pop(part))
    assert id not in _known(tmp_path)
    assert SECOND.id in _known(tmp_path) or id == SECOND.id


@pytest.mark.parametrize("part", list(PARTLY.as_json()))
def test_a_verdict_with_a_changed_part_is_ignored(tmp_path: Path, part: str) -> None:
    _verdicts(tmp_path)

    def change(entries: Entries) -> None:
        verdict = entries[FIRST.id]["verdict"]
        verdict[part] = _changed(verdict[part])

    _edit(tmp_path, change)
    assert FIRST.id not in _known(tmp_path)


def test_a_verdict_made_whole_by_hand_is_ignored(tmp_path: Path) -> None:
    """The edit that makes `partly` into `re-checked`."""
    _verdicts(tmp_path)
    whole = Rechecked(FIRST.id, 2, 2, (), (), compiled=True, mutants=1)
    assert whole.verdict == "re-checked"
    _edit(tmp_path, lambda entries: entries[FIRST.id].update(verdict=whole.as_json()))
    assert FIRST.id not in _known(tmp_path)


def test_verdicts_do_not_change_places(tmp_path: Path) -> None:
    _verdicts(tmp_path)

    def exchange(entries: Entries) -> None:
        one, other = FIRST.id, SECOND.id
        entries[one], entries[other] = entries[other], entries[one]
        for id in (one, other):
            entries[id]["verdict"]["id"] = id

    _edit(tmp_path, exchange)
    assert _known(tmp_path) == [ON_FIRST.id]
    _verdicts(tmp_path)
    _edit(tmp_path, lambda entries: entries.update({FIRST.id: entries[SECOND.id]}))
    assert FIRST.id not in _known(tmp_path)


def test_a_verdict_of_another_version_of_coq_is_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "_version", lambda: "8.15")
    _verdicts(tmp_path)
    old = (tmp_path / "kept.json").read_text()
    monkeypatch.setattr(kept, "_version", lambda: "8.16")
    assert _known(tmp_path) == []
    _verdicts(tmp_path)
    new = json.loads((tmp_path / "kept.json").read_text())
    _edit(
        tmp_path,
        lambda entries: entries[FIRST.id].update(verdict=json.loads(old)[FIRST.id]["verdict"]),
    )
    assert _known(tmp_path) == [c.id for c in ALL]  # the words are the same
    (tmp_path / "kept.json").write_text(old)
    assert _known(tmp_path) == []
    _edit(tmp_path, lambda entries: entries[FIRST.id].update(name=new[FIRST.id]["name"]))
    assert _known(tmp_path) == []


def test_a_verdict_of_another_folder_is_ignored(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        folder.mkdir()
        _verdicts(folder)
    shutil.copy(there / "kept.json", here / "kept.json")
    assert _known(here) == []


@pytest.mark.parametrize("keep", [0, 1, 40, -40, -3])
def test_a_file_that_was_cut_off_is_ignored(tmp_path: Path, keep: int) -> None:
    _verdicts(tmp_path)
    path = tmp_path / "kept.json"
    path.write_bytes(path.read_bytes()[:keep])
    assert _known(tmp_path) == []


@pytest.mark.parametrize("end", ["v", "vo"])
def test_a_verdict_is_about_the_files_that_are_there(tmp_path: Path, end: str) -> None:
    for change in ("another text", None, SECOND):
        _verdicts(tmp_path)
        file = _compiled(tmp_path, FIRST).with_suffix(f".{end}")
        if change is None:
            file.unlink()
        elif isinstance(change, str):
            file.write_text(change)
        else:
            shutil.copy(_compiled(tmp_path, change).with_suffix(f".{end}"), file)
        assert FIRST.id not in _known(tmp_path)


# -- answers to single texts -----------------------------------------------------------------


def _answers(folder: Path) -> list[list[str]]:
    coq = Coq(folder)
    for text in ("one", "two"):
        coq.keep(coq.name(text), f"Error: {text}")
    return [json.loads(line) for line in (folder / "answers.jsonl").read_text().splitlines()]


def _kept_answers(folder: Path, lines: list[list[Any]]) -> dict[str, str]:
    (folder / "answers.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return Coq(folder).answers


def test_an_answer_that_was_changed_or_moved_is_ignored(tmp_path: Path) -> None:
    one, two = _answers(tmp_path)
    assert _kept_answers(tmp_path, [one, two]) == dict((one[:2], two[:2]))
    for broken in (
        [one[0], "", one[2]],  # an empty answer accepts the lemma
        [one[0], "", two[2]],
        [one[0], two[1], two[2]],
        [two[0], one[1], one[2]],
        [one[0], one[1], one[2][::-1]],
        [one[0], one[1], None],
        one[:2],
        [*one, ""],
        [[one[0]], one[1], one[2]],
    ):
        assert _kept_answers(tmp_path, [broken, two]) == dict((two[:2],))
        assert _kept_answers(tmp_path, [one, two, broken]) == dict((one[:2], two[:2]))


def test_an_answer_of_another_version_of_coq_is_not_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _answers(tmp_path)
    assert Coq(tmp_path).name("one") in Coq(tmp_path).answers
    monkeypatch.setattr(process, "_version", lambda: "8.17")
    assert Coq(tmp_path).name("one") not in Coq(tmp_path).answers


def test_answers_that_were_cut_off_or_are_no_text_are_ignored(tmp_path: Path) -> None:
    _, two = _answers(tmp_path)
    path = tmp_path / "answers.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[:-5])
    assert two[0] not in Coq(tmp_path).answers
    path.write_bytes(b"\xff\xfe\n" + b"[" * 100_000 + b"\n" + whole)
    assert len(Coq(tmp_path).answers) == 2


# -- with Coq ---------------------------------------------------------------------------------


def _texts_put(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    put: list[str] = []
    run = Coq._run

    def counted(self: Coq, command: list[str], commands: str | None) -> tuple[str, bool]:
        put.append(command[-1])
        return run(self, command, commands)

    monkeypatch.setattr(Coq, "_run", counted)
    return put


@needs_coq
def test_coq_is_asked_again_where_its_word_was_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    false = replace(claim(le(x, 0), smt(), ("SMALL", le(x, 1))), id="own.false")
    put = _texts_put(monkeypatch)

    def verdict() -> str:
        put.clear()
        (found,) = recheck([false], CLAIMS.__getitem__, tmp_path, fresh=False, jobs=1)
        return found.verdict

    assert verdict() == "partly"
    assert put
    assert verdict() == "partly"
    assert not put  # nothing has changed: nothing is asked
    whole = Rechecked(false.id, 1, 1, (), (), compiled=True)

    def accept(entries: Entries) -> None:
        entries[false.id]["verdict"] = whole.as_json()

    _edit(tmp_path, accept)
    lines = [json.loads(n) for n in (tmp_path / "answers.jsonl").read_text().splitlines()]
    _kept_answers(tmp_path, [[name, "", *rest] for name, _, *rest in lines])
    assert verdict() == "partly"
    assert put


@needs_coq
def test_a_compiled_file_that_was_replaced_is_compiled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put = _texts_put(monkeypatch)
    coq = Coq(tmp_path)
    assert coq.compile("First", "Lemma a : True. exact I. Qed.", library=True)[0] is not None
    assert coq.compile("Second", "Axiom b : False.", library=True)[0] is not None
    for change in ("vo", "key"):
        put.clear()
        Coq(tmp_path).compile("First", "Lemma a : True. exact I. Qed.", library=True)
        assert not put
        shutil.copy(tmp_path / f"Second.{change}", tmp_path / f"First.{change}")
        Coq(tmp_path).compile("First", "Lemma a : True. exact I. Qed.", library=True)
        assert put == ["First.v"]
    put.clear()
    Coq(tmp_path, fresh=True).compile("First", "Lemma a : True. exact I. Qed.", library=True)
    assert put == ["First.v"]  # nothing that lies there is taken


@needs_coq
def test_what_rests_on_a_replaced_module_has_a_name_that_nobody_finds(tmp_path: Path) -> None:
    coq = Coq(tmp_path)
    coq.compile("First", "Lemma a : True. exact I. Qed.", library=True)
    own = coq.keys["First"]
    (tmp_path / "First.vo").write_bytes(b"another one")
    names = set()
    for _ in range(2):
        other = Coq(tmp_path)
        other.known("First")
        names.add(other.keys["First"])
    assert len(names) == 2
    assert own not in names


@needs_coq
def test_the_version_tells_libraries_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    process._version.cache_clear()
    before = process._version()
    (tmp_path / "More.vo").write_bytes(b"a library")
    monkeypatch.setenv("COQPATH", str(tmp_path))
    process._version.cache_clear()
    after = process._version()
    process._version.cache_clear()
    assert "version" in before
    assert before != after
