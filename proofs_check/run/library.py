"""The library of a run: the catalogue and its evidence, joined by the users' claims; built once."""

from __future__ import annotations

import gc
import hashlib
import importlib
from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from ropeproof.proofs_check.run import refused
from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language.claim import Catalogue, Claim, checked

if TYPE_CHECKING:
    from ropeproof.proofs_check.evidence import Evidence
    from ropeproof.proofs_check.run.apart.host import Host

__all__ = ["LOADED", "Joined", "Library", "closure", "given_files", "load", "undisturbed"]


@dataclass(frozen=True)
class Library:
    """The catalogue with the evidence registered for it; `stamp` is the hash of the users' claims.

    `texts` are the hashes of the users' files as they were read, `hosts` the hosts that run them.
    """

    claims: Mapping[str, Claim]
    evidence: Mapping[str, tuple[Evidence, ...]]
    stamp: str = ""
    texts: tuple[str, ...] = ()
    hosts: tuple[Host, ...] = ()


LOADED: dict[tuple[str, ...], Library] = {}
_JUDGES = (
    "attack.antecedents",
    "attack.mutants",
    "attack.statement",
    "evidence.certify",
    "recheck.coq.answers.check",
    "recheck.second_solver",
    "run.proving",
)
"""What judges, with the kernel and the libraries that it imports: all of it is read before a user's
file runs, which could put other files in their places."""


def load(modules: Sequence[str] = ()) -> Library:
    """The project's catalogue, joined by the claims that the user's files register.

    No claim of the catalogue is read yet: each is read when it is asked for. A user's file runs in a
    process of its own. One that has changed since is read again.

    Such a file is Python that states claims; `modules.claims_of` says what is refused. Raises
    `InvalidArgument` for such a file, `InvalidClaim` for a broken claim.
    """
    paths = tuple(dict.fromkeys(str(Path(m).resolve()) for m in given_files(modules)))
    texts = tuple(map(_text, paths))
    if paths not in LOADED or LOADED[paths].texts != texts:
        LOADED[paths] = _with_files(paths, texts) if paths else _without_files()
    for path in paths:
        refused.tell(path)
    return LOADED[paths]


def _text(path: str) -> str:
    """The hash of a file; empty if it cannot be read."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return ""


def _without_files() -> Library:
    from ropeproof.theory import CLAIMS

    return Library(CLAIMS, _Registered())


def _with_files(paths: Sequence[str], texts: tuple[str, ...]) -> Library:
    from ropeproof.proofs_check.run.apart.host import Host
    from ropeproof.proofs_check.run.modules import looked_at, stamp
    from ropeproof.theory import CLAIMS

    for name in _JUDGES:
        with suppress(ModuleNotFoundError):  # of an extra that is not installed: it judges nothing
            importlib.import_module(f"ropeproof.proofs_check.{name}")
    hosts = [Host(path) for path in paths]
    for host in hosts:
        host.start()  # beside each other
    claims: list[Claim] = []
    evidence: dict[str, tuple[Evidence, ...]] = {}
    for host in hosts:
        own, found = looked_at(host)
        claims += own
        evidence.update(found)
    with undisturbed():
        joined = Joined(CLAIMS, claims)
    return Library(joined, _Registered(joined.own, evidence), stamp(claims), texts, tuple(hosts))


class Joined(Catalogue):
    """The project's catalogue with the users' claims after it; each claim is read when it is asked for."""

    __slots__ = ("_catalogue",)
    _catalogue: Mapping[str, Claim]

    def __init__(self, catalogue: Mapping[str, Claim], own: Iterable[Claim]) -> None:
        """Join the users' claims `own`; raises `InvalidClaim` where they break a catalogue's contract."""
        object.__setattr__(self, "_catalogue", catalogue)
        object.__setattr__(self, "_claims", {})
        stated: dict[str, Claim] = {}
        for claim in own:
            if claim.id in self or claim.id in stated:
                raise InvalidClaim(f"duplicate claim id {claim.id!r}")
            stated[claim.id] = claim
        whole = ChainMap(stated, catalogue)  # type: ignore[arg-type]  # read only
        ordered = [id for id in checked(whole, stated) if id in stated]
        object.__setattr__(self, "_claims", MappingProxyType({id: stated[id] for id in ordered}))

    @property
    def own(self) -> frozenset[str]:
        """The ids of the users' claims."""
        return frozenset(self._claims)

    def __getitem__(self, id: str) -> Claim:
        return self._claims[id] if id in self._claims else self._catalogue[id]

    def __contains__(self, id: object) -> bool:
        return id in self._claims or id in self._catalogue

    def __iter__(self) -> Iterator[str]:
        yield from self._catalogue
        yield from self._claims

    def __len__(self) -> int:
        return len(self._catalogue) + len(self._claims)

    def __or__(self, other: Mapping[str, Claim]) -> dict[str, Claim]:
        """The claims of both mappings in a dictionary; for a common id the claim of `other`."""
        return {**self, **other}


def given_files(modules: Sequence[str]) -> Sequence[str]:
    """The user's files as a sequence of paths; a single string is one file."""
    return (modules,) if isinstance(modules, str) else modules


def closure(claims: Mapping[str, Claim], chosen: Iterable[str]) -> list[str]:
    """The ids of the chosen claims and of those they use, in the order of the catalogue."""
    wanted: set[str] = set()
    left = list(chosen)
    while left:
        id = left.pop()
        if id not in wanted:
            wanted.add(id)
            left += claims[id].uses
    return [id for id in claims if id in wanted]


@contextmanager
def undisturbed() -> Iterator[None]:
    """A context for building claims without garbage collection, which afterwards skips them for good."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
            gc.freeze()


class _Registered(Mapping[str, "tuple[Evidence, ...]"]):
    """All registered evidence by claim id, loaded when some is asked for: a proof does without.

    What is registered for a claim when it is first asked for counts, whatever is registered later.
    The users' claims, `own`, have the evidence of their files and no other.
    """

    def __init__(
        self, own: Iterable[str] = (), evidence: Mapping[str, tuple[Evidence, ...]] | None = None
    ) -> None:
        self._own = {id: (evidence or {}).get(id, ()) for id in own}
        self._found: dict[str, tuple[Evidence, ...]] = {}
        self._whole = False

    def _all(self) -> Mapping[str, tuple[Evidence, ...]]:
        if not self._whole:
            from ropeproof.proofs_check.run.registry import registered

            self._found = {**registered(), **self._found}
            self._whole = True
        return {id: found for id, found in (self._found | self._own).items() if found}

    def __getitem__(self, id: str) -> tuple[Evidence, ...]:
        if id not in self._own and id not in self._found and not self._whole:
            from ropeproof.proofs_check.run.registry import registered_about

            self._found[id] = registered_about(id)
        found = self._own[id] if id in self._own else self._found.get(id)
        if not found:
            raise KeyError(id)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())
