"""The printed statements that are false, those that matter first and slips last."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["MATTER", "SLIPS", "by_weight"]

MATTER = (
    "index.printed-bound",
    "retrieval.printed-bound",
    "task.printed-scale",
    "task.printed-mixed",
    "retrieval.printed-symbolic",
    "index.printed-maxima",
    "retrieval.printed-equal",
)
"""Statements that others may build on: of theorems first, then of lemmas, corollaries and remarks."""
SLIPS = ("index.printed-irrational", "task.printed-answer")
"""Slips of the pen: what is meant is plain from the rest of the paper, and nothing else in it changes.

An angle is called irrational where it is counted in turns, and an index in a formula is not that of the
procedure beside it.
"""


def by_weight(ids: Iterable[str]) -> list[str]:
    """The ids in the order of their weight; those that are not judged here stand before the slips.

    >>> by_weight(["task.printed-answer", "mine", "index.printed-bound"])
    ['index.printed-bound', 'mine', 'task.printed-answer']
    """
    place = {id: number for number, id in enumerate(MATTER)}
    last = {id: len(MATTER) + 1 + number for number, id in enumerate(SLIPS)}
    return sorted(ids, key=lambda id: {**place, **last}.get(id, len(MATTER)))
