"""Kept results save work and never decide: whatever lies in the folder, a status is a fresh run's."""

from __future__ import annotations

import copy
import errno
import json
import os
import re
import subprocess
import sys
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from types import ModuleType

import pytest
import sympy as sp
from typer.testing import CliRunner

import ropeproof
from ropeproof.proofs_check import runner
from ropeproof.proofs_check.cli import app
from ropeproof.proofs_check.evidence import Evidence, Finding
from ropeproof.proofs_check.kept import Kept, content, folder, key, record, store
from ropeproof.proofs_check.kept import index as indices
from ropeproof.proofs_check.kept.sources import Sources
from ropeproof.proofs_check.kept.store import Store
from ropeproof.proofs_check.outcome import Kills, holds
from ropeproof.proofs_check.runner import Item, Library, Result, check, items_of
from ropeproof.proofs_check.status import Record
from ropeproof.theory import CLAIMS
from ropeproof.theory.claim import Claim, Hypothesis, Mutant, Source, catalogue
from ropeproof.theory.derivation import Derivation, Step, by_claim, smt
from ropeproof.theory.logic import Every, eq, integer, le, lt, real, real_function

ROOT = Path(__file__).resolve().parents[1]
NAME = "ab" * 32
x, y = real("x y")


def claim(goal, id="own.test", **kwargs):
    steps = kwargs.pop("steps", (Step("only", goal, smt(), "by z3"),))
    return Claim(
        id, "a title", "a statement", Source("test"), conclusion=goal, needs=frozenset("PTX"),
        derivation=Derivation(steps), mutants=(Mutant("none", lt(goal.rhs, goal.lhs)),), **kwargs,
    )  # fmt: skip


SQUARE = claim(le(0, x**2))
LEMMA = claim(le(0, x**2), id="own.lemma")
TOP = claim(
    le(0, y**2 + 1),
    id="own.top",
    uses=("own.lemma",),
    steps=(
        Step("square", le(0, y**2), by_claim("own.lemma", {x: y}), "a square"),
        Step("sum", le(0, y**2 + 1), smt(), "and one more", ("square",)),
    ),
)


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    """A folder of its own for every test."""
    where = tmp_path / "kept"
    monkeypatch.setenv(folder.VARIABLE, str(where))
    return where


@pytest.fixture(scope="module")
def sources():
    return Sources()


@pytest.fixture
def use(monkeypatch, sources):
    """Check claims as if they were the catalogue; which items were run, and the verdicts."""
    monkeypatch.setattr(
        "ropeproof.proofs_check.kept.results.Sources", lambda: sources
    )  # one reading of the files for all tests

    def run(*claims, evidence=None, digest="as it is", profile="quick"):
        monkeypatch.setattr(Sources, "digest", property(lambda self: digest))
        monkeypatch.setitem(runner.LOADED, (), Library(catalogue(claims), evidence or {}))
        ran: list[str] = []
        verdicts = check(
            profile_name=profile,
            kept=Kept.open(profile),
            progress=lambda result, done, of: ran.append(str(result.item)),
        )
        return ran, {v.claim.id: v for v in verdicts}

    return run


def summary(verdicts):
    """What a status rests on, without the time it took."""

    def short(v):
        found = [(r.kind, r.name, r.outcome, r.cases, r.detail) for r in v.records]
        return v.status, v.axioms, v.kills, v.shortfalls, found

    return {id: short(v) for id, v in verdicts.items()}


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


@pytest.mark.parametrize(
    "change",
    [
        {"conclusion": lt(0, x**2 + 1)},
        {"hypotheses": (Hypothesis("h", le(0, x)),)},
        {"hypotheses": (Hypothesis("h", le(0, x), idle="so"),)},
        {"mutants": ()},
        {"mutants": (Mutant("m", lt(x, 0), equivalent="no"),)},
        {"kind": "conjecture"},
        {"needs": frozenset("P")},
        {"id": "own.other"},
        {"derivation": None},
        {"derivation": Derivation((Step("only", le(0, x**2), smt(), "by z3", (), (le(0, x),)),))},
    ],
    ids=str,
)
def test_every_part_of_a_claim_is_in_its_hash(change):
    assert content.claim_digest(replace(SQUARE, **change)) != content.claim_digest(SQUARE)


