"""The cached results of one run: those that exist, and those that it adds."""

from __future__ import annotations

import hashlib
import os
import secrets
import sys
import sysconfig
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

from ropeproof.proofs_check.run.cache import index as indices
from ropeproof.proofs_check.run.cache import key
from ropeproof.proofs_check.run.cache import record as records
from ropeproof.proofs_check.run.cache.sources import PackageSources
from ropeproof.proofs_check.run.cache.store import Store
from ropeproof.proofs_check.run.items import Item, Result, items_of, planned_items
from ropeproof.proofs_check.run.library import Library, closure
from ropeproof.proofs_check.run.status import STATEMENT
from ropeproof.proofs_check.semantics.profiles import profile
from ropeproof.theory.language.claim import Claim

__all__ = ["Kept"]

_SECONDS = 5.0


class Kept:
    """The cached results for a profile and the files of a user's own claims.

    Open it before the sources are imported: what is added is taken for a result of the sources as
    they are when it is opened. They are read again before anything is written, and if one has
    changed in between nothing is.

    Results found beside a user's files are kept for these files alone, under their text; of the
    project's own claims only what a run without such files found is used. The findings of the files' own
    evidence are not kept: they may rest on whatever its code reads while it runs, such as other files,
    the environment or the clock.
    """

    def __init__(self, store: Store, profile_name: str, modules: Sequence[str] = ()) -> None:
        self._store = store
        self._sources = PackageSources()
        self._environment = key.environment(profile(profile_name))
        self._modules = tuple(modules)
        self._texts = _texts(self._modules)
        self._names: dict[Item, str] = {}
        self._readable: dict[Item, str] = {}
        self._followed: dict[str, str] = {}
        self._waiting: list[Result] = []
        self._written = monotonic()

    @classmethod
    def open(cls, profile_name: str, modules: Sequence[str] = ()) -> Kept | None:
        """The cached results of a profile; None where nothing can be cached.

        That is so for a profile that draws anew, and without a folder that can be used.
        """
        store = None if profile(profile_name).fresh else Store.of_user()
        try:
            return cls(store, profile_name, modules) if store and store.usable else None
        except OSError:
            return None

    def index(self, chosen: Sequence[str]) -> indices.Index | None:
        """The index of the chosen claims and those they use, if an earlier run of these sources wrote it."""
        if self._modules:
            return None
        for name in (self._index_name(), self._index_name(chosen)):
            found = indices.read(self._store.read(name))
            if found is not None and all(id in found.claims for id in chosen):
                self._names = self._readable = dict(found.names)
                return found
        return None

    def learn(self, library: Library, chosen: Sequence[str] | None = None) -> None:
        """Compute the names under which the results of a check of the chosen claims are cached.

        Without `chosen`, those of the whole library.
        """
        whole = chosen is None or len(chosen) == len(library.claims)
        items = planned_items(library, list(library.claims) if whole else list(chosen or ()))
        names = self._named(library, items)
        own = {item for item in names if self._of_user(library, item)}
        self._readable = names
        self._names = {item: names[item] for item in (own if self._modules else names)}
        if not self._modules:
            self._store.tidy()
            if self._unchanged():
                self._list(library, items, names, None if whole else list(chosen or ()))

    def _list(
        self,
        library: Library,
        items: Mapping[str, Sequence[Item]],
        names: Mapping[Item, str],
        chosen: Sequence[str] | None,
    ) -> None:
        """Write the index of the chosen claims, and one for each alone, which `show` asks for."""
        several = [] if chosen is None else [[id] for id in chosen if len(chosen) > 1]
        for of in (chosen, *several):
            wanted = list(items) if of is chosen else closure(library.claims, of or ())
            found = indices.Index(
                {id: library.claims[id] for id in wanted},
                {id: items[id] for id in wanted},
                {item: names[item] for id in wanted for item in items[id] if item in names},
            )
            self._store.write(self._index_name(of), indices.written(found))

    def find(self, item: Item) -> Result | None:
        """The cached result of an item, None if there is none."""
        name = self._readable.get(item)
        return None if name is None else records.read(self._store.read(name), item)

    def add(self, result: Result) -> None:
        """Cache a result, if it may be cached; it may be written somewhat later."""
        if result.item in self._names and not result.record.kept and records.keepable(result):
            self._waiting.append(result)
            if monotonic() - self._written > _SECONDS:
                self.write()

    def write(self) -> None:
        """Write the results that were added since the last time."""
        if self._waiting and self._unchanged():
            for result in self._waiting:
                self._store.write(self._names[result.item], records.written(result))
        self._waiting, self._written = [], monotonic()

    def _index_name(self, chosen: Sequence[str] | None = None) -> str:
        """The name of the index of the chosen claims; without `chosen`, of the whole catalogue."""
        of = None if chosen is None else sorted(chosen)
        return key.hashed(["index", dict(self._environment), self._sources.digest, of])

    def _unchanged(self) -> bool:
        with suppress(OSError):
            same = PackageSources().digest == self._sources.digest
            return same and _texts(self._modules) == self._texts
        return False

    def _of_user(self, library: Library, item: Item) -> bool:
        from ropeproof.theory import CLAIMS

        entry = _entry(library, item)
        house = entry is None or entry.run.__module__ in self._sources.files
        return not house or item.claim not in CLAIMS

    def _of_sources(self, what: str, find: Callable[[PackageSources], str]) -> str:
        """A hash that follows from the sources alone, computed once for these sources and cached."""
        if what not in self._followed:
            name = key.hashed(["of the sources", self._sources.digest, what])
            known = self._store.read(name)
            if not isinstance(known, str):
                known = find(self._sources)
                self._store.write(name, known)
            self._followed[what] = known
        return self._followed[what]

    def _named(self, library: Library, wanted: Mapping[str, Sequence[Item]]) -> dict[Item, str]:
        from ropeproof.proofs_check.run.cache.content import (
            Unreadable,
            claim_digest,
            statement_digest,
        )

        def kept(item: Item) -> bool:
            return _entry(library, item) is None or not self._of_user(library, item)

        judging, beside = self._of_sources("judge", key.judge), _user_code(self._texts)
        bare = Library(library.claims, {})
        statements: dict[str, str] = {}
        names: dict[Item, str] = {}

        def statement(id: str) -> str:
            if id not in statements:
                statements[id] = statement_digest(library.claims[id])
            return statements[id]

        def name(claim: Claim, content: str, item: Item) -> str:
            entry = _entry(library, item)
            run_by: list[Any] = [judging] if item in items_of(bare, claim.id) else []
            if entry is not None:
                home = entry.run.__module__
                run_by.append(
                    self._of_sources(home, lambda sources: key.registered_evidence(sources, home))
                )
            return key.hashed(
                {
                    "item": [item.claim, item.kind, item.name],
                    "claim": content,
                    "uses": {id: statement(id) for id in claim.uses},
                    "environment": dict(self._environment),
                    "run by": run_by,
                    "beside": beside if self._of_user(library, item) else None,
                }
            )

        for id, items in wanted.items():
            claim = library.claims[id]
            with suppress(Unreadable):
                content = claim_digest(claim)
                names.update({i: name(claim, content, i) for i in filter(kept, items)})
        return names


