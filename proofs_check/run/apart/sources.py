"""Whether this project's source files are the same as when a user's file began to run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

__all__ = ["Sources", "sources"]

Sources = frozenset[tuple[str, int, int, int, int]]
"""Of each Python file: path, size in bytes, times of the last change of content and of status, inode."""

ROOT = Path(__file__).parents[3]
_FOLDERS = ("theory", "numerics", "constructions", "proofs_check", "tools")


def sources() -> Sources:
    """The state of all source files now; two states are equal if no file was written between them.

    No file is read for it. Cost: one `stat` for each of about a thousand files.
    """
    return frozenset(each for name in _FOLDERS for each in _states(ROOT / name))


def _states(folder: Path) -> Iterator[tuple[str, int, int, int, int]]:
    if not folder.is_dir():
        return
    with os.scandir(folder) as found:
        for entry in found:
            if entry.is_dir(follow_symlinks=False):
                if entry.name != "__pycache__":
                    yield from _states(Path(entry.path))
            elif entry.name.endswith(".py"):
                now = entry.stat()
                yield entry.path, now.st_size, now.st_mtime_ns, now.st_ctime_ns, now.st_ino
