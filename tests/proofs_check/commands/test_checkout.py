"""A command, or pytest, that runs in a checkout other than the package that is imported says so."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

import ropeproof
from ropeproof.tools.console import checkout
from ropeproof.tools.console.checkout import checkout_around, other_checkout

ROOT = Path(__file__).resolve().parents[3]
IMPORTED = str(Path(ropeproof.__file__).parent)


def a_checkout(folder: Path, name: str = "ropeproof") -> Path:
    """The files by which a checkout is known."""
    (folder / "ropeproof").mkdir(parents=True)
    (folder / "ropeproof" / "__init__.py").touch()
    (folder / "pyproject.toml").write_text(f'[project]\nname = "{name}"\n')
    (folder / "theory").mkdir()
    return folder


def ropeproof_in(folder: Path, *command: str, **env: str) -> tuple[int, str, str]:
    """The command in a folder: exit code, output, errors."""
    main = "from ropeproof.cli import main; main()"
    # As the installed command: the current folder is no place of modules.
    done = subprocess.run(
        [sys.executable, "-P", "-c", main, *command],
        cwd=folder, capture_output=True, text=True, check=False,
        env={**os.environ, "ROPEPROOF_CACHE": "", **env},
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def test_a_command_in_another_checkout_says_so_in_one_line(tmp_path):
    place = a_checkout(tmp_path / "a checkout")
    line = f"{sys.executable} -m pip install -e '{place}'"
    expected = f"ropeproof: this is {IMPORTED}, not the checkout {place}; to run the checkout, type {line}\n"
    for folder in (place, place / "theory"):
        assert ropeproof_in(folder, "--version")[2] == expected
    code, out, err = ropeproof_in(place, "presets")
    assert (code, err) == (0, expected)
    assert "llama-3-8b" in out
    code, out, err = ropeproof_in(place, "list", "trig.*", "--json", "-")
    assert (code, err) == (0, expected)
    assert json.loads(out)["claims"]
    code, out, err = ropeproof_in(place, "show", "none.such")
    assert (code, out) == (2, "")
    assert err.startswith(expected)
    assert err.count("\n") == 2


@pytest.mark.parametrize("place", ["elsewhere", "another project", "no pyproject", "here"])
def test_elsewhere_a_command_says_nothing(place, tmp_path):
    folder = tmp_path
    if place == "another project":
        folder = a_checkout(tmp_path / "other", "users-own")
    elif place == "no pyproject":
        folder = a_checkout(tmp_path / "site")
        (folder / "pyproject.toml").unlink()
    elif place == "here" and os.path.samefile(IMPORTED, ROOT / "ropeproof"):
        folder = ROOT / "docs"
    assert ropeproof_in(folder, "--version") == (0, f"ropeproof {ropeproof.__version__}\n", "")


def test_a_completion_is_not_disturbed(tmp_path):
    place = a_checkout(tmp_path / "checkout")
    asked = {"COMP_WORDS": "ropeproof certif", "COMP_CWORD": "1"}
    code = "import sys; sys.argv[0] = 'ropeproof'\n"
    code += "from ropeproof.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], cwd=place, capture_output=True, text=True, check=False,
        env={**os.environ, **asked, "_ROPEPROOF_COMPLETE": "complete_bash"},
    )  # fmt: skip
    assert done.stderr == ""
    assert "certificate" in done.stdout


def test_the_nearest_checkout_counts(tmp_path):
    outer = a_checkout(tmp_path / "outer")
    inner = a_checkout(outer / "work" / "inner")
    assert checkout_around(inner / "theory") == inner
    assert checkout_around(outer / "work") == outer
    assert checkout_around(tmp_path) is None


def test_the_checkout_that_is_imported_is_none_other(tmp_path, monkeypatch):
    place = a_checkout(tmp_path / "checkout")
    assert other_checkout(place)
    monkeypatch.setattr(checkout.ropeproof, "__file__", str(place / "ropeproof" / "__init__.py"))
    assert other_checkout(place) is None
    (tmp_path / "link").symlink_to(place)  # by another name
    assert other_checkout(tmp_path / "link" / "theory") is None


def test_a_folder_that_is_gone_is_no_error(tmp_path, monkeypatch, capsys):
    gone = a_checkout(tmp_path / "gone")
    monkeypatch.chdir(gone)
    (gone / "pyproject.toml").unlink()
    for path in sorted(gone.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    gone.rmdir()
    checkout.tell_of_other_checkout()
    assert capsys.readouterr().err == ""


@pytest.mark.skipif(sys.platform != "linux", reason="a pseudo-terminal of Linux")
def test_on_a_terminal_the_line_is_folded_between_words(tmp_path):
    place = a_checkout(tmp_path / "checkout")
    ours, theirs = pty.openpty()
    main = "from ropeproof.cli import main; main()"
    subprocess.run(
        [sys.executable, "-P", "-c", main, "--version"], cwd=place, stderr=theirs, check=True,
        stdout=subprocess.DEVNULL, env={**os.environ, "COLUMNS": "80"},
    )  # fmt: skip
    os.close(theirs)
    said = b""
    try:
        while part := os.read(ours, 4096):
            said += part
    except OSError:  # the other end is closed
        pass
    lines = said.decode().splitlines()
    assert len(lines) > 1
    longest = max(len(word) for word in said.decode().split())
    assert all(len(line) <= max(80, longest + 2) for line in lines)


@pytest.mark.parametrize("quiet", [[], ["-q"], ["--no-header"], ["-n", "2"]])
def test_pytest_says_so_once(tmp_path, quiet):
    place = a_checkout(tmp_path / "checkout")
    (place / "tests").mkdir()
    (place / "tests" / "test_it.py").write_text("def test_it(): ...\n")
    command = [sys.executable, "-P", "-m", "pytest", "-p", "no:hypothesispytest", *quiet]
    for folder, path in ((place, "tests"), (tmp_path, str(place / "tests"))):
        done = subprocess.run(
            [*command, path], cwd=folder, capture_output=True, text=True, check=False
        )
        said = done.stdout + done.stderr
        assert done.returncode == 0, said
        assert said.count(f"this is {IMPORTED}, not the checkout {place}; ") == 1, said
    alone = tmp_path / "test_alone.py"
    alone.write_text("def test_it(): ...\n")
    done = subprocess.run(
        [*command, str(alone)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert "not the checkout" not in done.stdout
