"""The topics, in the order in which a reader meets them, and the catalogue that they make up.

Importing this file builds every derivation, which takes seconds: `ropeproof.theory` does it when
`CLAIMS` or `TOPICS` is first asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType, ModuleType

from ropeproof.theory.language.claim import Claim, catalogue
from ropeproof.theory.library import duality, exponential, sums, trigonometry
from ropeproof.theory.topics import (
    conform,
    head,
    index,
    planes,
    posgen,
    retrieval,
    rope,
    slash,
    softmax,
    task,
)

__all__ = ["CLAIMS", "TOPICS"]

TOPICS: Mapping[str, ModuleType] = MappingProxyType(
    {
        "rope": rope,
        "softmax": softmax,
        "slash": slash,
        "head": head,
        "index": index,
        "retrieval": retrieval,
        "planes": planes,
        "task": task,
        "posgen": posgen,
        "conform": conform,
        "sums": sums,
        "duality": duality,
        "trigonometry": trigonometry,
        "exponential": exponential,
    }
)

CLAIMS: Mapping[str, Claim] = catalogue(c for topic in TOPICS.values() for c in topic.CLAIMS)
"""Every claim by its id; each comes after those that it uses."""
