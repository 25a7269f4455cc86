"""The recorded statement of each claim, as a digest, read from `statements.txt` beside this file.

A statement that changes without a line in `changes.txt` is found by comparing the two.
`python maintenance/write_contents.py` records the statements anew.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from ropeproof.theory.annotations.history import Change, changes
from ropeproof.theory.language.claim import Claim

__all__ = ["Recorded", "digest", "read", "recorded", "renewed", "written"]

PLACE = Path(__file__).with_name("statements.txt")

HEAD = (
    "# What each claim states: id, number of its lines in changes.txt, digest of its kind, hypotheses and\n"
    "# conclusion. Written by `python maintenance/write_contents.py`, which refuses a changed digest while\n"
    "# changes.txt has no new line.\n"
)


@dataclass(frozen=True)
class Recorded:
    """The record of a claim: its number of lines of history, and the digest of its statement."""

    lines: int
    digest: str


def digest(claim: Claim) -> str:
    """The first 16 hexadecimal digits of the SHA-256 of what a claim formally states.

    Read are its kind, the set of its hypotheses and its conclusion, names of symbols included; for a claim
    without a conclusion its prose. Proof, title, wording, source and attack are not part of it.
    """
    import sympy as sp

    def text(formula: object) -> str:
        return str(sp.srepr(formula)).replace("ropeproof.", "")

    said = claim.statement if claim.conclusion is None else text(claim.conclusion)
    parts = [claim.kind, *sorted(text(h.formula) for h in claim.hypotheses), said]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def read(text: str) -> Mapping[str, Recorded]:
    """The records in a text of the form of `statements.txt`, by id; raises `ValueError` with the line."""
    found = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = line.split()
        if len(parts) != 3 or not parts[1].isdigit():
            raise ValueError(f"statements.txt, line {number}: id, number of lines and digest")
        found[parts[0]] = Recorded(int(parts[1]), parts[2])
    return MappingProxyType(found)


def recorded() -> Mapping[str, Recorded]:
    """The records in `statements.txt`, by id; empty if there is no such file."""
    return read(PLACE.read_text(encoding="utf-8")) if PLACE.is_file() else MappingProxyType({})


def renewed(
    claims: Iterable[Claim],
    before: Mapping[str, Recorded] | None = None,
    history: Mapping[str, tuple[Change, ...]] | None = None,
    *,
    same: Iterable[str] = (),
) -> tuple[Mapping[str, Recorded], tuple[str, ...]]:
    """The records of the claims as they are, and the ids whose statement changed without a line of history.

    `same` are ids whose formula is written in another way and says the same. An id that is refused keeps
    what was recorded; without `before` and `history` the two files are read.
    """
    before = recorded() if before is None else before
    history = changes() if history is None else history
    same = frozenset(same)
    found, refused = {}, []
    for claim in claims:
        now = Recorded(len(history.get(claim.id, ())), digest(claim))
        old = before.get(claim.id)
        silent = old is not None and old.digest != now.digest and now.lines <= old.lines
        if old is not None and silent and claim.id not in same:
            refused.append(claim.id)
            now = old
        found[claim.id] = now
    return MappingProxyType(found), tuple(refused)


def written(record: Mapping[str, Recorded]) -> str:
    """The text of `statements.txt` for some records, sorted by id."""
    return HEAD + "".join(f"{id} {r.lines} {r.digest}\n" for id, r in sorted(record.items()))