def _entry(library: Library, item: Item) -> Any:
    """The registered evidence that an item runs; None where the claim itself determines what to run."""
    if item.kind == "proof" or (item.kind, item.name) == ("property", STATEMENT):
        return None
    entries = library.evidence.get(item.claim, ())
    return next((e for e in entries if (e.kind, e.name) == (item.kind, item.name)), None)


def _texts(paths: Sequence[str]) -> Mapping[str, str]:
    """The hash of each file's content, by path; raises `OSError`."""
    return {path: hashlib.sha256(Path(path).read_bytes()).hexdigest() for path in paths}


def _user_code(texts: Mapping[str, str]) -> str:
    """The hash of a user's files and of every module that they may have loaded from beside them."""
    try:
        return key.hashed([dict(texts), dict(_texts(sorted(_users_modules())))])
    except OSError:
        return secrets.token_hex()  # found again by nobody


def _users_modules() -> Iterator[str]:
    """Yield the files of loaded modules that belong neither to this package nor to the installation."""
    places = ("stdlib", "platstdlib", "purelib", "platlib")
    installed = tuple(str(Path(sysconfig.get_path(place)).resolve()) for place in places)
    for name, module in list(sys.modules.items()):
        path = getattr(module, "__file__", None)
        if not path or name.startswith("ropeproof") or not path.endswith(".py"):
            continue
        if not (os.path.isabs(path) or os.path.exists(path)):
            continue  # torch.ops and others, made by hand: what is imported has a whole path
        if not str(Path(path).resolve()).startswith(installed):
            yield str(path)
