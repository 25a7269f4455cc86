"""Whatever lies in the folder of cached results, a status is that of a fresh run."""

from __future__ import annotations

import errno
import json
import os
import re
from dataclasses import fields, replace

import pytest
from kept_checks import LEMMA, SQUARE, checks, claim, entries, own_folder, summary, x

from ropeproof.proofs_check.kernel.outcome import Kills
from ropeproof.proofs_check.run import library
from ropeproof.proofs_check.run.cache import Kept, folder, record, store
from ropeproof.proofs_check.run.cache import index as indices
from ropeproof.proofs_check.run.cache.sources import PackageSources
from ropeproof.proofs_check.run.items import Item, Result, items_of
from ropeproof.proofs_check.run.status import Record
from ropeproof.theory.language.logic import lt


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    return own_folder(tmp_path, monkeypatch)


@pytest.fixture(scope="module")
def sources():
    return PackageSources()


@pytest.fixture
def use(monkeypatch, sources):
    return checks(monkeypatch, sources)


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
    kept.learn(library.load())
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
    assert {f.name for f in fields(Record)} - {"kind", "name", "kept", "by"} < record._FIELDS
    assert {f.name for f in fields(Kills)} == {"tried", "killed"}


@pytest.mark.parametrize("content", [None, [], {}, "x", [{}], [{"id": "a"}], [[1]]])
def test_a_sealed_index_of_another_form_is_not_read(content):
    assert indices.read(content) is None


def test_a_card_answers_for_its_claim():
    found = library.load()
    items = {id: items_of(found, id) for id in found.claims}
    made = indices.read(indices.written(indices.Index(found.claims, items, {})))
    assert list(made.claims) == list(found.claims)
    for id, card in made.claims.items():
        real_claim = found.claims[id]
        assert (card.uses, card.needs, card.source) == (
            real_claim.uses,
            real_claim.needs,
            real_claim.source,
        )
        assert card.conclusion is real_claim.conclusion
        assert list(made.items[id]) == items_of(found, id)
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
