"""The store of cached results returns what was stored, drops old entries, and has the stated folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from kept_checks import entries, own_folder

from ropeproof.proofs_check.run.cache import folder
from ropeproof.proofs_check.run.cache.store import Store

NAME = "ab" * 32


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    return own_folder(tmp_path, monkeypatch)


def test_two_processes_at_once(place):
    """Both draw a key, both write and read the same names: every entry is whole."""
    code = (
        "import sys, pathlib; from ropeproof.proofs_check.run.cache.store import Store\n"
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


def test_nothing_of_others_is_deleted(place, tmp_path):
    """The folder may be one in which other things lie, such as a home folder."""
    elsewhere = tmp_path / "elsewhere"
    (place / "go").mkdir(parents=True)
    elsewhere.mkdir()
    (place / "ab").symlink_to(elsewhere)
    theirs = [place / "go" / "notes.txt", place / "go" / f"{NAME}.json", elsewhere / f"{NAME}.json"]
    for path in theirs:
        path.write_text("mine")
        os.utime(path, (0, 0))
    Store(place).tidy()
    assert all(path.exists() for path in theirs)
