"""What Coq said before, in the folder where its files are: it saves work and changes no verdict."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from ropeproof.proofs_check.recheck.coq.export import BALL, POWERS
from ropeproof.proofs_check.run.cache.content import Unreadable, claim_digest
from ropeproof.proofs_check.run.cache.key import hashed
from ropeproof.proofs_check.run.cache.sources import PackageSources
from ropeproof.theory.language.claim import Claim

__all__ = ["KeptVerdicts"]

FILE = "kept.json"


def _readable(id: str, entry: Any) -> bool:
    """Whether an entry has the form that is written here, and is about this claim."""
    try:
        texts = [*entry["uses"], entry["name"], entry["file"]]
        return entry["verdict"]["id"] == id and all(isinstance(text, str) for text in texts)
    except (KeyError, TypeError):
        return False


def _hash(file: Path | None) -> str:
    """The hash of a compiled file; empty if there is none."""
    if file is None or not file.is_file():
        return ""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _version() -> str:
    return subprocess.run(["coqc", "--version"], capture_output=True, text=True, check=False).stdout


@dataclass
class KeptVerdicts:
    """Coq's verdicts by claim, each under the hash of what it depends on.

    That is the claim, those that it uses, the code that exports and reads, its library, and Coq.
    With `fresh` none of them is used.
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
        try:
            found = json.loads((self.folder / FILE).read_text(encoding="utf-8"))
            self.entries = {id: e for id, e in found.items() if _readable(id, e)}
        except (AttributeError, OSError, ValueError):
            self.entries = {}

    def find(self, claim: Claim, compiled: Path) -> Mapping[str, Any] | None:
        """The verdict as JSON if nothing that it depends on has changed, nor its compiled file."""
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
            or entry["file"] != _hash(compiled)
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
        """Keep a new verdict; those of claims that use this one are no longer of what is compiled."""
        self._drop({claim.id})
        if keep and self.names[claim.id] is not None:
            self.entries[claim.id] = {
                "name": self.names[claim.id],
                "uses": list(claim.uses),
                "verdict": dict(verdict),
                "file": _hash(compiled),
            }
        text = json.dumps(self.entries, indent=1)
        (self.folder / FILE).write_text(text + "\n", encoding="utf-8")

    def _drop(self, ids: Iterable[str]) -> None:
        stale = set(ids)
        while stale:
            for id in stale:
                self.entries.pop(id, None)
            stale = {i for i, e in self.entries.items() if stale & set(e["uses"])}
