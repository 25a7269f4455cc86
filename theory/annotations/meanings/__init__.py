"""The meanings of the symbols in claims, topic by topic."""

from __future__ import annotations

from ropeproof.theory.annotations.meanings.common import COMMON
from ropeproof.theory.annotations.meanings.descent import DESCENT
from ropeproof.theory.annotations.meanings.head import HEAD
from ropeproof.theory.annotations.meanings.library import LIBRARY
from ropeproof.theory.annotations.meanings.limits import LIMITS
from ropeproof.theory.annotations.meanings.posgen import CONFORM, POSGEN
from ropeproof.theory.annotations.meanings.rope import ROPE, SOFTMAX
from ropeproof.theory.annotations.meanings.slash import SLASH
from ropeproof.theory.annotations.meanings.table import Meaning, Table, shown_as, vector
from ropeproof.theory.annotations.meanings.tasks import TASKS
from ropeproof.theory.language.claim import Claim
from ropeproof.theory.topics.contents import CONTENTS

__all__ = ["Meaning", "Table", "is_of_catalogue", "meaning_in", "meaning_of", "shown_as", "vector"]

TABLES: dict[str, Table] = {
    **LIBRARY, **ROPE, **SOFTMAX, **SLASH, **DESCENT, **HEAD, **TASKS, **POSGEN, **CONFORM,
    **LIMITS,
}  # fmt: skip


def is_of_catalogue(claim: Claim) -> bool:
    """Whether a claim belongs to the catalogue: it has a catalogue id, and this project states it."""
    return claim.id in CONTENTS and claim.stated_in.startswith("ropeproof.")


def meaning_in(claim: Claim, name: str) -> Meaning | None:
    """The meaning of a name in a claim, as by `meaning_of`; None for a user's own claim.

    The tables speak of the catalogue's claims. A user's symbol with the same letter may stand
    for something else.
    """
    return meaning_of(claim.id, name) if is_of_catalogue(claim) else None


def meaning_of(id: str, name: str) -> Meaning | None:
    """The meaning of a name in a claim of the catalogue, given by the claim's id.

    It is taken from the claim's own table, else its topic's, else the common one. None for any other id. A
    function's name ends in `()`, a vector's of planes in `_xy`.
    """
    if id not in CONTENTS:
        return None
    known = sorted((p for p in TABLES if id == p or id.startswith(f"{p}.")), key=len, reverse=True)
    for table in (*(TABLES[p] for p in known), COMMON):
        found = table.get(name)
        if found is not None:
            return Meaning(found) if isinstance(found, str) else found
    return None
