"""Loading registered evidence: the topics of `evidence`, which do not know of each other."""

from __future__ import annotations

import importlib
import sys
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
    """The evidence registered for a claim id; only the topics that may have some are loaded."""
    _load(topics_about(claim))
    return evidence.entries().get(claim, ())


def _load(topics: Iterable[str]) -> None:
    """Import topics; raises `InvalidClaim` if one has evidence for a claim that is looked for elsewhere."""
    for topic in topics:
        before, there = evidence.entries(), _loaded()
        importlib.import_module(f"{evidence.__name__}.{topic}")
        # A topic may import parts of another, whose evidence is its own.
        homes = (_loaded() - there) | {topic}
        for claim, found in evidence.entries().items():
            for each in found[len(before.get(claim, ())) :]:
                home = each.run.__module__.removeprefix(f"{evidence.__name__}.").partition(".")[0]
                if not ({home} if home in TOPICS else homes) & set(topics_about(claim)):
                    stands = home if home in TOPICS else topic
                    wanted = ", ".join(topics_about(claim)) or "no topic"
                    raise InvalidClaim(
                        f"{claim}: evidence in topic {stands}, is looked for in {wanted}"
                    )


def _loaded() -> set[str]:
    """The topics of evidence that are already imported."""
    return {topic for topic in TOPICS if f"{evidence.__name__}.{topic}" in sys.modules}
