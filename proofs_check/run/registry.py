"""Registered evidence: loads the topics of `evidence`, which do not know of each other."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping

from ropeproof.proofs_check import evidence
from ropeproof.proofs_check.evidence import TOPICS, Evidence, topics_about
from ropeproof.theory.errors import InvalidClaim

__all__ = ["registered", "registered_about"]


def registered() -> Mapping[str, tuple[Evidence, ...]]:
    """All registered evidence by claim id."""
    _load(TOPICS)
    return evidence.entries()


def registered_about(claim: str) -> tuple[Evidence, ...]:
    """The evidence that is registered for a claim id; only topics that may speak of it are loaded."""
    _load(topics_about(claim))
    return evidence.entries().get(claim, ())


def _load(topics: Iterable[str]) -> None:
    """Import topics. Raises `InvalidClaim` for evidence where that for its claim is not looked for."""
    for topic in topics:
        before = evidence.entries()
        importlib.import_module(f"{evidence.__name__}.{topic}")
        for claim, found in evidence.entries().items():
            for each in found[len(before.get(claim, ())) :]:
                # A topic may import parts of another, whose evidence is its own.
                home = each.run.__module__.removeprefix(f"{evidence.__name__}.").partition(".")[0]
                home = home if home in TOPICS else topic
                if home not in topics_about(claim):
                    wanted = ", ".join(topics_about(claim)) or "no topic"
                    raise InvalidClaim(
                        f"{claim}: evidence in topic {home}, is looked for in {wanted}"
                    )
