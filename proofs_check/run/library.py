"""The catalogue with its evidence, joined by the claims of the user's files; built once."""

from __future__ import annotations

import gc
import hashlib
import importlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ropeproof.proofs_check.run import refused
from ropeproof.theory.language.claim import Claim, catalogue

if TYPE_CHECKING:
    from ropeproof.proofs_check.evidence import Evidence

__all__ = ["LOADED", "Library", "closure", "given_files", "load", "undisturbed"]


@dataclass(frozen=True)
class Library:
    """The catalogue with the evidence registered for it; `stamp` tells the users' claims apart.

    `texts` are the hashes of the users' files as they were read.
    """

    claims: Mapping[str, Claim]
    evidence: Mapping[str, tuple[Evidence, ...]]
    stamp: str = ""
    texts: tuple[str, ...] = ()


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
"""What judges, with the kernel and the libraries that it imports: all of it is there before a user's
file runs, so that nothing can come into its place, and what the file replaces is seen."""


def load(modules: Sequence[str] = ()) -> Library:
    """The project's catalogue, joined by the claims that the user's files register.

    Without such files no claim is read yet: the catalogue reads each when it is asked for. Beside
    them all of it is, before any of their code runs. A file that has changed since is read again.

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
    from ropeproof.proofs_check.run.modules import claims_of, stamp
    from ropeproof.theory.topics.catalogue import whole_catalogue

    for name in _JUDGES:
        with suppress(ModuleNotFoundError):  # of an extra that is not installed: it judges nothing
            importlib.import_module(f"ropeproof.proofs_check.{name}")
    with undisturbed():
        claims = list(whole_catalogue().values())
    len(_Registered())  # the project's own is loaded before any user's code
    own = [claim for path in paths for claim in claims_of(path)]
    return Library(catalogue(claims + own), _Registered(), stamp(own), texts)


def given_files(modules: Sequence[str]) -> Sequence[str]:
    """The user's files; one string is one file."""
    return (modules,) if isinstance(modules, str) else modules


def closure(claims: Mapping[str, Claim], chosen: Iterable[str]) -> list[str]:
    """The ids that are chosen and those that these use, in the order of the catalogue."""
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
    """Build claims, which are there to stay: the search for garbage need not look through them."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
            gc.freeze()


class _Registered(Mapping[str, "tuple[Evidence, ...]"]):
    """All registered evidence, loaded when some is asked for: a proof does without.

    What is registered for a claim when it is first asked for counts, whatever is registered later.
    """

    def __init__(self) -> None:
        self._found: dict[str, tuple[Evidence, ...]] = {}
        self._whole = False

    def _all(self) -> Mapping[str, tuple[Evidence, ...]]:
        if not self._whole:
            from ropeproof.proofs_check.run.registry import registered

            self._found = {**registered(), **self._found}
            self._whole = True
        return {id: found for id, found in self._found.items() if found}

    def __getitem__(self, id: str) -> tuple[Evidence, ...]:
        if id not in self._found and not self._whole:
            from ropeproof.proofs_check.run.registry import registered_about

            self._found[id] = registered_about(id)
        if not self._found.get(id):
            raise KeyError(id)
        return self._found[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())
