"""Scripts that a long search found, kept under the hash of the question, so that it is not made again.

A certificate holds the finer steps that Coq needs for one arithmetical goal: which cases to split and which
products to name for `lra`; or that no search finds any. Coq checks a script wherever it comes from, so that
a wrong certificate can make Coq refuse a step and never accept one. A goal that has changed in any part has
another hash, and is searched for until `python maintenance/write_coq_certificates.py` has written its
certificate.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType

__all__ = [
    "FOLDER",
    "Certificates",
    "found_before",
    "hash_of",
    "read_folder",
    "without_certificates",
]

FOLDER = Path(__file__).parents[1] / "certificates"
"""One JSON file for each topic of the catalogue."""

Certificates = Mapping[str, str | None]
"""For the hash of a question the script that a search found, or None for a search in vain."""

_IN_USE: ContextVar[bool] = ContextVar("certificates in use", default=True)


def hash_of(question: str) -> str:
    """The hash under which the certificate of a question is kept.

    >>> len(hash_of("0 <= x -> 0 <= x * x"))
    32
    """
    return sha256(question.encode()).hexdigest()[:32]


def found_before(question: str) -> tuple[bool, str | None]:
    """Whether there is a certificate for the question, and its script."""
    if not _IN_USE.get():
        return False, None
    kept, key = read_folder(FOLDER), hash_of(question)
    return key in kept, kept.get(key)


@cache
def read_folder(folder: Path) -> Certificates:
    """The certificates of all files of a folder."""
    kept: dict[str, str | None] = {}
    for path in sorted(folder.glob("*.json")):
        for certificates in json.loads(path.read_text(encoding="utf-8")).values():
            kept.update(certificates)
    return MappingProxyType(kept)


@contextmanager
def without_certificates() -> Iterator[None]:
    """Search for every script within this context, as for a question without a certificate."""
    token = _IN_USE.set(False)
    try:
        yield
    finally:
        _IN_USE.reset(token)
