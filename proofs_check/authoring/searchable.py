"""The searchable parts of claims, from a cache that is valid while the sources are unchanged."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sympy as sp

from ropeproof.proofs_check.authoring import patterns
from ropeproof.proofs_check.reports.listing import sources
from ropeproof.proofs_check.run.cache import formulas
from ropeproof.proofs_check.run.cache.store import Store
from ropeproof.theory.language.claim import Claim
from ropeproof.theory.language.logic import Every, Some
from ropeproof.theory.topics.catalogue import CLAIMS

__all__ = ["Searchable", "searchable"]

_CALLED: Mapping[Any, str] = {
    sp.Sum: "sum",
    sp.exp: "exponential exp",
    sp.log: "logarithm log ln",
    sp.cos: "cosine cos",
    sp.sin: "sine sin",
    sp.Abs: "absolute value",
    sp.floor: "floor",
    sp.Max: "maximum largest",
    sp.Min: "minimum least",
    sp.Eq: "equal equals identity",
    sp.Le: "most least bound inequality",
    sp.Lt: "less greater bound inequality strict",
    Every: "all every",
    Some: "some exists",
}


@dataclass(frozen=True)
class Searchable:
    """The searchable parts of a theorem or definition.

    `called` are words for the parts of its conclusion. `kept` are the relations that it
    concludes as JSON (`kept.formulas`); None where they must be read from the claim.
    """

    id: str
    title: str
    statement: str
    called: str
    kept: tuple[Any, ...] | None

    def relations(self, claims: Mapping[str, Claim]) -> Iterator[Any]:
        """The relations that the claim concludes."""
        if self.kept is not None:
            return map(formulas.formula, self.kept)
        return patterns.relations_of(claims[self.id].conclusion)


def searchable(claims: Mapping[str, Claim]) -> list[Searchable]:
    """The theorems and definitions of a catalogue in order, the project's from the cache."""
    store = Store.of_user() if claims is CLAIMS else None
    if store is None:
        return _of(claims.values(), kept=False)
    name = _name()
    found = _read(store.read(name))
    if found is None:
        found = _of(claims.values(), kept=True)
        store.write(name, [[s.id, s.title, s.statement, s.called, s.kept] for s in found])
    return found


def _of(claims: Iterable[Claim], *, kept: bool) -> list[Searchable]:
    return [
        Searchable(
            c.id,
            c.title,
            c.statement,
            " ".join(sorted(_called(c.conclusion))),
            _relations(c.conclusion) if kept else None,
        )
        for c in claims
        if c.kind in ("theorem", "definition")
    ]


def _relations(conclusion: Any) -> tuple[Any, ...] | None:
    found = tuple(map(formulas.written, patterns.relations_of(conclusion)))
    return None if None in found else found


def _called(conclusion: Any) -> set[str]:
    """Words for the parts of a formula, such as "sum"."""
    found: set[str] = set()
    seen: set[Any] = set()
    left = [conclusion]
    while left:
        part = left.pop()
        if part in seen or not isinstance(part, sp.Basic):
            continue
        seen.add(part)
        found.add(_CALLED.get(part.func, ""))
        left += part.args
    return found - {""}


def _name() -> str:
    """The cache key: a hash of the sources that determine the content, and of SymPy's version."""
    digest = hashlib.sha256(f"search, SymPy {sp.__version__}\0{sources()}".encode())
    for path in (__file__, patterns.__file__, formulas.__file__):
        digest.update(b"\0" + Path(str(path)).read_bytes())
    return digest.hexdigest()


def _read(content: Any) -> list[Searchable] | None:
    """The content read back from the cache; None if there is none."""
    if not content:
        return None
    return [
        Searchable(id, title, statement, called, None if kept is None else tuple(kept))
        for id, title, statement, called, kept in content
    ]
