"""What the symbols of the claims stand for, topic by topic."""

from __future__ import annotations

from ropeproof.theory.annotations.meanings.common import COMMON
from ropeproof.theory.annotations.meanings.descent import DESCENT
from ropeproof.theory.annotations.meanings.head import HEAD
from ropeproof.theory.annotations.meanings.library import LIBRARY
from ropeproof.theory.annotations.meanings.posgen import CONFORM, POSGEN
from ropeproof.theory.annotations.meanings.rope import ROPE, SOFTMAX
from ropeproof.theory.annotations.meanings.slash import SLASH
from ropeproof.theory.annotations.meanings.table import Meaning, Table, shown_as, vector
from ropeproof.theory.annotations.meanings.tasks import TASKS

__all__ = ["Meaning", "Table", "meaning_of", "shown_as", "vector"]

TABLES: dict[str, Table] = {
    **LIBRARY, **ROPE, **SOFTMAX, **SLASH, **DESCENT, **HEAD, **TASKS, **POSGEN, **CONFORM,
}  # fmt: skip


def meaning_of(id: str, name: str) -> Meaning | None:
    """What a name means in a claim: as its own table says, else its topic's, else the common one.

    A function's name ends in `()`, a vector's of planes in `_xy`.
    """
    known = sorted((p for p in TABLES if id == p or id.startswith(f"{p}.")), key=len, reverse=True)
    for table in (*(TABLES[p] for p in known), COMMON):
        found = table.get(name)
        if found is not None:
            return Meaning(found) if isinstance(found, str) else found
    return None
