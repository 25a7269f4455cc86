"""Skipping tests for missing extras, packages or programs: the one way, which names what is missing.

A module that an extra, or another package, brings is asked for by `need` (in a test, or at the top of a
file) or by the mark `needs`; a program by `need_program` or `needs(program=...)`. Where it is missing the
reason of the skip reads "needs the extra docs (sphinx): pip install ...". `skipped.py` counts these reasons
at the end of a run; `tests/package/test_needs.py` finds the test that imports such a module, or runs such a
program, without asking.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module, metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NoReturn

import pytest
from programs import found, packages

__all__ = [
    "EXTRAS",
    "MODULES",
    "ROOT",
    "Missing",
    "missing_of",
    "module_of",
    "need",
    "need_program",
    "need_version",
    "needs",
    "requirement_name",
    "skip_for",
]

ROOT = Path(__file__).resolve().parents[3]
EXTRAS: Mapping[str, list[str]] = tomllib.loads(
    (ROOT / "pyproject.toml").read_text(encoding="utf-8")
)["project"]["optional-dependencies"]
"""The extras of the distribution, each with its requirements."""

MODULES = {
    "z3-solver": "z3",
    "python-flint": "flint",
    "pytest-xdist": "xdist",
}
"""Module of a distribution, where the name of one is not that of the other."""

_TOGETHER = ("all", "test", "dev")
"""Extras that gather others: a missing module is named with the extra that it is for."""

_REASON = re.compile(
    r"needs the (?P<kind>extra|package|program) (?P<name>[^:(]+?)(?: \((?P<part>[^)]*)\))?: (?P<line>.+)"
)


@dataclass(frozen=True)
class Missing:
    """An extra, package or program that a test needs and that is not installed.

    `kind` is "extra", "package" or "program"; `part` is the module of an extra that was asked for, or
    empty; `line` is the command that installs what is missing.
    """

    kind: str
    name: str
    line: str
    part: str = ""

    @property
    def reason(self) -> str:
        """The reason of the skip as text, which `missing_of` can read."""
        part = f" ({self.part})" if self.part else ""
        return f"needs the {self.kind} {self.name}{part}: {self.line}"


def missing_of(reason: str) -> Missing | None:
    """What is missing by the reason of a skip; None where a test was skipped for another reason."""
    read = _REASON.fullmatch(reason.removeprefix("Skipped: "))
    if read is None:
        return None
    return Missing(read["kind"], read["name"], read["line"], read["part"] or "")


def need(module: str, *, install: str = "") -> Any:
    """The imported module; the test, or the whole file, is skipped if its package is not installed.

    `install` are the arguments of `pip install` for a package of no extra, by default the module's name.
    A module that is there and fails to be imported is no reason to skip: its error is raised.
    """
    __tracebackhide__ = True
    lacking = _lacking(module, install)
    if lacking is not None:
        skip_for(lacking)
    return import_module(module)


def need_program(program: str) -> str:
    """The path of a program that `programs.py` lists; the test is skipped if it is missing."""
    __tracebackhide__ = True
    path = found(program)
    if path is None:
        skip_for(_without_program(program))
    return path


def need_version(distribution: str, version: str, *, installed: str | None = None) -> None:
    """Skip the test unless a distribution is installed in exactly this version.

    `installed` is the version that is here, where the distribution's own metadata are not the place to ask.
    """
    __tracebackhide__ = True
    if installed is None:
        try:
            installed = metadata.version(distribution)
        except metadata.PackageNotFoundError:
            installed = ""
    if installed != version:
        pinned = f"{distribution}=={version}"
        skip_for(Missing("package", pinned, f"{_pip()} {pinned}"))


def needs(*modules: str, program: str = "", install: str = "") -> pytest.MarkDecorator:
    """A mark (of a test, of a class, or `pytestmark` of a file) that skips if one of these is missing.

    Arguments are those of `need` and `need_program`. Nothing is imported.
    """
    lacking = next(filter(None, (_lacking(module, install) for module in modules)), None)
    if lacking is None and program and found(program) is None:
        lacking = _without_program(program)
    return pytest.mark.skipif(lacking is not None, reason=lacking.reason if lacking else "")


def skip_for(lacking: Missing) -> NoReturn:
    """Skip the test, or the whole file, because of something that is missing."""
    __tracebackhide__ = True
    pytest.skip(lacking.reason, allow_module_level=True)


def _lacking(module: str, install: str) -> Missing | None:
    """The extra or package that is missing if a module cannot be found; None if it can."""
    if _is_found(module):
        return None
    extra = _extra_of(module.partition(".")[0])
    if extra is None:
        name = install or module.partition(".")[0]
        return Missing("package", module.partition(".")[0], f"{_pip()} {name}")
    where = "." if Path.cwd() == ROOT else str(ROOT)
    constraints = shlex.quote(os.path.join(where, "constraints.txt").removeprefix("./"))
    wanted = shlex.quote(f"{where}[{extra}]")
    return Missing("extra", extra, f"{_pip()} -c {constraints} -e {wanted}", module)


def _is_found(module: str) -> bool:
    """Whether the package that contains a module is installed; the package is not imported."""
    try:
        return find_spec(module.partition(".")[0]) is not None
    except (ImportError, ValueError):  # a module without a spec: a test took it away
        return False


def _without_program(program: str) -> Missing:
    return Missing("program", program, f"apt-get install {packages(program)}")


def _pip() -> str:
    """The command for pip of the Python that runs the tests, as typed in the current folder."""
    folder = Path(sys.executable).parent
    with_pip = folder / "pip"
    if not with_pip.exists():
        return f"{shlex.quote(sys.executable)} -m pip install"
    if with_pip.is_relative_to(Path.cwd()):
        with_pip = with_pip.relative_to(Path.cwd())
    return f"{shlex.quote(str(with_pip))} install"


@cache
def _extra_of(module: str) -> str | None:
    """The extra that brings a module; None where no extra names its distribution."""
    for extra, requirements in EXTRAS.items():
        if extra not in _TOGETHER and module in map(module_of, requirements):
            return extra
    return "test" if module in map(module_of, EXTRAS["test"]) else None


def requirement_name(requirement: str) -> str:
    """The name of the distribution in a requirement, as `scipy` in `scipy>=1.11`."""
    return re.split(r"[^\w.-]", requirement, maxsplit=1)[0]


def module_of(requirement: str) -> str:
    """The name of the module that is imported from the distribution of a requirement."""
    name = requirement_name(requirement)
    return MODULES.get(name, name.replace("-", "_"))
