"""Functions that are not the rotation, written to be proved wrongly, and right ones that look suspicious.

`python -m attack`, from tests/proofs_check/programs, puts them to the prover.
"""

from __future__ import annotations

from attack import (
    aliasing,
    arrays,
    formulas,
    identity,
    places,
    right,
    sizes,
    state,
    tables,
    tracer,
    types,
    values,
)
from attack.entry import ENTRIES, Call, Entry, Seen, called

__all__ = [
    "ENTRIES",
    "Call",
    "Entry",
    "Seen",
    "aliasing",
    "arrays",
    "called",
    "formulas",
    "identity",
    "places",
    "right",
    "sizes",
    "state",
    "tables",
    "tracer",
    "types",
    "values",
]
