"""False statements that look true, each with the derivation of an erring author.

`python -m kernel.attack_corpus` prints what the kernel says of each.
"""

from __future__ import annotations

from kernel.attack_corpus import (
    binding,
    calculus,
    capture,
    collapse,
    division,
    induction,
    order,
    powers,
    reuse,
    structure,
    sums,
    swap,
    sympy_wrong,
    trigonometry,
)
from kernel.attack_corpus.entry import FalseStatement, falsified, judge

__all__ = ["ENTRIES", "FalseStatement", "falsified", "judge"]

ENTRIES: tuple[FalseStatement, ...] = (
    *sums.ENTRIES,
    *swap.ENTRIES,
    *induction.ENTRIES,
    *division.ENTRIES,
    *order.ENTRIES,
    *powers.ENTRIES,
    *trigonometry.ENTRIES,
    *calculus.ENTRIES,
    *binding.ENTRIES,
    *capture.ENTRIES,
    *collapse.ENTRIES,
    *structure.ENTRIES,
    *reuse.ENTRIES,
    *sympy_wrong.ENTRIES,
)