def test_what_looks_the_same_is_not_the_same():
    k, n = integer("x"), sp.Symbol("x")
    f, g = real_function("f"), sp.Function("f", integer=True)
    alike = [
        le(0, x), le(0, k), le(0, n), lt(0, x), eq(0, x), le(x, 0),
        le(0, f(x)), le(0, g(x)), le(0, f(k)), Every((x,), le(0, x)), Every((k,), le(0, x)),
        le(0, sp.Rational(1, 2)), le(0, sp.Float(0.5)), le(0, sp.Sum(x, (k, 0, 1))), le(0, sp.pi),
    ]  # fmt: skip
    assert len({content.claim_digest(replace(SQUARE, conclusion=c)) for c in alike}) == len(alike)


def test_what_cannot_be_read_whole_is_not_kept(use):
    odd = replace(SQUARE, conclusion=le(0, sp.Dummy("x") ** 2), derivation=None)
    with pytest.raises(content.Unreadable, match="Dummy"):
        content.claim_digest(odd)

    class Text(str):
        """A text that may say something else when it is read again."""

    with pytest.raises(content.Unreadable, match="Text"):
        content.claim_digest(replace(SQUARE, mutants=(Mutant(Text("m"), lt(x, 0)),)))
    assert use(odd)[0] == use(odd)[0] != []


def test_the_whole_catalogue_can_be_kept():
    digests = {content.claim_digest(c) for c in CLAIMS.values()}
    assert len(digests) == len(CLAIMS)


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


def test_every_library_that_computes_is_in_the_key():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    block = text.split("dependencies = [", 1)[1].split("]", 1)[0]
    needed = {line.strip(' ",').split(">")[0] for line in block.strip().splitlines()}
    assert needed - {"matplotlib", "typer", "rich"} <= set(key.PACKAGES)


def entries(place):
    return sorted(place.glob("??/*.json"))


def poison(path, change):
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))


ACCIDENTS = {
    "empty": lambda path, _: path.write_bytes(b""),
    "cut off": lambda path, _: path.write_bytes(path.read_bytes()[:-9]),
    "a flipped bit": lambda path, _: path.write_bytes(
        path.read_bytes().replace(b'"cases"', b'"casez"', 1)
    ),
    "edited": lambda path, _: poison(path, lambda data: data.update(content=[])),
    "unsealed": lambda path, _: poison(path, lambda data: data.pop("seal")),
    "another form": lambda path, _: poison(path, lambda data: data.update(form=0)),
    "not a mapping": lambda path, _: path.write_text("[]"),
    "not a number": lambda path, _: path.write_text(
        re.sub("[0-9]+", "NaN", path.read_text(), count=1)
    ),
    "deep": lambda path, _: path.write_text("[" * 100_000),
    "of another": lambda path, other: path.write_bytes(other),
    "a folder": lambda path, _: (path.unlink(), path.mkdir()),
    "a dangling link": lambda path, _: (path.unlink(), path.symlink_to("nowhere")),
}


@pytest.mark.parametrize("accident", ACCIDENTS.values(), ids=ACCIDENTS)
def test_a_broken_entry_is_as_good_as_absent(use, place, accident):
    ran, first = use(SQUARE)
    found = entries(place)
    for path, other in zip(found, [p.read_bytes() for p in found[1:] + found[:1]], strict=True):
        accident(path, other)
    again, second = use(SQUARE)
    assert sorted(again) == sorted(ran)
    assert summary(first) == summary(second)


def test_an_entry_of_another_folder_is_foreign(use, place):
    ran, _ = use(SQUARE)
    (place / "seal").unlink()
    assert use(SQUARE)[0] == ran
    (place / "seal").write_bytes(b"short")
    assert use(SQUARE)[0] == ran  # nothing is kept there any more
    assert use(SQUARE)[0] == ran


def test_a_hand_made_result_does_not_raise_a_status(use, place):
    """A false claim whose entries are replaced by those of a true one, names and all."""
    false = claim(lt(0, x**2))
    use(SQUARE)
    read = ((path, json.loads(path.read_text())["content"]) for path in entries(place))
    good = {tuple(c["item"]): path for path, c in read if isinstance(c, dict)}
    use(false)
    kept = Kept.open("quick")
    kept.learn(runner.load())
    for item, name in kept._names.items():
        source = good.get((item.claim, item.kind, item.name))
        if source is not None:
            data = json.loads(source.read_text())
            data["name"] = name
            target = place / name[:2] / f"{name}.json"
            target.parent.mkdir(exist_ok=True)
            target.write_text(json.dumps(data))
    _, verdicts = use(false)
    assert verdicts["own.test"].status == "refuted"
    assert verdicts["own.test"].shortfalls


