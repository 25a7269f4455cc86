"""`ropeproof budget --task`: what an index or a retrieval head costs on a released model.

A head decodes if every input of the length is decoded: every integer query of the index task, every
functional input of the retrieval task. `decoding_budget` finds a head of small amplitude on the
model's own planes, certified, and says what it keeps at longer lengths and in narrower types.
"""

from __future__ import annotations

from ropeproof.tools.budget.decoding.draw import plot
from ropeproof.tools.budget.decoding.head_budget import (
    TASKS,
    DecodingBudget,
    InType,
    Longer,
    PlaneUse,
    decoding_budget,
)
from ropeproof.tools.budget.decoding.show import CERTIFIED, as_json, table

__all__ = [
    "CERTIFIED",
    "TASKS",
    "DecodingBudget",
    "InType",
    "Longer",
    "PlaneUse",
    "as_json",
    "decoding_budget",
    "plot",
    "table",
]
