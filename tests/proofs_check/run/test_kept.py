"""Kept results save work and never decide: what has changed runs again, and nothing else."""

from __future__ import annotations

import sys
from dataclasses import replace
from types import ModuleType

import pytest
import sympy as sp
from kept_checks import LEMMA, SQUARE, TOP, checks, claim, own_folder, summary, x

from ropeproof.proofs_check.evidence import Evidence, Finding
from ropeproof.proofs_check.kernel.outcome import holds
from ropeproof.proofs_check.run import library
from ropeproof.proofs_check.run.cache import Kept, content, key, record, results
from ropeproof.proofs_check.run.cache.sources import PackageSources
from ropeproof.proofs_check.run.items import Item, Result
from ropeproof.proofs_check.run.library import Library
from ropeproof.proofs_check.run.runner import check
from ropeproof.proofs_check.run.status import Record
from ropeproof.theory.language.claim import Mutant, catalogue
from ropeproof.theory.language.derivation import Derivation, Step, smt
from ropeproof.theory.language.logic import le, lt


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    return own_folder(tmp_path, monkeypatch)


@pytest.fixture(scope="module")
def sources():
    return PackageSources()


@pytest.fixture
def use(monkeypatch, sources):
    return checks(monkeypatch, sources)


def test_a_second_run_runs_nothing_and_says_the_same(use):
    ran, first = use(TOP, LEMMA)
    assert len(ran) == 6
    again, second = use(TOP, LEMMA)
    assert again == []
    assert summary(first) == summary(second)
    assert all(r.kept for v in second.values() for r in v.records)
    assert all(v.kept and v.seconds == 0 for v in second.values())
    assert not any(v.kept for v in first.values())


def test_a_module_made_by_hand_is_no_file_of_a_user(use, monkeypatch):
    made = ModuleType("made")
    made.__file__ = "_made.py"  # as torch.ops, wherever it was loaded
    monkeypatch.setitem(sys.modules, "made", made)
    use(SQUARE)
    assert use(SQUARE)[0] == []
    made.__file__ = "/no/such/made.py"  # was a file, and may have said anything
    use(SQUARE)
    assert use(SQUARE)[0] != []


def test_a_changed_claim_runs_again_with_what_stands_on_it(use):
    use(TOP, LEMMA, SQUARE)
    other = claim(le(0, x**4), id="own.lemma")
    again = Derivation((Step("z", le(0, x**2), smt(), "by z3, again"),))
    other_proof = replace(LEMMA, derivation=again)
    ran, _ = use(TOP, other_proof, SQUARE, digest="its proof")
    assert {r.split(":")[0] for r in ran} == {"own.lemma"}
    ran, _ = use(TOP, other, SQUARE, digest="its statement")
    assert {r.split(":")[0] for r in ran} == {"own.lemma", "own.top"}
    ran, verdicts = use(TOP, LEMMA, SQUARE, digest="as it was")
    assert ran == []
    assert verdicts["own.top"].status == "proved"


def test_a_lemma_that_is_no_longer_proved_takes_its_proofs_along(use):
    """The status of the claim above is computed anew, though its own proof is kept."""
    use(TOP, LEMMA)
    steps = (Step("no", le(0, x), smt(), "false"), *LEMMA.derivation.steps)
    broken = replace(LEMMA, derivation=Derivation(steps))
    ran, verdicts = use(TOP, broken, digest="a false step")
    assert {r.split(":")[0] for r in ran} == {"own.lemma"}
    assert verdicts["own.lemma"].status != "proved"
    assert verdicts["own.top"].status != "proved"


def test_what_cannot_be_read_whole_is_not_kept(use):
    odd = replace(SQUARE, conclusion=le(0, sp.Dummy("x") ** 2), derivation=None)
    with pytest.raises(content.Unreadable, match="Dummy"):
        content.claim_digest(odd)

    class Text(str):
        """A text that may say something else when it is read again."""

    with pytest.raises(content.Unreadable, match="Text"):
        content.claim_digest(replace(SQUARE, mutants=(Mutant(Text("m"), lt(x, 0)),)))
    assert use(odd)[0] == use(odd)[0] != []


def test_only_what_is_the_same_at_every_run_is_kept(use):
    assert Kept.open("deep") is None
    use(claim(lt(0, x**2)))
    again, verdicts = use(claim(lt(0, x**2)))
    assert "own.test::property[drawn instances]" in again  # it fails
    assert verdicts["own.test"].status == "refuted"
    outcomes = {
        (kind, outcome)
        for kind in ("proof", "property", "attack", "certified", "construction")
        for outcome in ("holds", "fails", "unknown", "unsupported")
        if record.keepable(Result(Item("c", kind, "n"), Record(kind, "n", outcome)))
    }
    assert {kind for kind, outcome in outcomes if outcome == "unknown"} == {"property"}
    assert not [outcome for _, outcome in outcomes if outcome in ("fails", "unsupported")]


def test_another_profile_finds_nothing(use):
    ran, _ = use(SQUARE)
    assert use(SQUARE, profile="default")[0] == ran


def test_another_version_finds_nothing(use, monkeypatch):
    ran, _ = use(SQUARE)
    real_version = key.metadata.version
    monkeypatch.setattr(
        key.metadata, "version", lambda p: "0.1" if p == "z3-solver" else real_version(p)
    )
    assert use(SQUARE)[0] == ran
    monkeypatch.undo()


