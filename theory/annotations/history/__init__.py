"""The history of each claim's id, read from `changes.txt` beside this file.

An id is permanent: a claim that was taken back keeps its lines, and a statement that changes gets one.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from types import MappingProxyType

__all__ = ["Change", "changes"]


@dataclass(frozen=True)
class Change:
    """A dated change of an id; `note` is `added`, or what a reader who cited it needs to know."""

    day: date
    id: str
    note: str


@functools.cache
def changes() -> Mapping[str, tuple[Change, ...]]:
    """The changes of each id, oldest first.

    Raises `ValueError`, with the line, where the file does not have its form: date, id, note, two spaces
    between.
    """
    found: dict[str, list[Change]] = {}
    text = Path(__file__).with_name("changes.txt").read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = line.split("  ", 2)
        if len(parts) != 3 or not all(part.strip() for part in parts):
            raise ValueError(
                f"changes.txt, line {number}: date, id and note with two spaces between"
            )
        change = Change(date.fromisoformat(parts[0]), parts[1], parts[2])
        found.setdefault(change.id, []).append(change)
    return MappingProxyType(
        {id: tuple(sorted(listed, key=lambda c: c.day)) for id, listed in found.items()}
    )
