"""The programs that some test runs: their commands, and the Debian packages that bring them.

    python tests/helpers/needed/programs.py chromium node

prints the packages of those that are missing here, one a line: `.ci/run` installs them.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["PROGRAMS", "found", "missing_packages", "packages"]

PROGRAMS: Mapping[str, tuple[tuple[str, ...], str]] = MappingProxyType(
    {
        "chromium": (("chromium", "chromium-browser", "google-chrome"), "chromium"),
        "node": (("node",), "nodejs"),
        "coqc": (("coqc",), "coq libcoq-interval"),
        "gcc": (("gcc", "cc", "clang"), "build-essential"),
        "pandoc": (("pandoc",), "pandoc"),
        "pdflatex": (("pdflatex",), "texlive-latex-recommended"),
        "bash": (("bash",), "bash"),
        "zsh": (("zsh",), "zsh"),
        "fish": (("fish",), "fish"),
    }
)
"""Of each program the commands, any of which will do, and its packages, separated by spaces."""


def found(program: str) -> str | None:
    """The path of a program of `PROGRAMS`; None if none of its commands is on the PATH."""
    return next(filter(None, map(shutil.which, PROGRAMS[program][0])), None)


def packages(program: str) -> str:
    """The Debian packages of a program of `PROGRAMS`, separated by spaces."""
    return PROGRAMS[program][1]


def missing_packages(programs: list[str]) -> list[str]:
    """The Debian packages of those programs of `PROGRAMS` that are not on the PATH."""
    return [p for program in programs if found(program) is None for p in packages(program).split()]


if __name__ == "__main__":
    print("\n".join(missing_packages(sys.argv[1:])))