def test_a_sealed_entry_of_another_form_or_item_is_not_read():
    item = Item("own.test", "proof", "derivation")
    result = Result(
        item, Record("proof", "derivation", "holds", "all", 3, 0.5, "so"), ("A",), Kills(2, 1)
    )
    good = record.written(result)
    assert record.read(good, item) == replace(result, record=replace(result.record, kept=True))
    assert record.read(good, replace(item, claim="own.other")) is None
    wrong = {
        "outcome": ["fails", "unknown", "great", None, 1], "domain": [None, 3], "detail": [None],
        "cases": [-1, True, 1.5, "3", None], "seconds": ["1", None, True], "witness": [[], "x", {"x": 1}],
        "axioms": [None, "A", [1]], "kills": [[1], [1, 2, 3], [1, "2"], [-1, 0], None],
        "item": [["own.test", "proof"], "proof", None],
    }  # fmt: skip
    assert set(wrong) == set(good)
    for name, values in wrong.items():
        for value in values:
            assert record.read(good | {name: value}, item) is None, (name, value)
        assert record.read({k: v for k, v in good.items() if k != name}, item) is None
    assert record.read(good | {"status": "proved"}, item) is None
    assert record.read(None, item) is None


def test_all_that_a_result_says_is_written():
    """A field that a result gains must be kept, or left out on purpose."""
    assert {f.name for f in fields(Result)} == {"item", "record", "axioms", "kills", "second"}
    assert {f.name for f in fields(Record)} - {"kind", "name", "kept"} < record._FIELDS
    assert {f.name for f in fields(Kills)} == {"tried", "killed"}


@pytest.mark.parametrize("content", [None, [], {}, "x", [{}], [{"id": "a"}], [[1]]])
def test_a_sealed_index_of_another_form_is_not_read(content):
    assert indices.read(content) is None


def test_a_card_answers_for_its_claim():
    library = runner.load()
    items = {id: items_of(library, id) for id in library.claims}
    made = indices.read(indices.written(indices.Index(library.claims, items, {})))
    assert list(made.claims) == list(library.claims)
    for id, card in made.claims.items():
        real_claim = library.claims[id]
        assert (card.uses, card.needs, card.source) == (
            real_claim.uses,
            real_claim.needs,
            real_claim.source,
        )
        assert card.conclusion is real_claim.conclusion
        assert list(made.items[id]) == items_of(library, id)
    with pytest.raises(AttributeError):
        _ = next(iter(made.claims.values())).nothing


def test_a_folder_that_cannot_be_used(use, place, tmp_path, monkeypatch):
    place.write_text("a file")
    ran, _ = use(SQUARE)
    assert use(SQUARE)[0] == ran
    monkeypatch.setenv(folder.VARIABLE, "/proc/no/such")
    assert use(SQUARE)[0] == ran


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES, errno.EROFS])
def test_a_full_disk_or_a_read_only_folder_costs_nothing(use, place, monkeypatch, number):
    use(SQUARE)
    kept = {p: p.read_bytes() for p in entries(place)}

    def fail(*args, **kwargs):
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch:
        patch.setattr(store.os, "replace", fail)
        assert use(SQUARE)[0] == []  # what is there can be read
        again, second = use(LEMMA)
        assert len(again) == 3
        assert second["own.lemma"].status == "proved"
    assert {p: p.read_bytes() for p in entries(place)} == kept
    assert not list(place.rglob(".part*"))
    assert use(LEMMA)[0] == again


def test_two_processes_at_once(place):
    """Both draw a key, both write and read the same names: every entry is whole."""
    code = (
        "import sys, pathlib; from ropeproof.proofs_check.kept.store import Store\n"
        "s = Store(pathlib.Path(sys.argv[1])); names = [f'{n:02x}' * 32 for n in range(40)]\n"
        "for _ in range(2):\n"
        "    for n in names: s.write(n, ['x' * 999, n])\n"
        "    for n in names: assert s.read(n) == ['x' * 999, n], n\n"
    )
    both = [subprocess.Popen([sys.executable, "-c", code, str(place)]) for _ in range(2)]
    assert [process.wait(60) for process in both] == [0, 0]
    names = [f"{n:02x}" * 32 for n in range(40)]
    assert all(Store(place).read(name) == ["x" * 999, name] for name in names)
    assert not list(place.rglob(".part*"))


