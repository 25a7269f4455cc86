"""A warning if the current folder is a checkout of ropeproof other than the package that runs.

Whoever edits a file of a checkout expects it to be run. If a copy was installed, or another checkout,
the edit has no effect, and what is printed looks as if it had.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from pathlib import Path

import ropeproof

__all__ = ["checkout_around", "other_checkout", "tell_of_other_checkout"]

_NAMED = re.compile(r"""^\s*name\s*=\s*(["'])ropeproof\1""", re.MULTILINE)
_COMPLETION = "_ROPEPROOF_COMPLETE"


def checkout_around(folder: Path) -> Path | None:
    """The nearest checkout of ropeproof among a folder and its parents; None if there is none.

    A checkout, or an unpacked sdist, has the folder `ropeproof` beside a `pyproject.toml` of that name.
    """
    for place in (folder, *folder.parents):
        try:
            if (place / "ropeproof" / "__init__.py").is_file():
                text = (place / "pyproject.toml").read_text(encoding="utf-8", errors="replace")
                if _NAMED.search(text):
                    return place
        except OSError:  # no such file, or none that may be read
            continue
    return None


def other_checkout(folder: Path) -> str | None:
    """A sentence if a folder lies in a checkout of ropeproof other than the package imported, else None.

    It names both paths and the command that installs the checkout.
    """
    checkout = checkout_around(folder)
    if checkout is None:
        return None
    imported = Path(ropeproof.__file__).parent
    try:
        if os.path.samefile(imported, checkout / "ropeproof"):
            return None
    except OSError:
        return None
    line = shlex.join([sys.executable or "python", "-m", "pip", "install", "-e", str(checkout)])
    return f"this is {imported}, not the checkout {checkout}; to run the checkout, type {line}"


def tell_of_other_checkout() -> None:
    """Print the sentence of `other_checkout` for the current folder, if there is one, on the error stream.

    Nothing is printed while a shell asks for completions, which would show it.
    """
    if _COMPLETION in os.environ or sys.stderr is None:
        return
    try:
        told = other_checkout(Path.cwd())
    except OSError:  # the current folder is gone
        return
    if told is not None:
        from ropeproof.tools.console.folding import echo_folded

        echo_folded(f"ropeproof: {told}", err=True)
