"""Sealed entries in a folder: reading gives exactly what was written under that name, or nothing.

An entry is a JSON file with its own name, its content and a seal: a keyed hash of both, with a key
that is drawn once per folder and lies in it. A file that was cut off, changed, renamed, or made in
another folder has no valid seal and is as good as absent. That guards against accidents and
confusion, not against somebody who can read the key: they can write any entry, as they can change
the checker itself. What is kept in files of another form, such as Coq's answers, has the same
`Seal`.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import secrets
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from ropeproof.proofs_check.run.cache.folder import folder
from ropeproof.proofs_check.run.cache.refused import tell_refused

__all__ = ["Seal", "Store", "canonical"]

FORM = 1
_KEY_BYTES = 32
_LARGEST = 1 << 24
_OURS = re.compile(r"([0-9a-f]{2})/(\1[0-9a-f]{62}\.json|\.part-\w+)")
_MONTH = 30 * 24 * 3600.0


def canonical(content: Any) -> bytes:
    """A JSON value as bytes for hashing, in the one way in which it is always written."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text.encode("ascii")


class Seal:
    """The keyed hash by which a folder recognizes what was written in it, with the folder's own key."""

    def __init__(self, folder: Path) -> None:
        self._secret = _secret(folder)

    @property
    def usable(self) -> bool:
        """Whether the folder has a key; without one nothing in it can be recognized."""
        return self._secret is not None

    def of(self, name: str, content: Any) -> str:
        """The seal of a JSON value under a name, in hexadecimal; empty where there is no key."""
        if self._secret is None:
            return ""
        text = canonical([FORM, name, content])
        return hmac.new(self._secret, text, hashlib.sha256).hexdigest()

    def holds(self, name: str, content: Any, seal: Any) -> bool:
        """Whether `seal` is the seal of exactly this content under this name; never raises."""
        if self._secret is None or not isinstance(seal, str):
            return False
        try:
            return hmac.compare_digest(seal.encode(), self.of(name, content).encode())
        except (ValueError, TypeError, RecursionError):
            return False


class Store:
    """The sealed entries of a folder; reading and writing never raise, whatever is wrong with a file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._seal = Seal(folder)
        self._broken = not self._seal.usable

    @classmethod
    def of_user(cls) -> Store | None:
        """The store in the user's folder of cached results; None where nothing is to be cached."""
        place = folder()
        return None if place is None else cls(place)

    @property
    def usable(self) -> bool:
        """Whether entries can be read here."""
        return self._seal.usable

    def read(self, name: str) -> Any:
        """The content kept under a name (a hash in hexadecimal); None without a validly sealed entry."""
        if not self.usable:
            return None
        try:
            path = self._path(name)
            if path.stat().st_size > _LARGEST:
                return None
            entry = json.loads(path.read_bytes())
            if not isinstance(entry, dict) or set(entry) != {"form", "name", "content", "seal"}:
                return None
            if entry["form"] != FORM or entry["name"] != name:
                return None
            good = self._seal.holds(name, entry["content"], entry["seal"])
        except (OSError, ValueError, TypeError, RecursionError):
            return None
        return entry["content"] if good else None

    def write(self, name: str, content: Any) -> None:
        """Keep a JSON value under a name, whole or not at all.

        After a failure (a folder that cannot be written, a full disk) nothing more is tried; one line on
        the error stream says so.
        """
        if self._broken:
            return
        entry = {
            "form": FORM,
            "name": name,
            "content": content,
            "seal": self._seal.of(name, content),
        }
        try:
            path = self._path(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            _write_whole(path, canonical(entry))
        except OSError as error:
            self._broken = True
            tell_refused(self.folder, error.strerror or str(error))

    def tidy(self) -> None:
        """Delete entries that were written more than a month ago, and unfinished parts of that age.

        Nothing else is deleted: other things may lie in the folder, or it may lead to a folder with such
        things.
        """
        oldest = time.time() - _MONTH
        try:
            for path in self.folder.glob("??/*"):
                ours = _OURS.fullmatch(f"{path.parent.name}/{path.name}")
                if ours is None or path.parent.is_symlink():
                    continue
                if path.lstat().st_mtime < oldest:
                    path.unlink()
        except OSError:
            return

    def _path(self, name: str) -> Path:
        return self.folder / name[:2] / f"{name}.json"


def _secret(folder: Path) -> bytes | None:
    """The folder's key, drawn if it has none; None, with a warning, if that cannot be done."""
    path = folder / "seal"
    try:
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            _write_whole(path, secrets.token_bytes(_KEY_BYTES), keep=True)
        found = path.read_bytes()
    except OSError as error:
        tell_refused(folder, error.strerror or str(error))
        return None
    if len(found) != _KEY_BYTES:
        tell_refused(folder, "its file seal is damaged: delete the folder")
        return None
    return found


def _write_whole(path: Path, data: bytes, *, keep: bool = False) -> None:
    """Write a file atomically; with `keep` an existing file is left as it is."""
    number, part = tempfile.mkstemp(dir=path.parent, prefix=".part-")  # readable by its owner alone
    try:
        with os.fdopen(number, "wb") as file:
            file.write(data)
        if not keep:
            os.replace(part, path)
            return
        with suppress(FileExistsError):
            os.link(part, path)
        os.unlink(part)
    except BaseException:
        Path(part).unlink(missing_ok=True)
        raise
