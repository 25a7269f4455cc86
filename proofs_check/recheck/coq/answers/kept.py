"""Cached verdicts of Coq, in the folder of its files: they save work and change no verdict.

Each verdict carries the seal of the folder, over the claim's id, the verdict, the hashes of the file
printed for Coq and of the one that Coq compiled, and the hash of everything else on which it depends,
Coq's version and libraries included. A verdict without a valid seal is ignored.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from ropeproof.proofs_check.recheck.coq.answers.process import _version, file_hash
from ropeproof.proofs_check.recheck.coq.export import BALL, POWERS
from ropeproof.proofs_check.run.cache.content import Unreadable, claim_digest
from ropeproof.proofs_check.run.cache.key import hashed
from ropeproof.proofs_check.run.cache.sources import PackageSources
from ropeproof.proofs_check.run.cache.store import Seal
from ropeproof.theory.language.claim import Claim

__all__ = ["KeptVerdicts"]

FILE = "kept.json"


_SEALED = ("name", "uses", "verdict", "printed", "file")


def _readable(id: str, entry: Any, seal: Seal) -> bool:
    """Whether a cached entry was written here, for this claim, and is unchanged."""
    if not isinstance(entry, dict) or set(entry) != {*_SEALED, "seal"}:
        return False
    if not seal.holds(f"verdict {id}", {part: entry[part] for part in _SEALED}, entry["seal"]):
        return False
    verdict = entry["verdict"]
    return isinstance(verdict, dict) and verdict.get("id") == id


def _printed(compiled: Path | None) -> Path | None:
    """The source file printed for Coq, given the path of its compiled file."""
    return None if compiled is None else compiled.with_suffix(".v")


@dataclass
class KeptVerdicts:
    """Cached verdicts of Coq by claim, each under the hash of everything on which it depends.

    That is the claim, the claims it uses, the code that exports and reads, its library, and Coq.
    With `fresh` no cached verdict is used.
    """

    folder: Path
    fresh: bool = False
    entries: dict[str, Any] = field(default_factory=dict)
    names: dict[str, str | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        place = files("ropeproof.proofs_check.recheck.coq")
        base = [
            place.joinpath(f"theories/{m}.v").read_text(encoding="utf-8")
            for m in ("Base", POWERS, BALL)
        ]
        code = PackageSources().reach("ropeproof.proofs_check.recheck.coq.answers.check")
        self.basis = hashed([_version(), base, code])
        self._seal = Seal(self.folder)
        try:
            found = json.loads((self.folder / FILE).read_bytes())
            self.entries = {id: e for id, e in found.items() if _readable(id, e, self._seal)}
        except (AttributeError, OSError, ValueError, RecursionError):
            self.entries = {}

    def find(self, claim: Claim, compiled: Path) -> Mapping[str, Any] | None:
        """The cached verdict as JSON, or None if its dependencies or files have changed.

        The files are the one printed for Coq and the one that Coq made of it, `compiled`.
        """
        used = [self.names.get(u) for u in claim.uses]
        try:
            name = None if None in used else hashed([self.basis, claim_digest(claim), used])
        except Unreadable:
            name = None
        self.names[claim.id] = name
        entry = self.entries.get(claim.id)
        if (
            self.fresh
            or name is None
            or not entry
            or entry["name"] != name
            or not compiled.exists()
            or entry["file"] != file_hash(compiled)
            or entry["printed"] != file_hash(_printed(compiled))
        ):
            return None
        found: Mapping[str, Any] = entry["verdict"]
        return found

    def add(
        self,
        claim: Claim,
        verdict: Mapping[str, Any],
        *,
        keep: bool,
        compiled: Path | None = None,
    ) -> None:
        """Cache a new verdict, and drop those of claims that use this one, now out of date."""
        self._drop({claim.id})
        if keep and self.names[claim.id] is not None:
            entry = {
                "name": self.names[claim.id],
                "uses": list(claim.uses),
                "verdict": dict(verdict),
                "printed": file_hash(_printed(compiled)),
                "file": file_hash(compiled),
            }
            entry["seal"] = self._seal.of(f"verdict {claim.id}", entry)
            self.entries[claim.id] = entry
        text = json.dumps(self.entries, indent=1)
        (self.folder / FILE).write_text(text + "\n", encoding="utf-8")

    def _drop(self, ids: Iterable[str]) -> None:
        stale = set(ids)
        while stale:
            for id in stale:
                self.entries.pop(id, None)
            stale = {i for i, e in self.entries.items() if stale & set(e["uses"])}
