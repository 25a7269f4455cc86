"""All registered evidence: loads the topics of `evidence`, which do not know of each other."""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from ropeproof.proofs_check import evidence
from ropeproof.proofs_check.evidence import TOPICS, Evidence

__all__ = ["registered"]


def registered() -> Mapping[str, tuple[Evidence, ...]]:
    """All registered evidence by claim id."""
    for topic in TOPICS:
        importlib.import_module(f"{evidence.__name__}.{topic}")
    return evidence.entries()
