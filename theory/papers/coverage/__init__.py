"""The contents of the papers, item by item: the tables behind the pages `coverage/PAPER`.

One file per paper. A table says what there is to be covered; which claim covers it follows from the
claims' own locators, and its status from a run.
"""

from __future__ import annotations

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.papers.coverage.decouple import DECOUPLE
from ropeproof.theory.papers.coverage.heads import HEADS
from ropeproof.theory.papers.coverage.item import Illustration, PaperCoverage, PaperItem
from ropeproof.theory.papers.coverage.neighbours import BIAS, LONG, OVERWHELM, ROUND, SINKS
from ropeproof.theory.papers.coverage.others import BASES, LMINF
from ropeproof.theory.papers.coverage.posgen import POSGEN
from ropeproof.theory.papers.coverage.slash import SLASH

__all__ = ["COVERAGE", "Illustration", "PaperCoverage", "PaperItem", "coverage_of"]

COVERAGE = (HEADS, DECOUPLE, SLASH, POSGEN, LMINF, BASES, ROUND, BIAS, LONG, SINKS, OVERWHELM)
"""The tables of all papers that the catalogue speaks of."""


def coverage_of(key: str) -> PaperCoverage:
    """The table of one paper by its key; raises `InvalidArgument`, listing the keys, for any other."""
    found = next((table for table in COVERAGE if table.key == key), None)
    if found is None:
        raise InvalidArgument("paper", key, ", ".join(table.key for table in COVERAGE))
    return found
