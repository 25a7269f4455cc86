"""The list of commands, and modules under their former names."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
import typer

from ropeproof.cli import COMMANDS, app
from ropeproof.moved import MOVED, Former, name_today

ROOT = Path(__file__).resolve().parents[2]


def _python(code: str, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *options, "-c", code], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_is_where_the_list_says(name):
    group = typer.main.get_command(app)
    command = group.get_command(None, name)  # type: ignore[attr-defined,arg-type]  # of a group
    assert command is not None
    assert command.name == name
    assert command.help
    assert command.hidden == (name == "serve")


def test_the_list_has_one_command_a_line():
    text = (ROOT / "ropeproof/cli.py").read_text(encoding="utf-8")
    assert len(re.findall(r'^    "\w+": "[\w.]+:\w+",$', text, re.MULTILINE)) == len(COMMANDS)


def test_an_unknown_command_is_usage():
    done = _python(
        "import sys; sys.argv = ['ropeproof', 'mesure']; import ropeproof.cli as c; c.main()"
    )
    assert done.returncode == 2
    assert "mesure" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["list", "presets"])
def test_a_command_loads_no_other(name):
    done = _python(
        f"import sys; sys.argv = ['ropeproof', '{name}', '--help']\n"
        "import ropeproof.cli as c\n"
        "try:\n    c.main()\nexcept SystemExit:\n    pass\n"
        "print(*[m for m in sys.modules if m.startswith('ropeproof.') and 'command' in m], sep='\\n')"
    )
    module = COMMANDS[name].partition(":")[0]
    loaded = {line for line in done.stdout.splitlines() if line.startswith("ropeproof.")}
    shared = {"ropeproof.proofs_check.commands", "ropeproof.proofs_check.commands.group"}
    assert loaded <= {f"ropeproof.{module}", *shared}


@pytest.mark.parametrize(("former", "today"), MOVED.items())
def test_a_former_name_is_the_module_of_today(former, today):
    name = f"ropeproof.{former}"
    try:
        new = importlib.import_module(f"ropeproof.{today}")
    finally:
        sys.modules.pop(name, None)
    with pytest.warns(DeprecationWarning, match=re.escape(f"{name} is now ropeproof.{today}")):
        old = importlib.import_module(name)
    if hasattr(new, "__path__"):
        assert all(getattr(old, name) is getattr(new, name) for name in getattr(new, "__all__", ()))
    else:
        assert old is new
    assert new.__name__ == f"ropeproof.{today}"
    assert new.__spec__ is not None
    assert new.__spec__.name == f"ropeproof.{today}"


def test_what_lies_below_a_former_name_has_moved_too():
    with pytest.warns(DeprecationWarning, match=r"is now ropeproof\.tools\.conform\.record;"):
        old = importlib.import_module("ropeproof.numerics.conform.record")
    assert old is sys.modules["ropeproof.tools.conform.record"]


def test_an_import_below_a_former_package_sets_nothing_in_that_of_today():
    """`conform.check` is a function, whoever imports a module of that name by its former path."""
    done = _python(
        "import sys, ropeproof, ropeproof.numerics.conform.check\n"
        "old = sys.modules['ropeproof.numerics.conform.check']\n"
        "print(callable(ropeproof.conform.check), old is ropeproof.tools.conform.run)\n"
        "from ropeproof.numerics.conform import check\n"
        "print(check is ropeproof.conform.check)"
    )
    assert done.stdout.split() == ["True", "True", "True"]


def test_the_warning_shows_the_line_that_imports():
    done = _python("import ropeproof\nimport ropeproof.proofs_check.conformance", "-W", "always")
    assert done.returncode == 0
    assert "<string>:2: DeprecationWarning" in done.stderr


def test_nothing_of_today_has_a_former_name():
    """Else a module that exists would be replaced by another one."""
    for former in MOVED:
        path = ROOT / former.replace(".", "/")
        assert not path.with_suffix(".py").exists(), former
        assert not (path / "__init__.py").exists(), former
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Former().find_spec("ropeproof.theory.rotary.spec", None) is None
    assert name_today("ropeproof.theory.rotary.spec") is None
    assert Former().find_spec("other.numerics.conform", None) is None


def test_the_changelog_lists_all_moves():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert [f for f, today in MOVED.items() if f"| `{f}` | `{today}` |" not in text] == []