def test_a_store_gives_back_what_it_got(place):
    kept = Store(place)
    assert kept.read(NAME) is None
    for value in (None, [1, 2.5, "π", True], {"b": 1, "a": [None]}):
        kept.write(NAME, value)
        assert kept.read(NAME) == value
        assert Store(place).read(NAME) == value
    assert (place / "seal").stat().st_mode & 0o077 == 0
    assert all(p.stat().st_mode & 0o077 == 0 for p in entries(place))


def test_old_entries_go(place):
    kept = Store(place)
    kept.write(NAME, 1)
    kept.write("cd" * 32, 2)
    os.utime(place / "ab" / f"{NAME}.json", (0, 0))
    kept.tidy()
    assert (kept.read(NAME), kept.read("cd" * 32)) == (None, 2)


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({folder.VARIABLE: "/a/b"}, "/a/b"),
        ({folder.VARIABLE: ""}, None),
        ({"XDG_CACHE_HOME": "/x"}, "/x/ropeproof"),
        ({"XDG_CACHE_HOME": "x"}, "/home/me/.cache/ropeproof"),
        ({}, "/home/me/.cache/ropeproof"),
    ],
)
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the folders of Linux")
def test_the_folder(monkeypatch, variables, expected):
    for name in (folder.VARIABLE, "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/home/me")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert folder.folder() == (None if expected is None else Path(expected))


def package(root, **files):
    """A small package with the floors of this one."""
    for floor in ("theory", "numerics", "constructions", "proofs_check"):
        (root / floor).mkdir(parents=True)
        (root / floor / "__init__.py").write_text(f'"""{floor}."""\n')
    (root / "__init__.py").write_text("")
    for name, text in files.items():
        path = root / (name.replace("__", "/") + ".py")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return Sources(root)


def test_what_a_module_reaches(tmp_path):
    found = package(
        tmp_path,
        numerics__a="import numpy\n",
        numerics__b="def f():\n    from ropeproof.numerics.a import g\n",
        numerics__c="from ropeproof.numerics import b\n",
        numerics__d="import importlib\nimportlib.import_module('ropeproof.numerics.c')\n",
        theory__e="from importlib import import_module\nimport_module(NAME)\n",
        theory__f="import ropeproof.theory.e\n",
        constructions__g="",
    )

    def of(name):
        return {n.split(".")[-1] for n in found.reached(f"ropeproof.{name}")} - {"ropeproof"}

    assert of("numerics.a") == {"numerics", "a"}
    assert of("numerics.b") == {"numerics", "a", "b"}
    assert of("numerics.c") == {"numerics", "a", "b", "c"}
    assert of("numerics.d") == {"numerics", "a", "b", "c", "d"}
    assert of("theory.f") == {"theory", "e", "f"}  # e may load whatever is beside it
    assert of("constructions.g") == {"constructions", "g"}
    with pytest.raises(KeyError):
        of("numerics.nothing")


def test_a_changed_source_changes_what_reaches_it_and_nothing_else(tmp_path):
    texts = {"numerics__a": "A = 1\n", "numerics__b": "from ropeproof.numerics.a import A\n"}
    texts["numerics__c"] = "C = 1\n"
    before = package(tmp_path / "before", **texts)
    after = package(tmp_path / "after", **texts | {"numerics__a": "A = 2\n"})
    changed = {name for name in before.files if before.reach(name) != after.reach(name)}
    assert changed == {"ropeproof.numerics.a", "ropeproof.numerics.b"}
    assert before.digest != after.digest


def test_the_judge_is_all_of_the_checker_that_decides(sources):
    judging = sources.reached(key._RUNNER, beyond=key._ELSEWHERE)
    short = {name.removeprefix("ropeproof.proofs_check.") for name in judging}
    assert {
        "attack",
        "evaluate",
        "instances",
        "second_witness",
        "status",
        "values",
        "runner",
    } <= short
    for name in [n for n in sources.files if n.startswith("ropeproof.proofs_check.kernel")]:
        changed = copy.copy(sources)
        changed.files = {**sources.files, name: b"# changed"}
        assert key.judge(changed) != key.judge(sources), name
    assert {"ropeproof.theory.axioms", "ropeproof.theory.logic"} <= judging
    assert not {n for n in short if n.startswith(("docs", "measure", "evidence."))}
    assert "ropeproof.theory.topics" not in judging


