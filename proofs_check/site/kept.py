"""What a build makes at great cost and would make alike each time: kept under the hash of what makes it.

Pictures, the output of the pages' Python, and source files in colour. Like a result of the checker, a
product is kept in the user's folder of cached results, sealed (`proofs_check/run/cache/store.py`), and found
only while the sources, the inputs and the versions that it depends on are the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

from ropeproof.proofs_check.run.cache import key
from ropeproof.proofs_check.run.cache.sources import PackageSources
from ropeproof.proofs_check.run.cache.store import Store
from ropeproof.proofs_check.semantics.profiles import PROFILES

__all__ = ["Products", "hash_of_files"]

T = TypeVar("T")
_SECONDS = 5.0
"""Between two writes, each of which reads all sources again."""
_PACKAGES = ("matplotlib", "contourpy", "fonttools", "pillow", "pygments", "ropeproof")


class Products:
    """The products of earlier builds in a store; those of this build are added to it.

    Nothing is written once a source has changed since this was opened. Call `write` at the end of a build.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._sources = PackageSources()
        self._everything = self._sources.digest
        self._waiting: dict[str, Any] = {}
        self._written = monotonic()
        self._environment = {
            "checked": key.environment(PROFILES["quick"]),
            "drawn": {name: _version(name) for name in _PACKAGES},
        }

    @classmethod
    def of_user(cls) -> Products | None:
        """The products in the user's folder of cached results; None where nothing can be cached."""
        store = Store.of_user()
        return cls(store) if store is not None and store.usable else None

    @property
    def everything(self) -> str:
        """The hash of all of the package's sources."""
        return self._everything

    def reach(self, *modules: str) -> str:
        """The hash of the sources that can matter to what these modules compute."""
        return self._sources.reach(*modules)

    def begin(
        self,
        depends_on: Any,
        start: Callable[[], Callable[[], T]],
        pack: Callable[[T], Any],
        unpack: Callable[[Any], T],
    ) -> Callable[[], T]:
        """Start to make a product unless it is kept; call the result to wait for it.

        `depends_on` is a JSON value that tells this product from all others, with hashes of what makes
        it. `start` begins the work and returns the function that waits for it; `pack` turns the product
        into a JSON value, or into None if it is not to be kept, and `unpack` turns that back.
        """
        name = key.hashed([self._environment, depends_on])
        kept = self._store.read(name)
        if kept is not None:
            return lambda: unpack(kept)
        wait = start()

        def made() -> T:
            product = wait()
            content = pack(product)
            if content is not None:
                self._waiting[name] = content
            if monotonic() - self._written > _SECONDS:
                self.write()
            return product

        return made

    def write(self) -> None:
        """Write what was made so far, if the sources are still those that made it."""
        if self._waiting and PackageSources().digest == self._everything:
            for name, content in self._waiting.items():
                self._store.write(name, content)
        self._waiting.clear()
        self._written = monotonic()


def hash_of_files(folder: Path, pattern: str) -> str:
    """The hash of the names and bytes of the files below a folder that match a pattern."""
    total = hashlib.sha256()
    for path in sorted(folder.rglob(pattern)):
        if path.is_file() and "__pycache__" not in path.parts:
            shown = path.relative_to(folder).as_posix()
            total.update(f"{shown} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return total.hexdigest()


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None