def test_evidence_depends_on_its_own_sources(sources, use):
    """A change to numerics/bounds/slash is none to the evidence about the softmax."""
    slash = sources.reached("ropeproof.proofs_check.evidence.slash.descent")
    softmax = sources.reached("ropeproof.proofs_check.evidence.softmax")
    assert any(n.startswith("ropeproof.numerics.bounds.slash") for n in slash)
    assert not any(n.startswith("ropeproof.numerics.bounds.slash") for n in softmax)
    assert not any(n.startswith("ropeproof.proofs_check.evidence.slash") for n in softmax)


def test_evidence_that_is_not_ours_is_run_each_time(use):
    def look(profile):
        return Finding(holds("seen"), "one", 1)

    mine = {"own.test": (Evidence("own.test", "certified", "mine", look),)}
    ran, _ = use(SQUARE, evidence=mine)
    assert len(ran) == 4
    assert use(SQUARE, evidence=mine)[0] == ["own.test::certified[mine]"]


def test_what_is_followed_through_the_sources_is_found_once_for_these(use, monkeypatch):
    use(SQUARE)
    found = []
    monkeypatch.setattr(
        results.key, "judge", lambda sources: found.append(sources) or "another judge"
    )
    assert len(use(TOP, LEMMA)[0]) == 6  # under the judge that is kept
    assert found == []
    assert len(use(SQUARE, digest="other sources")[0]) == 3
    assert len(found) == 1


def test_a_source_that_changes_during_the_run_keeps_nothing(use, monkeypatch):
    monkeypatch.setitem(library.LOADED, (), Library(catalogue([SQUARE]), {}))
    kept = Kept.open("quick")
    kept.learn(library.load())
    monkeypatch.setattr(kept, "_unchanged", lambda: False)
    assert check(profile_name="quick", kept=kept)[0].status == "proved"
    assert len(use(SQUARE)[0]) == 3


MODULE = """
from ropeproof.theory.language.claim import Claim, Mutant, Source
from ropeproof.theory.language.derivation import Derivation, Step, smt
from ropeproof.theory.language.logic import le, lt, real
x = real("x")
CLAIMS = (Claim("own.m", "t", "s", Source("me"), conclusion=le(0, x**2),
    mutants=(Mutant("m", lt(x**2, 0)),), derivation=Derivation((Step("z", le(0, x**2), smt(), "z3"),))),)
"""


def test_a_users_file_is_kept_by_its_text_and_writes_nothing_for_the_house(tmp_path, place):
    path = tmp_path / "mine.py"
    path.write_text(MODULE)

    def run(*ids):
        library.LOADED.pop((str(path.resolve()),), None)
        ran: list[str] = []
        kept = Kept.open("quick", [str(path)])
        options = {"modules": [str(path)], "profile_name": "quick", "kept": kept}
        check(ids, progress=lambda r, *_: ran.append(str(r.item)), **options)
        return ran

    first = run("own.m", "trig.sine-below-identity")
    assert run("own.m") == []
    house = [item for item in first if not item.startswith("own.")]
    again = run("own.m", *{item.split(":")[0] for item in house})
    assert set(again) == set(house)  # found beside a user's file: not kept for the house
    path.write_text(MODULE + "\n# changed\n")
    assert len(run("own.m")) == 3


READS = {
    "a data file": "ok = Path({data!r}).read_text() == 'good'",
    "a module, imported": "sys.path.insert(0, {folder!r}); import helper_of_mine as h; ok = h.GOOD",
    "a module, by its name": "sys.path.insert(0, {folder!r}); "
    "ok = importlib.import_module('helper_of_mine').GOOD",
    "code, executed": "space = {{}}; exec(Path({helper!r}).read_text(), space); ok = space['GOOD']",
    "the environment": "ok = os.environ.get('MINE') == 'good'",
    "a folder": "ok = not Path({folder!r}, 'bad').exists()",
    "another program": "ok = subprocess.run(['cat', {data!r}], stdout=-1).stdout == b'good'",
}


@pytest.mark.parametrize("reads", READS)
def test_what_evidence_reads_while_it_runs_is_read_again(reads, tmp_path, place, monkeypatch):
    path, folder = tmp_path / "mine.py", tmp_path / "beside"
    folder.mkdir()
    data, helper = folder / "data.txt", folder / "helper_of_mine.py"
    code = READS[reads].format(data=str(data), folder=str(folder), helper=str(helper))
    path.write_text(
        MODULE
        + f"""
from ropeproof.proofs_check.evidence import Finding, evidence
from ropeproof.proofs_check.kernel.outcome import fails, holds
CLAIMS += (Claim("own.read", "t", "s", Source("me"), kind="definition", needs=frozenset("C")),)

@evidence("own.read", "certified", "reads")
def reads(how):
    import importlib, os, subprocess, sys
    from pathlib import Path
    {code}
    return Finding(holds() if ok else fails("not any more"), "n <= 9", 9)
"""
    )

    def status(good):
        data.write_text("good" if good else "bad")
        helper.write_text(f"GOOD = {good}\n" + "# a line\n" * good)
        monkeypatch.setenv("MINE", "good" if good else "bad")
        if not good:
            (folder / "bad").mkdir()
        monkeypatch.delitem(sys.modules, "helper_of_mine", raising=False)
        library.LOADED.pop((str(path.resolve()),), None)
        kept = Kept.open("quick", [str(path)])
        options = {"modules": [str(path)], "profile_name": "quick", "kept": kept}
        return {v.claim.id: v.established for v in check(["own.m", "own.read"], **options)}

    monkeypatch.setattr(sys, "path", [*sys.path])
    try:
        assert status(True) == {"own.m": "proved", "own.read": "tested"}
        assert status(False) == {"own.m": "proved", "own.read": "open"}
    finally:
        library.LOADED.pop((str(path.resolve()),), None)
