"""Faulty implementations, each with the cause of a bug that was reported somewhere.

They show that the kit can fail, and what it says then; `MUTANTS` is what `benchmarks/conformance.py`
and the tests go through. Nothing here is copied: each re-creates a cause in a few lines of torch.
"""

from __future__ import annotations

from ropeproof.tools.conform.references.mutants import (
    calls,
    frequencies,
    kinds,
    layouts,
    lengths,
    numbers,
    positions,
    scalings,
)
from ropeproof.tools.conform.references.mutants.parts import FaultyRotation, registered

__all__ = ["MUTANTS", "FaultyRotation"]

_FILES = (layouts, frequencies, scalings, lengths, positions, numbers, calls, kinds)

MUTANTS: tuple[FaultyRotation, ...] = registered(module.__name__ for module in _FILES)
"""All faulty implementations, by file and in the order in which they stand there."""
