"""The part of a program that its outputs need, element by element, and what each element depends on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ropeproof.proofs_check.programs.record.graph import (
    ELEMENT_BITS,
    Node,
    Program,
    element_of,
    handles_of,
    node_of,
)
from ropeproof.theory.errors import Unsupported

__all__ = ["Kind", "Slice", "slice_program"]

Ints = NDArray[np.int64]
Kind: TypeAlias = Literal["constant", "position", "vector"]

_NONE, _SEVERAL = -1, -2


@dataclass(frozen=True)
class Slice:
    """A program cut down to the elements that its outputs need.

    - `order`: the numbers of the nodes that are needed, in order.
    - `elements`: for each of them the flat indices of the elements that are needed, rising.
    - `kind`: whether a node depends on nothing, on positions alone, or on vectors.
    - `reads`: for each of its elements the handle of the position that it depends on, -1 for none,
      -2 for several.
    - `moves`: for each `gather` node its sources with, for each, which of the source's elements are
      taken, and the order in which these make the node.
    """

    program: Program
    order: tuple[int, ...]
    elements: dict[int, Ints]
    kind: dict[int, Kind]
    reads: dict[int, Ints]
    moves: dict[int, tuple[tuple[tuple[int, Ints], ...], Ints]]

    def where(self, node: int, elements: Ints) -> Ints:
        """The places of flat indices among the needed elements of a node."""
        return np.searchsorted(self.elements[node], elements)

    def origins(self, node: int, elements: Ints) -> Ints:
        """Handles of the computed elements that elements of a node are, behind all movement."""
        handles = elements + (node << ELEMENT_BITS)
        while True:
            whose = node_of(handles)
            moved = [s for s in np.unique(whose) if self.program.nodes[int(s)].op == "gather"]
            if not moved:
                return handles
            for source in moved:
                mask = whose == source
                behind = self.program.nodes[int(source)].handles
                assert behind is not None
                handles[mask] = behind.ravel()[element_of(handles[mask])]


def slice_program(program: Program, positions: int) -> Slice:
    """Cut a program down to what its outputs need; `positions` is the node of the positions.

    Raises `Unsupported` for an operation without a meaning, naming its place, and for a table whose
    rows depend on the arguments.
    """
    wanted: dict[int, list[Ints]] = {}
    for output in program.outputs:
        wanted.setdefault(output, []).append(np.arange(program.nodes[output].count))
    elements: dict[int, Ints] = {}
    for number in sorted(program.needed(), reverse=True):
        if number not in wanted:
            continue
        own = np.unique(np.concatenate(wanted.pop(number)))
        elements[number] = own
        for source, needed in _demands(program, number, own):
            wanted.setdefault(source, []).append(needed)
    order = tuple(sorted(elements))
    found = Slice(program, order, elements, {}, {}, {})
    for number in order:
        _describe(found, number, positions)
    return found


def _refuse(node: Node, told: str) -> Unsupported:
    return Unsupported(f"{told}, {node.place}" if node.place is not None else told)


def _demands(program: Program, number: int, own: Ints) -> list[tuple[int, Ints]]:
    node = program.nodes[number]
    if node.op in ("unknown", "empty"):
        told = "memory that nothing was written to" if node.op == "empty" else node.name
        raise _refuse(node, told)
    if node.op == "gather":
        assert node.handles is not None
        handles = node.handles.ravel()[own]
        whose, which = node_of(handles), element_of(handles)
        return [(int(s), which[whose == s]) for s in np.unique(whose)]
    if node.op == "take":
        assert node.offset is not None
        data, index = node.inputs
        if program.nodes[data].depends:
            raise _refuse(node, "a table whose rows depend on the arguments, read by position")
        starts = np.unique(node.offset.ravel()[own])
        rows = starts[:, np.newaxis] + node.step * np.arange(node.size)
        return [(data, rows.ravel()), (index, own)]
    if node.op in ("sum", "dot", "max", "min"):
        size = program.nodes[node.inputs[0]].shape[-1]
        inside = (own[:, np.newaxis] * size + np.arange(size)).ravel()
        return [(i, inside) for i in node.inputs]
    return [(i, own) for i in node.inputs]


def _joined(first: Ints, second: Ints) -> Ints:
    """What depends on two elements depends on: the position of both, or several."""
    found = np.where(first == _NONE, second, first)
    differ = (first != second) & (first != _NONE) & (second != _NONE)
    return np.where(differ, _SEVERAL, found)


def _describe(found: Slice, number: int, positions: int) -> None:
    node, own = found.program.nodes[number], found.elements[number]
    if node.op == "input":
        place = number == positions
        found.kind[number] = "position" if place else "vector"
        handles = handles_of(number, node.count)[own]
        found.reads[number] = handles if place else np.full(len(own), _NONE)
        return
    kinds = {found.kind[i] for i in node.inputs if i in found.kind}
    kind: Kind = "constant"
    for one in ("position", "vector"):
        kind = one if one in kinds else kind
    found.kind[number] = kind
    reads = np.full(len(own), _NONE)
    if node.op == "gather":
        assert node.handles is not None
        handles = node.handles.ravel()[own]
        whose, which = node_of(handles), element_of(handles)
        parts, places = [], []
        for source in np.unique(whose):
            mask = np.flatnonzero(whose == source)
            inside = found.where(int(source), which[mask])
            parts.append((int(source), inside))
            places.append(mask)
            reads[mask] = found.reads[int(source)][inside]
        back = np.argsort(np.concatenate(places)) if places else np.zeros(0, np.int64)
        found.moves[number] = (tuple(parts), back)
    elif node.op in ("sum", "dot", "max", "min"):
        size = found.program.nodes[node.inputs[0]].shape[-1]
        inside = (own[:, np.newaxis] * size + np.arange(size)).ravel()
        for source in node.inputs:
            each = found.reads[source][found.where(source, inside)].reshape(len(own), size)
            for column in each.T:
                reads = _joined(reads, column)
    else:
        inputs = node.inputs[1:] if node.op == "take" else node.inputs
        for source in inputs:
            reads = _joined(reads, found.reads[source][found.where(source, own)])
    found.reads[number] = reads
