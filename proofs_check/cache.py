"""The folder in which work is kept from one run to the next. It saves time and decides nothing."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

__all__ = ["cache_folder", "read_kept", "write_kept"]


def cache_folder() -> Path:
    """The folder named by `ROPEPROOF_CACHE`, or `ropeproof` among the user's caches."""
    named = os.environ.get("ROPEPROOF_CACHE")
    if named:
        return Path(named).expanduser()
    if sys.platform == "win32":
        parent = os.environ.get("LOCALAPPDATA")
        return Path(parent or Path.home() / "AppData" / "Local") / "ropeproof" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "ropeproof"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ropeproof"


def read_kept(name: str) -> bytes | None:
    """What was kept under that name; None without it, or if the file was cut off or altered."""
    try:
        data = (cache_folder() / name).read_bytes()
    except (OSError, RuntimeError):  # no home is a RuntimeError
        return None
    digest, _, kept = data.partition(b"\n")
    return kept if digest == hashlib.sha256(kept).hexdigest().encode() else None


def write_kept(name: str, kept: bytes) -> None:
    """Keep something under that name, whole or not at all; nothing if the folder refuses it."""
    try:
        path = cache_folder() / name
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.{os.getpid()}.part")
        part.write_bytes(hashlib.sha256(kept).hexdigest().encode() + b"\n" + kept)
        part.replace(path)
    except (OSError, RuntimeError):
        return
