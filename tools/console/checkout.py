"""A warning for a current folder in a checkout of ropeproof that is not the package that runs.

Who edits a file of a checkout expects it to be run. Where a copy was installed, or another checkout, nothing
of the edit is seen, and what is printed looks as if it had been.
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
    """The nearest checkout of ropeproof among a folder and those above it; None where there is none.

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
    """One sentence where a folder lies in a checkout of ropeproof that is not the package imported here.

    It names both paths and what to type. None where the folder lies in no checkout, or in the one imported.
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
    """Warn on the error stream if the current folder is in a checkout that is not the one running.

    The warning is the sentence of `other_checkout`. Nothing is printed while a shell asks for completions,
    as it would show what is printed.
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
