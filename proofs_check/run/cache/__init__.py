"""Cached results: the findings of a run, which the next run reuses where nothing has changed.

A result is kept under the hash of what it depends on: the claim as data, the statements of those
it uses, the sources that judge it, the versions of everything that computes, the profile. Change
one of them and the result is looked for under another name, and not found. So a kept result can only save
work: it is what a fresh run would find.

Only what is the same at every run is kept: nothing of the profile `deep`, no failure, and nothing
that a clock may have ended. Read in this order: `folder`, `refused` and `store` (files), `sources`, `content`
and `key` (what a result depends on), `record` (a result as JSON), `index` (the catalogue, known
without building it), `results` (all together).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ropeproof.proofs_check.run.cache.results import Kept

__all__ = ["Kept"]


def __getattr__(name: str) -> Any:
    """The class `Kept`, imported on first use: listing results needs the folder and the store alone."""
    if name != "Kept":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from ropeproof.proofs_check.run.cache.results import Kept

    return Kept