def test_evidence_depends_on_its_own_sources(sources, use):
    """A change to numerics/slash is none to the evidence about the softmax."""
    slash = sources.reached("ropeproof.proofs_check.evidence.slash.descent")
    softmax = sources.reached("ropeproof.proofs_check.evidence.softmax")
    assert any(n.startswith("ropeproof.numerics.slash") for n in slash)
    assert not any(n.startswith("ropeproof.numerics.slash") for n in softmax)
    assert not any(n.startswith("ropeproof.proofs_check.evidence.slash") for n in softmax)


def test_a_users_own_evidence_is_kept_with_the_users_text(use, tmp_path):
    def look(profile):
        return Finding(holds("seen"), "one", 1)

    mine = {"own.test": (Evidence("own.test", "certified", "mine", look),)}
    ran, _ = use(SQUARE, evidence=mine)
    assert use(SQUARE, evidence=mine)[0] == []
    assert len(ran) == 4


def test_a_source_that_changes_during_the_run_keeps_nothing(use, monkeypatch):
    monkeypatch.setitem(runner.LOADED, (), Library(catalogue([SQUARE]), {}))
    kept = Kept.open("quick")
    kept.learn(runner.load())
    monkeypatch.setattr(kept, "_unchanged", lambda: False)
    assert check(profile_name="quick", kept=kept)[0].status == "proved"
    assert len(use(SQUARE)[0]) == 3


MODULE = """
from ropeproof.theory.claim import Claim, Mutant, Source
from ropeproof.theory.derivation import Derivation, Step, smt
from ropeproof.theory.logic import le, lt, real
x = real("x")
CLAIMS = (Claim("own.m", "t", "s", Source("me"), conclusion=le(0, x**2),
    mutants=(Mutant("m", lt(x**2, 0)),), derivation=Derivation((Step("z", le(0, x**2), smt(), "z3"),))),)
"""


def test_a_users_file_is_kept_by_its_text_and_writes_nothing_for_the_house(tmp_path, place):
    path = tmp_path / "mine.py"
    path.write_text(MODULE)

    def run(*ids):
        runner.LOADED.pop((str(path.resolve()),), None)
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


COMMAND = ["check", "trig.sine-below-identity", "--profile", "quick", "--jobs", "1"]


def invoke(*args):
    result = CliRunner().invoke(app, list(args))
    return result.exit_code, result.output


def test_the_command_shows_what_is_kept(place):
    code, first = invoke(*COMMAND)
    assert (code, "kept" in first) == (0, False)
    code, second = invoke(*COMMAND)
    assert code == 0
    assert "3 of 3 results are kept" in second or "4 of 4 results are kept" in second
    data = json.loads(invoke(*COMMAND, "--json", "-")[1])
    assert all(e["kept"] for e in data["claims"][0]["evidence"])
    data = json.loads(invoke(*COMMAND, "--fresh", "--json", "-")[1])
    assert not any(e["kept"] for e in data["claims"][0]["evidence"])
    assert "(kept)" in invoke("show", COMMAND[1])[1]
    assert "(kept)" not in invoke("show", COMMAND[1], "--fresh")[1]


def test_a_kept_check_loads_nothing_heavy(place):
    """So it answers at once. It says the same as the run before it, in other words in no time."""
    code = (
        "import sys, json; from ropeproof.proofs_check.cli import app\n"
        f"app({[*COMMAND, '--json', str(place) + '.json']!r}, standalone_mode=False)\n"
        "print([m for m in ('sympy', 'z3', 'numpy', 'torch', 'hypothesis') if m in sys.modules])"
    )
    env = {**os.environ, "PYTHONPATH": str(Path(ropeproof.__file__).parents[1])}
    run = partial(subprocess.run, capture_output=True, text=True, check=True, env=env)
    out = [run([sys.executable, "-c", code]).stdout for _ in range(2)]
    assert out[0].strip().endswith("]")
    assert out[1].strip().endswith("[]")
