"""The folder in which results are cached."""

from __future__ import annotations

import os
import sys
from pathlib import Path

__all__ = ["VARIABLE", "folder"]

VARIABLE = "ROPEPROOF_CACHE"


def folder() -> Path | None:
    """The folder of cached results: `ROPEPROOF_CACHE`, or `ropeproof` in the user's cache folder.

    None if the variable is empty (nothing is cached then) or the user has no home folder.
    """
    chosen = os.environ.get(VARIABLE)
    if chosen is not None:
        return Path(chosen).absolute() if chosen.strip() else None
    try:
        home = Path.home()
    except RuntimeError:
        return None
    if sys.platform == "darwin":
        return home / "Library/Caches/ropeproof"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData/Local") / "ropeproof/cache"
    named = os.environ.get("XDG_CACHE_HOME", "")
    # The standard says to ignore a relative path.
    return (Path(named) if os.path.isabs(named) else home / ".cache") / "ropeproof"
