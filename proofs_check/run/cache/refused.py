"""The warning about a folder of cached results that cannot be written; the command goes on without it."""

from __future__ import annotations

import sys
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

from ropeproof.proofs_check.run.cache.folder import VARIABLE

__all__ = ["is_writable", "tell_refused"]


def is_writable(folder: Path) -> bool:
    """Whether files can be written into a folder, which is created if missing; prints a warning if not."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"1")
    except OSError as error:
        tell_refused(folder, error.strerror or str(error))
        return False
    return True


@cache
def tell_refused(folder: Path, reason: str) -> None:
    """Print one line on the error stream which says that new results are not cached in a folder, and why.

    The line is printed once in a process for the same folder and reason.
    """
    from ropeproof.tools.console.folding import echo_folded

    if sys.stderr is None:
        return
    with suppress(OSError, ValueError):  # nobody may be listening
        echo_folded(
            f"ropeproof: new results are not cached: {folder} ({reason}); "
            f"{VARIABLE} may name another folder, or be empty for none",
            err=True,
        )
