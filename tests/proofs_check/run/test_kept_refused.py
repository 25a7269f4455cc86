"""A folder of results that cannot be written is told in one line, and the command does its work."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from ropeproof.proofs_check.run.cache import refused
from ropeproof.proofs_check.run.cache.store import Store

NAME = "ab" * 32
CHECK = ("check", "trig.jordan", "--profile", "quick", "--jobs", "1")
MAIN = "from ropeproof.cli import main; main()"
FULL = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)); "
"""No file of this process can grow: what is written meets an error, as on a full disk."""


@pytest.fixture(autouse=True)
def _untold():
    refused.tell_refused.cache_clear()
    yield
    refused.tell_refused.cache_clear()


def command(place, *words, before: str = "") -> tuple[int, str, str]:
    """A command whose cache is in a place: exit code, output, errors."""
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; {before}sys.argv[0] = 'ropeproof'; {MAIN}", *words],
        capture_output=True, text=True, check=False,
        env={**os.environ, "ROPEPROOF_CACHE": str(place)},
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def places(folder):
    (folder / "file").touch()
    (folder / "seal").mkdir()
    (folder / "damaged").mkdir()
    (folder / "damaged" / "seal").write_bytes(b"short")
    (folder / "no-seal" / "seal").mkdir(parents=True)
    return {
        "a file": (folder / "file", "File exists"),
        "below a file": (folder / "file" / "below", "Not a directory"),
        "not to be made": ("/proc/none", "No such file or directory"),
        "damaged": (folder / "damaged", "its file seal is damaged"),
        "no file": (folder / "no-seal", "Is a directory"),
    }


@pytest.mark.parametrize("kind", ["a file", "below a file", "not to be made", "damaged", "no file"])
def test_a_folder_that_cannot_be_used_is_told_once_on_the_error_stream(kind, tmp_path, capsys):
    place, reason = places(tmp_path)[kind]
    for _ in range(3):
        store = Store(type(tmp_path)(place))
        store.write(NAME, 1)
        store.tidy()
        assert store.read(NAME) is None
        assert not store.usable
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith(f"ropeproof: new results are not cached: {place} (")
    assert reason in err
    assert "ROPEPROOF_CACHE may name another folder" in err


def test_a_folder_of_which_the_results_can_be_read_is_still_read(tmp_path, monkeypatch, capsys):
    Store(tmp_path).write(NAME, 1)
    assert capsys.readouterr().err == ""

    def read_only(*_, **__):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("ropeproof.proofs_check.run.cache.store._write_whole", read_only)
    store = Store(tmp_path)
    assert store.read(NAME) == 1
    assert capsys.readouterr().err == ""  # nothing was to be written
    for number in (1, 2):
        store.write(NAME, number)
        Store(tmp_path).write(NAME, number)
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "(Read-only file system)" in err
    assert Store(tmp_path).read(NAME) == 1


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (CHECK, "proved"),
        (("show", "trig.jordan"), "not run"),
        (("find", "jordan"), "trig.jordan"),
    ],
)
def test_commands_go_on_and_say_so_once(words, shown, tmp_path):
    (tmp_path / "file").touch()
    code, out, err = command(tmp_path / "file", *words)
    assert (code, err.count("\n")) == (0, 1), err
    assert err.startswith("ropeproof: new results are not cached: ")
    assert shown in out
    assert "not cached" not in out


def test_json_on_the_output_stays_json(tmp_path):
    code, out, err = command("/proc/none", *CHECK, "--json", "-")
    assert (code, err.count("\n")) == (0, 1)
    assert json.loads(out)["claims"]


@pytest.mark.parametrize("seal", [True, False], ids=["filled while used", "full before"])
def test_a_full_disk_is_told_once(seal, tmp_path):
    if seal:
        Store(tmp_path)
    code, out, err = command(tmp_path, *CHECK, before=FULL)
    assert code == 0, err
    assert err.count("\n") == 1, err
    assert "ropeproof: new results are not cached: " in err
    assert "proved" in out
    assert not list(tmp_path.rglob(".part*"))
    assert not list(tmp_path.glob("??/*"))


def test_no_cache_is_asked_for_and_none_is_missed(tmp_path):
    assert command("", *CHECK)[2] == ""
    assert command(tmp_path / "new", *CHECK)[2] == ""
    assert list((tmp_path / "new").iterdir())


def test_what_coq_reads_is_written_elsewhere(tmp_path, capsys):
    (tmp_path / "file").touch()
    assert refused.is_writable(tmp_path / "new" / "coq")
    assert capsys.readouterr().err == ""
    assert not refused.is_writable(tmp_path / "file" / "coq")
    assert "not cached" in capsys.readouterr().err
