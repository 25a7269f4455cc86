"""A program with the numbers of the call that it was recorded from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from ropeproof.proofs_check.programs.record.graph import Program
from ropeproof.proofs_check.programs.record.watching import Seen

__all__ = ["Traced"]


@dataclass(frozen=True)
class Traced:
    """A program with the numbers of the call that it was recorded from.

    `inputs` and `results` are the arguments before the call and what it returned, as NumPy arrays;
    `observed` are numbers, by node, of nodes that depend on no argument. `shapes` are those of the arrays
    returned, `seen` is what was learned of the
    integers of the escapes `seen_escapes`, which were followed. `reads` are the values that were taken out
    of tensors, with the operation that did it, in order.
    """

    program: Program
    inputs: Mapping[str, NDArray[Any]]
    results: tuple[NDArray[Any], ...]
    observed: Mapping[int, NDArray[Any]]
    shapes: tuple[tuple[int, ...], ...] = ()
    seen: tuple[Seen, ...] = ()
    seen_escapes: frozenset[int] = frozenset()
    reads: tuple[tuple[str, Any], ...] = ()
