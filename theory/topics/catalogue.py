"""The topics, in the order in which a reader meets them, and the catalogue that they make up.

Importing this file loads no topic. The ids of the catalogue are literals (`contents`); the module
that states a claim is imported when the claim is asked for, and a topic when its claims are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from types import ModuleType

from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language.claim import Catalogue, Claim, catalogue, stated_by
from ropeproof.theory.lazy_topics import claims_of
from ropeproof.theory.topics.contents import CONTENTS, TOPIC_NAMES, package_of

__all__ = ["CLAIMS", "TOPICS", "Listed", "is_of_catalogue", "whole_catalogue"]

_WRITE = "`python maintenance/write_contents.py` lists the claims anew"


class _Topics(Mapping[str, ModuleType]):
    """The module of each topic by its name, imported when it is asked for."""

    __slots__ = ()

    def __getitem__(self, name: str) -> ModuleType:
        if name not in TOPIC_NAMES:
            raise KeyError(name)
        return import_module(package_of(name))

    def __iter__(self) -> Iterator[str]:
        return iter(TOPIC_NAMES)

    def __len__(self) -> int:
        return len(TOPIC_NAMES)


class Listed(Catalogue):
    """The claims that `contents` lists, each read from its module when it is asked for.

    Raises `InvalidClaim` where a module states other claims than those that are listed for it.
    """

    __slots__ = ("_read",)
    _read: dict[str, Claim]

    def __init__(self) -> None:
        object.__setattr__(self, "_read", {})

    def __getitem__(self, id: str) -> Claim:
        if id not in self._read:
            self._read.update(_stated(CONTENTS[id].module))
        return self._read[id]

    def __iter__(self) -> Iterator[str]:
        return iter(CONTENTS)

    def __contains__(self, id: object) -> bool:
        return id in CONTENTS

    def __len__(self) -> int:
        return len(CONTENTS)

    def __or__(self, other: Mapping[str, Claim]) -> dict[str, Claim]:
        """The claims of both; of one id the other's."""
        return {**self, **other}


def _stated(name: str) -> dict[str, Claim]:
    """The claims of one module of `theory` by their ids, if they are those that are listed."""
    from ropeproof.theory import sympy_speed  # SymPy: only where a claim is read

    with sympy_speed.faster():
        module = import_module(f"ropeproof.theory.{name}")
    found = {claim.id: claim for claim in stated_by(module)}
    listed = {id for id, entry in CONTENTS.items() if entry.module == name}
    if found.keys() != listed:
        other = ", ".join(sorted(found.keys() ^ listed))
        raise InvalidClaim(
            f"{module.__name__}: it or `theory/topics/contents.py` lacks {other}; {_WRITE}"
        )
    return found


TOPICS: Mapping[str, ModuleType] = _Topics()
"""The module of each topic; its `CLAIMS` are the topic's claims."""

CLAIMS: Mapping[str, Claim] = Listed()
"""Every claim by its id; each comes after those that it uses."""


def is_of_catalogue(claim: Claim) -> bool:
    """Whether a claim belongs to the catalogue: it has a catalogue id, and this project states it."""
    return claim.id in CONTENTS and claim.stated_in.startswith("ropeproof.")


def whole_catalogue() -> Mapping[str, Claim]:
    """The catalogue built from the topics, with every derivation, which takes seconds.

    Raises `InvalidClaim` as `catalogue` does (a duplicate or unknown id, a cycle, a part that says
    nothing), and where `contents` lists other claims or another order.
    """
    found = catalogue(c for topic in TOPICS.values() for c in claims_of(topic))
    if list(found) != list(CONTENTS):
        differ = ", ".join(sorted(found.keys() ^ CONTENTS.keys())) or "only the order differs"
        raise InvalidClaim(f"`theory/topics/contents.py` lists other claims ({differ}); {_WRITE}")
    return found
